//! Restoring a snapshot.
//!
//! 1. All values are cloned, and compared if a collector includes rewinds: user code. If it panics,
//!    nothing has changed.
//! 2. Everything is swapped, without user code.
//! 3. Indexes call key functions, and the previous state is dropped: user code. If it panics, the
//!    remaining entities stay dirty, and lookups compute their keys.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::differences::{Differences, collect_changed, collect_gone, compare};
use super::indexes::{fill, refill_indexes, restore_links};
#[cfg(feature = "serde")]
use super::taken::taken_out;
use super::taken::{Bookkeeping, EntityData, Taken, copied, shares_ids};
use crate::matching::effects::EffectsIndex;
use crate::reactions::history::buffered::BufferedCopy;
use crate::reactions::removed::LogCopy;
use crate::reactions::subscribers::Subscribers;
use crate::records::excluded::{change_nodes, keep_excluded, remove_dangling_links};
use crate::records::history::checkpoints::holders;
use crate::state::commit::commit_rewound_destroy;
use crate::state::core::HasCore;
use crate::state::entity_indexes::install_indexes;
use crate::state::events::{remove_observers_of_destroyed, remove_outdated_observers};
use crate::state::recording::{end as end_history, has_history};
use crate::state::terms::refresh_flags;
use crate::state::user_code::is_dispatching;
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::Slot;
use crate::words::signature::RawComponentSet;
use crate::words::snapshot_error::SnapshotError;
use crate::world::World;

/// Restores a snapshot of this context or of another one.
pub(crate) fn restore<C: HasCore>(context: &mut C, taken: &Taken) -> Result<(), SnapshotError> {
    check_restorable(context)?;
    end_history(context); // a history whose handle was dropped
    let core = context.core_mut();
    let bookkeeping = &taken.bookkeeping;
    let entities = EntityData {
        columns: taken.entities.columns.copied(&RawComponentSet::new()),
        slots: taken.entities.slots.clone(),
    };
    let collected = match core.world.instance == bookkeeping.instance {
        true => {
            BufferedContents::OfSnapshot(&taken.held, taken.held.clone_values(&core.subs.removed))
        }
        false => BufferedContents::None,
    };
    let differences = compare(&core.world, &core.subs, &entities);
    put(context, entities, bookkeeping, collected, differences);
    Ok(())
}

/// Replaces the state of a context by that of another one, which is left empty.
#[cfg(feature = "serde")]
pub(crate) fn replace_by<C: HasCore>(context: &mut C, mut other: C) -> Result<(), SnapshotError> {
    check_restorable(context)?;
    end_history(context); // a history whose handle was dropped
    let core = other.core_mut();
    let (entities, bookkeeping) = taken_out(&mut core.world, &core.subs);
    let differences = compare(&context.core().world, &context.core().subs, &entities);
    put(
        context,
        entities,
        &bookkeeping,
        BufferedContents::None,
        differences,
    );
    Ok(())
}

/// Whether the state of a context may be replaced now.
pub(crate) fn check_restorable<C: HasCore>(context: &C) -> Result<(), SnapshotError> {
    let (core, context) = (context.core(), C::NAME);
    if is_dispatching(&core.world, &core.subs) {
        return Err(SnapshotError::Busy { context });
    }
    if has_history(&core.subs) {
        return Err(SnapshotError::Recording { context });
    }
    Ok(())
}

/// Copies a context into a new one; an error names the components that are not `Clone`.
pub(crate) fn fork_into<C: HasCore>(context: &C, fork: &mut C) -> Result<(), SnapshotError> {
    let (entities, bookkeeping) = copied(
        &context.core().world,
        &context.core().subs,
        RawComponentSet::new(),
    )?;
    put(fork, entities, &bookkeeping, BufferedContents::None, None);
    let fork = fork.core_mut();
    fork.world.origin = fork.world.instance; // entities created from now on are its own
    Ok(())
}

/// The contents to restore for collectors, inboxes and lists of removed values.
enum BufferedContents<'a> {
    None,
    /// Their contents at the snapshot, with clones of the removed values.
    OfSnapshot(&'a BufferedCopy, Vec<LogCopy>),
}

