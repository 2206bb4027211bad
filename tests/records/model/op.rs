//! The operations of a random program, and how they are made up.

use proptest::prelude::*;

/// A component by name. In this order are their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Has `Clone`.
    A,
    /// Has no `Clone`.
    B,
    /// Is pooled and has `Clone`.
    C,
    /// A flag: its value is always 0.
    D,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::A, Self::B, Self::C, Self::D];

    /// The value that an observer of an update can be told.
    pub(super) fn has_clone(self) -> bool {
        self != Self::B
    }

    /// The value as it is stored.
    pub(super) fn stored(self, value: u8) -> u8 {
        if self == Self::D { 0 } else { value }
    }
}

/// Which entity an operation is about, alive or not.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// The one the observer was told of; outside of observers the newest.
    It,
    /// One of all that there have been.
    Nth(u8),
}

/// The three sets of a matcher, one bit a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sets {
    pub(super) all: u8,
    pub(super) any: u8,
    pub(super) none: u8,
}

/// The triggers that a matcher makes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Events {
    Entered,
    Left,
    Updated,
    Added,
    Removed,
    AddedOrRemoved,
}

/// What an observer listens to; groups by their number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Listen {
    Entered(u8),
    Left(u8),
    Updated(u8),
    Created,
    Dying,
    Destroyed,
    GroupCreated,
}

pub(super) type Values = Vec<(Kind, u8)>;

/// One step of a program.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Create,
    CreateWith(Values),
    CreateMany(Vec<Values>),
    Add(Target, Kind, u8),
    Replace(Target, Kind, u8),
    /// Gives an entity a bundle, in one change.
    Insert(Target, Values),
    /// Gives an entity a bundle, in one change; refused if it has one of the components.
    AddAll(Target, Values),
    Update(Target, Kind, u8),
    Touch(Target, Kind),
    Untracked(Target, Kind, u8),
    Remove(Target, Kind),
    Take(Target, Kind),
    RemoveAll(Target),
    Destroy(Target),
    /// Destroys the entity of a handle and goes on using the handle.
    UseAfterDestroy(Target, Kind, u8),
    /// Adds a component to several entities, named by their numbers.
    AddMany(Kind, u8, Vec<u8>),
    RemoveMany(Kind, Vec<u8>),
    DestroyAll,
    Reset,
    Defragment,
    DefragmentFor(u8),
    ShrinkToFit,
    ReserveEntities(u8),
    Reserve(Kind, u8),
    MakeGroup(Sets),
    ForEach(u8, Box<Op>),
    MakeCollector(Vec<(Sets, Events)>),
    Drain(u8),
    Clear(u8),
    Activate(u8),
    Deactivate(u8),
    Release(u8),
    /// Subscribes an observer that runs these operations whenever it is called.
    Subscribe(Listen, Vec<Op>),
    Unsubscribe(u8),
    ClearObservers,
}

impl Op {
    /// Puts other components in place of those that it is about.
    pub(super) fn map_kinds(self, map: &impl Fn(Kind) -> Kind) -> Self {
        let all = |values: Values| values.into_iter().map(|(kind, v)| (map(kind), v)).collect();
        let distinct = |values: Values| {
            let mut values: Values = all(values);
            values.sort_by_key(|(kind, _)| *kind);
            values.dedup_by_key(|(kind, _)| *kind);
            values
        };
        match self {
            Self::CreateWith(values) => Self::CreateWith(all(values)),
            Self::CreateMany(bundles) => Self::CreateMany(bundles.into_iter().map(all).collect()),
            Self::Add(target, kind, v) => Self::Add(target, map(kind), v),
            Self::Replace(target, kind, v) => Self::Replace(target, map(kind), v),
            Self::Insert(target, values) => Self::Insert(target, distinct(values)),
            Self::AddAll(target, values) => Self::AddAll(target, distinct(values)),
            Self::Update(target, kind, v) => Self::Update(target, map(kind), v),
            Self::Touch(target, kind) => Self::Touch(target, map(kind)),
            Self::Remove(target, kind) => Self::Remove(target, map(kind)),
            Self::Take(target, kind) => Self::Take(target, map(kind)),
            Self::UseAfterDestroy(target, kind, v) => Self::UseAfterDestroy(target, map(kind), v),
            Self::AddMany(kind, v, some) => Self::AddMany(map(kind), v, some),
            Self::RemoveMany(kind, some) => Self::RemoveMany(map(kind), some),
            Self::ForEach(group, op) => Self::ForEach(group, Box::new(op.map_kinds(map))),
            other => other,
        }
    }

