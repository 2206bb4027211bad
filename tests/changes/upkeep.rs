//! Moving entities together, all at once and a little at a time; memory in advance and
//! given back; the figures that say what there is to gain.

use std::collections::BTreeMap;

use ecs::prelude::*;
use proptest::prelude::*;

#[ecs::context]
struct World;

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = World)]
struct Name(String);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = World)]
struct Health(u32);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = World)]
struct Matrix([u64; 16]);

#[derive(Component, Debug)]
#[component(context = World)]
struct Frozen;

type Id = EntityId<World>;

/// The components of one entity: name, health, matrix, frozen.
type Parts = (Option<String>, Option<u32>, Option<u64>, bool);

/// A world beside the plainest thing that does the same.
struct Twin {
    world: World,
    model: BTreeMap<Id, Parts>,
    /// All ids that there have been, dead ones too.
    ids: Vec<Id>,
    groups: [Group<World>; 5],
    collector: Collector<World>,
    collected: Vec<Id>,
}

impl Twin {
    fn new() -> Self {
        let mut world = World::new();
        let groups = [
            World::all_of::<Name>(),
            World::all_of::<(Health, Matrix)>(),
            World::any_of::<(Name, Frozen)>().none_of::<Health>(),
            World::none_of::<(Name, Health, Matrix, Frozen)>(),
            World::all_of::<()>(),
        ]
        .map(|matcher| world.group(matcher));
        let collector = world.collector(World::all_of::<Health>().entered());
        Self {
            world,
            model: BTreeMap::new(),
            ids: Vec::new(),
            groups,
            collector,
            collected: Vec::new(),
        }
    }

    /// One change, the same on both sides.
    fn change(&mut self, what: u8, at: usize) {
        let at = at % self.ids.len().max(1);
        let id = self.ids.get(at).copied().filter(|_| what > 1);
        let Some((id, parts)) = id.and_then(|id| Some((id, self.model.get_mut(&id)?))) else {
            let id = self.world.create_entity().id();
            self.model.insert(id, Parts::default());
            return self.ids.push(id);
        };
        let mut entity = self.world.entity_mut(id);
        match what {
            2 => {
                parts.0 = Some(at.to_string());
                entity.replace_name(at.to_string());
            }
            3 | 4 => {
                let new = parts.1.replace(at as u32).is_none();
                entity.replace_health(at as u32);
                if new && !self.collected.contains(&id) {
                    self.collected.push(id);
                }
            }
            5 => {
                parts.2 = Some(at as u64);
                entity.replace_matrix([at as u64; 16]);
            }
            6 => {
                parts.3 = !parts.3;
                entity.set_frozen(parts.3);
            }
            7 => assert_eq!(entity.take_name().map(|name| name.0), parts.0.take()),
            8 => assert_eq!(entity.take_health().map(|health| health.0), parts.1.take()),
            9 => assert_eq!(
                entity.take_matrix().map(|matrix| matrix.0[15]),
                parts.2.take()
            ),
            _ => {
                self.model.remove(&id);
                entity.destroy();
            }
        }
    }

    /// Everything that can be seen is as it is in the model.
    fn check(&mut self) {
        let seen: BTreeMap<_, _> = self.world.entities().map(|e| (e.id(), parts(&e))).collect();
        assert_eq!(seen, self.model);
        let matches: [fn(&Parts) -> bool; 5] = [
            |(name, ..)| name.is_some(),
            |(_, health, matrix, _)| health.is_some() && matrix.is_some(),
            |(name, health, _, frozen)| (name.is_some() || *frozen) && health.is_none(),
            |parts| *parts == Parts::default(),
            |_| true,
        ];
        for (group, matches) in self.groups.iter().zip(matches) {
            let mut ids = group.ids(&self.world);
            ids.sort_unstable();
            let expected = self.model.iter().filter(|(_, parts)| matches(parts));
            assert!(
                expected.map(|(id, _)| *id).eq(ids.iter().copied()),
                "{group:?}"
            );
            assert!(ids.iter().all(|&id| group.contains(&self.world, id)));
        }
        assert_eq!(self.collector.ids(&self.world), self.collected);
        let query = self.world.query_mut::<(Id, &Health, Option<&mut Matrix>)>();
        let walked: BTreeMap<_, _> = query
            .untracked()
            .iter()
            .map(|(id, health, _)| (id, health.0))
            .collect();
        let healthy = self
            .model
            .iter()
            .filter_map(|(id, parts)| Some((*id, parts.1?)));
        assert!(walked.into_iter().eq(healthy));
    }
}

