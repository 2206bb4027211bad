//! Visiting the entities of a traversal ([`traversals`](super::traversals)).

use alloc::vec::Vec;

use super::Slots;

use crate::storage::row_words::RowWord;
use crate::words::entity_id::UntypedId;
use crate::words::signature::Bits;

impl Slots {
    /// Returns an empty list for the rows of a traversal.
    pub(crate) fn rows_for_traversal(&mut self) -> Vec<RowWord> {
        core::mem::take(&mut self.traversals.spare.words)
    }

    /// Starts a traversal of rows in ascending order. Returns its number.
    pub(crate) fn begin_traversal(&mut self, rows: Vec<RowWord>) -> usize {
        let mut traversal = core::mem::take(&mut self.traversals.spare);
        traversal.words = rows;
        traversal.words.reverse();
        self.traversals.traversals.push(traversal);
        self.traversals.by_rows += 1;
        self.traversals.traversals.len() - 1
    }

    /// Returns the next entity of a traversal.
    #[inline]
    pub(crate) fn next_of_traversal(&mut self, number: usize) -> Option<UntypedId> {
        let traversal = self.traversals.traversals.get_mut(number)?;
        if traversal.goes_by_ids {
            return self.next_listed(number);
        }
        let row = traversal.next_row()?;
        self.id_in(row) // alive, since no entity was destroyed
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

    /// Ends a traversal and all that were started after it.
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

    /// Returns whether a traversal must switch to ids before an entity is destroyed.
    #[inline]
    pub(crate) fn any_traversal_by_rows(&self) -> bool {
        self.traversals.by_rows > 0
    }

    /// Switches traversals to ids, because entities are about to be destroyed or moved.
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
}
