//! The contents of a snapshot.

use alloc::sync::Arc;
use alloc::vec::Vec;
#[cfg(feature = "serde")]
use core::mem;

use super::indexes::{RelationCopy, copy_links};
use crate::matching::graph::Signatures;
use crate::reactions::entered::Entered;
use crate::reactions::history::buffered::BufferedCopy;
use crate::reactions::subscribers::Subscribers;
use crate::records::history::checkpoints::holders;
use crate::storage::columns::Columns;
use crate::storage::owners::Owners;
use crate::storage::slots::Slots;
use crate::words::signature::RawComponentSet;
use crate::words::snapshot_error::SnapshotError;
use crate::world::{Unknown, World};

/// The entities of a context and their values.
pub(crate) struct EntityData {
    pub(crate) slots: Slots,
    pub(crate) columns: Columns,
}

/// Bookkeeping of these entities.
pub(crate) struct Bookkeeping {
    /// The context that was copied.
    pub(crate) instance: u64,
    /// The context in which its entities were created.
    pub(crate) origin: u64,
    pub(crate) excluded: RawComponentSet,
    pub(crate) signatures: Signatures,
    pub(crate) owners: Owners,
    pub(crate) links: Vec<RelationCopy>,
    pub(crate) entered: Entered,
    pub(crate) unknown: Option<Arc<Unknown>>,
}

/// The whole state of a context.
pub(crate) struct Taken {
    pub(crate) entities: EntityData,
    pub(crate) bookkeeping: Bookkeeping,
    pub(crate) held: BufferedCopy,
}

/// Whether equal ids denote the same entity here and in the snapshot: it was taken of this
/// context, in its past or future.
pub(crate) fn shares_ids(world: &World, bookkeeping: &Bookkeeping) -> bool {
    world.instance == bookkeeping.instance && world.origin == bookkeeping.origin
}

/// Copies the entities and their bookkeeping; an error names the components that are not
/// `Clone`.
pub(crate) fn copied(
    world: &World,
    subs: &Subscribers,
    excluded: RawComponentSet,
) -> Result<(EntityData, Bookkeeping), SnapshotError> {
    let components = world.columns.not_clone(&excluded);
    if !components.is_empty() {
        return Err(SnapshotError::NotClone {
            context: world.name,
            components,
        });
    }
    let entities = EntityData {
        columns: world.columns.copied(&excluded),
        slots: world.slots.clone(),
    };
    Ok((entities, bookkeeping(world, subs, excluded)))
}

/// The bookkeeping of the present entities.
fn bookkeeping(world: &World, subs: &Subscribers, excluded: RawComponentSet) -> Bookkeeping {
    Bookkeeping {
        instance: world.instance,
        origin: world.origin,
        signatures: world.graph.signatures(),
        owners: world.owners.copied(),
        links: copy_links(subs, &excluded),
        entered: subs.entered.clone(),
        unknown: world.unknown.clone(),
        excluded,
    }
}

/// Takes the entities out, with their bookkeeping. The rest is to be dropped.
#[cfg(feature = "serde")]
pub(crate) fn taken_out(world: &mut World, subs: &Subscribers) -> (EntityData, Bookkeeping) {
    let bookkeeping = bookkeeping(world, subs, RawComponentSet::new());
    let (columns, slots) = (Columns::new(world.columns.context()), world.slots.emptied());
    let entities = EntityData {
        columns: mem::replace(&mut world.columns, columns),
        slots: mem::replace(&mut world.slots, slots),
    };
    (entities, bookkeeping)
}

/// Copies the whole state, except excluded components; an error names the components that are
/// neither `Clone` nor excluded.
pub(crate) fn take_snapshot(
    world: &mut World,
    subs: &mut Subscribers,
    excluded: RawComponentSet,
) -> Result<Taken, SnapshotError> {
    let (entities, bookkeeping) = copied(world, subs, excluded)?;
    let held = BufferedCopy::copy(holders(world, subs));
    Ok(Taken {
        entities,
        bookkeeping,
        held,
    })
}
