//! Going back to a moment of a history, and forward again.
//!
//! Each entry is undone, or done again, in turn: the value moves between its column and the past
//! of that, the entity goes to another node, and groups follow. Entity indexes walk back on their
//! own ([`journal`](crate::reactions::entity_index)) or, if they depend on what is left out, follow the
//! entities that have been changed ([`left_out`](super::left_out)), and what collectors, inboxes and lists of
//! removed values held is put back from the mark. No user code runs on the way: removed values are
//! cloned before the first step, all others are moved, and those that are not wanted any more are
//! dropped at the end.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::left_out::settle_left_out;
use crate::matching::group::IndexNumber;
use crate::reactions::history::{Entry, HistoryStep, Kind, Point};
use crate::reactions::removed::LogCopy;
use crate::state::core::{HasCore, Registries};
use crate::state::index::settle_batch;
use crate::storage::descriptor::AnyValue;
use crate::storage::past::Direction;
use crate::storage::slots::{NodeIndex, Slot};
use crate::words::component::ComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::history_error::HistoryError;
use crate::words::relation::OnTargetDestroyed;
use crate::words::signature::ComponentSet;

/// Makes the moment of a mark the present: one before, by undoing what came after, or one after, by
/// doing again what has been undone. Returns how many entries that took.
pub(crate) fn travel<C: HasCore>(
    context: &mut C,
    mark: u64,
    direction: Direction,
) -> Result<usize, HistoryError> {
    let (core, name): (&mut Registries, _) = (context.core_mut(), C::NAME);
    let recording = core.idle_history()?;
    let unknown = HistoryError::UnknownMark { context: name };
    let to = recording.moment(mark).ok_or(unknown)?;
    match (recording.seen_from_present(to), direction) {
        (Ordering::Greater, Direction::Back) => {
            return Err(HistoryError::MarkIsAhead { context: name });
        }
        (Ordering::Less, Direction::Forward) => {
            return Err(HistoryError::MarkIsBehind { context: name });
        }
        _ => {}
    }
    let values = core.clone_values_held(mark); // user code: nothing has changed yet
    core.collect_signatures();
    core.slots.list_walks();
    core.collectors.await_ended(&core.slots);
    let mut journey = Journey {
        is_followed: core.collectors.any_follows_rewinds(),
        changed: core.indexes.any_unrecorded().then(Vec::new),
        core,
        direction,
        left: Vec::new(),
        revived: Vec::new(),
    };
    let steps = journey.walk(to);
    journey.take_detour(mark);
    let (left, changed, is_followed) = (journey.left, journey.changed, journey.is_followed);
    let revived = journey.revived;
    let behind = core.follow_left_out(changed.unwrap_or_default(), is_followed);
    let (mut lost, held) = core.put_back_held(mark, values);
    core.indexes.sort_by_age(&mut lost, |&index| index);
    core.feed_keepers_of(&revived);
    let emptied: Vec<_> = lost.iter().map(|&index| core.begin_anew(index)).collect();
    let listeners = core.end_listeners_of_another_time();
    for index in lost {
        settle_batch(context, index); // user code, as is what follows
    }
    settle_left_out(context, &behind.indexes);
    drop((left, behind.values, held, listeners, emptied));
    context.core_mut().drop_cut();
    Ok(steps)
}

/// Entries being undone, or done again.
struct Journey<'a> {
    core: &'a mut Registries,
    direction: Direction,
    /// Whether some collector gathers what is undone.
    is_followed: bool,
    /// The values of components that are left out, of entities that are not there any more.
    left: Vec<Box<AnyValue>>,
    /// Who has come to life on the way, if some collector gathers what is undone.
    revived: Vec<UntypedId>,
    /// The entities of all steps, if some indexes depend on components that are left out.
    changed: Option<Vec<UntypedId>>,
}

