//! Strategies that generate programs.

mod large;

use proptest::prelude::*;

pub use self::large::large_program;
use crate::are_numbers_late;

use crate::op::{
    Conflict, Copying, Events, Keyed, Kind, Listen, Node, Op, Pick, Plug, Sets, Shape, Switch,
    Target, Untyped, Values, Way, Write,
};

// Faults that are not fixed yet, and whose operations programs leave out meanwhile.
/// A template with a ring through an acyclic relation is created.
const ARE_RINGS_PENDING: bool = true;

fn kind() -> impl Strategy<Value = Kind> {
    let plain = prop::sample::select(Kind::PLAIN.to_vec());
    let any = prop::sample::select(Kind::ALL.to_vec());
    let requiring = one_of(&[Kind::G, Kind::J, Kind::O]);
    prop_oneof![6 => plain, 8 => any, 1 => requiring]
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![
        2 => Just(Target::It),
        3 => (0u8..12).prop_map(Target::Nth),
    ]
}

/// Sets with few components, so that many entities match.
fn sets() -> impl Strategy<Value = Sets> {
    let kinds = if are_numbers_late() { 4 } else { 16 };
    let few = || {
        prop_oneof![
            6 => Just(0u16),
            3 => (0u16..4).prop_map(|bit| 1 << bit),
            3 => (0u16..kinds).prop_map(|bit| 1 << bit),
            1 => 0u16..16,
            1 => 0u16..=u16::MAX >> (16 - kinds),
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
        1 => Just(Listen::ToChanges),
        2 => target().prop_map(Listen::ToOwnChanges),
        8 => listen_to_event(),
    ]
}

fn listen_to_event() -> impl Strategy<Value = Listen> {
    let kind = || prop_oneof![one_of(&[Kind::A, Kind::D]), one_of(&Kind::ALL)];
    prop_oneof![
        3 => kind().prop_map(Listen::ToSet),
        2 => kind().prop_map(Listen::ToRemoved),
        2 => (target(), kind()).prop_map(|(t, k)| Listen::ToOwnSet(t, k)),
        2 => (target(), kind()).prop_map(|(t, k)| Listen::ToOwnRemoved(t, k)),
    ]
}

/// Values for a bundle, in any order.
fn distinct() -> impl Strategy<Value = Values> {
    prop::collection::btree_map(kind(), 0u8..9, 0..5)
        .prop_map(|values| values.into_iter().collect::<Values>())
        .prop_shuffle()
}

/// Values for a bundle; rarely one component twice.
fn values() -> impl Strategy<Value = Values> {
    prop_oneof![
        9 => distinct(),
        1 => prop::collection::vec((kind(), 0u8..9), 2..5),
    ]
}

/// One of the elements.
fn one_of<T: Clone + std::fmt::Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = T> {
    prop::sample::select(all)
}

fn change() -> BoxedStrategy<Op> {
    prop_oneof![
        20 => everyday_change(),
        3 => rarer_change(),
    ]
    .boxed()
}

/// Rarer operations for the same changes.
fn rarer_change() -> BoxedStrategy<Op> {
    const VERBS: &[Untyped] = &[
        Untyped::Add,
        Untyped::Replace,
        Untyped::Remove,
        Untyped::Take,
    ];
    let untyped = (target(), one_of(VERBS), kind(), 0u8..9);
    let write_to = (
        target(),
        prop::option::of(0u8..12),
        one_of(&Write::KINDS),
        0u8..9,
    );
    prop_oneof![
        2 => (target(), kind(), 0u8..9).prop_map(|(t, k, v)| Op::UpdateWith(t, k, v)),
        3 => (target(), kind(), 0u8..9).prop_map(|(t, k, v)| Op::UpdateHalfway(t, k, v)),
        1 => (target(), 0u8..9).prop_map(|(t, v)| Op::FillNew(t, v)),
        1 => (target(), 0u8..9).prop_map(|(t, v)| Op::FillAny(t, v)),
        4 => untyped.prop_map(|(t, verb, k, v)| Op::Untyped(t, verb, k, v)),
        3 => write_to.prop_map(|(t, other, k, v)| Op::WriteTo(t, other, k, v)),
        1 => (0u8..9).prop_map(Op::UpdateUnique),
        2 => copied_to(),
    ]
    .boxed()
}

fn conflict() -> impl Strategy<Value = Conflict> {
    one_of(&[Conflict::Reject, Conflict::Replace, Conflict::Keep])
}

fn copying() -> impl Strategy<Value = Copying> {
    one_of(&[Copying::All, Copying::Few, Copying::Tree, Copying::Branch])
}

fn copied_to() -> BoxedStrategy<Op> {
    let copy = (target(), 0u8..12, copying(), conflict());
    let template = (target(), any::<u8>(), conflict());
    prop_oneof![
        copy.prop_map(|(t, to, copying, conflict)| Op::CopyTo(t, to, copying, conflict)),
        template.prop_map(|(t, n, conflict)| Op::ApplyTemplate(t, n, conflict)),
    ]
    .boxed()
}

/// A query that writes.
fn write() -> BoxedStrategy<Write> {
    let kind = || one_of(&Write::KINDS);
    prop_oneof![
        3 => kind().prop_map(Write::Each),
        2 => kind().prop_map(Write::Slices),
        2 => (kind(), any::<u8>()).prop_map(|(k, group)| Write::Members(k, group)),
        2 => Just(Write::Both),
        2 => kind().prop_map(Write::Changed),
        1 => Just(Write::Parallel),
        1 => Just(Write::Tick),
        1 => kind().prop_map(Write::Untracked),
    ]
    .boxed()
}

fn everyday_change() -> BoxedStrategy<Op> {
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
        4 => state().prop_map(Op::SetState),
        2 => (write(), 0u8..9).prop_map(|(what, v)| Op::Write(what, v)),
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
        2 => (target(), copying()).prop_map(|(t, copying)| Op::Copy(t, copying)),
        1 => (target(), copying()).prop_map(|(t, copying)| Op::MakeTemplate(t, copying)),
        1 => (any::<u8>(), 0u8..3).prop_map(|(n, count)| Op::FromTemplate(n, count)),
        1 => (0u8..9).prop_map(Op::SetUnique),
        1 => Just(Op::DestroyUnique),
        1 => run(0..4),
        2 => saved(),
        1 => tree(),
    ]
    .boxed()
}

