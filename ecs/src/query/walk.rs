//! Which rows a query visits, worked out a block at a time.

use alloc::vec::Vec;

use super::ROWS;
use super::data::QueryData;
use crate::column::Blocks;
use crate::group::Group;
use crate::signature::ComponentSet;
use crate::slots::Row;
use crate::state::Core;

/// The blocks a query walks through.
pub(super) struct Walk<'a, C: 'static, Q: QueryData<C>> {
    pub(super) columns: Q::Columns<'a>,
    core: &'a Core<C>,
    filters: Filters<'a>,
    group: Option<&'a [u64]>,
    /// Whether no column says which rows have entities.
    all_rows: bool,
    pub(super) blocks: usize,
}

/// Columns whose bits must all be set, and columns whose bits must all be clear.
///
/// Beyond the components asked for there are seldom more than a few.
struct Filters<'a> {
    with: Vec<Blocks<'a>>,
    without: Vec<Blocks<'a>>,
}

impl<'a, C: 'static, Q: QueryData<C>> Walk<'a, C, Q> {
    pub(super) fn new(
        core: &'a Core<C>,
        with: &ComponentSet,
        without: &ComponentSet,
        group: Option<Group<C>>,
    ) -> Self {
        let blocks = |component| {
            core.columns
                .at(component)
                .map_or(Blocks::NONE, |c| c.blocks())
        };
        let filters = Filters {
            with: with.iter().map(blocks).collect(),
            without: without.iter().map(blocks).collect(),
        };
        let group = group.map(|group| core.groups.members(group.index).words());
        let rows = core.slots.rows().div_ceil(ROWS);
        let lens = filters
            .with
            .iter()
            .map(|blocks| blocks.len())
            .chain(group.map(<[u64]>::len));
        Self {
            columns: Q::columns(core),
            core,
            blocks: lens.fold(rows, usize::min),
            all_rows: filters.with.is_empty() && group.is_none(),
            filters,
            group,
        }
    }

    /// The rows of a block that are visited, as bits.
    #[inline]
    pub(super) fn word(&self, at: usize) -> u64 {
        let mut word = if self.all_rows {
            self.alive(at)
        } else {
            u64::MAX
        };
        for blocks in &self.filters.with {
            word &= blocks.occupied(at);
        }
        for blocks in &self.filters.without {
            word &= !blocks.occupied(at);
        }
        if let Some(members) = self.group {
            word &= members[at];
        }
        word
    }

    #[cold]
    fn alive(&self, at: usize) -> u64 {
        let row = |place: u32| Row((at * ROWS) as u32 + place);
        let alive = (0..64).filter(|place| self.core.slots.id_in::<C>(row(*place)).is_some());
        alive.fold(0, |word, place| word | 1 << place)
    }
}
