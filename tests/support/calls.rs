//! All calls with an id parameter, for tests of invalid ids.

use ecs::prelude::*;

use crate::game::{ChildOf, Frozen, Game, GameEntity, Health, Id};

/// A call with the game, the id of a living entity and another id. It returns whether the other
/// entity exists, if it can report that.
pub type Call = (&'static str, fn(&mut Game, Id, Id) -> bool);

/// Two entities.
pub fn world() -> (Game, [Id; 2]) {
    let mut game = Game::new();
    let ids = [1, 2].map(|health| game.create_with(Health(health)).id());
    (game, ids)
}

/// Everything that a call could change.
pub fn picture(game: &Game) -> Vec<(Id, Option<u32>, bool, usize)> {
    let entities = game.entities();
    let describe = |entity: GameEntity<'_>| {
        let health = entity.get_health().map(|health| health.0);
        let children = entity.children().len();
        (entity.id(), health, entity.has_frozen(), children)
    };
    entities.map(describe).collect()
}

/// A call that panics for missing entities has found the entity if it returns.
fn found<R>(_: R) -> bool {
    true
}

/// Calls that only read.
pub const QUESTIONS: &[Call] = &[
    ("contains", |game, _, id| game.contains(id)),
    ("entity", |game, _, id| found(game.entity(id))),
    ("get_entity", |game, _, id| game.get_entity(id).is_some()),
    ("try_entity", |game, _, id| game.try_entity(id).is_ok()),
    ("entity_mut", |game, _, id| found(game.entity_mut(id))),
    ("get_entity_mut", |game, _, id| {
        game.get_entity_mut(id).is_some()
    }),
    ("try_entity_mut", |game, _, id| {
        game.try_entity_mut(id).is_ok()
    }),
    ("Group::contains", |game, _, id| {
        game.group(Game::all_of::<Health>()).contains(game, id)
    }),
    ("View::get", |game, _, id| {
        game.view::<Health>().get(id).is_some()
    }),
    ("View::contains", |game, _, id| {
        game.view::<Health>().contains(id)
    }),
    ("ViewMut::get", |game, _, id| {
        let mut is_found = false;
        game.view_mut::<Health>(|all| is_found = all.get(id).is_some());
        is_found
    }),
    ("Query::get", |game, _, id| {
        game.query::<&Health>().get(id).is_some()
    }),
    ("Query::among", |game, _, id| {
        game.query::<&Health>().among([id]).single().is_some()
    }),
    ("template", |game, _, id| {
        found(CloneOptions::all().template(game, id))
    }),
];

/// Calls that change the entity, or copy it to others.
pub const CHANGES: &[Call] = &[
    ("destroy", |game, _, id| {
        game.destroy(id);
        true
    }),
    ("try_destroy", |game, _, id| game.try_destroy(id).is_ok()),
    ("clone_entity", |game, _, id| {
        found(game.clone_entity(id).id())
    }),
    ("copy from", |game, own, id| {
        let options = CloneOptions::all().on_conflict(OnConflict::Replace);
        options.copy(game, id, own);
        true
    }),
    ("copy to", |game, own, id| {
        let options = CloneOptions::all().on_conflict(OnConflict::Replace);
        options.copy(game, own, id);
        true
    }),
    ("apply_to", |game, _, id| {
        let template = Template::new().with(Health(7));
        template.apply_to(game, id, OnConflict::Replace);
        true
    }),
    ("try_apply_to", |game, _, id| {
        let template = Template::new().with(Health(7));
        template.try_apply_to(game, id, OnConflict::Replace).is_ok()
    }),
    ("swap", |game, own, id| {
        found(game.entity_mut(own).swap::<Health>(id).id())
    }),
    ("try_swap", |game, own, id| {
        game.entity_mut(own).try_swap::<Health>(id).is_ok()
    }),
    ("QueryMut::get", |game, _, id| {
        let query = game.query_mut::<&mut Health>();
        query.get(id, |health| health.0 += 1).is_some()
    }),
    ("ViewMut::replace", |game, _, id| {
        let mut written = None;
        game.view_mut::<Health>(|all| written = all.replace(id, Health(8)));
        written.is_some()
    }),
    ("QueryMut::among", |game, _, id| {
        let mut is_found = false;
        let query = game.query_mut::<&mut Health>().among([id]);
        query.for_each(|health| {
            health.0 += 1;
            is_found = true;
        });
        is_found
    }),
    ("QueryMut::get_many", |game, own, id| {
        let query = game.query_mut::<&mut Health>();
        query.get_many([own, id], |[a, _]| a.0 += 1).is_ok()
    }),
    ("Many::add", |game, own, id| {
        game.many(&[own, id]).add_with(|_| Frozen);
        true
    }),
    ("Many::try_add", |game, own, id| {
        game.many(&[own, id]).try_add_with(|_| Frozen).is_ok()
    }),
    ("Many::replace", |game, own, id| {
        game.many(&[own, id]).replace_with(|_| Health(7));
        true
    }),
    ("Many::update", |game, own, id| {
        let update = |_, health: &mut Health| health.0 += 1;
        game.many(&[own, id]).update(update);
        true
    }),
    ("Many::try_remove", |game, own, id| {
        game.many(&[own, id]).try_remove::<Health>().is_ok()
    }),
    ("Many::destroy", |game, own, id| {
        game.many(&[own, id]).destroy();
        true
    }),
    ("Many::try_destroy", |game, own, id| {
        game.many(&[own, id]).try_destroy().is_ok()
    }),
];

/// Calls with values that have a relation to the entity.
pub const RELATIONS: &[Call] = &[
    ("add_child_of", |game, own, parent| {
        found(game.entity_mut(own).add_child_of(parent).id())
    }),
    ("try_add", |game, own, parent| {
        game.entity_mut(own).try_add(ChildOf { parent }).is_ok()
    }),
    ("replace_child_of", |game, own, parent| {
        found(game.entity_mut(own).replace_child_of(parent).id())
    }),
    ("insert", |game, own, parent| {
        let mut own = game.entity_mut(own);
        found(own.insert((Frozen, ChildOf { parent })).id())
    }),
    ("create_with", |game, _, parent| {
        found(game.create_with((Health(7), ChildOf { parent })).id())
    }),
    ("create_many", |game, _, parent| {
        found(game.create_many([ChildOf { parent }]))
    }),
    ("create_columns", |game, _, parent| {
        found(game.create_columns((vec![Health(7)], vec![ChildOf { parent }])))
    }),
    ("Template::create", |game, _, parent| {
        let template = Template::new().with(ChildOf { parent });
        found(template.create(game).id())
    }),
    ("Many::add", |game, own, parent| {
        game.many(&[own]).add_with(|_| ChildOf { parent });
        true
    }),
];
