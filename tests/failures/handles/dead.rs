//! F09: every call with an id parameter, with the id of a dead entity.

use ecs::prelude::*;
use support::attempt;
use support::calls::{CHANGES, Call, QUESTIONS, RELATIONS, picture, world};
use support::game::{ChildOf, Game, GameEntity, Health, Id};

/// A game, with the ids of a living entity, of a dead one, and of the new owner of its slot.
fn world_with_dead(reused: bool) -> (Game, Id, Id, Option<Id>) {
    let (mut game, [own, _]) = world();
    let dead = game.create_with(Health(3)).id();
    game.destroy(dead);
    let owner = reused.then(|| game.create_with(Health(4)).id());
    assert!(owner.is_none_or(|owner| owner.index() == dead.index()));
    (game, own, dead, owner)
}

/// Checks that the call panics with a message, or returns that there is no such entity.
#[track_caller]
fn assert_rejected((name, call): Call, game: &mut Game, own: Id, dead: Id) {
    let mut has_found = false;
    if let Some(text) = attempt(|| has_found = call(game, own, dead)) {
        assert!(text.contains("not alive"), "{name}: {text}");
        assert!(text.contains(&format!("entity {dead}")), "{name}: {text}");
    }
    assert!(!has_found, "{name}");
}

/// F09: every call rejects the id of a dead entity, with or without a new owner of its slot, and
/// changes nothing.
#[test]
fn every_call_rejects_a_dead_id_with_nothing_changed() {
    for call in [QUESTIONS, CHANGES, RELATIONS].concat() {
        for reused in [false, true] {
            let (mut game, own, dead, owner) = world_with_dead(reused);
            let before = picture(&game);
            let collected = game.collector(Game::any_of::<(Health, ChildOf)>().any_change());
            assert_rejected(call, &mut game, own, dead);
            let name = call.0;
            assert_eq!(picture(&game), before, "{name}");
            assert!(collected.is_empty(&game), "{name}");
            game.storage().check_invariants();
            if let Some(owner) = owner {
                assert!(call.1(&mut game, own, owner), "{name}");
            }
        }
    }
}

/// F09: a dead entity is treated as missing, not as the new owner of its slot.
#[test]
fn histories_and_relations_do_not_take_the_new_owner_for_the_dead() {
    for reused in [false, true] {
        let (mut game, own, dead, owner) = world_with_dead(reused);
        let history = game.record();
        assert_eq!(game.checksum_of(dead), 0);
        game.entity_mut(own).replace_health(9);
        if let Some(owner) = owner {
            game.entity_mut(owner).replace_health(5);
            game.create_with(ChildOf { parent: owner });
        }
        assert_eq!(history.changes_of(&game, dead).count(), 0);
        assert!(game.get_entity(dead).map(GameEntity::children).is_none());
        assert!(!game.entities().any(|entity| entity.id() == dead));
    }
}

/// F09: a dead id at any position of a list is rejected before any entity of the list changes.
#[test]
fn a_list_with_a_dead_id_at_any_position_is_rejected() {
    for place in 0..3 {
        for reused in [false, true] {
            let (mut game, own, dead, owner) = world_with_dead(reused);
            let other = game.create_with(Health(6)).id();
            let mut ids = vec![own, other];
            ids.insert(place, dead);
            let before = picture(&game);
            assert!(game.many(&ids).try_remove::<Health>().is_err());
            assert!(game.many(&ids).try_replace_with(|_| Health(0)).is_err());
            assert!(game.many(&ids).try_destroy().is_err());
            let query = game.query_mut::<&mut Health>();
            let all = [ids[0], ids[1], ids[2]];
            assert!(query.get_many(all, |them| them.map(|it| it.0 = 0)).is_err());
            assert_eq!(picture(&game), before);
            assert!(owner.is_none_or(|owner| game.entity(owner).health().0 == 4));
            game.storage().check_invariants();
        }
    }
}
