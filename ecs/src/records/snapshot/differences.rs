//! The entities that a restore changes, for collectors that include rewinds.
//!
//! ```text
//! compare          before anything changes: which values differ, and the order of sources
//! collect_gone     while their slots are in place: entities that no longer exist afterwards
//! collect_changed  when state is final: new entities, and those with other components or values
//! ```

use alloc::vec::Vec;

use hashbrown::HashMap;

use super::taken::EntityData;
use crate::matching::effects::EffectsIndex;
use crate::matching::graph::Signatures;
use crate::matching::matcher::{Condition, EventSet, GroupEvent};
use crate::reactions::entity_index::Links;
use crate::reactions::subscribers::Subscribers;
use crate::state::commit::commit_rewound;
use crate::state::reorder::longest_ascending;
use crate::storage::slots::{NodeIndex, Slot, Slots};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{AnyContext, UntypedId};
use crate::words::signature::RawComponentSet;
use crate::world::World;

/// The collectors concerned, and what must be remembered of the state before the restore.
pub(super) struct Differences {
    subs: Vec<Subscriber>,
    /// The components of the previous nodes.
    signatures: Signatures,
    /// The slots of entities that exist before and after, with a component whose value differs;
    /// ascending.
    values: Vec<(u32, RawComponentIndex)>,
    /// Of ordered relations, the sources of each target.
    orders: Vec<(RawComponentIndex, UntypedId, Vec<UntypedId>)>,
}

impl Differences {
    fn components_before(&self, slots: &Slots, id: UntypedId) -> Option<&RawComponentSet> {
        let slot = slot_of(slots, id)?;
        Some(self.signatures.components(slot.node))
    }
}

/// A collector of a trigger with rewinds.
struct Subscriber {
    collector: usize,
    alternatives: Vec<(Condition, EventSet)>,
}

impl Subscriber {
    fn effects(&self) -> EffectsIndex {
        EffectsIndex::of_collector(self.collector)
    }

    /// Whether to collect an entity with these components before and after; `None` if it does not
    /// exist. `values` lists its components with changed values.
    fn collects(
        &self,
        before: Option<&RawComponentSet>,
        now: Option<&RawComponentSet>,
        values: &[(u32, RawComponentIndex)],
    ) -> bool {
        let mut alternatives = self.alternatives.iter();
        alternatives.any(|(condition, events)| {
            let before = before.filter(|set| condition.matches(set));
            let now = now.filter(|set| condition.matches(set));
            match (before, now) {
                (None, Some(_)) => events.contains(GroupEvent::Entered),
                (Some(_), None) => events.contains(GroupEvent::Left),
                (Some(before), Some(now)) if events.contains(GroupEvent::Updated) => {
                    let differ = |at: &RawComponentIndex| before.contains(*at) != now.contains(*at);
                    let mut updated = values.iter().map(|(_, component)| *component);
                    updated.any(|component| condition.watches(component))
                        || condition.watched().any(|component| differ(&component))
                }
                _ => false,
            }
        })
    }
}

/// The slots of the entities whose value of a component differs.
fn compare_values(
    world: &World,
    component: RawComponentIndex,
    entities: &EntityData,
) -> Vec<(u32, RawComponentIndex)> {
    let columns = (world.columns.at(component), entities.columns.at(component));
    let (Some(now), Some(then)) = columns else {
        return Vec::new();
    };
    let differ = |(id, to_come): &(UntypedId, Slot)| {
        let present = slot_of(&world.slots, *id).and_then(|slot| now.view(slot.row));
        let values = present.zip(then.view(to_come.row));
        values.is_some_and(|(one, other)| now.descriptor().may_differ(one, other))
    };
    let differing = entities.slots.iter().filter(differ);
    differing.map(|(id, _)| (id.index(), component)).collect()
}

/// The slots of the sources that have moved among those of their targets.
fn moved_sources(subs: &Subscribers, differences: &Differences) -> Vec<(u32, RawComponentIndex)> {
    let mut moved = Vec::new();
    for (component, target, before) in &differences.orders {
        let before: HashMap<_, _> = before.iter().copied().zip(0_usize..).collect();
        let links = subs.indexes.ordered_links(*component).into_iter();
        let present = links.flat_map(|links| links.each_source(*target));
        let places = present.filter_map(|id| Some((id, *before.get(&id)?)));
        let (sources, places): (Vec<_>, Vec<_>) = places.unzip();
        let stays = sources.iter().zip(longest_ascending(&places));
        let moves = stays.filter_map(|(id, stays)| (!stays).then_some((id.index(), *component)));
        moved.extend(moves);
    }
    moved
}

