//! How far moving entities together a little at a time has come.

use alloc::vec::Vec;

use super::layout::Layout;
use crate::words::heap_size::heap_size;

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
    fn the_bytes_are_those_of_counts_cursors_and_layout() {
        let mut progress = Progress::default();
        assert_eq!(progress.bytes(), 0);
        progress.counts = Vec::from([2, 0, 5, 1]);
        progress.layout = Some(progress.start_moving());
        assert_eq!(progress.cursors, [0, 2, 2, 7]);
        assert_eq!(progress.bytes(), (4 + 4 + 5) * size_of::<usize>());
    }
}
