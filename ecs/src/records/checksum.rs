//! A checksum of the whole state, so that two machines can compare theirs.
//!
//! It is the sum of one number per entity and one per component of an entity. So order does not
//! matter, and a change subtracts one number and adds another. A history keeps the last sum, and
//! the next one costs only what has changed since. A sum is `None` if the type of a component has none.

use alloc::vec::Vec;
use core::hash::Hasher as _;

use hashbrown::HashMap;

use crate::reactions::history::{Entry, Kind, Recording};
use crate::reactions::subscribers::Subscribers;
use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
use crate::storage::past::Past;
use crate::storage::slots::{Row, Slot};
use crate::words::checksum::ChecksumHasher;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{RawEntityId, UntypedId};
use crate::words::error::Error;
use crate::world::World;

/// An entity, or one of its components.
type Part = (RawEntityId, Option<RawComponentIndex>);

/// Whether so many changes cost less than all entities and values. One costs as much as eight of
/// these (measured): a place in a table, and two sums of values elsewhere in memory.
fn are_few(world: &World, changes: usize) -> bool {
    let (cost, entities) = (8 * changes, world.slots.len());
    cost <= entities || {
        let columns = world.columns.iter();
        let values: usize = columns.map(|column| column.usage().values).sum();
        cost <= entities + values
    }
}

/// All parts that changed by the latest entries, each with its previous number.
fn changed_parts(world: &World, entries: &[Entry]) -> Option<HashMap<Part, (UntypedId, u64)>> {
    let mut changed = HashMap::with_capacity(entries.len());
    let mut values = first_values(world, entries);
    for entry in entries {
        let component = entry.component;
        let next = values.get_mut(component.get());
        let next = next.filter(|_| entry.kind.keeps_value());
        let place = next.map_or(0, |next| core::mem::replace(next, *next + 1));
        let part = match entry.kind {
            Kind::Created | Kind::Recreated | Kind::Destroyed => (entry.id.raw(), None),
            _ => (entry.id.raw(), Some(component)),
        };
        if !changed.contains_key(&part) {
            let before = sum_before(world, entry, place)?;
            changed.insert(part, (entry.id, before));
        }
    }
    Some(changed)
}

/// For each component, the position of the first value recorded by these entries, which are the
/// latest.
fn first_values(world: &World, entries: &[Entry]) -> Vec<usize> {
    let pasts = world.columns.iter().map(|column| column.past());
    let mut first: Vec<_> = pasts.map(|past| past.map_or(0, Past::len)).collect();
    let keeping = entries.iter().filter(|entry| entry.kind.keeps_value());
    keeping.for_each(|entry| first[entry.component.get()] -= 1);
    first
}

/// The number of a part before an entry, whose value is recorded at `place`.
fn sum_before(world: &World, entry: &Entry, place: usize) -> Option<u64> {
    let id = entry.id;
    match entry.kind {
        Kind::Destroyed => Some(sum_of_entity(id)),
        kind if kind.keeps_value() => {
            let column = world.columns.at(entry.component)?;
            sum_of_value(id, column.descriptor(), column.past()?.get(place)?)
        }
        _ => Some(0),
    }
}

/// The history, unless its handle was dropped.
fn live_history(subs: &Subscribers) -> Option<&Recording> {
    let history = subs.history.as_deref();
    history.filter(|recording| !recording.is_dropped())
}

/// Whether a component is excluded from the history, and so from checksums; flags of terms are, too.
fn excludes(world: &World, subs: &Subscribers, component: RawComponentIndex) -> bool {
    world.groups.flags().contains(component) || is_excluded(subs, component)
}

fn is_excluded(subs: &Subscribers, component: RawComponentIndex) -> bool {
    let history = live_history(subs);
    history.is_some_and(|recording| recording.excluded.contains(component))
}

/// The checksum of the present state.
pub(crate) fn checksum(world: &World, subs: &Subscribers) -> Result<u64, Error> {
    let sum = sum_by_changes(world, subs).or_else(|| full_sum(world, subs));
    sum.ok_or_else(|| no_checksum(world, subs, world.slots.iter()))
}

/// The checksum of the present state, which the history keeps.
pub(crate) fn record_checksum(world: &World, subs: &mut Subscribers) -> Result<u64, Error> {
    let sum = checksum(world, subs)?;
    if let Some(recording) = subs.history.as_deref_mut() {
        recording.record_sum(sum);
    }
    Ok(sum)
}

