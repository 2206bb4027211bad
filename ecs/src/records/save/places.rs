//! Which of a list of entities have a component.
//!
//! ```text
//! as bytes  0, one bit per entity; or 1, count, the distance from each listed entity to the next;
//!           or 2, if all are listed;
//!           or 3, the number of values, one bit per value: whether its entity is listed; then the list
//! ```

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

use crate::formats::packed::{Message, Packer, Unpacker};
use crate::words::signature::Bits;

/// Which of a list of entities have a component, by their positions in the list.
pub(crate) enum OwnerPlaces {
    /// All entities of the list, in order.
    All,
    Listed(Vec<u32>),
}

impl OwnerPlaces {
    /// The position of the nth owner.
    pub(crate) fn get(&self, nth: usize) -> Option<usize> {
        match self {
            Self::All => Some(nth),
            Self::Listed(places) => places.get(nth).map(|&place| place as usize),
        }
    }

    /// The number of owners, if the list has `entities` entities.
    pub(crate) fn count(&self, entities: usize) -> usize {
        match self {
            Self::All => entities,
            Self::Listed(places) => places.len(),
        }
    }

    /// Replaces `Listed` by `All` if all entities are listed in order.
    pub(crate) fn simplify(&mut self, entities: usize) {
        if let Self::Listed(places) = self
            && places.len() == entities
            && places.iter().copied().eq(0..entities as u32)
        {
            *self = Self::All;
        }
    }

    /// The items of a list at these positions.
    pub(crate) fn of<'l, T: Copy>(&self, list: &'l [T]) -> Cow<'l, [T]> {
        match self {
            Self::All => Cow::Borrowed(list),
            Self::Listed(places) => places.iter().map(|&place| list[place as usize]).collect(),
        }
    }
}

impl Default for OwnerPlaces {
    fn default() -> Self {
        Self::Listed(Vec::new())
    }
}

/// Entities as one bit each.
const BITS: u8 = 0;
/// Entities as distances from one to the next.
const DISTANCES: u8 = 1;
/// All entities.
pub(crate) const ALL: u8 = 2;
/// Values of which some have no owner.
const SOME_VALUES: u8 = 3;

/// Writes the owner of each value, ascending, of which some may be missing.
pub(super) fn write_owners(owners: &[Option<u32>], entities: usize, to: &mut Packer) {
    let places: Vec<_> = owners.iter().copied().flatten().collect();
    if places.len() < owners.len() {
        let mut bits = vec![0_u8; owners.len().div_ceil(8)];
        for (at, owner) in owners.iter().enumerate() {
            bits[at / 8] |= u8::from(owner.is_some()) << (at % 8);
        }
        to.raw(&[SOME_VALUES]);
        to.number(owners.len() as u64);
        to.raw(&bits);
    }
    write_places(&places, entities, to);
}

/// Reads which of `entities` entities are listed, and which values have an owner, unless all have.
pub(super) fn read_owners(
    entities: usize,
    from: &mut Unpacker<'_>,
) -> Result<(OwnerPlaces, Option<Vec<bool>>), Message> {
    let kind = from.raw(1)?[0];
    if kind != SOME_VALUES {
        return Ok((read_places_as(kind, entities, from)?, None));
    }
    let count = usize::try_from(from.number()?).unwrap_or(usize::MAX);
    let bits = from.raw(count.div_ceil(8))?;
    let has_owner = (0..count).map(|at| bits[at / 8] & 1 << (at % 8) != 0);
    let has_owner: Vec<_> = has_owner.collect();
    let places = read_places(entities, from)?;
    match has_owner.iter().filter(|has| **has).count() == places.count(entities) {
        true => Ok((places, Some(has_owner))),
        false => Err(no_owner()),
    }
}

/// Writes which of `entities` entities are listed; `places` is ascending.
pub(crate) fn write_places(places: &[u32], entities: usize, to: &mut Packer) {
    if places.len() == entities {
        return to.raw(&[ALL]);
    }
    let bytes = entities.div_ceil(8);
    if bytes <= 2 * places.len() {
        let mut bits = vec![0_u8; bytes];
        for &place in places {
            bits[place as usize / 8] |= 1 << (place % 8);
        }
        to.raw(&[BITS]);
        return to.raw(&bits);
    }
    to.raw(&[DISTANCES]);
    to.number(places.len() as u64);
    let mut next = 0;
    for &place in places {
        to.number((place - next).into());
        next = place + 1;
    }
}

/// Reads which of `entities` entities are listed.
pub(crate) fn read_places(
    entities: usize,
    from: &mut Unpacker<'_>,
) -> Result<OwnerPlaces, Message> {
    let kind = from.raw(1)?[0];
    read_places_as(kind, entities, from)
}

fn read_places_as(
    kind: u8,
    entities: usize,
    from: &mut Unpacker<'_>,
) -> Result<OwnerPlaces, Message> {
    match kind {
        ALL => Ok(OwnerPlaces::All),
        BITS => read_bits(entities, from).map(OwnerPlaces::Listed),
        DISTANCES => read_distances(entities, from).map(OwnerPlaces::Listed),
        _ => Err(Message::new("it does not say how entities are listed")),
    }
}

fn read_bits(entities: usize, from: &mut Unpacker<'_>) -> Result<Vec<u32>, Message> {
    let bytes = from.raw(entities.div_ceil(8))?;
    let all: u32 = bytes.iter().map(|byte| byte.count_ones()).sum();
    let mut places = Vec::with_capacity(all as usize); // at most eight per byte
    for (start, byte) in (0..).step_by(8).zip(bytes) {
        places.extend(Bits(u64::from(*byte)).map(|bit| start + bit));
    }
    match places.last().is_none_or(|&last| (last as usize) < entities) {
        true => Ok(places),
        false => Err(no_owner()),
    }
}

fn read_distances(entities: usize, from: &mut Unpacker<'_>) -> Result<Vec<u32>, Message> {
    let mut next = 0_u64;
    let count = from.count()?;
    let each = (0..count).map(|_| {
        let place = next.saturating_add(from.number()?);
        next = place.saturating_add(1);
        let place = u32::try_from(place).ok();
        place
            .filter(|&place| (place as usize) < entities)
            .ok_or_else(no_owner)
    });
    each.collect()
}

fn no_owner() -> Message {
    Message::new("an owner is not one of the entities")
}
