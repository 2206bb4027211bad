//! The rows visited by a query, as runs of entities with the same signature.

use alloc::vec::Vec;

use crate::storage::row_words::RowWord;
use crate::storage::slots::{NodeIndex, Row, Slots};
use crate::words::entity_id::UntypedId;
use crate::words::limits::ROWS;
use crate::words::signature::Bits;
use crate::world::World;

/// Adjacent entities of one node.
pub(super) struct NodeRun<'a> {
    pub(super) node: NodeIndex,
    pub(super) ids: &'a [UntypedId],
    pub(super) rows: RowWord,
}

/// Calls `each` with the entities of these rows, in runs within one word and one node.
pub(super) fn for_each_run(
    world: &mut World,
    rows: &[RowWord],
    mut each: impl FnMut(&mut World, NodeRun<'_>),
) {
    let mut ids = Vec::with_capacity(ROWS);
    for &(at, bits) in rows {
        let mut left = bits;
        while let Some((node, bits)) = take_run(&world.slots, at, &mut left, &mut ids) {
            let (ids, rows) = (&ids[..], (at, bits));
            each(world, NodeRun { node, ids, rows });
        }
    }
}

/// Moves the leading entities of a word's rows that share a node from `left` to `ids`; returns the
/// node and their rows, if there are any.
fn take_run(
    slots: &Slots,
    at: usize,
    left: &mut u64,
    ids: &mut Vec<UntypedId>,
) -> Option<(NodeIndex, u64)> {
    ids.clear();
    let entity = |place| slots.entity_in(Row((at * ROWS) as u32 + place));
    let alive = Bits(*left).find(|&place| entity(place).is_some())?;
    *left &= u64::MAX << alive;
    let (node, before) = (entity(alive)?.1, *left);
    let mut rest = before; // in a register
    while rest != 0
        && let Some((id, its)) = entity(rest.trailing_zeros())
        && its == node
    {
        ids.push(id);
        rest &= rest - 1;
    }
    *left = rest;
    Some((node, before ^ rest))
}
