//! The state before a change: recorded in the history, passed to observers, then retired. Values
//! have erased types, so all of this is compiled once for all components.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;

use super::queue::{queue_change, queue_effects, queue_effects_of, queue_entity};
use super::record::{
    keep_left, record_all, record_created, record_destroyed, record_list, record_moved,
};
use crate::matching::effects::EffectsIndex;
use crate::reactions::history::Kind;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::state::recording::is_recorded;
use crate::storage::descriptor::AnyValue;
use crate::storage::moved::{Buffer, Moved};
use crate::storage::slots::{NodeIndex, Row, Slot};
use crate::storage::value_list::ValueList;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// The state before a change.
pub(crate) enum Previous<'a> {
    /// No entity: it was created with the components of its node.
    Created,
    /// Entities of a node that were destroyed. Their values are still in their rows.
    Destroyed { node: NodeIndex, rows: &'a [Row] },
    /// The components that a bundle has replaced, with their values in a row, and those it has
    /// added. Both are ascending.
    Bundle {
        added: Vec<RawComponentIndex>,
        replaced: Vec<RawComponentIndex>,
        row: Row,
    },
    /// A component.
    Component {
        component: RawComponentIndex,
        kind: Kind,
        value: PreviousValue<'a>,
    },
    /// Nothing remains to be done.
    Done,
}

