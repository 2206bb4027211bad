//! Programs of several hundred entities, which fill many blocks of 64 rows.

use proptest::prelude::*;

use super::{
    change, edit, expire, keyed, life, listen, many_of, one_of, parts, run, sets, sixty, switch,
    upkeep, write,
};
use crate::op::{Kind, Op, Pick, Shape, Way};

/// Entities at distances that leave blocks full, sparse or empty.
fn pick() -> BoxedStrategy<Pick> {
    let steps = prop_oneof![4 => Just(1u8), 2 => 2u8..20, 2 => 50u8..80];
    let run = (
        0u16..1000,
        steps,
        prop_oneof![0u8..40, 0u8..200],
        any::<bool>(),
    );
    run.prop_map(|(at, step, len, back)| Pick::Run(at, step, len, back))
        .boxed()
}

/// Changes of components whose size matters for blocks.
fn stored() -> BoxedStrategy<Op> {
    let kind = || {
        one_of(&[
            Kind::L,
            Kind::L,
            Kind::A,
            Kind::C,
            Kind::N,
            Kind::D,
            Kind::F,
            Kind::M,
        ])
    };
    prop_oneof![
        4 => (kind(), 0u8..9, pick()).prop_map(|(k, v, some)| Op::AddMany(k, v, some)),
        2 => (kind(), pick()).prop_map(|(k, some)| Op::RemoveMany(k, some)),
        1 => (kind(), 0u8..9, pick()).prop_map(|(k, v, some)| Op::ReplaceMany(k, v, some)),
        1 => (kind(), 0u8..9, pick()).prop_map(|(k, v, some)| Op::UpdateMany(k, v, some)),
        1 => (pick(), change()).prop_map(|(some, op)| Op::Each(some, vec![op])),
    ]
    .boxed()
}

fn large_op() -> BoxedStrategy<Op> {
    prop_oneof![
        3 => run(1..150),
        6 => stored(),
        1 => many_of(pick()),
        3 => (write(), 0u8..9).prop_map(|(what, v)| Op::Write(what, v)),
        2 => change(),
        1 => life().prop_filter("few that take all", |op| !matches!(op, Op::DestroyAll | Op::Reset)),
        2 => upkeep(),
        2 => watching(),
        2 => any::<u8>().prop_map(Op::Execute),
        1 => (0u8..100, stored()).prop_map(|(at, op)| Op::Panicking(at, vec![op])),
    ]
    .boxed()
}

/// Operations that read collectors and systems.
fn watching() -> BoxedStrategy<Op> {
    prop_oneof![
        2 => any::<u8>().prop_map(Op::Drain),
        2 => (any::<u8>(), any::<u8>()).prop_map(|(n, other)| Op::DrainRows(n, other)),
        1 => any::<u8>().prop_map(|n| Op::DrainRows(n, n)),
        1 => any::<u8>().prop_map(Op::Clear),
        1 => any::<u8>().prop_map(Op::Deactivate),
        1 => any::<u8>().prop_map(Op::Activate),
        1 => (any::<u8>(), switch()).prop_map(|(n, switch)| Op::SwitchSystems(n, switch)),
        1 => (any::<u8>(), edit()).prop_map(|(group, op)| Op::ForEach(group, vec![op])),
        1 => any::<u8>().prop_map(Op::DestroyGroup),
        1 => Just(Op::CleanUp),
        1 => expire(),
        1 => (any::<u8>(), one_of(&Kind::ALL)).prop_map(|(n, k)| Op::RemoveFromGroup(n, k)),
    ]
    .boxed()
}

/// Subscribers: collectors with one bank of marks or several, systems, rarely an index or
/// observers.
fn watchers() -> impl Strategy<Value = Vec<Op>> {
    use prop::collection::vec;
    let count = prop_oneof![3 => Just(1u8), 1 => Just(25), 1 => Just(40)];
    let collectors = (count, parts()).prop_map(|(count, parts)| Op::MakeCollectors(count, parts));
    let systems = parts().prop_map(|parts| Op::MakeSystems(parts, Vec::new()));
    let observers = listen().prop_map(|to| Op::Subscribe(to, Vec::new()));
    let parts = (
        vec(sets().prop_map(Op::MakeGroup), 0..4),
        vec(collectors, 0..4),
        vec(systems, 1..4),
        prop::option::weighted(0.2, keyed().prop_map(Op::MakeIndex)),
        prop_oneof![2 => vec(observers.boxed(), 0..1), 1 => vec(listen().prop_map(|to| Op::Subscribe(to, Vec::new())), 1..4)],
    );
    parts.prop_map(|(groups, collectors, systems, index, observers)| {
        let index = index.into_iter().collect();
        [groups, collectors, systems, index, observers].concat()
    })
}

/// A program with many entities. Most have no subscriber that prevents the fast path of bulk
/// changes.
pub fn large_program() -> impl Strategy<Value = Vec<Op>> {
    let first = (one_of(&Shape::ALL), 100u8..250, 0u8..9);
    let first = first.prop_map(|(shape, count, v)| Op::CreateRun(shape, Way::Columns, count, v));
    let first = prop::collection::vec(first, 1..6);
    let parts = (watchers(), first, sixty(large_op()));
    parts.prop_map(|(watchers, first, steps)| [watchers, first, steps].concat())
}
