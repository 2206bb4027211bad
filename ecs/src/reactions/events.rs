//! The events of components that are listened to, and whom they wait to be delivered for.
//!
//! ```text
//! sources    Event { priority, component, scope, kind } ─► Source { collector, waiting }
//!              └ ordered as events are delivered
//! ```
//!
//! The invariant: a source is there exactly while its event has a listener; one that has
//! lost its last stays until [`ListenedEvents::take_idle`], which no delivery under way can miss.
//! So an event that nobody listens to has no collector and costs nothing. The listeners
//! themselves stand with the [`observers`](super::observers).

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::ops::Bound;

use hashbrown::HashSet;

use crate::reactions::event::Event;
use crate::reactions::handle::Watched;
use crate::words::entity_id::RawEntityId;
use crate::words::heap_size::tree_size;

/// What is known of an event that is listened to.
pub(crate) struct EventSource {
    /// Gathers the entities that it happens to.
    pub(crate) collector: usize,
    /// What tells the collector from another one that gets its place.
    _watched: Watched,
    /// Taken over from the collector, and not delivered yet.
    pub(crate) waiting: VecDeque<RawEntityId>,
    /// The number of the last change before the source was made.
    since: u64,
    pub(crate) listeners: usize,
}

impl EventSource {
    /// Has these wait, behind those that do already: each once.
    pub(crate) fn wait(&mut self, collected: impl Iterator<Item = RawEntityId>) {
        let before = self.waiting_set();
        let new = collected.filter(|id| !before.contains(id));
        self.waiting.extend(new);
    }

    /// Who waits behind a panic of a listener, to be looked up.
    pub(crate) fn waiting_set(&self) -> HashSet<RawEntityId> {
        self.waiting.iter().copied().collect()
    }
}

/// Who waited for the delivery of an event at some moment.
pub(crate) struct WaitingCopy {
    event: Event,
    /// Of the source, which tells it from another one of the same event.
    since: u64,
    waiting: VecDeque<RawEntityId>,
}

impl WaitingCopy {
    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.waiting.capacity() * size_of::<RawEntityId>()
    }
}

/// The events of a context that are listened to.
pub(crate) struct ListenedEvents {
    sources: BTreeMap<Event, EventSource>,
    /// Whether changes are gathered.
    pub(crate) active: bool,
    /// Whether events are being delivered.
    pub(crate) delivering: bool,
    /// Whether events have ever been delivered.
    pub(crate) served: bool,
    /// Whether nobody wants to know that they have not, or somebody has been notified.
    pub(crate) quiet: bool,
}

impl ListenedEvents {
    pub(crate) const fn new() -> Self {
        Self {
            sources: BTreeMap::new(),
            active: true,
            delivering: false,
            served: false,
            quiet: false,
        }
    }

    /// Whether the event has a source.
    pub(crate) fn has_source(&self, event: Event) -> bool {
        self.sources.contains_key(&event)
    }

    /// Adds the source of an event, after the change with number `since`; returns the
    /// collector if there is one already.
    pub(crate) fn open(
        &mut self,
        event: Event,
        (collector, watched): (usize, Watched),
        since: u64,
    ) -> Result<(), usize> {
        if self.has_source(event) {
            return Err(collector);
        }
        let source = EventSource {
            collector,
            _watched: watched,
            waiting: VecDeque::new(),
            since,
            listeners: 0,
        };
        self.sources.insert(event, source);
        Ok(())
    }

    /// The source of an event.
    pub(crate) fn source_mut(&mut self, event: Event) -> Option<&mut EventSource> {
        self.sources.get_mut(&event)
    }

    /// All sources in order of delivery.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (&Event, &EventSource)> {
        self.sources.iter()
    }

    /// The source that is delivered after an event, or first, of those that were there
    /// before the change with number `change`.
    pub(crate) fn next_source(&self, after: Option<Event>, change: u64) -> Option<Event> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let later = self.sources.range((start, Bound::Unbounded));
        later
            .filter(|(_, source)| source.since < change)
            .map(|(event, _)| *event)
            .next()
    }

    /// Takes out the sources that nobody listens to any more; returns their collectors.
    pub(crate) fn take_idle(&mut self) -> Vec<usize> {
        let mut collectors = Vec::new();
        self.sources.retain(|_, source| {
            if source.listeners == 0 {
                collectors.push(source.collector);
            }
            source.listeners > 0
        });
        collectors
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let waiting = self
            .sources
            .values()
            .map(|source| source.waiting.capacity());
        tree_size(&self.sources) + waiting.sum::<usize>() * size_of::<RawEntityId>()
    }

    /// Gives up the room in which nobody waits.
    pub(crate) fn trim(&mut self) {
        if self.sources.is_empty() {
            self.sources = BTreeMap::new(); // an emptied one keeps a node
        }
        let sources = self.sources.values_mut();
        sources.for_each(|source| source.waiting.shrink_to_fit());
    }

    /// Copies what was taken over from the collectors and not delivered.
    pub(crate) fn copy_waiting(&self) -> Vec<WaitingCopy> {
        let sources = self.sources.iter();
        let with_any = sources.filter(|(_, source)| !source.waiting.is_empty());
        let copies = with_any.map(|(&event, source)| WaitingCopy {
            event,
            since: source.since,
            waiting: source.waiting.clone(),
        });
        copies.collect()
    }

    /// Has the events that are still listened to wait as they did when they were copied, and no
    /// others.
    pub(crate) fn put_waiting_back(&mut self, copies: &[WaitingCopy]) {
        self.clear_waiting();
        for copy in copies.iter().filter(|_| self.active) {
            let source = self.sources.get_mut(&copy.event);
            if let Some(source) = source.filter(|source| source.since == copy.since) {
                source.waiting.extend(&copy.waiting);
            }
        }
    }

    /// Forgets what was taken over from the collectors and not delivered.
    pub(crate) fn clear_waiting(&mut self) {
        for source in self.sources.values_mut() {
            source.waiting.clear();
        }
    }
}