/// The previous value of a component.
pub(crate) enum PreviousValue<'a> {
    /// There was none, or it was moved to the history.
    None,
    /// It was removed or replaced, to be pooled or dropped.
    Gone(Moved<'a>),
    /// It is a copy of the value before an update.
    Copied(Moved<'a>),
    /// It belongs to the caller; there is a clone if the history needs one.
    Taken(&'a AnyValue, Option<Moved<'a>>),
    /// It was removed, and is still in the row of its entity, which is alive.
    Left,
    /// The values of all entities of a run that were removed or replaced, to be pooled or dropped.
    AllGone(ValueList),
    /// Copies of the values of all entities of a run before an update.
    AllCopied(ValueList),
}

impl<'a> Previous<'a> {
    /// The component was added.
    pub(crate) fn none(component: RawComponentIndex) -> Self {
        Self::of(component, Kind::Added, PreviousValue::None)
    }

    /// The value was removed or replaced.
    pub(crate) fn gone(component: RawComponentIndex, kind: Kind, value: Moved<'a>) -> Self {
        Self::of(component, kind, PreviousValue::Gone(value))
    }

    /// The value was changed; there is a copy if it is needed.
    pub(crate) fn copied(component: RawComponentIndex, copy: Option<Moved<'a>>) -> Self {
        let value = copy.map_or(PreviousValue::None, PreviousValue::Copied);
        Self::of(component, Kind::Replaced, value)
    }

    /// The value was removed, and belongs to the caller; there is a clone if the history needs one.
    pub(crate) fn taken(
        component: RawComponentIndex,
        value: &'a AnyValue,
        clone: Option<Moved<'a>>,
    ) -> Self {
        Self::of(component, Kind::Removed, PreviousValue::Taken(value, clone))
    }

    /// The values were removed, and are still in the rows of their entities, which are alive.
    pub(crate) fn left(component: RawComponentIndex) -> Self {
        Self::of(component, Kind::Removed, PreviousValue::Left)
    }

    /// The values of all entities of a run were replaced.
    pub(crate) fn replaced(component: RawComponentIndex, values: ValueList) -> Self {
        Self::of(component, Kind::Replaced, PreviousValue::AllGone(values))
    }

    /// The values of all entities of a run were changed; there are copies if they are needed.
    pub(crate) fn updated(component: RawComponentIndex, copies: Option<ValueList>) -> Self {
        let values = copies.map_or(PreviousValue::None, PreviousValue::AllCopied);
        Self::of(component, Kind::Replaced, values)
    }

    /// The flag of a term was removed.
    pub(crate) fn of_flag(component: RawComponentIndex) -> Self {
        Self::of(component, Kind::Removed, PreviousValue::None)
    }

    fn of(component: RawComponentIndex, kind: Kind, value: PreviousValue<'a>) -> Self {
        Self::Component {
            component,
            kind,
            value,
        }
    }

    /// Takes the previous state; nothing remains to be done for it.
    pub(super) fn take(&mut self) -> Self {
        mem::replace(self, Self::Done)
    }

    /// Whether observers can be notified without a queue.
    pub(super) fn is_of_component(&self) -> bool {
        matches!(self, Self::Component { .. })
    }

    /// Takes values out of rows, because observers may change these.
    pub(super) fn take_out(&mut self, world: &mut World, ids: &[UntypedId]) {
        if let Self::Component {
            component, value, ..
        } = self
            && matches!(value, PreviousValue::Left)
        {
            let rows: Vec<Row> = ids.iter().map(|&id| world.slots.row_of(id)).collect();
            let mut values = ValueList::new(world.columns.describe(*component));
            values.reserve(rows.len());
            world
                .columns
                .ensured(*component)
                .take_rows(&rows, &mut values);
            *value = PreviousValue::AllGone(values);
        }
    }

    /// The values of the component, for observers.
    pub(super) fn passed_values(&self) -> PassedValues<'_> {
        let Self::Component { value, .. } = self else {
            return PassedValues::One(None);
        };
        PassedValues::One(match value {
            PreviousValue::Gone(value) | PreviousValue::Copied(value) => Some(value.view()),
            PreviousValue::Taken(value, _) => Some(*value),
            PreviousValue::None | PreviousValue::Left => None,
            PreviousValue::AllGone(values) | PreviousValue::AllCopied(values) => {
                return PassedValues::Many(values);
            }
        })
    }

    /// Records the change in the history, with clones of the values if they are `passed` to
    /// observers. If a clone panics, the change is recorded with the value itself.
    pub(super) fn record(
        &mut self,
        world: &mut World,
        subs: &mut Subscribers,
        ids: &[UntypedId],
        passed: bool,
    ) {
        match self {
            Self::Created => record_created(world, subs, ids, &[]),
            Self::Destroyed { node, rows } => {
                record_destroyed(world, subs, ids, *node, (rows, passed));
            }
            Self::Bundle {
                added,
                replaced,
                row,
            } => {
                for &component in &*added {
                    record_all(world, subs, Kind::Added, ids, component);
                }
                for &component in &*replaced {
                    record_all(world, subs, Kind::Replaced, ids, component);
                }
                keep_left(world, subs, replaced, (&[*row], passed));
            }
            Self::Component {
                component,
                kind,
                value,
            } => value.record(world, subs, (ids, *component), *kind, passed),
            Self::Done => {}
        }
    }

    /// Queues notifications of an entity, the next of its run, with its values, which are retired
    /// afterwards.
    pub(super) fn queue(
        &mut self,
        world: &mut World,
        subs: &mut Subscribers,
        (id, nth): (UntypedId, usize),
        effects: EffectsIndex,
    ) {
        match self {
            Self::Created => {
                queue_change(subs, id, None, None);
                queue_entity(subs, Subject::CREATED);
                queue_effects(world, subs, effects);
            }
            Self::Destroyed { node, rows } => {
                queue_destroyed(world, subs, (id, effects), *node, rows[nth]);
            }
            Self::Bundle {
                added,
                replaced,
                row,
            } => {
                queue_change(subs, id, None, None);
                queue_effects_of(world, subs, effects, None);
                for &component in &*added {
                    queue_effects_of(world, subs, effects, Some(component));
                }
                for &component in &*replaced {
                    queue_left(world, subs, id, (effects, component), *row);
                }
            }
            Self::Component {
                component, value, ..
            } => {
                let (recycle_to, value) = value.keep(world, subs, (id, *component));
                queue_change(subs, id, recycle_to, value);
                queue_effects(world, subs, effects);
            }
            Self::Done => {}
        }
    }

    /// Pools or drops the values.
    pub(crate) fn retire(self, world: &mut World, ids: &[UntypedId]) {
        match self {
            Self::Created | Self::Done => {}
            Self::Destroyed { node, rows } => {
                let components = world.graph.component_list(node);
                world.columns.drop_left_in_rows(components, rows);
            }
            Self::Bundle { replaced, row, .. } => world.columns.drop_left(&replaced, row),
            Self::Component {
                component, value, ..
            } => match value {
                PreviousValue::Gone(value) => world.columns.recycle_moved(component, value),
                PreviousValue::Left => {
                    let rows = ids.iter().map(|&id| world.slots.row_of(id));
                    let rows: Vec<Row> = rows.collect();
                    world.columns.drop_left_in_rows(&[component], &rows);
                }
                PreviousValue::AllGone(mut values) => {
                    while let Some(value) = values.pop_first() {
                        world.columns.recycle_moved(component, value);
                    }
                }
                PreviousValue::None
                | PreviousValue::Copied(_)
                | PreviousValue::AllCopied(_)
                | PreviousValue::Taken(..) => {}
            },
        }
    }
}

/// The values that observers get, by the positions of the entities of a run.
pub(crate) enum PassedValues<'a> {
    One(Option<&'a AnyValue>),
    Many(&'a ValueList),
}

impl<'a> PassedValues<'a> {
    /// The value of an entity.
    pub(super) fn get(&self, nth: usize) -> Option<&'a AnyValue> {
        match self {
            Self::One(value) => *value,
            Self::Many(values) => values.get(nth),
        }
    }
}

