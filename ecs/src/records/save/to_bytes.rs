//! Writing binary formats: all slots, then a column per component.
//!
//! ```text
//! "ecs", format, name of the context
//! slots     count, for each: generation × 2, or that of the next entity × 2 + 1 if it is free
//! free      count, indices in the order in which they are used
//! rows      0, or count and the slot of each row
//! progress  0, or count and the numbers that describe the progress of moving entities
//! columns   count, for each: name, entities, bytes of the values (8 bytes), values
//! orders    count, for each: relation, target, sources
//! entered   only if there are any; 0, count, for each: bytes (8 bytes), component, purpose, state
//! ```
//!
//! A part begins with "ecp", and instead of slots, free, rows and progress it has:
//!
//! ```text
//! entities  count, for each: index, generation
//! absent    count, for each: index, generation, of other entities that the values refer to
//! ```
//!
//! Each slot takes at least one byte, so the size of a file limits the number of slots.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::Serializer as _;

use super::entered::{entered, write_entered};
use super::layout::SaveLayout;
use super::names::Named;
use super::places::{ALL, write_places};
use super::unknown::write_unknown;
use crate::formats::packed::{Message, Packer};
use crate::records::bytes::{FORMAT, join_fields};
use crate::state::HasCore;
use crate::storage::slots::Row;
use crate::storage::slots::saved::SavedSlot;
use crate::words::saving::absent::FoundAbsent;

/// The first bytes of a binary save.
pub(super) const MAGIC: &[u8] = b"ecs";
/// The first bytes of a binary save of a part.
pub(super) const PART: &[u8] = b"ecp";

/// Writes a layout; an error names a component that cannot be written.
pub(super) fn write<C: HasCore>(
    layout: &SaveLayout<'_, C>,
    absent: Option<&[FoundAbsent]>,
) -> Result<Vec<u8>, String> {
    let mut to = Packer::default();
    to.raw(if absent.is_some() { PART } else { MAGIC });
    to.number(FORMAT);
    to.sized(C::NAME.as_bytes());
    let slots = match absent {
        Some(absent) => write_part(layout, absent, &mut to),
        None => write_slots(layout, &mut to),
    };
    slots.map_err(|error| error.to_string())?;
    let components = layout.all_components();
    let unknown = layout.unknown_columns();
    to.number((components.len() + unknown.len()) as u64);
    let rows = layout.rows();
    for named in components {
        write_column(layout, (named, &rows), &mut to)?;
    }
    for (column, places) in unknown {
        let written = write_unknown((column, &places), layout.len(), &mut to);
        written.map_err(|error| error.to_string())?;
    }
    let orders = write_orders(layout, &mut to);
    orders.map_err(|error| error.to_string())?;
    let unknown = layout.unknown_states();
    let unknown = unknown.map_or(&[][..], |unknown| &unknown.entered);
    let written = write_entered(&entered(layout), unknown, &mut to);
    written.map_err(|error| error.to_string())?;
    Ok(to.into_bytes())
}

fn write_part<C: HasCore>(
    layout: &SaveLayout<'_, C>,
    absent: &[FoundAbsent],
    to: &mut Packer,
) -> Result<(), Message> {
    to.collect_seq(layout.part.unwrap_or_default())?;
    to.collect_seq(absent.iter().map(|(id, _)| id))
}

fn write_slots<C: HasCore>(layout: &SaveLayout<'_, C>, to: &mut Packer) -> Result<(), Message> {
    let slots = layout.core.world.slots();
    to.number(slots.rows() as u64);
    let mut skips = slots.saved_skips().into_iter().peekable();
    for (index, slot) in (0..).zip(slots.saved()) {
        let skip = skips.next_if(|&(of, _)| of == index);
        to.number(match slot {
            SavedSlot::Alive(generation) => {
                let skipped = skip.map_or(0, |(_, next)| match next {
                    0 => 1,                    // retires
                    next => next - generation, // at least 2
                });
                u64::from(skipped) << 32 | u64::from(generation) << 1
            }
            SavedSlot::Free(next) => u64::from(next) << 1 | 1,
            SavedSlot::Retired => 1,
        });
    }
    to.collect_seq(slots.saved_free())?;
    to.collect_seq(slots.saved_rows().into_iter().flatten())?;
    to.collect_seq(slots.saved_progress())
}

fn write_column<C: HasCore>(
    layout: &SaveLayout<'_, C>,
    (named, all): (&Named, &[Row]),
    to: &mut Packer,
) -> Result<(), String> {
    let (name, fields) = (layout.names.name_of(named.index), named.saving().fields);
    to.sized(join_fields(name, fields).as_bytes());
    let rows = match layout.all_have(named.index) {
        true => {
            to.raw(&[ALL]);
            Cow::Borrowed(all)
        }
        false => Cow::Owned(write_entities(layout, named, to)),
    };
    let column = layout.core.world.columns().at(named.index);
    let values = to.part(|to| column.map_or(Ok(()), |column| column.pack_rows(&rows, to)));
    values.map_err(|error| format!("component `{}` cannot be written: {error}", named.name()))
}

/// Writes which entities have a component; returns their rows.
fn write_entities<C: HasCore>(
    layout: &SaveLayout<'_, C>,
    named: &Named,
    to: &mut Packer,
) -> Vec<Row> {
    let has = layout.nodes_with(named.index);
    let (mut rows, mut places) = (Vec::new(), Vec::new());
    for (place, (_, slot)) in (0..).zip(layout.entities()) {
        if has[slot.node.0 as usize] {
            rows.push(slot.row);
            places.push(place);
        }
    }
    write_places(&places, layout.len(), to);
    rows
}

fn write_orders<C: HasCore>(layout: &SaveLayout<'_, C>, to: &mut Packer) -> Result<(), Message> {
    let orders = layout.source_orders();
    to.collect_seq(orders.iter().flat_map(|(relation, targets)| {
        let each = targets.iter();
        each.map(move |(target, sources)| (relation, target, &**sources))
    }))
}
