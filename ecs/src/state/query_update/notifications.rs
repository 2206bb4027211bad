//! The notifications of an update of many entities: recorded before the visit, with copies of the
//! values, and dispatched when all state is final.
//!
//! ```text
//! of_nodes  adjacent entities of one signature            notifications, in order
//!           a b c                                        a: Position, Velocity
//!           updates: Position, Velocity                  b: Position, Velocity …
//! copies    one list per component: values of a, b, c    ([copies](super::copies))
//! ```

use alloc::vec::Vec;
use core::iter;
use core::ops::Range;

use super::changes::Changes;
use super::copies::{Copies, Written};
use super::node_run::{NodeRun, effects_of_update};
use crate::reactions::subscribers::Subscribers;
use crate::state::core::HasCore;
use crate::state::dispatch::Dispatch;
use crate::state::queueing::{next_change, queue_change};
use crate::state::user_code::is_dispatching;
use crate::storage::slots::NodeIndex;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// The notifications of entities of one node that are adjacent in the list; none, if there are no
/// updates.
struct OfNode {
    node: NodeIndex,
    entities: Range<usize>,
    updates: Vec<RecordedUpdate>,
}

/// The notifications for one component.
struct RecordedUpdate {
    /// The range of its effects in the list of all effects with observers.
    to_notify: Range<usize>,
    /// The index of the component among the written ones.
    term: usize,
    /// The position of the copy of the first entity's value; the others follow.
    copies: usize,
    /// Which of the entities were written to; `None` if all count.
    written: Option<Vec<bool>>,
}

impl RecordedUpdate {
    /// Whether the `nth` entity is updated.
    fn concerns(&self, nth: usize) -> bool {
        self.written.as_ref().is_none_or(|written| written[nth])
    }
}

/// All notifications: row by row, in the order of the query's terms.
#[derive(Default)]
pub(super) struct Notifications {
    entities: Vec<UntypedId>,
    of_nodes: Vec<OfNode>,
    /// The copies of each written component, once a notification needs them.
    copies: Vec<Option<Copies>>,
    /// The maximum number of entities.
    capacity: usize,
    /// The previous values of each written component, if they have been copied already: of all
    /// entities that have it.
    before: Option<Vec<Option<Copies>>>,
}

impl Notifications {
    /// Starts without notifications; `before` has the previous values if they are not stored any
    /// more.
    pub(super) fn of(before: Option<Vec<Option<Copies>>>) -> Self {
        Self {
            before,
            ..Self::default()
        }
    }

