//! Undo steps, which are ordinary changes.

use std::collections::BTreeMap;

use ecs::prelude::*;

use support::game::{
    Armed, ChildOf, Frozen, Game, GameEntity, GameEntityMut, Health, Id, Position, Score, Seat,
    Targets, Team, Touchy,
};
use support::panic_of;

pub(crate) fn all() -> UndoStack<Game> {
    UndoStack::all()
}

pub(crate) fn health(game: &Game, id: Id) -> Option<u32> {
    game.entity(id).get::<Health>().map(|health| health.0)
}

#[test]
fn values_are_undone_and_redone_by_ordinary_changes() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2)]);
    let mut edits = all();
    edits.step(&mut game, "Edit", |game| {
        game.entity_mut(ids[0]).replace_health(5).add_frozen();
        game.entity_mut(ids[0]).replace_health(6);
        game.entity_mut(ids[1]).remove_health();
        game.query_mut::<&mut Health>()
            .for_each(|health| health.0 += 1);
    });
    let changes = game.collector(Game::all_of::<Health>().any_change());
    let history = game.record();
    let end = history.mark(&mut game);
    assert!(edits.undo(&mut game));
    assert_eq!(
        (health(&game, ids[0]), health(&game, ids[1])),
        (Some(1), Some(2))
    );
    assert!(!game.entity(ids[0]).is_frozen());
    assert_eq!(changes.drain(&mut game), [ids[0], ids[1]]);
    assert_eq!(history.len(&game), 3);
    assert!(edits.redo(&mut game));
    assert_eq!(
        (health(&game, ids[0]), health(&game, ids[1])),
        (Some(7), None)
    );
    assert!(game.entity(ids[0]).is_frozen());
    assert!(!edits.redo(&mut game) && edits.undo(&mut game) && !edits.undo(&mut game));
    history.rewind(&mut game, end);
    assert_eq!(health(&game, ids[0]), Some(7));
}

#[test]
fn changes_outside_of_undo_steps_stay() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2)]);
    let mut edits = UndoStack::<Game>::only::<(Health, Frozen)>();
    edits.step(&mut game, "Hurt", |game| {
        game.entity_mut(ids[0]).replace_health(9).add_position(3);
        game.entity_mut(ids[1]).replace_health(8);
    });
    game.entity_mut(ids[0]).replace_position(4);
    game.destroy(ids[1]);
    let bullet = game.create_with(Health(7)).id();
    edits.undo(&mut game);
    game.entity_mut(bullet).replace_health(6);
    assert_eq!(
        (health(&game, ids[0]), health(&game, bullet)),
        (Some(1), Some(6))
    );
    assert_eq!((game.entity(ids[0]).position().0, game.len()), (4, 2));
    assert_eq!(
        (edits.undo_name(&game), edits.redo_name(&game)),
        (None, Some("Hurt"))
    );
    edits.redo(&mut game);
    assert_eq!(health(&game, ids[0]), Some(9));
}

#[test]
fn a_tree_that_was_destroyed_comes_back_with_its_links() {
    let mut game = Game::new();
    let root = game.create_with(Health(1)).id();
    let arm = game.create_with((Health(2), ChildOf { parent: root })).id();
    let hand = game.create_with((Health(3), ChildOf { parent: arm })).id();
    game.entity_mut(root).add_targets(hand);
    let watcher = game.create_with(Targets(arm)).id();
    let mut edits = all();
    edits.step(&mut game, "Delete", |game| game.destroy(root));
    assert_eq!(game.len(), 1);
    for _ in 0..3 {
        edits.undo(&mut game);
        let find = |n: u32| {
            let mut found = game
                .query::<(Id, &Health)>()
                .iter()
                .filter(|it| it.1.0 == n);
            found.next().unwrap().0
        };
        let (root, arm, hand) = (find(1), find(2), find(3));
        assert_eq!(game.entity(root).children(), [arm]);
        assert_eq!(game.entity(arm).children(), [hand]);
        assert_eq!(game.entity(root).targets().0, hand);
        assert_eq!(game.entity(watcher).targets().0, arm);
        game.storage().check_invariants();
        edits.redo(&mut game);
        assert_eq!(game.len(), 1);
        assert!(!game.entity(watcher).has_targets());
    }
}

