//! Observers whose changes notify themselves or others (F17, F18, F19, F20, F21).
//!
//! All combinations of their actions (F16) are compared with the oracle in
//! `records/model/matrix.rs`.

use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use ecs::prelude::*;

use super::game::{Alpha, Beta, Flag, Game, Log, Other, Value, assert_usable};
use support::{attempt, panic_of};

/// Adds observers that react to every update of a component by an update of the next one.
fn cycle(game: &mut Game, length: usize) {
    let bump = |game: &mut Game, id| {
        _ = game.get_entity_mut(id).map(|mut entity| {
            let next = entity.value().0.wrapping_add(1);
            entity.replace_value(next);
        })
    };
    let bump_other = |game: &mut Game, id| {
        _ = game.get_entity_mut(id).map(|mut entity| {
            let next = entity.other().0.wrapping_add(1);
            entity.replace_other(next);
        })
    };
    let toggle = |game: &mut Game, id| {
        _ = game.get_entity_mut(id).map(|mut entity| {
            let on = entity.is_flag();
            entity.set_flag(!on);
        })
    };
    let values = game.group(Game::all_of::<Value>());
    let others = game.group(Game::all_of::<Other>());
    let flags = game.group(Game::all_of::<Flag>());
    match length {
        1 => _ = values.on_updated(game, move |game, change| bump(game, change.entity())),
        2 => {
            values.on_updated(game, move |game, change| bump_other(game, change.entity()));
            others.on_updated(game, move |game, change| bump(game, change.entity()));
        }
        _ => {
            values.on_updated(game, move |game, change| bump_other(game, change.entity()));
            others.on_updated(game, move |game, change| toggle(game, change.entity()));
            flags.on_entered(game, move |game, change| bump(game, change.entity()));
            flags.on_left(game, move |game, change| bump(game, change.entity()));
        }
    }
}

/// F17: observers that react to each other endlessly are stopped by a panic that names group and
/// component, and nothing is stuck afterwards.
#[test]
fn an_endless_chain_is_stopped_by_name() {
    for length in 1..=3 {
        let mut game = Game::new();
        game.observers().set_notification_limit(1000);
        cycle(&mut game, length);
        let id = game.create_entity().add_value(0).add_other(0).id();
        let message = panic_of(|| _ = game.entity_mut(id).replace_value(1));
        assert!(
            message.contains("1000 notifications") && message.contains("`Game`"),
            "{message}"
        );
        let names = ["Value", "Other", "Flag"];
        let named = |name: &&str| {
            message.contains(&format!("AllOf({name})")) && message.contains(&format!("`{name}`"))
        };
        assert!(names.iter().any(named), "{message}");
        assert!(game.entity(id).value().0 > 300);
        game.observers().clear();
        assert_usable(&mut game);
    }
}

/// F17: a chain may have exactly as many notifications as the limit.
#[test]
fn a_chain_may_be_as_long_as_the_limit() {
    for (last, is_stopped) in [(11, false), (12, true)] {
        let mut game = Game::new();
        game.observers().set_notification_limit(10); // not counting that of the first change
        let group = game.group(Game::all_of::<Value>());
        group.on_updated(&mut game, move |game, change| {
            let mut entity = game.entity_mut(change.entity());
            let next = entity.value().0 + 1;
            if next <= last {
                entity.replace_value(next);
            }
        });
        let id = game.create_entity().add_value(0).id();
        let stopped = attempt(|| _ = game.entity_mut(id).replace_value(1));
        assert_eq!(stopped.is_some(), is_stopped);
    }
}

/// F17: endless chains of creates and destroys are stopped too, including those that bypass the
/// queue.
#[test]
fn an_endless_chain_of_creates_and_destroys_is_stopped() {
    let chains: [fn(&mut Game); 3] = [
        |game| {
            _ = game
                .observers()
                .on_created(|game, _| _ = game.create_entity())
        },
        |game| {
            _ = game
                .observers()
                .on_destroyed(|game, _| game.create_entity().destroy())
        },
        |game| {
            _ = game
                .observers()
                .on_will_be_destroyed(|game, _| game.create_entity().destroy())
        },
    ];
    for chain in chains {
        let mut game = Game::new();
        game.observers().set_notification_limit(1000);
        chain(&mut game);
        let message = panic_of(|| game.create_entity().destroy());
        assert!(
            message.contains("1000 notifications") && message.contains("`Game`"),
            "{message}"
        );
        assert!(game.len() < 2000);
        game.observers().clear();
        assert_usable(&mut game);
    }
}

