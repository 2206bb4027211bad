//! Statistics of systems.

use std::time::Duration;

use ecs::prelude::*;
use ecs::stats::{Durations, Statistics};

use super::world::{A, Test};

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// The sum, mean, minimum and maximum of some durations.
fn figures(durations: &Durations) -> [Duration; 4] {
    let (sum, mean) = (durations.sum(), durations.mean());
    [sum, mean, durations.min(), durations.max()]
}

/// SIN-005.
#[test]
fn a_reactive_system_is_recognized_by_its_reactions() {
    let mut game = Test::new();
    let systems = Systems::new().add(|_: &mut Test| ());
    assert_eq!(systems.reactions(), None);
    let systems = systems.for_each_changed(
        &mut game,
        Test::all_of::<A>().entered_or_updated(),
        |_, _| (),
    );
    assert_eq!(systems.reactions().unwrap().calls, 0);
}

/// SIN-006.
#[test]
fn a_list_shows_its_own_name() {
    let systems = Systems::<Test>::with_name("Outer").add(Systems::with_name("Inner"));
    assert_eq!(systems.report().to_string(), "Outer\n  Inner\n");
}

/// SIN-007, SIN-008.
#[test]
fn a_first_duration_is_the_sum_the_mean_the_shortest_and_the_longest() {
    let mut statistics = Statistics::default();
    assert_eq!(figures(&statistics.execute), [Duration::ZERO; 4]);
    statistics.execute.record(ms(10));
    assert_eq!(figures(&statistics.execute), [ms(10); 4]);
    assert_eq!(figures(&statistics.cleanup), [Duration::ZERO; 4]);
    statistics.cleanup.record(ms(3));
    assert_eq!(figures(&statistics.cleanup), [ms(3); 4]);
    assert_eq!(figures(&statistics.execute), [ms(10); 4]);
}

/// SIN-009, SIN-010.
#[test]
fn a_second_duration_is_added_to_them() {
    let mut statistics = Statistics::default();
    for durations in [&mut statistics.execute, &mut statistics.cleanup] {
        durations.record(ms(20));
        durations.record(ms(10));
        assert_eq!(figures(durations), [ms(30), ms(15), ms(10), ms(20)]);
        assert_eq!((durations.calls(), durations.last()), (2, ms(10)));
    }
}

/// SIN-011, SIN-012.
#[test]
fn a_reset_keeps_the_shortest_and_the_longest() {
    let mut durations = Durations::default();
    durations.record(ms(20));
    durations.record(ms(10));
    durations.reset();
    assert_eq!(figures(&durations), [ms(0), ms(0), ms(10), ms(20)]);
    durations.record(ms(15));
    assert_eq!(figures(&durations), [ms(15), ms(15), ms(10), ms(20)]);
}
