//! Seeking to a mark of a history, back or forward.
//!
//! Each entry is undone or redone in turn: its value moves between the column and the column's
//! past, and the entity moves to another node. Links of relations have journals of their own
//! ([`journal`](crate::reactions::entity_index)); all other indexes are
//! updated for the changed entities ([`excluded`](crate::records::excluded)). The contents of
//! collectors, inboxes and lists of removed values are restored from the mark. No user code runs in
//! between: removed values are cloned before the first step, all others are moved, and leftovers
//! are dropped at the end.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::mem;

use super::checkpoints::{holders, idle_history};
use crate::matching::group::IndexNumber;
use crate::reactions::history::{Entry, HistoryStep, Kind, Point, Recording};
use crate::reactions::removed::LogCopy;
use crate::reactions::subscribers::Subscribers;
use crate::records::excluded::{mark_unrecorded, toggle_component, update_unrecorded};
use crate::state::commit::{commit_rewound, commit_rewound_destroy};
use crate::state::core::HasCore;
use crate::state::defragment::swap;
use crate::state::entity_indexes::restart;
use crate::state::events::remove_outdated_observers;
use crate::state::groups::collect_signatures;
use crate::state::recording::{drop_cut, record_swap};
use crate::state::reindex::flush_batches;
use crate::state::steps::resend_kept_relations;
use crate::state::terms::{flush_flips, update_rewound_flags};
use crate::storage::descriptor::AnyValue;
use crate::storage::past::Direction;
use crate::storage::slots::{NodeIndex, Slot};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::history_error::HistoryError;
use crate::words::signature::RawComponentSet;
use crate::world::World;

/// Seeks to a mark: an earlier one by undoing entries, a later one by redoing them. Returns the
/// number of entries.
pub(crate) fn seek<C: HasCore>(
    context: &mut C,
    mark: u64,
    direction: Direction,
) -> Result<usize, HistoryError> {
    let core = context.core_mut();
    let (world, subs) = (&mut core.world, &mut core.subs);
    let to = destination(idle_history(world, subs)?, C::NAME, mark, direction)?;
    let values = clone_values_buffered(subs, mark); // user code: nothing has changed yet
    collect_signatures(world, subs);
    world.slots.list_traversals();
    subs.collectors.expect_destroyed(&world.slots);
    let mut seek = Seek::new(world, subs, direction);
    let steps = seek.go_to(to);
    seek.take_detour(mark);
    let (left, mut changed) = (seek.left, seek.changed);
    let (revived, repeats) = (seek.revived, seek.repeats);
    if repeats {
        subs.collectors.remove_repeated();
    }
    let outdated = update_unrecorded(world, subs, &mut changed);
    let (lost, buffered) = put_back_buffered(world, subs, mark, values);
    resend_kept_relations(world, subs, &revived);
    for &relation in &lost {
        drop(restart(world, subs, relation)); // no user code
    }
    let flips = update_rewound_flags(world, subs);
    mark_unrecorded(world, subs, &changed);
    changed.clear();
    subs.indexes.changed = changed;
    let listeners = remove_outdated_observers(world, subs);
    flush_batches(context); // user code from here on
    flush_flips(context, &flips);
    drop((left, outdated, buffered, listeners));
    let core = context.core_mut();
    drop_cut(&mut core.world, &mut core.subs);
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
    world: &'a mut World,
    subs: &'a mut Subscribers,
    direction: Direction,
    /// Whether some collector includes rewinds.
    is_observed: bool,
    /// Values of excluded components whose entities no longer exist.
    left: Vec<Box<AnyValue>>,
    /// The entities revived so far, if some collector includes rewinds.
    revived: Vec<UntypedId>,
    /// Whether entities that had got their old ids back were passed.
    repeats: bool,
    /// The entities of all entries, if some index is not recorded.
    changed: Vec<UntypedId>,
    is_indexed: bool,
}

impl<'a> Seek<'a> {
    fn new(world: &'a mut World, subs: &'a mut Subscribers, direction: Direction) -> Self {
        Self {
            is_observed: subs.collectors.any_includes_rewinds(),
            changed: mem::take(&mut subs.indexes.changed),
            is_indexed: subs.indexes.any_unrecorded(),
            world,
            subs,
            direction,
            left: Vec::new(),
            revived: Vec::new(),
            repeats: false,
        }
    }

    /// Seeks to a point; returns the number of entries traversed.
    fn go_to(&mut self, to: Point) -> usize {
        let mut entries = 0;
        while let Some(step) = self.step(to) {
            match step {
                HistoryStep::Swap([a, b]) => swap(self.world, self.subs, a, b),
                HistoryStep::Entry(entry) => {
                    entries += 1;
                    self.changed.extend(self.is_indexed.then_some(entry.id));
                    self.take(entry);
                }
            }
        }
        entries
    }

    /// Swaps the rows that were swapped between the last entry before the mark and the mark.
    fn take_detour(&mut self, mark: u64) {
        let recording = self.subs.history.as_deref();
        let detour = recording.and_then(|it| it.detour_to(mark));
        for [a, b] in detour.unwrap_or_default() {
            swap(self.world, self.subs, a, b);
            record_swap(self.world, self.subs, [a, b]);
        }
    }

