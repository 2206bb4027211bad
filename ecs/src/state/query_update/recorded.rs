//! The values before an update of many entities, for the history: copied before they are visited,
//! and recorded after the visit for the entities that were visited and written to.

use alloc::vec::Vec;

use super::changes::Changes;
use super::copies::{Copies, Written};
use crate::state::core::Registries;
use crate::storage::value_list::ValueList;
use crate::words::entity_id::UntypedId;
use crate::words::signature::Bits;

/// The previous values of the written components, in the order of rows; `None` for components that
/// are not recorded.
#[derive(Default)]
pub(super) struct RecordedValues {
    copies: Vec<Option<Copies>>,
    /// Values that turned out not to be needed; dropped with these: user code.
    unused: Vec<ValueList>,
}

impl RecordedValues {
    pub(super) fn of(copies: Vec<Option<Copies>>) -> Self {
        Self {
            copies,
            unused: Vec::new(),
        }
    }
}

impl Registries {
    /// Copies the values that the history needs.
    pub(super) fn copy_for_history(&mut self, changes: &Changes) -> RecordedValues {
        if self.history.is_none() {
            return RecordedValues::default();
        }
        let copies =
            changes
                .written()
                .iter()
                .map(|written| match self.is_recorded(written.component) {
                    true => Copies::new(written, changes.visited()),
                    false => None,
                });
        let mut copies: Vec<_> = copies.collect();
        self.for_each_run(changes.rows(), |core, run| {
            for (written, copies) in changes.written().iter().zip(&mut copies) {
                let has = core.graph.components(run.node).contains(written.component);
                if let (true, Some(copies)) = (has, copies) {
                    copies.keep(core, written.component, run.rows);
                }
            }
        });
        RecordedValues::of(copies)
    }

    /// Records these changes. Runs no user code.
    pub(super) fn record_updates(&mut self, changes: &Changes, recorded: &mut RecordedValues) {
        let of_terms = changes.written().iter().zip(&mut recorded.copies);
        for (written, copies) in of_terms {
            if let Some(copies) = copies
                .as_mut()
                .filter(|_| self.is_recorded(written.component))
            {
                let entities = self.entities_with(changes, written);
                let unused = copies.record(self, written.component, &entities);
                recorded.unused.push(unused);
            }
        }
    }

    /// The visited entities that have a written component, and whether each counts as changed.
    fn entities_with(&mut self, changes: &Changes, written: &Written) -> Vec<(UntypedId, bool)> {
        let mut entities = Vec::with_capacity(changes.visited());
        self.for_each_run(changes.rows(), |core, run| {
            if core.graph.components(run.node).contains(written.component) {
                let (_, counts) = changes.of(written, run.rows);
                let places = Bits(run.rows.1);
                let counts = places.map(|place| counts >> place & 1 != 0);
                entities.extend(run.ids.iter().copied().zip(counts));
            }
        });
        entities
    }
}
