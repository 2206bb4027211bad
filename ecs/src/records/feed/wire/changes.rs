//! The bytes of a delta that has only changes.
//!
//! ```text
//! head     3 bits: format 5; 4 bits: the lowest ones of the number; 1 bit: changes of several deltas
//! tag      2 bytes: a checksum of the feed, the number, the versions of the components, and the rest
//! several  if the bit is set: the number, and of how many deltas it has the changes
//! ids      number of ids × 32 + flags, the ids, and as the flags say:
//!          the list of those that appeared, what vanished, the ids of what is dead; how many other
//!          entities the mirror has, and the list of those that are in a column
//! columns  until the end, for each that is not empty: place among the components of the feed × 8 +
//!          flags; lists of set and removed; values, or what changed in them (`wire/cells.rs`), and the
//!          predecessors if the relation is ordered
//! ```
//!
//! Without changes, nothing follows. What has no flag is absent. A flag of a column says
//! that all ids are set, instead of a list.
//!
//! Names, fields and versions are in the delta that is everything. A mirror has applied that one
//! before, so it reads the rest, and finds the whole number by the tag among those near the one that it
//! expects. Among deltas with changes of several ones that is not safe, because a mirror applies more
//! than one of them, so these have the whole number. A damaged delta, and one of another feed, has another tag.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::hash::Hasher as _;

use super::cells;
use super::lists::{
    all_ids, are_first, read_each, read_ids, read_list, read_vanished, write_each, write_ids,
    write_list, write_vanished,
};
use crate::formats::packed::{Packer, Unpacker};
use crate::records::feed::column::DeltaColumn;
use crate::records::feed::delta::{Delta, FeedKey};
use crate::records::feed::mapping::Mapping;
use crate::records::feed::mirror_cells::MirrorCells;
use crate::records::feed::packed::{Packed, Several};
use crate::state::HasCore;
use crate::storage::descriptor::ComponentDescriptor;
use crate::words::apply_error::ApplyError;
use crate::words::checksum::ChecksumHasher;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::saving::ids::LoadScope;

/// The highest distance from the expected number to one that is still found.
const FARTHEST: u64 = 1024;

// Flags of the ids.
const FIRST: u64 = 1;
const APPEARED: u64 = 2;
const VANISHED: u64 = 4;
const DEAD: u64 = 8;
const KNOWN: u64 = 16;

// Flags of a column.
const ALL_SET: u64 = 1;
const REMOVED: u64 = 2;
const ORDERED: u64 = 4;

/// A component of a feed, as its mirrors know it.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    component: RawComponentIndex,
    descriptor: &'static ComponentDescriptor,
    /// The version of the component in the feed's program.
    version: u32,
}

impl Known {
    /// The components of a delta, in its order.
    pub(crate) fn all_of<C: HasCore>(delta: &Delta<C>) -> Vec<Self> {
        let columns = delta.columns.iter().map(|column| Self {
            component: column.component(),
            descriptor: column.descriptor(),
            version: column.version,
        });
        columns.collect()
    }
}

/// Replaces number and tag of a delta by those of the one with this number.
#[cfg(feature = "__checks")]
pub(crate) fn forge(packed: &mut Packed, feed: FeedKey, known: &[Known], number: u64) {
    if let Some(several) = &mut packed.several {
        several.number = number;
    }
    let seed = seed_of(packed, feed, known);
    (packed.low, packed.tag) = ((number & 15) as u8, tag(seed, number));
}

fn seed_of(packed: &Packed, feed: FeedKey, known: &[Known]) -> u64 {
    let versions = known.iter().map(|known| known.version);
    let count = packed.several.map(|several| several.count);
    seed(feed, versions, count, &packed.body)
}

/// Finds the number of a delta, near the `expected` one; `None` if the delta is of another feed or
/// damaged.
fn number_of(packed: &Packed, feed: FeedKey, known: &[Known], expected: u64) -> Option<u64> {
    let seed = seed_of(packed, feed, known);
    if let Some(Several { number, .. }) = packed.several {
        return (tag(seed, number) == packed.tag).then_some(number);
    }
    let ahead = u64::from(packed.low).wrapping_sub(expected) & 15;
    let later = expected.checked_add(ahead).into_iter();
    let last = expected.saturating_add(FARTHEST);
    let later = later.flat_map(|first| (first..=last).step_by(16));
    let first = expected.checked_sub(16 - ahead);
    let earlier = core::iter::successors(first, |number| number.checked_sub(16));
    let earlier = earlier.take_while(|number| expected - number <= FARTHEST);
    let mut all = later.chain(earlier);
    all.find(|number| tag(seed, *number) == packed.tag)
}

