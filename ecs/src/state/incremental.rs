//! Moving entities together by signature a little at a time, while the world changes
//! in between.
//!
//! A *pass* counts the entities of each signature, which gives each one its rows, and
//! then goes through the rows once more. An entity that stands in the rows of another
//! signature changes places with the next one that does so in its own:
//!
//! ```text
//! classes   a a a a │ b b b │ free      cursor: the first row of its class that may
//! rows      a b a a │ b a . │ b                 hold somebody else
//!             └───────►┘ exchanged; then `a` stands where it belongs
//! ```
//!
//! Each exchange brings one entity to its rows for good, as long as nothing changes.
//! What changes in between makes the counts stale, never wrong to act upon: entities
//! change places, whatever the places are worth. The next pass counts anew. A pass
//! that finds everything in place is the last one.

use super::core::Registries;
use super::layout::{Layout, Progress, class_of};
use crate::storage::slots::{NodeIndex, Row};

/// How many rows one call looks at, beside some for each move.
const LOOKS: usize = 4096;
const LOOKS_PER_MOVE: usize = 64;

/// What one call may still do.
struct Budget {
    moves: usize,
    looks: usize,
}

impl Budget {
    fn look(&mut self) -> Result<(), Spent> {
        self.looks = self.looks.checked_sub(1).ok_or(Spent)?;
        Ok(())
    }

    fn make_a_move(&mut self) -> Result<(), Spent> {
        self.moves = self.moves.checked_sub(1).ok_or(Spent)?;
        Ok(())
    }
}

/// The budget of the call is used up.
struct Spent;

impl Registries {
    /// The bytes held for moving in small steps.
    pub(super) fn progress_bytes(&self) -> usize {
        self.progress.bytes()
    }

    /// Brings at most `moves` entities to their places; returns whether there may be more
    /// to do.
    pub(crate) fn defragment_for(&mut self, moves: usize) -> bool {
        let looks = moves.saturating_mul(LOOKS_PER_MOVE).saturating_add(LOOKS);
        let mut budget = Budget { moves, looks };
        let mut progress = core::mem::take(&mut self.progress);
        let more = loop {
            let finished = self.go_on(&mut progress, &mut budget);
            let clean = progress.clean;
            if finished.is_err() {
                break true;
            }
            progress = Progress::default();
            if clean {
                break false;
            }
        };
        self.progress = progress;
        more
    }

    /// Goes on with a pass, to its end if the budget allows.
    fn go_on(&mut self, progress: &mut Progress, budget: &mut Budget) -> Result<(), Spent> {
        let layout = match progress.layout.take() {
            Some(layout) => layout,
            None => self.count(progress, budget)?,
        };
        let moved = self.move_rows(progress, &layout, budget);
        progress.layout = Some(layout);
        moved
    }

    /// Counts the entities of each class.
    fn count(&self, progress: &mut Progress, budget: &mut Budget) -> Result<Layout, Spent> {
        if progress.counts.is_empty() {
            progress.counts.resize(self.graph.bound() + 1, 0);
        }
        while progress.next < self.slots.rows() {
            budget.look()?;
            match self.class_among(progress.next, progress.counts.len()) {
                Some(class) => progress.counts[class] += 1,
                None => progress.clean = false,
            }
            progress.next += 1;
        }
        Ok(progress.start_moving())
    }

    /// Goes through the rows and has those change places that are misplaced.
    fn move_rows(
        &mut self,
        progress: &mut Progress,
        layout: &Layout,
        budget: &mut Budget,
    ) -> Result<(), Spent> {
        while progress.next < self.slots.rows() {
            budget.look()?;
            let row = progress.next;
            let class = self.class_among(row, layout.classes());
            if class.is_some_and(|class| layout.rows(class).contains(&row)) {
                progress.next += 1;
                continue;
            }
            progress.clean = false;
            let place = match class {
                Some(class) => self.place_in(class, progress, layout, budget)?,
                None => None,
            };
            match place {
                Some(place) => {
                    budget.make_a_move()?;
                    self.exchange(Row(row as u32), Row(place as u32));
                }
                None => progress.next += 1, // left to the next pass, which counts anew
            }
        }
        Ok(())
    }

    /// The next row of a class that holds somebody else, if there is one.
    fn place_in(
        &self,
        class: usize,
        progress: &mut Progress,
        layout: &Layout,
        budget: &mut Budget,
    ) -> Result<Option<usize>, Spent> {
        let end = layout.rows(class).end.min(self.slots.rows());
        let cursor = &mut progress.cursors[class];
        while *cursor < end {
            if self.class_among(*cursor, layout.classes()) != Some(class) {
                return Ok(Some(*cursor));
            }
            budget.look()?;
            *cursor += 1;
        }
        Ok(None)
    }

    /// The class of what is in a row, among those that were there when the pass began.
    fn class_among(&self, row: usize, classes: usize) -> Option<usize> {
        class_of(self.slots.node_in(Row(row as u32)), classes)
    }

    /// Has what is in two rows change places: values and slots.
    fn exchange(&mut self, a: Row, b: Row) {
        self.slots.prepare_exchanges();
        self.collectors.list_all(&self.slots);
        let [first, second] = [a, b].map(|row| self.slots.node_in(row));
        let components =
            |node: Option<NodeIndex>| node.map_or(&[][..], |node| self.graph.component_list(node));
        let (ours, theirs) = (components(first), components(second));
        let rest = theirs.iter().filter(|one| ours.binary_search(one).is_err());
        self.columns
            .exchange(ours.iter().chain(rest).copied(), a, b);
        self.slots.exchange(a, b);
    }
}
