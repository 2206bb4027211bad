//! Giving a living entity all components of a bundle in one change: admit → store → mark →
//! commit.
//!
//! ```text
//! merge.rs        the values staged in a row of their own; the edge from the entity's node to the
//!                 one with the components of both
//! store           both rows exchange the values; the entity at its node
//! mark            collectors and indexes, once
//! commit          the groups left and entered, in order of the groups; then, for each component
//!                 that was there, in order of index, the groups updated
//! ```

use alloc::vec::Vec;

use super::commit::{Transition, commit};
use super::core::{HasCore, Registries};
use super::merge::{Merge, Present};
use super::previous::Previous;
use super::validate::bundle_writer::BundleWriter;
use crate::words::entity_id::EntityId;
use crate::words::error::Error;

/// Gives an entity all that `put` hands to the writer, in one change.
pub(crate) fn insert<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    present: Present,
    put: impl FnOnce(&mut BundleWriter<'_, C>),
) -> Result<(), Error> {
    let core = context.core_mut();
    let change = Merge::prepare(core, id.untyped(), present, put)?.store(core);
    commit(context, &mut [change]);
    Ok(())
}

impl Merge {
    /// Gives the entity the values; those that it had are where they were staged.
    fn store(self, core: &mut Registries) -> Transition<'static> {
        let (entity, pending) = (self.entity, self.pending);
        let components = core.graph.component_list(pending.plan.node).iter().copied();
        let before = core.graph.components(self.before);
        let (replaced, added): (Vec<_>, Vec<_>) =
            components.partition(|&component| before.contains(component));
        let all = replaced.iter().chain(&added).copied();
        core.columns.swap(all, pending.row, entity.row);
        core.slots.set_node(entity.id, self.target);
        core.slots.give_back(pending.id);
        core.mark(entity.id, entity.effects);
        Transition {
            id: entity.id,
            effects: entity.effects,
            previous: Previous::Bundle {
                added,
                replaced,
                row: pending.row,
            },
        }
    }
}
