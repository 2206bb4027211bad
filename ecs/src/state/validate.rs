//! Validating a change of one component of one entity, and storing it.
//!
//! ```text
//! fast.rs  alive, numbered, edge known, block allocated, nothing to compare  inlined, typed
//! (here)   numbers, computes the edge, allocates the block; or rejects       compiled once, erased
//! ```
//!
//! Both store the value, move the entity along its edge, and return [`Stored`], so changes continue
//! in one way. Only this file checks whether a key or a unique component is free: `fast.rs` does
//! not apply to components that have any.

pub(super) mod attempt;
pub(super) mod bundle_writer;
pub(super) mod edge;
pub(super) mod fast;
pub(super) mod new_rows;
mod required;

use super::core::{Core, Registries};
use super::rejection::Turn;
use crate::matching::effects::EffectsIndex;
use crate::storage::column::ColumnOf;
use crate::storage::descriptor::AnyValue;
use crate::storage::moved::{Buffer, Moved};
use crate::storage::slots::{Row, Slot, Slots};
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::{EntityId, UntypedId};

pub(crate) use super::rejection::Rejection;

/// A stored change, not yet committed.
pub(super) struct Stored {
    pub(super) id: UntypedId,
    pub(super) row: Row,
    pub(super) effects: EffectsIndex,
}

/// The values of a component of a list of entities, for changes in place.
pub(super) struct OccupiedMany<'a, T> {
    slots: &'a Slots,
    column: &'a mut ColumnOf<T>,
}

impl<'a, T: Send + Sync + 'static> OccupiedMany<'a, T> {
    /// The values of entities known to be alive.
    #[inline]
    pub(super) fn of<C: 'static>(core: &'a mut Core<C>) -> Self
    where
        T: Component<C>,
    {
        let parts = core.parts();
        Self {
            slots: parts.slots,
            column: parts.columns.of_mut::<T>(),
        }
    }

    /// The value of one entity.
    #[inline]
    pub(super) fn get_mut<C>(&mut self, id: EntityId<C>) -> Option<&mut T> {
        self.column.get_mut(self.slots.row_of(id))
    }
}

impl Registries {
    /// Adds a component to an entity, or rejects it.
    pub(super) fn store_added(
        &mut self,
        id: UntypedId,
        component: RawComponentIndex,
        value: Moved<'_>,
    ) -> Result<Stored, Rejection> {
        self.collect_signatures();
        if !value.descriptor().is_plain() {
            self.check_vacant(id, component)?;
            self.check_value(id, component, value.view())?;
            self.record_owner(component, id);
        }
        let Slot { row, node } = self.slots.get(id).ok_or(Rejection::Dead)?;
        if self.columns.ensured(component).contains(row) {
            return Err(Rejection::Present);
        }
        let (target, effects) = self.graph.edge(node, component, &self.groups);
        self.columns.ensured(component).put(row, value);
        self.slots.set_node(id, target);
        Ok(Stored { id, row, effects })
    }

    /// Finds the component to change, or rejects the change.
    pub(super) fn occupied(
        &mut self,
        id: UntypedId,
        component: RawComponentIndex,
    ) -> Result<Stored, Rejection> {
        let Slot { row, node } = self.slots.get(id).ok_or(Rejection::Dead)?;
        if !self.columns.ensured(component).contains(row) {
            return Err(Rejection::Absent);
        }
        let effects = self.graph.update(node, component, &self.groups);
        Ok(Stored { id, row, effects })
    }

    /// Swaps the value of a component with another one.
    pub(super) fn swap_with(
        &mut self,
        row: Row,
        component: RawComponentIndex,
        value: &mut Moved<'_>,
    ) {
        if let Some(column) = self.columns.at_mut(component) {
            column.swap_with(row, value);
        }
    }

    /// Copies a value that is about to change, if observers or a history need it.
    #[inline]
    pub(super) fn copy_before<'b>(
        &self,
        stored: &Stored,
        component: RawComponentIndex,
        buffer: &'b mut Buffer,
    ) -> Option<Moved<'b>> {
        let effects = stored.effects;
        let is_passed = effects.is_recorded() || self.graph.effects().are_observed(effects);
        let column = self.columns.at(component).filter(|_| is_passed)?;
        buffer.clone_of(column.view(stored.row)?)
    }

    /// Moves an entity along the edge to the node without the component; the value stays in its
    /// row.
    pub(super) fn leave(
        &mut self,
        id: UntypedId,
        component: RawComponentIndex,
    ) -> Result<Stored, Rejection> {
        self.collect_signatures();
        let Slot { row, node } = self.slots.get(id).ok_or(Rejection::Dead)?;
        if !self.graph.components(node).contains(component) {
            return Err(Rejection::Absent);
        }
        let (target, effects) = self.graph.edge(node, component, &self.groups);
        self.slots.set_node(id, target);
        Ok(Stored { id, row, effects })
    }

    /// Rejects a component that the entity has, or that is unique and owned by another entity.
    pub(crate) fn check_vacant(
        &self,
        id: UntypedId,
        component: RawComponentIndex,
    ) -> Result<(), Rejection> {
        let Slot { row, .. } = self.slots.get(id).ok_or(Rejection::Dead)?;
        let column = self.columns.at(component);
        if column.is_some_and(|column| column.contains(row)) {
            return Err(Rejection::Present);
        }
        self.check_owner(Some(id), component)
    }

    /// Rejects a unique component that another entity owns.
    pub(crate) fn check_owner(
        &self,
        id: Option<UntypedId>,
        component: RawComponentIndex,
    ) -> Result<(), Rejection> {
        if !self.columns.describe(component).unique {
            return Ok(());
        }
        match self.owner(component) {
            Some(owner) if Some(owner) != id => Err(Rejection::Owned(owner.raw())),
            _ => Ok(()),
        }
    }

    /// Rejects a value with a key of a primary index that another entity has, or with an invalid
    /// target of a relation.
    pub(super) fn check_value(
        &mut self,
        id: UntypedId,
        component: RawComponentIndex,
        value: &AnyValue,
    ) -> Result<(), Rejection> {
        self.check_values(component, &[(id, value)], Turn::OneByOne)
    }

    /// Rejects values with a key of a primary index that another entity has, or that two of them
    /// share, or with an invalid target of a relation.
    pub(super) fn check_values(
        &mut self,
        component: RawComponentIndex,
        values: &[(UntypedId, &AnyValue)],
        turn: Turn,
    ) -> Result<(), Rejection> {
        self.install_indexes_of(component);
        self.check_all(component, values, turn)
    }

    /// Like [`check_values`](Self::check_values), for a component whose indexes are installed.
    pub(super) fn check_all(
        &self,
        component: RawComponentIndex,
        values: &[(UntypedId, &AnyValue)],
        turn: Turn,
    ) -> Result<(), Rejection> {
        let fields = self.columns.describe(component).indexes.iter();
        let mut functions = fields.filter_map(|field| self.functions_of(field));
        functions.try_for_each(|functions| (functions.check)(self, values, turn))
    }

    /// Validates a value of a new entity, or of the entity of the current attempt. A component that
    /// is twice in the bundle is rejected later.
    pub(super) fn validate_new(
        &mut self,
        id: UntypedId,
        component: RawComponentIndex,
        value: &AnyValue,
    ) -> Result<(), Rejection> {
        if !self.columns.describe(component).is_plain() {
            let id = self.attempt_on(id);
            if !self.is_together() {
                self.check_value(id, component, value)?;
            }
            self.check_owner(Some(id), component)?;
            self.record_owner(component, id);
        }
        Ok(())
    }
}
