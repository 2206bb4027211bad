//! Where the entities of each signature belong: together, in the order of the nodes
//! of the signature graph (new signatures come last, or take the place of one that was given
//! back), the rows of free slots behind all of them.
//!
//! ```text
//! classes    node 0        node 1        node 2        free
//! rows       0 ……          starts[1] ……  starts[2] ……  starts[3] …… starts[4]
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use crate::storage::slots::NodeIndex;

/// The rows of each signature, worked out from how many entities each one has.
#[derive(Clone, Default)]
pub(super) struct Layout {
    starts: Vec<usize>,
}

impl Layout {
    /// The layout for these numbers of rows in each class, the free ones last.
    pub(super) fn of_counts(counts: &[usize]) -> Self {
        let mut next = 0;
        let mut starts = Vec::with_capacity(counts.len() + 1);
        starts.push(0);
        starts.extend(counts.iter().map(|count| {
            next += count;
            next
        }));
        Self { starts }
    }

    /// How many classes there are: one for each node, and one for the free slots.
    pub(super) fn classes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The rows of a class.
    pub(super) fn rows(&self, class: usize) -> Range<usize> {
        self.starts[class]..self.starts[class + 1]
    }

    /// The rows of all living entities.
    pub(super) fn living(&self) -> usize {
        self.starts[self.classes() - 1]
    }

    /// The nodes with the rows of each.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (NodeIndex, Range<usize>)> + '_ {
        let nodes = 0..self.classes() - 1;
        nodes.map(|node| (NodeIndex(node as u32), self.rows(node)))
    }
}

/// The class of what is in a row, if there are `classes`; none for a node that is
/// newer than these.
#[inline]
pub(super) fn class_of(node: Option<NodeIndex>, classes: usize) -> Option<usize> {
    match node {
        None => Some(classes - 1),
        Some(node) => Some(node.0 as usize).filter(|class| class + 1 < classes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_follow_one_another() {
        let layout = Layout::of_counts(&[2, 0, 5, 1]);
        assert_eq!((layout.classes(), layout.living()), (4, 7));
        let rows: Vec<_> = (0..4).map(|class| layout.rows(class)).collect();
        assert_eq!(rows, [0..2, 2..2, 2..7, 7..8]);
        assert_eq!(layout.nodes().count(), 3);
    }

    #[test]
    fn what_is_newer_than_the_layout_has_no_class() {
        assert_eq!(class_of(None, 3), Some(2));
        assert_eq!(class_of(Some(NodeIndex(1)), 3), Some(1));
        assert_eq!(class_of(Some(NodeIndex(2)), 3), None);
    }
}