/// Entities created together; `count` limits their number.
fn run(count: std::ops::Range<u8>) -> BoxedStrategy<Op> {
    let way = prop_oneof![
        Just(Way::OneByOne),
        prop_oneof![count.clone(), Just(0), Just(200), Just(u8::MAX)].prop_map(Way::Bundles),
        Just(Way::Columns),
        Just(Way::Slices),
    ];
    let run = (one_of(&Shape::ALL), way, count, 0u8..9);
    run.prop_map(|(shape, way, count, v)| Op::CreateRun(shape, way, count, v))
        .boxed()
}

/// Operations that change nothing visible but the order of iteration.
fn upkeep() -> BoxedStrategy<Op> {
    prop_oneof![
        Just(Op::Defragment),
        (0u8..4).prop_map(Op::DefragmentFor),
        Just(Op::ShrinkToFit),
        Just(Op::ClearPools),
        one_of(&[Kind::A, Kind::C, Kind::M]).prop_map(Op::ClearPool),
        (0u8..200).prop_map(Op::ReserveEntities),
        (kind(), 0u8..200).prop_map(|(kind, values)| Op::Reserve(kind, values)),
    ]
    .boxed()
}

/// Entities created together from a template; the relation of the first one may close a ring.
fn tree() -> BoxedStrategy<Op> {
    const PLAIN: &[Kind] = {
        use Kind::*;
        &[A, C, D, F, L, M, N, O, P]
    };
    let relation = || one_of(&[Kind::H, Kind::H, Kind::I, Kind::K]);
    let values = prop::collection::btree_map(one_of(PLAIN), 0u8..9, 0..3);
    let node = (values, relation(), any::<prop::sample::Index>());
    let nodes = prop::collection::vec(node, 2..6);
    let ring = prop::option::of((relation(), any::<prop::sample::Index>()));
    (nodes, ring)
        .prop_map(|(nodes, ring)| {
            let nodes = nodes.into_iter().enumerate();
            let nodes = nodes.map(|(at, (values, kind, parent))| Node {
                values: values.into_iter().collect(),
                kind,
                parent: if at == 0 { 0 } else { parent.index(at) },
            });
            let nodes: Vec<Node> = nodes.collect();
            let ring = ring.map(|(kind, to)| (kind, 1 + to.index(nodes.len() - 1)));
            Op::CreateTree(
                nodes,
                ring.filter(|(kind, _)| *kind != Kind::H || !ARE_RINGS_PENDING),
            )
        })
        .boxed()
}

