//! What observers are notified of by an update of many entities: noted before the visit, with
//! copies of the values, and dispatched when all is final.
//!
//! ```text
//! of_nodes  entities of one signature, side by side      notifications, in turn
//!           a b c                                        a: Position, Velocity
//!           updates: Position, Velocity                  b: Position, Velocity …
//! copies    one list for each component: a's, b's, c's value ([copies](super::copies))
//! ```

use alloc::vec::Vec;
use core::iter;
use core::ops::Range;

use super::changes::Changes;
use super::copies::{Copies, Written};
use super::node_run::NodeRun;
use crate::state::core::{HasCore, Registries};
use crate::state::dispatch::Dispatch;
use crate::storage::slots::NodeIndex;
use crate::words::entity_id::UntypedId;

/// What observers are notified of for entities of one node that stand side by side in the
/// list; nothing, if there are no updates.
struct OfNode {
    node: NodeIndex,
    entities: Range<usize>,
    updates: Vec<RecordedUpdate>,
}

/// What they are notified of for one component.
struct RecordedUpdate {
    /// Where the effects stand in the list of all effects that observers are notified of.
    to_notify: Range<usize>,
    /// Which of the written components it is.
    term: usize,
    /// The place of the copy of the first entity's value; the others follow.
    copies: usize,
    /// Which of the entities have been written to, if not all count.
    written: Option<Vec<bool>>,
}

impl RecordedUpdate {
    /// Whether it is one of the `nth` of the entities.
    fn concerns(&self, nth: usize) -> bool {
        self.written.as_ref().is_none_or(|written| written[nth])
    }
}

/// All that observers are notified of: row by row, in the order of the query's terms.
#[derive(Default)]
pub(super) struct Notifications {
    entities: Vec<UntypedId>,
    of_nodes: Vec<OfNode>,
    /// Of each of the written components, once somebody is to be notified of it.
    copies: Vec<Option<Copies>>,
    /// How many entities there may be.
    capacity: usize,
    /// The values before of all entities, if they have been copied already; of one component.
    before: Option<Copies>,
}

impl Notifications {
    /// None yet; the values before are these, or still there.
    pub(super) fn of(before: Option<Copies>) -> Self {
        Self {
            before,
            ..Self::default()
        }
    }

    /// Gets ready for those of up to `capacity` entities.
    pub(super) fn expect(&mut self, capacity: usize) {
        self.capacity = capacity;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    /// Notes what there is to notify of for a run, and copies its values.
    pub(super) fn record(&mut self, core: &mut Registries, run: &NodeRun<'_>, written: &[Written]) {
        if self
            .of_nodes
            .last()
            .is_none_or(|last| last.node != run.node)
        {
            self.begin(core, run.node, written);
        }
        let Some(last) = self
            .of_nodes
            .last_mut()
            .filter(|last| !last.updates.is_empty())
        else {
            if let Some(before) = &mut self.before {
                before.drop_first(run.ids.len());
            }
            return;
        };
        for update in &last.updates {
            let copies = self.copies[update.term].as_mut();
            match (copies, &mut self.before) {
                (Some(copies), Some(before)) => copies.keep_first(run.ids.len(), before),
                (Some(copies), None) => {
                    copies.keep(core, written[update.term].component, run.rows);
                }
                (None, _) => {}
            }
        }
        self.entities.extend_from_slice(run.ids);
        last.entities.end = self.entities.len();
    }

    /// Begins a node: works out what there is to notify of.
    fn begin(&mut self, core: &mut Registries, node: NodeIndex, written: &[Written]) {
        let mut updates = Vec::new();
        self.copies.resize_with(written.len(), || None);
        for (term, written) in written.iter().enumerate() {
            let effects = core.effects_of_update(node, written.component);
            let to_notify = core.graph.effects().to_notify(effects);
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

    /// Makes the list for copies of a component; returns the place of the next one.
    fn capacity_for_copies(&mut self, term: usize, written: &Written) -> usize {
        let copies = &mut self.copies[term];
        if copies.is_none() {
            *copies = Copies::new(written, self.capacity);
        }
        copies.as_ref().map_or(0, Copies::len)
    }

    /// The values that entities had in one component, if they are copied.
    fn copies(&self, update: &RecordedUpdate) -> Option<&Copies> {
        self.copies[update.term].as_ref()
    }

    /// Leaves out the entities in the rows from `end` on.
    pub(super) fn forget_from(&mut self, core: &Registries, end: usize) {
        let is_before = |id: &UntypedId| core.slots.get(*id).is_some_and(|it| it.row.get() < end);
        let left = self.entities.partition_point(is_before);
        self.entities.truncate(left);
        for of_node in &mut self.of_nodes {
            let Range { start, end } = of_node.entities;
            of_node.entities = start.min(left)..end.min(left);
        }
    }

    /// Leaves entities out that have not been written to, of components where just these
    /// count.
    pub(super) fn leave_out_unwritten(&mut self, core: &Registries, changes: &Changes) {
        for of_node in &mut self.of_nodes {
            let entities = &self.entities[of_node.entities.clone()];
            for update in &mut of_node.updates {
                let written = &changes.written()[update.term];
                update.written = changes.tracked_rows(written).map(|rows| {
                    let rows_of = |id: &UntypedId| Some(core.slots.get(*id)?.row);
                    let written = |id| rows_of(id).is_some_and(|row| rows.contains(row));
                    entities.iter().map(written).collect()
                });
            }
        }
    }
}

/// Notifies observers of many changes, all of them made: at once, or in their turn if a
/// dispatch is under way.
#[inline(never)]
pub(super) fn notify_all<C: HasCore>(context: &mut C, notifications: &mut Notifications) {
    let core = context.core_mut();
    if core.is_dispatching() {
        core.queue_notifications(notifications);
    } else {
        dispatch_all(context, notifications);
    }
}

/// Becomes the dispatch: notifies of these changes one after the other, then of all that they
/// lead to. They have one number, because all of them have been made already: observers that
/// subscribe from now on are notified of none.
fn dispatch_all<C: HasCore>(context: &mut C, notifications: &Notifications) {
    let number = context.core_mut().next_change();
    let mut dispatch = Dispatch::start(context);
    for of_node in &notifications.of_nodes {
        let entities = &notifications.entities[of_node.entities.clone()];
        let mut done = 0;
        if let [update @ RecordedUpdate { written: None, .. }] = &of_node.updates[..] {
            done = notifications.notify_each(&mut dispatch, update, entities);
        }
        for (nth, &entity) in entities.iter().enumerate().skip(done) {
            for update in &of_node.updates {
                let to_notify = update.to_notify.clone();
                for place in to_notify.filter(|_| update.concerns(nth)) {
                    let effects = dispatch.context().core().graph.effects();
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
    /// [`Dispatch::notify_each`], with the copies there are.
    fn notify_each<C: HasCore>(
        &self,
        dispatch: &mut Dispatch<'_, C>,
        update: &RecordedUpdate,
        entities: &[UntypedId],
    ) -> usize {
        let to_notify = update.to_notify.clone();
        match self.copies(update) {
            Some(copies) => dispatch.notify_each(to_notify, entities, copies.from(update.copies)),
            None => dispatch.notify_each(to_notify, entities, iter::repeat(None)),
        }
    }
}

impl Registries {
    /// Queues these changes. The copies of a component are in the order of the notifications,
    /// so each is the next one.
    fn queue_notifications(&mut self, notifications: &mut Notifications) {
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
                    self.queue_change(entity, None, previous);
                    let to_notify = update.to_notify.clone();
                    self.queue.push_groups(self.graph.effects(), to_notify);
                }
            }
        }
    }
}