#[test]
fn recreated_entities_are_mapped_to_their_new_ids() {
    let mut game = Game::new();
    let mut edits = all();
    let parent = edits.step(&mut game, "Create", |game| game.create_with(Health(1)).id());
    edits.step(&mut game, "Attach", |game| {
        let child = game.create_with(ChildOf { parent }).id();
        game.entity_mut(parent).add_targets(child);
    });
    edits.step(&mut game, "Heal", |game| {
        _ = game.entity_mut(parent).replace_health(2)
    });
    for _ in 0..3 {
        while edits.undo(&mut game) {}
        assert!(game.is_empty());
        while edits.redo(&mut game) {}
        let parent = game.query::<Id>().with::<Health>().single().unwrap();
        let child = game.entity(parent).children()[0];
        assert_eq!(
            (health(&game, parent), game.entity(parent).targets().0),
            (Some(2), child)
        );
        assert_eq!(game.len(), 2);
        game.storage().check_invariants();
    }
}

#[test]
fn a_relation_that_was_removed_with_its_target_has_the_new_id_of_that() {
    let mut game = Game::new();
    let target = game.create_with(Health(1)).id();
    let watcher = game.create_with(Targets(target)).id();
    let mut edits = all();
    edits.step(&mut game, "Delete", |game| game.destroy(target));
    let other = game.create_with(Health(2)).id();
    assert_eq!(other.index(), target.index(), "it has the slot");
    for _ in 0..2 {
        assert_eq!(edits.try_undo(&mut game).ok(), Some(true));
        let back = game.entity(watcher).targets().0;
        assert_eq!((health(&game, back), back == target), (Some(1), false));
        assert_eq!(edits.try_redo(&mut game).ok(), Some(true));
        assert_eq!((game.contains(back), game.len()), (false, 2));
    }
}

#[test]
fn keys_and_unique_components_change_owners() {
    let mut game = Game::new();
    let ids = game.create_many([Seat(1), Seat(2), Seat(3)]);
    game.entity_mut(ids[0]).add_score(5);
    let mut edits = all();
    edits.step(&mut game, "Rotate", |game| {
        game.entity_mut(ids[0]).remove_score();
        game.entity_mut(ids[2]).add_score(6);
        game.entity_mut(ids[0]).replace_seat(9);
        game.entity_mut(ids[1]).replace_seat(1);
        game.entity_mut(ids[2]).replace_seat(2);
        game.entity_mut(ids[0]).replace_seat(3);
    });
    let seats = |game: &Game| {
        ids.iter()
            .map(|&id| game.entity(id).seat().0)
            .collect::<Vec<_>>()
    };
    for _ in 0..2 {
        edits.undo(&mut game);
        assert_eq!(seats(&game), [1, 2, 3]);
        assert!(game.entity(ids[0]).has_score() && game.score().0 == 5);
        edits.redo(&mut game);
        assert_eq!(seats(&game), [3, 1, 2]);
        assert!(game.entity(ids[2]).has_score() && game.score().0 == 6);
    }
    edits.step(&mut game, "Replace", |game| {
        game.destroy(ids[2]);
        game.create_with((Seat(2), Score(7)));
    });
    for _ in 0..2 {
        edits.undo(&mut game);
        assert_eq!((game.score().0, game.len()), (6, 3));
        edits.redo(&mut game);
        assert_eq!((game.score().0, game.len()), (7, 3));
    }
    game.storage().check_invariants();
}

#[test]
fn a_rejected_change_is_named_and_the_rest_is_undone() {
    let mut game = Game::new();
    let ids = game.create_many([(Seat(1), Health(1)), (Seat(2), Health(2))]);
    let mut edits = all();
    edits.step(&mut game, "Move", |game| {
        game.entity_mut(ids[0]).replace_seat(5).replace_health(5);
        game.entity_mut(ids[1]).replace_health(6);
    });
    game.create_with(Seat(1)); // the seat is taken now
    let error = edits.try_undo(&mut game).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateKey);
    assert_eq!(
        (health(&game, ids[0]), health(&game, ids[1])),
        (Some(1), Some(2))
    );
    assert_eq!(
        (edits.undo_name(&game), edits.redo_name(&game)),
        (None, Some("Move"))
    );
    assert_eq!(edits.try_redo(&mut game), Ok(true));
    assert_eq!(
        (game.entity(ids[0]).seat().0, health(&game, ids[0])),
        (5, Some(5))
    );
    let text = panic_of(|| edits.undo(&mut game));
    assert!(
        text.starts_with("cannot add component `Seat` to entity 0v1"),
        "{text}"
    );
    game.storage().check_invariants();
}