    fn step(&mut self, to: Point) -> Option<HistoryStep> {
        let recording = self.subs.history.as_deref_mut()?;
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
        let row = self.world.slots.row_of(id);
        self.world
            .columns
            .ensured(component)
            .swap_past(row, self.direction);
        if self.is_observed {
            self.collect_update(id, component);
        }
    }

    /// Collects an entity with a changed value, for collectors that include rewinds.
    fn collect_update(&mut self, id: UntypedId, component: RawComponentIndex) {
        if let Some(slot) = self.world.slots.get(id) {
            let effects = self
                .world
                .graph
                .update(slot.node, component, &self.world.groups);
            commit_rewound(self.world, self.subs, &[id], effects);
        }
    }

    /// Gives the component back to the entity.
    fn put(&mut self, Entry { id, component, .. }: Entry) {
        let row = self.world.slots.row_of(id);
        self.world
            .columns
            .ensured(component)
            .put_from_past(row, self.direction);
        own(self.world, component, id);
        self.toggle(id, component);
    }

    /// Removes the component from the entity.
    fn remove(&mut self, Entry { id, component, .. }: Entry) {
        let row = self.world.slots.row_of(id);
        self.world
            .columns
            .ensured(component)
            .take_to_past(row, self.direction);
        self.toggle(id, component);
    }

    fn toggle(&mut self, id: UntypedId, component: RawComponentIndex) {
        let effects = toggle_component(self.world, id, component);
        commit_rewound(self.world, self.subs, &[id], effects);
    }

    /// Revives the entity with the components whose entries precede its own.
    fn revive(&mut self, entry: Entry) {
        let node = self.node_before();
        let row = if entry.kind == Kind::Recreated {
            self.world.slots.reclaim_all(&[entry.id]);
            self.world.slots.set_node(entry.id, node);
            self.world.slots.row_of(entry.id)
        } else {
            self.world.slots.revive(entry.id, node)
        };
        for at in 0..self.world.graph.component_list(node).len() {
            let component = self.world.graph.component_list(node)[at];
            self.world
                .columns
                .ensured(component)
                .put_from_past(row, self.direction);
            own(self.world, component, entry.id);
        }
        let effects = self.world.graph.create(node, &self.world.groups);
        commit_rewound(self.world, self.subs, &[entry.id], effects);
        if self.is_observed {
            self.revived.push(entry.id);
        }
    }

    fn node_before(&mut self) -> NodeIndex {
        let recording = self.subs.history.as_deref();
        let components = recording
            .into_iter()
            .flat_map(|it| it.components_before(self.direction));
        let components: RawComponentSet = components.collect();
        self.world.graph.node(components, &self.world.groups)
    }

    /// Destroys the entity with all of its components.
    fn end(&mut self, entry: Entry) {
        let slot = self.world.slots.get(entry.id);
        let Slot { node, row } = slot.expect("the entity is alive after its entry");
        let effects = self.world.graph.destroy(node, &self.world.groups);
        commit_rewound_destroy(self.world, self.subs, (entry.id, row), effects);
        for at in 0..self.world.graph.component_list(node).len() {
            let component = self.world.graph.component_list(node)[at];
            if is_excluded(self.subs, component) {
                self.left
                    .extend(self.world.columns.take_left(component, row));
            } else {
                self.world
                    .columns
                    .ensured(component)
                    .take_to_past(row, self.direction);
            }
        }
        match (self.direction, entry.kind) {
            (Direction::Back, Kind::Recreated) => {
                let place = entry.component.get() as u32; // fewer than 2^32 slots
                self.world.slots.revert_reclaim(entry.id, place);
            }
            (Direction::Back, _) => self.world.slots.give_back(entry.id),
            (Direction::Forward, _) => self.world.slots.destroy(entry.id),
        }
    }
}

/// Records the owner of a unique component.
fn own(world: &mut World, component: RawComponentIndex, id: UntypedId) {
    if world.columns.describe(component).unique {
        world.owners.record(component, id);
    }
}

fn is_excluded(subs: &Subscribers, component: RawComponentIndex) -> bool {
    let recording = subs.history.as_deref();
    recording.is_some_and(|recording| recording.excluded.contains(component))
}

/// Clones the removed values that were buffered at a mark.
fn clone_values_buffered(subs: &Subscribers, mark: u64) -> Vec<LogCopy> {
    let buffered = subs.history.as_deref().and_then(|it| it.buffered_at(mark));
    buffered.map_or(Vec::new(), |buffered| buffered.clone_values(&subs.removed))
}

/// Restores the buffers of handles to their contents at a mark; `values` are the removed values
/// among them. Returns the present contents, to be dropped, and the indexes to rebuild: those
/// created or paused since. Runs no user code.
fn put_back_buffered(
    world: &mut World,
    subs: &mut Subscribers,
    mark: u64,
    values: Vec<LogCopy>,
) -> (Vec<IndexNumber>, impl Sized + use<>) {
    let recording = subs.history.take();
    let put_back = recording.as_deref().and_then(|recording| {
        let buffered = recording.buffered_at(mark)?;
        Some(buffered.put_back(values, holders(world, subs), &recording.excluded))
    });
    subs.history = recording;
    let (lost, dropped) = put_back.unzip();
    (lost.unwrap_or_default(), dropped)
}