fn changed_for(
    world: &World,
    subscriber: &Subscriber,
    before: &Slots,
    differences: &Differences,
) -> Vec<UntypedId> {
    let mut values = &differences.values[..];
    let mut known: HashMap<(Option<NodeIndex>, NodeIndex), bool> = HashMap::new();
    let changed = world.slots.iter().filter(|(id, slot)| {
        let own = values.iter().take_while(|(index, _)| *index == id.index());
        let (own, others) = values.split_at(own.count());
        values = others;
        let collects = || {
            let then = differences.components_before(before, *id);
            subscriber.collects(then, Some(world.graph.components(slot.node)), own)
        };
        let nodes = (slot_of(before, *id).map(|slot| slot.node), slot.node);
        match own.is_empty() {
            true => *known.entry(nodes).or_insert_with(collects),
            false => collects(),
        }
    });
    changed.map(|(id, _)| id).collect()
}

/// Compares the present values with those to be restored, if a collector needs it. Feeds do
/// not: they send everything. Changes nothing.
pub(super) fn compare(
    world: &World,
    registries: &Subscribers,
    entities: &EntityData,
) -> Option<Differences> {
    let subs = subscribers_of_restores(world, registries);
    if subs.is_empty() {
        return None;
    }
    let mut compared = RawComponentSet::new();
    for (condition, events) in subs.iter().flat_map(|it| &it.alternatives) {
        if events.contains(GroupEvent::Updated) {
            compared = compared.union(condition.watched().collect());
        }
    }
    let values = compared
        .iter()
        .flat_map(|component| compare_values(world, component, entities));
    let mut values: Vec<_> = values.collect();
    values.sort_unstable();
    let orders = compared.iter().flat_map(|component| {
        let links = registries.indexes.ordered_links(component).into_iter();
        let listed = links.flat_map(Links::listed);
        listed.map(move |(target, sources)| (component, target, sources.to_vec()))
    });
    Some(Differences {
        subs,
        signatures: world.graph.signatures(),
        orders: orders.collect(),
        values,
    })
}

fn subscribers_of_restores(world: &World, subs: &Subscribers) -> Vec<Subscriber> {
    let of_feeds: Vec<_> = subs.feeds.collectors().collect();
    let following = subs.collectors.including_rewinds();
    let following = following.filter(|collector| !of_feeds.contains(collector));
    let alternatives = |&(group, events)| (world.groups.get(group).condition.clone(), events);
    let subscriber = |collector| Subscriber {
        collector,
        alternatives: subs
            .collectors
            .groups(collector)
            .iter()
            .map(alternatives)
            .collect(),
    };
    following.map(subscriber).collect()
}

/// Collects the entities that are not in the new slots.
pub(super) fn collect_gone(
    world: &World,
    subs: &mut Subscribers,
    to_come: &Slots,
    differences: &Differences,
) {
    for subscriber in &differences.subs {
        let gone = world
            .slots
            .iter()
            .filter(|(id, _)| slot_of(to_come, *id).is_none());
        let gone = gone.filter(|(id, _)| {
            let before = differences.components_before(&world.slots, *id);
            subscriber.collects(before, None, &[])
        });
        let gone: Vec<_> = gone.map(|(id, _)| id).collect();
        commit_rewound(world, subs, &gone, subscriber.effects());
    }
}

/// Collects the entities that are new, or differ from before.
pub(super) fn collect_changed(
    world: &World,
    subs: &mut Subscribers,
    before: &Slots,
    mut differences: Differences,
) {
    let moved = moved_sources(subs, &differences);
    differences.values.extend(moved);
    differences.values.sort_unstable();
    for subscriber in &differences.subs {
        let changed = changed_for(world, subscriber, before, &differences);
        commit_rewound(world, subs, &changed, subscriber.effects());
    }
}

/// The slot of an entity in slots that may belong to another context.
fn slot_of(slots: &Slots, id: UntypedId) -> Option<Slot> {
    slots.get(slots.own::<AnyContext>(id.raw()))
}
