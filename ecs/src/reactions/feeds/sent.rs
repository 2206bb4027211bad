//! What a feed has sent for each slot: the entity and its components.
//!
//! Kept in pages of 64 slots, allocated on first use. Slots of entities that the feed was asked to
//! show are in a list instead, which each delta replaces, so a viewer who moves needs memory only for
//! what is in sight.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;

use crate::storage::heap::{Heap, bytes_of, trim_end};

const PAGE: usize = 64;

/// Components of a feed, by their places in it.
pub(crate) type FeedBits = u64;

// There are many, so they are as small as they can be.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[repr(C, packed(4))]
pub(crate) struct SentSlot {
    /// The generation of the entity; 0 if nothing was sent.
    pub(crate) generation: u32,
    /// The components of the feed that it has.
    pub(crate) has: FeedBits,
}

impl SentSlot {
    pub(crate) const NOTHING: Self = Self {
        generation: 0,
        has: 0,
    };

    pub(crate) fn is_nothing(self) -> bool {
        self.generation == 0
    }
}

/// What a feed will have sent with a delta, by slot, ascending.
#[derive(Default)]
pub(crate) struct Sending {
    /// The components that are sent for all entities.
    pub(crate) unlimited: FeedBits,
    /// That of all entities that it was asked to show.
    pub(crate) listed: Vec<(u32, SentSlot)>,
    /// That of others for which it differs from before.
    pub(crate) others: Vec<(u32, SentSlot)>,
    /// What it has sent before, where that differs.
    pub(crate) before: Vec<(u32, SentSlot)>,
}

#[derive(Default)]
pub(crate) struct Sent {
    pages: Vec<Option<Box<[SentSlot; PAGE]>>>,
    /// The entries that are not in pages, by slot.
    listed: Vec<(u32, SentSlot)>,
}

impl Heap for Sent {
    bytes_of!(pages, listed; each pages);

    fn trim(&mut self) {
        let is_used = |page: &[SentSlot; PAGE]| !page.iter().all(|entry| entry.is_nothing());
        for page in &mut self.pages {
            _ = page.take_if(|page| !is_used(page));
        }
        trim_end(&mut self.pages, Option::is_some);
        self.listed.shrink_to_fit();
    }
}

impl Sent {
    pub(crate) fn get(&self, slot: u32) -> SentSlot {
        match self.listed.binary_search_by_key(&slot, |&(slot, _)| slot) {
            Ok(at) => self.listed[at].1,
            Err(_) => self.in_pages(slot),
        }
    }

    /// What was sent for a slot that is not listed.
    pub(crate) fn in_pages(&self, slot: u32) -> SentSlot {
        let page = self.pages.get(slot as usize / PAGE);
        let page = page.and_then(Option::as_deref);
        page.map_or(SentSlot::NOTHING, |page| page[slot as usize % PAGE])
    }

    /// Records what a delta has sent; returns what was sent before, where that differs.
    pub(super) fn record(&mut self, sending: Sending) -> Vec<(u32, SentSlot)> {
        if !self.pages.is_empty() {
            let listed = sending.listed.iter();
            listed.for_each(|&(slot, _)| self.set(slot, SentSlot::NOTHING));
        }
        for &(slot, entry) in &sending.others {
            self.set(slot, entry);
        }
        self.listed = sending.listed;
        sending.before
    }

    /// Like [`record`](Self::record), of a delta with everything.
    pub(super) fn replace(&mut self, sending: Sending) -> Vec<(u32, SentSlot)> {
        let old = mem::take(self);
        self.record(sending);
        let slots = old.all().into_iter().chain(self.all());
        let mut slots: Vec<u32> = slots.map(|(slot, _)| slot).collect();
        slots.sort(); // finds presorted runs
        slots.dedup();
        slots.retain(|&slot| old.get(slot) != self.get(slot));
        slots
            .into_iter()
            .map(|slot| (slot, old.get(slot)))
            .collect()
    }

    fn set(&mut self, slot: u32, entry: SentSlot) {
        let (page, at) = (slot as usize / PAGE, slot as usize % PAGE);
        if page >= self.pages.len() {
            if entry.is_nothing() {
                return;
            }
            self.pages.resize_with(page + 1, || None);
        }
        match &mut self.pages[page] {
            Some(page) => page[at] = entry,
            None if entry.is_nothing() => {}
            page => page.insert(Box::new([SentSlot::NOTHING; PAGE]))[at] = entry,
        }
    }

    /// The listed slots, ascending.
    pub(crate) fn listed(&self) -> impl Iterator<Item = u32> + '_ {
        self.listed.iter().map(|&(slot, _)| slot)
    }

    /// The entries that are listed, by slot.
    pub(crate) fn entries(&self) -> &[(u32, SentSlot)] {
        &self.listed
    }

    /// The slots for which something was sent, ascending.
    pub(crate) fn all(&self) -> Vec<(u32, SentSlot)> {
        let pages = self.pages.iter().enumerate();
        let pages = pages.filter_map(|(at, page)| Some((at * PAGE, page.as_deref()?)));
        let slots = pages.flat_map(|(first, page)| (first as u32..).zip(page.iter().copied()));
        let slots = slots.filter(|(_, entry)| !entry.is_nothing());
        let mut all: Vec<_> = slots.chain(self.listed.iter().copied()).collect();
        all.sort_by_key(|&(slot, _)| slot);
        all
    }
}
