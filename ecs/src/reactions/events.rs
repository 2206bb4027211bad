//! The component events that have listeners, and the entities whose events are pending.
//!
//! ```text
//! sources    Event { priority, component, scope, kind } ─► Source { collector, waiting }
//!              └ the order of delivery
//! ```
//!
//! Invariant: an event has a source exactly while it has a listener. After the last listener is
//! removed, the source stays until [`ListenedEvents::take_idle`], so a delivery in progress does
//! not miss it. So an event without listeners has no collector and costs nothing. The listeners are
//! stored with the [`observers`](super::observers).

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::ops::Bound;

use hashbrown::HashSet;

use crate::reactions::event::Event;
use crate::reactions::handle::Watched;
use crate::storage::heap::heap;
use crate::words::entity_id::RawEntityId;

/// The source of an event that has listeners.
pub(crate) struct EventSource {
    /// Collects the entities that the event happens to.
    pub(crate) collector: usize,
    /// Distinguishes the collector from a later one with the same number.
    _watched: Watched,
    /// Taken from the collector and not yet delivered.
    pub(crate) waiting: VecDeque<RawEntityId>,
    /// The number of the last change before the source was created.
    since: u64,
    pub(crate) listeners: usize,
}

heap!(EventSource: waiting);

impl EventSource {
    /// Appends entities, except those already pending.
    pub(crate) fn wait(&mut self, collected: impl Iterator<Item = RawEntityId>) {
        let before = self.waiting_set();
        let new = collected.filter(|id| !before.contains(id));
        self.waiting.extend(new);
    }

    /// The entities left pending by a panic of a listener, as a set.
    pub(crate) fn waiting_set(&self) -> HashSet<RawEntityId> {
        self.waiting.iter().copied().collect()
    }
}

/// The pending entities of an event at a checkpoint.
pub(crate) struct WaitingCopy {
    event: Event,
    /// That of the source, which distinguishes it from a later one of the same event.
    since: u64,
    waiting: VecDeque<RawEntityId>,
}

heap!(WaitingCopy: waiting);

/// The events of a context that have listeners.
pub(crate) struct ListenedEvents {
    sources: BTreeMap<Event, EventSource>,
    /// Whether changes are collected.
    pub(crate) active: bool,
    /// Whether a delivery is in progress.
    pub(crate) delivering: bool,
    /// Whether events have ever been delivered.
    pub(crate) served: bool,
    /// Whether to suppress the warning that events are never delivered: it was turned off or
    /// Whether to suppress the warning about undelivered events: it was turned off or has been
    /// given.
    pub(crate) quiet: bool,
}

heap!(ListenedEvents: sources);

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

    pub(crate) fn has_source(&self, event: Event) -> bool {
        self.sources.contains_key(&event)
    }

    /// Adds the source of an event, after the change with number `since`. If the event has one,
    /// returns the collector.
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

    pub(crate) fn source_mut(&mut self, event: Event) -> Option<&mut EventSource> {
        self.sources.get_mut(&event)
    }

    /// All sources, in order of delivery.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (&Event, &EventSource)> {
        self.sources.iter()
    }

    /// The next source after an event, or the first one, that was created before the change with
    /// number `change`.
    pub(crate) fn next_source(&self, after: Option<Event>, change: u64) -> Option<Event> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let later = self.sources.range((start, Bound::Unbounded));
        later
            .filter(|(_, source)| source.since < change)
            .map(|(event, _)| *event)
            .next()
    }

    /// Removes sources without listeners; returns their collectors.
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

    /// Copies the entities taken from collectors and not yet delivered.
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

    /// Restores pending entities of the events that still have listeners, and clears all others.
    pub(crate) fn put_waiting_back(&mut self, copies: &[WaitingCopy]) {
        self.clear_waiting();
        for copy in copies.iter().filter(|_| self.active) {
            let source = self.sources.get_mut(&copy.event);
            if let Some(source) = source.filter(|source| source.since == copy.since) {
                source.waiting.extend(&copy.waiting);
            }
        }
    }

    /// Forgets the entities taken from collectors and not yet delivered.
    pub(crate) fn clear_waiting(&mut self) {
        for source in self.sources.values_mut() {
            source.waiting.clear();
        }
    }
}
