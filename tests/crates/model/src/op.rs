//! The operations of a random program.

mod parts;

pub use self::parts::{
    Conflict, Copying, Events, Keyed, Kind, Listen, MANY, Node, Pick, Plug, Sets, Shape, Switch,
    Target, Untyped, Way, Write,
};

pub type Values = Vec<(Kind, u8)>;

/// One step of a program.
#[derive(Clone, Debug)]
pub enum Op {
    Create,
    CreateWith(Values),
    CreateMany(Vec<Values>),
    Add(Target, Kind, u8),
    Replace(Target, Kind, u8),
    /// Inserts a bundle as one change.
    Insert(Target, Values),
    /// Adds a bundle as one change; rejected if the entity has one of the components.
    AddAll(Target, Values),
    Update(Target, Kind, u8),
    /// Updates with a closure that panics after writing.
    UpdateHalfway(Target, Kind, u8),
    Touch(Target, Kind),
    Untracked(Target, Kind, u8),
    Remove(Target, Kind),
    Take(Target, Kind),
    /// Updates with a closure that can read the context.
    UpdateWith(Target, Kind, u8),
    /// Adds or replaces `C` by filling a default or pooled value.
    FillNew(Target, u8),
    FillAny(Target, u8),
    /// Changes a component by its index.
    Untyped(Target, Untyped, Kind, u8),
    RemoveAll(Target),
    Destroy(Target),
    /// Destroys the entity of a handle and keeps using the handle.
    UseAfterDestroy(Target, Kind, u8),
    /// Adds a component to several entities.
    AddMany(Kind, u8, Pick),
    ReplaceMany(Kind, u8, Pick),
    UpdateMany(Kind, u8, Pick),
    RemoveMany(Kind, Pick),
    DestroyMany(Pick),
    /// Runs operations with each entity in turn.
    Each(Pick, Vec<Op>),
    /// Swaps a component with another entity.
    Swap(Target, Kind, u8),
    /// Copies an entity with the components that can be copied.
    Copy(Target, Copying),
    /// Copies the components of an entity to another one.
    CopyTo(Target, u8, Copying, Conflict),
    /// Creates a template of the components of an entity.
    MakeTemplate(Target, Copying),
    /// Creates entities from a template.
    FromTemplate(u8, u8),
    ApplyTemplate(Target, u8, Conflict),
    /// Removes a component from all members of a group.
    RemoveFromGroup(u8, Kind),
    DestroyGroup(u8),
    /// Removes a component whose number is smaller, or destroys the entities.
    Expire(Kind, u8, bool),
    /// Runs cleanup: removes all `L`, and destroys all entities with `N`.
    CleanUp,
    /// Creates several entities together.
    CreateRun(Shape, Way, u8, u8),
    /// Writes with a reporting query.
    Write(Write, u8),
    /// Writes one or two values with a reporting query.
    WriteTo(Target, Option<u8>, Kind, u8),
    /// Sets the unique component through the context.
    SetUnique(u8),
    ReplaceUnique(u8),
    UpdateUnique(u8),
    RemoveUnique,
    DestroyUnique,
    /// Changes the state, which is a value of the unique component.
    SetState(u8),
    DestroyAll,
    Reset,
    Defragment,
    DefragmentFor(u8),
    ShrinkToFit,
    ClearPool(Kind),
    ClearPools,
    ReserveEntities(u8),
    Reserve(Kind, u8),
    MakeGroup(Sets),
    ForEach(u8, Vec<Op>),
    MakeCollector(Vec<(Sets, Events)>),
    /// Creates several collectors of one trigger.
    MakeCollectors(u8, Vec<(Sets, Events)>),
    Drain(u8),
    /// Visits the entities with `A` that two collectors hold, and drains both.
    DrainRows(u8, u8),
    Clear(u8),
    Activate(u8),
    Deactivate(u8),
    Release(u8),
    /// Subscribes an observer or a listener that runs these operations at each call.
    Subscribe(Listen, Vec<Op>),
    Unsubscribe(u8),
    /// Creates a guard of an observer or a listener.
    Guard(u8),
    /// Drops a guard, which unsubscribes.
    DropGuard(u8),
    ClearObservers,
    ClearGroupObservers(u8),
    /// Delivers events, through a system or by a call.
    Deliver(bool),
    /// Calls a listener with all existing components.
    Replay(u8),
    /// Activates, deactivates or clears events, or removes all listeners.
    SwitchEvents(Switch),
    /// Creates reactive systems: one that runs these operations with each entity, and a query.
    MakeSystems(Vec<(Sets, Events)>, Vec<Op>),
    /// Creates systems for a state that run these operations: on exit, on entry, while in it.
    MakeStates(u8, Vec<Op>),
    /// Creates a system that runs these operations at each transition between states.
    MakeTransitions(Vec<Op>),
    /// Plugs a system that runs these operations into the first or second stage of a list.
    PlugIn(u8, bool, Plug, Vec<Op>),
    Execute(u8),
    SwitchSystems(u8, Switch),
    /// Drops the handle of a collector without releasing it.
    DropCollector(u8),
    MakeInbox,
    Send(u8),
    DrainInbox(u8),
    ClearInbox(u8),
    DropInbox(u8),
    /// Starts to collect removed values of `A`.
    MakeRemoved,
    DrainRemoved(u8),
    SwitchRemoved(u8, Switch),
    DropRemoved(u8),
    /// Creates an index by key function; from then on there are no untracked writes.
    MakeIndex(Keyed),
    SwitchIndex(u8, bool),
    DropIndex(u8),
    /// Creates a feed of all components but `B`, `E` and `K`, or only of entities whose `A` is
    /// small; from then on there are no untracked writes.
    MakeFeed(bool),
    /// Takes a delta of a feed; or everything, for a copy that joins late.
    TakeFeed(u8, bool),
    DropFeed(u8),
    /// Creates entities from a template in which they refer to each other. A ring is a relation of
    /// the first one to another one.
    CreateTree(Vec<Node>, Option<(Kind, usize)>),
    /// Merges a save of another context, in which these operations were run: as bytes, or as text.
    Merge(Vec<Op>, bool),
    /// Loads a save of another context instead of the present entities.
    Reload(Vec<Op>, bool),
    /// Runs operations as a step that can be undone, or adds them to the last step. Only the library
    /// runs these: how much of a step comes back is a property of its own (`tests/records/undo.rs`).
    Edit(Vec<Op>, bool),
    Undo,
    Redo,
    /// Runs operations; their n-th call of user code panics.
    Panicking(u8, Vec<Op>),
}

