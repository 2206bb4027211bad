//! Moving entities of the same signature together incrementally, with other changes in between.
//!
//! A *sweep* counts the entities of each signature, which determines the rows of each, and then
//! goes through the rows again. An entity in the rows of another signature is swapped with the
//! first misplaced one in the rows of its own:
//!
//! ```text
//! classes   a a a a │ b b b │ free      cursor: the first row of its class that may be
//! rows      a b a a │ b a . │ b                 misplaced
//!             └───────►┘ swapped; then `a` is in place
//! ```
//!
//! Each swap moves one entity to its final row, unless something changes. Changes in between make
//! the counts outdated, but never unsafe: entities are swapped, whatever the rows are worth. The
//! next sweep counts again. The last sweep is one that finds everything in place, or that signatures change too fast:
//! if it counts more than a third as many breaks as the sweep before it, longer and longer rests follow.
//!
//! Progress is stored with the slots ([`Progress`]) in terms that are the same in every program,
//! and a history records the swaps: so the same operations result in the same rows after a rewind,
//! and in a loaded context.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::defragment::swap;
use super::recording::record_swap;
use crate::reactions::subscribers::Subscribers;
use crate::storage::slots::progress::Progress;
use crate::storage::slots::{NodeIndex, Row};
use crate::words::limits::ROWS;
use crate::world::World;

/// The number of rows that one call examines, in addition to some per move.
const LOOKS: usize = 4096;
const LOOKS_PER_MOVE: usize = 64;

/// The work of one [`tidy`]: one move and one look per this many rows, within
/// limits. So a context of up to a few hundred thousand entities is in order after about a hundred
/// passes.
const ROWS_PER_MOVE: usize = 64;
const ROWS_PER_LOOK: usize = 16;
const LEAST_MOVES: usize = 16;
const MOST_MOVES: usize = 2048;

/// The number of passes to skip when there is nothing to gain.
const REST: u32 = 256;

/// Longer runs of entities count as in order.
const SHORT_RUN: usize = 32;

/// The maximum size of a component's values that may be moved at once, in bytes.
const SMALL: usize = 2 << 20;

/// The remaining budget of one call.
struct Budget {
    moves: usize,
    looks: usize,
}

impl Budget {
    fn spend_look(&mut self) -> Result<(), OutOfBudget> {
        self.looks = self.looks.checked_sub(1).ok_or(OutOfBudget)?;
        Ok(())
    }

    fn spend_move(&mut self) -> Result<(), OutOfBudget> {
        self.moves = self.moves.checked_sub(1).ok_or(OutOfBudget)?;
        Ok(())
    }
}

/// The budget of the call is used up.
struct OutOfBudget;

/// The class of a node without entities when they were counted.
const NO_CLASS: u32 = u32::MAX;

/// A sweep, during one call.
struct Sweep {
    progress: Progress,
    budget: Budget,
    /// The class of each node, by number.
    class_of: Vec<u32>,
}

impl Sweep {
    /// The class of a row; `None` for a node without entities when they were counted.
    #[inline]
    fn class_in(&self, world: &World, row: u32) -> Option<usize> {
        match world.slots.node_in(Row(row)) {
            None => Some(self.progress.signatures().len()),
            Some(node) => match self.class_of[node.0 as usize] {
                NO_CLASS => None,
                class => Some(class as usize),
            },
        }
    }

    /// Adds the class of a row without one.
    fn add_class(&mut self, world: &World, row: u32) -> usize {
        let node = world.slots.node_in(Row(row)).expect("the row is not free");
        let class = self.progress.add_class(world.class_key(node));
        self.class_of[node.0 as usize] = class as u32;
        class
    }

    /// The next misplaced row in the range of a class, if there is one.
    fn place_in(&mut self, world: &World, class: usize) -> Result<Option<u32>, OutOfBudget> {
        let end = self.progress.classes[class]
            .end
            .min(world.slots.rows() as u32);
        while self.progress.classes[class].cursor < end {
            let cursor = self.progress.classes[class].cursor;
            if self.class_in(world, cursor) != Some(class) {
                return Ok(Some(cursor));
            }
            self.budget.spend_look()?;
            self.progress.classes[class].cursor += 1;
        }
        Ok(None)
    }
}

/// Finds the class of each node. A new sweep has none but that of free slots.
fn find_classes(world: &World, sweep: &mut Sweep) {
    if sweep.progress.classes.is_empty() {
        sweep.progress.add_class(u64::MAX);
    }
    let signatures = sweep.progress.signatures().iter().zip(0..);
    let places: BTreeMap<_, u32> = signatures.map(|(one, place)| (one.key, place)).collect();
    let place = |node| places.get(&world.class_key(node)).copied();
    let nodes = (0..world.graph.bound() as u32).map(NodeIndex);
    sweep.class_of = nodes.map(|node| place(node).unwrap_or(NO_CLASS)).collect();
}

/// Whether runs of entities with one signature are short, and would be longer in order.
fn is_worth_moving(world: &World, progress: &Progress) -> bool {
    let classes = progress.classes.iter();
    let classes = classes.filter(|class| !class.rows().is_empty()).count();
    let breaks = progress.breaks as usize;
    breaks > world.slots.rows() / SHORT_RUN && breaks > 2 * classes
}

