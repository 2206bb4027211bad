//! Groups that have the same members for as long as no entity's components tell them
//! apart: they share what they keep, and nobody can tell.

use ecs::prelude::*;

#[ecs::context]
struct World;

macro_rules! components {
    ($($name:ident)*) => {$(
        #[derive(Component, Clone)]
        #[component(context = World)]
        struct $name;
    )*};
}

components!(A B C D);

type Id = EntityId<World>;
type Test = fn([bool; 4]) -> bool;

/// Matchers that are twins of one another in a world without C and D, with what each
/// says of an entity that has A, B, C, D or not.
fn matchers() -> Vec<(Matcher<World>, Test)> {
    vec![
        (World::all_of::<A>(), |[a, ..]| a),
        (World::all_of::<A>().none_of::<C>(), |[a, _, c, _]| a && !c),
        (World::all_of::<A>().none_of::<D>(), |[a, _, _, d]| a && !d),
        (World::any_of::<(A, C)>(), |[a, _, c, _]| a || c),
        (World::all_of::<(A, B)>(), |[a, b, ..]| a && b),
        (World::all_of::<(A, B)>().none_of::<C>(), |[a, b, c, _]| {
            a && b && !c
        }),
        (World::none_of::<C>(), |[.., c, _]| !c),
        (World::none_of::<D>(), |[.., d]| !d),
        (World::all_of::<C>(), |[.., c, _]| c),
        (World::all_of::<D>(), |[.., d]| d),
    ]
}

fn check(world: &World, groups: &[(Group<World>, Test)]) {
    for (group, matches) in groups {
        let wanted = |entity: &WorldEntity<'_>| {
            matches([
                entity.has_a(),
                entity.has_b(),
                entity.has_c(),
                entity.has_d(),
            ])
        };
        let mut expected: Vec<Id> = world.entities().filter(wanted).map(|e| e.id()).collect();
        let mut found = group.ids(world);
        assert_eq!(group.len(world), expected.len());
        assert!(found.iter().all(|&id| group.contains(world, id)));
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{:?}", group.matcher(world));
    }
}

/// Numbers that look random and are always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % end
    }
}

/// Toggles a component of one entity.
fn toggle(world: &mut World, id: Id, component: usize) {
    let mut entity = world.entity_mut(id);
    macro_rules! toggle {
        ($has:ident $add:ident $remove:ident) => {
            if entity.$has() {
                entity.$remove();
            } else {
                entity.$add();
            }
        };
    }
    match component {
        0 => toggle!(has_a add_a remove_a),
        1 => toggle!(has_b add_b remove_b),
        2 => toggle!(has_c add_c remove_c),
        _ => toggle!(has_d add_d remove_d),
    }
}

/// Changes something, at first nothing that tells the groups apart which name C and D.
fn change(world: &mut World, random: &mut Random, ids: &mut Vec<Id>, kinds: usize) {
    let some: Vec<Id> = (0..3).map(|_| ids[random.below(ids.len())]).collect();
    let lacking = |world: &World, ids: &[Id]| -> Vec<Id> {
        let lacks = |id: &&Id| !world.entity(**id).has_b();
        ids.iter().filter(lacks).copied().collect()
    };
    match random.below(8) {
        0 => ids.extend(world.create_many((0..40).map(|_| (A, B)))),
        1 => ids.push(world.create_with(A).id()),
        2 if ids.len() > 200 => {
            let ended = ids.split_off(ids.len() - 90);
            world.many(&ended).destroy();
        }
        3 => {
            let lacking = lacking(world, ids);
            world.many(&lacking).add(|_| B);
        }
        4 if random.below(10) == 0 => world.defragment(),
        _ => some
            .iter()
            .for_each(|&id| toggle(world, id, random.below(kinds))),
    }
}

#[test]
fn groups_have_their_members_before_and_after_they_are_told_apart() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for late in 0..matchers().len() {
        let mut world = World::new();
        let mut groups = Vec::new();
        let mut matchers = matchers();
        let others = matchers.split_off(late);
        groups.extend(matchers.into_iter().map(|(m, test)| (world.group(m), test)));
        let mut ids = world.create_many((0..150).map(|_| A));
        for round in 0..120 {
            change(&mut world, &mut random, &mut ids, (2 + round / 30).min(4));
            if round == 60 {
                let others = others.clone().into_iter();
                groups.extend(others.map(|(m, test)| (world.group(m), test)));
            }
            check(&world, &groups);
        }
    }
}

#[test]
fn observers_hear_of_each_group_that_shares_its_members() {
    use std::sync::{Arc, Mutex};
    let mut world = World::new();
    let log = Arc::new(Mutex::new(Vec::new()));
    for (number, (matcher, _)) in matchers().into_iter().take(4).enumerate() {
        let log = log.clone();
        let group = world.group(matcher);
        group.on_entered(
            &mut world,
            move |world: &mut World, change: &Change<'_, World>| {
                assert!(group.contains(world, change.entity()));
                log.lock().unwrap().push(number);
            },
        );
    }
    world.create_with(A);
    assert_eq!(*log.lock().unwrap(), [0, 1, 2, 3]);
    world.create_with((A, C));
    assert_eq!(log.lock().unwrap()[4..], [0, 2, 3]);
}

#[test]
fn groups_that_nothing_tells_apart_take_the_memory_of_one() {
    let bytes = |matchers: Vec<Matcher<World>>| {
        let mut world = World::new();
        matchers.into_iter().for_each(|m| _ = world.group(m));
        world.create_many((0..100_000).map(|_| A));
        world.storage().memory().groups
    };
    let all = || World::all_of::<A>();
    let one = bytes(vec![all()]);
    let twins = bytes(vec![all(), all().none_of::<C>(), all().none_of::<D>()]);
    assert!(one > 100_000 / 8 && twins < 2 * one, "{one} {twins}");
}
