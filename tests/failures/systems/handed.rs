//! F04: systems that panic while processing their input.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ecs::prelude::*;
use support::attempt;
use support::game::{Game as Whole, Health, Input, Key};

use crate::game::{Alpha, Fused, Game, Ledger, Log, Value, assert_sound, assert_usable};

/// Panics at the call with this number, counted from one.
#[derive(Clone)]
struct Fuse(Arc<AtomicU32>);

impl Fuse {
    fn new(call: u32) -> Self {
        Self(Arc::new(AtomicU32::new(call)))
    }

    fn call(&self) {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.wrapping_sub(1), Ordering::Relaxed);
        assert!(left != 1, "a system");
    }
}

/// A list of the tested system and a system after it that logs its runs.
fn with_witness(systems: Systems<Game>, log: &Log) -> Systems<Game> {
    let behind = log.clone();
    systems.add(move |_: &mut Game| behind.note("behind"))
}

/// Executes the list, which must panic or not; returns the log.
#[track_caller]
fn execute(systems: &mut Systems<Game>, game: &mut Game, log: &Log, panics: bool) -> Vec<String> {
    let notified = attempt(|| systems.execute(game));
    assert_eq!(notified.as_deref(), panics.then_some("a system"));
    game.storage().check_invariants();
    log.take()
}

/// F04: a closure panics while processing a message: this message and those after it are not passed
/// again but dropped once, and later messages are passed once.
#[test]
fn messages_are_not_passed_twice_when_a_system_panics() {
    for call in 1..=3 {
        let (mut game, log, ledger) = (Game::new(), Log::default(), Ledger::default());
        let (heard, fuse) = (log.clone(), Fuse::new(call));
        let inbox = game.inbox::<Alpha>();
        let systems = Systems::new().on_message(inbox, move |_: &mut Game, _: &Alpha| {
            fuse.call();
            heard.note("message");
        });
        let mut systems = with_witness(systems, &log);
        (0..3).for_each(|_| game.send(Alpha(ledger.token())));
        let before = vec!["message"; call as usize - 1];
        assert_eq!(execute(&mut systems, &mut game, &log, true), before);
        assert_eq!(execute(&mut systems, &mut game, &log, false), ["behind"]);
        assert_eq!(ledger.alive(), 0);
        game.send(Alpha(ledger.token()));
        let after = execute(&mut systems, &mut game, &log, false);
        assert_eq!(after, ["message", "behind"]);
        systems.release(&mut game);
        assert_sound(game, &ledger);
    }
}

/// F04: a closure panics while processing an entity: the entities after it are not passed again,
/// its writes are kept, and later changes are passed once.
#[test]
fn items_are_not_passed_twice_when_a_system_panics() {
    for call in 1..=3 {
        let (mut game, log) = (Game::new(), Log::default());
        let (heard, fuse) = (log.clone(), Fuse::new(call));
        let trigger = Game::all_of::<Value>().entered();
        let systems = Systems::new().query_changed::<_, &mut Value>(
            &mut game,
            trigger,
            move |value: &mut Value| {
                value.0 += 10;
                fuse.call();
                heard.note(value.0.to_string());
            },
        );
        let mut systems = with_witness(systems, &log);
        let ids = game.create_many([Value(0), Value(1), Value(2)]);
        let before = &["10", "11", "12"][..call as usize - 1];
        assert_eq!(execute(&mut systems, &mut game, &log, true), before);
        let values = ids.iter().map(|&id| game.entity(id).value().0);
        let written = (0..3).map(|n| if n < call { n + 10 } else { n });
        assert!(values.eq(written));
        assert_eq!(execute(&mut systems, &mut game, &log, false), ["behind"]);
        game.create_with(Value(7));
        let after = execute(&mut systems, &mut game, &log, false);
        assert_eq!(after, ["17", "behind"]);
        assert_usable(&mut game);
    }
}

