//! The entities that match a matcher, without a group: always the same as those of a group.

use ecs::prelude::*;
use support::numbers::{A, B, Flag, World, world};

/// A world whose entities were created, destroyed, changed and moved.
fn shuffled(moved: bool) -> World {
    let (mut world, ids) = world(1_000);
    for (nth, id) in (0..).zip(ids) {
        if nth % 3 == 0 {
            world.entity_mut(id).add(B(nth));
        }
        if nth % 5 == 0 {
            world.entity_mut(id).add(Flag);
        }
        if nth % 7 == 0 {
            world.entity_mut(id).remove::<A>();
        }
        if nth % 11 == 0 {
            world.destroy(id);
        }
    }
    if moved {
        world.defragment();
    }
    world
}

fn matchers() -> [Matcher<World>; 6] {
    [
        Matcher::default(),
        World::all_of::<A>(),
        World::all_of::<(A, B)>().none_of::<Flag>(),
        World::any_of::<(B, Flag)>(),
        World::any_of::<(A, B)>()
            .any_of::<(B, Flag)>()
            .all_of::<A>(),
        World::none_of::<(A, B)>(),
    ]
}

#[test]
fn a_matcher_finds_the_members_of_its_group() {
    for mut world in [false, true].map(shuffled) {
        for matcher in matchers() {
            let group = world.group(matcher.clone());
            let found: Vec<_> = matcher.ids(&world).collect();
            assert_eq!(found, group.ids(&world), "{matcher:?}");
            assert!(!found.is_empty(), "{matcher:?}");
        }
    }
}

#[test]
fn counting_and_skipping_equal_single_steps() {
    for world in [false, true].map(shuffled) {
        for matcher in matchers() {
            let found: Vec<_> = matcher.ids(&world).collect();
            assert_eq!(matcher.ids(&world).count(), found.len());
            for start in [0, 1, 63, 64, 65, found.len() - 1, found.len()] {
                let mut rest = matcher.ids(&world).skip(start);
                assert_eq!(rest.next(), found.get(start).copied());
                assert_eq!(rest.count(), found.len().saturating_sub(start + 1));
            }
        }
    }
}

#[test]
fn nothing_matches_in_an_empty_world() {
    let world = World::new();
    for matcher in matchers() {
        assert_eq!(matcher.ids(&world).count(), 0);
        assert!(matcher.ids(&world).next().is_none());
    }
}
