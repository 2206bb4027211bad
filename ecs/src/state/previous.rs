//! The state before a change: recorded in the history, passed to observers, then retired. Values
//! have erased types, so all of this is compiled once for all components.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;

use super::queueing::{queue_change, queue_effects, queue_effects_of, queue_entity};
use super::recording::{
    record_added, record_clone, record_created, record_destroyed, record_left, record_moved,
};
use crate::matching::effects::EffectsIndex;
use crate::reactions::history::Kind;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::storage::descriptor::AnyValue;
use crate::storage::moved::{Buffer, Moved};
use crate::storage::slots::{NodeIndex, Row, Slot};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// The state before a change.
pub(super) enum Previous<'a> {
    /// No entity: it was created with the components of a node.
    Created(NodeIndex),
    /// An entity that was destroyed. Its values are still in its row.
    Destroyed(Slot),
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
}

/// The previous value of a component.
pub(super) enum PreviousValue<'a> {
    /// There was none, or it was moved to the history.
    None,
    /// It was removed or replaced, to be pooled or dropped.
    Gone(Moved<'a>),
    /// It is a copy of the value before an update.
    Copied(Moved<'a>),
    /// It belongs to the caller; there is a clone if the history needs one.
    Taken(&'a AnyValue, Option<Moved<'a>>),
    /// It was removed or replaced, and is still in its row.
    Left(Row),
}

impl<'a> Previous<'a> {
    /// The component was added.
    pub(super) fn none(component: RawComponentIndex) -> Self {
        Self::of(component, Kind::Added, PreviousValue::None)
    }

    /// The value was removed or replaced.
    pub(super) fn gone(component: RawComponentIndex, kind: Kind, value: Moved<'a>) -> Self {
        Self::of(component, kind, PreviousValue::Gone(value))
    }

    /// The value was changed; there is a copy if it is needed.
    pub(super) fn copied(component: RawComponentIndex, copy: Option<Moved<'a>>) -> Self {
        let value = copy.map_or(PreviousValue::None, PreviousValue::Copied);
        Self::of(component, Kind::Replaced, value)
    }

    /// The value was removed, and belongs to the caller; there is a clone if the history needs one.
    pub(super) fn taken(
        component: RawComponentIndex,
        value: &'a AnyValue,
        clone: Option<Moved<'a>>,
    ) -> Self {
        Self::of(component, Kind::Removed, PreviousValue::Taken(value, clone))
    }

    /// The value was removed, and is still in its row.
    pub(super) fn left(component: RawComponentIndex, row: Row) -> Self {
        Self::of(component, Kind::Removed, PreviousValue::Left(row))
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
        mem::replace(self, Self::Created(NodeIndex(0)))
    }

    /// The value of the component, for observers.
    pub(super) fn passed_value(&self) -> Option<&AnyValue> {
        let Self::Component { value, .. } = self else {
            return None;
        };
        let value: &AnyValue = match value {
            PreviousValue::Gone(value) | PreviousValue::Copied(value) => value.view(),
            PreviousValue::Taken(value, _) => return Some(*value),
            PreviousValue::None | PreviousValue::Left(_) => return None,
        };
        Some(value)
    }

    /// Records the change in the history, with clones of the values if they are `passed` to
    /// observers. If a clone panics, the change is recorded with the value itself.
    pub(super) fn record(
        &mut self,
        world: &mut World,
        subs: &mut Subscribers,
        id: UntypedId,
        passed: bool,
    ) {
        match self {
            Self::Created(node) => record_created(world, subs, id, *node, None),
            Self::Destroyed(slot) => {
                record_destroyed(world, subs, id, slot.node, (slot.row, passed))
            }
            Self::Bundle {
                added,
                replaced,
                row,
            } => {
                for &component in &*added {
                    record_added(world, subs, id, component);
                }
                record_left(world, subs, Kind::Replaced, id, replaced, (*row, passed));
            }
            Self::Component {
                component,
                kind,
                value,
            } => value.record(world, subs, (id, *component), *kind, passed),
        }
    }

    /// Queues notifications of observers with the values, which are retired afterwards.
    pub(super) fn queue(
        self,
        world: &mut World,
        subs: &mut Subscribers,
        id: UntypedId,
        effects: EffectsIndex,
    ) {
        match self {
            Self::Created(_) => {
                queue_change(subs, id, None, None);
                queue_entity(subs, Subject::CREATED);
                queue_effects(world, subs, effects);
            }
            Self::Destroyed(slot) => {
                for place in 0..world.graph.component_list(slot.node).len() {
                    let component = world.graph.component_list(slot.node)[place];
                    queue_left(world, subs, id, (effects, component), slot.row);
                }
                queue_change(subs, id, None, None);
                queue_effects_of(world, subs, effects, None);
                queue_entity(subs, Subject::DESTROYED);
            }
            Self::Bundle {
                added,
                replaced,
                row,
            } => {
                queue_change(subs, id, None, None);
                queue_effects_of(world, subs, effects, None);
                for component in added {
                    queue_effects_of(world, subs, effects, Some(component));
                }
                for component in replaced {
                    queue_left(world, subs, id, (effects, component), row);
                }
            }
            Self::Component {
                component, value, ..
            } => {
                let (recycle_to, value) = value.keep(world, subs, component);
                queue_change(subs, id, recycle_to, value);
                queue_effects(world, subs, effects);
            }
        }
    }

    /// Pools or drops the values.
    pub(super) fn retire(self, world: &mut World) {
        match self {
            Self::Created(_) => {}
            Self::Destroyed(slot) => drop_components(world, slot),
            Self::Bundle { replaced, row, .. } => world.columns.drop_left(&replaced, row),
            Self::Component {
                component, value, ..
            } => match value {
                PreviousValue::Gone(value) => world.columns.recycle_moved(component, value),
                PreviousValue::Left(row) => world.columns.drop_left(&[component], row),
                PreviousValue::None | PreviousValue::Copied(_) | PreviousValue::Taken(..) => {}
            },
        }
    }
}

impl PreviousValue<'_> {
    /// Records a change of a component in the history, with the value or a clone of it.
    fn record(
        &mut self,
        world: &mut World,
        subs: &mut Subscribers,
        (id, component): (UntypedId, RawComponentIndex),
        kind: Kind,
        passed: bool,
    ) {
        match self {
            Self::None if kind == Kind::Added => record_added(world, subs, id, component),
            Self::None => {}
            Self::Left(row) => record_left(world, subs, kind, id, &[component], (*row, passed)),
            Self::Taken(_, clone) => {
                if let Some(clone) = clone.take() {
                    record_moved(world, subs, kind, id, component, clone);
                }
            }
            Self::Gone(_) | Self::Copied(_) if passed => {
                let value = self;
                let mut moving = MovedOnPanic {
                    world,
                    subs,
                    of: (id, component),
                    kind,
                    value,
                };
                moving.record_clone();
                mem::forget(moving);
            }
            Self::Gone(_) | Self::Copied(_) => {
                if let Self::Gone(value) | Self::Copied(value) = mem::replace(self, Self::None) {
                    record_moved(world, subs, kind, id, component, value);
                }
            }
        }
    }

    /// The value for observers notified later, and the component for whose pool it is.
    fn keep(
        self,
        world: &mut World,
        subs: &Subscribers,
        component: RawComponentIndex,
    ) -> (Option<RawComponentIndex>, Option<Box<AnyValue>>) {
        match self {
            Self::Gone(value) => (Some(component), Some(value.into_box())),
            Self::Left(row) => (Some(component), world.columns.take_left(component, row)),
            Self::Copied(copy) => (None, Some(copy.into_box())),
            Self::Taken(value, _) if subs.indexes.is_step_recorded() => {
                let mut copy = Buffer::new(world.columns.describe(component));
                (None, copy.clone_of(value).map(Moved::into_box))
            }
            Self::None | Self::Taken(..) => (None, None),
        }
    }
}

/// A previous value of which a clone is recorded, or the value itself, if the clone panics.
struct MovedOnPanic<'m, 'a> {
    world: &'m mut World,
    subs: &'m mut Subscribers,
    of: (UntypedId, RawComponentIndex),
    kind: Kind,
    value: &'m mut PreviousValue<'a>,
}

impl MovedOnPanic<'_, '_> {
    fn record_clone(&mut self) {
        let (id, component) = self.of;
        if let PreviousValue::Gone(value) | PreviousValue::Copied(value) = &*self.value {
            record_clone(
                self.world,
                self.subs,
                self.kind,
                id,
                component,
                value.view(),
            );
        }
    }
}

impl Drop for MovedOnPanic<'_, '_> {
    fn drop(&mut self) {
        self.value
            .record(self.world, self.subs, self.of, self.kind, false);
    }
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
pub(super) fn drop_components(world: &mut World, slot: Slot) {
    let components = world.graph.component_list(slot.node);
    world.columns.drop_left(components, slot.row);
}
