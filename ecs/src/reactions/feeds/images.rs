//! The values of a component that deltas divide, as they were at the stamps of a journal.
//!
//! ```text
//! slot 7, generation 2 ─► [ stamp 3, cell, cell │ stamp 5, cell, cell │ … ]     ascending; the last one is the
//!                         one allocation                                       present value
//! ```
//!
//! They are kept from the earliest stamp that a feed reads, and shared by all feeds: what the receiver of a
//! feed has is found by the stamp of its delta.

use alloc::vec::Vec;

use crate::storage::heap::{Heap, bytes_of, trim_end};
use crate::words::entity_id::UntypedId;
use crate::words::saving::cells::Cell;

/// The maximum number of images of a slot.
const MOST: usize = 64;

#[derive(Default)]
struct SlotImages {
    generation: u32,
    /// Each image follows its stamp.
    cells: Vec<Cell>,
}

#[derive(Default)]
pub(crate) struct Images {
    slots: Vec<SlotImages>,
    /// The number of cells of an image with its stamp.
    each: usize,
}

/// The images of an entity, at least one.
#[derive(Clone, Copy)]
pub(crate) struct EntityImages<'a> {
    cells: &'a [Cell],
    each: usize,
}

impl Heap for SlotImages {
    fn bytes(&self) -> usize {
        let bytes = self.cells.iter().map(|cell| match cell {
            Cell::Number(_) => 0,
            Cell::Bytes(bytes) => 2 * size_of::<usize>() + bytes.len(),
        });
        self.cells.bytes() + bytes.sum::<usize>()
    }

    fn trim(&mut self) {
        self.cells.shrink_to_fit();
    }
}

impl Heap for Images {
    bytes_of!(slots; each slots);

    fn trim(&mut self) {
        trim_end(&mut self.slots, |slot| !slot.cells.is_empty());
        self.slots.iter_mut().for_each(Heap::trim);
    }
}

impl Images {
    /// Records the value of an entity at a stamp, no earlier than the others. Returns `false` if it is the
    /// present one already. Forgets what was replaced until `earliest`.
    pub(crate) fn push(
        &mut self,
        id: UntypedId,
        image: &[Cell],
        (stamp, earliest): (u64, u64),
    ) -> bool {
        let at = id.index() as usize;
        if at >= self.slots.len() {
            self.slots.resize_with(at + 1, SlotImages::default);
        }
        self.each = 1 + image.len();
        let slot = &mut self.slots[at];
        if slot.generation != id.generation() {
            slot.cells.clear();
            slot.generation = id.generation();
        }
        if let Some(present) = self.of(id) {
            if present.last() == image {
                return false;
            }
            let old = present.count_until(earliest);
            let too_many = (present.cells.len() / self.each + 1).saturating_sub(MOST);
            let unused = old.saturating_sub(1).max(too_many) * self.each;
            self.slots[at].cells.drain(..unused);
        }
        let cells = &mut self.slots[at].cells;
        cells.reserve_exact(self.each);
        cells.push(Cell::Number(stamp as i64));
        cells.extend_from_slice(image);
        true
    }

    /// Forgets the values of a slot, whose entity has lost the component.
    pub(crate) fn clear(&mut self, slot: u32) {
        if let Some(slot) = self.slots.get_mut(slot as usize) {
            slot.cells.clear();
        }
    }

    /// The number of cells of a value; 0 before the first one.
    pub(crate) fn each(&self) -> usize {
        self.each.saturating_sub(1)
    }

    /// The images of an entity, if it has any.
    pub(crate) fn of(&self, id: UntypedId) -> Option<EntityImages<'_>> {
        let slot = self.slots.get(id.index() as usize)?;
        let has = slot.generation == id.generation() && !slot.cells.is_empty();
        has.then_some(EntityImages {
            cells: &slot.cells,
            each: self.each,
        })
    }
}

impl<'a> EntityImages<'a> {
    /// The present value, as it was recorded last.
    pub(crate) fn last(self) -> &'a [Cell] {
        &self.cells[self.cells.len() - self.each + 1..]
    }

    /// The values since a stamp, with the one at the stamp first; `None` if that is not known.
    pub(crate) fn since(self, stamp: u64) -> Option<impl Iterator<Item = &'a [Cell]>> {
        let first = self.count_until(stamp).checked_sub(1)? * self.each;
        let images = self.cells[first..].chunks_exact(self.each);
        Some(images.map(|image| &image[1..]))
    }

    /// How many values have a stamp that is not later.
    fn count_until(self, stamp: u64) -> usize {
        let is_later = |image: &&[Cell]| matches!(image[0], Cell::Number(at) if at as u64 > stamp);
        let images = self.cells.chunks_exact(self.each);
        images.len() - images.rev().take_while(is_later).count()
    }
}
