//! What a feed has told of each slot: which entity, and which components.
//!
//! Kept in pages of 64 slots, of which there are those that anything has been told of: a feed of
//! what one client sees takes memory for that alone.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::words::heap_size::heap_size;

const PAGE: usize = 64;

/// What has been told of a slot.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SentSlot {
    /// The generation of the entity; 0 if nothing has been told.
    pub(crate) generation: u32,
    /// Which components of the feed it has, as bits.
    pub(crate) has: u32,
}

impl SentSlot {
    /// Nothing has been told.
    pub(crate) const NOTHING: Self = Self {
        generation: 0,
        has: 0,
    };

    pub(crate) fn is_nothing(self) -> bool {
        self.generation == 0
    }
}

/// What a feed has told.
#[derive(Default)]
pub(crate) struct Sent {
    pages: Vec<Option<Box<[SentSlot; PAGE]>>>,
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

    pub(crate) fn clear(&mut self) {
        self.pages.clear();
    }

    /// Gives up the pages of which nothing has been told.
    pub(super) fn trim(&mut self) {
        for page in &mut self.pages {
            if page
                .as_ref()
                .is_some_and(|page| page.iter().all(|entry| entry.is_nothing()))
            {
                *page = None;
            }
        }
        let last = self.pages.iter().rposition(Option::is_some);
        self.pages.truncate(last.map_or(0, |last| last + 1));
        self.pages.shrink_to_fit();
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        let pages = self.pages.iter().flatten().count();
        heap_size(&self.pages) + pages * size_of::<[SentSlot; PAGE]>()
    }
}
