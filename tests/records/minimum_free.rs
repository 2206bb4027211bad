//! Free slots that are not reused at once: random programs against a queue, through saves, snapshots and rewinds.

use std::collections::VecDeque;

use ecs::prelude::*;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

const MINIMUM: usize = 3;

/// A context of its own, because of its argument.
#[ecs::context(minimum_free = 3)]
struct World;

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = World)]
struct Number(u32);

type Id = (u32, u32);

/// What the ids are to be.
#[derive(Clone, Default)]
struct Expected {
    generations: Vec<u32>,
    free: VecDeque<u32>,
    alive: Vec<Id>,
}

impl Expected {
    fn create(&mut self) -> Id {
        let oldest = (self.free.len() > MINIMUM).then(|| self.free.pop_front());
        let index = oldest.flatten().unwrap_or_else(|| {
            self.generations.push(1);
            self.generations.len() as u32 - 1
        });
        let id = (index, self.generations[index as usize]);
        self.alive.push(id);
        id
    }

    fn destroy(&mut self, id: Id) {
        self.alive.retain(|other| *other != id);
        self.generations[id.0 as usize] += 1;
        self.free.push_back(id.0);
    }

    fn reset(&mut self) {
        let mut all = self.alive.clone();
        all.sort_unstable();
        all.into_iter().for_each(|id| self.destroy(id));
        self.free.make_contiguous().sort_unstable();
    }
}

#[derive(Clone, Debug)]
enum Op {
    Create,
    CreateMany(u8),
    Destroy(usize),
    DestroyMany(usize, usize),
    Defragment,
    /// Undoes these, then redoes and undoes them.
    Rewind(Vec<Op>),
    Save,
    Restore(Vec<Op>),
    Merge,
    Reset,
}

fn simple() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => Just(Op::Create),
        2 => (0..9_u8).prop_map(Op::CreateMany),
        5 => any::<usize>().prop_map(Op::Destroy),
        2 => (any::<usize>(), 0..6_usize).prop_map(|(at, count)| Op::DestroyMany(at, count)),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    let some = || prop::collection::vec(simple(), 0..12);
    prop_oneof![
        12 => simple(),
        1 => Just(Op::Defragment),
        2 => some().prop_map(Op::Rewind),
        1 => Just(Op::Save),
        1 => some().prop_map(Op::Restore),
        1 => Just(Op::Merge),
        1 => Just(Op::Reset),
    ]
}

fn pair(id: EntityId<World>) -> Id {
    (id.index(), id.generation())
}

fn real((index, generation): Id) -> EntityId<World> {
    EntityId::from_bits(u64::from(generation) << 32 | u64::from(index)).unwrap()
}

fn saved(world: &World) -> String {
    serde_json::to_string(&world.save()).unwrap()
}

fn run(world: &mut World, expected: &mut Expected, op: &Op) {
    match op {
        Op::Create => assert_eq!(pair(world.create_entity().id()), expected.create()),
        Op::CreateMany(count) => {
            let made = world.create_many((0..*count).map(|n| Number(u32::from(n))));
            let all: Vec<_> = made.iter().map(|_| expected.create()).collect();
            assert_eq!(made.into_iter().map(pair).collect::<Vec<_>>(), all);
        }
        Op::Destroy(at) => {
            if let Some(place) = at.checked_rem(expected.alive.len()) {
                let id = expected.alive[place];
                expected.destroy(id);
                world.destroy(real(id));
            }
        }
        Op::DestroyMany(at, count) => {
            let start = at.checked_rem(expected.alive.len()).unwrap_or(0);
            let ids: Vec<_> = expected
                .alive
                .iter()
                .skip(start)
                .take(*count)
                .copied()
                .collect();
            ids.iter().for_each(|id| expected.destroy(*id));
            world
                .many(&ids.into_iter().map(real).collect::<Vec<_>>())
                .destroy();
        }
        Op::Defragment => world.defragment(),
        Op::Rewind(ops) => {
            let (history, before) = (world.record(), expected.clone());
            let start = history.mark(world);
            ops.iter().for_each(|op| run(world, expected, op));
            let end = history.mark(world);
            history.rewind(world, start);
            history.forward(world, end);
            assert_eq!(world.len(), expected.alive.len());
            history.rewind(world, start);
            *expected = before;
        }
        Op::Save => {
            let bytes = postcard::to_stdvec(&world.save()).unwrap();
            *world = World::load(&mut postcard::Deserializer::from_bytes(&bytes)).unwrap();
            let text = saved(world);
            *world = World::load(&mut serde_json::Deserializer::from_str(&text)).unwrap();
        }
        Op::Restore(ops) => {
            let (snapshot, before) = (world.snapshot(), expected.clone());
            ops.iter().for_each(|op| run(world, expected, op));
            world.restore(&snapshot);
            *expected = before;
        }
        Op::Merge => {
            let mut other = World::new();
            other.create_many((0..5).map(Number));
            let text = saved(&other);
            let made = world
                .merge(&mut serde_json::Deserializer::from_str(&text))
                .unwrap();
            let all: Vec<_> = made.iter().map(|_| expected.create()).collect();
            assert_eq!(made.into_iter().map(pair).collect::<Vec<_>>(), all);
        }
        Op::Reset => {
            world.reset();
            expected.reset();
        }
    }
    world.storage().check_invariants();
}

proptest! {
    #[test]
    fn the_slots_that_have_been_free_the_longest_are_reused(ops in prop::collection::vec(op(), 1..40)) {
        let (mut world, mut expected) = (World::new(), Expected::default());
        for op in &ops {
            run(&mut world, &mut expected, op);
            assert_eq!(world.len(), expected.alive.len());
            assert_eq!(world.storage().reusable_entities(), expected.free.len());
            assert!(expected.alive.iter().all(|id| world.contains(real(*id))));
        }
    }
}

#[test]
fn a_slot_is_reused_after_the_minimum_and_once_for_each_round() {
    let mut world = World::new();
    let mut most = 0;
    for _ in 0..400 {
        let id = world.create_entity().id();
        most = most.max(id.generation());
        world.destroy(id);
    }
    assert_eq!(world.storage().reusable_entities(), MINIMUM + 1);
    assert_eq!(most, 100); // a fourth of the entities
}