/// Reads a delta with the components of its feed; `None` if it is not of that feed or damaged.
pub(crate) fn read<C: HasCore>(
    packed: &Packed,
    (feed, known): (FeedKey, &[Known]),
    (mapping, has, expected): (&Mapping<C>, &MirrorCells<C>, u64),
) -> Option<Result<Delta<C>, ApplyError>> {
    let mut delta = Delta::empty(feed, number_of(packed, feed, known, expected)?);
    let columns = known.iter();
    let columns = columns.map(|known| DeltaColumn::new(known.component, known.descriptor));
    delta.columns.extend(columns);
    let count = packed.several.map_or(1, |several| several.count);
    let Some(base) = delta.number.checked_sub(count) else {
        return Some(Err(ApplyError::Malformed));
    };
    delta.base = base;
    let is_divided = |known: &Known| known.descriptor.saving.cells.is_some();
    let depends = known.iter().any(is_divided) || has_known(&packed.body);
    if depends && let Err(error) = check_base(&delta, expected) {
        return Some(Err(error));
    }
    let read = read_body(
        &mut delta,
        (known, mapping, has),
        &mut Unpacker::new(&packed.body),
    );
    Some(read.map(|()| delta).map_err(|_| ApplyError::Malformed))
}

/// Whether it has ids as places among those that a mirror has.
fn has_known(body: &[u8]) -> bool {
    u64::from(body.first().copied().unwrap_or(0)) & KNOWN != 0
}

/// Rejects a delta if a mirror does not have the values since which it has changes.
fn check_base<C: HasCore>(delta: &Delta<C>, expected: u64) -> Result<(), ApplyError> {
    let found = delta.number;
    match (delta.base < expected, found.saturating_add(1) >= expected) {
        (false, _) => Err(ApplyError::Missing { expected, found }),
        (_, false) => Err(ApplyError::Repeated { number: found }),
        (true, true) => Ok(()),
    }
}

/// What a tag depends on, besides the number.
fn seed(
    feed: FeedKey,
    versions: impl Iterator<Item = u32>,
    several: Option<u64>,
    body: &[u8],
) -> u64 {
    let mut hasher = ChecksumHasher::default();
    hasher.write_u64(feed.origin);
    hasher.write_u64(feed.serial);
    versions.for_each(|version| hasher.write_u32(version));
    several.iter().for_each(|count| hasher.write_u64(*count));
    hasher.write(body);
    hasher.finish()
}

fn tag(seed: u64, number: u64) -> u16 {
    let mut hasher = ChecksumHasher::default();
    hasher.write_u64(seed);
    hasher.write_u64(number);
    hasher.finish() as u16
}

/// Writes a delta that has only changes.
pub(super) fn write<C: HasCore>(delta: &Delta<C>) -> Result<Packed, String> {
    let mut to = Packer::default();
    if !delta.is_empty() {
        write_body(delta, &mut to)?;
    }
    let body = to.into_bytes();
    let columns = delta.columns.iter();
    let versions = columns.map(|column| column.descriptor().saving.version);
    let several = delta.is_cumulative().then(|| Several {
        number: delta.number,
        count: delta.number - delta.base,
    });
    let count = several.map(|several| several.count);
    Ok(Packed {
        low: (delta.number & 15) as u8,
        tag: tag(seed(delta.feed, versions, count, &body), delta.number),
        several,
        body,
    })
}

/// A flag, if it is set.
fn flag(flag: u64, is_set: bool) -> u64 {
    if is_set { flag } else { 0 }
}

fn write_body<C: HasCore>(delta: &Delta<C>, to: &mut Packer) -> Result<(), String> {
    let all = all_ids(delta);
    let (ids, known) = without_known(delta, &all);
    let flags = flag(FIRST, are_first(&ids))
        | flag(KNOWN, known.is_some())
        | flag(APPEARED, !delta.appeared.is_empty())
        | flag(VANISHED, !delta.vanished.is_empty())
        | flag(DEAD, !delta.dead.is_empty());
    to.number((ids.len() as u64) << 5 | flags);
    write_each(&ids, to);
    if flags & APPEARED != 0 {
        write_list(&ids, &delta.appeared, to);
    }
    if flags & VANISHED != 0 {
        write_vanished(&delta.vanished, to);
    }
    if flags & DEAD != 0 {
        write_ids(&delta.dead, to);
    }
    if let Some((known, listed)) = known {
        to.number(known.len() as u64);
        write_list(&known, &listed, to);
    }
    for (place, column) in (0..).zip(&delta.columns) {
        if !(column.set.owners.is_empty() && column.removed.is_empty()) {
            write_column(&all, (place, column), to)?;
        }
    }
    Ok(())
}

/// The entities that a mirror has besides those that are written, and those of them in a column.
type KnownIds<C> = (Vec<EntityId<C>>, Vec<EntityId<C>>);

