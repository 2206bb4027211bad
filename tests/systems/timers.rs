//! Timers, and components that expire.

use std::time::Duration;

use ecs::ChecksumHasher;
use ecs::prelude::*;
use support::Notes;

use super::steps::{Sim, SimEntity, SimEntityMut};
use super::world::{Frozen, Game, Health, Log, World, world};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn a_timer_finishes_once_and_stays_finished() {
    let mut timer = Timer::once(ms(30));
    let mut states = Vec::new();
    for _ in 0..4 {
        timer.tick(ms(16));
        states.push((timer.is_finished(), timer.just_finished(), timer.elapsed()));
    }
    let first = (false, false, ms(16));
    let later = (true, false, ms(30));
    assert_eq!(states, [first, (true, true, ms(30)), later, later]);
    timer.reset();
    assert_eq!(timer, Timer::once(ms(30)));
}

#[test]
fn a_timer_that_repeats_loses_no_time() {
    let mut timer = Timer::repeating(ms(10));
    let times: u64 = (0..1_000)
        .map(|n| timer.tick(ms(n % 7)).times_finished_this_tick())
        .sum();
    let passed: u64 = (0..1_000).map(|n| n % 7).sum();
    assert_eq!((times, timer.elapsed()), (passed / 10, ms(passed % 10)));
    assert_eq!(
        timer.tick(ms(35)).times_finished_this_tick(),
        (passed % 10 + 35) / 10
    );
    assert!(timer.is_finished() && !timer.tick(ms(0)).is_finished());
}

#[test]
fn a_paused_timer_does_not_advance() {
    let mut timer = Timer::repeating(ms(10));
    timer.tick(ms(12));
    timer.pause();
    assert!(!timer.tick(ms(100)).is_finished());
    assert_eq!((timer.elapsed(), timer.is_paused()), (ms(2), true));
    timer.resume();
    assert!(timer.tick(ms(8)).just_finished());
}

#[test]
fn finishing_a_timer_equals_a_tick_of_its_remaining_time() {
    for mut timer in [Timer::once(ms(10)), Timer::repeating(ms(10))] {
        timer.tick(ms(4));
        let mut ticked = timer;
        ticked.tick(ms(6));
        timer.finish();
        assert_eq!(timer, ticked);
        assert!(timer.just_finished());
        timer.reset();
        timer.pause();
        timer.finish();
        assert!(timer.is_finished());
    }
}

#[test]
fn extreme_times_do_not_overflow() {
    let mut none = Timer::once(Duration::ZERO);
    assert!(!none.tick(Duration::ZERO).is_finished());
    assert!(none.tick(Duration::from_nanos(1)).is_finished());
    let mut often = Timer::repeating(Duration::ZERO);
    assert_eq!(often.tick(ms(1)).times_finished_this_tick(), 1_000_000);
    let mut endless = Timer::once(Duration::MAX);
    assert!(!endless.tick(ms(1)).is_finished());
    assert!(endless.tick(Duration::MAX).is_finished());
    assert_eq!(
        (endless.fraction(), endless.remaining()),
        (1.0, Duration::ZERO)
    );
}

#[test]
fn a_timer_is_saved_and_hashed_as_it_is() {
    let mut timer = Timer::repeating(ms(10));
    timer.tick(ms(25));
    let text = serde_json::to_string(&timer).unwrap();
    assert_eq!(serde_json::from_str::<Timer>(&text).unwrap(), timer);
    let bytes = postcard::to_allocvec(&timer).unwrap();
    assert_eq!(postcard::from_bytes::<Timer>(&bytes).unwrap(), timer);
    let endless = text.replace("10000000", "0");
    assert!(serde_json::from_str::<Timer>(&endless).is_err());
    let sum = |timer: &Timer| {
        let mut hasher = ChecksumHasher::default();
        std::hash::Hash::hash(timer, &mut hasher);
        std::hash::Hasher::finish(&hasher)
    };
    assert_ne!(sum(&timer), sum(&Timer::repeating(ms(10))));
}

#[test]
fn a_timer_in_any_state_can_be_read_again() {
    for mut timer in [Timer::once(ms(30)), Timer::repeating(ms(30))] {
        for step in 0..8 {
            match step {
                2 => timer.pause(),
                3 => timer.resume(),
                5 => timer.finish(),
                6 => timer.reset(),
                _ => _ = timer.tick(ms(20)),
            }
            let text = ron::to_string(&timer).unwrap();
            assert_eq!(ron::from_str::<Timer>(&text).unwrap(), timer);
            let bytes = postcard::to_allocvec(&timer).unwrap();
            assert_eq!(postcard::from_bytes::<Timer>(&bytes).unwrap(), timer);
        }
    }
}

