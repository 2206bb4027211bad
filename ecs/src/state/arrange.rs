//! Where the entities of a context belong as they are now, and how many blocks that takes.

use alloc::vec::Vec;

use super::core::Core;
use super::layout::Layout;
use crate::storage::slots::Row;
use crate::words::limits::ROWS;

impl<C: 'static> Core<C> {
    /// The layout of all entities as they are now.
    pub(super) fn layout(&self) -> Layout {
        let mut counts = alloc::vec![0; self.graph.bound() + 1];
        for row in 0..self.slots.rows() {
            counts[self.class_in(row)] += 1;
        }
        Layout::of_counts(&counts)
    }

    /// The class of what is in a row.
    #[inline]
    pub(super) fn class_in(&self, row: usize) -> usize {
        let node = self.slots.node_in(Row(row as u32));
        node.map_or(self.graph.bound(), |node| node.0 as usize)
    }

    /// How many blocks with values each component has in a layout.
    pub(super) fn blocks_needed(&self, layout: &Layout) -> Vec<usize> {
        let mut needed = alloc::vec![(0, 0); self.columns.len()];
        for (node, rows) in layout.nodes().filter(|(_, rows)| !rows.is_empty()) {
            let (first, end) = (rows.start / ROWS, rows.end.div_ceil(ROWS));
            for component in self.graph.component_list(node) {
                let (blocks, counted) = &mut needed[component.get()];
                *blocks += end - first.max(*counted);
                *counted = end;
            }
        }
        needed.into_iter().map(|(blocks, _)| blocks).collect()
    }
}
