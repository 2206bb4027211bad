use ecs_benches::frames::{Durations, PROGRAMS};
use ecs_benches::systems::FRAMES;

#[test]
fn each_program_gives_the_same_world_in_all_systems() {
    for program in PROGRAMS {
        let durations = program.small().run(FRAMES, 1); // which checks every entity
        assert_eq!(durations.len(), FRAMES.len());
    }
}

#[test]
fn durations_are_those_of_frames_in_order() {
    let durations = Durations::of((0..2_000).rev().map(f64::from).collect());
    let expected = Durations {
        median: 999.0,
        nearly_all: 1_997.0,
        worst: 1_999.0,
    };
    assert_eq!(durations, expected);
    let other = Durations {
        median: 1_000.0,
        worst: 3.0,
        ..expected
    };
    let least = Durations {
        worst: 3.0,
        ..expected
    };
    assert_eq!(durations.min(other), least);
}
