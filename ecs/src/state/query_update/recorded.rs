//! The values before an update of many entities, for the history: copied before they are visited,
//! and recorded after the visit for the entities that were visited and written to.

use alloc::vec::Vec;

use super::changes::Changes;
use super::copies::{Copies, Written};
use super::node_run::for_each_run;
use crate::reactions::subscribers::Subscribers;
use crate::state::recording::is_recorded;
use crate::storage::value_list::ValueList;
use crate::words::entity_id::UntypedId;
use crate::words::signature::Bits;
use crate::world::World;

/// The previous values of the written components, in the order of rows; `None` for components that
/// are not recorded.
#[derive(Default)]
pub(super) struct RecordedValues {
    copies: Vec<Option<Copies>>,
    /// Values that turned out not to be needed; dropped with these: user code.
    unused: Vec<ValueList>,
}

impl RecordedValues {
    pub(super) fn of(copies: Vec<Option<Copies>>) -> Self {
        Self {
            copies,
            unused: Vec::new(),
        }
    }
}

/// Copies the values that the history needs.
pub(super) fn copy_for_history(
    world: &mut World,
    subs: &mut Subscribers,
    changes: &Changes,
) -> RecordedValues {
    if subs.history.is_none() {
        return RecordedValues::default();
    }
    let copies =
        changes
            .written()
            .iter()
            .map(|written| match is_recorded(subs, written.component) {
                true => Copies::new(written, changes.visited()),
                false => None,
            });
    let mut copies: Vec<_> = copies.collect();
    for_each_run(world, subs, changes.rows(), |world, _subscribers, run| {
        for (written, copies) in changes.written().iter().zip(&mut copies) {
            let has = world.graph.components(run.node).contains(written.component);
            if let (true, Some(copies)) = (has, copies) {
                copies.keep(world, written.component, run.rows);
            }
        }
    });
    RecordedValues::of(copies)
}

/// Records these changes. Runs no user code.
pub(super) fn record_updates(
    world: &mut World,
    subs: &mut Subscribers,
    changes: &Changes,
    recorded: &mut RecordedValues,
) {
    let of_terms = changes.written().iter().zip(&mut recorded.copies);
    for (written, copies) in of_terms {
        if let Some(copies) = copies
            .as_mut()
            .filter(|_| is_recorded(subs, written.component))
        {
            let entities = entities_with(world, subs, changes, written);
            let unused = copies.record(world, subs, written.component, &entities);
            recorded.unused.push(unused);
        }
    }
}

/// The visited entities that have a written component, and whether each counts as changed.
fn entities_with(
    world: &mut World,
    subs: &mut Subscribers,
    changes: &Changes,
    written: &Written,
) -> Vec<(UntypedId, bool)> {
    let mut entities = Vec::with_capacity(changes.visited());
    for_each_run(world, subs, changes.rows(), |world, _, run| {
        if world.graph.components(run.node).contains(written.component) {
            let (_, counts) = changes.of(written, run.rows);
            let places = Bits(run.rows.1);
            let counts = places.map(|place| counts >> place & 1 != 0);
            entities.extend(run.ids.iter().copied().zip(counts));
        }
    });
    entities
}
