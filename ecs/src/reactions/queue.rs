//! The queue of pending notifications.
//!
//! ```text
//! change ─► steps of the current change ─► steps of nested changes ─► …   first in, first out
//!           Group(0, Entered) Group(3, Left)  Change(..) Group(1, Updated)
//! ```
//!
//! Changes made by observers are queued as further steps. The outermost call iterates over them
//! until the end, so chains of reactions do not grow the stack. The state above does the iteration.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::sync::{Arc, Weak};
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use hashbrown::HashSet;

use crate::matching::effects::{Effect, EffectsIndex, EffectsTable};
use crate::matching::group::GroupIndex;
use crate::matching::matcher::GroupEvent;
use crate::reactions::messages::ChannelNumber;
use crate::reactions::subscription::Subject;
use crate::storage::descriptor::AnyValue;
use crate::storage::heap::{Heap, heap};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{RawEntityId, UntypedId};
use crate::words::limits::FIRST_NUMBER;

/// A queued step.
pub(crate) enum Step {
    /// The following steps concern this change.
    Change(QueuedChange),
    /// Notify the observers of a group event of the current change.
    Group(Effect),
    /// Notify the observers of created or of destroyed entities.
    Entity(Subject),
    /// Notify of a new group, which is a change with this number.
    GroupCreated(u64, GroupIndex),
    /// Notify of a message, which is a change of its own.
    Message(QueuedMessage),
}

impl Step {
    /// The name of the step in messages.
    pub(crate) fn name(&self) -> &'static str {
        match *self {
            Self::Group(effect) => match effect.event() {
                GroupEvent::Entered => "an entity that entered the group",
                GroupEvent::Left => "an entity that left the group",
                GroupEvent::Updated => "an update in the group",
            },
            Self::Entity(Subject::CREATED) => "an entity that was created",
            Self::Entity(Subject::WILL_BE_DESTROYED) => "an entity that is about to be destroyed",
            Self::Entity(_) => "an entity that was destroyed",
            Self::GroupCreated(..) => "a group that was created",
            Self::Message(_) => "a message that was sent",
            Self::Change(_) => "a change",
        }
    }
}

/// A change with pending notifications.
pub(crate) struct QueuedChange {
    pub(crate) number: u64,
    pub(crate) entity: UntypedId,
    pub(crate) previous: Option<Box<AnyValue>>,
    /// The component whose pool may receive the previous value afterwards.
    pub(crate) recycle_to: Option<RawComponentIndex>,
}

/// A message with pending notifications.
pub(crate) struct QueuedMessage {
    pub(crate) number: u64,
    pub(crate) channel: ChannelNumber,
    /// A batch of one message, which inboxes may share.
    pub(crate) message: Box<AnyValue>,
}

/// The queue of notifications, and the state of its dispatch.
pub(crate) struct Queue {
    pub(crate) steps: VecDeque<Step>,
    /// The number of the last change that was notified.
    pub(crate) changes: u64,
    /// Whether a dispatch is in progress.
    pub(crate) turn: DispatchTurn,
    /// The entity whose *will be destroyed* observers are running.
    pub(crate) destroying: Option<UntypedId>,
    /// Entities to destroy, requested by *will be destroyed* observers.
    pub(crate) pending: PendingDestroys,
    /// Lists from which an observer was removed during the dispatch.
    pub(crate) gaps: Vec<Subject>,
    /// Whether any of the three above needs cleanup at the end of the dispatch.
    pub(crate) untidy: bool,
    /// The maximum number of notifications of nested changes in one dispatch.
    pub(crate) limit: usize,
}

/// The right to dispatch, which a context holds until a dispatch takes it. If a context is moved
/// out during its dispatch, the dispatch drops the right, which the context can detect.
pub(crate) struct DispatchTurn {
    right: Option<DispatchRight>,
    given: Weak<()>,
}

/// Held by a dispatch in progress.
pub(crate) struct DispatchRight(Arc<()>);

impl DispatchTurn {
    /// The size of an `Arc<()>`: two counts.
    const BYTES: usize = 2 * size_of::<usize>();

    fn new() -> Self {
        let right = DispatchRight(Arc::new(()));
        Self {
            given: Arc::downgrade(&right.0),
            right: Some(right),
        }
    }

