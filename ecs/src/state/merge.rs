//! Validating the values of a bundle for a living entity.
//!
//! The same writer as for new entities puts them into a spare row. So each of them has been
//! validated before the first one is stored. Then the values of both rows are swapped.

use super::core::{Core, HasCore};
use super::validate::Stored;
use super::validate::bundle_writer::{BundleWriter, Made, take_back_made};
use crate::storage::slots::{NodeIndex, Slot};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::error::{Error, Operation};
use crate::world::World;

/// What to do if the entity has components of the bundle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Present {
    /// Replace them.
    Replace,
    /// Reject the bundle.
    Reject,
}

/// The validated values of a bundle for an entity.
pub(super) struct Merge {
    pub(super) entity: Stored,
    /// The node with the components of both.
    pub(super) target: NodeIndex,
    pub(super) before: NodeIndex,
    pub(super) pending: Made,
}

impl Merge {
    /// Validates the values that `put` writes; an error if the entity cannot have one of them.
    pub(super) fn prepare<C: HasCore>(
        core: &mut Core<C>,
        id: UntypedId,
        present: Present,
        put: impl FnOnce(&mut BundleWriter<'_, C>),
    ) -> Result<Self, Error> {
        let dead = || Error::not_alive(id.raw(), C::NAME, Operation::Access);
        let Slot { row, node: before } = core.world.slots.get(id).ok_or_else(dead)?;
        let mut writer = BundleWriter::attempt(core, Some(id))?;
        put(&mut writer);
        let pending = writer.finish_attempt()?;
        if present == Present::Reject
            && let Some(component) = first_of_both(&core.world, before, pending.plan.node)
        {
            take_back_made(&mut core.world, &pending);
            return Err(already_has(&core.world, id, component));
        }
        let pending_node = pending.plan.node;
        let (target, effects) = core
            .world
            .graph
            .merge(before, pending_node, &core.world.groups);
        Ok(Self {
            entity: Stored { id, row, effects },
            target,
            before,
            pending,
        })
    }
}

/// The first component that both nodes have.
fn first_of_both(world: &World, a: NodeIndex, b: NodeIndex) -> Option<RawComponentIndex> {
    let has = world.graph.components(a);
    let mut components = world.graph.component_list(b).iter().copied();
    components.find(|&component| has.contains(component))
}

#[cold]
fn already_has(world: &World, id: UntypedId, component: RawComponentIndex) -> Error {
    let names = world.columns.describe(component).names;
    world.named(Error::already_has(id.raw(), names))
}