/// Saves of other contexts. A merge has nothing that only one entity can have, and no dead targets.
fn saved() -> BoxedStrategy<Op> {
    let other = |kind: Kind| match kind {
        Kind::E | Kind::G => Kind::A,
        Kind::J => Kind::I,
        kind => kind,
    };
    let mergeable = move |op: Op| op.map_kinds(&other);
    let merge = (
        prop::collection::vec(built().prop_map(mergeable), 0..8),
        any::<bool>(),
    );
    let reload = (prop::collection::vec(built(), 0..8), any::<bool>());
    prop_oneof![
        3 => merge.prop_map(|(program, binary)| Op::Merge(program, binary)),
        1 => reload.prop_map(|(program, binary)| Op::Reload(program, binary)),
    ]
    .boxed()
}

/// Operations that build the entities of a save, which may refer to later ones.
fn built() -> BoxedStrategy<Op> {
    let relation = || one_of(&[Kind::H, Kind::I, Kind::J, Kind::K]);
    let nth = || (0u8..6).prop_map(Target::Nth);
    prop_oneof![
        3 => distinct().prop_map(Op::CreateWith),
        3 => (nth(), relation(), 0u8..6).prop_map(|(t, k, v)| Op::Replace(t, k, v)),
        1 => (nth(), kind(), 0u8..9).prop_map(|(t, k, v)| Op::Replace(t, k, v)),
        1 => (nth(), kind()).prop_map(|(t, k)| Op::Remove(t, k)),
        1 => nth().prop_map(Op::Destroy),
    ]
    .boxed()
}

/// Changes of many entities, which rarely all qualify.
fn many() -> BoxedStrategy<Op> {
    let these = prop::collection::vec(0u8..12, 0..4).prop_map(Pick::These);
    let run = (0u16..12, 1u8..3, 0u8..6, any::<bool>());
    let run = run.prop_map(|(at, step, len, back)| Pick::Run(at, step, len, back));
    many_of(prop_oneof![3 => these, 1 => run].boxed())
}

/// Bulk changes of the picked entities.
fn many_of(pick: BoxedStrategy<Pick>) -> BoxedStrategy<Op> {
    let some = || pick.clone();
    prop_oneof![
        2 => (kind(), 0u8..9, some()).prop_map(|(k, v, some)| Op::AddMany(k, v, some)),
        2 => (kind(), 0u8..9, some()).prop_map(|(k, v, some)| Op::ReplaceMany(k, v, some)),
        2 => (kind(), 0u8..9, some()).prop_map(|(k, v, some)| Op::UpdateMany(k, v, some)),
        2 => (kind(), some()).prop_map(|(k, some)| Op::RemoveMany(k, some)),
        2 => some().prop_map(Op::DestroyMany),
        1 => (some(), change()).prop_map(|(some, op)| Op::Each(some, vec![op])),
    ]
    .boxed()
}

fn reaction() -> BoxedStrategy<Op> {
    prop_oneof![
        6 => sets().prop_map(Op::MakeGroup),
        4 => parts().prop_map(Op::MakeCollector),
        3 => any::<u8>().prop_map(Op::Drain),
        2 => (any::<u8>(), any::<u8>()).prop_map(|(n, other)| Op::DrainRows(n, other)),
        1 => any::<u8>().prop_map(|n| Op::DrainRows(n, n)),
        1 => any::<u8>().prop_map(Op::Clear),
        1 => any::<u8>().prop_map(Op::Activate),
        1 => any::<u8>().prop_map(Op::Deactivate),
        1 => any::<u8>().prop_map(Op::Release),
        2 => any::<u8>().prop_map(Op::Unsubscribe),
        1 => any::<u8>().prop_map(Op::Guard),
        1 => any::<u8>().prop_map(Op::DropGuard),
        1 => any::<u8>().prop_map(Op::ClearGroupObservers),
        5 => any::<bool>().prop_map(Op::Deliver),
        1 => switch().prop_map(Op::SwitchEvents),
        3 => any::<u8>().prop_map(Op::Replay),
        6 => any::<u8>().prop_map(Op::Execute),
        2 => (any::<u8>(), switch()).prop_map(|(n, switch)| Op::SwitchSystems(n, switch)),
    ]
    .boxed()
}