impl Journey<'_> {
    /// Goes to a moment; returns how many entries that took.
    fn walk(&mut self, to: Point) -> usize {
        let mut entries = 0;
        while let Some(step) = self.step(to) {
            match step {
                HistoryStep::Exchange([a, b]) => self.core.exchange(a, b),
                HistoryStep::Entry(entry) => {
                    entries += 1;
                    self.changed.iter_mut().for_each(|ids| ids.push(entry.id));
                    self.take(entry);
                }
            }
        }
        entries
    }

    /// Has rows change places that had, at a mark, since its last entry.
    fn take_detour(&mut self, mark: u64) {
        let recording = self.core.history.as_deref();
        let detour = recording.and_then(|it| it.detour_to(mark));
        for [a, b] in detour.unwrap_or_default() {
            self.core.exchange(a, b);
            self.core.record_exchange([a, b]);
        }
    }

    fn step(&mut self, to: Point) -> Option<HistoryStep> {
        let recording = self.core.history.as_deref_mut()?;
        recording.step(to, self.direction)
    }

    fn take(&mut self, entry: Entry) {
        use Direction::{Back, Forward};
        match (entry.kind, self.direction) {
            (Kind::Replaced, _) => self.exchange(entry),
            (Kind::Added, Forward) | (Kind::Removed, Back) => self.put(entry),
            (Kind::Added, Back) | (Kind::Removed, Forward) => self.remove(entry),
            (Kind::Created, Forward) | (Kind::Ended, Back) => self.revive(entry),
            (Kind::Created, Back) | (Kind::Ended, Forward) => self.end(entry),
            (Kind::CreatedWith | Kind::EndedWith, _) => {} // told with the entity
        }
    }

    /// Has the entity have the other value.
    fn exchange(&mut self, Entry { id, component, .. }: Entry) {
        let row = self.core.slots.row_of(id);
        self.core
            .columns
            .ensured(component)
            .exchange_past(row, self.direction);
        if self.is_followed {
            self.gather_update(id, component);
        }
    }

    /// Has collectors that follow gather an entity that has another value.
    fn gather_update(&mut self, id: UntypedId, component: ComponentIndex) {
        let core = &mut *self.core;
        if let Some(slot) = core.slots.get(id) {
            let effects = core.graph.update(slot.node, component, &core.groups);
            core.gather(id, effects);
        }
    }

    /// Gives the entity the component.
    fn put(&mut self, Entry { id, component, .. }: Entry) {
        let row = self.core.slots.row_of(id);
        self.core
            .columns
            .ensured(component)
            .put_from_past(row, self.direction);
        self.core.own(component, id);
        self.core.toggle_component(id, component, self.is_followed);
    }

    /// Takes the component from the entity.
    fn remove(&mut self, Entry { id, component, .. }: Entry) {
        let row = self.core.slots.row_of(id);
        self.core
            .columns
            .ensured(component)
            .take_to_past(row, self.direction);
        self.core.toggle_component(id, component, self.is_followed);
    }

    /// Brings the entity to life with the components that stand before its entry.
    fn revive(&mut self, entry: Entry) {
        let node = self.node_before();
        let core = &mut *self.core;
        let row = core.slots.revive(entry.id, node);
        for at in 0..core.graph.component_list(node).len() {
            let component = core.graph.component_list(node)[at];
            core.columns
                .ensured(component)
                .put_from_past(row, self.direction);
            core.own(component, entry.id);
        }
        let effects = core.graph.create(node, &core.groups);
        if self.is_followed {
            core.gather(entry.id, effects);
            self.revived.push(entry.id);
        }
    }

    fn node_before(&mut self) -> NodeIndex {
        let core = &mut *self.core;
        let recording = core.history.as_deref();
        let components = recording
            .into_iter()
            .flat_map(|it| it.components_before(self.direction));
        let components: ComponentSet = components.collect();
        core.graph.node(components, &core.groups)
    }

    /// Ends the entity, whatever it has.
    fn end(&mut self, entry: Entry) {
        let core = &mut *self.core;
        let Some(Slot { node, row }) = core.slots.get(entry.id) else {
            return;
        };
        let effects = core.graph.destroy(node, &core.groups);
        if self.is_followed {
            core.gather(entry.id, effects);
            core.collectors.forget_slot(&core.slots, entry.id, row);
        }
        core.observers.note_end(entry.id.raw());
        for at in 0..core.graph.component_list(node).len() {
            let component = core.graph.component_list(node)[at];
            if core.is_left_out(component) {
                self.left.extend(core.columns.take_left(component, row));
            } else {
                core.columns
                    .ensured(component)
                    .take_to_past(row, self.direction);
            }
        }
        match self.direction {
            Direction::Back => core.slots.give_back(entry.id),
            Direction::Forward => core.slots.destroy(entry.id),
        }
    }
}

impl Registries {
    /// Has feeds tell of those that have kept their relation to an entity which lives again: their
    /// values are as before, but they lead to it once more.
    fn feed_keepers_of(&mut self, revived: &[UntypedId]) {
        for links in self.indexes.relations() {
            let keeps = links.on_target_destroyed == OnTargetDestroyed::Keep;
            let Some(collector) = self.feeds.collector_of(links.component).filter(|_| keeps) else {
                continue;
            };
            for &target in revived.iter().filter(|id| self.slots.get(**id).is_some()) {
                let sources = links.sources(target);
                self.collectors.collect_ids(&self.slots, sources, collector);
            }
        }
    }

    /// Notes the owner of a component that is unique.
    fn own(&mut self, component: ComponentIndex, id: UntypedId) {
        if self.columns.describe(component).unique {
            self.owners.note(component, id);
        }
    }

    fn is_left_out(&self, component: ComponentIndex) -> bool {
        let recording = self.history.as_deref();
        recording.is_some_and(|recording| recording.left_out.contains(component))
    }

    /// Clones of the removed values that lists of them held at a mark.
    fn clone_values_held(&self, mark: u64) -> Vec<LogCopy> {
        let held = self.history.as_deref().and_then(|it| it.held_at(mark));
        held.map_or(Vec::new(), |held| held.clone_values(&self.removed))
    }

    /// Has handles hold what they held at a mark, of which these are the removed values; returns what
    /// they held by now, to be dropped. And the indexes that are to be made anew: they have come
    /// since, or have been paused. Runs no user code.
    fn put_back_held(
        &mut self,
        mark: u64,
        values: Vec<LogCopy>,
    ) -> (Vec<IndexNumber>, impl Sized + use<>) {
        let recording = self.history.take();
        let held = recording.as_deref().and_then(|it| it.held_at(mark));
        let put_back = held.map(|held| held.put_back(values, self.holders()));
        self.history = recording;
        let (lost, dropped) = put_back.unzip();
        (lost.unwrap_or_default(), dropped)
    }
}
