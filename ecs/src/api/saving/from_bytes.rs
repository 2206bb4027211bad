//! Reading what [`to_bytes`](super::to_bytes) has written, or anything else.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize as _, Error, SeqAccess, Visitor};

use crate::api::saving::builder::Builder;
use crate::api::saving::to_bytes::{ALL, BITS, DISTANCES, MAGIC};
use crate::state::{HasCore, LoadedOwners};
use crate::storage::slots::saved::{SavedSlot, SavedSlots};
use crate::words::entity_id::EntityId;
use crate::words::packed::{Message, Unpacker};
use crate::words::signature::Bits;

/// Takes the bytes from a format.
pub(super) struct Bytes<'b, C: 'static>(pub(super) &'b mut Builder<C>);

impl<'de, C: HasCore> Visitor<'de> for Bytes<'_, C> {
    type Value = SavedSlots;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a save of context `{}`, as bytes", C::NAME)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<SavedSlots, E> {
        read(self.0, bytes).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<SavedSlots, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = seq.next_element()? {
            bytes.push(byte);
        }
        self.visit_bytes(&bytes)
    }
}

/// Reads a save.
fn read<C: HasCore>(builder: &mut Builder<C>, bytes: &[u8]) -> Result<SavedSlots, String> {
    let from = &mut Unpacker::new(bytes);
    let broken = |error: Message| format!("the save is broken: {error}");
    if from.raw(MAGIC.len()).ok() != Some(MAGIC) {
        return Err("this is no save of a context".to_owned());
    }
    Builder::<C>::check_format(from.number().map_err(broken)?)?;
    Builder::<C>::check_context(from.text().map_err(broken)?)?;
    let slots = read_slots(from).map_err(broken)?;
    add_entities(builder, &slots)?;
    builder.scope.complete()?;
    for _ in 0..from.count().map_err(broken)? {
        read_column(builder, from)?;
    }
    for _ in 0..from.count().map_err(broken)? {
        read_order(builder, from).map_err(broken)?;
    }
    from.finish().map_err(broken)?;
    Ok(slots)
}

fn read_slots(from: &mut Unpacker<'_>) -> Result<SavedSlots, Message> {
    let count = from.count()?;
    let mut slots = Vec::with_capacity(count); // a byte each
    for _ in 0..count {
        slots.push(read_slot(from)?);
    }
    let free = read_indices(from)?;
    let rows = Some(read_indices(from)?).filter(|rows| !rows.is_empty());
    Ok(SavedSlots { slots, free, rows })
}

#[inline]
fn read_slot(from: &mut Unpacker<'_>) -> Result<SavedSlot, Message> {
    let code = from.number()?;
    let generation = u32::try_from(code >> 1);
    let generation = generation.map_err(|_| Message::new("a generation is too large"))?;
    Ok(match (code & 1, generation) {
        (0, generation) => SavedSlot::Alive(generation),
        (_, 0) => SavedSlot::Retired,
        (_, next) => SavedSlot::Free(next),
    })
}

fn read_indices(from: &mut Unpacker<'_>) -> Result<Vec<u32>, Message> {
    let too_large = |_| Message::new("an index is too large");
    let count = from.count()?;
    let indices = (0..count).map(|_| u32::try_from(from.number()?).map_err(too_large));
    indices.collect()
}

fn add_entities<C: HasCore>(builder: &mut Builder<C>, slots: &SavedSlots) -> Result<(), String> {
    builder.reserve(slots.slots.len());
    for (index, slot) in (0_u32..).zip(&slots.slots) {
        if let SavedSlot::Alive(generation) = *slot {
            let id = EntityId::<C>::try_new(index, generation).map(EntityId::raw);
            let wrong = || format!("slot {index} cannot have generation {generation}");
            builder.add_entity(id.ok_or_else(wrong)?)?;
        }
    }
    Ok(())
}

fn read_column<C: HasCore>(
    builder: &mut Builder<C>,
    from: &mut Unpacker<'_>,
) -> Result<(), String> {
    let broken = |error: Message| format!("the save is broken: {error}");
    let name = from.text().map_err(broken)?;
    let owners = read_owners(builder.entities.len(), from);
    let owners =
        owners.map_err(|error| format!("the owners of `{name}` cannot be read: {error}"))?;
    let values = from.part().map_err(broken)?;
    match builder.find(name) {
        Some(found) => builder.unpack(found, owners, &mut Unpacker::new(values)),
        None => Ok(()), // refused later, all of them at once
    }
}

/// The entities that have a component, of so many. The ids of a save in bytes come first, so that
/// their places are the order of the file.
fn read_owners(entities: usize, from: &mut Unpacker<'_>) -> Result<LoadedOwners, Message> {
    match *from.raw(1)? {
        [ALL] => Ok(LoadedOwners::All),
        [BITS] => read_bits(entities, from).map(LoadedOwners::Listed),
        [DISTANCES] => read_distances(entities, from).map(LoadedOwners::Listed),
        _ => Err(Message::new("it does not say how the owners are listed")),
    }
}

fn read_bits(entities: usize, from: &mut Unpacker<'_>) -> Result<Vec<u32>, Message> {
    let bytes = from.raw(entities.div_ceil(8))?;
    let all: u32 = bytes.iter().map(|byte| byte.count_ones()).sum();
    let mut places = Vec::with_capacity(all as usize); // at most eight for a byte
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
    Message::new("an owner is none of the entities")
}

fn read_order<C: HasCore>(
    builder: &mut Builder<C>,
    from: &mut Unpacker<'_>,
) -> Result<(), Message> {
    let relation = from.text()?.to_string();
    let target = EntityId::deserialize(&mut *from)?;
    let sources = Vec::deserialize(&mut *from)?;
    builder.add_order(&relation, target, sources);
    Ok(())
}