    /// Whether no dispatch is in progress or was lost.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.right.is_some()
    }

    /// Whether a dispatch finished without its context.
    pub(crate) fn is_lost(&self) -> bool {
        self.given.strong_count() == 0
    }

    #[inline]
    pub(crate) fn take(&mut self) -> Option<DispatchRight> {
        self.right.take()
    }

    #[inline]
    pub(crate) fn give_back(&mut self, right: DispatchRight) {
        mem::forget(self.right.replace(right)); // nothing to drop
    }
}

/// Entities to destroy, first in, first out.
#[derive(Default)]
pub(crate) struct PendingDestroys {
    order: VecDeque<RawEntityId>,
    /// The same ids, for lookups in constant time.
    ids: HashSet<RawEntityId>,
}

impl PendingDestroys {
    /// Adds an entity, unless it is present.
    pub(crate) fn push(&mut self, id: RawEntityId) {
        if self.ids.insert(id) {
            self.order.push_back(id);
        }
    }

    pub(crate) fn pop(&mut self) -> Option<RawEntityId> {
        let id = self.order.pop_front()?;
        self.ids.remove(&id);
        Some(id)
    }

    pub(crate) fn clear(&mut self) {
        self.order.clear();
        self.ids.clear();
    }
}

impl Queue {
    /// The number of notifications after which a chain is considered endless.
    pub(crate) const LIMIT: usize = 1_000_000;

    pub(crate) fn new() -> Self {
        Self {
            steps: VecDeque::new(),
            changes: FIRST_NUMBER,
            turn: DispatchTurn::new(),
            destroying: None,
            pending: PendingDestroys::default(),
            gaps: Vec::new(),
            untidy: false,
            limit: Self::LIMIT,
        }
    }

    /// The number of a new change; observers that subscribe later are not notified of it.
    #[inline]
    pub(crate) fn next_change(&mut self) -> u64 {
        self.changes += 1;
        self.changes
    }

    /// Appends a step for each group in this range of the table.
    pub(crate) fn push_groups(&mut self, table: &EffectsTable, to_notify: Range<usize>) {
        let effects = to_notify.map(|at| table.to_notify_at(at));
        self.steps.extend(effects.map(Step::Group));
    }

    /// Appends a step for each observed group left through `component`, for a destroy.
    pub(crate) fn push_groups_of(
        &mut self,
        table: &EffectsTable,
        effects: EffectsIndex,
        component: Option<RawComponentIndex>,
    ) {
        let to_notify = table.to_notify(effects).map(|at| table.to_notify_at(at));
        let through = to_notify.filter(|effect| effect.component == component);
        self.steps.extend(through.map(Step::Group));
    }

    /// Whether an entity is being destroyed, or will be after another one.
    pub(crate) fn is_destroy_pending(&self, id: UntypedId) -> bool {
        self.destroying == Some(id) || self.pending.ids.contains(&id.raw())
    }

    /// Whether no steps are pending and no cleanup is needed.
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        self.steps.len() + usize::from(self.untidy) == 0 // one test instead of two
    }
}

heap!(Queue: steps, pending, gaps, turn; each steps);
heap!(PendingDestroys: order, ids);

impl Heap for Step {
    /// The size of the pending value.
    fn bytes(&self) -> usize {
        match self {
            Self::Change(change) => change.previous.as_deref().map_or(0, size_of_val),
            Self::Message(queued) => size_of_val(&*queued.message),
            _ => 0,
        }
    }
}

impl Heap for DispatchTurn {
    fn bytes(&self) -> usize {
        Self::BYTES
    }
}

#[cfg(any(test, feature = "__checks"))]
impl Queue {
    /// Panics if anything is pending outside a dispatch.
    pub(crate) fn check_invariants(&self) {
        assert!(
            self.steps.is_empty(),
            "queue: {} steps wait",
            self.steps.len()
        );
        assert!(
            self.destroying.is_none(),
            "queue: an entity is about to end"
        );
        assert!(self.pending.order.is_empty(), "queue: entities are to end");
        assert!(self.gaps.is_empty() && !self.untidy, "queue: gaps are open");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::heap::Heap;
    use crate::words::entity_id::EntityId;

    #[test]
    fn unused_memory_is_freed() {
        let mut queue = Queue::new();
        queue.steps.reserve(8);
        let ids = (1 << 32..).filter_map(EntityId::<()>::from_bits);
        ids.take(8).for_each(|id| queue.pending.push(id.raw()));
        queue.pending.clear();
        queue.gaps.reserve(8);
        assert!(queue.bytes() > 8 * size_of::<Step>());
        queue.trim();
        assert_eq!(queue.bytes(), DispatchTurn::BYTES);
    }
}
