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
use crate::words::heap_size::heap_size;

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

/// How far the moving has come.
#[derive(Clone)]
pub(crate) struct Progress {
    /// The entities of each class among the rows before `next`, until all are counted.
    pub(super) counts: Vec<usize>,
    /// Where entities belong, once they are counted.
    pub(super) layout: Option<Layout>,
    /// For each class the first of its rows that may hold somebody else.
    pub(super) cursors: Vec<usize>,
    /// The row that comes next.
    pub(super) next: usize,
    /// Whether all that the pass has seen was in place.
    pub(super) clean: bool,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            counts: Vec::new(),
            layout: None,
            cursors: Vec::new(),
            next: 0,
            clean: true,
        }
    }
}

impl Progress {
    pub(super) fn bytes(&self) -> usize {
        let layout = self
            .layout
            .as_ref()
            .map_or(0, |layout| layout.classes() + 1);
        heap_size(&self.counts) + heap_size(&self.cursors) + layout * size_of::<usize>()
    }

    /// Goes from counting to moving.
    pub(super) fn start_moving(&mut self) -> Layout {
        let layout = Layout::of_counts(&self.counts);
        let classes = 0..layout.classes();
        self.cursors = classes.map(|class| layout.rows(class).start).collect();
        self.next = 0;
        layout
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

#[cfg(test)]
mod progress_tests {
    use super::*;

    #[test]
    fn the_bytes_are_those_of_counts_cursors_and_layout() {
        let mut progress = Progress::default();
        assert_eq!(progress.bytes(), 0);
        progress.counts = Vec::from([2, 0, 5, 1]);
        progress.layout = Some(progress.start_moving());
        assert_eq!(progress.cursors, [0, 2, 2, 7]);
        assert_eq!(progress.bytes(), (4 + 4 + 5) * size_of::<usize>());
    }
}
