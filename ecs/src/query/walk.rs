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
    /// Whether nothing says which rows have entities, but the slots.
    all_rows: bool,
    pub(super) blocks: usize,
}

/// Columns whose bits must all be set, and columns whose bits must all be clear, beyond
/// those of the components asked for.
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
        let columns = Q::columns(core);
        let rows = core.slots.rows().div_ceil(ROWS).min(Q::len(&columns));
        let lens = filters.with.iter().map(|blocks| blocks.len());
        Self {
            blocks: lens.chain(group.map(<[u64]>::len)).fold(rows, usize::min),
            all_rows: !Q::BOUNDED && filters.with.is_empty() && group.is_none(),
            columns,
            core,
            filters,
            group,
        }
    }

    /// The rows of a block that are visited, as bits.
    #[inline]
    pub(super) fn word(&self, at: usize) -> u64 {
        let mut word = Q::occupied(&self.columns, at);
        if self.all_rows {
            word &= self.alive(at);
        }
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