    /// The entity that it is about, if it is about one.
    pub(super) fn target(&self) -> Option<Target> {
        match *self {
            Self::Add(target, ..)
            | Self::Replace(target, ..)
            | Self::Insert(target, ..)
            | Self::AddAll(target, ..)
            | Self::Update(target, ..)
            | Self::Touch(target, ..)
            | Self::Untracked(target, ..)
            | Self::Remove(target, ..)
            | Self::Take(target, ..)
            | Self::RemoveAll(target)
            | Self::Destroy(target)
            | Self::UseAfterDestroy(target, ..) => Some(target),
            _ => None,
        }
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    prop::sample::select(Kind::ALL.to_vec())
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![
        2 => Just(Target::It),
        3 => (0u8..12).prop_map(Target::Nth),
    ]
}

/// Sets with few components, so that many entities match.
fn sets() -> impl Strategy<Value = Sets> {
    let few = || prop_oneof![3 => Just(0u8), 3 => (0u8..4).prop_map(|bit| 1 << bit), 1 => 0u8..16];
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
        4 => (0u8..6).prop_map(Listen::Entered),
        4 => (0u8..6).prop_map(Listen::Left),
        4 => (0u8..6).prop_map(Listen::Updated),
        1 => Just(Listen::Created),
        2 => Just(Listen::Dying),
        1 => Just(Listen::Destroyed),
        1 => Just(Listen::GroupCreated),
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

fn change() -> impl Strategy<Value = Op> {
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
    ]
}

fn life() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => Just(Op::Create),
        6 => values().prop_map(Op::CreateWith),
        1 => prop::collection::vec(values(), 0..4).prop_map(Op::CreateMany),
        6 => target().prop_map(Op::Destroy),
        1 => (target(), kind(), 0u8..9).prop_map(|(t, k, v)| Op::UseAfterDestroy(t, k, v)),
        1 => Just(Op::DestroyAll),
        1 => Just(Op::Reset),
        2 => upkeep(),
    ]
}

/// What changes nothing that can be seen, but the order of walking.
fn upkeep() -> impl Strategy<Value = Op> {
    prop_oneof![
        Just(Op::Defragment),
        (0u8..4).prop_map(Op::DefragmentFor),
        Just(Op::ShrinkToFit),
        (0u8..200).prop_map(Op::ReserveEntities),
        (kind(), 0u8..200).prop_map(|(kind, values)| Op::Reserve(kind, values)),
    ]
}

/// Changes of many entities, seldom all of them fit for it.
fn many() -> impl Strategy<Value = Op> {
    let some = || prop::collection::vec(0u8..12, 0..4);
    prop_oneof![
        (kind(), 0u8..9, some()).prop_map(|(k, v, some)| Op::AddMany(k, v, some)),
        (kind(), some()).prop_map(|(k, some)| Op::RemoveMany(k, some)),
    ]
}

fn reaction() -> impl Strategy<Value = Op> {
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
}

/// What is done with each member of a group: nothing that multiplies entities.
fn edit() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => change(),
        2 => target().prop_map(Op::Destroy),
        1 => Just(Op::DestroyAll),
        1 => sets().prop_map(Op::MakeGroup),
        1 => any::<u8>().prop_map(Op::Unsubscribe),
    ]
}

/// An operation in which observers subscribe that do more, down to `depth`.
fn op(depth: u32) -> BoxedStrategy<Op> {
    let plain = prop_oneof![
        10 => change(),
        6 => life(),
        1 => many(),
        4 => reaction(),
    ];
    if depth == 0 {
        return plain.boxed();
    }
    prop_oneof![
        20 => plain,
        5 => subscribe(depth - 1),
        2 => (any::<u8>(), edit()).prop_map(|(group, op)| Op::ForEach(group, Box::new(op))),
    ]
    .boxed()
}

fn subscribe(depth: u32) -> impl Strategy<Value = Op> {
    let script = prop::collection::vec(op(depth), 0..3);
    (listen(), script).prop_map(|(to, script)| Op::Subscribe(to, script))
}

/// A program: some groups, entities and observers, then whatever comes.
pub(super) fn program() -> impl Strategy<Value = Vec<Op>> {
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
pub(super) fn preparation() -> impl Strategy<Value = Vec<Op>> {
    let parts = prop::collection::vec((sets(), events()), 1..4);
    let collectors = prop::collection::vec(parts.prop_map(Op::MakeCollector), 0..4);
    (beginning(), collectors).prop_map(|(beginning, collectors)| [beginning, collectors].concat())
}

/// Whatever may come.
pub(super) fn steps() -> impl Strategy<Value = Vec<Op>> {
    let step = prop_oneof![80 => op(2), 1 => Just(Op::ClearObservers)];
    prop::collection::vec(step, 1..50)
}

/// Matchers of which groups are to be made.
pub(super) fn matchers() -> impl Strategy<Value = Vec<Sets>> {
    prop::collection::vec(sets(), 0..6)
}

/// A program that nobody listens to.
pub(super) fn quiet_program() -> impl Strategy<Value = Vec<Op>> {
    let step = prop_oneof![8 => change(), 4 => life(), 1 => many()];
    prop::collection::vec(step, 1..60)
}