/// The ids to write: all, or without those that a mirror has, if that takes less space.
fn without_known<'i, C: HasCore>(
    delta: &Delta<C>,
    all: &'i [EntityId<C>],
) -> (Cow<'i, [EntityId<C>]>, Option<KnownIds<C>>) {
    let (mut listed, mut others) = (Vec::with_capacity(all.len()), Vec::new());
    let mut known = delta.known.iter().peekable();
    for &id in all {
        while known.next_if(|known| **known < id).is_some() {}
        match known.next_if(|known| **known == id) {
            Some(_) => listed.push(id),
            None => others.push(id),
        }
    }
    if listed.len() <= delta.known.len() / 8 + 1 {
        return (Cow::Borrowed(all), None);
    }
    let mut stay = delta.known.clone();
    let vanished = &delta.vanished;
    stay.retain(|id| vanished.binary_search_by_key(id, |(id, _)| *id).is_err());
    (Cow::Owned(others), Some((stay, listed)))
}

fn write_column<C: HasCore>(
    ids: &[EntityId<C>],
    (place, column): (u64, &DeltaColumn<C>),
    to: &mut Packer,
) -> Result<(), String> {
    let (set, removed) = (&column.set.owners, &column.removed);
    let flags = flag(ALL_SET, set.len() == ids.len())
        | flag(REMOVED, !removed.is_empty())
        | flag(ORDERED, !column.predecessors.is_empty());
    to.number(place << 3 | flags);
    if flags & ALL_SET == 0 {
        write_list(ids, set, to);
    }
    if flags & REMOVED != 0 {
        write_list(ids, removed, to);
    }
    let is_ordered = flags & ORDERED != 0;
    match &column.cells {
        Some(divided) => {
            cells::write(set, divided, to);
            column.pack_order(is_ordered, to)
        }
        None => column.pack(is_ordered, to),
    }
}

fn read_body<C: HasCore>(
    delta: &mut Delta<C>,
    (known, mapping, has): (&[Known], &Mapping<C>, &MirrorCells<C>),
    from: &mut Unpacker<'_>,
) -> Result<(), String> {
    if from.left() == 0 {
        return Ok(());
    }
    let _scope = LoadScope::plain(); // ids are not mapped
    let head = from.number()?;
    let mut ids = read_each((head >> 5, head & FIRST != 0), from)?;
    if head & APPEARED != 0 {
        delta.appeared = read_list(&ids, from)?;
    }
    if head & VANISHED != 0 {
        delta.vanished = read_vanished(from)?;
    }
    if head & DEAD != 0 {
        delta.dead = read_ids(from)?;
    }
    if head & KNOWN != 0 {
        read_known(delta, &mut ids, mapping, from)?;
    }
    let mut columns = delta.columns.iter_mut().zip(known);
    let mut next = 0;
    while from.left() > 0 {
        let head = from.number()?;
        let skipped = (head >> 3).checked_sub(next);
        let skipped = skipped.and_then(|skipped| usize::try_from(skipped).ok());
        let column = skipped.and_then(|skipped| columns.nth(skipped));
        let (column, known) = column.ok_or("it has a component that is not one of the feed")?;
        next = (head >> 3) + 1;
        read_column((&ids, has), head, (column, known.version), from)?;
    }
    Ok(())
}

/// Adds those ids that are places among the ones that a mirror has.
fn read_known<C: HasCore>(
    delta: &Delta<C>,
    ids: &mut Vec<EntityId<C>>,
    mapping: &Mapping<C>,
    from: &mut Unpacker<'_>,
) -> Result<(), String> {
    let known = others(delta, ids, mapping);
    if from.number()? != known.len() as u64 {
        return Err("the mirror has other entities".into());
    }
    ids.extend(read_list(&known, from)?);
    ids.sort();
    Ok(())
}

/// The entities that a mirror has besides `ids` and those that vanish, ascending.
fn others<C: HasCore>(
    delta: &Delta<C>,
    ids: &[EntityId<C>],
    mapping: &Mapping<C>,
) -> Vec<EntityId<C>> {
    let vanished: Vec<_> = delta.vanished.iter().map(|(id, _)| *id).collect();
    let known = mapping.locals.keys().copied();
    let known = known.filter(|id| mapping.is_known(*id));
    let mut known: Vec<_> = known
        .filter(|id| ids.binary_search(id).is_err() && vanished.binary_search(id).is_err())
        .collect();
    known.sort_unstable();
    known
}

fn read_column<C: HasCore>(
    (ids, has): (&[EntityId<C>], &MirrorCells<C>),
    flags: u64,
    (column, version): (&mut DeltaColumn<C>, u32),
    from: &mut Unpacker<'_>,
) -> Result<(), String> {
    column.set.owners = match flags & ALL_SET {
        0 => read_list(ids, from)?,
        _ => ids.to_vec(),
    };
    if flags & REMOVED != 0 {
        column.removed = read_list(ids, from)?;
    }
    let is_ordered = flags & ORDERED != 0;
    match &column.descriptor().saving.cells {
        Some(table) => {
            cells::read(column, (table, version), has, from)?;
            Ok(column.unpack_order(is_ordered, from)?)
        }
        None => column.unpack(version, is_ordered, from),
    }
}