    /// Prepares for up to `capacity` entities.
    pub(super) fn expect(&mut self, capacity: usize) {
        self.capacity = capacity;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    /// Records the notifications of a run, and copies its values.
    pub(super) fn record(&mut self, world: &mut World, run: &NodeRun<'_>, written: &[Written]) {
        if self
            .of_nodes
            .last()
            .is_none_or(|last| last.node != run.node)
        {
            self.begin(world, run.node, written);
        }
        let Some(last) = self.of_nodes.last_mut() else {
            return;
        };
        if let Some(before) = &mut self.before {
            let has = |term: usize| world.components(run.node).contains(written[term].component);
            let present = before.iter_mut().enumerate().filter(|(term, _)| has(*term));
            for (term, before) in
                present.filter_map(|(term, before)| Some((term, before.as_mut()?)))
            {
                let is_notified = last.updates.iter().any(|update| update.term == term);
                match self.copies[term].as_mut().filter(|_| is_notified) {
                    Some(copies) => copies.keep_first(run.ids.len(), before),
                    None => before.drop_first(run.ids.len()),
                }
            }
        } else {
            for update in &last.updates {
                if let Some(copies) = &mut self.copies[update.term] {
                    copies.keep(world, written[update.term].component, run.rows);
                }
            }
        }
        if !last.updates.is_empty() {
            self.entities.extend_from_slice(run.ids);
            last.entities.end = self.entities.len();
        }
    }

    /// Begins a node: computes its notifications.
    fn begin(&mut self, world: &mut World, node: NodeIndex, written: &[Written]) {
        let mut updates = Vec::new();
        self.copies.resize_with(written.len(), || None);
        for (term, written) in written.iter().enumerate() {
            let effects = effects_of_update(world, node, written.component);
            let to_notify = world.graph.effects().to_notify(effects);
            if !to_notify.is_empty() {
                self.entities.reserve(self.capacity - self.entities.len());
                let copies = self.capacity_for_copies(term, written);
                updates.push(RecordedUpdate {
                    to_notify,
                    term,
                    copies,
                    written: None,
                });
            }
        }
        let entities = self.entities.len()..self.entities.len();
        self.of_nodes.push(OfNode {
            node,
            entities,
            updates,
        });
    }

    /// Creates the list for copies of a component; returns the position of the next one.
    fn capacity_for_copies(&mut self, term: usize, written: &Written) -> usize {
        let copies = &mut self.copies[term];
        if copies.is_none() {
            *copies = Copies::new(written, self.capacity);
        }
        copies.as_ref().map_or(0, Copies::len)
    }

    /// The copied previous values of a component, if any.
    fn copies(&self, update: &RecordedUpdate) -> Option<&Copies> {
        self.copies[update.term].as_ref()
    }

    /// Discards entities that were not written to, for components where only these count.
    pub(super) fn exclude_unwritten(&mut self, world: &World, changes: &Changes) {
        for of_node in &mut self.of_nodes {
            let entities = &self.entities[of_node.entities.clone()];
            for update in &mut of_node.updates {
                let written = &changes.written()[update.term];
                update.written = changes.tracked_rows(written).map(|rows| {
                    let rows_of = |id: &UntypedId| Some(world.slots.get(*id)?.row);
                    let written = |id| rows_of(id).is_some_and(|row| rows.contains(row));
                    entities.iter().map(written).collect()
                });
            }
        }
    }
}

/// Notifies observers of many changes after all of them were made; queues the notifications inside
/// another dispatch.
#[inline(never)]
pub(super) fn notify_all<C: HasCore>(context: &mut C, notifications: &mut Notifications) {
    let core = context.core_mut();
    if is_dispatching(&core.world, &core.subs) {
        queue_notifications(&core.world, &mut core.subs, notifications);
    } else {
        dispatch_all(context, notifications);
    }
}

/// Becomes the dispatch: notifies of these changes one after the other, then of all that follow.
/// They share one number, because all of them have been made already: observers that subscribe from
/// now on are not notified.
fn dispatch_all<C: HasCore>(context: &mut C, notifications: &Notifications) {
    let number = next_change(&mut context.core_mut().subs);
    let mut dispatch = Dispatch::start(context);
    for of_node in &notifications.of_nodes {
        let entities = &notifications.entities[of_node.entities.clone()];
        let mut done = 0;
        if let [update @ RecordedUpdate { written: None, .. }] = &of_node.updates[..] {
            done = notifications.notify_each(&mut dispatch, number, update, entities);
        }
        for (nth, &entity) in entities.iter().enumerate().skip(done) {
            for update in &of_node.updates {
                let to_notify = update.to_notify.clone();
                for place in to_notify.filter(|_| update.concerns(nth)) {
                    let effects = dispatch.context().core().world.graph.effects();
                    let effect = effects.to_notify_at(place);
                    let copies = notifications.copies(update);
                    let previous = copies.and_then(|copies| copies.get(update.copies + nth));
                    dispatch.notify_group(entity, number, effect, previous);
                }
            }
        }
    }
    dispatch.run();
}

impl Notifications {
    /// Calls [`Dispatch::notify_each`] with the copies, if any.
    fn notify_each<C: HasCore>(
        &self,
        dispatch: &mut Dispatch<'_, C>,
        number: u64,
        update: &RecordedUpdate,
        entities: &[UntypedId],
    ) -> usize {
        let to_notify = update.to_notify.clone();
        match self.copies(update) {
            Some(copies) => {
                dispatch.notify_each(number, to_notify, entities, copies.from(update.copies))
            }
            None => dispatch.notify_each(number, to_notify, entities, iter::repeat(None)),
        }
    }
}

/// Queues these changes. The copies of a component are in the order of the notifications, so
/// each is the next one.
fn queue_notifications(world: &World, subs: &mut Subscribers, notifications: &mut Notifications) {
    let take_all = |copies: Option<Copies>| {
        let boxed = copies.map(Copies::into_boxes);
        boxed.unwrap_or_default().into_iter()
    };
    let mut copies: Vec<_> = notifications.copies.drain(..).map(take_all).collect();
    let mut unused = Vec::new(); // dropped at the end: user code
    for of_node in &notifications.of_nodes {
        let entities = &notifications.entities[of_node.entities.clone()];
        for (nth, &entity) in entities.iter().enumerate() {
            for update in &of_node.updates {
                let previous = copies[update.term].next();
                if !update.concerns(nth) {
                    unused.push(previous);
                    continue;
                }
                queue_change(subs, entity, None, previous);
                let to_notify = update.to_notify.clone();
                subs.queue.push_groups(world.graph.effects(), to_notify);
            }
        }
    }
}
