//! How programs are made up.

use proptest::prelude::*;

use crate::op::{Events, Kind, Listen, Op, Sets, Target, Values};

fn kind() -> impl Strategy<Value = Kind> {
    let plain = prop::sample::select(Kind::PLAIN.to_vec());
    let any = prop::sample::select(Kind::ALL.to_vec());
    prop_oneof![3 => plain, 4 => any]
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![
        2 => Just(Target::It),
        3 => (0u8..12).prop_map(Target::Nth),
    ]
}

/// Sets with few components, so that many entities match.
fn sets() -> impl Strategy<Value = Sets> {
    let few = || {
        prop_oneof![
            6 => Just(0u16),
            3 => (0u16..4).prop_map(|bit| 1 << bit),
            3 => (0u16..12).prop_map(|bit| 1 << bit),
            1 => 0u16..16,
            1 => 0u16..4096,
        ]
    };
    (few(), few(), few()).prop_map(|(all, any, none)| Sets { all, any, none })
}

fn events() -> impl Strategy<Value = Events> {
    prop::sample::select(vec![
        Events::Entered,
        Events::Left,
        Events::Updated,
        Events::Added,
        Events::Removed,
        Events::AddedOrRemoved,
    ])
}

fn listen() -> impl Strategy<Value = Listen> {
    prop_oneof![
        4 => (0u8..12).prop_map(Listen::ToEntered),
        4 => (0u8..12).prop_map(Listen::ToLeft),
        4 => (0u8..12).prop_map(Listen::ToUpdated),
        1 => Just(Listen::ToCreated),
        2 => Just(Listen::ToDying),
        1 => Just(Listen::ToDestroyed),
        1 => Just(Listen::ToGroupCreated),
        1 => Just(Listen::ToMessage),
    ]
}

/// Values for a bundle, in any order.
fn distinct() -> impl Strategy<Value = Values> {
    prop::collection::btree_map(kind(), 0u8..9, 0..5)
        .prop_map(|values| values.into_iter().collect::<Values>())
        .prop_shuffle()
}

/// Values for a bundle; seldom one component twice.
fn values() -> impl Strategy<Value = Values> {
    prop_oneof![
        9 => distinct(),
        1 => prop::collection::vec((kind(), 0u8..9), 2..5),
    ]
}

fn change() -> BoxedStrategy<Op> {
    prop_oneof![
        4 => (target(), kind(), 0u8..9).prop_map(|(t, k, v)| Op::Add(t, k, v)),
        4 => (target(), kind(), 0u8..9).prop_map(|(t, k, v)| Op::Replace(t, k, v)),
        3 => (target(), kind(), 0u8..9).prop_map(|(t, k, v)| Op::Update(t, k, v)),
        3 => (target(), distinct()).prop_map(|(t, values)| Op::Insert(t, values)),
        2 => (target(), distinct()).prop_map(|(t, values)| Op::AddAll(t, values)),
        1 => (target(), kind()).prop_map(|(t, k)| Op::Touch(t, k)),
        1 => (target(), kind(), 0u8..9).prop_map(|(t, k, v)| Op::Untracked(t, k, v)),
        4 => (target(), kind()).prop_map(|(t, k)| Op::Remove(t, k)),
        2 => (target(), kind()).prop_map(|(t, k)| Op::Take(t, k)),
        1 => target().prop_map(Op::RemoveAll),
        2 => (target(), kind(), 0u8..12).prop_map(|(t, k, other)| Op::Swap(t, k, other)),
        1 => (0u8..9).prop_map(Op::ReplaceUnique),
        1 => Just(Op::RemoveUnique),
        1 => (kind(), 0u8..9).prop_map(|(k, v)| Op::WriteAll(k, v)),
    ]
    .boxed()
}

fn life() -> BoxedStrategy<Op> {
    prop_oneof![
        6 => Just(Op::Create),
        6 => values().prop_map(Op::CreateWith),
        1 => prop::collection::vec(values(), 0..4).prop_map(Op::CreateMany),
        6 => target().prop_map(Op::Destroy),
        1 => (target(), kind(), 0u8..9).prop_map(|(t, k, v)| Op::UseAfterDestroy(t, k, v)),
        1 => Just(Op::DestroyAll),
        1 => Just(Op::Reset),
        2 => upkeep(),
        1 => target().prop_map(Op::Copy),
        1 => (0u8..9).prop_map(Op::SetUnique),
        1 => Just(Op::DestroyUnique),
        1 => (0u8..4, 0u8..9).prop_map(|(count, v)| Op::CreateColumns(count, v)),
    ]
    .boxed()
}

/// What changes nothing that can be seen, but the order of walking.
fn upkeep() -> BoxedStrategy<Op> {
    prop_oneof![
        Just(Op::Defragment),
        (0u8..4).prop_map(Op::DefragmentFor),
        Just(Op::ShrinkToFit),
        (0u8..200).prop_map(Op::ReserveEntities),
        (kind(), 0u8..200).prop_map(|(kind, values)| Op::Reserve(kind, values)),
    ]
    .boxed()
}

/// Changes of many entities, seldom all of them fit for it.
fn many() -> BoxedStrategy<Op> {
    let some = || prop::collection::vec(0u8..12, 0..4);
    prop_oneof![
        (kind(), 0u8..9, some()).prop_map(|(k, v, some)| Op::AddMany(k, v, some)),
        (kind(), 0u8..9, some()).prop_map(|(k, v, some)| Op::ReplaceMany(k, v, some)),
        (kind(), 0u8..9, some()).prop_map(|(k, v, some)| Op::UpdateMany(k, v, some)),
        (kind(), some()).prop_map(|(k, some)| Op::RemoveMany(k, some)),
        some().prop_map(Op::DestroyMany),
    ]
    .boxed()
}

