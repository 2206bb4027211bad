//! Reactive systems that fail: what they have received is not passed again, what is behind it is.

use ecs::prelude::*;

use support::panic_of;

use super::{TooFew, two};
use crate::world::{Game, GameEntity, GameEntityMut, Health, Input, Key, Log, World, world};

#[derive(Component, PartialEq)]
#[component(context = Game, extension, unique, state)]
enum Mode {
    Menu,
    Playing,
}

/// Fails for entities without health.
struct Judge(Log);

impl ReactiveSystem<Game, Result<(), String>> for Judge {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Health>().entered_or_updated()
    }

    fn react(&mut self, game: &mut Game, changed: &[EntityId<Game>]) -> Result<(), String> {
        for &id in changed {
            if game.entity(id).health().0 == 0 {
                return Err(format!("{id:?} is dead"));
            }
            self.0.push(format!("{id:?} lives"));
        }
        Ok(())
    }
}

#[test]
fn entities_of_a_failed_reactive_system_are_not_passed_again() {
    let (log, mut game) = (Log::default(), Game::new());
    let healthy = || Game::all_of::<Health>().entered_or_updated();
    let mut systems = Systems::new()
        .add_reactive(&mut game, Judge(log.clone()))
        .for_each_changed(&mut game, healthy(), log.ids("behind"));
    let ids = game.create_many([Health(1), Health(0), Health(2)]);
    let error = systems.try_execute(&mut game).unwrap_err();
    assert_eq!(
        error.to_string(),
        "system `Judge` failed at execute: 1v1 is dead"
    );
    log.notified(&["0v1 lives"]);

    game.entity_mut(ids[0]).replace_health(3);
    systems.execute(&mut game); // 2v1 is not passed again; later systems kept all entities
    log.notified(&["0v1 lives", "behind 0v1", "behind 1v1", "behind 2v1"]);

    let mut judge = Systems::new().add_reactive(&mut game, Judge(log.clone()));
    game.create_with(Health(0));
    let error = judge.try_execute(&mut game).unwrap_err();
    assert_eq!(error.error().to_string(), "3v1 is dead");
    assert!(judge.try_execute(&mut game).is_ok());
}

struct Match(Log);

impl ReactiveSystem<World, Result<(), TooFew>> for Match {
    type Context = (Game, Input);

    fn trigger(&self) -> (Trigger<Game>, Trigger<Input>) {
        (
            Game::all_of::<Health>().entered(),
            Input::all_of::<Key>().entered(),
        )
    }

    fn react(
        &mut self,
        _: &mut World,
        (game, input): (&[EntityId<Game>], &[EntityId<Input>]),
    ) -> Result<(), TooFew> {
        self.0.push(format!("{} and {}", game.len(), input.len()));
        if game.is_empty() {
            Err(TooFew(0))
        } else {
            Ok(())
        }
    }
}

#[test]
fn a_system_of_several_contexts_can_fail() {
    let (log, mut world) = (Log::default(), world());
    let mut systems = Systems::new().add_reactive(&mut world, Match(log.clone()));
    world.input.create_with(Key('a'));
    assert_eq!(
        systems.try_execute(&mut world).unwrap_err().system(),
        "Match"
    );
    world.game.create_with(Health(1));
    systems.execute(&mut world);
    log.notified(&["0 and 1", "1 and 0"]);
}

#[test]
fn entities_behind_a_failure_wait_for_the_next_execute() {
    let (log, mut game) = (Log::default(), Game::new());
    let fails_at_two = |log: &Log| {
        let log = log.clone();
        move |_: &mut Game, number: u32| {
            log.push(number.to_string());
            if number == 2 { Err("two") } else { Ok(()) }
        }
    };
    let healthy = Game::all_of::<Health>();
    let (changed, member) = (fails_at_two(&log), fails_at_two(&log));
    let mut systems = Systems::new()
        .for_each_changed(&mut game, healthy.clone().entered(), move |game, id| {
            let health = game.entity(id).health().0;
            changed(game, health)
        })
        .named("changed")
        .for_each_in(&mut game, healthy, move |game, id| {
            let health = game.entity(id).health().0;
            member(game, health)
        })
        .named("member");
    let ids = game.create_many((1..4).map(Health));
    let error = systems.try_execute(&mut game).unwrap_err();
    assert_eq!(error.entity(), Some(ids[1].raw()));
    assert_eq!(
        error.to_string(),
        "system `changed` failed at execute for entity 1v1: two"
    );
    assert!(error.error().to_string() == "two");
    log.notified(&["1", "2"]);
    game.create_with(Health(4));
    game.entity_mut(ids[2]).remove_health();
    game.entity_mut(ids[2]).add_health(5); // collected again, but passed once
    let error = systems.try_execute(&mut game).unwrap_err();
    assert_eq!(
        (error.system(), error.entity()),
        ("member", Some(ids[1].raw()))
    );
    log.notified(&["5", "4", "1", "2"]);
}

/// A context that can be recorded: its component is `Clone`.
#[ecs::context]
pub struct Field;

#[derive(Component, Clone)]
#[component(context = Field)]
struct Crop(u32);

