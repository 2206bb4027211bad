//! Recording, the second step of a commit: an entry for each change, and the previous value in the
//! past of its column.
//!
//! Effects tell whether a history is concerned ([`EffectsIndex::is_recorded`]), as for observers;
//! so without a history none of this code runs. A value that no observer needs is moved into the
//! past, others are cloned: observers get the value while they may change and even drop the
//! context, so it cannot be part of it. If a clone panics, observers are not notified, so the value
//! itself is moved into the past, and those of all other changes that are under way.
//!
//! [`EffectsIndex::is_recorded`]: crate::matching::effects::EffectsIndex::is_recorded

use alloc::vec::Vec;
use core::iter;

use crate::reactions::history::{Entry, Kind, Recording};
use crate::reactions::subscribers::Subscribers;
use crate::state::core::{Core, TypedParts};
use crate::state::recording::end_dropped_history;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::moved::{Moved, ValueSlot};
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
    if record_all(world, subs, kind, &[id], component) {
        world.columns.ensured(component).keep(value);
    }
}

/// Records that entities were created with all components of their nodes; under their old ids, if
/// their slots were taken from `places` on the stack.
pub(crate) fn record_created(
    world: &mut World,
    subs: &mut Subscribers,
    ids: &[UntypedId],
    places: &[Option<u32>],
) {
    for (nth, &id) in ids.iter().enumerate() {
        let (Some(slot), Some(_)) = (world.slots.get(id), &subs.history) else {
            continue;
        };
        for at in 0..world.graph.component_list(slot.node).len() {
            let component = world.graph.component_list(slot.node)[at];
            record_all(world, subs, Kind::CreatedWith, &[id], component);
        }
        if let Some(recording) = recording(world, subs) {
            let place = places.get(nth).copied().flatten();
            recording.push(match place {
                Some(place) => {
                    Entry::of(Kind::Recreated, id, RawComponentIndex::at(place as usize))
                }
                None => Entry::whole(Kind::Created, id),
            });
        }
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
