//! What an undo stack needs besides the changes that observers are notified of: values that were
//! taken, the places of sources in ordered relations, and relations whose target is alive again.

use alloc::vec::Vec;

use super::commit::commit_rewound;
use super::entity_indexes::link_all;
use crate::matching::effects::EffectsIndex;
use crate::matching::group::IndexNumber;
use crate::reactions::entity_index::{LinkMove, MovesStart};
use crate::reactions::subscribers::Subscribers;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::relation::OnTargetDestroyed;
use crate::world::World;

/// Starts recording a step. Until its end, values that are taken inside observers are cloned
/// for those notified later.
pub(crate) fn start_step(subs: &mut Subscribers) -> Vec<MovesStart> {
    subs.indexes.start_moves()
}

/// Allows kept relations to dead targets until the end of the step, because it restores them.
pub(crate) fn start_restoring(subs: &mut Subscribers) {
    subs.indexes.start_restoring();
}

/// Ends recording a step; returns the moves of sources in ordered relations.
pub(crate) fn end_step(
    subs: &mut Subscribers,
    start: &[MovesStart],
) -> Vec<(RawComponentIndex, LinkMove)> {
    subs.indexes.end_moves(start)
}

/// The living target of an entity in a relation.
pub(crate) fn target_in(
    subs: &Subscribers,
    relation: RawComponentIndex,
    source: UntypedId,
) -> Option<UntypedId> {
    let mut relations = subs.indexes.relations();
    let links = relations.find(|links| links.component == relation)?;
    links.target(source)
}

/// The source before this one, in a relation.
pub(crate) fn source_before(
    subs: &Subscribers,
    relation: RawComponentIndex,
    source: UntypedId,
) -> Option<UntypedId> {
    subs.indexes.ordered_links(relation)?.previous(source)
}

/// Restores the place of a source in an ordered relation.
pub(crate) fn restore_place(subs: &mut Subscribers, component: RawComponentIndex, place: LinkMove) {
    subs.indexes.restore_place(component, place);
}

/// Links relations that were kept while their target was dead to those of these entities that
/// are alive again. Feeds resend them, because the unchanged value refers to a different state.
///
/// Complexity: linear in the sources of such relations, if some have no living target.
pub(super) fn relink_kept(world: &World, subs: &mut Subscribers, revived: &[UntypedId]) {
    if revived.is_empty() {
        return;
    }
    for (number, unlinked) in unlinked_sources(world, subs) {
        link_all(world, subs, number, &unlinked);
    }
    resend_kept_relations(world, subs, revived);
}

/// Makes feeds resend relations that were kept while their target was dead: the target is alive
/// again, so the unchanged value refers to a different state.
pub(crate) fn resend_kept_relations(world: &World, subs: &mut Subscribers, revived: &[UntypedId]) {
    let mut resent = Vec::new();
    for links in subs.indexes.relations() {
        let keeps = links.on_target_destroyed == OnTargetDestroyed::Keep;
        let Some(collector) = subs.feeds.collector_of(links.component).filter(|_| keeps) else {
            continue;
        };
        for &target in revived.iter().filter(|id| world.slots.get(**id).is_some()) {
            resent.push((links.sources(target).to_vec(), collector));
        }
    }
    for (sources, collector) in resent {
        commit_rewound(world, subs, &sources, EffectsIndex::of_collector(collector));
    }
}

/// The sources of kept relations that have no living target.
fn unlinked_sources(world: &World, subs: &Subscribers) -> Vec<(IndexNumber, Vec<UntypedId>)> {
    let mut unlinked = Vec::new();
    for (number, links) in subs.indexes.kept_relations() {
        let Some(group) = subs.indexes.state(number).map(|state| state.group) else {
            continue;
        };
        if world.members(group).len() > links.linked() {
            let mut sources = world.member_ids(group);
            sources.retain(|&source| links.target(source).is_none());
            unlinked.push((number, sources));
        }
    }
    unlinked
}
