//! The fast path of a change, inlined into the caller: the entity is alive, the component numbered,
//! the edge known, the block allocated, and there is nothing to compare. What remains is to store
//! the value and to move the entity along the edge, without user code.
//!
//! Everything else, and everything in builds with debug assertions, takes the erased path
//! (`write.rs`), which is compiled once for all components.

use crate::matching::effects::EffectsIndex;
use crate::state::core::Core;
use crate::storage::column::{ColumnOf, Place};
use crate::storage::slots::{NodeIndex, Row, Slot};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

/// Whether the fast path is used: not in builds with debug assertions, so that components cost less
/// compile time.
pub(crate) const FAST: bool = !cfg!(debug_assertions);

/// Whether a component can be stored without comparing it with those of other entities.
pub(crate) const fn is_plain<C, T: Component<C>>() -> bool {
    !T::UNIQUE && T::INDEXES.is_empty()
}

/// The edge for adding or removing a component of an entity.
pub(crate) struct EdgeMove<'a> {
    row: Row,
    effects: EffectsIndex,
    node: &'a mut NodeIndex,
    target: NodeIndex,
}

/// The place for a component that an entity lacks.
pub(crate) struct Vacancy<'a, T> {
    step: EdgeMove<'a>,
    place: Place<'a, T>,
}

impl<'a, T: 'static> Vacancy<'a, T> {
    /// Finds the vacancy, if there is nothing to compare and nothing must be initialized. The
    /// effects may be unknown.
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

    /// The effects of adding the component.
    #[inline]
    pub(crate) fn effects(&self) -> EffectsIndex {
        self.step.effects
    }

    /// Adds the component to the entity.
    #[inline]
    pub(crate) fn fill(self, value: T) {
        self.place.fill(value);
        *self.step.node = self.step.target;
    }
}

/// The value of an entity's component, for changes in place.
pub(crate) struct Occupied<'a, T> {
    pub(crate) row: Row,
    pub(crate) effects: EffectsIndex,
    pub(crate) value: &'a mut T,
}

impl<'a, T: 'static> Occupied<'a, T> {
    /// Finds the value, if nothing must be initialized. The effects may be unknown.
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

/// A component of an entity, to be removed.
pub(crate) struct Removable<'a, T> {
    step: EdgeMove<'a>,
    column: &'a mut ColumnOf<T>,
}

impl<'a, T: 'static> Removable<'a, T> {
    /// Finds the component, if nothing must be initialized. The entity may lack it, and the effects
    /// may be unknown.
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

    /// The effects of removing the component.
    #[inline]
    pub(crate) fn effects(&self) -> EffectsIndex {
        self.step.effects
    }

    /// Removes the component, if the entity has it and it is not the last one of its block.
    #[inline]
    pub(crate) fn take_inline(self) -> Option<T> {
        let value = self.column.remove_beside(self.step.row)?;
        *self.step.node = self.step.target;
        Some(value)
    }
}
