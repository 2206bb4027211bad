//! What narrows a walk beyond the columns that it hands out: filters, a group, and the
//! slots if nothing else says which rows have entities.
//!
//! Apart from the walk, which most often has none of this and is then to start at once.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::narrowing::{Among, Narrowing};
use crate::matching::members::Members;
use crate::state::Core;
use crate::storage::bit_set::BitSet;
use crate::storage::column::Blocks;
use crate::storage::slots::Slots;

/// Which rows may be visited, beyond what the columns say.
pub(super) struct Limits<'a> {
    /// Columns whose bits must all be set.
    with: Vec<Blocks<'a>>,
    /// Columns whose bits must all be clear.
    without: Vec<Blocks<'a>>,
    /// The members of a group, of which a row must be.
    members: Option<Members<'a>>,
    /// The rows taken for the query, of which a row must be.
    taken: Option<(&'a BitSet, &'a [u64])>,
    /// The rows of the query's own, of which a row must be.
    among: Option<Arc<BitSet>>,
    /// The slots, if nothing else says which rows have entities.
    slots: Option<&'a Slots>,
}

impl<'a> Limits<'a> {
    /// The limits of a query; `bounded` is whether its columns say which rows have
    /// entities.
    #[inline(never)]
    pub(super) fn new<C: 'static>(
        core: &'a Core<C>,
        bounded: bool,
        narrowing: &Narrowing<C>,
    ) -> Self {
        let blocks = |component| core.blocks(component);
        let Narrowing {
            with,
            without,
            group,
            among,
        } = narrowing;
        let (taken, among) = match among {
            Among::All => (None, None),
            Among::Taken => (Some(core.collectors().drained()), None),
            Among::Rows(rows) => (None, Some(rows.clone())),
        };
        let all = taken.is_none() && among.is_none();
        let any_row = !bounded && with.is_empty() && group.is_none() && all;
        Self {
            with: with.iter().map(blocks).collect(),
            without: without.iter().map(blocks).collect(),
            members: group.map(|group| core.members(group.index)),
            taken: taken.map(|rows| (rows, rows.words())),
            among,
            slots: any_row.then_some(core.slots()),
        }
    }

    /// How many blocks at the head may have rows that are visited.
    pub(super) fn len(&self) -> usize {
        let lens = self.with.iter().map(|blocks| blocks.len());
        let lens = lens.chain(self.rows().map(BitSet::len));
        lens.fold(usize::MAX, usize::min)
    }

    fn rows(&self) -> Option<&BitSet> {
        let taken = self.taken.map(|(rows, _)| rows);
        taken.or(self.among.as_deref())
    }

    /// The first block from one on that may have rows which are visited.
    pub(super) fn next(&self, at: usize) -> usize {
        self.rows().map_or(at, |rows| rows.next_word(at))
    }

    /// Clears the bits of rows that are not visited, of a block before
    /// [`len`](Self::len).
    #[inline(never)] // the plain walk is much tighter without it
    pub(super) fn narrow(&self, mut word: u64, at: usize) -> u64 {
        if let Some(slots) = self.slots {
            word &= slots.alive(at);
        }
        for blocks in &self.with {
            word &= blocks.occupied(at);
        }
        for blocks in &self.without {
            word &= !blocks.occupied(at);
        }
        if let Some((_, words)) = self.taken {
            word &= words[at];
        }
        if let Some(rows) = &self.among {
            word &= rows.word(at);
        }
        if let Some(members) = &self.members
            && word != 0
        {
            word &= members.word(at);
        }
        word
    }
}