#[test]
fn entities_behind_a_failure_are_pending_and_rewound() {
    let (log, mut field) = (Log::default(), Field::new());
    let history = field.record();
    let (ids, entered) = (log.clone(), Field::all_of::<Crop>().entered());
    let mut fails = true;
    let mut systems = Systems::new()
        .for_each_changed(&mut field, entered, move |field: &mut Field, id| {
            ids.push(field.entity(id).crop().0.to_string());
            match std::mem::take(&mut fails) {
                true => Err("no"),
                false => Ok(()),
            }
        })
        .named("harvest");
    field.create_many((1..4).map(Crop));
    assert!(systems.try_execute(&mut field).is_err());
    let mark = history.mark(&mut field);
    for _ in 0..2 {
        assert_eq!(field.save().pending().len(), 1);
        systems.try_execute(&mut field).unwrap();
        assert!(field.save().pending().is_empty());
        history.rewind(&mut field, mark);
    }
    log.notified(&["1", "2", "3", "2", "3"]);
}

#[test]
fn a_cleared_system_forgets_what_was_behind_a_failure() {
    let (log, mut game) = (Log::default(), Game::new());
    let (ids, texts) = (log.clone(), log.clone());
    let healthy = Game::all_of::<Health>().entered();
    let changed = Systems::new().for_each_changed(&mut game, healthy, move |game, id| {
        ids.push(game.entity(id).health().0.to_string());
        Err::<(), _>("no")
    });
    let received = Systems::new().on_message(game.inbox::<u32>(), move |_: &mut Game, number| {
        texts.push(number.to_string());
        Err::<(), _>("no")
    });
    let forget: [fn(&mut Systems<Game>, &mut Game); 2] = [
        |systems, game| systems.clear(game),
        |systems, game| {
            systems.deactivate(game);
            systems.activate(game);
        },
    ];
    for mut systems in [changed, received] {
        for forget in forget {
            game.create_many((1..4).map(Health));
            (1..4_u32).for_each(|number| game.send(number));
            assert!(systems.try_execute(&mut game).is_err());
            assert!(systems.try_execute(&mut game).is_err());
            forget(&mut systems, &mut game);
            assert!(systems.try_execute(&mut game).is_ok());
            log.notified(&["1", "2"]);
        }
    }
}

#[test]
fn messages_behind_a_panic_are_dropped_with_those_left_before() {
    let (log, mut game) = (Log::default(), Game::new());
    let notified = log.clone();
    let mut systems =
        Systems::new().on_message(game.inbox::<u32>(), move |_: &mut Game, &number| {
            notified.push(number.to_string());
            assert_ne!(number, 2, "a bug");
            if number == 1 { Err("one") } else { Ok(()) }
        });
    for number in 1..4_u32 {
        game.send(number);
    }
    assert!(systems.try_execute(&mut game).is_err());
    panic_of(|| systems.execute(&mut game));
    game.send(4_u32);
    systems.execute(&mut game);
    log.notified(&["1", "2", "4"]);
}

#[test]
fn messages_behind_a_failure_wait_for_the_next_execute() {
    let (log, mut game) = (Log::default(), Game::new());
    let notified = log.clone();
    let mut systems =
        Systems::new().on_message(game.inbox::<u32>(), move |_: &mut Game, &number| {
            notified.push(number.to_string());
            if number == 2 { Err("two") } else { Ok(()) }
        });
    for number in 1..4_u32 {
        game.send(number);
    }
    assert!(systems.try_execute(&mut game).is_err());
    log.notified(&["1", "2"]);
    game.send(4_u32);
    systems.execute(&mut game);
    log.notified(&["3", "4"]);
    systems.execute(&mut game);
    log.notified(&[]);
}

#[test]
fn systems_of_removed_values_and_states_can_fail() {
    let mut game = Game::new();
    let mut systems = Systems::new()
        .on_removed(&mut game, |_: &mut Game, lost: &[(_, Health)]| {
            match lost.len() {
                1 => Err("lost one"),
                _ => Ok(()),
            }
        })
        .on_exit(Mode::Menu, |_: &mut Game| Err::<(), _>("must not leave"))
        .on_enter(Mode::Playing, |_: &mut Game| Err::<(), _>("must not enter"))
        .while_in(Mode::Menu, two);
    game.set_mode(Mode::Menu);
    let mut reason = || {
        systems
            .try_execute(&mut game)
            .map_err(|error| error.error().to_string())
    };
    assert_eq!(reason(), Err("only 1 there".to_string()));
    game.set_mode(Mode::Playing);
    let mut reason = || {
        systems
            .try_execute(&mut game)
            .map_err(|error| error.error().to_string())
    };
    assert_eq!(reason(), Err("must not leave".to_string()));
    assert_eq!(reason(), Err("must not enter".to_string()));
    assert_eq!(reason(), Ok(()));
    game.create_with(Health(1)).remove_health();
    let mut reason = || {
        systems
            .try_execute(&mut game)
            .map_err(|error| error.error().to_string())
    };
    assert_eq!(reason(), Err("lost one".to_string()));
    assert_eq!(reason(), Ok(()));
}
