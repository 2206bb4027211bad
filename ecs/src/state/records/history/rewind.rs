//! Seeking to a mark of a history, back or forward.
//!
//! Each entry is undone or redone in turn: its value moves between the column and the column's
//! past, and the entity moves to another node. Entity indexes have journals of their own
//! ([`journal`](crate::reactions::entity_index)); those that depend on excluded components are
//! updated for the changed entities instead ([`excluded`](super::excluded)). The contents of
//! collectors, inboxes and lists of removed values are restored from the mark. No user code runs in
//! between: removed values are cloned before the first step, all others are moved, and leftovers
//! are dropped at the end.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::excluded::flush_excluded;
use crate::matching::group::IndexNumber;
use crate::reactions::history::{Entry, HistoryStep, Kind, Point, Recording};
use crate::reactions::removed::LogCopy;
use crate::state::core::{HasCore, Registries};
use crate::state::index::flush_batch;
use crate::storage::descriptor::AnyValue;
use crate::storage::past::Direction;
use crate::storage::slots::{NodeIndex, Slot};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::history_error::HistoryError;
use crate::words::signature::RawComponentSet;

/// Seeks to a mark: an earlier one by undoing entries, a later one by redoing them. Returns the
/// number of entries.
pub(crate) fn seek<C: HasCore>(
    context: &mut C,
    mark: u64,
    direction: Direction,
) -> Result<usize, HistoryError> {
    let (core, name): (&mut Registries, _) = (context.core_mut(), C::NAME);
    let to = destination(core.idle_history()?, name, mark, direction)?;
    let values = core.clone_values_buffered(mark); // user code: nothing has changed yet
    core.collect_signatures();
    core.slots.list_traversals();
    core.collectors.expect_destroyed(&core.slots);
    let mut seek = Seek {
        is_observed: core.collectors.any_includes_rewinds(),
        changed: core.indexes.any_unrecorded().then(Vec::new),
        core,
        direction,
        left: Vec::new(),
        revived: Vec::new(),
        repeats: false,
    };
    let steps = seek.traversal(to);
    seek.take_detour(mark);
    let (left, changed, is_observed) = (seek.left, seek.changed, seek.is_observed);
    let (revived, repeats) = (seek.revived, seek.repeats);
    if repeats {
        core.collectors.remove_repeated();
    }
    let outdated = core.update_excluded(changed.unwrap_or_default(), is_observed);
    let (mut lost, buffered) = core.put_back_buffered(mark, values);
    core.indexes.sort_by_age(&mut lost, |&index| index);
    core.resend_kept_relations(&revived);
    let emptied: Vec<_> = lost.iter().map(|&index| core.restart(index)).collect();
    let listeners = core.remove_outdated_observers();
    for index in lost {
        flush_batch(context, index); // user code from here on
    }
    flush_excluded(context, &outdated.indexes);
    drop((left, outdated.values, buffered, listeners, emptied));
    context.core_mut().drop_cut();
    Ok(steps)
}

/// The point of a mark; an error if the mark is unknown or lies in the other direction.
fn destination(
    recording: &Recording,
    context: &'static str,
    mark: u64,
    direction: Direction,
) -> Result<Point, HistoryError> {
    let to = recording.checkpoint(mark);
    let to = to.ok_or(HistoryError::UnknownMark { context })?;
    match (recording.seen_from_present(to), direction) {
        (Ordering::Greater, Direction::Back) => Err(HistoryError::MarkIsAhead { context }),
        (Ordering::Less, Direction::Forward) => Err(HistoryError::MarkIsBehind { context }),
        _ => Ok(to),
    }
}

/// A traversal of entries that undoes or redoes them.
struct Seek<'a> {
    core: &'a mut Registries,
    direction: Direction,
    /// Whether some collector includes rewinds.
    is_observed: bool,
    /// Values of excluded components whose entities no longer exist.
    left: Vec<Box<AnyValue>>,
    /// The entities revived so far, if some collector includes rewinds.
    revived: Vec<UntypedId>,
    /// Whether entities that had got their old ids back were passed.
    repeats: bool,
    /// The entities of all entries, if some index depends on excluded components.
    changed: Option<Vec<UntypedId>>,
}

