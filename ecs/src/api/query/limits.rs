//! What narrows a walk beyond the columns that it hands out: filters, a group, and the
//! slots if nothing else says which rows have entities.
//!
//! Apart from the walk, which most often has none of this and is then to start at once.

use alloc::vec::Vec;

use super::narrowing::Narrowing;
use crate::state::Core;
use crate::storage::column::{Blocks, ROWS};
use crate::storage::slots::{Row, Slots};

/// Which rows may be visited, beyond what the columns say.
pub(super) struct Limits<'a> {
    /// Columns whose bits must all be set.
    with: Vec<Blocks<'a>>,
    /// Columns whose bits must all be clear.
    without: Vec<Blocks<'a>>,
    /// Sets of rows that a row must be in, by words: the members of a group, and what has
    /// been drained from a collector.
    sets: [Option<&'a [u64]>; 2],
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
        let blocks = |component| {
            let column = core.columns.at(component);
            column.map_or(Blocks::NONE, |column| column.blocks())
        };
        let Narrowing {
            with,
            without,
            group,
            drained,
        } = narrowing;
        let any_row = !bounded && with.is_empty() && group.is_none() && !*drained;
        Self {
            with: with.iter().map(blocks).collect(),
            without: without.iter().map(blocks).collect(),
            sets: [
                group.map(|group| core.groups.members(group.index).words()),
                drained.then(|| core.collectors.drained()),
            ],
            slots: any_row.then_some(&core.slots),
        }
    }

    /// How many blocks at the head may have rows that are visited.
    pub(super) fn len(&self) -> usize {
        let lens = self.with.iter().map(|blocks| blocks.len());
        let lens = lens.chain(self.sets.iter().flatten().map(|rows| rows.len()));
        lens.fold(usize::MAX, usize::min)
    }

    /// Clears the bits of rows that are not visited, of a block before
    /// [`len`](Self::len).
    #[inline(never)] // the plain walk is much tighter without it
    pub(super) fn narrow(&self, mut word: u64, at: usize) -> u64 {
        if let Some(slots) = self.slots {
            word &= alive(slots, at);
        }
        for blocks in &self.with {
            word &= blocks.occupied(at);
        }
        for blocks in &self.without {
            word &= !blocks.occupied(at);
        }
        for rows in self.sets.iter().flatten() {
            word &= rows[at];
        }
        word
    }
}

#[cold]
fn alive(slots: &Slots, at: usize) -> u64 {
    let row = |place: u32| Row((at * ROWS) as u32 + place);
    let alive = (0..ROWS as u32).filter(|place| slots.id_in::<()>(row(*place)).is_some());
    alive.fold(0, |word, place| word | 1 << place)
}