#[test]
fn a_timer_in_a_file_needs_its_duration_alone() {
    let timer = |text| ron::from_str::<Timer>(text).unwrap();
    assert_eq!(timer("(seconds: 0.75)"), Timer::once(ms(750)));
    let repeating = timer("Timer(seconds: 3, repeats: true)");
    assert_eq!(repeating, Timer::repeating(ms(3_000)));
    let mut paused = Timer::once(ms(3));
    paused.tick(ms(1));
    paused.pause();
    let text = "(duration: 3000000, elapsed: 1000000, is_paused: true)";
    assert_eq!(timer(text), paused);
    let json = r#"{"seconds": 3, "repeats": true}"#;
    assert_eq!(serde_json::from_str::<Timer>(json).unwrap(), repeating);
}

#[test]
fn a_timer_in_a_file_that_no_program_could_make_is_an_error_that_names_the_field() {
    for (text, field, remedy) in [
        ("", "needs a duration", "write `seconds`"),
        (
            "seconds: 1, duration: 5",
            "both `seconds` and `duration`",
            "leave one",
        ),
        ("seconds: 0.0", "`seconds`", "between"),
        ("seconds: -2", "`seconds`", "between"),
        ("duration: 0", "`duration`", "write `seconds`"),
        ("duration: 0.75", "nanoseconds", "write `seconds`"),
        ("seconds: 3, elapsed: 1.5", "1.5", "nanoseconds"),
        ("duration: 5, elapsed: 6", "`elapsed`", "at most 5 ns"),
        (
            "duration: 5, elapsed: 5, repeats: true",
            "`elapsed`",
            "at most 4 ns",
        ),
        (
            "duration: 5, times_finished: 1",
            "`times_finished`",
            "leave it out",
        ),
        (
            "duration: 5, elapsed: 5, times_finished: 2",
            "`times_finished`",
            "leave it out",
        ),
        ("seconds: 1, repeat: true", "repeat", "`repeats`"),
    ] {
        let error = ron::from_str::<Timer>(&format!("({text})")).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(field) && error.contains(remedy), "{error}");
    }
    let over = postcard::to_allocvec(&(5_u64, 6_u64, false, false, 0_u64)).unwrap();
    assert!(postcard::from_bytes::<Timer>(&over).is_err());
}

/// A list that freezes while no entity has health, and destroys entities with none left.
fn expiring(log: &Log) -> Systems<World> {
    let log = log.clone();
    Systems::new()
        .add(Expire::remove(|world: &World, _: &Frozen| {
            world.time >= 1.0
        }))
        .add(Expire::destroy(move |world: &World, health: &Health| {
            log.push(format!("{}", health.0));
            health.0 as f32 <= world.time
        }))
}

#[test]
fn a_component_is_removed_or_its_entity_destroyed_when_it_expires() {
    let (log, mut world) = (Log::default(), world());
    let mut systems = expiring(&log);
    let frozen = world.game.create_with((Frozen, Health(9))).id();
    let dying = world.game.create_with(Health(1)).id();
    systems.execute(&mut world);
    assert!(world.game.entity(frozen).is_frozen() && world.game.contains(dying));
    log.notified(&["9", "1"]);
    world.time = 1.0;
    systems.execute(&mut world);
    assert!(!world.game.entity(frozen).is_frozen() && !world.game.contains(dying));
    assert_eq!(systems.names(), ["Remove<Frozen>", "Destroy<Health>"]);
    let reactions = systems.reactions().unwrap();
    assert_eq!((reactions.calls, reactions.total), (2, 2));
}

#[test]
fn unexpired_components_are_not_reported_as_changed() {
    let mut world = world();
    let mut systems = expiring(&Log::default());
    world
        .game
        .create_many([(Frozen, Health(9)), (Frozen, Health(8))]);
    let changes = Game::any_of::<(Frozen, Health)>().any_change();
    let changed = world.game.collector(changes);
    systems.execute(&mut world);
    assert!(changed.is_empty(&world.game));
}

#[test]
fn expired_entities_are_destroyed_before_observers_run() {
    let mut world = world();
    let mut systems = expiring(&Log::default());
    let ids = world.game.create_many([Health(0), Health(0), Health(0)]);
    let healthy = world.game.group(Game::all_of::<Health>());
    let notified = Notes::default();
    let log = notified.clone();
    healthy.on_left(&mut world.game, move |game, change| {
        assert!(game.is_empty());
        log.push(change.entity());
    });
    systems.execute(&mut world);
    assert_eq!(notified.take(), ids);
}

#[derive(Component, Clone)]
#[component(context = Sim)]
struct Fuse(Timer);

#[test]
fn a_timer_in_a_component_is_rewound_with_its_effects() {
    let mut sim = Sim::new();
    let mut systems = Systems::new()
        .add(|sim: &mut Sim| {
            let fuses = sim.query_mut::<&mut Fuse>();
            fuses.for_each(|fuse| _ = fuse.0.tick(ms(10)));
        })
        .add(Expire::destroy(|_: &Sim, fuse: &Fuse| fuse.0.is_finished()));
    let id = sim.create_with(Fuse(Timer::once(ms(20)))).id();
    let history = sim.record();
    systems.execute(&mut sim);
    let mark = history.mark(&mut sim);
    systems.execute(&mut sim);
    assert!(!sim.contains(id));
    history.rewind(&mut sim, mark);
    assert_eq!(sim.entity(id).fuse().0.remaining(), ms(10));
}
