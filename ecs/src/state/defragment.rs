//! Moving entities with the same signature together, so that iteration visits adjacent memory.
//!
//! Rows are an indirection for this purpose: an entity's id identifies its slot, the slot its row.
//! Ids, signatures, groups and collectors do not change, so there are no notifications.
//!
//! Entities keep their order within a signature, so they move in runs: adjacent entities with one
//! signature move as one piece of memory.

use alloc::vec::Vec;

use crate::reactions::subscribers::Subscribers;
use crate::storage::column::Relocation;
use crate::storage::slots::progress::Progress;
use crate::storage::slots::{NodeIndex, Row};
use crate::world::{Layout, World};

/// All rows in their new order as runs, and the number of runs of living entities; runs of free
/// slots come last.
fn runs(world: &World, layout: &Layout) -> (Vec<Relocation>, usize) {
    let mut classes: Vec<Vec<Relocation>> = alloc::vec![Vec::new(); layout.len()];
    for row in 0..world.slots.rows() {
        let class = layout.class(world.slots.node_in(Row(row as u32)));
        append(&mut classes[class], layout.rows(class).start, row as u32);
    }
    let free = classes.last().map_or(0, Vec::len);
    let runs = classes.concat();
    let alive = runs.len() - free;
    (runs, alive)
}

/// Moves entities with the same signature together, and values to adjacent blocks.
pub(crate) fn defragment(world: &mut World, subs: &mut Subscribers) {
    *world.slots.progress_mut() = Progress::default();
    subs.collectors.list_all(&world.slots);
    let layout = world.layout();
    let (runs, alive) = runs(world, &layout);
    let blocks = world.blocks_needed(layout.nodes());
    world.columns.relocate(&runs[..alive], blocks);
    if runs.iter().any(|run| run.from != run.to) {
        let moves = runs.iter().map(|run| (run.from, run.to, run.len));
        world.slots.reorder(moves);
    }
}

/// Swaps two rows: values and slots.
pub(crate) fn swap(world: &mut World, subs: &mut Subscribers, a: Row, b: Row) {
    world.slots.prepare_swaps();
    subs.collectors.list_all(&world.slots);
    let [first, second] = [a, b].map(|row| world.slots.node_in(row));
    let components =
        |node: Option<NodeIndex>| node.map_or(&[][..], |node| world.graph.component_list(node));
    let (ours, theirs) = (components(first), components(second));
    let rest = theirs.iter().filter(|one| ours.binary_search(one).is_err());
    world.columns.swap(ours.iter().chain(rest).copied(), a, b);
    world.slots.swap(a, b);
}

/// Adds the next row of a class, whose first row moves to `start`.
fn append(runs: &mut Vec<Relocation>, start: usize, row: u32) {
    let to = match runs.last_mut() {
        Some(last) if last.from.0 + last.len == row => {
            last.len += 1;
            return;
        }
        Some(last) => Row(last.to.0 + last.len),
        None => Row(start as u32),
    };
    let (from, len) = (Row(row), 1);
    runs.push(Relocation { from, to, len });
}
