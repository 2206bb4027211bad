//! How loops come to the entities that they are still to visit ([`walks`](super::walks)).

use alloc::vec::Vec;

use super::Slots;
use super::walks::{RowWalk, Walks};
use crate::storage::row_words::RowWord;
use crate::words::entity_id::UntypedId;
use crate::words::heap_size::heap_size;
use crate::words::signature::Bits;

impl Slots {
    /// An empty list for the rows of a walk.
    pub(crate) fn rows_for_walk(&mut self) -> Vec<RowWord> {
        core::mem::take(&mut self.walks.spare.words)
    }

    /// Begins a walk through rows, which ascend; returns its number.
    pub(crate) fn begin_walk(&mut self, rows: Vec<RowWord>) -> usize {
        let mut walk = core::mem::take(&mut self.walks.spare);
        walk.words = rows;
        walk.words.reverse();
        self.walks.walks.push(walk);
        self.walks.by_rows += 1;
        self.walks.walks.len() - 1
    }

    /// The living entity that a walk comes to next.
    #[inline]
    pub(crate) fn next_of_walk(&mut self, number: usize) -> Option<UntypedId> {
        let walk = self.walks.walks.get_mut(number)?;
        if walk.goes_by_ids {
            return self.next_listed(number);
        }
        let row = walk.next_row()?;
        self.id_in(row) // it is as alive as when the walk began
    }

    #[cold]
    #[inline(never)]
    fn next_listed(&mut self, number: usize) -> Option<UntypedId> {
        loop {
            let id = self.walks.walks.get_mut(number)?.ids.pop()?;
            if self.get(id).is_some() {
                return Some(id);
            }
        }
    }

    /// Ends a walk, with those begun since.
    pub(crate) fn end_walk(&mut self, number: usize) {
        while self.walks.walks.len() > number {
            let Some(mut walk) = self.walks.walks.pop() else {
                return;
            };
            self.walks.by_rows -= usize::from(!walk.goes_by_ids);
            walk.words.clear();
            walk.ids.clear();
            (walk.rows, walk.goes_by_ids) = (Bits(0), false);
            self.walks.spare = walk;
        }
    }

    /// Whether a walk is to go by ids before an entity ends.
    #[inline]
    pub(crate) fn any_walk_by_rows(&self) -> bool {
        self.walks.by_rows > 0
    }

    /// Has walks go by ids from now on: entities are about to end, or to get other rows.
    #[inline]
    pub(crate) fn list_walks(&mut self) {
        if self.any_walk_by_rows() {
            self.list_all_walks();
        }
    }

    #[cold]
    #[inline(never)]
    fn list_all_walks(&mut self) {
        let mut walks = core::mem::take(&mut self.walks.walks);
        for walk in walks.iter_mut().filter(|walk| !walk.goes_by_ids) {
            while let Some(row) = walk.next_row() {
                walk.ids
                    .extend(self.id_in::<()>(row).map(|id| id.untyped()));
            }
            walk.ids.reverse();
            walk.goes_by_ids = true;
        }
        self.walks.walks = walks;
        self.walks.by_rows = 0;
    }

    /// The bytes held for walks.
    pub(crate) fn walk_bytes(&self) -> usize {
        let Walks { walks, spare, .. } = &self.walks;
        let lists = walks.iter().chain([spare]);
        let lists = lists.map(|walk| heap_size(&walk.words) + heap_size(&walk.ids));
        lists.sum::<usize>() + heap_size(walks)
    }

    /// Gives up the lists of walks that have ended.
    pub(super) fn trim_walks(&mut self) {
        self.walks.spare = RowWalk::default();
    }
}
