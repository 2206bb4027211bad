//! The labels of entities: read from the component that is the label of the context, if there is
//! one.
//!
//! Nothing is cached, so labels cost only where they are used: messages, logs, tools.

use alloc::string::String;

use super::data::World;
use crate::storage::slots::Row;
use crate::words::entity_id::RawEntityId;
use crate::words::error::Error;
use crate::words::label::{EntityName, shortened};
use crate::words::printed::from_fn;

impl World {
    /// The name of an entity, dead or alive. Runs user code.
    pub(crate) fn name_of(&self, entity: RawEntityId) -> EntityName {
        let alive = self.slots.alive_in::<()>(entity.index());
        let slot = alive.filter(|(id, _)| id.raw() == entity);
        EntityName::new(entity, slot.and_then(|(_, slot)| self.label_in(slot.row)))
    }

    /// The label of the entity in a row. Runs user code.
    pub(crate) fn label_in(&self, row: Row) -> Option<String> {
        let column = self.columns.all().get(self.columns.label()?.get())?;
        let value = column.view(row)?;
        let text = from_fn(|f| column.descriptor().label(value, f));
        Some(shortened(text))
    }

    /// Adds the labels of entities to an error. Runs user code.
    #[cold]
    #[inline(never)]
    pub(crate) fn named(&self, error: Error) -> Error {
        match self.columns.label() {
            Some(_) => error.with_labels(|entity| self.name_of(entity).label().map(Into::into)),
            None => error,
        }
    }
}
