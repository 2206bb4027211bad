//! The parts of operations: components, entities, sets of them, variants of an operation.

/// A component by name, in the order of the indices.
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
    /// Is unique, its values are states, and requires another one.
    E,
    /// Is a shared key.
    F,
    /// Is a primary key, and requires others.
    G,
    /// An ordered, acyclic relation whose sources are destroyed with the target.
    H,
    /// A relation that is removed when its target is destroyed.
    I,
    /// A relation to an entity, dead or alive, that requires other components.
    J,
    /// A relation that prevents its target from being destroyed.
    K,
    /// Is large, so that blocks share memory.
    L,
    /// Is pooled, has several keys, and is part of a cycle of required components.
    M,
    /// Is `Copy`, and has no user code.
    N,
    /// Requires others, and is required by others.
    O,
    /// Is a timer of [`LASTS`](crate::game::LASTS) ticks.
    P,
}

impl Kind {
    pub const ALL: [Self; 16] = {
        use Kind::*;
        [A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P]
    };

    /// The components independent of other entities.
    pub const PLAIN: [Self; 8] = {
        use Kind::*;
        [A, B, C, D, L, N, O, P]
    };

    /// Whether its value is another entity.
    #[must_use]
    pub fn is_relation(self) -> bool {
        matches!(self, Self::H | Self::I | Self::J | Self::K)
    }

    /// Whether it can be written untracked.
    #[must_use]
    pub fn has_untracked(self) -> bool {
        !self.is_relation() && !matches!(self, Self::F | Self::G | Self::M)
    }

    /// The components of a bit set.
    pub fn of_set(set: u16) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(move |kind| set >> *kind as u16 & 1 != 0)
    }

    /// Whether observers of an update receive its previous value.
    #[must_use]
    pub fn has_clone(self) -> bool {
        self != Self::B
    }

    /// The value for the entity at this position of several: the same for all if `value` is even.
    #[must_use]
    pub fn nth_value(self, value: u8, nth: usize) -> u8 {
        match self.is_relation() || value.is_multiple_of(2) {
            true => value,
            false => (usize::from(value) + nth) as u8 % 16,
        }
    }

    /// The value as it is stored.
    #[must_use]
    pub fn stored(self, value: u64) -> u64 {
        if self == Self::D { 0 } else { value }
    }
}

/// The entity that an operation concerns, alive or not.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// The entity that the observer was notified of; outside of observers the newest.
    It,
    /// One of all entities so far.
    Nth(u8),
}

/// The entities that a bulk operation concerns.
#[derive(Clone, Debug)]
pub enum Pick {
    /// The entities with these numbers, alive or not, possibly several times.
    These(Vec<u8>),
    /// Qualifying living entities: first position, step, count, and whether backward.
    Run(u16, u8, u8, bool),
}

impl Pick {
    /// The elements of a run.
    #[must_use]
    pub fn of_run<T>(all: Vec<T>, at: u16, step: u8, len: u8, backward: bool) -> Vec<T> {
        let first = usize::from(at).checked_rem(all.len()).unwrap_or(0);
        let all = all.into_iter().skip(first).step_by(step.max(1).into());
        let mut run: Vec<T> = all.take(len.into()).collect();
        if backward {
            run.reverse();
        }
        run
    }
}

/// The components of entities created together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    JustA,
    JustL,
    JustN,
    AandB,
    AandL,
    CandD,
    FandM,
    AandCandDandN,
}

impl Shape {
    pub const ALL: [Self; 8] = {
        use Shape::*;
        [
            JustA,
            JustL,
            JustN,
            AandB,
            AandL,
            CandD,
            FandM,
            AandCandDandN,
        ]
    };

    #[must_use]
    pub fn kinds(self) -> &'static [Kind] {
        use Kind::*;
        match self {
            Self::JustA => &[A],
            Self::JustL => &[L],
            Self::JustN => &[N],
            Self::AandB => &[A, B],
            Self::AandL => &[A, L],
            Self::CandD => &[C, D],
            Self::FandM => &[F, M],
            Self::AandCandDandN => &[A, C, D, N],
        }
    }
}

/// More entities than an operation creates.
pub const MANY: usize = 1_000;

/// How entities are created together.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    OneByOne,
    /// From bundles, by an iterator that promises this many, regardless of the real number; `u8::MAX`:
    /// at least [`MANY`].
    Bundles(u8),
    Columns,
    /// From slices of `Copy` values.
    Slices,
}

/// How a query writes, and to which entities.
#[derive(Clone, Copy, Debug)]
pub enum Write {
    /// To all, value by value.
    Each(Kind),
    /// To all, slice by slice.
    Slices(Kind),
    /// To all members of a group.
    Members(Kind, u8),
    /// To the `A` and, if there is one, the `L` of all that have `D`.
    Both,
    /// Only where the value differs.
    Changed(Kind),
    /// By several threads.
    Parallel,
    /// Advances all timers.
    Tick,
    /// To all, untracked.
    Untracked(Kind),
}

