//! The operations of a random program.

/// A component by name. In this order are their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Has `Clone`.
    A,
    /// Has no `Clone`.
    B,
    /// Is pooled and has `Clone`.
    C,
    /// A flag: its value is always 0.
    D,
    /// Is unique.
    E,
    /// Is a key that many may have.
    F,
    /// Is a key that one may have.
    G,
    /// Leads to an entity with which it ends; in order, never in a circle.
    H,
    /// Leads to an entity whose end removes it.
    I,
    /// Leads to an entity, dead or alive.
    J,
    /// Leads to an entity that it keeps from ending.
    K,
    /// Is large, so that blocks share memory.
    L,
}

impl Kind {
    pub const ALL: [Self; 12] = {
        use Kind::*;
        [A, B, C, D, E, F, G, H, I, J, K, L]
    };

    /// Those that have nothing to do with other entities.
    pub const PLAIN: [Self; 5] = [Self::A, Self::B, Self::C, Self::D, Self::L];

    /// Whether its value is another entity.
    #[must_use]
    pub fn is_relation(self) -> bool {
        matches!(self, Self::H | Self::I | Self::J | Self::K)
    }

    /// Whether it can be written past those who follow.
    #[must_use]
    pub fn has_untracked(self) -> bool {
        !self.is_relation() && !matches!(self, Self::F | Self::G)
    }

    /// The component that a bit of a set stands for.
    pub fn of_set(set: u16) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(move |kind| set >> *kind as u16 & 1 != 0)
    }

    /// The value that an observer of an update can be told.
    #[must_use]
    pub fn has_clone(self) -> bool {
        self != Self::B
    }

    /// The value as it is stored.
    #[must_use]
    pub fn stored(self, value: u64) -> u64 {
        if self == Self::D { 0 } else { value }
    }
}

/// Which entity an operation is about, alive or not.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// The one the observer was told of; outside of observers the newest.
    It,
    /// One of all that there have been.
    Nth(u8),
}

/// The three sets of a matcher, one bit a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sets {
    pub all: u16,
    pub any: u16,
    pub none: u16,
}

/// The triggers that a matcher makes.
#[derive(Clone, Copy, Debug)]
pub enum Events {
    Entered,
    Left,
    Updated,
    Added,
    Removed,
    AddedOrRemoved,
}

/// What an observer listens to; groups by their number.
#[derive(Clone, Copy, Debug)]
pub enum Listen {
    ToEntered(u8),
    ToLeft(u8),
    ToUpdated(u8),
    ToCreated,
    ToDying,
    ToDestroyed,
    ToGroupCreated,
    ToMessage,
}

pub type Values = Vec<(Kind, u8)>;

/// One step of a program.
#[derive(Clone, Debug)]
pub enum Op {
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
    ReplaceMany(Kind, u8, Vec<u8>),
    UpdateMany(Kind, u8, Vec<u8>),
    RemoveMany(Kind, Vec<u8>),
    DestroyMany(Vec<u8>),
    /// Exchanges a component with another entity.
    Swap(Target, Kind, u8),
    /// Copies an entity with what has `Clone` and may be there twice.
    Copy(Target),
    /// Removes a component from all members of a group.
    RemoveFromGroup(u8, Kind),
    DestroyGroup(u8),
    /// Adds so many entities with values of `A` and `L` as columns.
    CreateColumns(u8, u8),
    /// Writes all values of a component by a query that reports.
    WriteAll(Kind, u8),
    /// What the context does with the unique component.
    SetUnique(u8),
    ReplaceUnique(u8),
    RemoveUnique,
    DestroyUnique,
    DestroyAll,
    Reset,
    Defragment,
    DefragmentFor(u8),
    ShrinkToFit,
    ReserveEntities(u8),
    Reserve(Kind, u8),
    MakeGroup(Sets),
    ForEach(u8, Vec<Op>),
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
    /// Drops the handle of a collector without a word.
    DropCollector(u8),
    MakeInbox,
    Send(u8),
    DrainInbox(u8),
    DropInbox(u8),
    /// Begins to gather the values of `A` that entities lose.
    MakeRemoved,
    DrainRemoved(u8),
    DropRemoved(u8),
    /// Makes an index by key function, of `A` modulo three; from then on nothing is written untracked.
    MakeIndex,
    DropIndex(u8),
    /// Begins to tell a mirror of `A`, `C`, `D`, `F`, `G`, `I` and `L`; from then on nothing is written untracked.
    MakeFeed,
    TakeFeed(u8),
    DropFeed(u8),
    /// Runs operations in which the n-th call of user code panics.
    Panicking(u8, Vec<Op>),
}

impl Op {
    /// Puts other components in place of those that it is about.
    #[must_use]
    pub fn map_kinds(self, map: &impl Fn(Kind) -> Kind) -> Self {
        let all = |values: Values| values.into_iter().map(|(kind, v)| (map(kind), v)).collect();
        let ops = |all: Vec<Self>| all.into_iter().map(|op| op.map_kinds(map)).collect();
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
            Self::ReplaceMany(kind, v, some) => Self::ReplaceMany(map(kind), v, some),
            Self::UpdateMany(kind, v, some) => Self::UpdateMany(map(kind), v, some),
            Self::Swap(target, kind, other) => Self::Swap(target, map(kind), other),
            Self::RemoveFromGroup(group, kind) => Self::RemoveFromGroup(group, map(kind)),
            Self::WriteAll(kind, v) => Self::WriteAll(map(kind), v),
            Self::Panicking(at, script) => Self::Panicking(at, ops(script)),
            Self::RemoveMany(kind, some) => Self::RemoveMany(map(kind), some),
            Self::ForEach(group, script) => Self::ForEach(group, ops(script)),
            other => other,
        }
    }

    /// The entity that it is about, if it is about one.
    #[must_use]
    pub fn target(&self) -> Option<Target> {
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
            | Self::Swap(target, ..)
            | Self::Copy(target)
            | Self::RemoveAll(target)
            | Self::Destroy(target)
            | Self::UseAfterDestroy(target, ..) => Some(target),
            _ => None,
        }
    }
}

/// A program as a named test has it, behind
/// `use model::op::{Events::*, Kind::*, Listen::*, Op::*, Sets, Target::*};`.
#[must_use]
pub fn paste(program: &[Op]) -> String {
    let lines = program
        .iter()
        .map(|op| format!("    {op:?},\n").replace('[', "vec!["));
    format!("vec![\n{}]", lines.collect::<String>())
}
