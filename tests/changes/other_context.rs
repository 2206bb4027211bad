//! Ids of another context of the same type (F11). They are refused if the library is built with debug
//! assertions; else an id knows nothing of its context and means what has its index there.

use std::collections::HashSet;

use ecs::prelude::*;
use support::game::{ChildOf, Frozen, Game, GameEntity, Health, Id};

use support::panic_of;

/// A call that is handed the game, the id of an entity of its own, and another one.
type Call = (&'static str, fn(&mut Game, Id, Id));

const QUESTIONS: &[Call] = &[
    ("contains", |game, _, id| _ = game.contains(id)),
    ("entity", |game, _, id| _ = game.entity(id)),
    ("get_entity", |game, _, id| _ = game.get_entity(id)),
    ("try_entity", |game, _, id| _ = game.try_entity(id).is_ok()),
    ("entity_mut", |game, _, id| _ = game.entity_mut(id)),
    ("get_entity_mut", |game, _, id| {
        _ = game.get_entity_mut(id);
    }),
    ("try_entity_mut", |game, _, id| {
        _ = game.try_entity_mut(id).is_ok();
    }),
    ("Group::contains", |game, _, id| {
        _ = game.group(Game::all_of::<Health>()).contains(game, id);
    }),
    ("View::get", |game, _, id| {
        _ = game.view::<Health>().get(id);
    }),
    ("View::contains", |game, _, id| {
        _ = game.view::<Health>().contains(id);
    }),
    ("Query::get", |game, _, id| {
        _ = game.query::<&Health>().get(id);
    }),
    ("template", |game, _, id| {
        _ = CloneOptions::all().template(game, id);
    }),
];

const CHANGES: &[Call] = &[
    ("destroy", |game, _, id| game.destroy(id)),
    ("try_destroy", |game, _, id| _ = game.try_destroy(id)),
    ("clone_entity", |game, _, id| _ = game.clone_entity(id).id()),
    ("copy from", |game, own, id| {
        let options = CloneOptions::all().on_conflict(OnConflict::Replace);
        options.copy(game, id, own);
    }),
    ("copy to", |game, own, id| {
        let options = CloneOptions::all().on_conflict(OnConflict::Replace);
        options.copy(game, own, id);
    }),
    ("apply_to", |game, _, id| {
        let template = Template::new().with(Health(7));
        template.apply_to(game, id, OnConflict::Replace);
    }),
    ("swap", |game, own, id| {
        game.entity_mut(own).swap::<Health>(id);
    }),
    ("QueryMut::get", |game, _, id| {
        let query = game.query_mut::<&mut Health>();
        query.get(id, |health| health.0 += 1);
    }),
    ("QueryMut::get_many", |game, own, id| {
        let query = game.query_mut::<&mut Health>();
        _ = query.get_many([own, id], |[a, _]| a.0 += 1);
    }),
    ("Many::add", |game, own, id| {
        game.many(&[own, id]).add(|_| Frozen);
    }),
    ("Many::replace", |game, own, id| {
        game.many(&[own, id]).replace(|_| Health(7));
    }),
    ("Many::update", |game, own, id| {
        game.many(&[own, id])
            .update(|_, health: &mut Health| health.0 += 1);
    }),
    ("Many::try_remove", |game, own, id| {
        _ = game.many(&[own, id]).try_remove::<Health>();
    }),
    ("Many::destroy", |game, own, id| {
        game.many(&[own, id]).destroy();
    }),
];

/// Values with a relation to an entity.
const RELATIONS: &[Call] = &[
    ("add_child_of", |game, own, parent| {
        game.entity_mut(own).add_child_of(parent);
    }),
    ("try_add", |game, own, parent| {
        _ = game.entity_mut(own).try_add(ChildOf { parent }).is_ok();
    }),
    ("replace_child_of", |game, own, parent| {
        game.entity_mut(own).replace_child_of(parent);
    }),
    ("insert", |game, own, parent| {
        game.entity_mut(own).insert((Frozen, ChildOf { parent }));
    }),
    ("create_with", |game, _, parent| {
        _ = game.create_with((Health(7), ChildOf { parent })).id();
    }),
    ("create_many", |game, _, parent| {
        game.create_many([ChildOf { parent }]);
    }),
    ("create_columns", |game, _, parent| {
        game.create_columns((vec![Health(7)], vec![ChildOf { parent }]));
    }),
    ("Template::create", |game, _, parent| {
        _ = Template::new().with(ChildOf { parent }).create(game).id();
    }),
    ("Many::add", |game, own, parent| {
        game.many(&[own]).add(|_| ChildOf { parent });
    }),
];

/// Whether ids of another context are refused. What counts is how the library was built.
fn are_refused() -> bool {
    size_of::<Id>() > 8
}

fn world() -> (Game, [Id; 2]) {
    let mut game = Game::new();
    let ids = [1, 2].map(|health| game.create_with(Health(health)).id());
    (game, ids)
}

/// All that a call could have changed.
fn picture(game: &Game) -> Vec<(Id, Option<u32>, bool, usize)> {
    let entities = game.entities();
    let describe = |entity: GameEntity<'_>| {
        let health = entity.get_health().map(|health| health.0);
        let children = entity.children().len();
        (entity.id(), health, entity.has_frozen(), children)
    };
    entities.map(describe).collect()
}