#[test]
fn an_edit_of_many_frames_is_one_step() {
    let mut game = Game::new();
    let id = game.create_with(Health(0)).id();
    let mut edits = all().at_most(2);
    edits.amend(&mut game, |game| _ = game.entity_mut(id).replace_health(1)); // no step yet
    assert_eq!(edits.undo_name(&game), None);
    for name in ["One", "Two", "Three"] {
        edits.step(&mut game, name, |game| {
            game.entity_mut(id).update_health(|it| it.0 *= 10)
        });
        edits.amend(&mut game, |game| {
            game.entity_mut(id).update_health(|it| it.0 += 1)
        });
        edits.amend(&mut game, |game| {
            _ = game.entity_mut(id).set_frozen(name == "Two")
        });
    }
    assert_eq!(
        format!("{edits:?}"),
        r#"UndoStack { done: ["Two", "Three"], undone: [] }"#
    );
    assert_eq!(health(&game, id), Some(1111));
    edits.undo(&mut game);
    assert_eq!(
        (health(&game, id), game.entity(id).is_frozen()),
        (Some(111), true)
    );
    edits.undo(&mut game);
    assert_eq!(
        (health(&game, id), game.entity(id).is_frozen()),
        (Some(11), false)
    );
    assert!(!edits.undo(&mut game));
    edits.redo(&mut game);
    let made = edits.step(&mut game, "New", |game| game.create_entity().id());
    assert_eq!(
        (edits.undo_name(&game), edits.redo_name(&game)),
        (Some("New"), None)
    );
    edits.amend(&mut game, |game| game.destroy(made));
    assert_eq!(edits.undo_name(&game), Some("Two")); // the last step is gone
    edits.clear();
    assert!(!edits.undo(&mut game) && !edits.redo(&mut game));
}

#[test]
fn a_step_that_panics_is_discarded_and_observers_stay_active() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let mut edits = UndoStack::<Game>::only::<Health>();
    let text = panic_of(|| {
        edits.step(&mut game, "Fail", |game| {
            game.entity_mut(id).replace_health(2);
            panic!("{}", "half-way");
        });
    });
    assert_eq!(
        (text.as_str(), health(&game, id), edits.undo_name(&game)),
        ("half-way", Some(2), None)
    );
    edits.step(&mut game, "Work", |game| {
        _ = game.entity_mut(id).replace_health(3)
    });
    edits.undo(&mut game);
    assert_eq!(health(&game, id), Some(2));

    let mut edits = UndoStack::<Game>::only::<Touchy>();
    edits.step(&mut game, "Add", |game| {
        _ = game.entity_mut(id).add_touchy(false)
    });
    let panic = panic_of(|| {
        edits.step(&mut game, "Touch", |game| {
            _ = game.entity_mut(id).replace_touchy(true)
        });
    });
    assert_eq!(panic, "touchy");
    assert_eq!(edits.undo_name(&game), Some("Add"));
    assert!(edits.undo(&mut game) && !game.entity(id).has_touchy());
}

#[test]
fn a_step_is_rejected_inside_of_observers_and_of_what_cannot_be_cloned() {
    /// Has a component that is not `Clone`.
    #[ecs::context]
    struct Scene;

    #[derive(Component)]
    #[component(context = Scene)]
    struct Texture(u8);

    let mut scene = Scene::new();
    let text = panic_of(|| UndoStack::all().step(&mut scene, "Edit", |_| ()));
    assert_eq!(
        text,
        "cannot record a step of context `Scene`: component `Texture` is not `Clone`; derive \
         `Clone` for it, or leave it out by `UndoStack::without::<Texture>()`"
    );
    let mut edits = UndoStack::all().without::<Texture>();
    edits.step(&mut scene, "Edit", |scene| {
        _ = scene.create_entity().add_texture(1)
    });
    assert!(edits.undo(&mut scene) && scene.is_empty());

    let mut game = Game::new();
    let healthy = game.group(Game::all_of::<Health>());
    healthy.on_entered(&mut game, |game, _| all().step(game, "Edit", |_| ()));
    let text = panic_of(|| game.create_with(Health(1)).id());
    assert!(
        text.starts_with("cannot record a step of context `Game` while"),
        "{text}"
    );
}

