//! The usual way of a change, inlined where it is called: the entity is alive, the component
//! numbered, the edge known, the block there, and nothing to compare. All that is left is to store the
//! value and to walk the edge, which runs no user code.
//!
//! What is rare, and everything in builds with debug assertions, goes the erased way (`write.rs`), which
//! is compiled once for all components.

use core::mem;

use super::Stored;
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
pub(crate) struct Walk<'a, C> {
    stored: Stored<C>,
    node: &'a mut NodeIndex,
    target: NodeIndex,
}

impl<'a, C> Walk<'a, C> {
    #[inline]
    fn new(
        id: EntityId<C>,
        (row, node): (Row, &'a mut NodeIndex),
        (target, effects): (NodeIndex, EffectsIndex),
    ) -> Self {
        let stored = Stored { id, row, effects };
        Self {
            stored,
            node,
            target,
        }
    }

    #[inline]
    fn arrive(self) -> Stored<C> {
        *self.node = self.target;
        self.stored
    }
}

/// The place for a component that an entity lacks and may have.
pub(crate) struct Vacancy<'a, C, T> {
    walk: Walk<'a, C>,
    place: Place<'a, T>,
}

impl<'a, C: 'static, T: Component<C>> Vacancy<'a, C, T> {
    /// The vacancy, if there is nothing to compare, and nothing happens for the first time.
    #[inline]
    pub(crate) fn known(core: &'a mut Core<C>, id: EntityId<C>) -> Option<Self> {
        if const { !is_plain::<C, T>() } {
            return None;
        }
        let (row, node) = core.slots.get_mut(id)?;
        let (component, column) = core.columns.columns.known::<T>()?;
        let edge = core.graph.known_toggle(*node, component)?;
        let place = column.place_beside(row)?;
        let walk = Walk::new(id, (row, node), edge);
        Some(Self { walk, place })
    }

    /// Gives the entity the component.
    #[inline]
    pub(crate) fn fill(self, value: T) -> Stored<C> {
        self.place.fill(value);
        self.walk.arrive()
    }
}

/// The value of a component that an entity has, to be changed where it is.
pub(crate) struct Occupied<'a, C, T> {
    pub(crate) stored: Stored<C>,
    pub(crate) value: &'a mut T,
}

impl<'a, C: 'static, T: Component<C>> Occupied<'a, C, T> {
    /// The value, if nothing happens for the first time.
    #[inline]
    pub(crate) fn known(core: &'a mut Core<C>, id: EntityId<C>) -> Option<Self> {
        let Slot { row, node } = core.slots.get(id)?;
        let (component, column) = core.columns.columns.known::<T>()?;
        let effects = core.graph.known_update(node, component)?;
        let value = column.get_mut(row)?;
        let stored = Stored { id, row, effects };
        Some(Self { stored, value })
    }

    /// Exchanges the value there for another one.
    #[inline]
    pub(crate) fn swap(self, value: &mut T) -> Stored<C> {
        mem::swap(self.value, value);
        self.stored
    }
}

/// A component that an entity has, to be taken from it.
pub(crate) struct Held<'a, C, T> {
    walk: Walk<'a, C>,
    column: &'a mut ColumnOf<T>,
}

impl<'a, C: 'static, T: Component<C>> Held<'a, C, T> {
    /// The component, if nothing happens for the first time. The entity may lack it.
    #[inline]
    pub(crate) fn known(core: &'a mut Core<C>, id: EntityId<C>) -> Option<Self> {
        let (row, node) = core.slots.get_mut(id)?;
        let (component, column) = core.columns.columns.known::<T>()?;
        let edge = core.graph.known_toggle(*node, component)?;
        let walk = Walk::new(id, (row, node), edge);
        Some(Self { walk, column })
    }

    /// Whether observers, indexes or a history follow the change.
    #[inline]
    pub(crate) fn is_followed(&self) -> bool {
        self.walk.stored.effects.is_followed()
    }

    /// Takes the component from the entity, if it has it and its block has others.
    #[inline]
    pub(crate) fn take_beside(self) -> Option<(Stored<C>, T)> {
        let value = self.column.remove_beside(self.walk.stored.row)?;
        Some((self.walk.arrive(), value))
    }
}
