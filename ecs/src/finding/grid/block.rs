//! The entities of neighboring cells.

use alloc::vec::Vec;

use crate::storage::heap::{Heap, bytes_of};
use crate::words::entity_id::EntityId;

/// The most cells of a block.
const CELLS: usize = 64;

/// The number of cells along each axis is two to the power of this.
pub(super) const fn bits(dimensions: usize) -> u32 {
    match dimensions {
        0 | 1 => 6,
        2 => 3,
        3 => 2,
        4..=6 => 1,
        _ => 0,
    }
}

/// The coordinates of the block that contains a cell, and the number of the cell in it.
#[inline]
pub(super) fn of<const D: usize>(cell: [i32; D]) -> ([i32; D], usize) {
    let bits = bits(D);
    let inner = cell.map(|x| (x & ((1 << bits) - 1)) as usize);
    (cell.map(|x| x >> bits), number(inner))
}

/// The number of a cell by its coordinates in the block; the first axis counts in ones.
#[inline]
pub(super) fn number<const D: usize>(inner: [usize; D]) -> usize {
    let digits = inner.iter().rev();
    digits.fold(0, |number, x| (number << bits(D)) | x)
}

/// An entity with its place.
pub(super) struct Entry<C, const D: usize> {
    pub(super) at: [f32; D],
    pub(super) id: EntityId<C>,
}

/// The entities of a block of cells.
pub(super) struct Block<C, const D: usize> {
    /// By cell, then by slot.
    pub(super) entries: Vec<Entry<C, D>>,
    /// Where the entries of each cell start.
    pub(super) starts: [u32; CELLS + 1],
}

impl<C, const D: usize> Heap for Block<C, D> {
    bytes_of!(entries);
}

impl<C, const D: usize> Block<C, D> {
    pub(super) fn new() -> Self {
        Self {
            entries: Vec::new(),
            starts: [0; CELLS + 1],
        }
    }

    /// The place of an entity in its cell, or the place for it.
    fn find(&self, cell: usize, id: EntityId<C>) -> Result<usize, usize> {
        let [start, end] = [self.starts[cell], self.starts[cell + 1]].map(|at| at as usize);
        let found = self.entries[start..end].binary_search_by_key(&id.index(), |it| it.id.index());
        found.map(|at| start + at).map_err(|at| start + at)
    }

    pub(super) fn insert(&mut self, cell: usize, entry: Entry<C, D>) {
        let place = self.find(cell, entry.id).unwrap_or_else(|place| place);
        self.entries.insert(place, entry);
        self.starts[cell + 1..]
            .iter_mut()
            .for_each(|start| *start += 1);
    }

    /// Removes an entity from its cell; returns whether it was there.
    pub(super) fn remove(&mut self, cell: usize, id: EntityId<C>) -> bool {
        let found = self.find(cell, id);
        if let Ok(place) = found {
            self.entries.remove(place);
            self.starts[cell + 1..]
                .iter_mut()
                .for_each(|start| *start -= 1);
        }
        found.is_ok()
    }

    /// Sets the place of an entity that stays in its cell.
    #[inline]
    pub(super) fn set(&mut self, cell: usize, id: EntityId<C>, at: [f32; D]) {
        if let Ok(place) = self.find(cell, id) {
            self.entries[place].at = at;
        }
    }
}
