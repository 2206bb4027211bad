//! F01: panicking drops of entities that are destroyed with their target.

use ecs::prelude::*;
use support::game::{ChildOf, Game, GameEntity, GameEntityMut, Id, Targets};
use support::panic_of;

use super::recorded::{Copied, check, check_end};
use crate::game::{Ledger, Token};

/// Destroys a family.
type End = fn(&mut Game, &[Id]);

const ENDS: [(&str, End); 5] = [
    ("destroy", |game, ids| game.destroy(ids[0])),
    ("Many::destroy", |game, ids| game.many(&ids[..2]).destroy()),
    ("destroy_all", |game, _| game.destroy_all()),
    ("reset", |game, _| game.reset()),
    ("Group::destroy_all", |game, _| {
        game.group(Game::all_of::<Copied>()).destroy_all(game);
    }),
];

/// A parent, its child, and its grandchild; some drops panic.
fn family(game: &mut Game, ledger: &Ledger, bombs: &[usize]) -> Vec<Id> {
    let mut ids = Vec::new();
    for place in 0..3 {
        let is_bomb = bombs.contains(&place);
        let token = if is_bomb {
            ledger.bomb()
        } else {
            ledger.token()
        };
        let mut entity = game.create_with(Copied(token, false));
        if let Some(&parent) = ids.last() {
            entity.add(ChildOf { parent });
        }
        ids.push(entity.id());
    }
    ids
}

/// F01: entities destroyed with their parent are one change: all are destroyed even if one drop or
/// several panic, and observers of single entities end with them.
#[test]
fn a_family_is_destroyed_even_if_a_drop_panics() {
    for (name, end) in ENDS {
        for bombs in [&[0][..], &[1], &[2], &[0, 2], &[0, 1, 2]] {
            for observed in [false, true] {
                let (mut game, ledger) = (Game::new(), Ledger::default());
                let ids = family(&mut game, &ledger, bombs);
                let onlooker = game.create_with(Targets(ids[2])).id();
                let group = game.group(Game::all_of::<Copied>());
                if observed {
                    group.on_left(&mut game, |_, _| {});
                }
                let text = panic_of(|| end(&mut game, &ids));
                assert!(text.ends_with("panics in its drop"), "{name}: {text}");
                assert!(ids.iter().all(|&id| !game.contains(id)), "{name} {bombs:?}");
                assert!(
                    game.get_entity(onlooker)
                        .is_none_or(|it| !it.has::<Targets>())
                );
                assert!(group.is_empty(&game), "{name} {bombs:?}");
                check(&game, &ledger, 0);
                check_end(game, &ledger);
            }
        }
    }
}

/// Calls that drop two values of one entity, or of two.
const CHANGES: [fn(&mut Game, &[Id], &Ledger); 5] = [
    |game, ids, _| _ = game.entity_mut(ids[0]).remove_all(),
    |game, ids, ledger| {
        let (first, second) = (Copied(ledger.token(), false), Second(ledger.token()));
        game.entity_mut(ids[0]).insert((first, second));
    },
    |game, ids, ledger| {
        game.many(ids)
            .replace_with(|_| Copied(ledger.token(), false));
    },
    |game, ids, _| game.many(ids).remove::<Second>(),
    |game, ids, ledger| {
        let query = game.query_mut::<(&mut Copied, &mut Second)>();
        _ = query.get(ids[0], |(first, second)| {
            (first.0, second.0) = (ledger.token(), ledger.token());
        });
    },
];

/// A second value, next to `Copied`.
#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Second(Token);

/// F01: two values dropped by one call would both panic: the first one does, the other is dropped
/// during the unwinding.
#[test]
fn of_two_values_that_would_panic_both_are_dropped() {
    for (number, change) in (0..).zip(CHANGES) {
        for observed in [false, true] {
            let (mut game, ledger) = (Game::new(), Ledger::default());
            if observed {
                let group = game.group(Game::any_of::<(Copied, Second)>());
                group.on_updated(&mut game, |_, _| {});
                group.on_left(&mut game, |_, _| {});
            }
            let bombs = || (Copied(ledger.bomb(), false), Second(ledger.bomb()));
            let ids = game.create_many([bombs(), bombs()]);
            panic_of(|| change(&mut game, &ids, &ledger));
            game.storage().check_invariants();
            ledger.assert_none_dropped_twice();
            let values = game.query::<&Copied>().iter().count();
            let values = values + game.query::<&Second>().iter().count();
            assert_eq!(ledger.alive(), values, "change {number}");
            panic_of(|| drop(game));
            ledger.assert_all_dropped_once();
        }
    }
}