/// F04: a system panics while processing removed values: they are not passed again but dropped
/// once, and later values are passed once.
#[test]
fn removed_values_are_not_passed_twice_when_a_system_panics() {
    let (mut game, log, ledger) = (Game::new(), Log::default(), Ledger::default());
    let (heard, fuse) = (log.clone(), Fuse::new(1));
    let systems = Systems::new().on_removed(
        &mut game,
        move |_: &mut Game, lost: &[(EntityId<Game>, Alpha)]| {
            fuse.call();
            heard.note(format!("{} lost", lost.len()));
        },
    );
    let mut systems = with_witness(systems, &log);
    let lose = |game: &mut Game, count| {
        let ids = game.create_many((0..count).map(|_| Alpha(ledger.token())));
        game.many(&ids).destroy();
    };
    lose(&mut game, 3);
    assert!(execute(&mut systems, &mut game, &log, true).is_empty());
    lose(&mut game, 2);
    let after = execute(&mut systems, &mut game, &log, false);
    assert_eq!(after, ["2 lost", "behind"]);
    assert_eq!(ledger.alive(), 0);
    assert_eq!(execute(&mut systems, &mut game, &log, false), ["behind"]);
    systems.release(&mut game);
    assert_sound(game, &ledger);
}

/// Two contexts.
#[derive(Contexts)]
struct World {
    game: Whole,
    input: Input,
}

/// Logs the number of entities of each context that it receives.
struct Both {
    log: Log,
    fuse: Fuse,
}

impl ReactiveSystem<World> for Both {
    type Context = (Whole, Input);

    fn trigger(&self) -> (Trigger<Whole>, Trigger<Input>) {
        let pressed = Input::all_of::<Key>().entered();
        (Whole::all_of::<Health>().entered_or_updated(), pressed)
    }

    fn react(
        &mut self,
        world: &mut World,
        (game, input): (&[EntityId<Whole>], &[EntityId<Input>]),
    ) {
        game.iter().for_each(|&id| world.game.destroy(id));
        self.fuse.call();
        self.log.note(format!("{} and {}", game.len(), input.len()));
    }
}

/// F04: a system of two contexts panics: the entities of either are not passed again, the systems
/// after it run in the next pass, and later entities are passed once.
#[test]
fn entities_of_two_contexts_are_not_passed_twice_when_a_system_panics() {
    let log = Log::default();
    let (game, input) = (Whole::new(), Input::new());
    let mut world = World { game, input };
    let (both, behind) = (log.clone(), log.clone());
    let fuse = Fuse::new(1);
    let mut systems = Systems::new()
        .add_reactive(&mut world, Both { log: both, fuse })
        .add(move |_: &mut World| behind.note("behind"));
    world.game.create_many([Health(1), Health(2)]);
    world.input.create_with(Key('a'));
    assert!(attempt(|| systems.execute(&mut world)).is_some());
    assert!(log.take().is_empty() && world.game.is_empty());
    systems.execute(&mut world);
    assert_eq!(log.take(), ["behind"]);
    world.input.create_many([Key('b'), Key('c')]);
    systems.execute(&mut world);
    assert_eq!(log.take(), ["0 and 2", "behind"]);
    world.game.storage().check_invariants();
    world.input.storage().check_invariants();
}

/// F04, F01: a removed value that panics in its drop interrupts at most the next pass; later values
/// are passed once.
#[test]
fn removed_values_whose_drop_panics_stop_one_pass_alone() {
    let (mut game, log, ledger) = (Game::new(), Log::default(), Ledger::default());
    let heard = log.clone();
    type Lost = [(EntityId<Game>, Fused)];
    let systems = Systems::new().on_removed(&mut game, move |_: &mut Game, lost: &Lost| {
        heard.note(format!("{} lost", lost.len()));
    });
    let mut systems = with_witness(systems, &log);
    let lose = |game: &mut Game, armed| {
        let fused = Fused(ledger.token(), armed);
        game.create_with(fused).destroy();
    };
    lose(&mut game, true);
    let notified = attempt(|| systems.execute(&mut game));
    assert!(notified.is_some_and(|notified| notified.ends_with("panics in its drop")));
    assert_eq!(log.take(), ["1 lost"]);
    lose(&mut game, false);
    let after = execute(&mut systems, &mut game, &log, false);
    assert_eq!(after, ["1 lost", "behind"]);
    assert_eq!(ledger.alive(), 0);
    systems.release(&mut game);
    assert_sound(game, &ledger);
}