/// The checksum of one entity and its components; 0 if it is dead.
pub(crate) fn checksum_of(world: &World, subs: &Subscribers, id: UntypedId) -> Result<u64, Error> {
    let slot = || world.slots.get(id).map(|slot| (id, slot));
    sum_of(world, subs, id).ok_or_else(|| no_checksum(world, subs, slot()))
}

/// Checks that each component of the context has a checksum, unless it is excluded.
pub(crate) fn check_checksums(
    subs: &Subscribers,
    components: impl IntoIterator<Item = &'static ComponentDescriptor>,
) -> Result<(), Error> {
    let mut components = (0..).map(RawComponentIndex::at).zip(components);
    let lacking = components.find_map(|(component, descriptor)| {
        let field = descriptor.lacks_checksum()?;
        let is_without = descriptor.term.is_some() || is_excluded(subs, component);
        (!is_without).then(|| Error::no_checksum(None, descriptor.names, field))
    });
    lacking.map_or(Ok(()), Err)
}

/// Names the first component without a checksum.
#[cold]
fn no_checksum(
    world: &World,
    subs: &Subscribers,
    entities: impl IntoIterator<Item = (UntypedId, Slot)>,
) -> Error {
    let components = |(id, slot): (UntypedId, Slot)| {
        let components = world.graph.component_list(slot.node).iter();
        components.map(move |&component| (id, component))
    };
    let mut all = entities.into_iter().flat_map(components);
    let found = all.find_map(|(id, component)| {
        let descriptor = world.describe(component);
        let field = descriptor.lacks_checksum()?;
        let error = || Error::no_checksum(Some(id.raw()), descriptor.names, field);
        (!excludes(world, subs, component)).then(error)
    });
    found.expect("one of them has no sum")
}

/// The sum over all entities.
fn full_sum(world: &World, subs: &Subscribers) -> Option<u64> {
    let mut sums = world.slots.iter().map(|(id, _)| sum_of(world, subs, id));
    sums.try_fold(0_u64, |all, sum| Some(all.wrapping_add(sum?)))
}

/// The sum of one entity and its components; 0 if it is dead.
fn sum_of(world: &World, subs: &Subscribers, id: UntypedId) -> Option<u64> {
    let Some(slot) = world.slots.get(id) else {
        return Some(0);
    };
    let components = world.graph.component_list(slot.node).iter();
    let mut sums =
        components.map(|&component| sum_of_component(world, subs, id, component, slot.row));
    sums.try_fold(sum_of_entity(id), |all, sum| Some(all.wrapping_add(sum?)))
}

/// The number of a component; 0 if the row does not have it.
fn sum_of_component(
    world: &World,
    subs: &Subscribers,
    id: UntypedId,
    component: RawComponentIndex,
    row: Row,
) -> Option<u64> {
    let value = match excludes(world, subs, component) {
        true => None,
        false => world.value_in(row, component),
    };
    match value {
        Some(value) => sum_of_value(id, world.describe(component), value),
        None => Some(0),
    }
}

/// The last sum of the history, changed by what has changed since; `None` also if there is
/// none, or if the sum over all entities costs less.
fn sum_by_changes(world: &World, subs: &Subscribers) -> Option<u64> {
    let recording = live_history(subs)?;
    world.check_reported();
    let (at, sum) = recording.last_sum()?;
    let entries = recording.since(at);
    if !are_few(world, entries.len()) {
        return None;
    }
    let changed = changed_parts(world, entries)?;
    let mut changed = changed.into_iter();
    changed.try_fold(sum, |sum, (part, (id, before))| {
        let now = sum_of_part(world, subs, part, id)?;
        Some(sum.wrapping_add(now).wrapping_sub(before))
    })
}

/// The present number of a part; 0 if it does not exist.
fn sum_of_part(
    world: &World,
    subs: &Subscribers,
    (_, component): Part,
    id: UntypedId,
) -> Option<u64> {
    match (world.slots.get(id), component) {
        (Some(slot), Some(component)) => sum_of_component(world, subs, id, component, slot.row),
        (Some(_), None) => Some(sum_of_entity(id)),
        (None, _) => Some(0),
    }
}

fn sum_of_value(id: UntypedId, descriptor: &ComponentDescriptor, value: &AnyValue) -> Option<u64> {
    if descriptor.is_transient {
        return Some(0);
    }
    let mut hasher = ChecksumHasher::from_key(descriptor.order_key); // that of its name
    hasher.write_u64(id.to_bits());
    let is_fed = descriptor.feed_checksum(value, &mut hasher);
    is_fed.then(|| hasher.finish())
}

fn sum_of_entity(id: UntypedId) -> u64 {
    let mut hasher = ChecksumHasher::default();
    hasher.write_u64(id.to_bits());
    hasher.finish()
}
