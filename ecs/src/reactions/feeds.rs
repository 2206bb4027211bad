//! Feeds: what each of them has sent, and the journals that they share.
//!
//! ```text
//! change ─► collector of the component ─► journal of the component ─► feed, feed, feed, …
//!           one bit, for any number      slots ordered by their       each reads back to the
//!           of feeds                     latest change                stamp that it read last
//! ```
//!
//! A change is recorded once, by the collector. The first feed that takes a delta moves the
//! contents of the collector to the journal, with a stamp. A slot appears in the journal once, at
//! its latest change, so a journal is bounded by the number of slots even if a feed is slow. Each
//! feed records what it has sent for each slot, so it skips whatever was added and removed between
//! two of its deltas.

#[cfg(feature = "serde")]
mod images;
mod recent;
mod sent;
mod unacknowledged;

use alloc::vec::Vec;
use core::mem;

#[cfg(feature = "serde")]
pub(crate) use self::images::{EntityImages, Images};
pub(crate) use self::recent::RecentSlots;
pub(crate) use self::sent::{FeedBits, Sending, Sent, SentSlot};
use self::unacknowledged::Unacknowledged;
use crate::reactions::handle::{HandleWatch, Watched};
use crate::storage::heap::{Heap, heap};
use crate::storage::slab::Slab;
use crate::words::component::RawComponentIndex;
use crate::words::limits::FIRST_NUMBER;

pub(crate) struct Journal {
    pub(crate) component: RawComponentIndex,
    /// Collects the changes; `None` if no feed has the component any more.
    pub(crate) collector: Option<usize>,
    /// The handles of the feeds that have the component.
    pub(crate) watch: HandleWatch,
    pub(crate) recent: RecentSlots,
    /// The values of a component that deltas divide.
    #[cfg(feature = "serde")]
    pub(crate) images: Images,
}

pub(crate) struct FeedState {
    /// The journals it reads, in the order of its components.
    pub(crate) journals: Vec<usize>,
    /// The stamp up to which it has read; if deltas are acknowledged, up to the acknowledged one.
    pub(crate) read: u64,
    pub(crate) number: u64,
    /// Whether the next delta contains everything.
    pub(crate) everything: bool,
    /// Whether the next delta visits all entities.
    pub(crate) looks_again: bool,
    pub(crate) sent: Sent,
    /// The components that were sent for all entities.
    pub(crate) unlimited: FeedBits,
    unacknowledged: Unacknowledged,
    watch: HandleWatch,
}

pub(crate) struct Feeds {
    pub(crate) journals: Vec<Journal>,
    states: Slab<FeedState>,
    now: u64,
    /// The number of feeds created so far.
    pub(crate) made: u64,
}

impl Journal {
    /// Forgets the changes.
    fn forget(&mut self) {
        self.recent = RecentSlots::default();
        #[cfg(feature = "serde")]
        {
            self.images = Images::default();
        }
    }

    fn bytes(&self) -> usize {
        #[cfg(feature = "serde")]
        return self.recent.bytes() + self.images.bytes();
        #[cfg(not(feature = "serde"))]
        self.recent.bytes()
    }
}

impl FeedState {
    /// Whether the next delta has everything.
    pub(crate) fn sends_everything(&self) -> bool {
        self.everything || self.unacknowledged.needs_everything()
    }

    /// The number of the delta since which the next one has changes.
    pub(crate) fn base(&self) -> u64 {
        self.unacknowledged.base().unwrap_or(self.number)
    }

    /// What receivers may have instead of what was sent last, by slot.
    pub(crate) fn before(&self) -> Vec<(u32, SentSlot)> {
        match self.sends_everything() {
            true => Vec::new(),
            false => self.unacknowledged.before(),
        }
    }

    /// Records that the receiver has applied a delta.
    pub(crate) fn acknowledge(&mut self, number: u64) {
        if !self.unacknowledged.is_used() {
            let is_last = number == self.number && !self.everything;
            self.unacknowledged.begin(is_last.then_some(number));
        } else if let Some(stamp) = self.unacknowledged.acknowledge(number) {
            self.read = stamp;
        }
    }

    /// Records what the next delta has sent, up to a stamp.
    pub(crate) fn record(&mut self, sending: Sending, stamp: u64) {
        self.unlimited = sending.unlimited;
        let before = match self.sends_everything() {
            true => self.sent.replace(sending),
            false => self.sent.record(sending),
        };
        if mem::take(&mut self.everything) {
            self.unacknowledged.forget();
        }
        self.number += 1;
        self.looks_again = false;
        match self.unacknowledged.is_used() {
            true => {
                let earliest = self.unacknowledged.push(self.number, stamp, before);
                self.read = earliest.unwrap_or(self.read);
            }
            false => self.read = stamp,
        }
    }
}

impl Feeds {
    pub(crate) fn new() -> Self {
        Self {
            journals: Vec::new(),
            states: Slab::new(),
            now: FIRST_NUMBER,
            made: 0,
        }
    }

    /// The index of a component's journal; created if missing.
    pub(crate) fn journal_of(&mut self, component: RawComponentIndex) -> usize {
        let known = |journal: &Journal| journal.component == component;
        if let Some(known) = self.journals.iter().position(known) {
            return known;
        }
        self.journals.push(Journal {
            component,
            collector: None,
            watch: HandleWatch::default(),
            recent: RecentSlots::default(),
            #[cfg(feature = "serde")]
            images: Images::default(),
        });
        self.journals.len() - 1
    }

