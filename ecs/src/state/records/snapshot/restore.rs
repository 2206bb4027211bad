//! Restoring a snapshot.
//!
//! 1. All values are cloned, and compared if a collector includes rewinds: user code. If it panics,
//!    nothing has changed.
//! 2. Everything is swapped, without user code.
//! 3. Indexes call key functions, and the previous state is dropped: user code. If it panics, the
//!    remaining entities stay dirty, and lookups compute their keys.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::differences::Differences;
use super::indexes::fill;
use super::taken::{EntitiesThen, Knowledge, Taken};
use crate::reactions::history::buffered::BufferedThen;
use crate::reactions::removed::LogCopy;
use crate::state::core::{HasCore, Registries};
use crate::state::recording::end as end_history;
use crate::storage::descriptor::AnyValue;
use crate::words::signature::RawComponentSet;
use crate::words::snapshot_error::SnapshotError;

/// Restores a snapshot of this context or of another one.
pub(crate) fn restore<C: HasCore>(context: &mut C, taken: &Taken) -> Result<(), SnapshotError> {
    check_restorable(context)?;
    end_history(context); // a history whose handle was dropped
    let core = context.core_mut();
    let knowledge = &taken.knowledge;
    let entities = EntitiesThen {
        columns: taken.entities.columns.copied(&RawComponentSet::new()),
        slots: taken.entities.slots.clone(),
    };
    let collected = match core.instance == knowledge.instance {
        true => CollectedThen::Then(&taken.held, taken.held.clone_values(&core.removed)),
        false => CollectedThen::Nothing,
    };
    let differences = core.compare(&entities);
    put(context, entities, knowledge, collected, differences);
    Ok(())
}

/// Replaces the state of a context by that of another one, which is left empty.
#[cfg(feature = "serde")]
pub(crate) fn replace_by<C: HasCore>(context: &mut C, mut other: C) -> Result<(), SnapshotError> {
    check_restorable(context)?;
    end_history(context); // a history whose handle was dropped
    let (entities, knowledge) = other.core_mut().taken_out();
    let differences = context.core_mut().compare(&entities);
    put(
        context,
        entities,
        &knowledge,
        CollectedThen::Nothing,
        differences,
    );
    Ok(())
}

/// Whether the state of a context may be replaced now.
pub(crate) fn check_restorable<C: HasCore>(context: &C) -> Result<(), SnapshotError> {
    let (core, context) = (context.core(), C::NAME);
    if core.is_dispatching() {
        return Err(SnapshotError::Busy { context });
    }
    if core.has_history() {
        return Err(SnapshotError::Recording { context });
    }
    Ok(())
}

/// Copies a context into a new one; an error names the components that are not `Clone`.
pub(crate) fn fork_into<C: HasCore>(context: &C, fork: &mut C) -> Result<(), SnapshotError> {
    let (entities, knowledge) = context.core().copied(RawComponentSet::new())?;
    put(fork, entities, &knowledge, CollectedThen::Nothing, None);
    let fork = fork.core_mut();
    fork.origin = fork.instance; // entities created from now on are its own
    Ok(())
}

/// The contents to restore for collectors, inboxes and lists of removed values.
enum CollectedThen<'a> {
    Nothing,
    /// Their contents at the snapshot, with clones of the removed values.
    Then(&'a BufferedThen, Vec<LogCopy>),
}

fn put<C: HasCore>(
    context: &mut C,
    mut entities: EntitiesThen,
    knowledge: &Knowledge,
    collected: CollectedThen<'_>,
    differences: Option<Differences>,
) {
    let core = context.core_mut();
    core.install_indexes();
    let is_known = core.knows(knowledge);
    if let Some(differences) = &differences {
        core.collect_gone(&entities.slots, differences);
    }
    let lost = core.swap_entities(&mut entities, knowledge);
    let (fillings, emptied) = core.refill_indexes(&knowledge.indexes, is_known);
    let entered = match core.instance == knowledge.instance {
        true => knowledge.entered.clone(),
        false => knowledge.entered.inherited(),
    };
    let entered = core.entered.put_back(&entered, &knowledge.excluded);
    let dropped = core.put_collected(collected);
    if let Some(differences) = &differences {
        core.collect_changed(&entities.slots, differences); // now the previous slots
    }
    let listeners = match is_known {
        true => core.remove_outdated_observers(),
        false => core.remove_observers_of_destroyed(), // their ids may belong to other entities now
    };
    core.feeds.send_everything();
    fill(context, fillings, &knowledge.indexes);
    drop((entities, lost, emptied, entered, dropped, listeners)); // user code
}

impl Registries {
    /// Swaps the present entities with those of the snapshot. Returns the values of relations that
    /// lost their target. Runs no user code.
    fn swap_entities(
        &mut self,
        entities: &mut EntitiesThen,
        knowledge: &Knowledge,
    ) -> Vec<Box<AnyValue>> {
        self.collectors.list_all(&self.slots); // while rows still map to their ids
        let changed = self.keep_excluded(entities, knowledge);
        self.record_destroys(entities, knowledge);
        self.graph.renew(&knowledge.signatures, &self.groups, false);
        self.slots.swap_all(&mut entities.slots);
        self.origin = knowledge.origin;
        self.columns.swap_all(&mut entities.columns);
        self.owners.put_back(&knowledge.owners, &knowledge.excluded);
        self.change_nodes(&changed);
        self.remove_dangling_links(&knowledge.excluded)
    }

    /// Records the destroyed entities, for listeners to one entity: those that are not in the
    /// snapshot, or all if it is of another context.
    fn record_destroys(&mut self, entities: &EntitiesThen, knowledge: &Knowledge) {
        if !self.observers.any_of_one() {
            return;
        }
        let is_own = self.knows(knowledge);
        for (id, _) in self.slots.iter() {
            if !(is_own && entities.slots.get(id).is_some()) {
                self.observers.record_destroy(id.raw());
            }
        }
    }

    /// Restores the contents of collectors, inboxes and lists of removed values; returns the
    /// present contents, to be dropped.
    fn put_collected(&mut self, collected: CollectedThen<'_>) -> impl Sized + use<> {
        match collected {
            CollectedThen::Then(held, values) => {
                (Some(held.put_collected_back(values, self.holders())), None)
            }
            CollectedThen::Nothing => {
                self.collectors.put_back(&self.slots, &[]);
                self.events.clear_waiting();
                (
                    None,
                    Some((self.removed.empty_all(), self.messages.empty_all())),
                )
            }
        }
    }
}
