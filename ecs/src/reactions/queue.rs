//! The notifications that wait for their turn.
//!
//! ```text
//! change ─► steps of the change under way ─► steps of nested changes ─► …   first in, first out
//!           Group(0, Entered) Group(3, Left)  Change(..) Group(1, Updated)
//! ```
//!
//! What an observer changes is queued as further steps; the outermost call walks them to
//! the end, so no chain of reactions grows the stack. The state above does the walking.

mod upkeep;

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
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{RawEntityId, UntypedId};
use crate::words::limits::FIRST_NUMBER;

/// One thing that waits.
pub(crate) enum Step {
    /// The following steps are about this change.
    Change(QueuedChange),
    /// Notify the observers of a group's event of the change under way.
    Group(Effect),
    /// Notify the observers of entities that come to life, or of ended ones.
    Entity(Subject),
    /// Notify of a new group, which is a change of its own, with this number.
    GroupCreated(u64, GroupIndex),
    /// Notify of a message, which is a change of its own.
    Message(QueuedMessage),
}

impl Step {
    /// What the step is called in messages.
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

/// A change whose observers have to wait for their turn.
pub(crate) struct QueuedChange {
    pub(crate) number: u64,
    pub(crate) entity: UntypedId,
    pub(crate) previous: Option<Box<AnyValue>>,
    /// The component whose pool stack may have the previous value afterwards.
    pub(crate) recycle_to: Option<RawComponentIndex>,
}

/// A message whose observers have to wait for their turn.
pub(crate) struct QueuedMessage {
    pub(crate) number: u64,
    pub(crate) channel: ChannelNumber,
    /// A batch of one, which inboxes may share.
    pub(crate) message: Box<AnyValue>,
}

/// The queue of notifications and the state of its dispatch.
pub(crate) struct Queue {
    pub(crate) steps: VecDeque<Step>,
    /// The number of the last change that anybody was notified of.
    pub(crate) changes: u64,
    /// Whether an outermost call is notifying.
    pub(crate) turn: DispatchTurn,
    /// The entity whose *will be destroyed* observers are running.
    pub(crate) destroying: Option<UntypedId>,
    /// Entities whose destroy was asked for by *will be destroyed* observers.
    pub(crate) pending: PendingDestroys,
    /// Lists in which an observer was ended while notifying.
    pub(crate) gaps: Vec<Subject>,
    /// Whether any of the three above is to be put in order when the dispatch ends.
    pub(crate) untidy: bool,
    /// The most notifications of nested changes in one outermost call.
    pub(crate) limit: usize,
}

/// The right to dispatch, which a context has until a dispatch takes it. A dispatch whose context has
/// been moved away drops it, and the context can tell.
pub(crate) struct DispatchTurn {
    right: Option<DispatchRight>,
    given: Weak<()>,
}

/// What a dispatch has as long as it is under way.
pub(crate) struct DispatchRight(Arc<()>);

impl DispatchTurn {
    /// The bytes of an `Arc` of nothing: its two counts.
    const BYTES: usize = 2 * size_of::<usize>();

    fn new() -> Self {
        let right = DispatchRight(Arc::new(()));
        Self {
            given: Arc::downgrade(&right.0),
            right: Some(right),
        }
    }

    /// Whether no dispatch is under way, nor has been lost.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.right.is_some()
    }

    /// Whether a dispatch has ended without its context.
    pub(crate) fn is_lost(&self) -> bool {
        self.given.strong_count() == 0
    }

    /// Begins a dispatch.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<DispatchRight> {
        self.right.take()
    }

    /// Ends a dispatch.
    #[inline]
    pub(crate) fn give_back(&mut self, right: DispatchRight) {
        mem::forget(self.right.replace(right)); // there is none to be dropped
    }
}

/// Entities that are to be destroyed, first in, first out.
#[derive(Default)]
pub(crate) struct PendingDestroys {
    order: VecDeque<RawEntityId>,
    /// The same, so that one is found however many there are.
    ids: HashSet<RawEntityId>,
}

impl PendingDestroys {
    /// Adds an entity, unless it is there.
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
    /// An endless chain is taken for one after this many notifications.
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

    /// Appends a step for each group whose observers are notified, by where that stands in the table.
    pub(crate) fn push_groups(&mut self, table: &EffectsTable, to_notify: Range<usize>) {
        let effects = to_notify.map(|at| table.to_notify_at(at));
        self.steps.extend(effects.map(Step::Group));
    }

    /// Appends a step for each observed group that is left through `component`, at a destroy.
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

    /// Whether an entity is about to end, or is to end as soon as another one has.
    pub(crate) fn is_destroy_pending(&self, id: UntypedId) -> bool {
        self.destroying == Some(id) || self.pending.ids.contains(&id.raw())
    }

    /// Whether nothing waits or is to be put in order.
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        self.steps.len() + usize::from(self.untidy) == 0 // one test instead of two
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::entity_id::EntityId;

    #[test]
    fn the_room_in_which_nothing_waits_is_given_back() {
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