fn parts(entity: &WorldEntity<'_>) -> Parts {
    (
        entity.get_name().map(|name| name.0.clone()),
        entity.get_health().map(|health| health.0),
        entity.get_matrix().map(|matrix| matrix.0[0]),
        entity.is_frozen(),
    )
}

/// The signatures in the order in which entities are walked.
fn walked(world: &mut World) -> Vec<(bool, bool)> {
    let query = world.query::<(Option<&Name>, Option<&Health>)>();
    query
        .iter()
        .map(|(name, health)| (name.is_some(), health.is_some()))
        .collect()
}

/// Entities of four signatures in turn, every fifth of them destroyed again.
fn mixed(count: u32) -> (World, Vec<Id>) {
    let mut world = World::new();
    let mut ids: Vec<_> = (0..count)
        .map(|n| match n % 4 {
            0 => world.create_with(Name(n.to_string())).id(),
            1 => world.create_with((Name(n.to_string()), Health(n))).id(),
            2 => world.create_with(Health(n)).id(),
            _ => world
                .create_with((Health(n), Matrix([n.into(); 16]), Frozen))
                .id(),
        })
        .collect();
    ids.iter().step_by(5).for_each(|&id| world.destroy(id));
    ids.retain(|&id| world.contains(id));
    (world, ids)
}

proptest! {
    /// Entities are created, destroyed and changed at random between calls of
    /// `defragment_for`, and everything stays as the model says; once nothing changes
    /// any more, the calls come to an end, and nothing is left to gain.
    #[test]
    fn small_steps_between_changes_keep_everything_and_get_there(
        steps in prop::collection::vec((0..14u8, 0..60usize, 0..4usize), 0..400),
    ) {
        let mut twin = Twin::new();
        for (at, (what, which, moves)) in steps.into_iter().enumerate() {
            match what {
                11 => _ = twin.world.storage_mut().defragment_for(moves),
                12 if at % 3 == 0 => twin.world.storage_mut().shrink_to_fit(),
                13 if at % 5 == 0 => twin.world.defragment(),
                _ => twin.change(what, which),
            }
            if at % 16 == 0 {
                twin.check();
            }
        }
        twin.check();
        // At worst a pass with old counts moves everyone, and one with new counts again.
        let most = 2 * twin.model.len() + 4;
        let mut calls = 0;
        while twin.world.storage_mut().defragment_for(1) {
            calls += 1;
            assert!(calls <= most, "{} entities, {calls} calls", twin.model.len());
        }
        let fragmentation = twin.world.storage().fragmentation();
        prop_assert_eq!((fragmentation.misplaced, fragmentation.ratio()), (0, 0.0));
        prop_assert_eq!(fragmentation.blocks, fragmentation.blocks_needed);
        twin.check();
    }

    /// The same operations lead to the same order of walking, whatever lies where in
    /// memory (F26).
    #[test]
    fn the_order_after_moving_depends_on_the_operations_alone(
        steps in prop::collection::vec((0..14u8, 0..60usize, 0..4usize), 0..100),
    ) {
        let run = || {
            let mut twin = Twin::new();
            for &(what, which, moves) in &steps {
                match what {
                    11 => _ = twin.world.storage_mut().defragment_for(moves),
                    12 => twin.world.storage_mut().shrink_to_fit(),
                    13 => twin.world.defragment(),
                    _ => twin.change(what, which),
                }
            }
            twin.groups.map(|group| group.ids(&twin.world))
        };
        prop_assert_eq!(run(), run());
    }
}

#[test]
fn a_call_moves_no_more_than_it_may() {
    let (mut world, _) = mixed(400);
    let mut before = world.storage().fragmentation().misplaced;
    assert!(before > 100);
    assert!(world.storage_mut().defragment_for(0));
    assert_eq!(world.storage().fragmentation().misplaced, before);
    while world.storage_mut().defragment_for(3) {
        let now = world.storage().fragmentation().misplaced;
        assert!(now < before && before - now <= 6, "{before} {now}"); // 3 pairs
        before = now;
    }
    assert_eq!(world.storage().fragmentation().misplaced, 0);
    assert!(!world.storage_mut().defragment_for(0));
}