impl PreviousValue<'_> {
    /// Records a change of a component in the history, with the values or clones of them.
    fn record(
        &mut self,
        world: &mut World,
        subs: &mut Subscribers,
        (ids, component): (&[UntypedId], RawComponentIndex),
        kind: Kind,
        passed: bool,
    ) {
        match self {
            Self::None if kind != Kind::Added => {}
            Self::None => _ = record_all(world, subs, kind, ids, component),
            Self::Left => {
                record_all(world, subs, kind, ids, component);
                let rows = ids.iter().map(|&id| world.slots.row_of(id));
                let rows: Vec<Row> = rows.collect();
                keep_left(world, subs, &[component], (&rows, passed));
            }
            Self::Taken(_, clone) => {
                if let Some(clone) = clone.take() {
                    record_moved(world, subs, kind, ids[0], component, clone);
                }
            }
            value if passed => {
                let mut moving = MovedOnPanic {
                    world,
                    subs,
                    of: (ids, component),
                    kind,
                    value,
                };
                moving.record_clone();
                mem::forget(moving);
            }
            value => match mem::replace(value, Self::None) {
                Self::Gone(value) | Self::Copied(value) => {
                    record_moved(world, subs, kind, ids[0], component, value);
                }
                Self::AllGone(values) | Self::AllCopied(values) => {
                    record_list(world, subs, kind, (ids, component), values);
                }
                Self::None | Self::Left | Self::Taken(..) => {}
            },
        }
    }

    /// The value of the next entity for observers notified later, and the component for whose pool
    /// it is.
    fn keep(
        &mut self,
        world: &mut World,
        subs: &Subscribers,
        (id, component): (UntypedId, RawComponentIndex),
    ) -> (Option<RawComponentIndex>, Option<Box<AnyValue>>) {
        match self {
            Self::AllGone(values) => (Some(component), values.pop_first().map(Moved::into_box)),
            Self::AllCopied(values) => (None, values.pop_first().map(Moved::into_box)),
            Self::Left => {
                let row = world.slots.row_of(id);
                (Some(component), world.columns.take_left(component, row))
            }
            &mut Self::Taken(value, _) if subs.indexes.is_step_recorded() => {
                let mut copy = Buffer::new(world.columns.describe(component));
                (None, copy.clone_of(value).map(Moved::into_box))
            }
            _ => match mem::replace(self, Self::None) {
                Self::Gone(value) => (Some(component), Some(value.into_box())),
                Self::Copied(copy) => (None, Some(copy.into_box())),
                _ => (None, None),
            },
        }
    }
}

/// Previous values of which clones are recorded, or the values themselves, if a clone panics.
struct MovedOnPanic<'m, 'a> {
    world: &'m mut World,
    subs: &'m mut Subscribers,
    of: (&'m [UntypedId], RawComponentIndex),
    kind: Kind,
    value: &'m mut PreviousValue<'a>,
}

impl MovedOnPanic<'_, '_> {
    fn record_clone(&mut self) {
        let (ids, component) = self.of;
        if !is_recorded(self.subs, component) {
            return;
        }
        let mut values = ValueList::new(self.world.columns.describe(component));
        match &*self.value {
            PreviousValue::Gone(value) | PreviousValue::Copied(value) => {
                let mut buffer = Buffer::new(values.descriptor());
                if let Some(clone) = buffer.clone_of(value.view()) {
                    record_moved(self.world, self.subs, self.kind, ids[0], component, clone);
                }
            }
            PreviousValue::AllGone(all) | PreviousValue::AllCopied(all) => {
                values.reserve(all.len());
                if all.iter().all(|value| values.push_clone(value)) {
                    record_list(self.world, self.subs, self.kind, self.of, values);
                }
            }
            PreviousValue::None | PreviousValue::Left | PreviousValue::Taken(..) => {}
        }
    }
}

impl Drop for MovedOnPanic<'_, '_> {
    fn drop(&mut self) {
        self.value
            .record(self.world, self.subs, self.of, self.kind, false);
    }
}

/// Queues notifications of a destroyed entity, whose values are still in a row.
fn queue_destroyed(
    world: &mut World,
    subs: &mut Subscribers,
    (id, effects): (UntypedId, EffectsIndex),
    node: NodeIndex,
    row: Row,
) {
    for place in 0..world.graph.component_list(node).len() {
        let component = world.graph.component_list(node)[place];
        queue_left(world, subs, id, (effects, component), row);
    }
    queue_change(subs, id, None, None);
    queue_effects_of(world, subs, effects, None);
    queue_entity(subs, Subject::DESTROYED);
}

/// Queues notifications of a component whose value is still in a row.
fn queue_left(
    world: &mut World,
    subs: &mut Subscribers,
    id: UntypedId,
    (effects, component): (EffectsIndex, RawComponentIndex),
    row: Row,
) {
    let value = world.columns.take_left(component, row);
    queue_change(subs, id, Some(component), value);
    queue_effects_of(world, subs, effects, Some(component));
}

/// Drops the components of an entity whose slot is free already.
#[inline]
pub(crate) fn drop_components(world: &mut World, slot: Slot) {
    let components = world.graph.component_list(slot.node);
    world.columns.drop_left(components, slot.row);
}
