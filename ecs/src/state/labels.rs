//! What entities are called: read from the component that is the label of the context, if one is.
//!
//! Nothing is kept for it, so it costs only those who ask: messages, logs, tools.

use alloc::string::String;
use core::fmt;

use super::core::Registries;
use crate::storage::slots::Row;
use crate::words::entity_id::RawEntityId;
use crate::words::error::Error;
use crate::words::label::{EntityName, shortened};

impl Registries {
    /// What an entity is called, dead or alive. User code.
    pub(crate) fn name_of(&self, entity: RawEntityId) -> EntityName {
        let alive = self.slots.alive_in::<()>(entity.index());
        let slot = alive.filter(|(id, _)| id.raw() == entity);
        EntityName::new(entity, slot.and_then(|(_, slot)| self.label_in(slot.row)))
    }

    /// The label of the entity in a row. User code.
    pub(crate) fn label_in(&self, row: Row) -> Option<String> {
        let column = self.columns.at(self.columns.label()?)?;
        let value = column.view(row)?;
        let text = fmt::from_fn(|f| column.descriptor().label(value, f));
        Some(shortened(text))
    }

    /// The error with the labels of the entities that it names. User code.
    #[cold]
    #[inline(never)]
    pub(crate) fn named(&self, error: Error) -> Error {
        match self.columns.label() {
            Some(_) => error.with_labels(|entity| self.name_of(entity).label().map(Into::into)),
            None => error,
        }
    }
}