impl Seek<'_> {
    /// Seeks to a point; returns the number of entries traversed.
    fn traversal(&mut self, to: Point) -> usize {
        let mut entries = 0;
        while let Some(step) = self.step(to) {
            match step {
                HistoryStep::Swap([a, b]) => self.core.swap(a, b),
                HistoryStep::Entry(entry) => {
                    entries += 1;
                    self.changed.iter_mut().for_each(|ids| ids.push(entry.id));
                    self.take(entry);
                }
            }
        }
        entries
    }

    /// Swaps the rows that were swapped between the last entry before the mark and the mark.
    fn take_detour(&mut self, mark: u64) {
        let recording = self.core.history.as_deref();
        let detour = recording.and_then(|it| it.detour_to(mark));
        for [a, b] in detour.unwrap_or_default() {
            self.core.swap(a, b);
            self.core.record_swap([a, b]);
        }
    }

    fn step(&mut self, to: Point) -> Option<HistoryStep> {
        let recording = self.core.history.as_deref_mut()?;
        recording.step(to, self.direction)
    }

    fn take(&mut self, entry: Entry) {
        use Direction::{Back, Forward};
        self.repeats |= entry.kind == Kind::Recreated;
        match (entry.kind, self.direction) {
            (Kind::Replaced, _) => self.swap(entry),
            (Kind::Added, Forward) | (Kind::Removed, Back) => self.put(entry),
            (Kind::Added, Back) | (Kind::Removed, Forward) => self.remove(entry),
            (Kind::Created | Kind::Recreated, Forward) | (Kind::Destroyed, Back) => {
                self.revive(entry);
            }
            (Kind::Created | Kind::Recreated, Back) | (Kind::Destroyed, Forward) => self.end(entry),
            (Kind::CreatedWith | Kind::DestroyedWith, _) => {} // handled with the entity
        }
    }

    /// Swaps the entity's value with its past one.
    fn swap(&mut self, Entry { id, component, .. }: Entry) {
        let row = self.core.slots.row_of(id);
        self.core
            .columns
            .ensured(component)
            .swap_past(row, self.direction);
        if self.is_observed {
            self.collect_update(id, component);
        }
    }

    /// Collects an entity with a changed value, for collectors that include rewinds.
    fn collect_update(&mut self, id: UntypedId, component: RawComponentIndex) {
        let core = &mut *self.core;
        if let Some(slot) = core.slots.get(id) {
            let effects = core.graph.update(slot.node, component, &core.groups);
            core.collect(id, effects);
        }
    }

    /// Gives the component back to the entity.
    fn put(&mut self, Entry { id, component, .. }: Entry) {
        let row = self.core.slots.row_of(id);
        self.core
            .columns
            .ensured(component)
            .put_from_past(row, self.direction);
        self.core.own(component, id);
        self.core.toggle_component(id, component, self.is_observed);
    }

    /// Removes the component from the entity.
    fn remove(&mut self, Entry { id, component, .. }: Entry) {
        let row = self.core.slots.row_of(id);
        self.core
            .columns
            .ensured(component)
            .take_to_past(row, self.direction);
        self.core.toggle_component(id, component, self.is_observed);
    }

    /// Revives the entity with the components whose entries precede its own.
    fn revive(&mut self, entry: Entry) {
        let node = self.node_before();
        let core = &mut *self.core;
        let row = if entry.kind == Kind::Recreated {
            core.slots.reclaim_all(&[entry.id]);
            core.slots.set_node(entry.id, node);
            core.slots.row_of(entry.id)
        } else {
            core.slots.revive(entry.id, node)
        };
        for at in 0..core.graph.component_list(node).len() {
            let component = core.graph.component_list(node)[at];
            core.columns
                .ensured(component)
                .put_from_past(row, self.direction);
            core.own(component, entry.id);
        }
        let effects = core.graph.create(node, &core.groups);
        if self.is_observed {
            core.collect(entry.id, effects);
            self.revived.push(entry.id);
        }
    }

    fn node_before(&mut self) -> NodeIndex {
        let core = &mut *self.core;
        let recording = core.history.as_deref();
        let components = recording
            .into_iter()
            .flat_map(|it| it.components_before(self.direction));
        let components: RawComponentSet = components.collect();
        core.graph.node(components, &core.groups)
    }

    /// Destroys the entity with all of its components.
    fn end(&mut self, entry: Entry) {
        let core = &mut *self.core;
        let slot = core.slots.get(entry.id);
        let Slot { node, row } = slot.expect("the entity is alive after its entry");
        let effects = core.graph.destroy(node, &core.groups);
        if self.is_observed {
            core.collect(entry.id, effects);
            core.collectors.forget_slot(&core.slots, entry.id, row);
        }
        core.observers.record_destroy(entry.id.raw());
        for at in 0..core.graph.component_list(node).len() {
            let component = core.graph.component_list(node)[at];
            if core.is_excluded(component) {
                self.left.extend(core.columns.take_left(component, row));
            } else {
                core.columns
                    .ensured(component)
                    .take_to_past(row, self.direction);
            }
        }
        match (self.direction, entry.kind) {
            (Direction::Back, Kind::Recreated) => {
                let place = entry.component.get() as u32; // fewer than 2^32 slots
                core.slots.revert_reclaim(entry.id, place);
            }
            (Direction::Back, _) => core.slots.give_back(entry.id),
            (Direction::Forward, _) => core.slots.destroy(entry.id),
        }
    }
}

impl Registries {
    /// Records the owner of a unique component.
    fn own(&mut self, component: RawComponentIndex, id: UntypedId) {
        if self.columns.describe(component).unique {
            self.owners.record(component, id);
        }
    }

    fn is_excluded(&self, component: RawComponentIndex) -> bool {
        let recording = self.history.as_deref();
        recording.is_some_and(|recording| recording.excluded.contains(component))
    }

    /// Clones the removed values that were buffered at a mark.
    fn clone_values_buffered(&self, mark: u64) -> Vec<LogCopy> {
        let buffered = self.history.as_deref().and_then(|it| it.buffered_at(mark));
        buffered.map_or(Vec::new(), |buffered| buffered.clone_values(&self.removed))
    }

    /// Restores the buffers of handles to their contents at a mark; `values` are the removed values
    /// among them. Returns the present contents, to be dropped, and the indexes to rebuild: those
    /// created or paused since. Runs no user code.
    fn put_back_buffered(
        &mut self,
        mark: u64,
        values: Vec<LogCopy>,
    ) -> (Vec<IndexNumber>, impl Sized + use<>) {
        let recording = self.history.take();
        let put_back = recording.as_deref().and_then(|recording| {
            let buffered = recording.buffered_at(mark)?;
            Some(buffered.put_back(values, self.holders(), &recording.excluded))
        });
        self.history = recording;
        let (lost, dropped) = put_back.unzip();
        (lost.unwrap_or_default(), dropped)
    }
}