fn reaction() -> BoxedStrategy<Op> {
    let parts = prop::collection::vec((sets(), events()), 1..4);
    prop_oneof![
        6 => sets().prop_map(Op::MakeGroup),
        4 => parts.prop_map(Op::MakeCollector),
        3 => any::<u8>().prop_map(Op::Drain),
        1 => any::<u8>().prop_map(Op::Clear),
        1 => any::<u8>().prop_map(Op::Activate),
        1 => any::<u8>().prop_map(Op::Deactivate),
        1 => any::<u8>().prop_map(Op::Release),
        2 => any::<u8>().prop_map(Op::Unsubscribe),
    ]
    .boxed()
}

/// Changes of all members of a group.
fn whole_groups() -> BoxedStrategy<Op> {
    prop_oneof![
        (any::<u8>(), kind()).prop_map(|(group, k)| Op::RemoveFromGroup(group, k)),
        any::<u8>().prop_map(Op::DestroyGroup),
    ]
    .boxed()
}

/// What follows a context in other ways.
fn following() -> BoxedStrategy<Op> {
    prop_oneof![
        2 => any::<u8>().prop_map(Op::DropCollector),
        1 => Just(Op::MakeInbox),
        3 => (0u8..9).prop_map(Op::Send),
        2 => any::<u8>().prop_map(Op::DrainInbox),
        1 => any::<u8>().prop_map(Op::DropInbox),
        1 => Just(Op::MakeRemoved),
        1 => any::<u8>().prop_map(Op::DrainRemoved),
        1 => any::<u8>().prop_map(Op::DropRemoved),
        1 => Just(Op::MakeIndex),
        1 => any::<u8>().prop_map(Op::DropIndex),
        1 => Just(Op::MakeFeed),
        2 => any::<u8>().prop_map(Op::TakeFeed),
        1 => any::<u8>().prop_map(Op::DropFeed),
    ]
    .boxed()
}

/// What is done with each member of a group: nothing that multiplies entities.
fn edit() -> BoxedStrategy<Op> {
    prop_oneof![
        6 => change(),
        2 => target().prop_map(Op::Destroy),
        1 => Just(Op::DestroyAll),
        1 => sets().prop_map(Op::MakeGroup),
        1 => any::<u8>().prop_map(Op::Unsubscribe),
    ]
    .boxed()
}

/// An operation in which observers subscribe that do more, down to `depth`.
fn op(depth: u32) -> BoxedStrategy<Op> {
    let plain = prop_oneof![
        10 => change(),
        6 => life(),
        2 => many(),
        1 => whole_groups(),
        4 => reaction(),
        2 => following(),
    ];
    if depth == 0 {
        return plain.boxed();
    }
    prop_oneof![
        20 => plain,
        5 => subscribe(depth - 1),
        2 => edits(),
    ]
    .boxed()
}

fn subscribe(depth: u32) -> impl Strategy<Value = Op> {
    let script = prop::collection::vec(op(depth), 0..3);
    (listen(), script).prop_map(|(to, script)| Op::Subscribe(to, script))
}

/// A program: some groups, entities and observers, then whatever comes.
pub fn program() -> impl Strategy<Value = Vec<Op>> {
    let parts = (beginning(), steps());
    parts.prop_map(|(beginning, steps)| [beginning, steps].concat())
}

/// Some groups, entities and observers.
fn beginning() -> impl Strategy<Value = Vec<Op>> {
    use prop::collection::vec;
    let parts = (
        vec(sets().prop_map(Op::MakeGroup), 0..5),
        vec(values().prop_map(Op::CreateWith), 0..5),
        vec(subscribe(1), 0..6),
    );
    parts.prop_map(|(groups, entities, observers)| [groups, entities, observers].concat())
}

/// A beginning with collectors.
pub fn preparation() -> impl Strategy<Value = Vec<Op>> {
    let parts = prop::collection::vec((sets(), events()), 1..4);
    let collectors = prop::collection::vec(parts.prop_map(Op::MakeCollector), 0..4);
    (beginning(), collectors).prop_map(|(beginning, collectors)| [beginning, collectors].concat())
}

/// Whatever may come.
pub fn steps() -> impl Strategy<Value = Vec<Op>> {
    let step = prop_oneof![80 => op(2), 1 => Just(Op::ClearObservers)];
    sixty(step)
}

/// Matchers of which groups are to be made.
pub fn matchers() -> impl Strategy<Value = Vec<Sets>> {
    prop::collection::vec(sets(), 0..6)
}

/// A program that nobody listens to.
pub fn quiet_program() -> impl Strategy<Value = Vec<Op>> {
    let step = prop_oneof![8 => change(), 4 => life(), 1 => many()];
    sixty(step)
}

/// A program in which user code panics now and then.
pub fn faulty_program() -> impl Strategy<Value = Vec<Op>> {
    let panicking = prop_oneof![20 => op(2), 2 => subscribe(1), 3 => many(), 2 => edits()];
    let panicking = (0u8..20, panicking).prop_map(|(at, op)| Op::Panicking(at, vec![op]));
    let step = prop_oneof![2 => op(2), 1 => panicking];
    (beginning(), sixty(step)).prop_map(|(beginning, steps)| [beginning, steps].concat())
}

fn edits() -> impl Strategy<Value = Op> {
    (any::<u8>(), edit()).prop_map(|(group, op)| Op::ForEach(group, vec![op]))
}

/// Sixty steps; a program that fails shrinks to fewer.
fn sixty(step: impl Strategy<Value = Op>) -> impl Strategy<Value = Vec<Op>> {
    let step = prop::option::weighted(0.999, step);
    prop::collection::vec(step, 60).prop_map(|steps| steps.into_iter().flatten().collect())
}