/// F17: a chain that is not caused by a component is stopped by a panic that names the group only.
#[test]
fn an_endless_chain_of_creations_names_no_component() {
    let mut game = Game::new();
    let group = game.group(Game::all_of::<Value>());
    group.on_entered(&mut game, |game, _| _ = game.create_with(Value(0)));
    let message = panic_of(|| _ = game.create_with(Value(0)));
    assert!(message.contains("of AllOf(Value); have"), "{message}");
}

/// F17: a legal chain of 100,000 steps needs no more stack than one step.
#[test]
fn a_long_chain_takes_constant_stack() {
    const STEPS: u32 = 100_000;
    let chain = || {
        let mut game = Game::new();
        let group = game.group(Game::all_of::<Value>());
        group.on_updated(&mut game, |game, change| {
            let mut entity = game.entity_mut(change.entity());
            let next = entity.value().0 + 1;
            if next <= STEPS {
                entity.replace_value(next);
            }
        });
        let id = game.create_entity().add_value(0).replace_value(1).id();
        assert_eq!(game.entity(id).value(), &Value(STEPS));
        game.observers().clear();
        assert_usable(&mut game);
    };
    let small = thread::Builder::new().stack_size(128 << 10);
    small.spawn(chain).unwrap().join().unwrap();
}

/// F17: the same for destroys that cause destroys, by both kinds of observer.
#[test]
fn a_long_chain_of_destroys_takes_constant_stack() {
    let chain = || {
        for early in [false, true] {
            let mut game = Game::new();
            game.create_many((0..20_000).map(Value));
            let next = |game: &mut Game, id: EntityId<Game>| {
                let bits = id.to_bits() + 1;
                _ = game.try_destroy(EntityId::from_bits(bits).unwrap());
            };
            if early {
                game.observers().on_will_be_destroyed(next);
            } else {
                game.observers().on_destroyed(next);
            }
            let first = game.entities().next().unwrap().id();
            game.destroy(first);
            assert!(game.is_empty());
            game.observers().clear();
            assert_usable(&mut game);
        }
    };
    let small = thread::Builder::new().stack_size(128 << 10);
    small.spawn(chain).unwrap().join().unwrap();
}

/// F18: `for_each` visits the members at the time of the call, whatever changes meanwhile. (A
/// change inside a borrowing iterator does not compile: `tests/ui`.)
#[test]
fn for_each_sees_the_members_as_of_the_call() {
    type Edit = fn(&mut Game, EntityId<Game>, &[EntityId<Game>]);
    let edits: [Edit; 8] = [
        |game, id, _| game.destroy(id),
        |game, _, all| _ = game.try_destroy(all[2]),
        |game, _, all| _ = game.try_destroy(*all.last().unwrap()),
        |game, _, _| _ = game.create_with(Value(99)),
        |game, id, _| _ = game.entity_mut(id).try_remove_value(),
        |game, _, all| {
            _ = game
                .get_entity_mut(all[3])
                .map(|mut one| _ = one.try_remove_value())
        },
        |game, _, _| game.reset(),
        |game, _, all| {
            if game.try_destroy(*all.last().unwrap()).is_ok() {
                game.create_with(Value(98)); // reuses the slot of the destroyed one
            }
        },
    ];
    for edit in edits {
        let mut game = Game::new();
        let group = game.group(Game::all_of::<Value>());
        let ids = game.create_many((0..5).map(Value));
        let mut visited = Vec::new();
        group.for_each(&mut game, |mut entity| {
            assert!(entity.is_alive());
            let id = entity.id();
            visited.push(id);
            edit(entity.context_mut(), id, &ids);
        });
        assert!(visited.iter().all(|id| ids.contains(id)));
        assert!(visited.is_sorted() && visited.first() == Some(&ids[0]));
        let passed_over = ids.iter().filter(|id| !visited.contains(id));
        assert!(passed_over.into_iter().all(|id| !game.contains(*id)));
        assert_usable(&mut game);
    }
}

/// F18: a loop in a loop over the same group.
#[test]
fn loops_over_groups_nest() {
    let mut game = Game::new();
    let group = game.group(Game::all_of::<Value>());
    game.create_many((0..4).map(Value));
    let mut pairs = 0;
    group.for_each(&mut game, |mut outer| {
        group.for_each(outer.context_mut(), |_| pairs += 1);
    });
    assert_eq!(pairs, 16);
    assert_usable(&mut game);
}

