//! Writing for programs: all slots, then a column for each component.
//!
//! ```text
//! "ecs", format, name of the context
//! slots     count, for each: generation × 2, or of the next entity × 2 + 1 if it is free
//! free      count, indices in the order in which they are used
//! rows      0, or count and the slot of each row
//! columns   count, for each: name, entities, bytes of the values (8 bytes), values
//! orders    count, for each: relation, target, sources
//!
//! entities  0, a bit for each living one; or 1, count, the distances from one to the next; or 2,
//!           if all have it
//! ```
//!
//! Each slot takes a byte at least, so that a file has no more of them than bytes.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use alloc::{format, vec};

use serde::Serialize as _;

use crate::api::saving::layout::SaveLayout;
use crate::api::saving::names::Named;
use crate::api::saving::to_text::FORMAT;
use crate::state::HasCore;
use crate::storage::slots::Row;
use crate::storage::slots::saved::SavedSlot;
use crate::words::packed::{Message, Packer};

/// What a save in bytes begins with.
pub(super) const MAGIC: &[u8] = b"ecs";

/// Entities as a bit for each that lives.
pub(super) const BITS: u8 = 0;
/// Entities as the distances from one to the next.
pub(super) const DISTANCES: u8 = 1;
/// All entities.
pub(super) const ALL: u8 = 2;

/// All of a context as bytes, or which component cannot be written.
pub(super) fn write<C: HasCore>(layout: &SaveLayout<'_, C>) -> Result<Vec<u8>, String> {
    let mut to = Packer::default();
    to.raw(MAGIC);
    to.number(FORMAT.into());
    to.sized(C::NAME.as_bytes());
    write_slots(layout, &mut to);
    let components = layout.all_components();
    to.number(components.len() as u64);
    let rows: Vec<_> = layout.entities().map(|(_, slot)| slot.row).collect();
    for named in components {
        write_column(layout, (named, &rows), &mut to)?;
    }
    let orders = write_orders(layout, &mut to);
    orders.map_err(|error| error.to_string())?;
    Ok(to.into_bytes())
}

fn write_slots<C: HasCore>(layout: &SaveLayout<'_, C>, to: &mut Packer) {
    let slots = &layout.core.slots;
    to.number(slots.rows() as u64);
    for slot in slots.saved() {
        to.number(match slot {
            SavedSlot::Alive(generation) => u64::from(generation) << 1,
            SavedSlot::Free(next) => u64::from(next) << 1 | 1,
            SavedSlot::Retired => 1,
        });
    }
    write_indices(slots.saved_free(), to);
    match slots.saved_rows() {
        Some(rows) => write_indices(rows, to),
        None => to.number(0),
    }
}

fn write_indices(indices: impl ExactSizeIterator<Item = u32>, to: &mut Packer) {
    to.number(indices.len() as u64);
    for index in indices {
        to.number(index.into());
    }
}

fn write_column<C: HasCore>(
    layout: &SaveLayout<'_, C>,
    (named, all): (&Named, &[Row]),
    to: &mut Packer,
) -> Result<(), String> {
    to.sized(layout.names.name_of(named.index).as_bytes());
    let rows = match layout.all_have(named.index) {
        true => {
            to.raw(&[ALL]);
            Cow::Borrowed(all)
        }
        false => Cow::Owned(write_entities(layout, named, to)),
    };
    let column = layout.core.columns.at(named.index);
    let values = to.part(|to| column.map_or(Ok(()), |column| column.pack_rows(&rows, to)));
    values.map_err(|error| format!("component `{}` cannot be written: {error}", named.name()))
}

/// Writes who has a component that not all have; returns their rows.
fn write_entities<C: HasCore>(
    layout: &SaveLayout<'_, C>,
    named: &Named,
    to: &mut Packer,
) -> Vec<Row> {
    let has = layout.nodes_with(named.index);
    let mut bits = vec![0_u8; layout.core.slots.len().div_ceil(8)];
    let (mut rows, mut places) = (Vec::new(), Vec::new());
    for (place, (_, slot)) in layout.entities().enumerate() {
        if has[slot.node.0 as usize] {
            bits[place / 8] |= 1 << (place % 8);
            rows.push(slot.row);
            places.push(place as u64);
        }
    }
    if bits.len() <= 2 * places.len() {
        to.raw(&[BITS]);
        to.raw(&bits);
        return rows;
    }
    to.raw(&[DISTANCES]);
    to.number(places.len() as u64);
    let mut next = 0;
    for place in places {
        to.number(place - next);
        next = place + 1;
    }
    rows
}

fn write_orders<C: HasCore>(layout: &SaveLayout<'_, C>, to: &mut Packer) -> Result<(), Message> {
    let orders = layout.source_orders();
    to.number(orders.iter().map(|(_, targets)| targets.len() as u64).sum());
    for (relation, targets) in orders {
        for (target, sources) in targets {
            to.sized(layout.names.name_of(relation).as_bytes());
            target.serialize(&mut *to)?;
            sources.serialize(&mut *to)?;
        }
    }
    Ok(())
}
