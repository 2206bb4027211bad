//! Storing an admitted change: the value in its place, the entity at its node. All checks are
//! done, and no user code runs.

use core::mem;

use super::admit::{Admitted, Held, Occupied, Pair, Vacancy, Walk};
use crate::matching::effects::EffectsIndex;
use crate::storage::slots::Row;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

/// A change that is stored, and that groups, collectors, indexes and observers are to follow.
pub(super) struct Stored<C> {
    pub(super) id: EntityId<C>,
    pub(super) row: Row,
    pub(super) effects: EffectsIndex,
}

impl<C> Admitted<C> {
    #[inline]
    pub(super) fn stored(self) -> Stored<C> {
        let Self { id, row, effects } = self;
        Stored { id, row, effects }
    }
}

impl<C> Walk<'_, C> {
    #[inline]
    fn arrive(self) -> Stored<C> {
        *self.node = self.target;
        self.entity.stored()
    }
}

impl<C, T> Vacancy<'_, C, T> {
    /// Gives the entity the component.
    #[inline]
    pub(super) fn fill(self, value: T) -> Stored<C> {
        self.place.fill(value);
        self.walk.arrive()
    }
}

impl<C, T> Occupied<'_, C, T> {
    /// Exchanges the value there for another one.
    #[inline]
    pub(super) fn swap(self, value: &mut T) -> Stored<C> {
        mem::swap(self.value, value);
        self.entity.stored()
    }
}

impl<C: 'static, T: Component<C>> Pair<'_, C, T> {
    /// Has the two values change places.
    pub(super) fn swap(self) -> [Stored<C>; 2] {
        let [first, second] = self.entities.each_ref().map(|entity| entity.row);
        if let Some(value) = self.column.remove(first) {
            let other = self.column.get_mut(second);
            let value = other.map(|other| mem::replace(other, value));
            if let Some(value) = value {
                let _ = self.column.insert(first, value); // which has been emptied
            }
        }
        self.entities.map(Admitted::stored)
    }
}

impl<C: 'static, T: Component<C>> Held<'_, C, T> {
    /// Takes the component from the entity, if it has it and its block has others.
    #[inline]
    pub(super) fn take_beside(self) -> Option<(Stored<C>, T)> {
        let value = self.column.remove_beside(self.walk.entity.row)?;
        Some((self.walk.arrive(), value))
    }

    /// Takes the component from the entity, if it has it.
    #[inline]
    pub(super) fn take(self) -> Option<(Stored<C>, T)> {
        let value = self.column.remove(self.walk.entity.row)?;
        Some((self.walk.arrive(), value))
    }
}
