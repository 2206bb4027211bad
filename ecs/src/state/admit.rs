//! Admitting a change of one component of one entity: may this happen, and where?
//!
//! What is admitted knows the entity's row, the edge of the signature graph and the place of the
//! value, and is the only way to store something there (`store.rs`).
//!
//! ```text
//! known    alive, numbered, edge known, block there, nothing to compare   the usual case: no call
//! prepare  numbers, learns the edge, opens the block; or refuses          what is rare
//! ```
//!
//! Both return the same, so a change goes on in one way. Whether a key or a unique component is
//! free is asked in `prepare` alone: `known` is `None` for components that have any.

pub(super) mod attempt;
pub(super) mod bundle_writer;
pub(super) mod edge;
#[cfg(feature = "serde")]
pub(super) mod loaded;
pub(super) mod new_place;
pub(super) mod new_rows;
mod required;
pub(super) mod values;

use super::core::Core;
use super::refusal::{Check, Turn};
use crate::matching::effects::{EffectsIndex, EffectsTable};
use crate::storage::column::{ColumnOf, Place};
use crate::storage::slots::{NodeIndex, Row, Slot, Slots};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::field_index::are_checked;

pub(crate) use super::refusal::Refusal;

/// Whether a component can be stored without being compared with those of other entities.
const fn is_plain<C, T: Component<C>>() -> bool {
    !T::UNIQUE && T::INDEXES.is_empty()
}

/// An entity whose change is admitted, and what the change does beside storing a value.
pub(super) struct Admitted<C> {
    pub(super) id: EntityId<C>,
    pub(super) row: Row,
    pub(super) effects: EffectsIndex,
}

/// The edge that an entity walks when it gets a component, or loses it.
pub(super) struct Walk<'a, C> {
    pub(super) entity: Admitted<C>,
    pub(super) node: &'a mut NodeIndex,
    pub(super) target: NodeIndex,
}

impl<'a, C> Walk<'a, C> {
    #[inline]
    fn new(
        id: EntityId<C>,
        (row, node): (Row, &'a mut NodeIndex),
        (target, effects): (NodeIndex, EffectsIndex),
    ) -> Self {
        let entity = Admitted { id, row, effects };
        Self {
            entity,
            node,
            target,
        }
    }
}

/// The place for a component that an entity lacks and may have.
pub(super) struct Vacancy<'a, C, T> {
    pub(super) walk: Walk<'a, C>,
    pub(super) place: Place<'a, T>,
}

impl<'a, C: 'static, T: Component<C>> Vacancy<'a, C, T> {
    /// The vacancy, if there is nothing to compare, and nothing happens for the first time.
    #[inline]
    pub(super) fn known(core: &'a mut Core<C>, id: EntityId<C>) -> Option<Self> {
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

    /// The vacancy for this value, or why the entity cannot have it.
    pub(super) fn prepare(
        core: &'a mut Core<C>,
        id: EntityId<C>,
        value: &T,
    ) -> Result<Self, Refusal> {
        core.collect_signatures();
        if const { !is_plain::<C, T>() } {
            core.check_vacant::<T>(id)?;
            core.check_value(id, value)?;
            core.note_owner::<T>(id);
        }
        let (row, node) = core.slots.get_mut(id).ok_or(Refusal::Dead)?;
        let (component, column) = core.columns.columns.with_index::<T>();
        let place = column.place(row).ok_or(Refusal::Present)?;
        let edge = core.graph.toggle(*node, component, &core.groups);
        let walk = Walk::new(id, (row, node), edge);
        Ok(Self { walk, place })
    }
}

/// The value of a component that an entity has, to be changed where it is.
pub(super) struct Occupied<'a, C, T> {
    pub(super) entity: Admitted<C>,
    pub(super) value: &'a mut T,
    table: &'a EffectsTable,
}