#[test]
fn large_worlds_are_gone_through_in_several_calls() {
    let (mut world, ids) = mixed(30_000);
    let mut calls = 0;
    while world.storage_mut().defragment_for(50) {
        calls += 1;
    }
    assert!(calls > 100, "{calls}");
    assert_eq!(world.storage().fragmentation().misplaced, 0);
    assert!(ids.iter().all(|&id| world.contains(id)));
    let mut calls = 0;
    while world.storage_mut().defragment_for(1) {
        calls += 1;
    }
    assert!(
        (2..40).contains(&calls),
        "{calls}: looks at some thousands of rows in each"
    );
}

#[test]
fn entities_are_walked_by_signature_and_in_their_order_before() {
    let (mut world, _) = mixed(1000);
    let order = |world: &mut World| -> Vec<(usize, Id)> {
        let query = world.query::<(Id, Option<&Name>, Option<&Health>)>();
        let class = |(id, name, health): (Id, Option<&Name>, Option<&Health>)| {
            // `{Name}` came up first, `{Name, Health}` next.
            let class = match (name.is_some(), health.is_some()) {
                (true, false) => 0,
                (true, true) => 1,
                _ => 2 + id.index() as usize % 4,
            };
            (class, id)
        };
        query.iter().map(class).collect()
    };
    let before = order(&mut world);
    world.defragment();
    let after = order(&mut world);
    let mut expected = before;
    expected.sort_by_key(|&(class, _)| class);
    assert_eq!(after, expected);
    world.defragment();
    assert_eq!(order(&mut world), after);
}

#[test]
fn after_defragmenting_nothing_is_left_to_gain() {
    let (mut world, _) = mixed(10_000);
    let before = world.storage().fragmentation();
    assert_eq!(before.entities, 8000);
    assert!(before.ratio() > 0.5 && before.ratio() <= 1.0);
    assert!(before.blocks > before.blocks_needed && before.breaks > 0);
    world.defragment();
    let after = world.storage().fragmentation();
    assert_eq!((after.misplaced, after.breaks), (0, 0));
    assert_eq!(
        (after.blocks, after.blocks_needed),
        (before.blocks_needed, before.blocks_needed)
    );
    assert_eq!(World::new().storage().fragmentation().ratio(), 0.0);
}

#[test]
fn the_rows_of_destroyed_entities_end_up_behind_the_living() {
    for small_steps in [false, true] {
        let (mut world, mut ids) = mixed(1000);
        let (gone, kept): (Vec<_>, Vec<_>) = ids.iter().partition(|id| id.index() % 3 == 0);
        gone.iter().for_each(|&id| world.destroy(id));
        if small_steps {
            while world.storage_mut().defragment_for(7) {}
        } else {
            world.defragment();
        }
        assert_eq!(world.storage().reusable_entities(), 1000 - kept.len());
        // The next entities take the slots of destroyed ones, and their rows with them.
        let living = walked(&mut world).len();
        let new: Vec<_> = (0..5).map(|n| world.create_with(Health(n)).id()).collect();
        let query = world.query::<Id>();
        let last: Vec<_> = query.iter().skip(living).collect();
        assert_eq!(last.len(), 5);
        assert!(new.iter().all(|id| last.contains(id)));
        ids = kept;
        assert!(ids.iter().all(|&id| world.contains(id)));
    }
}

#[test]
fn what_is_reserved_is_not_allocated_again() {
    let mut world = World::with_capacity(1000);
    let held = world.storage().memory();
    world.storage_mut().reserve_entities(1000);
    assert_eq!(world.storage().memory(), held);
    world.storage_mut().reserve::<Health>(1000);
    world.storage_mut().reserve::<Frozen>(1000);
    let held = world.storage().memory();
    assert!(held.total() > 1000 * (8 + 4));
    let ids = world.create_many((0..1000).map(|n| (Health(n), Frozen)));
    for (before, after) in held
        .components()
        .iter()
        .zip(world.storage().memory().components())
    {
        assert_eq!(before.bytes, after.bytes);
    }
    assert_eq!(
        (
            world.storage().memory().entities,
            world.storage().fragmentation().breaks
        ),
        (held.entities, 0)
    );
    // Free slots count as room for entities.
    ids.iter().for_each(|&id| world.destroy(id));
    let held = world.storage().memory();
    world.storage_mut().reserve_entities(1000);
    assert_eq!(world.storage().memory(), held);
}

