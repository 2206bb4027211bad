//! Recording changes for a history: an entry for each, and the previous value in the past of its
//! column. Operations on histories are in [`records`](crate::records).
//!
//! Effects tell whether a history is concerned ([`EffectsIndex::is_recorded`]), as for observers;
//! so without a history none of this code runs. A value that no observer needs is moved into the
//! past, others are cloned: observers get the value while they may change and even drop the
//! context, so it cannot be part of it. If a clone panics, observers are not notified, so the value
//! itself is moved into the past, and those of all other changes that are under way.
//!
//! [`EffectsIndex::is_recorded`]: crate::matching::effects::EffectsIndex::is_recorded

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::{iter, mem};

use super::core::{Core, HasCore, TypedParts};
use super::user_code::is_dispatching;
use crate::reactions::history::{Entry, Forgotten, Kind, Recording};
use crate::reactions::subscribers::Subscribers;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::moved::{Buffer, Moved, ValueSlot};
use crate::storage::registry::index_of;
use crate::storage::slots::{NodeIndex, Row};
use crate::storage::value_list::ValueList;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::UntypedId;
use crate::world::World;

impl<C: 'static> Core<C> {
    /// Records the removal or replacement of a component that is not excluded, with the previous
    /// value.
    #[inline]
    pub(super) fn record_value<T: Component<C>>(&mut self, kind: Kind, id: UntypedId, value: T) {
        let TypedParts {
            columns, history, ..
        } = self.parts();
        if let Some((component, vacancy)) = columns.vacancy_in_past::<T>()
            && let Some(recording) = history.as_deref_mut().and_then(Recording::vacancy)
        {
            recording.fill(Entry::of(kind, id, component));
            return vacancy.fill(value);
        }
        let descriptor = const { ComponentDescriptor::of::<C, T>() };
        let component = index_of::<C, T>();
        record_moved(
            &mut self.world,
            &mut self.subs,
            kind,
            id,
            component,
            ValueSlot::of(value).moved(descriptor),
        );
    }
}

/// The history to record to, with the future discarded.
#[inline]
fn recording<'a>(world: &mut World, subs: &'a mut Subscribers) -> Option<&'a mut Recording> {
    if subs.history.as_deref()?.is_full_or_has_future() && !reserve_history(world, subs) {
        return None;
    }
    subs.history.as_deref_mut()
}

/// Discards the future; returns whether to go on recording: not if the handle was dropped,
/// which ends the history.
#[cold]
#[inline(never)]
fn reserve_history(world: &mut World, subs: &mut Subscribers) -> bool {
    let Some(recording) = subs.history.as_deref_mut() else {
        return false;
    };
    if recording.is_dropped() {
        end_dropped_history(world, subs);
        return false;
    }
    recording.cut();
    world.columns.cut_future();
    true
}

/// Records that two rows were swapped.
pub(crate) fn record_swap(world: &mut World, subs: &mut Subscribers, rows: [Row; 2]) {
    let Some(recording) = subs.history.as_deref_mut() else {
        return;
    };
    match recording.is_dropped() {
        true => end_dropped_history(world, subs),
        false => recording.push_swap(rows),
    }
}

/// Records an entry unless the component is excluded; returns whether it did.
#[inline]
fn record(
    world: &mut World,
    subs: &mut Subscribers,
    kind: Kind,
    id: UntypedId,
    component: RawComponentIndex,
) -> bool {
    let Some(recording) = recording(world, subs) else {
        return false;
    };
    let is_recorded = !recording.excluded.contains(component);
    if is_recorded {
        recording.push(Entry::of(kind, id, component));
    }
    is_recorded
}

