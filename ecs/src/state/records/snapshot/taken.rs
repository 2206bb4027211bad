//! The contents of a snapshot.

use alloc::vec::Vec;
#[cfg(feature = "serde")]
use core::mem;

use super::indexes::IndexName;
use crate::matching::graph::Signatures;
use crate::reactions::entered::Entered;
use crate::reactions::entity_index::IndexCopy;
use crate::reactions::history::buffered::BufferedThen;
use crate::state::core::Registries;
use crate::storage::columns::Columns;
use crate::storage::owners::Owners;
use crate::storage::slots::Slots;
use crate::words::signature::RawComponentSet;
use crate::words::snapshot_error::SnapshotError;

/// The entities of a context and their values.
pub(crate) struct EntitiesThen {
    pub(super) slots: Slots,
    pub(super) columns: Columns,
}

/// Bookkeeping of these entities.
pub(crate) struct Knowledge {
    /// The context that was copied.
    pub(super) instance: u64,
    /// The context in which its entities were created.
    pub(super) origin: u64,
    pub(super) excluded: RawComponentSet,
    pub(super) signatures: Signatures,
    pub(super) owners: Owners,
    pub(super) indexes: Vec<(IndexName, IndexCopy)>,
    pub(super) entered: Entered,
}

/// The whole state of a context.
pub(super) struct Taken {
    pub(super) entities: EntitiesThen,
    pub(super) knowledge: Knowledge,
    pub(super) held: BufferedThen,
}

impl Registries {
    /// Whether equal ids denote the same entity here and in the snapshot: it was taken of this
    /// context, in its past or future.
    pub(super) fn knows(&self, knowledge: &Knowledge) -> bool {
        self.instance == knowledge.instance && self.origin == knowledge.origin
    }

    /// Copies the entities and their bookkeeping; an error names the components that are not
    /// `Clone`.
    pub(super) fn copied(
        &self,
        excluded: RawComponentSet,
    ) -> Result<(EntitiesThen, Knowledge), SnapshotError> {
        let components = self.columns.not_clone(&excluded);
        if !components.is_empty() {
            return Err(SnapshotError::NotClone {
                context: self.name,
                components,
            });
        }
        let entities = EntitiesThen {
            columns: self.columns.copied(&excluded),
            slots: self.slots.clone(),
        };
        Ok((entities, self.knowledge(excluded)))
    }

    /// The bookkeeping of the present entities.
    fn knowledge(&self, excluded: RawComponentSet) -> Knowledge {
        Knowledge {
            instance: self.instance,
            origin: self.origin,
            signatures: self.graph.signatures(),
            owners: self.owners.copied(),
            indexes: self.copy_indexes(&excluded),
            entered: self.entered.clone(),
            excluded,
        }
    }

    /// Takes the entities out, with their bookkeeping. The rest is to be dropped.
    #[cfg(feature = "serde")]
    pub(super) fn taken_out(&mut self) -> (EntitiesThen, Knowledge) {
        let knowledge = self.knowledge(RawComponentSet::new());
        let (columns, slots) = (Columns::new(self.columns.context()), Slots::new(self.name));
        let entities = EntitiesThen {
            columns: mem::replace(&mut self.columns, columns),
            slots: mem::replace(&mut self.slots, slots),
        };
        (entities, knowledge)
    }

    /// Copies the whole state, except excluded components; an error names the components that are
    /// neither `Clone` nor excluded.
    pub(super) fn take_snapshot(
        &mut self,
        excluded: RawComponentSet,
    ) -> Result<Taken, SnapshotError> {
        let (entities, knowledge) = self.copied(excluded)?;
        let held = BufferedThen::copy(self.holders());
        Ok(Taken {
            entities,
            knowledge,
            held,
        })
    }
}