/// F18: a loop that destroys and creates in another one over the same group.
#[test]
fn an_inner_loop_may_destroy_unvisited_entities_of_the_outer_one() {
    let mut game = Game::new();
    let group = game.group(Game::all_of::<Value>());
    let ids = game.create_many((0..200).map(Value));
    let mut visited = Vec::new();
    group.for_each(&mut game, |mut outer| {
        visited.push(outer.id());
        let last = *ids.last().unwrap();
        group.for_each(outer.context_mut(), |inner| {
            if inner.id() == last {
                inner.destroy();
            }
        });
        if !outer.context().contains(last) {
            outer.context_mut().create_with(Value(7));
        }
    });
    assert_eq!(visited, ids[..199]);
    assert_usable(&mut game);
}

/// F19: the first of two observers makes another change of the same kind: both observers receive
/// both changes, the outer one first, and each sees the current state.
#[test]
fn nested_changes_are_notified_after_the_current_change() {
    let mut game = Game::new();
    let group = game.group(Game::all_of::<Value>());
    let log = Log::default();
    let ids = game.create_many([Flag, Flag]);
    let (second, heard) = (ids[1], log.clone());
    group.on_entered(&mut game, move |game, change| {
        heard.note(format!("first {}", change.entity()));
        let mut other = game.entity_mut(second);
        if !other.has_value() {
            other.add_value(5);
        }
    });
    let heard = log.clone();
    group.on_entered(&mut game, move |game, change| {
        let sum: u32 = group.iter(game).map(|entity| entity.value().0).sum();
        heard.note(format!("second {} sum {sum}", change.entity()));
    });
    game.entity_mut(ids[0]).add_value(1);
    let expected = [
        "first 0v1",
        "second 0v1 sum 6",
        "first 1v1",
        "second 1v1 sum 6",
    ];
    assert_eq!(log.take(), expected);
    game.observers().clear();
    assert_usable(&mut game);
}

/// F20: the list of observers is edited while they are notified, by the second of three: which
/// observers receive the current change and the next one.
#[test]
fn the_list_of_observers_may_be_edited_during_a_notification() {
    type Edit = fn(&mut Game, [Subscription; 3], Log);
    let cases: [(Edit, [&[&str]; 2]); 6] = [
        (
            |game, all, _| _ = game.unsubscribe(all[1]),
            [&["0", "1", "2"], &["0", "2"]],
        ),
        (
            |game, all, _| _ = game.unsubscribe(all[2]),
            [&["0", "1"], &["0", "1"]],
        ),
        (
            |game, all, _| _ = game.unsubscribe(all[0]),
            [&["0", "1", "2"], &["1", "2"]],
        ),
        (|game, _, _| game.observers().clear(), [&["0", "1"], &[]]),
        (
            |game, _, log| _ = game.observers().on_created(move |_, _| log.note("new")),
            [&["0", "1", "2"], &["0", "1", "2", "new"]],
        ),
        (
            |game, all, log| {
                all.iter().for_each(|one| _ = game.unsubscribe(*one));
                game.observers().on_created(move |_, _| log.note("new"));
            },
            [&["0", "1"], &["new"]],
        ),
    ];
    for (edit, expected) in cases {
        let (mut game, log) = (Game::new(), Log::default());
        let all = three_observers(&mut game, &log, edit);
        for expected in expected {
            game.create_entity();
            assert_eq!(log.take(), expected);
        }
        all.iter().for_each(|one| _ = game.unsubscribe(*one));
        game.observers().clear();
        assert_usable(&mut game);
    }
}

fn three_observers(
    game: &mut Game,
    log: &Log,
    edit: fn(&mut Game, [Subscription; 3], Log),
) -> [Subscription; 3] {
    let all = Arc::new(OnceLock::new());
    let subscriptions = [0, 1, 2].map(|number| {
        let (heard, all) = (log.clone(), all.clone());
        let mut edited = false;
        game.observers().on_created(move |game, _| {
            heard.note(number.to_string());
            if number == 1 && !std::mem::replace(&mut edited, true) {
                edit(game, *all.get().unwrap(), heard.clone());
            }
        })
    });
    all.set(subscriptions).unwrap();
    subscriptions
}