impl Op {
    /// Maps the components that it concerns.
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
            Self::UpdateHalfway(target, kind, v) => Self::UpdateHalfway(target, map(kind), v),
            Self::Touch(target, kind) => Self::Touch(target, map(kind)),
            Self::UpdateWith(target, kind, v) => Self::UpdateWith(target, map(kind), v),
            Self::Untyped(target, verb, kind, v) => Self::Untyped(target, verb, map(kind), v),
            Self::Remove(target, kind) => Self::Remove(target, map(kind)),
            Self::Take(target, kind) => Self::Take(target, map(kind)),
            Self::UseAfterDestroy(target, kind, v) => Self::UseAfterDestroy(target, map(kind), v),
            Self::AddMany(kind, v, some) => Self::AddMany(map(kind), v, some),
            Self::ReplaceMany(kind, v, some) => Self::ReplaceMany(map(kind), v, some),
            Self::UpdateMany(kind, v, some) => Self::UpdateMany(map(kind), v, some),
            Self::Swap(target, kind, other) => Self::Swap(target, map(kind), other),
            Self::RemoveFromGroup(group, kind) => Self::RemoveFromGroup(group, map(kind)),
            Self::Write(write, v) => Self::Write(write.map_kinds(map), v),
            Self::WriteTo(target, other, kind, v) => Self::WriteTo(target, other, map(kind), v),
            Self::Each(pick, script) => Self::Each(pick, ops(script)),
            Self::CreateTree(ref nodes, ring)
                if nodes
                    .iter()
                    .flat_map(Node::kinds)
                    .chain(ring.map(|(kind, _)| kind))
                    .any(|kind| map(kind) != kind) =>
            {
                Self::Create
            }
            Self::CleanUp if map(Kind::L) != Kind::L || map(Kind::N) != Kind::N => Self::Create,
            Self::CreateRun(shape, ..) if shape.kinds().iter().any(|it| map(*it) != *it) => {
                Self::Create
            }
            Self::Panicking(at, script) => Self::Panicking(at, ops(script)),
            Self::Edit(script, amends) => Self::Edit(ops(script), amends),
            Self::Merge(program, binary) => Self::Merge(ops(program), binary),
            Self::Reload(program, binary) => Self::Reload(ops(program), binary),
            Self::Expire(kind, v, destroys) => Self::Expire(map(kind), v, destroys),
            Self::RemoveMany(kind, some) => Self::RemoveMany(map(kind), some),
            Self::ForEach(group, script) => Self::ForEach(group, ops(script)),
            other => other,
        }
    }

    /// Maps the sets of its groups.
    pub fn map_sets(&mut self, map: &mut impl FnMut(&mut Sets)) {
        match self {
            Self::MakeGroup(sets) => map(sets),
            Self::MakeCollector(parts)
            | Self::MakeCollectors(_, parts)
            | Self::PlugIn(_, _, Plug::Changed(parts), _)
            | Self::MakeSystems(parts, _) => parts.iter_mut().for_each(|(sets, _)| map(sets)),
            _ => {}
        }
        let script = self.script_mut().into_iter().flatten();
        script.for_each(|op| op.map_sets(map));
    }

    /// The operations that it or its observers run.
    #[must_use]
    pub fn script(&self) -> &[Self] {
        match self {
            Self::Each(_, script)
            | Self::ForEach(_, script)
            | Self::Subscribe(_, script)
            | Self::MakeSystems(_, script)
            | Self::MakeStates(_, script)
            | Self::MakeTransitions(script)
            | Self::PlugIn(_, _, _, script)
            | Self::Edit(script, _)
            | Self::Panicking(_, script) => script,
            _ => &[],
        }
    }

    fn script_mut(&mut self) -> Option<&mut Vec<Self>> {
        match self {
            Self::Each(_, script)
            | Self::ForEach(_, script)
            | Self::Subscribe(_, script)
            | Self::MakeSystems(_, script)
            | Self::MakeStates(_, script)
            | Self::MakeTransitions(script)
            | Self::PlugIn(_, _, _, script)
            | Self::Edit(script, _)
            | Self::Panicking(_, script) => Some(script),
            _ => None,
        }
    }

    /// Whether `holds` is true for it or for an operation in its script.
    pub fn any(&self, holds: &impl Fn(&Self) -> bool) -> bool {
        holds(self) || self.script().iter().any(|op| op.any(holds))
    }

    /// Whether it concerns the members of a group.
    #[must_use]
    pub fn names_group(&self) -> bool {
        match self {
            Self::ForEach(..)
            | Self::RemoveFromGroup(..)
            | Self::DestroyGroup(_)
            | Self::Write(Write::Members(..), _) => true,
            Self::Each(_, script) => script.iter().any(Self::names_group),
            _ => false,
        }
    }

    /// Whether it writes untracked.
    #[must_use]
    pub fn is_untracked(&self) -> bool {
        matches!(
            self,
            Self::Untracked(..) | Self::Write(Write::Untracked(_), _)
        )
    }

    /// The entity that it concerns, if it is a single one.
    #[must_use]
    pub fn target(&self) -> Option<Target> {
        match *self {
            Self::Add(target, ..)
            | Self::Replace(target, ..)
            | Self::Insert(target, ..)
            | Self::AddAll(target, ..)
            | Self::Update(target, ..)
            | Self::UpdateHalfway(target, ..)
            | Self::Touch(target, ..)
            | Self::Untracked(target, ..)
            | Self::Remove(target, ..)
            | Self::Take(target, ..)
            | Self::Swap(target, ..)
            | Self::Copy(target, _)
            | Self::CopyTo(target, ..)
            | Self::MakeTemplate(target, _)
            | Self::ApplyTemplate(target, ..)
            | Self::UpdateWith(target, ..)
            | Self::FillNew(target, _)
            | Self::FillAny(target, _)
            | Self::Untyped(target, ..)
            | Self::WriteTo(target, ..)
            | Self::RemoveAll(target)
            | Self::Destroy(target)
            | Self::UseAfterDestroy(target, ..) => Some(target),
            _ => None,
        }
    }
}

/// Formats a program as source code for a test that has
/// `use model::op::{Events::*, Kind::*, Listen::*, Op::*, Sets, Target::*};`.
#[must_use]
pub fn paste(program: &[Op]) -> String {
    let lines = program
        .iter()
        .map(|op| format!("    {op:?},\n").replace('[', "vec!["));
    format!("vec![\n{}]", lines.collect::<String>())
}