#[test]
fn memory_that_nothing_is_in_can_be_given_back() {
    let (mut world, ids) = mixed(10_000);
    let full = world.storage().memory().total();
    ids[50..].iter().for_each(|&id| world.destroy(id));
    assert!(world.storage().memory().total() > full - full / 4);
    world.defragment();
    world.storage_mut().shrink_to_fit();
    let left = world.storage().memory();
    let held: usize = left.components().iter().map(|one| one.bytes).sum();
    assert!(held < 64 * 300, "{left}");
    assert!(ids[..50].iter().all(|&id| world.contains(id)));
    let more = world.create_many((0..5000).map(Health));
    assert!((0..5000).all(|n| world.entity(more[n]).health().0 == n as u32));
    world.reset();
    world.storage_mut().shrink_to_fit();
    let held: usize = world
        .storage()
        .memory()
        .components()
        .iter()
        .map(|one| one.bytes)
        .sum();
    assert!(held < 200, "{held}");
}

#[test]
fn sets_of_collectors_go_on_after_shrinking() {
    let mut twin = Twin::new();
    (0..300).for_each(|n| twin.change([0, 3][n % 2], n / 2));
    twin.world.storage_mut().shrink_to_fit();
    assert_eq!(twin.collector.drain(&mut twin.world), twin.collected);
    twin.collected.clear();
    twin.world.storage_mut().shrink_to_fit();
    (0..300).for_each(|n| twin.change([8, 3][n % 2], n / 2));
    twin.check();
}

#[test]
fn an_observer_may_move_entities() {
    let (mut world, ids) = mixed(100);
    let healthy = world.group(World::all_of::<Health>());
    healthy.on_left(&mut world, |world: &mut World, _: &Change<'_, World>| {
        world.storage_mut().defragment_for(5);
        world.storage_mut().shrink_to_fit();
    });
    healthy.on_entered(&mut world, |world: &mut World, _: &Change<'_, World>| {
        world.defragment()
    });
    for (at, &id) in ids.iter().enumerate() {
        let mut entity = world.entity_mut(id);
        match entity.take_health() {
            Some(_) if at % 2 == 0 => _ = entity.add_health(7),
            Some(_) => {}
            None => _ = entity.add_health(8),
        }
    }
    let has = |id: &&Id| world.entity(**id).has_health();
    assert_eq!(healthy.len(&world), ids.iter().filter(has).count());
}

#[test]
fn the_figures_of_memory_print_as_a_table() {
    let (world, _) = mixed(100);
    let memory = world.storage().memory();
    let table = memory.to_string();
    for word in [
        "World", "Name", "Health", "Matrix", "Frozen", "held", "entities", "total",
    ] {
        assert!(table.contains(word), "{table}");
    }
    let widths: Vec<_> = table.lines().map(str::len).collect();
    assert!(widths.iter().all(|width| *width == widths[0]), "{table}");
    let health = &memory.components()[world
        .components()
        .iter()
        .position(|c| c.name() == "Health")
        .unwrap()];
    assert_eq!(
        (health.name(), health.values, health.used()),
        ("Health", 60, 240)
    );
    assert_eq!(health.blocks, 2);
    assert!(
        format!("{memory:?}").contains("60 values of 4 bytes in 2 blocks"),
        "{memory:?}"
    );
}

#[test]
fn moving_all_at_once_between_small_steps_leaves_nothing_to_move() {
    for steps in 0..60 {
        let (mut world, ids) = mixed(200);
        for _ in 0..steps {
            world.storage_mut().defragment_for(1);
        }
        // What a small step has counted is not so any more.
        for &id in ids.iter().step_by(3) {
            world.destroy(id);
        }
        let values = |world: &World| -> Vec<_> {
            let health = |&id| Some(world.get_entity(id)?.get_health().cloned());
            ids.iter().map(health).collect()
        };
        let before = values(&world);
        world.defragment();
        let walked = |world: &mut World| world.query::<Id>().iter().collect::<Vec<_>>();
        let order = walked(&mut world);
        for _ in 0..20 {
            assert!(
                !world.storage_mut().defragment_for(1),
                "after {steps} steps"
            );
            assert_eq!(walked(&mut world), order, "after {steps} steps");
        }
        assert_eq!(world.storage().fragmentation().misplaced, 0);
        assert_eq!(values(&world), before);
    }
}
