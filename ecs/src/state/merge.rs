//! Admitting the values of a bundle for an entity that lives.
//!
//! They are staged in a row of their own, by the same writer as those of a new entity: so each of
//! them has been admitted before the first one is the entity's. Then both rows exchange them.

use super::core::{Core, HasCore, Registries};
use super::validate::Stored;
use super::validate::bundle_writer::{BundleWriter, Made, take_back_made};
use crate::storage::slots::{NodeIndex, Slot};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::error::{Error, Operation};

/// What happens to components of a bundle that the entity has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Present {
    /// They are replaced.
    Replace,
    /// The bundle is rejected.
    Reject,
}

/// The staged values of a bundle that an entity may have.
pub(super) struct Merge {
    pub(super) entity: Stored,
    /// The node with the components of both.
    pub(super) target: NodeIndex,
    pub(super) before: NodeIndex,
    pub(super) pending: Made,
}

impl Merge {
    /// The values that `put` hands to the writer, or why the entity cannot have one of them.
    pub(super) fn prepare<C: HasCore>(
        core: &mut Core<C>,
        id: UntypedId,
        present: Present,
        put: impl FnOnce(&mut BundleWriter<'_, C>),
    ) -> Result<Self, Error> {
        let dead = || Error::not_alive(id.raw(), C::NAME, Operation::Access);
        let Slot { row, node: before } = core.slots.get(id).ok_or_else(dead)?;
        let mut writer = BundleWriter::attempt(core, Some(id))?;
        put(&mut writer);
        let pending = writer.finish_attempt()?;
        if present == Present::Reject
            && let Some(component) = first_of_both(core, before, pending.plan.node)
        {
            take_back_made(core, &pending);
            return Err(already_has(core, id, component));
        }
        let pending_node = pending.plan.node;
        let core: &mut Registries = core;
        let (target, effects) = core.graph.merge(before, pending_node, &core.groups);
        Ok(Self {
            entity: Stored { id, row, effects },
            target,
            before,
            pending,
        })
    }
}

/// The first component that entities of both nodes have.
fn first_of_both(core: &Registries, a: NodeIndex, b: NodeIndex) -> Option<RawComponentIndex> {
    let has = core.graph.components(a);
    let mut components = core.graph.component_list(b).iter().copied();
    components.find(|&component| has.contains(component))
}

#[cold]
fn already_has(core: &Registries, id: UntypedId, component: RawComponentIndex) -> Error {
    let names = core.columns.describe(component).names;
    core.named(Error::already_has(id.raw(), names))
}
