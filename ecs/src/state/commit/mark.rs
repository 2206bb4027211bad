//! Marking, the first step of a commit: collectors collect the entities of a change, and indexes
//! remove them from their buckets or mark them dirty. No user code runs. Groups need no update:
//! their members follow from the components of entities.

use crate::matching::effects::EffectsIndex;
use crate::reactions::subscribers::Subscribers;
use crate::state::entity_indexes::prepare_indexes;
use crate::storage::row_words::RowWord;
use crate::storage::slots::Row;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// Marks a changed entity.
#[inline]
pub(crate) fn mark(world: &World, subs: &mut Subscribers, id: UntypedId, effects: EffectsIndex) {
    if effects.propagates() {
        collect(world, subs, id, effects);
    }
    if effects.is_indexed() {
        prepare_indexes(world, subs, &[id], effects);
    }
}

/// Commits a change of one entity that concerns nothing but collectors, if anything.
#[inline]
pub(crate) fn commit_collected(
    world: &World,
    subs: &mut Subscribers,
    id: UntypedId,
    effects: EffectsIndex,
) {
    if effects != EffectsIndex::NONE {
        collect(world, subs, id, effects);
    }
}

/// Commits a change of the living entities in these rows to collectors, and to nothing else.
pub(crate) fn commit_rows(
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

/// Marks entities in indexes.
pub(crate) fn mark_indexes(
    world: &World,
    subs: &mut Subscribers,
    ids: &[UntypedId],
    effects: EffectsIndex,
) {
    if effects.is_indexed() {
        prepare_indexes(world, subs, ids, effects);
    }
}

/// Marks destroyed entities in collectors, which can collect the next entities of their slots from
/// now on, and records them for their own listeners. Indexes are marked before. If the slots are
/// free already, no collector may have rows.
#[inline]
pub(crate) fn mark_destroyed(
    world: &World,
    subs: &mut Subscribers,
    (ids, rows): (&[UntypedId], &[Row]),
    effects: EffectsIndex,
) {
    for collector in world.graph.effects().collectors(effects) {
        subs.collectors.collect_ids(&world.slots, ids, collector);
    }
    if subs.collectors.any_is_filled() || subs.observers.any_of_one() {
        for (&id, &row) in ids.iter().zip(rows) {
            subs.collectors.forget_slot(&world.slots, id, row);
            subs.observers.record_destroy(id.raw());
        }
    }
}

/// Commits a change that a rewind or a restore has made: only collectors that include rewinds are
/// concerned. The caller restores indexes and the history.
pub(crate) fn commit_rewound(
    world: &World,
    subs: &mut Subscribers,
    ids: &[UntypedId],
    effects: EffectsIndex,
) {
    for collector in world.graph.effects().collectors(effects) {
        if subs.collectors.includes_rewinds(collector) {
            subs.collectors.collect_ids(&world.slots, ids, collector);
        }
    }
}

/// Commits the destruction of an entity by a rewind, while it still has its slot.
pub(crate) fn commit_rewound_destroy(
    world: &World,
    subs: &mut Subscribers,
    (id, row): (UntypedId, Row),
    effects: EffectsIndex,
) {
    commit_rewound(world, subs, &[id], effects);
    mark_destroyed(world, subs, (&[id], &[row]), EffectsIndex::NONE);
}

/// Collects an entity.
#[inline(never)] // keeps changes that concern no collector short
pub(super) fn collect(world: &World, subs: &mut Subscribers, id: UntypedId, effects: EffectsIndex) {
    match effects.direct() {
        Some(collector) => subs.collectors.collect(&world.slots, id, collector),
        None => collect_in_all(world, subs, id, effects),
    }
}

/// Collects an entity in several collectors.
#[inline(never)]
fn collect_in_all(world: &World, subs: &mut Subscribers, id: UntypedId, effects: EffectsIndex) {
    for collector in world.graph.effects().collectors(effects) {
        subs.collectors.collect(&world.slots, id, collector);
    }
}