/// The parts of a trigger.
fn parts() -> impl Strategy<Value = Vec<(Sets, Events)>> {
    prop::collection::vec((sets(), events()), 1..4)
}

fn switch() -> impl Strategy<Value = Switch> {
    one_of(&[
        Switch::Activate,
        Switch::Deactivate,
        Switch::Clear,
        Switch::Release,
    ])
}

/// Changes of all members of a group.
fn whole_groups() -> BoxedStrategy<Op> {
    prop_oneof![
        (any::<u8>(), kind()).prop_map(|(group, k)| Op::RemoveFromGroup(group, k)),
        any::<u8>().prop_map(Op::DestroyGroup),
        Just(Op::CleanUp),
        expire(),
    ]
    .boxed()
}

fn expire() -> impl Strategy<Value = Op> {
    let kind = one_of(&[Kind::A, Kind::C, Kind::L, Kind::N]);
    (kind, 0u8..6, any::<bool>()).prop_map(|(kind, v, destroys)| Op::Expire(kind, v, destroys))
}

/// Other subscribers of a context.
fn following() -> BoxedStrategy<Op> {
    prop_oneof![
        2 => any::<u8>().prop_map(Op::DropCollector),
        1 => Just(Op::MakeInbox),
        3 => (0u8..9).prop_map(Op::Send),
        2 => any::<u8>().prop_map(Op::DrainInbox),
        1 => any::<u8>().prop_map(Op::ClearInbox),
        1 => any::<u8>().prop_map(Op::DropInbox),
        1 => Just(Op::MakeRemoved),
        1 => any::<u8>().prop_map(Op::DrainRemoved),
        1 => (any::<u8>(), switch()).prop_map(|(n, switch)| Op::SwitchRemoved(n, switch)),
        1 => any::<u8>().prop_map(Op::DropRemoved),
        2 => keyed().prop_map(Op::MakeIndex),
        1 => (any::<u8>(), any::<bool>()).prop_map(|(n, active)| Op::SwitchIndex(n, active)),
        1 => any::<u8>().prop_map(Op::DropIndex),
        1 => any::<bool>().prop_map(Op::MakeFeed),
        2 => (any::<u8>(), prop::bool::weighted(0.2)).prop_map(|(n, all)| Op::TakeFeed(n, all)),
        1 => any::<u8>().prop_map(Op::DropFeed),
    ]
    .boxed()
}

fn keyed() -> impl Strategy<Value = Keyed> {
    one_of(&[Keyed::ByA, Keyed::ByBoth, Keyed::ByEach, Keyed::InOrder])
}

/// Operations for each member of a group: none that multiplies entities.
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

/// An operation whose observers run operations themselves, down to `depth`.
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
        3 => systems(),
        2 => edits(),
    ]
    .boxed()
}

fn subscribe(depth: u32) -> impl Strategy<Value = Op> {
    let script = prop::collection::vec(op(depth), 0..3);
    (listen(), script).prop_map(|(to, script)| Op::Subscribe(to, script))
}

fn systems() -> impl Strategy<Value = Op> {
    let script = || prop::collection::vec(edit(), 0..3);
    let plug = prop_oneof![
        2 => parts().prop_map(Plug::Changed),
        1 => state().prop_map(Plug::State),
        1 => Just(Plug::Transitions),
    ];
    let plugged = (any::<u8>(), any::<bool>(), plug, script());
    prop_oneof![
        (parts(), script()).prop_map(|(parts, script)| Op::MakeSystems(parts, script)),
        (state(), script()).prop_map(|(state, script)| Op::MakeStates(state, script)),
        script().prop_map(Op::MakeTransitions),
        plugged.prop_map(|(n, is_late, plug, script)| Op::PlugIn(n, is_late, plug, script)),
    ]
}

/// One of a few states, so that programs enter the same state again.
fn state() -> impl Strategy<Value = u8> {
    0u8..3
}