#[test]
fn every_call_refuses_them_with_nothing_changed() {
    for (name, call) in [QUESTIONS, CHANGES, RELATIONS].concat() {
        let ((mut game, [own, second]), (_other, [_, foreign])) = (world(), world());
        assert_eq!(second, foreign);
        let before = picture(&game);
        if are_refused() {
            let text = panic_of(|| call(&mut game, own, foreign));
            assert!(
                text.contains("entity 1v1 is one of `Game` number "),
                "{name}: {text}"
            );
            assert!(
                text.contains("good for the one context that created it"),
                "{name}: {text}"
            );
            assert_eq!(picture(&game), before, "{name}");
        }
        call(&mut game, own, second);
        let (mut game, [own, _]) = world();
        if !are_refused() {
            call(&mut game, own, foreign); // taken for the second entity
        }
    }
}

#[test]
fn a_target_of_another_context_with_the_entitys_own_index_is_refused_as_such() {
    let ((mut game, [own, _]), (_other, [foreign, _])) = (world(), world());
    let text = panic_of(|| game.entity_mut(own).add_child_of(foreign).id());
    assert_eq!(
        text.contains("is one of `Game` number"),
        are_refused(),
        "{text}"
    );
    assert!(!game.entity(own).has_child_of());
}

#[test]
fn the_panic_names_both_contexts() {
    if !are_refused() {
        return assert_eq!(size_of::<Option<Id>>(), 8);
    }
    let ((game, [own, _]), (other, [foreign, _])) = (world(), world());
    let numbers = |game: &Game, id: Id| {
        let text = panic_of(|| game.contains(id));
        let parts = text.split("number ").skip(1);
        let number = |part: &str| {
            part.split(|c: char| !c.is_ascii_digit())
                .next()?
                .parse()
                .ok()
        };
        parts
            .map(|part| number(part).unwrap())
            .collect::<Vec<u32>>()
    };
    let [theirs, ours] = numbers(&game, foreign)[..] else {
        panic!("two numbers")
    };
    assert_ne!(theirs, ours);
    assert_eq!(numbers(&other, own), [ours, theirs]);
}

#[test]
fn what_an_id_knows_has_no_part_in_what_it_is() {
    let ((_, [own, _]), (_, [foreign, _])) = (world(), world());
    assert!(own == foreign && own >= foreign && own <= foreign);
    assert_eq!(HashSet::from([own, foreign]).len(), 1);
    assert_eq!(format!("{own} {foreign:?}"), "0v1 0v1");
    assert_eq!(own.to_bits(), foreign.to_bits());
}

#[test]
fn an_id_made_from_a_number_is_good_for_every_context() {
    let ((game, [own, _]), (mut other, _)) = (world(), world());
    let id = Id::from_bits(own.to_bits()).unwrap();
    assert!(game.contains(id) && other.contains(id));
    other.entity_mut(id).replace_health(9);
    let child = other.create_with(ChildOf { parent: id }).id();
    assert_eq!(other.entity(id).children(), [child]);
}

#[test]
fn an_id_follows_its_context_wherever_that_is_moved() {
    let ((mut game, [id, _]), (mut other, _)) = (world(), world());
    std::mem::swap(&mut game, &mut other);
    let moved = (other, 7);
    assert!(moved.0.contains(id));
}

#[test]
fn ids_of_before_a_reset_are_dead_and_no_more() {
    let (mut game, [id, _]) = world();
    game.reset();
    game.create_with(Health(3));
    assert!(!game.contains(id) && game.try_destroy(id).is_err());
}
