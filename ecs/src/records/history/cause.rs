//! Finds the change that caused another one.

use alloc::vec::Vec;

use crate::reactions::history::{Entry, Recording};
use crate::words::entity_id::RawEntityId;

/// The entries of a history by entity, to find causes among them in logarithmic time.
pub(super) struct ByEntity {
    /// Numbers of entries, by entity and then by number.
    order: Vec<usize>,
    /// For each entry, how many earlier ones have a value of the same component.
    values: Vec<usize>,
}

impl ByEntity {
    pub(super) fn of(entries: &[Entry]) -> Self {
        let mut order: Vec<_> = (0..entries.len()).collect();
        order.sort_by_key(|&number| entries[number].id.raw()); // stable
        let mut passed = Vec::new();
        let values = entries.iter().map(|entry| {
            let place = passed_of(&mut passed, entry);
            let before = *place;
            *place += usize::from(entry.kind.keeps_value());
            before
        });
        Self {
            values: values.collect(),
            order,
        }
    }

    /// How many entries before this one have a value of the same component.
    pub(super) fn values_before(&self, number: usize) -> usize {
        self.values[number]
    }

    /// The latest entry of an entity before another entry that `is_cause` accepts.
    fn last_before(
        &self,
        entries: &[Entry],
        entity: RawEntityId,
        before: usize,
        is_cause: impl Fn(&Entry) -> bool,
    ) -> Option<usize> {
        let wanted = (entity, before);
        let key = |&number: &usize| (entries[number].id.raw(), number);
        let end = self.order.partition_point(|number| key(number) < wanted);
        let earlier = self.order[..end].iter().rev().copied();
        earlier
            .take_while(|&number| entries[number].id.raw() == entity)
            .find(|&number| is_cause(&entries[number]))
    }
}

/// A counter for each component.
pub(super) fn passed_of<'a>(passed: &'a mut Vec<usize>, entry: &Entry) -> &'a mut usize {
    let at = entry.component.get();
    if at >= passed.len() {
        passed.resize(at + 1, 0);
    }
    &mut passed[at]
}

/// The number of the entry that caused the one with this number: what the system had taken before
/// it made any change, so never a change of its own.
pub(super) fn cause_of<'i>(
    history: &Recording,
    instance: u64,
    number: usize,
    by_entity: impl FnOnce() -> &'i ByEntity,
) -> Option<usize> {
    let cause = history.cause(number)?;
    let drain = cause.drain();
    if drain.instance != instance {
        return None; // another context of this type, or of another one
    }
    // After a rewind while the system was running, the entry number lies ahead.
    let before = history.place_of_entry(drain.entry?)?.min(number);
    let is_cause =
        |entry: &Entry| !entry.kind.is_whole() && cause.components().contains(entry.component);
    by_entity().last_before(history.undo(), cause.entity(), before, is_cause)
}