    /// Adds a feed of these journals; returns its index and the watched part of its handle.
    pub(crate) fn add(&mut self, journals: Vec<usize>) -> (usize, Watched) {
        let watched = Watched::new();
        let place = self.states.insert(FeedState {
            journals,
            read: 0,
            number: 0,
            everything: true,
            looks_again: false,
            sent: Sent::default(),
            unlimited: 0,
            unacknowledged: Unacknowledged::default(),
            watch: watched.watch(),
        });
        self.made += 1;
        (place, watched)
    }

    pub(crate) fn get(&self, place: usize) -> Option<&FeedState> {
        self.states.get(place)
    }

    pub(crate) fn get_mut(&mut self, place: usize) -> Option<&mut FeedState> {
        self.states.get_mut(place)
    }

    pub(crate) fn components_of(&self, place: usize) -> Vec<RawComponentIndex> {
        let journals = self
            .get(place)
            .into_iter()
            .flat_map(|state| &state.journals);
        journals.map(|&at| self.journals[at].component).collect()
    }

    /// Removes the feeds whose handles have been dropped.
    pub(crate) fn release_dropped(&mut self) {
        let states = self.states.iter();
        let dropped = states.filter(|(_, state)| state.watch.is_dropped());
        let dropped: Vec<usize> = dropped.map(|(place, _)| place).collect();
        for place in dropped {
            self.states.remove(place);
        }
    }

    /// Takes the collectors of components that no feed has any more.
    pub(crate) fn take_idle(&mut self) -> Vec<usize> {
        let idle = self.journals.iter_mut();
        let idle = idle.filter(|journal| journal.watch.is_dropped());
        let idle = idle.filter_map(|journal| {
            journal.forget();
            journal.watch = HandleWatch::default();
            journal.collector.take()
        });
        idle.collect()
    }

    /// The earliest stamp from which a feed of a journal reads next.
    #[cfg(feature = "serde")]
    pub(crate) fn earliest(&self, at: usize) -> u64 {
        let states = self.states.values();
        let readers = states.filter(|it| !it.sends_everything() && it.journals.contains(&at));
        readers.map(|state| state.read).min().unwrap_or(self.now)
    }

    /// Lets the next delta of every feed contain everything, after changes that were not collected.
    pub(crate) fn send_everything(&mut self) {
        #[cfg(feature = "serde")]
        for journal in &mut self.journals {
            journal.images = Images::default();
        }
        for state in self.states.values_mut() {
            state.everything = true;
        }
    }

    /// A stamp later than all others.
    pub(crate) fn next_stamp(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    /// Whether a feed has the component.
    pub(crate) fn follow(&self, component: RawComponentIndex) -> bool {
        let follows = |it: &Journal| it.component == component && !it.watch.is_dropped();
        self.journals.iter().any(follows)
    }

    /// The collector for the changes of a component, if a feed has it.
    pub(crate) fn collector_of(&self, component: RawComponentIndex) -> Option<usize> {
        let mut journals = self.journals.iter();
        let journal = journals.find(|journal| journal.component == component)?;
        journal.collector
    }

    /// The collectors of all journals.
    pub(crate) fn collectors(&self) -> impl Iterator<Item = usize> + '_ {
        self.journals.iter().filter_map(|journal| journal.collector)
    }

    /// Whether no feed needs the pending changes of a journal, because each will send everything
    /// next.
    fn is_needless(&self, at: usize) -> bool {
        let states = self.states.values();
        let mut readers = states.filter(|state| state.journals.contains(&at));
        readers.all(|state| state.everything)
    }

    /// The collectors of journals that are [not needed](Self::is_needless).
    pub(crate) fn needless(&self) -> impl Iterator<Item = usize> + '_ {
        let journals = self.journals.iter().enumerate();
        let needless = journals.filter(|(at, _)| self.is_needless(*at));
        needless.filter_map(|(_, journal)| journal.collector)
    }
}

heap!(FeedState: sent, journals, watch, unacknowledged);

impl Heap for Feeds {
    /// The handle watch of a journal counts with its collector.
    fn bytes(&self) -> usize {
        let journals = self.journals.iter().map(Journal::bytes);
        let inside = journals.chain(self.states.values().map(Heap::bytes));
        self.journals.bytes() + self.states.bytes() + inside.sum::<usize>()
    }

    /// Frees changes that all feeds have read, too.
    fn trim(&mut self) {
        for (at, journal) in self.journals.iter_mut().enumerate() {
            let states = self.states.values();
            let mut readers = states.filter(|state| state.journals.contains(&at));
            let is_read = |state: &FeedState| {
                state.everything || journal.recent.since(state.read).next().is_none()
            };
            if readers.all(is_read) {
                journal.recent = RecentSlots::default();
            }
            journal.recent.trim();
            #[cfg(feature = "serde")]
            journal.images.trim();
        }
        for state in self.states.values_mut() {
            state.sent.trim();
            state.unacknowledged.trim();
        }
        self.states.trim();
    }
}

#[cfg(any(test, feature = "__checks"))]
impl Feeds {
    /// Panics if journals are inconsistent, or feeds read missing ones.
    pub(crate) fn check_invariants(&self) {
        for (at, journal) in self.journals.iter().enumerate() {
            journal.recent.check_invariants();
            let same = self.journals.iter().map(|other| other.component);
            let first = same.into_iter().position(|it| it == journal.component);
            assert_eq!(first, Some(at), "feeds: two journals of a component");
            let is_read = !journal.watch.is_dropped();
            let is_filled = journal.collector.is_some();
            assert!(!is_read || is_filled, "feeds: nothing fills journal {at}");
        }
        for state in self.states.values() {
            let mut journals = state.journals.iter();
            let are_there = journals.all(|&at| at < self.journals.len());
            assert!(
                are_there && state.read <= self.now,
                "feeds: what a feed reads"
            );
        }
    }
}