impl Write {
    /// Maps the component that is written.
    #[must_use]
    pub fn map_kinds(self, map: &impl Fn(Kind) -> Kind) -> Self {
        match self {
            Self::Each(kind) => Self::Each(map(kind)),
            Self::Slices(kind) => Self::Slices(map(kind)),
            Self::Members(kind, group) => Self::Members(map(kind), group),
            Self::Changed(kind) => Self::Changed(map(kind)),
            Self::Untracked(kind) => Self::Untracked(map(kind)),
            other => other,
        }
    }

    /// The components that queries can write.
    pub const KINDS: [Kind; 8] = {
        use Kind::*;
        [A, B, C, F, L, M, N, P]
    };
}

/// The key function of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyed {
    /// `A` modulo three.
    ByA,
    /// `A` and the optional `N` together, of entities without `D`.
    ByBoth,
    /// Each of the numbers of `A`, `C` and `N`.
    ByEach,
    /// A list in the order of `A`, and a grid.
    InOrder,
}

/// An operation on subscribers, or on an index.
#[derive(Clone, Copy, Debug)]
pub enum Switch {
    Activate,
    Deactivate,
    Clear,
    Release,
}

/// An entity of a template.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its plain components.
    pub values: Vec<(Kind, u8)>,
    /// The relation by which it refers to an earlier one, unless it is the first one.
    pub kind: Kind,
    pub parent: usize,
}

impl Node {
    /// Its components.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> + '_ {
        let values = self.values.iter().map(|(kind, _)| *kind);
        values.chain([self.kind])
    }
}

/// What a plugged system reacts to.
#[derive(Clone, Debug)]
pub enum Plug {
    /// To changed entities.
    Changed(Vec<(Sets, Events)>),
    /// To entering, leaving and being in a state.
    State(u8),
    /// To every transition between states.
    Transitions,
}

/// The components to copy, of those with `Clone`.
#[derive(Clone, Copy, Debug)]
pub enum Copying {
    All,
    /// `A`, `C` and `H` alone.
    Few,
    /// With all its sources by `H`.
    Tree,
    /// `A` alone, with all its sources by `H`.
    Branch,
}

impl Copying {
    /// Whether more than one entity is copied.
    #[must_use]
    pub fn is_of_trees(self) -> bool {
        matches!(self, Self::Tree | Self::Branch)
    }
}

/// How a copy treats existing components.
#[derive(Clone, Copy, Debug)]
pub enum Conflict {
    Reject,
    Replace,
    Keep,
}

/// How a component is changed by index.
#[derive(Clone, Copy, Debug)]
pub enum Untyped {
    Add,
    Replace,
    Remove,
    Take,
}

/// The three sets of a matcher, one bit per component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sets {
    pub all: u16,
    pub any: u16,
    pub none: u16,
}

impl Sets {
    /// Matches all entities with a component.
    #[must_use]
    pub fn of(kind: Kind) -> Self {
        Self {
            all: 1 << kind as u16,
            any: 0,
            none: 0,
        }
    }
}

/// The trigger made from a matcher.
#[derive(Clone, Copy, Debug)]
pub enum Events {
    Entered,
    Left,
    Updated,
    Added,
    Removed,
    AddedOrRemoved,
}

/// What an observer or a listener subscribes to; groups by their number.
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
    /// Each change of every entity.
    ToChanges,
    /// Each change of one entity.
    ToOwnChanges(Target),
    /// The *set* event of a component of any entity.
    ToSet(Kind),
    /// The *removed* event of a component of any entity.
    ToRemoved(Kind),
    /// The *set* event of a component of one entity.
    ToOwnSet(Target, Kind),
    /// The *removed* event of a component of one entity.
    ToOwnRemoved(Target, Kind),
}

impl Listen {
    /// The component event, if it is one: the component, whether it is the *removed* event, and the
    /// entity if it is of a single one.
    #[must_use]
    pub fn event(self) -> Option<(Kind, bool, Option<Target>)> {
        match self {
            Self::ToSet(kind) => Some((kind, false, None)),
            Self::ToRemoved(kind) => Some((kind, true, None)),
            Self::ToOwnSet(on, kind) => Some((kind, false, Some(on))),
            Self::ToOwnRemoved(on, kind) => Some((kind, true, Some(on))),
            _ => None,
        }
    }

    /// Whether it is notified when events are delivered.
    #[must_use]
    pub fn is_to_event(self) -> bool {
        self.event().is_some()
    }

    /// Whether it is notified of each change.
    #[must_use]
    pub fn is_to_each_change(self) -> bool {
        matches!(self, Self::ToChanges | Self::ToOwnChanges(_))
    }

    /// Whether it concerns one entity, and ends with it.
    #[must_use]
    pub fn is_to_one(self) -> bool {
        matches!(
            self,
            Self::ToOwnSet(..) | Self::ToOwnRemoved(..) | Self::ToOwnChanges(_)
        )
    }
}
