//! The bytes of a delta that has only changes.
//!
//! ```text
//! head     3 bits: format 3; 4 bits: the lowest ones of the number
//! tag      2 bytes: a checksum of the feed, the number, the versions of the components, and the rest
//! ids      number of ids × 16 + flags, the ids, and as the flags say:
//!          the list of those that appeared, what vanished, the ids of what is dead
//! columns  until the end, for each that is not empty: place among the components of the feed × 8 +
//!          flags; lists of set and removed; values, and the predecessors if the relation is ordered
//! ```
//!
//! Without changes, nothing follows the tag. What has no flag is absent. A flag of a column says
//! that all ids are set, instead of a list.
//!
//! Names, fields and versions are in the delta that is everything. A mirror has applied that one
//! before, so it reads the rest, and finds the whole number by the tag among those near the one that it
//! expects. A damaged delta, and one of another feed, has another tag.

use alloc::string::String;
use alloc::vec::Vec;
use core::hash::Hasher as _;

use super::lists::{
    are_first, read_each, read_ids, read_list, read_vanished, write_each, write_ids, write_list,
    write_vanished,
};
use super::{all_ids, cannot_be_written};
use crate::formats::packed::{Message, Packer, Unpacker};
use crate::records::feed::column::DeltaColumn;
use crate::records::feed::delta::{Delta, FeedKey};
use crate::state::HasCore;
use crate::storage::descriptor::ComponentDescriptor;
use crate::words::checksum::ChecksumHasher;
use crate::words::component::RawComponentIndex;
use crate::words::saving::ids::LoadScope;

/// The format, in the lowest three bits of the first byte.
pub(super) const FORMAT: u8 = 3;
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

/// The bytes of a delta that no mirror has read yet.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    /// The lowest bits of the number.
    low: u8,
    tag: u16,
    body: Vec<u8>,
}

impl Packed {
    /// Whether nothing has changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.body.is_empty()
    }

    pub(super) fn from_bytes(head: u8, from: &mut Unpacker<'_>) -> Result<Self, Message> {
        let [low, high] = *from.raw(2)? else {
            return Err(Message::new("the data ends too early"));
        };
        Ok(Self {
            low: head >> 3,
            tag: u16::from_le_bytes([low, high]),
            body: from.raw(from.left())?.into(),
        })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let [low, high] = self.tag.to_le_bytes();
        let mut bytes = Vec::with_capacity(self.body.len() + 3);
        bytes.extend([self.low << 3 | FORMAT, low, high]);
        bytes.extend(&self.body);
        bytes
    }

    /// Replaces number and tag by those of the delta with this number.
    #[cfg(feature = "__checks")]
    pub(crate) fn forge(&mut self, feed: FeedKey, known: &[Known], number: u64) {
        let seed = seed(feed, known.iter().map(|known| known.version), &self.body);
        (self.low, self.tag) = ((number & 15) as u8, tag(seed, number));
    }

    /// Finds the number, near the `expected` one; `None` if the delta is of another feed or
    /// damaged.
    fn number(&self, feed: FeedKey, known: &[Known], expected: u64) -> Option<u64> {
        let seed = seed(feed, known.iter().map(|known| known.version), &self.body);
        let is_it = |number: &u64| tag(seed, *number) == self.tag;
        let ahead = u64::from(self.low).wrapping_sub(expected) & 15;
        let later = expected.checked_add(ahead).into_iter();
        let last = expected.saturating_add(FARTHEST);
        let later = later.flat_map(|first| (first..=last).step_by(16));
        let first = expected.checked_sub(16 - ahead);
        let earlier = core::iter::successors(first, |number| number.checked_sub(16));
        let earlier = earlier.take_while(|number| expected - number <= FARTHEST);
        later.chain(earlier).find(is_it)
    }

    /// Reads the delta with the components of its feed; `None` if it is not of that feed or damaged.
    pub(crate) fn read<C: HasCore>(
        &self,
        feed: FeedKey,
        known: &[Known],
        expected: u64,
    ) -> Option<Result<Delta<C>, String>> {
        let number = self.number(feed, known, expected)?;
        let mut delta = Delta::empty(feed, number);
        let columns = known
            .iter()
            .map(|known| DeltaColumn::new(known.component, known.descriptor));
        delta.columns.extend(columns);
        let read = read(&mut delta, known, &mut Unpacker::new(&self.body));
        Some(read.map(|()| delta))
    }
}

/// What a tag depends on, besides the number.
fn seed(feed: FeedKey, versions: impl Iterator<Item = u32>, body: &[u8]) -> u64 {
    let mut hasher = ChecksumHasher::default();
    hasher.write_u64(feed.origin);
    hasher.write_u64(feed.serial);
    versions.for_each(|version| hasher.write_u32(version));
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
    Ok(Packed {
        low: (delta.number & 15) as u8,
        tag: tag(seed(delta.feed, versions, &body), delta.number),
        body,
    })
}

fn write_body<C: HasCore>(delta: &Delta<C>, to: &mut Packer) -> Result<(), String> {
    let ids = all_ids(delta);
    let has = |flag, is: bool| if is { flag } else { 0 };
    let flags = has(FIRST, are_first(&ids))
        | has(APPEARED, !delta.appeared.is_empty())
        | has(VANISHED, !delta.vanished.is_empty())
        | has(DEAD, !delta.dead.is_empty());
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
    for (place, column) in (0_u64..).zip(&delta.columns) {
        let (set, removed) = (&column.set.owners, &column.removed);
        if set.is_empty() && removed.is_empty() {
            continue;
        }
        let flags = has(ALL_SET, set.len() == ids.len())
            | has(REMOVED, !removed.is_empty())
            | has(ORDERED, !column.predecessors.is_empty());
        to.number(place << 3 | flags);
        if flags & ALL_SET == 0 {
            write_list(&ids, set, to);
        }
        if flags & REMOVED != 0 {
            write_list(&ids, removed, to);
        }
        let written = column.pack(flags & ORDERED != 0, to);
        written.map_err(|error| cannot_be_written(column, &error))?;
    }
    Ok(())
}

fn read<C: HasCore>(
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
    let mut next = 0;
    while from.left() > 0 {
        let head = from.number()?;
        let place = usize::try_from(head >> 3).ok();
        let place = place.filter(|place| *place >= next && *place < known.len());
        let place = place.ok_or("it has a component that is not one of the feed")?;
        next = place + 1;
        let column = &mut delta.columns[place];
        column.set.owners = match head & ALL_SET {
            0 => read_list(&ids, from)?,
            _ => ids.clone(),
        };
        if head & REMOVED != 0 {
            column.removed = read_list(&ids, from)?;
        }
        column.unpack(known[place].version, head & ORDERED != 0, from)?;
    }
    Ok(())
}
