//! Systems that panic, lists that name an entity twice, and reports that must not change anything
//! (F04, F15, F45).

mod handed;

use ecs::Handles;
use ecs::prelude::*;

use super::game::{Flag, Game, Log, Value, assert_groups_agree, assert_usable};
use support::attempt;

/// Logs the entities it receives, and panics at a value of 13, in its filter or its reaction.
struct Fragile {
    log: Log,
    in_filter: bool,
}

impl ReactiveSystem<Game> for Fragile {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Value>().entered_or_updated()
    }

    fn filter(&self, entity: <Game as Handles>::Entity<'_>) -> bool {
        assert!(!self.in_filter || entity.value().0 != 13, "filter");
        true
    }

    fn react(&mut self, game: &mut Game, changed: &[EntityId<Game>]) {
        for &id in changed {
            assert!(game.entity(id).value().0 != 13, "reaction");
            self.log.note(format!("{id:?}"));
        }
    }
}

/// F04: the entities of a system that panicked are neither kept nor passed again; later ones are
/// passed once.
#[test]
fn a_reactive_system_that_panics_gets_no_entity_twice() {
    for in_filter in [true, false] {
        let (mut game, log) = (Game::new(), Log::default());
        let fragile = Fragile {
            log: log.clone(),
            in_filter,
        };
        let mut systems = Systems::new().add_reactive(&mut game, fragile);
        let ids = game.create_many([Value(1), Value(13), Value(2)]);
        assert!(attempt(|| systems.execute(&mut game)).is_some());
        let before: &[&str] = if in_filter { &[] } else { &["0v1"] };
        assert_eq!(log.take(), before);

        systems.execute(&mut game);
        assert!(log.take().is_empty());
        game.entity_mut(ids[1]).replace_value(3);
        game.entity_mut(ids[0]).replace_value(4);
        systems.execute(&mut game);
        assert_eq!(log.take(), ["1v1", "0v1"]);
        assert_groups_agree(&game);
        assert_usable(&mut game);
    }
}

/// F04: a system that panics keeps its changes so far; the systems after it do not run in this
/// phase, and all run in the next pass.
#[test]
fn the_systems_after_one_that_panics_run_in_the_next_pass() {
    let (mut game, log) = (Game::new(), Log::default());
    let behind = log.clone();
    let mut armed = true;
    let mut systems = Systems::new()
        .add(move |game: &mut Game| {
            game.create_with(Value(1));
            assert!(!std::mem::take(&mut armed));
        })
        .add(move |game: &mut Game| behind.note(format!("{} alive", game.len())));
    assert!(attempt(|| systems.execute(&mut game)).is_some());
    assert!(log.take().is_empty());
    systems.execute(&mut game);
    assert_eq!(log.take(), ["2 alive"]);
    assert_usable(&mut game);
}

/// F15: a duplicate id is rejected before anything changes.
#[test]
fn an_entity_named_twice_in_a_bulk_change_is_rejected() {
    let mut game = Game::new();
    let notified = game.collector(Game::any_of::<(Value, Flag)>().any_change());
    let ids = game.create_many([Value(1), Value(2)]);
    assert_eq!(notified.drain(&mut game), ids);
    let twice = [ids[0], ids[1], ids[0]];
    let mut made = 0;
    let added = game.many(&twice).try_add_with(|_| {
        made += 1;
        Flag
    });
    assert_eq!(added.unwrap_err().entity(), Some(ids[0].raw()));
    assert!(game.many(&twice).try_remove::<Value>().is_err());
    assert!(game.many(&twice).try_destroy().is_err());
    assert!(notified.is_empty(&game) && game.len() == 2);
    assert!(ids.iter().all(|&id| !game.entity(id).has_flag()));
    assert!(ids.iter().all(|&id| game.entity(id).has_value()));
    assert_groups_agree(&game);
    assert_usable(&mut game);
}

/// A program with observers and reactive systems; `look` inspects it at every step.
fn log_of(mut look: impl FnMut(&Game, &mut Systems<Game>)) -> Vec<String> {
    let (mut game, log) = (Game::new(), Log::default());
    let values = game.group(Game::all_of::<Value>().none_of::<Flag>());
    let notified = log.clone();
    values.on_left(&mut game, move |_, change| {
        notified.note(format!("left {change:?}"))
    });
    let notified = log.clone();
    let mut systems = Systems::with_name("Program")
        .for_each_changed(
            &mut game,
            Game::all_of::<Value>().entered_or_updated(),
            move |game, id| {
                notified.note(format!("{id:?} has {}", game.entity(id).value().0));
                if game.entity(id).value().0 > 4 {
                    game.entity_mut(id).set_flag(true);
                }
            },
        )
        .on(Phase::Cleanup, |game| {
            game.group(Game::all_of::<Flag>()).destroy_all(game);
        });
    for pass in 0..10 {
        game.create_with(Value(pass));
        look(&game, &mut systems);
        systems.execute(&mut game);
        look(&game, &mut systems);
        systems.cleanup(&mut game);
        look(&game, &mut systems);
    }
    log.take()
}

/// F45: reports, measurements, memory statistics and debug output do not change the order of
/// events.
#[test]
fn reports_do_not_change_the_order_of_events() {
    let unseen = log_of(|_, _| ());
    let mut seen = String::new();
    let looked_at = log_of(|game, systems| {
        systems.measure(true);
        seen = format!("{game:?} {:?}", game.storage().memory());
        seen += &format!("{:?} {}", game.storage().fragmentation(), systems.report());
        for entity in game.entities() {
            let id = entity.id();
            seen += &format!("{entity:?} {:?}", game.entity(id).component_indices());
        }
        for group in Group::all(game) {
            seen += &group.display(game).to_string();
        }
    });
    assert!(!seen.is_empty() && unseen.len() > 10);
    assert_eq!(looked_at, unseen);
}
