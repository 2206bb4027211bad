//! The entities of neighboring cells.

use alloc::vec::Vec;
use core::iter::Zip;
use core::slice;

use crate::storage::heap::{Heap, bytes_of};
use crate::words::entity_id::EntityId;

/// A block has two to the power of this cells, along the first axis.
const BITS: u32 = 4;

/// The number of cells of a block.
pub(super) const CELLS: usize = 1 << BITS;

/// The coordinates of the block that contains a cell, and the number of the cell in it.
#[inline]
pub(super) fn of<const D: usize>(mut cell: [i32; D]) -> ([i32; D], usize) {
    let number = cell[0] as usize % CELLS;
    cell[0] >>= BITS;
    (cell, number)
}

/// Entities with their places.
pub(super) type Entries<'a, C, const D: usize> =
    Zip<slice::Iter<'a, EntityId<C>>, slice::Iter<'a, [f32; D]>>;

/// The entities of a block of cells.
pub(super) struct Block<C, const D: usize> {
    /// By cell, then by slot.
    ids: Vec<EntityId<C>>,
    /// Of the same entities. A list of their own, because a search reads more places than ids.
    places: Vec<[f32; D]>,
    /// Where the entities of each cell start.
    starts: [u32; CELLS + 1],
}

impl<C, const D: usize> Heap for Block<C, D> {
    bytes_of!(ids, places);
}

impl<C, const D: usize> Block<C, D> {
    pub(super) fn new() -> Self {
        Self {
            ids: Vec::new(),
            places: Vec::new(),
            starts: [0; CELLS + 1],
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The entities of the cells from one to another one.
    #[inline]
    pub(super) fn row(&self, first: usize, last: usize) -> Entries<'_, C, D> {
        let range = self.starts[first] as usize..self.starts[last + 1] as usize;
        self.ids[range.clone()].iter().zip(&self.places[range])
    }

    /// The place of an entity in its cell, or the place for it.
    #[inline]
    fn find(&self, cell: usize, id: EntityId<C>) -> Result<usize, usize> {
        let [start, end] = [self.starts[cell], self.starts[cell + 1]].map(|at| at as usize);
        let found = self.ids[start..end].binary_search_by_key(&id.index(), |it| it.index());
        found.map(|at| start + at).map_err(|at| start + at)
    }

    pub(super) fn insert(&mut self, cell: usize, id: EntityId<C>, at: [f32; D]) {
        let place = self.find(cell, id).unwrap_or_else(|place| place);
        self.ids.insert(place, id);
        self.places.insert(place, at);
        let later = &mut self.starts[cell + 1..];
        later.iter_mut().for_each(|start| *start += 1);
    }

    /// Removes an entity from its cell; returns whether it was there.
    pub(super) fn remove(&mut self, cell: usize, id: EntityId<C>) -> bool {
        let found = self.find(cell, id);
        if let Ok(place) = found {
            self.ids.remove(place);
            self.places.remove(place);
            let later = &mut self.starts[cell + 1..];
            later.iter_mut().for_each(|start| *start -= 1);
        }
        found.is_ok()
    }

    /// Sets the place of an entity that stays in the block, and moves it from one cell to another one.
    #[inline]
    pub(super) fn set(&mut self, [from, to]: [usize; 2], id: EntityId<C>, at: [f32; D]) {
        let place = self.find_near(self.starts[from] as usize, id);
        if let Some(mut place) = place.or_else(|| self.find(from, id).ok()) {
            if from != to {
                place = self.carry(place, [from, to], id);
            }
            self.places[place] = at;
        }
    }

    /// Moves an entity to another cell; returns its place there.
    fn carry(&mut self, place: usize, [from, to]: [usize; 2], id: EntityId<C>) -> usize {
        let target = self.find(to, id).unwrap_or_else(|place| place);
        if from < to {
            let starts = &mut self.starts[from + 1..=to];
            starts.iter_mut().for_each(|start| *start -= 1);
            self.ids[place..target].rotate_left(1);
            self.places[place..target].rotate_left(1);
            target - 1
        } else {
            let starts = &mut self.starts[to + 1..=from];
            starts.iter_mut().for_each(|start| *start += 1);
            self.ids[target..=place].rotate_right(1);
            self.places[target..=place].rotate_right(1);
            target
        }
    }

    /// The place of an entity, if it is one of the first entities of its cell. Without branches, which would depend on the
    /// data.
    #[inline]
    fn find_near(&self, start: usize, id: EntityId<C>) -> Option<usize> {
        const SOME: usize = 4;
        let start = start.min(self.ids.len().saturating_sub(SOME));
        let some: &[_; SOME] = self.ids[start..].first_chunk()?;
        let bits = (0..SOME).fold(0, |bits, nth| bits | u32::from(some[nth] == id) << nth);
        (bits != 0).then(|| start + bits.trailing_zeros() as usize)
    }
}