/// F20: the collector of a change is drained, deactivated and released inside an observer of the
/// same event.
#[test]
fn a_collector_may_be_released_during_its_change() {
    let mut game = Game::new();
    let group = game.group(Game::all_of::<Value>());
    let mut collector = Some(game.collector(Game::all_of::<Value>().entered()));
    let kept = game.collector(Game::all_of::<Value>().entered());
    let log = Log::default();
    let heard = log.clone();
    group.on_entered(&mut game, move |game, change| {
        let Some(held) = collector.take() else { return };
        heard.note(format!("{:?}", held.drain(game) == [change.entity()]));
        held.deactivate(game);
        held.activate(game);
        game.entity_mut(change.entity()).remove_value().add_value(2);
        heard.note(held.len(game).to_string());
        held.release(game);
    });
    let id = game.create_entity().add_value(1).id();
    assert_eq!(log.take(), ["true", "1"]);
    game.create_entity().add_value(2);
    assert_eq!(kept.drain(&mut game).first(), Some(&id));
    game.observers().clear();
    kept.release(&mut game);
    assert_usable(&mut game);
}

/// F21: a group created late contains each matching entity once, notifies no observer of them, and
/// is the same group whenever it is requested again, also if it is created inside an observer.
#[test]
fn a_late_group_is_complete() {
    let mut game = Game::new();
    let ids = game.create_many((0..70).map(|n| (Value(n), Flag)));
    let (log, heard) = (Log::default(), Log::default());
    let (made, entered) = (log.clone(), heard.clone());
    game.observers().on_created(move |game, id| {
        let late = game.group(Game::all_of::<(Flag, Value)>());
        made.note(late.len(game).to_string());
        assert!(late.contains(game, id) && late == game.group(Game::all_of::<(Value, Flag)>()));
        let entered = entered.clone();
        late.on_entered(game, move |_, change| {
            entered.note(change.entity().to_string())
        });
    });
    let created = game.create_with((Value(0), Flag)).id();
    assert_eq!((log.take(), heard.len()), (vec!["71".to_owned()], 0));
    game.observers().clear();
    let late = game.group(Game::all_of::<(Flag, Value)>());
    assert!(
        late.ids(&game)
            .into_iter()
            .eq(ids.into_iter().chain([created]))
    );
    assert_eq!(Group::all(&game), [late]);
    assert_usable(&mut game);
}

/// A game with an observer that swaps the context with another one.
fn swapping(same_place: bool) -> (Game, Arc<Mutex<Game>>) {
    let (mut game, mut aside) = (Game::new(), Game::new());
    if same_place {
        let group = aside.group(Game::all_of::<Value>());
        group.on_entered(&mut aside, |_, _| {});
    }
    let aside = Arc::new(Mutex::new(aside));
    let (given, group) = (aside.clone(), game.group(Game::all_of::<Value>()));
    group.on_entered(&mut game, move |game, _| {
        std::mem::swap(game, &mut *given.lock().unwrap());
    });
    group.on_entered(&mut game, |_, _| {});
    (game, aside)
}

/// F20, F42: an observer that replaces its context panics: the other context stays usable, wherever
/// it is, and the first one no longer notifies.
#[test]
fn an_observer_may_not_replace_its_context() {
    for (same_place, back) in [(false, false), (false, true), (true, false), (true, true)] {
        let (mut game, aside) = swapping(same_place);
        let message = panic_of(|| _ = game.create_entity().add_value(1));
        assert!(message.contains("was replaced or moved away"), "{message}");
        let mut old = aside.lock().unwrap();
        if back {
            std::mem::swap(&mut game, &mut old);
        }
        let (lost, usable) = match back {
            true => (&mut game, &mut *old),
            false => (&mut *old, &mut game),
        };
        usable.observers().clear();
        assert_usable(usable);
        let message = panic_of(|| _ = lost.create_entity().add_value(2));
        assert!(
            message.contains("context `Game` lost a running observer"),
            "{message}"
        );
        lost.storage().check_invariants();
    }
}

/// F21: groups created in a chain by the observer of created groups.
#[test]
fn a_group_made_by_an_observer_of_groups_is_notified_too() {
    let mut game = Game::new();
    let log = Log::default();
    let heard = log.clone();
    game.observers().on_group_created(move |game, group| {
        heard.note(format!("{:?}", group.matcher(game)));
        game.group(Game::all_of::<Alpha>());
        game.group(Game::all_of::<(Alpha, Beta)>());
    });
    game.group(Game::all_of::<Value>());
    let expected = ["AllOf(Value)", "AllOf(Alpha)", "AllOf(Alpha, Beta)"];
    assert_eq!(log.take(), expected);
    game.observers().clear();
    assert_usable(&mut game);
}
