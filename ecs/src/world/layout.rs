//! The rows of each signature: contiguous, in an order of signatures that is the same in every
//! program, with the rows of free slots at the end.
//!
//! ```text
//! classes    first         second        third         free
//! rows       0 ……          starts[1] ……  starts[2] ……  starts[3] …… starts[4]
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use super::data::World;
use crate::storage::slots::{NodeIndex, Row};
use crate::words::limits::ROWS;

/// The rows of each signature, computed from the numbers of entities.
pub(crate) struct Layout {
    /// The nodes in order.
    nodes: Vec<NodeIndex>,
    /// The position of each node in this order, by number.
    places: Vec<usize>,
    starts: Vec<usize>,
}

impl Layout {
    /// The number of classes: one per node, and one for free slots.
    pub(crate) fn len(&self) -> usize {
        self.places.len() + 1
    }

    /// The class of a row with this node.
    #[inline]
    pub(crate) fn class(&self, node: Option<NodeIndex>) -> usize {
        node.map_or(self.places.len(), |node| self.places[node.0 as usize])
    }

    /// The rows of a class.
    pub(crate) fn rows(&self, class: usize) -> Range<usize> {
        self.starts[class]..self.starts[class + 1]
    }

    /// The number of rows of all living entities.
    pub(crate) fn alive(&self) -> usize {
        self.starts[self.places.len()]
    }

    /// The nodes in order, with their rows.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (NodeIndex, Range<usize>)> + '_ {
        let nodes = self.nodes.iter().enumerate();
        nodes.map(|(class, node)| (*node, self.rows(class)))
    }
}

impl World {
    /// A key of a node's components, which determines the order of classes: independent of the
    /// order of creation, so that it is the same after loading a save.
    pub(crate) fn class_key(&self, node: NodeIndex) -> u64 {
        let keys = self.graph.component_list(node).iter();
        let keys = keys.map(|one| self.columns.describe(*one).order_key);
        keys.fold(0, u64::wrapping_add)
    }

    /// Computes the layout of the present entities.
    pub(crate) fn layout(&self) -> Layout {
        let mut nodes: Vec<_> = (0..self.graph.bound() as u32).map(NodeIndex).collect();
        nodes.sort_by_cached_key(|node| (self.class_key(*node), node.0));
        let mut places = alloc::vec![0; nodes.len()];
        for (place, node) in nodes.iter().enumerate() {
            places[node.0 as usize] = place;
        }
        let mut layout = Layout {
            nodes,
            places,
            starts: Vec::new(),
        };
        let mut starts = alloc::vec![0; layout.len() + 1];
        for row in 0..self.slots.rows() {
            starts[layout.class(self.slots.node_in(Row(row as u32))) + 1] += 1;
        }
        for class in 0..layout.len() {
            starts[class + 1] += starts[class];
        }
        layout.starts = starts;
        layout
    }

    /// The number of blocks that each component needs if nodes have these rows, which are
    /// ascending.
    pub(crate) fn blocks_needed(
        &self,
        nodes: impl Iterator<Item = (NodeIndex, Range<usize>)>,
    ) -> Vec<usize> {
        let mut needed = alloc::vec![(0, 0); self.columns.len()];
        for (node, rows) in nodes.filter(|(_, rows)| !rows.is_empty()) {
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