/// Records the same change of a component of several entities; returns whether it did.
pub(super) fn record_all(
    world: &mut World,
    subs: &mut Subscribers,
    kind: Kind,
    ids: &[UntypedId],
    component: RawComponentIndex,
) -> bool {
    let Some(recording) = recording(world, subs) else {
        return false;
    };
    let is_recorded = !recording.excluded.contains(component);
    if is_recorded {
        recording.push_all(ids.iter().map(|&id| Entry::of(kind, id, component)));
    }
    is_recorded
}

/// Records a change of several entities with their previous values.
pub(super) fn record_list(
    world: &mut World,
    subs: &mut Subscribers,
    kind: Kind,
    (ids, component): (&[UntypedId], RawComponentIndex),
    values: ValueList,
) {
    if record_all(world, subs, kind, ids, component) {
        world.columns.ensured(component).keep_all(values);
    }
}

/// Records a change with the previous value of the component with this index.
#[cold]
#[inline(never)]
pub(super) fn record_moved(
    world: &mut World,
    subs: &mut Subscribers,
    kind: Kind,
    id: UntypedId,
    component: RawComponentIndex,
    value: Moved<'_>,
) {
    if record(world, subs, kind, id, component) {
        world.columns.ensured(component).keep(value);
    }
}

/// Clones the value of an entity whose component its caller is about to take, if the history
/// needs it: user code, before anything changes.
pub(super) fn clone_to_record<'b>(
    world: &World,
    subs: &Subscribers,
    id: UntypedId,
    component: RawComponentIndex,
    buffer: &'b mut Buffer,
) -> Option<Moved<'b>> {
    let slot = world
        .slots
        .get(id)
        .filter(|_| is_recorded(subs, component))?;
    buffer.clone_of(world.columns.at(component)?.view(slot.row)?)
}

/// Records that an entity was created with all components of its node; under an old id if its
/// slot was taken from a `place` on the stack.
pub(super) fn record_created(
    world: &mut World,
    subs: &mut Subscribers,
    id: UntypedId,
    node: NodeIndex,
    place: Option<u32>,
) {
    for at in 0..world.graph.component_list(node).len() {
        let component = world.graph.component_list(node)[at];
        record(world, subs, Kind::CreatedWith, id, component);
    }
    if let Some(recording) = recording(world, subs) {
        recording.push(
            match place.map(|place| RawComponentIndex::at(place as usize)) {
                Some(place) => Entry::of(Kind::Recreated, id, place),
                None => Entry::whole(Kind::Created, id),
            },
        );
    }
}

/// Records that entities were destroyed with the components of their node, whose values are still
/// in their rows; they are cloned if they are `passed` to observers.
pub(super) fn record_destroyed(
    world: &mut World,
    subs: &mut Subscribers,
    ids: &[UntypedId],
    node: NodeIndex,
    (rows, passed): (&[Row], bool),
) {
    let components = world.graph.component_list(node).to_vec();
    if let Some(recording) = recording(world, subs) {
        let recorded = |component: &&_| !recording.excluded.contains(**component);
        let with: Vec<_> = components.iter().filter(recorded).copied().collect();
        recording.push_all(ids.iter().flat_map(|&id| {
            let entry = move |&component| Entry::of(Kind::DestroyedWith, id, component);
            let whole = iter::once(Entry::whole(Kind::Destroyed, id));
            with.iter().map(entry).chain(whole)
        }));
    }
    keep_left(world, subs, &components, (rows, passed));
}

/// Keeps the values of recorded components that are still in rows; clones of them, if they are
/// `passed` to observers.
pub(super) fn keep_left(
    world: &mut World,
    subs: &mut Subscribers,
    components: &[RawComponentIndex],
    (rows, passed): (&[Row], bool),
) {
    let mut keeping = KeepingLeft {
        world,
        subs,
        components,
        rows,
        done: 0,
        passed,
    };
    keeping.run();
}

/// Previous values to keep that are still in their rows. If a clone panics, that value and the rest
/// are moved.
struct KeepingLeft<'a> {
    world: &'a mut World,
    subs: &'a mut Subscribers,
    components: &'a [RawComponentIndex],
    rows: &'a [Row],
    /// How many rows of the first component are done.
    done: usize,
    passed: bool,
}

