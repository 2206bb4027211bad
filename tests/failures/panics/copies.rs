//! F02: clones and defaults that panic.

use ecs::prelude::*;
use support::panic_of;

use super::{Delicate, TOUCHY, Touchy, log_everything};
use crate::game::{Alpha, Game, Ledger, Log, Value, assert_sound};

/// Calls that start with a default value, for an entity without one.
const FILLINGS: [fn(&mut Game, EntityId<Game>); 4] = [
    |game, id| {
        _ = game
            .entity_mut(id)
            .add_with::<Delicate>(|value| value.1 = 1)
    },
    |game, id| {
        _ = game
            .entity_mut(id)
            .replace_with::<Delicate>(|value| value.1 = 1)
    },
    |game, id| _ = game.entity_mut(id).add_delicate_with(|value| value.1 = 1),
    |game, id| {
        _ = game
            .entity_mut(id)
            .replace_delicate_with(|value| value.1 = 1)
    },
];

/// F02: a default panics while a component is added: the component is missing, no observer is
/// notified, and the component can be added later.
#[test]
fn a_default_that_panics_adds_nothing() {
    for fill in FILLINGS {
        let (ledger, log) = (Ledger::default(), Log::default());
        let mut game = Game::new();
        log_everything(&mut game, &log);
        let group = game.group(Game::all_of::<Delicate>());
        let collector = game.collector(Game::all_of::<Delicate>().any_change());
        let heard = log.clone();
        group.on_entered(&mut game, move |_, _| heard.note("entered"));
        let id = game.create_with(Alpha(ledger.token())).id();
        log.take();
        assert_eq!(panic_of(|| fill(&mut game, id)), "there is no default");
        game.storage().check_invariants();
        assert!(!game.entity(id).has_delicate() && group.is_empty(&game));
        assert!(log.take().is_empty() && collector.is_empty(&game));
        game.entity_mut(id).add(Delicate(Touchy, 1));
        assert_eq!(log.take(), ["entered"]);
        fill_from_pool(&mut game, id, fill);
        game.observers().clear();
        game.destroy(id);
        assert_sound(game, &ledger);
    }
}

/// A pooled value is reset to the default, so it stays pooled if the default panics.
fn fill_from_pool(game: &mut Game, id: EntityId<Game>, fill: fn(&mut Game, EntityId<Game>)) {
    game.entity_mut(id).remove_delicate();
    assert_eq!(game.storage().pooled::<Delicate>(), 1);
    assert_eq!(panic_of(|| fill(game, id)), "there is no default");
    assert_eq!(game.storage().pooled::<Delicate>(), 1);
    assert!(!game.entity(id).has_delicate());
}

/// Copies all components of an entity or a template; the last id is that of an entity with only
/// `Other`.
type Copying = fn(&mut Game, &Template<Game>, [EntityId<Game>; 2]);

const COPIES: [(&str, Copying); 10] = [
    ("create", |game, template, _| _ = template.create(game).id()),
    ("create_many", |game, template, _| {
        _ = template.create_many(game, 3);
    }),
    ("apply_to", |game, template, [_, other]| {
        template.apply_to(game, other, OnConflict::Replace);
    }),
    ("try_apply_to", |game, template, [_, other]| {
        _ = template.try_apply_to(game, other, OnConflict::Keep);
    }),
    ("apply to one that has it", |game, template, [id, _]| {
        template.apply_to(game, id, OnConflict::Replace);
    }),
    ("clone of a template", |_, template, _| {
        drop(template.clone())
    }),
    ("clone_entity", |game, _, [id, _]| {
        _ = game.clone_entity(id).id()
    }),
    ("copy", |game, _, [id, other]| {
        CloneOptions::all().copy(game, id, other);
    }),
    ("template", |game, _, [id, _]| {
        drop(CloneOptions::all().template(game, id));
    }),
    ("removed values", |game, _, [id, _]| {
        let lost = game.removed_values::<Delicate>();
        panic_of(|| _ = game.entity_mut(id).remove_delicate());
        assert!(lost.is_empty(game));
        lost.release(game);
        game.entity_mut(id).add(Delicate(Touchy, 1));
        panic!("cannot be copied");
    }),
];

/// F02: a clone panics in the middle of the components of a template or an entity: no entity is
/// created or changed, no observer is notified, and the clones made so far are dropped.
#[test]
fn a_copy_that_panics_creates_and_changes_nothing() {
    for (name, copy) in COPIES {
        let (ledger, log) = (Ledger::default(), Log::default());
        let mut game = Game::new();
        let values = || (Alpha(ledger.token()), Delicate(Touchy, 1), Value(1));
        let id = game.create_with(values()).id();
        let other = game.create_entity().add_other(1).id();
        let (alpha, delicate, value) = values();
        let template = Template::new().with(alpha).with(delicate).with(value);
        if name != "removed values" {
            log_everything(&mut game, &log);
        }
        let collector = game.collector(Game::any_of::<(Value, Alpha)>().any_change());
        TOUCHY.set(true);
        let text = panic_of(|| copy(&mut game, &template, [id, other]));
        TOUCHY.set(false);
        assert_eq!(text, "cannot be copied", "{name}");
        game.storage().check_invariants();
        assert_eq!((game.len(), ledger.alive()), (2, 2), "{name}");
        assert!(game.entity(id).has_delicate() && game.entity(id).value().0 == 1);
        assert_eq!(game.entity(other).component_indices().len(), 1, "{name}");
        assert!(log.take().is_empty() && collector.is_empty(&game), "{name}");
        template.apply_to(&mut game, other, OnConflict::Replace);
        assert_eq!(
            (game.entity(other).value().0, ledger.alive()),
            (1, 3),
            "{name}"
        );
        game.observers().clear();
        game.destroy_all();
        drop(template);
        assert_sound(game, &ledger);
    }
}
