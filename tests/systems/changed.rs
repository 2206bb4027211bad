//! Reacting by a query is reacting by ids, but for the order and for those without the
//! components asked for.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use proptest::prelude::*;

use support::numbers::{A, B, Flag, Id, World};

type Log = Arc<Mutex<Vec<Id>>>;

fn triggers() -> [Trigger<World>; 6] {
    [
        World::all_of::<A>().updated(),
        World::all_of::<Flag>().entered_or_updated(),
        World::all_of::<Flag>().left_or_updated(),
        World::all_of::<A>().none_of::<Flag>().entered(),
        World::all_of::<A>().none_of::<Flag>().any_change(),
        World::all_of::<Flag>()
            .left()
            .or(World::all_of::<B>().updated()),
    ]
}

/// For each trigger a system by query and one by ids, with what each was called for.
fn systems(world: &mut World) -> (Systems<World>, Vec<(Log, Log)>) {
    let mut logs = Vec::new();
    let mut systems = Systems::new();
    for trigger in triggers() {
        let (queried, handed) = (Log::default(), Log::default());
        logs.push((queried.clone(), handed.clone()));
        systems = systems
            .query_changed::<_, (Id, &A)>(world, trigger.clone(), move |(id, _)| {
                queried.lock().unwrap().push(id);
            })
            .for_each_changed(world, trigger, move |_, id| handed.lock().unwrap().push(id));
    }
    (systems, logs)
}

#[derive(Clone, Debug)]
enum Op {
    UpdateAll,
    UpdateB(usize),
    ToggleFlag(usize),
    ToggleA(usize),
    Destroy(usize),
    Create,
    Defragment,
    Execute,
}

fn op() -> impl Strategy<Value = Op> {
    let at = 0..150_usize;
    prop_oneof![
        3 => Just(Op::UpdateAll),
        2 => at.clone().prop_map(Op::UpdateB),
        5 => at.clone().prop_map(Op::ToggleFlag),
        3 => at.clone().prop_map(Op::ToggleA),
        2 => at.prop_map(Op::Destroy),
        1 => Just(Op::Create),
        1 => Just(Op::Defragment),
        3 => Just(Op::Execute),
    ]
}

fn apply(world: &mut World, op: &Op) {
    let ids: Vec<Id> = world.entities().map(|entity| entity.id()).collect();
    let chosen = |at: usize| ids[at % ids.len()];
    match *op {
        Op::UpdateAll => world.query_mut::<&mut A>().for_each(|a| a.0 += 1),
        Op::Create => _ = world.create_with((A(0), Flag)),
        Op::Defragment => world.defragment(),
        Op::UpdateB(at) => {
            let next = world.entity(chosen(at)).get_b().map_or(0, |b| b.0 + 1);
            world.entity_mut(chosen(at)).replace_b(next);
        }
        Op::ToggleFlag(at) => {
            let flagged = world.entity(chosen(at)).is_flag();
            world.entity_mut(chosen(at)).set_flag(!flagged);
        }
        Op::ToggleA(at) => match world.entity(chosen(at)).has_a() {
            true => _ = world.entity_mut(chosen(at)).remove_a(),
            false => _ = world.entity_mut(chosen(at)).add_a(0),
        },
        Op::Destroy(at) => {
            if ids.len() > 1 {
                world.destroy(chosen(at));
            }
        }
        Op::Execute => {}
    }
}

proptest! {
    #[test]
    fn a_query_of_what_changed_finds_whom_a_reactive_system_is_handed(
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let mut world = World::new();
        world.create_many((0..100).map(|n| (A(n), B(n))));
        let (mut systems, logs) = systems(&mut world);
        for op in ops.iter().chain([&Op::Execute]) {
            apply(&mut world, op);
            if !matches!(op, Op::Execute) {
                continue;
            }
            systems.execute(&mut world);
            let in_order: Vec<Id> = world.query::<Id>().with::<A>().iter().collect();
            for (queried, handed) in &logs {
                let handed = std::mem::take(&mut *handed.lock().unwrap());
                let expected = in_order.iter().filter(|id| handed.contains(id));
                let queried = std::mem::take(&mut *queried.lock().unwrap());
                prop_assert!(queried.iter().eq(expected), "{:?}: {:?}", queried, handed);
            }
        }
    }
}

#[test]
fn a_released_or_deactivated_reaction_is_called_for_nobody() {
    let mut world = World::new();
    let calls = Arc::new(Mutex::new(0));
    let count = calls.clone();
    let mut systems = Systems::new().query_changed::<_, &A>(
        &mut world,
        World::all_of::<A>().entered_or_updated(),
        move |_| *count.lock().unwrap() += 1,
    );
    systems.deactivate(&mut world);
    world.create_many([A(1), A(2)]);
    systems.execute(&mut world);
    systems.activate(&mut world);
    world.create_with(A(3));
    systems.clear(&mut world);
    systems.execute(&mut world);
    assert_eq!(*calls.lock().unwrap(), 0);
    world.create_with(A(4));
    systems.execute(&mut world);
    assert_eq!(*calls.lock().unwrap(), 1);
    world.create_with(A(5));
    systems.release(&mut world);
    systems.execute(&mut world);
    assert_eq!(*calls.lock().unwrap(), 1);
}