fn put<C: HasCore>(
    context: &mut C,
    mut entities: EntityData,
    bookkeeping: &Bookkeeping,
    collected: BufferedContents<'_>,
    differences: Option<Differences>,
) {
    let core = context.core_mut();
    install_indexes(&mut core.world, &mut core.subs);
    let is_known = shares_ids(&core.world, bookkeeping);
    if let Some(differences) = &differences {
        collect_gone(&core.world, &mut core.subs, &entities.slots, differences);
    }
    let lost = swap_entities(&mut core.world, &mut core.subs, &mut entities, bookkeeping);
    restore_links(&core.world, &mut core.subs, &bookkeeping.links, is_known);
    refresh_flags(&mut core.world, &mut core.subs);
    let (to_fill, emptied) = refill_indexes(&core.world, &mut core.subs);
    let entered = match core.world.instance == bookkeeping.instance {
        true => bookkeeping.entered.clone(),
        false => bookkeeping.entered.inherited(),
    };
    let entered = core.subs.entered.put_back(&entered, &bookkeeping.excluded);
    let dropped = put_collected(&mut core.world, &mut core.subs, collected);
    if let Some(differences) = differences {
        collect_changed(&core.world, &mut core.subs, &entities.slots, differences); // now the previous slots
    }
    let listeners = match is_known {
        true => remove_outdated_observers(&mut core.world, &mut core.subs),
        false => remove_observers_of_destroyed(&mut core.world, &mut core.subs), // their ids may belong to other entities now
    };
    core.subs.feeds.send_everything();
    fill(context, to_fill);
    drop((entities, lost, emptied, entered, dropped, listeners)); // user code
}

/// Swaps the present entities with those of the snapshot. Returns the values of relations that
/// lost their target. Runs no user code.
fn swap_entities(
    world: &mut World,
    subs: &mut Subscribers,
    entities: &mut EntityData,
    bookkeeping: &Bookkeeping,
) -> Vec<Box<AnyValue>> {
    subs.collectors.list_all(&world.slots); // while rows still map to their ids
    let changed = keep_excluded(world, entities, bookkeeping);
    record_destroys(world, subs, entities, bookkeeping);
    world
        .graph
        .renew(&bookkeeping.signatures, &world.groups, false);
    world.slots.swap_all(&mut entities.slots);
    world.origin = bookkeeping.origin;
    world.unknown.clone_from(&bookkeeping.unknown);
    world.columns.swap_all(&mut entities.columns);
    world
        .owners
        .put_back(&bookkeeping.owners, &bookkeeping.excluded);
    change_nodes(world, &changed);
    remove_dangling_links(world, subs, &bookkeeping.excluded)
}

/// Records the destroyed entities, for listeners to one entity: those that are not in the
/// snapshot, or all if it is of another context.
fn record_destroys(
    world: &World,
    subs: &mut Subscribers,
    entities: &EntityData,
    bookkeeping: &Bookkeeping,
) {
    if !subs.observers.any_of_one() {
        return;
    }
    let is_own = shares_ids(world, bookkeeping);
    for (id, Slot { row, .. }) in world.slots.iter() {
        if !(is_own && entities.slots.get(id).is_some()) {
            commit_rewound_destroy(world, subs, (id, row), EffectsIndex::NONE);
        }
    }
}

/// Restores the contents of collectors, inboxes and lists of removed values; returns the
/// present contents, to be dropped.
fn put_collected(
    world: &mut World,
    subs: &mut Subscribers,
    collected: BufferedContents<'_>,
) -> impl Sized + use<> {
    match collected {
        BufferedContents::OfSnapshot(held, values) => (
            Some(held.put_collected_back(values, holders(world, subs))),
            None,
        ),
        BufferedContents::None => {
            subs.collectors.put_back(&world.slots, &[]);
            subs.events.clear_waiting();
            (
                None,
                Some((subs.removed.empty_all(), subs.messages.empty_all())),
            )
        }
    }
}
