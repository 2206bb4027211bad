//! Propagating a change to collectors. Groups need no update: their members follow from the
//! components of entities.

use super::runs::Runs;
use crate::matching::effects::EffectsIndex;
use crate::reactions::subscribers::Subscribers;
use crate::storage::row_words::RowWord;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// Collects the entity, if any collector is concerned. Nothing else may depend on the change.
#[inline]
pub(crate) fn propagate_if_any(
    world: &World,
    subs: &mut Subscribers,
    id: UntypedId,
    effects: EffectsIndex,
) {
    if effects != EffectsIndex::NONE {
        propagate(world, subs, id, effects);
    }
}

/// Collects the entity.
#[inline(never)] // keeps changes that concern no collector short
pub(crate) fn propagate(
    world: &World,
    subs: &mut Subscribers,
    id: UntypedId,
    effects: EffectsIndex,
) {
    match effects.direct() {
        Some(collector) => subs.collectors.collect(&world.slots, id, collector),
        None => propagate_all(world, subs, id, effects),
    }
}

/// Collects the entity in several collectors.
#[inline(never)]
fn propagate_all(world: &World, subs: &mut Subscribers, id: UntypedId, effects: EffectsIndex) {
    for collector in world.graph.effects().collectors(effects) {
        subs.collectors.collect(&world.slots, id, collector);
    }
}

/// Updates collectors after changes of a list of `len` entities.
pub(super) fn propagate_runs(world: &World, subs: &mut Subscribers, runs: &Runs, len: usize) {
    for (effects, _, rows) in runs.iter(len) {
        apply_to_rows(world, subs, rows, effects);
    }
}

/// Updates collectors after a change of the living entities in these rows.
pub(super) fn apply_to_rows(
    world: &World,
    subs: &mut Subscribers,
    rows: &[RowWord],
    effects: EffectsIndex,
) {
    for collector in world.graph.effects().collectors(effects) {
        let rows = rows.iter().copied();
        subs.collectors.collect_rows(&world.slots, rows, collector);
    }
}