impl<'a, C: 'static, T: Component<C>> Occupied<'a, C, T> {
    /// The value, if nothing happens for the first time.
    #[inline]
    pub(super) fn known(core: &'a mut Core<C>, id: EntityId<C>) -> Option<Self> {
        let Slot { row, node } = core.slots.get(id)?;
        let (component, column) = core.columns.columns.known::<T>()?;
        let effects = core.graph.known_update(node, component)?;
        let value = column.get_mut(row)?;
        let entity = Admitted { id, row, effects };
        let table = core.graph.effects();
        Some(Self {
            entity,
            value,
            table,
        })
    }

    /// The value, or why it cannot be changed.
    #[inline]
    pub(super) fn prepare(core: &'a mut Core<C>, id: EntityId<C>) -> Result<Self, Refusal> {
        let Slot { row, node } = core.slots.get(id).ok_or(Refusal::Dead)?;
        let (component, column) = core.columns.columns.with_index::<T>();
        let value = column.get_mut(row).ok_or(Refusal::Absent)?;
        let effects = core.graph.update(node, component, &core.groups);
        let entity = Admitted { id, row, effects };
        let table = core.graph.effects();
        Ok(Self {
            entity,
            value,
            table,
        })
    }

    /// A copy of the value, if observers or a history are to have one.
    #[inline]
    pub(super) fn copy(&self) -> Option<T> {
        match self.entity.effects.is_followed() {
            true => self.copy_followed(),
            false => None,
        }
    }

    #[inline(never)] // so that updates that nobody follows stay short
    fn copy_followed(&self) -> Option<T> {
        let effects = self.entity.effects;
        let is_lent = effects.is_recorded() || self.table.are_observed(effects);
        let clone = T::CLONE.filter(|_| is_lent);
        clone.map(|clone| clone(self.value))
    }
}

/// The values of a component that the entities of a list have, to be changed where they are.
pub(super) struct OccupiedMany<'a, T> {
    slots: &'a Slots,
    column: &'a mut ColumnOf<T>,
}

impl<'a, T: Send + Sync + 'static> OccupiedMany<'a, T> {
    /// The values of entities that have been found alive.
    #[inline]
    pub(super) fn of<C: 'static>(core: &'a mut Core<C>) -> Self
    where
        T: Component<C>,
    {
        Self {
            slots: &core.slots,
            column: core.columns.columns.of_mut::<T>(),
        }
    }

    /// The value of one of them.
    #[inline]
    pub(super) fn get_mut<C>(&mut self, id: EntityId<C>) -> Option<&mut T> {
        self.column.get_mut(self.slots.row_of(id))
    }
}

/// The values of a component that two entities have, to change places.
pub(super) struct Pair<'a, C, T> {
    pub(super) entities: [Admitted<C>; 2],
    pub(super) column: &'a mut ColumnOf<T>,
    table: &'a EffectsTable,
}

impl<'a, C: 'static, T: Component<C>> Pair<'a, C, T> {
    /// The values, or which entity has none, and why.
    pub(super) fn prepare(
        core: &'a mut Core<C>,
        ids: [EntityId<C>; 2],
    ) -> Result<Self, (EntityId<C>, Refusal)> {
        let mut admit = |id| {
            let occupied = Occupied::<C, T>::prepare(core, id);
            occupied
                .map(|it| it.entity)
                .map_err(|refusal| (id, refusal))
        };
        let entities = [admit(ids[0])?, admit(ids[1])?];
        Ok(Self {
            entities,
            column: core.columns.columns.of_mut::<T>(),
            table: core.graph.effects(),
        })
    }

    /// Copies of both values, as far as observers are to be lent them.
    pub(super) fn copies(&self) -> [Option<T>; 2] {
        self.entities.each_ref().map(|entity| {
            let effects = entity.effects;
            let is_lent = effects.is_recorded() || self.table.are_observed(effects);
            let clone = T::CLONE.filter(|_| is_lent)?;
            self.column.get(entity.row).map(clone)
        })
    }
}

/// A component that an entity has, to be taken from it.
pub(super) struct Held<'a, C, T> {
    pub(super) walk: Walk<'a, C>,
    pub(super) column: &'a mut ColumnOf<T>,
}

