//! Reading binary formats, written by [`to_bytes`](super::to_bytes), and not trusted.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::de::Deserialize as _;

use super::entered::read_entered;
use super::part::Part;
use super::places::read_owners;
use super::to_bytes::{MAGIC, PART};
use crate::formats::packed::{Message, Unpacker};
use crate::records::bytes::{check_context, check_fields, check_format};
use crate::state::HasCore;
use crate::storage::slots::saved::{SavedSlot, SavedSlots};
use crate::words::entity_id::{EntityId, RawEntityId};

/// Reads a save.
pub(super) fn read<C: HasCore>(
    part: &mut Part<C>,
    from: &mut Unpacker<'_>,
) -> Result<SavedSlots, String> {
    let is_part = match from.raw(MAGIC.len()) {
        Ok(MAGIC) => false,
        Ok(PART) => true,
        _ => return Err("not a saved context".to_owned()),
    };
    check_format("save", from.number()?)?;
    check_context::<C>("save", from.text()?)?;
    let slots = match is_part {
        true => {
            read_part(part, from)?;
            SavedSlots::default() // the entities get new slots
        }
        false => {
            let slots = read_slots(from)?;
            add_entities(part, &slots)?;
            slots
        }
    };
    part.scope.complete()?;
    for _ in 0..from.count()? {
        read_column(part, from)?;
    }
    for (relation, target, sources) in Vec::<(String, _, _)>::deserialize(&mut *from)? {
        part.add_order(&relation, target, sources);
    }
    if from.left() > 1 && !is_part {
        read_entered(part, from)?; // never empty, so more than one byte
    }
    Ok(slots)
}

fn read_part<C: HasCore>(part: &mut Part<C>, from: &mut Unpacker<'_>) -> Result<(), String> {
    let entities = Vec::<RawEntityId>::deserialize(&mut *from)?;
    let absent = Vec::<RawEntityId>::deserialize(&mut *from)?;
    part.add_absent(&absent)?;
    part.reserve(entities.len());
    for id in entities {
        part.add_entity(id)?;
    }
    Ok(())
}

fn read_slots(from: &mut Unpacker<'_>) -> Result<SavedSlots, Message> {
    let count = from.count()?;
    let mut slots = Vec::with_capacity(count); // at least one byte each
    let mut skips = Vec::new();
    for index in 0..count {
        let (slot, next) = read_slot(from)?;
        slots.push(slot);
        skips.extend(next.map(|next| (index as u32, next))); // checked with the slots
    }
    let free = Vec::deserialize(&mut *from)?;
    let rows = Some(Vec::deserialize(&mut *from)?).filter(|rows| !rows.is_empty());
    Ok(SavedSlots {
        slots,
        free,
        rows,
        progress: Vec::deserialize(from)?,
        skips,
    })
}

/// Reads the state of a slot, and its next generation if it skips some.
#[inline]
fn read_slot(from: &mut Unpacker<'_>) -> Result<(SavedSlot, Option<u32>), Message> {
    let code = from.number()?;
    let too_large = || Message::new("a generation is too large");
    let (state, skipped) = (code as u32, (code >> 32) as u32);
    let slot = match (state & 1, state >> 1) {
        (0, generation) => SavedSlot::Alive(generation),
        _ if skipped != 0 => return Err(too_large()),
        (_, 0) => SavedSlot::Retired,
        (_, next) => SavedSlot::Free(next),
    };
    let next = match skipped {
        0 => None,
        1 => Some(0), // it retires
        skipped => Some((state >> 1).checked_add(skipped).ok_or_else(too_large)?),
    };
    Ok((slot, next))
}

fn add_entities<C: HasCore>(part: &mut Part<C>, slots: &SavedSlots) -> Result<(), String> {
    part.reserve(slots.slots.len());
    for (index, slot) in (0_u32..).zip(&slots.slots) {
        if let SavedSlot::Alive(generation) = *slot {
            let id = EntityId::<C>::try_new(index, generation).map(EntityId::raw);
            let wrong = || format!("slot {index} cannot have generation {generation}");
            part.add_entity(id.ok_or_else(wrong)?)?;
        }
    }
    Ok(())
}

fn read_column<C: HasCore>(part: &mut Part<C>, from: &mut Unpacker<'_>) -> Result<(), String> {
    let full_name = from.text()?;
    let (name, fields) = full_name.split_once('\0').unwrap_or((full_name, ""));
    // The entities come before the columns, so positions refer to the order of the file.
    let owners = read_owners(part.entities.len(), from);
    let (owners, alive) =
        owners.map_err(|error| format!("the owners of `{name}` cannot be read: {error}"))?;
    let values = from.part()?;
    match part.find(name) {
        Some(found) => {
            let (named, version) = found;
            check_fields(("saved", named.name()), named.saving(), version, fields)?;
            part.unpack(found, (owners, alive.as_deref()), values)
        }
        None => {
            // Unless they are kept, all unknown ones are rejected together later.
            let owners = (&owners, alive.as_deref());
            part.keep_column(full_name, owners, values);
            Ok(())
        }
    }
}
