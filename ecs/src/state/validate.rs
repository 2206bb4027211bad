//! Admitting a change of one component of one entity: may this happen, and where?
//!
//! ```text
//! known.rs  alive, numbered, edge known, block there, nothing to compare   inlined, typed
//! (here)    numbers, learns the edge, opens the block; or rejects          compiled once, erased
//! ```
//!
//! Both store the value, have the entity walk its edge, and return [`Stored`]; so a change goes on in
//! one way. Whether a key or a unique component is free is asked in here alone: what is in `known.rs`
//! is none for components that have any.

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

/// A change that is stored, and that groups, collectors, indexes and observers are to follow.
pub(super) struct Stored {
    pub(super) id: UntypedId,
    pub(super) row: Row,
    pub(super) effects: EffectsIndex,
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
        let parts = core.parts();
        Self {
            slots: parts.slots,
            column: parts.columns.of_mut::<T>(),
        }
    }

    /// The value of one of them.
    #[inline]
    pub(super) fn get_mut<C>(&mut self, id: EntityId<C>) -> Option<&mut T> {
        self.column.get_mut(self.slots.row_of(id))
    }
}

impl Registries {
    /// Gives an entity a component that it lacks, or says why it cannot have it.
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

    /// An entity whose component is to be changed, or why it cannot be.
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

    /// Has the value of a component and another one change places.
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

    /// A copy of a value that is about to change, if observers or a history are to have one.
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

    /// Has an entity walk the edge to where it lacks a component; the value is left behind.
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

    /// Rejects to add a component that the entity has, or that is unique and another one has.
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

    /// Rejects a unique component that another entity has than this one.
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

    /// Rejects a value with a key of a primary index that another entity has, or with a target that
    /// a relation cannot lead to.
    pub(super) fn check_value(
        &mut self,
        id: UntypedId,
        component: RawComponentIndex,
        value: &AnyValue,
    ) -> Result<(), Rejection> {
        self.check_values(component, &[(id, value)], Turn::OneByOne)
    }

    /// Rejects values with a key of a primary index that another entity has, or another one of
    /// these is to have, or with a target that a relation cannot lead to.
    pub(super) fn check_values(
        &mut self,
        component: RawComponentIndex,
        values: &[(UntypedId, &AnyValue)],
        turn: Turn,
    ) -> Result<(), Rejection> {
        self.install_indexes_of(component);
        self.check_all(component, values, turn)
    }

    /// Rejects values of a component that is not used for the first time.
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

    /// Admits a value of an entity that is being made, or of the one that the bundle is for. That
    /// the bundle has the component twice is found out later.
    pub(super) fn validate_new(
        &mut self,
        id: UntypedId,
        component: RawComponentIndex,
        value: &AnyValue,
    ) -> Result<(), Rejection> {
        if !self.columns.describe(component).is_plain() {
            let id = self.attempt_on(id);
            self.check_value(id, component, value)?;
            self.check_owner(Some(id), component)?;
            self.record_owner(component, id);
        }
        Ok(())
    }
}
