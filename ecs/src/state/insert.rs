//! Giving a living entity all components of a bundle in one change: validate → store → commit.
//!
//! ```text
//! merge.rs  validates the values in a spare row; finds the edge to the node with the components
//!           of both
//! store     swaps the values of both rows; moves the entity to its node
//! commit    collectors and indexes, once; observers of groups left and entered, in order of groups;
//!           then, for each replaced component in order of index, observers of updated groups
//! ```

use alloc::vec::Vec;

use super::commit::commit;
use super::commit::previous::Previous;
use super::commit::run::Run;
use super::core::HasCore;
use super::merge::{Merge, Present};
use super::validate::bundle_writer::BundleWriter;
use crate::words::entity_id::EntityId;
use crate::words::error::Error;
use crate::world::World;

/// Gives an entity all values that `put` writes, in one change.
pub(crate) fn insert<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    present: Present,
    put: impl FnOnce(&mut BundleWriter<'_, C>),
) -> Result<(), Error> {
    let core = context.core_mut();
    let change = Merge::prepare(core, id.untyped(), present, put)?.store(&mut core.world);
    commit(context, &mut [change]);
    Ok(())
}

impl Merge {
    /// Swaps the values with those of the entity, which are in the spare row afterwards.
    fn store(self, world: &mut World) -> Run<'static> {
        let (entity, pending) = (self.entity, self.pending);
        let components = world
            .graph
            .component_list(pending.plan.node)
            .iter()
            .copied();
        let before = world.graph.components(self.before);
        let (replaced, added): (Vec<_>, Vec<_>) =
            components.partition(|&component| before.contains(component));
        let all = replaced.iter().chain(&added).copied();
        world.columns.swap(all, pending.row, entity.row);
        world.slots.set_node(entity.id, self.target);
        world.slots.give_back(pending.id);
        let previous = Previous::Bundle {
            added,
            replaced,
            row: pending.row,
        };
        Run::of(entity.id, entity.effects, previous)
    }
}