impl<'a, C: 'static, T: Component<C>> Held<'a, C, T> {
    /// The component, if nothing happens for the first time. The entity may lack it.
    #[inline]
    pub(super) fn known(core: &'a mut Core<C>, id: EntityId<C>) -> Option<Self> {
        let (row, node) = core.slots.get_mut(id)?;
        let (component, column) = core.columns.columns.known::<T>()?;
        let edge = core.graph.known_toggle(*node, component)?;
        let walk = Walk::new(id, (row, node), edge);
        Some(Self { walk, column })
    }

    /// The component, or why it cannot be taken.
    pub(super) fn prepare(core: &'a mut Core<C>, id: EntityId<C>) -> Result<Self, Refusal> {
        core.collect_signatures();
        let (row, node) = core.slots.get_mut(id).ok_or(Refusal::Dead)?;
        let (component, column) = core.columns.columns.with_index::<T>();
        if !column.contains(row) {
            return Err(Refusal::Absent);
        }
        let edge = core.graph.toggle(*node, component, &core.groups);
        let walk = Walk::new(id, (row, node), edge);
        Ok(Self { walk, column })
    }
}

impl<C: 'static> Core<C> {
    /// Refuses to add a component that the entity has, or that is unique and another one has.
    pub(crate) fn check_vacant<T: Component<C>>(&self, id: EntityId<C>) -> Result<(), Refusal> {
        let Slot { row, .. } = self.slots.get(id).ok_or(Refusal::Dead)?;
        let column = self.columns.of::<T>();
        if column.is_some_and(|column| column.contains(row)) {
            return Err(Refusal::Present);
        }
        self.check_owner::<T>(Some(id))
    }

    /// Refuses a unique component that another entity has than this one.
    #[inline]
    pub(crate) fn check_owner<T: Component<C>>(
        &self,
        id: Option<EntityId<C>>,
    ) -> Result<(), Refusal> {
        if const { !T::UNIQUE } {
            return Ok(());
        }
        match self.owner::<T>() {
            Some(owner) if Some(owner) != id => Err(Refusal::Owned(owner.raw())),
            _ => Ok(()),
        }
    }

    /// Refuses a value with a key of a primary index that another entity has, or with a target that
    /// a relation cannot lead to.
    #[inline]
    pub(super) fn check_value<T: Component<C>>(
        &mut self,
        id: EntityId<C>,
        value: &T,
    ) -> Result<(), Refusal> {
        self.check_values(&[(id, value)], Turn::OneByOne)
    }

    /// Refuses values with a key of a primary index that another entity has, or another one of
    /// these is to have, or with a target that a relation cannot lead to.
    #[inline]
    pub(super) fn check_values<T: Component<C>>(
        &mut self,
        values: &[(EntityId<C>, &T)],
        turn: Turn,
    ) -> Result<(), Refusal> {
        self.install_indexes_of::<T>();
        if const { !are_checked(T::INDEXES) } {
            return Ok(());
        }
        self.check_all(values, turn)
    }

    /// Refuses values of a component that is not used for the first time.
    pub(super) fn check_all<T: Component<C>>(
        &self,
        values: &[(EntityId<C>, &T)],
        turn: Turn,
    ) -> Result<(), Refusal> {
        let checks = T::INDEXES.iter();
        let mut checks = checks.filter_map(|index| index.check.downcast_ref::<Check<C, T>>());
        checks.try_for_each(|check| check(self, values, turn))
    }

    /// Admits a value of an entity that is being made, or of the one that the bundle is for. That
    /// the bundle has the component twice
    /// is found out later.
    #[inline]
    pub(crate) fn admit_new<T: Component<C>>(
        &mut self,
        id: EntityId<C>,
        value: &T,
    ) -> Result<(), Refusal> {
        if const { !is_plain::<C, T>() } {
            let id = self.attempt_on(id);
            self.check_value(id, value)?;
            self.check_owner::<T>(Some(id))?;
            self.note_owner::<T>(id);
        }
        Ok(())
    }
}