/// A program: some groups, entities and observers, then any operations.
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
    parts.prop_map(|(groups, entities, observers)| {
        let all = [groups, entities, observers].concat();
        all.into_iter().map(|op| in_time(0, op)).collect()
    })
}

/// A beginning with collectors.
pub fn preparation() -> impl Strategy<Value = Vec<Op>> {
    let collectors = prop::collection::vec(parts().prop_map(Op::MakeCollector), 0..4);
    (beginning(), collectors).prop_map(|(beginning, collectors)| [beginning, collectors].concat())
}

/// A beginning in which some entities have their own listeners.
pub fn listened_preparation() -> impl Strategy<Value = Vec<Op>> {
    use prop::collection::vec;
    let own = prop_oneof![
        (target(), kind()).prop_map(|(on, kind)| Listen::ToOwnSet(on, kind)),
        (target(), kind()).prop_map(|(on, kind)| Listen::ToOwnRemoved(on, kind)),
        target().prop_map(Listen::ToOwnChanges),
    ];
    let script = vec(op(0), 0..2);
    let listener = (own, script).prop_map(|(to, script)| Op::Subscribe(to, script));
    let parts = (
        preparation(),
        vec(values().prop_map(Op::CreateWith), 1..4),
        vec(listener, 1..6),
    );
    parts.prop_map(|(preparation, more, listeners)| [preparation, more, listeners].concat())
}

/// Any operations.
pub fn steps() -> impl Strategy<Value = Vec<Op>> {
    sixty(step())
}

/// Any operations, some of which are edits that may be undone. The oracle does not know these.
pub fn edited_steps() -> impl Strategy<Value = Vec<Op>> {
    let edit = (
        prop::collection::vec(op(0), 1..4),
        prop::bool::weighted(0.2),
    );
    sixty(prop_oneof![
        4 => step(),
        2 => edit.prop_map(|(script, amends)| Op::Edit(script, amends)),
        1 => Just(Op::Undo),
        1 => Just(Op::Redo),
    ])
}

/// A program with edits.
pub fn edited_program() -> impl Strategy<Value = Vec<Op>> {
    let parts = (beginning(), edited_steps());
    parts.prop_map(|(beginning, steps)| [beginning, steps].concat())
}

/// Any operation.
pub(crate) fn step() -> impl Strategy<Value = Op> {
    prop_oneof![80 => op(2), 1 => Just(Op::ClearObservers)]
}

/// Matchers for groups.
pub fn matchers() -> impl Strategy<Value = Vec<Sets>> {
    prop::collection::vec(sets(), 0..6)
}

/// A program without observers or groups.
pub fn quiet_program() -> impl Strategy<Value = Vec<Op>> {
    let step = prop_oneof![8 => change(), 4 => life(), 1 => many()];
    sixty(step.prop_filter("no group", |op| !op.names_group()))
}

/// A program without observers, in which user code panics now and then.
pub fn quiet_faulty_program() -> impl Strategy<Value = Vec<Op>> {
    let step = || prop_oneof![8 => change(), 4 => life(), 1 => many()];
    let panicking = (0u8..9, step()).prop_map(|(at, op)| Op::Panicking(at, vec![op]));
    let step = prop_oneof![2 => step().boxed(), 1 => panicking.boxed()];
    sixty(step.prop_filter("no group", |op| !op.any(&Op::names_group)))
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

/// Limits a step to the first components: if components are numbered on first use, a new one
/// appears now and then.
fn in_time(nth: usize, step: Op) -> Op {
    let kinds = 4 + nth / 5;
    match are_numbers_late() {
        true if step.names_group() => Op::Create,
        true => step.map_kinds(&|kind| Kind::ALL[kind as usize % kinds]),
        false => step,
    }
}

/// Sixty steps; a program that fails shrinks to fewer.
fn sixty(step: impl Strategy<Value = Op>) -> impl Strategy<Value = Vec<Op>> {
    let step = prop::option::weighted(0.999, step);
    prop::collection::vec(step, 60).prop_map(|steps| {
        let steps = steps.into_iter().enumerate();
        let steps = steps.filter_map(|(nth, step)| Some(in_time(nth, step?)));
        steps.collect()
    })
}
