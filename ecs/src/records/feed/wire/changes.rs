//! The bytes of a delta that has only changes.
//!
//! ```text
//! head     3 bits: format 3; 4 bits: the lowest ones of the number; 1 bit: changes of several deltas
//! tag      2 bytes: a checksum of the feed, the number, the versions of the components, and the rest
//! several  if the bit is set: the number, and of how many deltas it has the changes
//! ids      number of ids × 16 + flags, the ids, and as the flags say:
//!          the list of those that appeared, what vanished, the ids of what is dead
//! columns  until the end, for each that is not empty: place among the components of the feed × 8 +
//!          flags; lists of set and removed; values, and the predecessors if the relation is ordered
//! ```
//!
//! Without changes, nothing follows. What has no flag is absent. A flag of a column says
//! that all ids are set, instead of a list.
//!
//! Names, fields and versions are in the delta that is everything. A mirror has applied that one
//! before, so it reads the rest, and finds the whole number by the tag among those near the one that it
//! expects. Among deltas with changes of several ones that is not safe, because a mirror applies more
//! than one of them, so these have the whole number. A damaged delta, and one of another feed, has another tag.

use alloc::string::String;
use alloc::vec::Vec;
use core::hash::Hasher as _;

use super::lists::{
    all_ids, are_first, read_each, read_ids, read_list, read_vanished, write_each, write_ids,
    write_list, write_vanished,
};
use crate::formats::packed::{Packer, Unpacker};
use crate::records::feed::column::DeltaColumn;
use crate::records::feed::delta::{Delta, FeedKey};
use crate::records::feed::packed::{Packed, Several};
use crate::state::HasCore;
use crate::storage::descriptor::ComponentDescriptor;
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
    expected: u64,
) -> Option<Result<Delta<C>, String>> {
    let mut delta = Delta::empty(feed, number_of(packed, feed, known, expected)?);
    let columns = known.iter();
    let columns = columns.map(|known| DeltaColumn::new(known.component, known.descriptor));
    delta.columns.extend(columns);
    let read = read_body(&mut delta, known, &mut Unpacker::new(&packed.body));
    let read = read.and_then(|()| {
        let count = packed.several.map_or(1, |several| several.count);
        let base = delta.number.checked_sub(count);
        delta.base = base.ok_or("it has changes of more deltas than there are")?;
        Ok(delta)
    });
    Some(read)
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
    let ids = all_ids(delta);
    let flags = flag(FIRST, are_first(&ids))
        | flag(APPEARED, !delta.appeared.is_empty())
        | flag(VANISHED, !delta.vanished.is_empty())
        | flag(DEAD, !delta.dead.is_empty());
    to.number((ids.len() as u64) << 4 | flags);
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
    for (place, column) in (0..).zip(&delta.columns) {
        if !(column.set.owners.is_empty() && column.removed.is_empty()) {
            write_column(&ids, (place, column), to)?;
        }
    }
    Ok(())
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
    column.pack(flags & ORDERED != 0, to)
}

fn read_body<C: HasCore>(
    delta: &mut Delta<C>,
    known: &[Known],
    from: &mut Unpacker<'_>,
) -> Result<(), String> {
    if from.left() == 0 {
        return Ok(());
    }
    let _scope = LoadScope::plain(); // ids are not mapped
    let head = from.number()?;
    let ids = read_each((head >> 4, head & FIRST != 0), from)?;
    if head & APPEARED != 0 {
        delta.appeared = read_list(&ids, from)?;
    }
    if head & VANISHED != 0 {
        delta.vanished = read_vanished(from)?;
    }
    if head & DEAD != 0 {
        delta.dead = read_ids(from)?;
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
        read_column(&ids, head, (column, known.version), from)?;
    }
    Ok(())
}

fn read_column<C: HasCore>(
    ids: &[EntityId<C>],
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
    column.unpack(version, flags & ORDERED != 0, from)
}