/// Random steps, all undone, all redone: the same components under other ids.
#[test]
fn undoing_all_steps_gives_the_start_and_redoing_them_the_end() {
    for seed in 0..150 {
        let mut random = Random(support::Random(seed));
        let mut game = Game::new();
        for n in 0..4 {
            let id = game.create_with((Health(n), Seat(n))).id();
            if n > 0 {
                let parent = game.query::<Id>().iter().next().unwrap();
                game.entity_mut(id).add_child_of(parent);
            }
        }
        let mut edits = all();
        let mut states = vec![state_of(&game)];
        for _ in 0..8 {
            edits.step(&mut game, "Step", |game| {
                (0..4).for_each(|_| random.change(game))
            });
            if states.len() == depth(&edits) {
                states.push(state_of(&game));
            }
        }
        for _ in 0..2 {
            for state in states.iter().rev().skip(1) {
                assert!(edits.undo(&mut game));
                assert_eq!(state_of(&game), *state, "seed {seed}");
                game.storage().check_invariants();
            }
            for state in &states[1..] {
                assert!(edits.redo(&mut game));
                assert_eq!(state_of(&game), *state, "seed {seed}");
                game.storage().check_invariants();
            }
        }
    }
}

/// The number of steps.
fn depth(edits: &UndoStack<Game>) -> usize {
    format!("{edits:?}").matches("Step").count()
}

/// The components of each entity, by the number of its seat; ids are replaced by these numbers,
/// too.
fn state_of(game: &Game) -> BTreeMap<u32, String> {
    let seat = |id: Id| game.entity(id).get::<Seat>().map(|seat| seat.0);
    let entities = game.entities().map(|it| {
        let parent = it.get::<ChildOf>().map(|child| seat(child.parent));
        let target = it.get::<Targets>().map(|target| seat(target.0));
        let values = (it.get::<Health>(), it.get::<Armed>(), it.get::<Team>());
        let rest = (it.get::<Score>(), it.get::<Position>(), it.has::<Frozen>());
        (
            it.seat().0,
            format!("{parent:?} {target:?} {values:?} {rest:?}"),
        )
    });
    entities.collect()
}

struct Random(support::Random);

impl Random {
    fn entity(&mut self, game: &Game) -> Option<Id> {
        let ids: Vec<_> = game.query::<Id>().iter().collect();
        (!ids.is_empty()).then(|| ids[self.0.below(ids.len() as u32) as usize])
    }

    fn change(&mut self, game: &mut Game) {
        let (kind, value) = (self.0.below(13), self.0.below(20));
        let (Some(id), Some(other)) = (self.entity(game), self.entity(game)) else {
            game.create_with((Seat(value), Health(value)));
            return;
        };
        let mut entity = game.entity_mut(id);
        match kind {
            0 => game.destroy(id),
            1 | 2 => _ = game.try_create_with((Seat(value), Health(value))),
            3 => drop(entity.try_replace_child_of(other)),
            4 => drop(entity.try_replace_targets(other)),
            5 => drop(entity.try_replace_seat(value)),
            6 => _ = entity.replace_health(value),
            7 => drop(entity.try_add_armed(value)),
            8 => drop(entity.try_remove_targets()),
            9 => _ = entity.replace_team("red").set_frozen(value % 2 == 0),
            10 => {
                game.set_score(value);
            }
            11 => {
                let owner = game.score_entity().map(|owner| owner.id());
                owner
                    .into_iter()
                    .for_each(|owner| _ = game.entity_mut(owner).remove_score());
                game.entity_mut(id).replace_score(value);
            }
            _ => drop(entity.try_swap::<Seat>(other)),
        }
        // Entities without a seat cannot be distinguished.
        let ids: Vec<Id> = game.query::<Id>().without::<Seat>().iter().collect();
        ids.into_iter().for_each(|id| drop(game.try_destroy(id)));
    }
}

/// Equal if its name is.
#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Signpost {
    name: u32,
    text: u32,
}

impl PartialEq for Signpost {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

#[test]
fn a_change_of_what_equality_leaves_out_is_undone() {
    let mut game = Game::new();
    let id = game.create_with(Signpost { name: 1, text: 1 }).id();
    let mut edits = all();
    edits.step(&mut game, "Write", |game| {
        game.entity_mut(id).update_signpost(|it| it.text = 2);
    });
    let state = |game: &Game| {
        (
            game.entity(id).signpost().name,
            game.entity(id).signpost().text,
        )
    };
    assert!(edits.undo(&mut game));
    assert_eq!(state(&game), (1, 1));
    assert!(edits.redo(&mut game));
    assert_eq!(state(&game), (1, 2));
}