/// Moves the values of the component with the most scattered blocks to new memory, if it is
/// small, because this happens at once.
fn join_memory(world: &mut World) {
    let columns = world.columns.iter_mut();
    let scattered = columns.filter_map(|column| {
        let (breaks, blocks) = (column.breaks(), column.usage().blocks);
        let is_small = blocks * column.block_bytes() <= SMALL;
        (is_small && breaks > blocks / 8).then_some((breaks, column))
    });
    if let Some((_, column)) = scattered.max_by_key(|(breaks, _)| *breaks) {
        column.pack();
    }
}

/// Moves at most `moves` entities into place; returns whether there may be more to do.
pub(crate) fn defragment_for(world: &mut World, subs: &mut Subscribers, moves: usize) -> bool {
    let looks = moves.saturating_mul(LOOKS_PER_MOVE).saturating_add(LOOKS);
    world.slots.progress_mut().rest = 0;
    sweep(world, subs, Budget { moves, looks }, false)
}

/// Moves some entities into place, if there is something to gain. Depends only on the state of
/// the context.
pub(crate) fn tidy(world: &mut World, subs: &mut Subscribers) {
    let rows = world.slots.rows();
    let progress = world.slots.progress_mut();
    if progress.rest > 0 {
        progress.rest -= 1;
    } else if rows > ROWS {
        let moves = (rows / ROWS_PER_MOVE).clamp(LEAST_MOVES, MOST_MOVES);
        let looks = rows / ROWS_PER_LOOK + moves;
        sweep(world, subs, Budget { moves, looks }, true);
    }
}

/// Continues a sweep, and begins the next one; returns whether there may be more to do. If
/// `rests`, continues only if there is something to gain.
fn sweep(world: &mut World, subs: &mut Subscribers, budget: Budget, rests: bool) -> bool {
    let mut sweep = Sweep {
        progress: core::mem::take(world.slots.progress_mut()),
        budget,
        class_of: Vec::new(),
    };
    find_classes(world, &mut sweep);
    let more = loop {
        match go_on(world, subs, &mut sweep, rests) {
            Ok(true) => {}
            Ok(false) => break false,
            Err(OutOfBudget) => break true,
        }
    };
    *world.slots.progress_mut() = sweep.progress;
    more
}

/// Continues a sweep, to its end if the budget allows; returns whether another one is needed,
/// which has begun.
fn go_on(
    world: &mut World,
    subs: &mut Subscribers,
    sweep: &mut Sweep,
    rests: bool,
) -> Result<bool, OutOfBudget> {
    if !sweep.progress.moving {
        count(world, sweep)?;
        sweep.progress.start_moving();
        find_classes(world, sweep);
        if rests && !is_worth_moving(world, &sweep.progress) {
            join_memory(world);
            sweep.progress = Progress::resting(REST);
            return Ok(false);
        }
        if rests && sweep.progress.is_undone() {
            sweep.progress = sweep.progress.resting_longer(REST);
            return Ok(false);
        }
    }
    move_rows(world, subs, sweep)?;
    let goes_on = sweep.progress.met_misplaced;
    let rest = if rests { REST } else { 0 };
    sweep.progress = match goes_on {
        true => sweep.progress.next_sweep(),
        false => Progress::resting(rest),
    };
    if goes_on {
        find_classes(world, sweep);
    }
    Ok(goes_on)
}

/// Counts the entities of each class.
fn count(world: &World, sweep: &mut Sweep) -> Result<(), OutOfBudget> {
    let rows = world.slots.rows() as u32;
    let before = sweep.progress.next.checked_sub(1);
    let mut before = before.and_then(|row| sweep.class_in(world, row));
    while sweep.progress.next < rows {
        sweep.budget.spend_look()?;
        let row = sweep.progress.next;
        let class = sweep.class_in(world, row);
        let class = class.unwrap_or_else(|| sweep.add_class(world, row));
        sweep.progress.classes[class].end += 1;
        sweep.progress.breaks += u32::from(before != Some(class));
        before = Some(class);
        sweep.progress.next += 1;
    }
    Ok(())
}

/// Goes through the rows and swaps misplaced entities.
fn move_rows(
    world: &mut World,
    subs: &mut Subscribers,
    sweep: &mut Sweep,
) -> Result<(), OutOfBudget> {
    while (sweep.progress.next as usize) < world.slots.rows() {
        sweep.budget.spend_look()?;
        let row = sweep.progress.next;
        let class = sweep.class_in(world, row);
        let is_at_home = |class: usize| sweep.progress.classes[class].rows().contains(&row);
        if class.is_some_and(is_at_home) {
            sweep.progress.next += 1;
            continue;
        }
        sweep.progress.met_misplaced = true;
        let place = match class {
            Some(class) => sweep.place_in(world, class)?,
            None => None,
        };
        match place {
            Some(place) => {
                sweep.budget.spend_move()?;
                swap(world, subs, Row(row), Row(place));
                record_swap(world, subs, [Row(row), Row(place)]);
            }
            None => sweep.progress.next += 1, // the next sweep counts again
        }
    }
    Ok(())
}
