//! How loops come to the entities that they are still to visit ([`traversals`](super::walks)).

use alloc::vec::Vec;

use super::Slots;
use super::traversals::{RowTraversal, Traversals};
use crate::storage::row_words::RowWord;
use crate::words::entity_id::UntypedId;
use crate::words::heap_size::heap_size;
use crate::words::signature::Bits;

impl Slots {
    /// An empty list for the rows of a walk.
    pub(crate) fn rows_for_traversal(&mut self) -> Vec<RowWord> {
        core::mem::take(&mut self.traversals.spare.words)
    }

    /// Begins a walk through rows, which ascend; returns its number.
    pub(crate) fn begin_traversal(&mut self, rows: Vec<RowWord>) -> usize {
        let mut traversal = core::mem::take(&mut self.traversals.spare);
        traversal.words = rows;
        traversal.words.reverse();
        self.traversals.traversals.push(traversal);
        self.traversals.by_rows += 1;
        self.traversals.traversals.len() - 1
    }

    /// The living entity that a walk comes to next.
    #[inline]
    pub(crate) fn next_of_traversal(&mut self, number: usize) -> Option<UntypedId> {
        let traversal = self.traversals.traversals.get_mut(number)?;
        if traversal.goes_by_ids {
            return self.next_listed(number);
        }
        let row = traversal.next_row()?;
        self.id_in(row) // it is as alive as when the walk began
    }

    #[cold]
    #[inline(never)]
    fn next_listed(&mut self, number: usize) -> Option<UntypedId> {
        loop {
            let id = self.traversals.traversals.get_mut(number)?.ids.pop()?;
            if self.get(id).is_some() {
                return Some(id);
            }
        }
    }

    /// Ends a walk, with those begun since.
    pub(crate) fn end_traversal(&mut self, number: usize) {
        while self.traversals.traversals.len() > number {
            let Some(mut traversal) = self.traversals.traversals.pop() else {
                return;
            };
            self.traversals.by_rows -= usize::from(!traversal.goes_by_ids);
            traversal.words.clear();
            traversal.ids.clear();
            (traversal.rows, traversal.goes_by_ids) = (Bits(0), false);
            self.traversals.spare = traversal;
        }
    }

    /// Whether a walk is to go by ids before an entity ends.
    #[inline]
    pub(crate) fn any_traversal_by_rows(&self) -> bool {
        self.traversals.by_rows > 0
    }

    /// Has walks go by ids from now on: entities are about to end, or to get other rows.
    #[inline]
    pub(crate) fn list_traversals(&mut self) {
        if self.any_traversal_by_rows() {
            self.list_all_traversals();
        }
    }

    #[cold]
    #[inline(never)]
    fn list_all_traversals(&mut self) {
        let mut traversals = core::mem::take(&mut self.traversals.traversals);
        for traversal in traversals
            .iter_mut()
            .filter(|traversal| !traversal.goes_by_ids)
        {
            while let Some(row) = traversal.next_row() {
                traversal
                    .ids
                    .extend(self.id_in::<()>(row).map(|id| id.untyped()));
            }
            traversal.ids.reverse();
            traversal.goes_by_ids = true;
        }
        self.traversals.traversals = traversals;
        self.traversals.by_rows = 0;
    }

    /// The bytes held for walks.
    pub(crate) fn traversal_bytes(&self) -> usize {
        let Traversals {
            traversals, spare, ..
        } = &self.traversals;
        let lists = traversals.iter().chain([spare]);
        let lists = lists.map(|traversal| heap_size(&traversal.words) + heap_size(&traversal.ids));
        lists.sum::<usize>() + heap_size(traversals)
    }

    /// Gives up the lists of walks that have ended.
    pub(super) fn trim_traversals(&mut self) {
        self.traversals.spare = RowTraversal::default();
    }
}
