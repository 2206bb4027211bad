//! The subscribers to changes: a registry for each kind.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::collector::Collectors;
use super::entered::Entered;
use super::entity_change::Relays;
use super::entity_index::{Indexes, Refreshes};
use super::events::ListenedEvents;
use super::feeds::Feeds;
use super::history::Recording;
use super::messages::Channels;
use super::observers::ObserverRegistry;
use super::queue::Queue;
use super::removed::Logs;
use crate::words::atomic::AtomicU64;
use crate::words::entity_id::UntypedId;
use crate::world::World;
/// The subscribers to changes of a context.
pub(crate) struct Subscribers {
    pub(crate) indexes: Indexes,
    /// How indexes are updated.
    pub(crate) refreshes: Refreshes,
    pub(crate) collectors: Collectors,
    pub(crate) observers: ObserverRegistry,
    pub(crate) queue: Queue,
    pub(crate) messages: Channels,
    /// Removed values, for [`RemovedValues`](crate::RemovedValues).
    pub(crate) removed: Logs,
    pub(crate) events: ListenedEvents,
    /// What systems have seen of states.
    pub(crate) entered: Entered,
    /// The history, if there is one.
    pub(crate) history: Option<Box<Recording>>,
    pub(crate) feeds: Feeds,
    pub(crate) relays: Relays,
    /// Called when the context is dropped; set once there is a listener.
    pub(crate) at_end: Option<fn(&mut World, &mut Subscribers)>,
    /// A list of ids, kept for reuse.
    pub(crate) scratch: Vec<UntypedId>,
    /// Empty sets of written rows, kept for reuse.
    pub(crate) spare_written: Vec<Vec<AtomicU64>>,
    /// The number of handles that can be created before dropped ones are looked for.
    pub(crate) unnoticed: usize,
}

impl Subscribers {
    pub(crate) fn new() -> Self {
        Self {
            indexes: Indexes::new(),
            refreshes: Refreshes::new(),
            collectors: Collectors::new(),
            observers: ObserverRegistry::new(),
            queue: Queue::new(),
            messages: Channels::default(),
            removed: Logs::default(),
            events: ListenedEvents::new(),
            entered: Entered::default(),
            history: None,
            feeds: Feeds::new(),
            relays: Relays::default(),
            at_end: None,
            scratch: Vec::new(),
            spare_written: Vec::new(),
            unnoticed: 0,
        }
    }

    #[inline]
    pub(crate) fn indexes(&self) -> &Indexes {
        &self.indexes
    }

    #[inline]
    pub(crate) fn collectors(&self) -> &Collectors {
        &self.collectors
    }

    #[inline]
    pub(crate) fn messages(&self) -> &Channels {
        &self.messages
    }

    /// Removed values, for [`RemovedValues`](crate::RemovedValues).
    #[inline]
    pub(crate) fn removed(&self) -> &Logs {
        &self.removed
    }

    /// What systems have seen of states.
    pub(crate) fn entered_mut(&mut self) -> &mut Entered {
        &mut self.entered
    }

    #[inline]
    pub(crate) fn observers(&self) -> &ObserverRegistry {
        &self.observers
    }

    /// The history, if there is one.
    #[inline]
    pub(crate) fn history(&self) -> Option<&Recording> {
        self.history.as_deref()
    }
}
