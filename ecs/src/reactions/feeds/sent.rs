//! What a feed has sent for each slot: the entity and its components.
//!
//! Kept in pages of 64 slots, allocated on first use, so a feed of what one client sees needs
//! memory only for that.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::storage::heap::{Heap, bytes_of, trim_end};

const PAGE: usize = 64;

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SentSlot {
    /// The generation of the entity; 0 if nothing was sent.
    pub(crate) generation: u32,
    /// The components of the feed that it has, as bits.
    pub(crate) has: u32,
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

#[derive(Default)]
pub(crate) struct Sent {
    pages: Vec<Option<Box<[SentSlot; PAGE]>>>,
}

impl Heap for Sent {
    bytes_of!(pages; each pages);

    fn trim(&mut self) {
        let is_used = |page: &[SentSlot; PAGE]| !page.iter().all(|entry| entry.is_nothing());
        for page in &mut self.pages {
            _ = page.take_if(|page| !is_used(page));
        }
        trim_end(&mut self.pages, Option::is_some);
    }
}

impl Sent {
    pub(crate) fn get(&self, slot: u32) -> SentSlot {
        let page = self.pages.get(slot as usize / PAGE);
        let page = page.and_then(Option::as_deref);
        page.map_or(SentSlot::NOTHING, |page| page[slot as usize % PAGE])
    }

    pub(crate) fn set(&mut self, slot: u32, entry: SentSlot) {
        let (page, at) = (slot as usize / PAGE, slot as usize % PAGE);
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| Box::new([SentSlot::NOTHING; PAGE]));
        page[at] = entry;
    }

    /// The slots for which something was sent, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, SentSlot)> + '_ {
        let pages = self.pages.iter().enumerate();
        let pages = pages.filter_map(|(at, page)| Some((at * PAGE, page.as_deref()?)));
        let slots = pages.flat_map(|(first, page)| (first as u32..).zip(page.iter().copied()));
        slots.filter(|(_, entry)| !entry.is_nothing())
    }

    pub(crate) fn clear(&mut self) {
        self.pages.clear();
    }
}
