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
use crate::words::component::RawComponentIndex;
use crate::words::limits::ROWS;

/// The rows of each signature, computed from the numbers of entities.
pub(crate) struct Layout {
    /// A node of each class.
    nodes: Vec<NodeIndex>,
    /// The class of each node, by number.
    places: Vec<usize>,
    starts: Vec<usize>,
}

impl Layout {
    /// The number of classes: one per signature, and one for free slots.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len() + 1
    }

    /// The class of a row with this node.
    #[inline]
    pub(crate) fn class(&self, node: Option<NodeIndex>) -> usize {
        node.map_or(self.nodes.len(), |node| self.places[node.0 as usize])
    }

    /// The rows of a class.
    pub(crate) fn rows(&self, class: usize) -> Range<usize> {
        self.starts[class]..self.starts[class + 1]
    }

    /// The number of rows of all living entities.
    pub(crate) fn alive(&self) -> usize {
        self.starts[self.nodes.len()]
    }

    /// A node of each class, with the rows of the class.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (NodeIndex, Range<usize>)> + '_ {
        let nodes = self.nodes.iter().enumerate();
        nodes.map(|(class, node)| (*node, self.rows(class)))
    }
}

impl World {
    /// The key of a node's class, which determines the order of classes: independent of the order
    /// of creation, so that it is the same after loading a save, and of terms, so that a group does
    /// not affect the order of entities.
    pub(crate) fn class_key(&self, node: NodeIndex) -> u64 {
        let components = self.users_components(node);
        let keys = components.map(|one| self.columns.describe(one).order_key);
        keys.fold(0, u64::wrapping_add)
    }

    /// The components of a node without the flags of terms.
    fn users_components(&self, node: NodeIndex) -> impl Iterator<Item = RawComponentIndex> {
        let all = self.graph.component_list(node).iter().copied();
        all.filter(|one| self.columns.describe(*one).term.is_none())
    }

    /// Computes the layout of the present entities.
    pub(crate) fn layout(&self) -> Layout {
        let nodes = (0..self.graph.bound() as u32).map(NodeIndex);
        let mut nodes: Vec<_> = nodes.map(|node| (self.class_key(node), node)).collect();
        nodes.sort_by_key(|(key, _)| *key);
        let mut layout = Layout {
            nodes: Vec::new(),
            places: alloc::vec![0; nodes.len()],
            starts: Vec::new(),
        };
        let mut last = None;
        for (key, node) in nodes {
            if last.replace(key) != Some(key) {
                layout.nodes.push(node);
            }
            layout.places[node.0 as usize] = layout.nodes.len() - 1;
        }
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
            for component in self.users_components(node) {
                let (blocks, counted) = &mut needed[component.get()];
                *blocks += end - first.max(*counted);
                *counted = end;
            }
        }
        needed.into_iter().map(|(blocks, _)| blocks).collect()
    }
}
