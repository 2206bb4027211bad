//! What others do, between two ticks.

use ecs::prelude::*;
use ecs_prediction::Interpolated;

use crate::game::Arena;
use crate::link::{Link, Quality};

fn ids() -> [EntityId<Arena>; 2] {
    let mut game = Arena::new();
    [game.create_entity().id(), game.create_entity().id()]
}

#[test]
fn values_between_two_ticks_are_interpolated_and_held_after_the_last() {
    let [id, other] = ids();
    let mut shown = Interpolated::<Arena, f32>::new(4.0);
    assert_eq!(shown.view(id, 1.0), None);
    shown.record(1, [(id, &10.0), (other, &-10.0)]);
    shown.record(2, [(other, &-20.0), (id, &20.0)]); // in any order
    shown.record(4, [(id, &60.0), (other, &-60.0)]); // tick 3 is missing
    let of_id: Vec<_> = [0.9, 1.0, 1.25, 2.0, 3.0, 4.0, 7.0]
        .map(|time| shown.view(id, time))
        .into();
    let expected = [10.0, 12.5, 20.0, 40.0, 60.0, 60.0].map(Some);
    assert_eq!(of_id, [&[None], &expected[..]].concat());
    assert!(shown.iter(1.5).eq([(id, 15.0), (other, -15.0)]));
    assert_eq!(shown.iter(0.0).count(), 0);
}

#[test]
fn ticks_that_are_late_are_ignored() {
    let [id, _] = ids();
    let mut shown = Interpolated::<Arena, f32>::new(4.0);
    shown.record(1, [(id, &10.0)]);
    shown.record(3, [(id, &30.0)]);
    shown.record(2, [(id, &90.0)]);
    shown.record(3, [(id, &90.0)]);
    assert_eq!(
        (shown.view(id, 2.0), shown.view(id, 3.0)),
        (Some(20.0), Some(30.0))
    );
}

#[test]
fn extrapolation_ends_at_its_bound() {
    let [id, other] = ids();
    let mut shown = Interpolated::<Arena, f32>::new(2.0).extrapolate(0.5);
    shown.record(2, [(id, &10.0)]);
    assert_eq!(shown.view(id, 9.0), Some(10.0)); // no movement is known
    shown.record(4, [(id, &30.0), (other, &1.0)]);
    assert_eq!(
        (shown.view(id, 4.25), shown.view(id, 9.0)),
        (Some(32.5), Some(35.0))
    );
    assert_eq!(shown.view(other, 9.0), Some(1.0)); // has just appeared
}

#[test]
fn a_teleport_is_shown_when_its_tick_comes() {
    let [id, _] = ids();
    let mut shown = Interpolated::<Arena, f32>::new(4.0)
        .snap(15.0)
        .extrapolate(9.0);
    shown.record(1, [(id, &10.0)]);
    shown.record(2, [(id, &25.0)]);
    shown.record(3, [(id, &41.0)]);
    assert_eq!(shown.view(id, 1.5), Some(17.5));
    assert_eq!(
        (shown.view(id, 2.9), shown.view(id, 3.0)),
        (Some(25.0), Some(41.0))
    );
    assert_eq!(shown.view(id, 4.0), Some(41.0)); // nor does it continue
}

#[test]
fn entities_appear_and_vanish_at_their_ticks() {
    let [id, other] = ids();
    let mut shown = Interpolated::<Arena, f32>::new(4.0);
    shown.record(1, [(id, &1.0)]);
    shown.record(2, [(other, &2.0)]);
    shown.record(3, []);
    let seen = |time| (shown.view(id, time), shown.view(other, time));
    assert_eq!(
        (seen(1.9), seen(2.0)),
        ((Some(1.0), None), (None, Some(2.0)))
    );
    assert_eq!((seen(2.9).1, seen(3.0).1), (Some(2.0), None));
}

#[test]
fn a_steady_movement_stays_smooth_under_jitter_and_loss() {
    let [id, _] = ids();
    let quality = Quality {
        lag: 3,
        jitter: 2,
        loss: 10,
        doubled: 5,
    };
    for seed in 0..20 {
        let mut link = Link::new(quality, seed);
        let mut shown = Interpolated::<Arena, f32>::new(5.0);
        let (mut before, mut held) = (None, 0);
        for tick in 1..=1_000 {
            link.send(tick, tick);
            for tick in link.arrived(tick) {
                shown.record(tick, [(id, &(tick as f32 * 10.0))]);
            }
            for _ in 0..3 {
                let now = shown.advance(1.0 / 3.0);
                let value = shown.view(id, now);
                if let (Some(before), Some(value), 50..) = (before, value, tick) {
                    let speed: f32 = (value - before) * 0.3;
                    assert!(
                        (-0.001..1.2).contains(&speed),
                        "{speed} in tick {tick}, seed {seed}"
                    );
                    held += u32::from(speed < 0.8);
                }
                before = value;
            }
        }
        assert!(held < 30, "{held} of 3,000 frames, seed {seed}");
    }
}

#[test]
fn time_waits_for_a_silent_server_and_jumps_to_one_that_is_back() {
    let [id, _] = ids();
    let mut shown = Interpolated::<Arena, f32>::new(2.0);
    for tick in 1..=10 {
        shown.record(tick, [(id, &1.0)]);
        shown.advance(1.0);
    }
    for _ in 0..100 {
        assert!(shown.advance(1.0) <= 10.0);
    }
    assert_eq!(shown.advance(1.0), 10.0);
    shown.record(111, [(id, &1.0)]);
    assert_eq!(shown.advance(1.0), 110.0);
}

#[test]
fn memory_is_bounded_while_time_does_not_advance() {
    let [id, _] = ids();
    let mut shown = Interpolated::<Arena, f32>::new(3.0);
    shown.record(1, [(id, &1.0)]);
    shown.advance(1.0);
    for tick in 2..1_000 {
        shown.record(tick, [(id, &1.0)]);
    }
    let text = format!("{shown:?}");
    assert!(text.contains("ticks: 14,"), "{text}");
}
