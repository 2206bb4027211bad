//! The usual way of a change, inlined where it is called: the entity is alive, the component
//! numbered, the edge known, the block there, and nothing to compare. All that is left is to store the
//! value and to walk the edge, which runs no user code.
//!
//! What is rare, and everything in builds with debug assertions, goes the erased way (`write.rs`), which
//! is compiled once for all components.

use crate::matching::effects::EffectsIndex;
use crate::state::core::Core;
use crate::storage::column::{ColumnOf, Place};
use crate::storage::slots::{NodeIndex, Row, Slot};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

/// Whether changes go this way at all: not in builds with debug assertions, so that components cost the
/// compiler less there.
pub(crate) const FAST: bool = !cfg!(debug_assertions);

/// Whether a component can be stored without being compared with those of other entities.
pub(crate) const fn is_plain<C, T: Component<C>>() -> bool {
    !T::UNIQUE && T::INDEXES.is_empty()
}

/// The edge that an entity walks when it gets a component, or loses it.
pub(crate) struct EdgeMove<'a> {
    row: Row,
    effects: EffectsIndex,
    node: &'a mut NodeIndex,
    target: NodeIndex,
}

/// The place for a component that an entity lacks and may have.
pub(crate) struct Vacancy<'a, T> {
    step: EdgeMove<'a>,
    place: Place<'a, T>,
}

impl<'a, T: Send + Sync + 'static> Vacancy<'a, T> {
    /// The vacancy, if there is nothing to compare, and nothing happens for the first time. What
    /// filling it does may be unknown.
    #[inline]
    pub(crate) fn near<C: 'static>(core: &'a mut Core<C>, id: EntityId<C>) -> Option<Self>
    where
        T: Component<C>,
    {
        if const { !is_plain::<C, T>() } {
            return None;
        }
        let parts = core.parts();
        let (row, node) = parts.slots.get_mut(id)?;
        let (component, column) = parts.columns.known::<T>()?;
        let (target, effects) = parts.graph.near_edge(*node, component)?;
        let place = column.inline_place(row)?;
        let step = EdgeMove {
            row,
            effects,
            node,
            target,
        };
        Some(Self { step, place })
    }

    /// What it does that the entity gets the component.
    #[inline]
    pub(crate) fn effects(&self) -> EffectsIndex {
        self.step.effects
    }

    /// Gives the entity the component.
    #[inline]
    pub(crate) fn fill(self, value: T) {
        self.place.fill(value);
        *self.step.node = self.step.target;
    }
}

/// The value of a component that an entity has, to be changed where it is.
pub(crate) struct Occupied<'a, T> {
    pub(crate) row: Row,
    pub(crate) effects: EffectsIndex,
    pub(crate) value: &'a mut T,
}

impl<'a, T: Send + Sync + 'static> Occupied<'a, T> {
    /// The value, if nothing happens for the first time. What changing it does may be unknown.
    #[inline]
    pub(crate) fn near<C: 'static>(core: &'a mut Core<C>, id: EntityId<C>) -> Option<Self>
    where
        T: Component<C>,
    {
        let parts = core.parts();
        let Slot { row, node } = parts.slots.get(id)?;
        let (component, column) = parts.columns.known::<T>()?;
        let effects = parts.graph.near_update(node, component)?;
        let value = column.get_mut(row)?;
        Some(Self {
            row,
            effects,
            value,
        })
    }
}

/// A component that an entity has, to be taken from it.
pub(crate) struct Removable<'a, T> {
    step: EdgeMove<'a>,
    column: &'a mut ColumnOf<T>,
}

impl<'a, T: Send + Sync + 'static> Removable<'a, T> {
    /// The component, if nothing happens for the first time. The entity may lack it, and what taking it
    /// does may be unknown.
    #[inline]
    pub(crate) fn near<C: 'static>(core: &'a mut Core<C>, id: EntityId<C>) -> Option<Self>
    where
        T: Component<C>,
    {
        let parts = core.parts();
        let (row, node) = parts.slots.get_mut(id)?;
        let (component, column) = parts.columns.known::<T>()?;
        let (target, effects) = parts.graph.near_edge(*node, component)?;
        let step = EdgeMove {
            row,
            effects,
            node,
            target,
        };
        Some(Self { step, column })
    }

    /// What it does that the entity loses the component.
    #[inline]
    pub(crate) fn effects(&self) -> EffectsIndex {
        self.step.effects
    }

    /// Takes the component from the entity, if it has it and its block has others.
    #[inline]
    pub(crate) fn take_inline(self) -> Option<T> {
        let value = self.column.remove_beside(self.step.row)?;
        *self.step.node = self.step.target;
        Some(value)
    }
}
