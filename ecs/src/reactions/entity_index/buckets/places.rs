//! The hashes of the keys of each entity, by which its buckets are found.

use alloc::boxed::Box;
use alloc::vec::Vec;

use hashbrown::HashMap;

use crate::storage::heap::{Heap, trim_end};

/// Stands for no key.
const NONE: u32 = 0;

/// Stands for several keys with different hashes.
const SEVERAL: u32 = 1;

/// Stands for several keys, of which some have equal hashes.
const SOME_EQUAL: u32 = 2;

/// The first hash that is a place.
pub(super) const FIRST_HASH: u32 = 3;

/// The number of slots in a page.
const PAGE: usize = 1_024;

/// The hashes by slot, in pages, so that growing moves none.
#[derive(Default)]
pub(super) struct Places {
    pages: Vec<Option<Box<[u32; PAGE]>>>,
    several: HashMap<u32, Box<[u32]>>,
}

/// The hashes of an entity that has lost its keys.
pub(super) enum Hashes {
    One(Option<u32>),
    Several(Box<[u32]>),
}

impl Heap for Places {
    fn bytes(&self) -> usize {
        let several = self.several.values().map(|hashes| hashes.bytes());
        let pages = self.pages.iter().flatten().count() * size_of::<[u32; PAGE]>();
        self.pages.bytes() + pages + self.several.bytes() + several.sum::<usize>()
    }

    fn trim(&mut self) {
        let is_unused = |page: &mut Box<[u32; PAGE]>| page.iter().all(|&place| place == NONE);
        for page in &mut self.pages {
            page.take_if(is_unused);
        }
        trim_end(&mut self.pages, Option::is_some);
        self.several.trim();
    }
}

impl Places {
    /// The number of slots that may have keys.
    pub(super) fn slots(&self) -> u32 {
        (self.pages.len() * PAGE) as u32
    }

    /// The hashes of the entity in a slot, in the order of its keys.
    #[inline]
    pub(super) fn of(&self, slot: u32) -> &[u32] {
        let Some(place) = self.place(slot) else {
            return &[];
        };
        match *place {
            NONE => &[],
            SEVERAL | SOME_EQUAL => self.several.get(&slot).map_or(&[], |hashes| hashes),
            _ => core::slice::from_ref(place),
        }
    }

    /// Whether several keys of the entity in a slot have equal hashes.
    #[inline]
    pub(super) fn some_are_equal(&self, slot: u32) -> bool {
        self.place(slot) == Some(&SOME_EQUAL)
    }

    #[inline]
    fn place(&self, slot: u32) -> Option<&u32> {
        let page = self.pages.get(slot as usize / PAGE)?.as_ref()?;
        Some(&page[slot as usize % PAGE])
    }

    fn place_mut(&mut self, slot: u32) -> Option<&mut u32> {
        let page = self.pages.get_mut(slot as usize / PAGE)?.as_mut()?;
        Some(&mut page[slot as usize % PAGE])
    }

    /// Removes the hashes of the entity in a slot.
    pub(super) fn take(&mut self, slot: u32) -> Hashes {
        match self.place_mut(slot).map_or(NONE, core::mem::take) {
            NONE => Hashes::One(None),
            SEVERAL | SOME_EQUAL => Hashes::Several(self.several.remove(&slot).unwrap_or_default()),
            hash => Hashes::One(Some(hash)),
        }
    }

    /// Sets the hashes of the entity in a slot, which has none.
    pub(super) fn set(&mut self, slot: u32, hashes: Hashes) {
        let place = match hashes {
            Hashes::One(None) => return,
            Hashes::One(Some(hash)) => hash,
            Hashes::Several(hashes) => {
                let mut sorted = hashes.clone();
                sorted.sort_unstable();
                self.several.insert(slot, hashes);
                match sorted.is_sorted_by(|a, b| a < b) {
                    true => SEVERAL,
                    false => SOME_EQUAL,
                }
            }
        };
        let at = slot as usize / PAGE;
        if at >= self.pages.len() {
            self.pages.resize_with(at + 1, || None);
        }
        let page = self.pages[at].get_or_insert_with(|| Box::new([NONE; PAGE]));
        page[slot as usize % PAGE] = place;
    }
}

impl Hashes {
    pub(super) fn as_slice(&self) -> &[u32] {
        match self {
            Self::One(hash) => hash.as_slice(),
            Self::Several(hashes) => hashes,
        }
    }
}