impl KeepingLeft<'_> {
    fn run(&mut self) {
        while let Some((&component, rest)) = self.components.split_first() {
            // As for the entries, even if the handle of the history has been dropped.
            let history = self.subs.history.as_deref();
            if history.is_some_and(|it| !it.excluded.contains(component)) {
                let column = self.world.columns.ensured(component);
                if self.passed {
                    while let Some(&row) = self.rows.get(self.done) {
                        column.keep_clone(row);
                        self.done += 1; // not if it panics
                    }
                }
                column.keep_rows(&self.rows[self.done..]);
            }
            (self.components, self.done) = (rest, 0);
        }
    }
}

impl Drop for KeepingLeft<'_> {
    fn drop(&mut self) {
        self.passed = false;
        self.run();
    }
}

/// Whether there is a history whose handle is alive.
pub(crate) fn has_history(subs: &Subscribers) -> bool {
    let history = subs.history.as_deref();
    history.is_some_and(|recording| !recording.is_dropped())
}

/// Whether a history with a living handle records a component.
#[inline]
pub(crate) fn is_recorded(subs: &Subscribers, component: RawComponentIndex) -> bool {
    let history = subs.history.as_deref();
    history.is_some_and(|recording| recording.records(component))
}

/// Discards the history, which starts again from here. The discarded values are dropped after
/// the current change.
pub(crate) fn forget_history(world: &mut World, subs: &mut Subscribers) {
    let Some(recording) = subs.history.as_deref_mut() else {
        return;
    };
    if recording.is_dropped() {
        return end_dropped_history(world, subs);
    }
    let checkpoints = recording.restart();
    let excluded = Some(&recording.excluded);
    subs.indexes.set_recorded(excluded);
    leave_in_history(world, subs, checkpoints);
}

/// Ends the history of a dropped handle during a change: nothing is recorded from now on. The
/// remains are dropped when the next handle is created.
pub(super) fn end_dropped_history(world: &mut World, subs: &mut Subscribers) {
    if let Some(checkpoints) = subs.history.as_deref_mut().and_then(Recording::end) {
        subs.indexes.set_recorded(None);
        leave_in_history(world, subs, checkpoints);
    }
}

/// Leaves discarded checkpoints and all past values to be dropped.
fn leave_in_history(world: &mut World, subs: &mut Subscribers, checkpoints: Forgotten) {
    let values = world.columns.end_past();
    if let Some(recording) = subs.history.as_deref_mut() {
        recording.pending_drops.push(Box::new(checkpoints));
        recording.pending_drops.push(Box::new(values));
    }
}

/// Drops what was discarded: user code.
pub(crate) fn drop_cut(world: &mut World, subs: &mut Subscribers) {
    let pending_drops = subs.history.as_deref_mut();
    let pending_drops = pending_drops.map(|recording| mem::take(&mut recording.pending_drops));
    world.columns.drop_cut();
    drop(pending_drops);
}

/// Ends the history, if there is one.
pub(crate) fn end<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    let ended = core.subs.history.take();
    if ended.is_some() {
        let dispatching = is_dispatching(&core.world, &core.subs);
        core.world.graph.set_recorded(None, dispatching);
        core.subs.indexes.set_recorded(None);
        let values = core.world.columns.end_past();
        drop((ended, values)); // user code
    }
}

/// Rejects moving all entities at once while there is a history.
#[track_caller]
pub(crate) fn check_movable<C: HasCore>(core: &Core<C>) {
    assert!(
        !has_history(&core.subs),
        "the entities of context `{}` cannot be moved all at once while a history follows: a rewind \
         could not restore the order in which they are visited; call `storage_mut().defragment_for`, \
         which is recorded, or `defragment` before `record`",
        C::NAME
    );
}
