//! The values of a component that deltas divide, as they were at the stamps of a journal.
//!
//! ```text
//! slot 7, generation 2 ─► stamp 3, image; stamp 5, image; …      ascending; the last one is the present value
//! ```
//!
//! They are kept from the earliest stamp that a feed reads, and shared by all feeds: what the receiver of a
//! feed has is found by the stamp of its delta.

use alloc::vec::Vec;
use core::mem::size_of_val;

use crate::storage::heap::{Heap, bytes_of, trim_end};
use crate::words::entity_id::UntypedId;
use crate::words::saving::cells::{Cell, Image};

/// The maximum number of images of a slot.
const MOST: usize = 64;

#[derive(Default)]
struct SlotImages {
    generation: u32,
    images: Vec<(u64, Image)>,
}

#[derive(Default)]
pub(crate) struct Images {
    slots: Vec<SlotImages>,
}

impl Heap for SlotImages {
    fn bytes(&self) -> usize {
        let images = self.images.iter().map(|(_, image)| {
            let bytes = image.iter().map(|cell| match cell {
                Cell::Number(_) => 0,
                Cell::Bytes(bytes) => bytes.len(),
            });
            2 * size_of::<usize>() + size_of_val(&**image) + bytes.sum::<usize>()
        });
        self.images.bytes() + images.sum::<usize>()
    }

    fn trim(&mut self) {
        self.images.shrink_to_fit();
    }
}

impl Heap for Images {
    bytes_of!(slots; each slots);

    fn trim(&mut self) {
        trim_end(&mut self.slots, |slot| !slot.images.is_empty());
        self.slots.iter_mut().for_each(Heap::trim);
    }
}

impl Images {
    /// Records the value of an entity at a stamp, no earlier than the others. Returns `false` if it is the
    /// present one already. Forgets what was replaced until `earliest`.
    pub(crate) fn push(
        &mut self,
        id: UntypedId,
        image: Image,
        (stamp, earliest): (u64, u64),
    ) -> bool {
        let at = id.index() as usize;
        if at >= self.slots.len() {
            self.slots.resize_with(at + 1, SlotImages::default);
        }
        let slot = &mut self.slots[at];
        if slot.generation != id.generation() {
            slot.images.clear();
            slot.generation = id.generation();
        }
        if slot.images.last().is_some_and(|(_, last)| *last == image) {
            return false;
        }
        let old = slot.images.partition_point(|(stamp, _)| *stamp <= earliest);
        let too_many = (slot.images.len() + 1).saturating_sub(MOST);
        slot.images.drain(..old.saturating_sub(1).max(too_many));
        slot.images.push((stamp, image));
        true
    }

    /// Forgets the values of a slot, whose entity has lost the component.
    pub(crate) fn clear(&mut self, slot: u32) {
        if let Some(slot) = self.slots.get_mut(slot as usize) {
            slot.images.clear();
        }
    }

    /// The values of an entity, and those that it has had since a stamp, with the one at the stamp first.
    /// `None` if that is not known.
    pub(crate) fn since(&self, id: UntypedId, stamp: u64) -> Option<&[(u64, Image)]> {
        let images = self.of(id)?;
        let first = images
            .partition_point(|(at, _)| *at <= stamp)
            .checked_sub(1)?;
        Some(&images[first..])
    }

    /// The present value of an entity, as it was recorded last.
    pub(crate) fn last(&self, id: UntypedId) -> Option<&Image> {
        self.of(id)?.last().map(|(_, image)| image)
    }

    fn of(&self, id: UntypedId) -> Option<&[(u64, Image)]> {
        let slot = self.slots.get(id.index() as usize)?;
        (slot.generation == id.generation()).then_some(&slot.images)
    }
}
