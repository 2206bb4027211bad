//! The bytes of a column that is divided into cells.
//!
//! ```text
//! whole     which values are written whole; for each, its cells: zigzag varints, and bytes with their length
//! widths    if others are left, a byte for each cell: how many bits of a number are written, or whether bytes
//!           are; 128 more if a bit per value says which have them
//! bits      of all others: for each cell that bit, and those of numbers, in whole bytes together
//! bytes     of all others, with their lengths
//! ```
//!
//! A mirror has other numbers. Each written one is that nearest to its own with these lowest bits.

use alloc::string::String;
use alloc::vec::Vec;

use super::lists::{read_list, write_list};
use crate::formats::packed::{Message, Packer, Unpacker};
use crate::records::bytes::read_values;
use crate::records::feed::cells::{ColumnCells, OwnerCells};
use crate::records::feed::column::DeltaColumn;
use crate::records::feed::mirror_cells::MirrorCells;
use crate::state::HasCore;
use crate::storage::descriptor::saving::CellTable;
use crate::words::entity_id::EntityId;
use crate::words::saving::cells::{Cell, kinds, write_value};

/// Set in a width if a bit for each value says whether it has the cell.
const MASKED: u8 = 0x80;

/// Bits being written, lowest first.
#[derive(Default)]
struct Bits {
    pending: u128,
    count: u32,
}

impl Bits {
    fn write(&mut self, value: u64, width: u8, to: &mut Packer) {
        self.pending |= u128::from(lowest(value, width)) << self.count;
        self.count += u32::from(width);
        if self.count >= 64 {
            to.raw(&(self.pending as u64).to_le_bytes());
            (self.pending, self.count) = (self.pending >> 64, self.count - 64);
        }
    }

    fn finish(self, to: &mut Packer) {
        let bytes = self.count.div_ceil(8) as usize;
        to.raw(&self.pending.to_le_bytes()[..bytes]);
    }

    fn read(&mut self, width: u8, from: &mut Unpacker<'_>) -> Result<u64, Message> {
        while self.count < u32::from(width) {
            self.pending |= u128::from(from.raw(1)?[0]) << self.count;
            self.count += 8;
        }
        let value = lowest(self.pending as u64, width);
        (self.pending, self.count) = (self.pending >> width, self.count - u32::from(width));
        Ok(value)
    }
}

fn lowest(value: u64, width: u8) -> u64 {
    match width {
        0 => 0,
        width => value & (u64::MAX >> (64 - width)),
    }
}

/// The number nearest to another one that has these lowest bits.
fn nearest(other: i64, lowest: u64, width: u8) -> i64 {
    let unused = 64 - u32::from(width);
    let difference = (lowest.wrapping_sub(other as u64) << unused) as i64 >> unused;
    other.wrapping_add(difference)
}

fn write_cell(cell: &Cell, to: &mut Packer) {
    match cell {
        Cell::Number(number) => to.number((number << 1 ^ number >> 63) as u64),
        Cell::Bytes(bytes) => to.sized(bytes),
    }
}

fn read_bytes(from: &mut Unpacker<'_>) -> Result<Cell, Message> {
    let len = from.count()?;
    Ok(Cell::Bytes(from.raw(len)?.into()))
}

fn read_image(table: &CellTable, from: &mut Unpacker<'_>) -> Result<Vec<Cell>, Message> {
    let cells = kinds(table.layout).map(|is_number| match is_number {
        true => {
            let number = from.number()?;
            Ok(Cell::Number((number >> 1) as i64 ^ -((number & 1) as i64)))
        }
        false => read_bytes(from),
    });
    cells.collect()
}

/// Writes cells that are not those of the values in a delta with everything: if something has changed since
/// the last delta.
pub(super) fn write_images<C: HasCore>(
    column: &DeltaColumn<C>,
    to: &mut Packer,
) -> Result<(), String> {
    let cells = column
        .cells
        .as_ref()
        .ok_or("its fields cannot be written")?;
    let (descriptor, mut present) = (column.descriptor(), Vec::new());
    let values = column.set.values.iter().zip(cells.iter());
    let are_same = { values }
        .all(|(value, (_, image))| descriptor.divide(value, &mut present) && present == image);
    to.raw(&[u8::from(!are_same)]);
    if !are_same {
        let all = cells.iter().flat_map(|(_, image)| image);
        all.for_each(|cell| write_cell(cell, to));
    }
    Ok(())
}

/// Reads what [`write_images`] writes, after the values.
pub(super) fn read_images<C: HasCore>(
    column: &mut DeltaColumn<C>,
    table: &CellTable,
    from: &mut Unpacker<'_>,
) -> Result<(), Message> {
    let descriptor = column.descriptor();
    let mut cells = ColumnCells::default();
    let (are_same, mut image) = (from.raw(1)?[0] == 0, Vec::new());
    for value in column.set.values.iter() {
        if !are_same {
            image = read_image(table, from)?;
        } else if !descriptor.divide(value, &mut image) {
            return Err(Message::new("its fields cannot be written"));
        }
        cells.push_whole(&image);
    }
    column.cells = Some(cells);
    Ok(())
}

/// Writes the values of a column.
pub(super) fn write<C: HasCore>(owners: &[EntityId<C>], cells: &ColumnCells, to: &mut Packer) {
    let whole = owners.iter().zip(cells.iter());
    let whole = whole.filter(|(_, (cells, _))| !cells.known);
    let whole: Vec<_> = whole.map(|(&id, _)| id).collect();
    write_list(owners, &whole, to);
    let images = cells.iter().filter(|(owner, _)| !owner.known);
    images
        .flat_map(|(_, image)| image)
        .for_each(|cell| write_cell(cell, to));
    let known = cells.iter().filter(|(owner, _)| owner.known);
    let Some((_, first)) = known.clone().next() else {
        return;
    };
    let widths = widths(cells, first, owners.len() - whole.len());
    to.raw(&widths);
    write_changed(&widths, known, to);
}

/// The bytes of widths: whether a bit per value takes less space than the cells of all known ones.
fn widths(cells: &ColumnCells, first: &[Cell], known: usize) -> Vec<u8> {
    let widths = cells.widths.iter().zip(first).enumerate();
    let each = widths.map(|(at, (&width, cell))| {
        let of_known = cells.iter().filter(|(owner, _)| owner.known);
        let changed = of_known.filter(|(owner, _)| owner.changed >> at & 1 != 0);
        let is_smaller = known + usize::from(width) * changed.count() < usize::from(width) * known;
        let is_masked = width > 0 && (is_smaller || matches!(cell, Cell::Bytes(_)));
        if is_masked { width | MASKED } else { width }
    });
    each.collect()
}

fn write_changed<'c>(
    widths: &[u8],
    known: impl Iterator<Item = (OwnerCells, &'c [Cell])> + Clone,
    to: &mut Packer,
) {
    let mut bits = Bits::default();
    for (owner, image) in known.clone() {
        for ((at, width), cell) in (0..).zip(widths).zip(image) {
            let is_sent = width & MASKED == 0 || owner.changed >> at & 1 != 0;
            if width & MASKED != 0 {
                bits.write(is_sent.into(), 1, to);
            }
            if let (true, Cell::Number(number)) = (is_sent, cell) {
                bits.write(*number as u64, width & !MASKED, to);
            }
        }
    }
    bits.finish(to);
    for (owner, image) in known {
        for (at, cell) in (0..).zip(image) {
            if let (1, Cell::Bytes(bytes)) = (owner.changed >> at & 1, cell) {
                to.sized(bytes);
            }
        }
    }
}

/// Reads the values of a column, of which a mirror has others.
pub(super) fn read<C: HasCore>(
    column: &mut DeltaColumn<C>,
    (table, version): (&CellTable, u32),
    has: &MirrorCells<C>,
    from: &mut Unpacker<'_>,
) -> Result<(), Message> {
    let component = column.component();
    let owners = &column.set.owners;
    let whole = read_list(owners, from)?;
    let mut images = Vec::new();
    for _ in &whole {
        images.push(read_image(table, from)?);
    }
    let others = owners.iter().filter(|id| whole.binary_search(id).is_err());
    let old: Option<Vec<_>> = others.map(|id| has.get(component, *id)).collect();
    let old = old.ok_or_else(|| Message::new("a value is not known"))?;
    let mut changed = match old.is_empty() {
        true => Vec::new(),
        false => read_changed(table, &old, from)?,
    }
    .into_iter();
    let mut images = images.into_iter();
    let (mut cells, mut bytes) = (ColumnCells::default(), Packer::default());
    for id in owners {
        let image = match whole.binary_search(id) {
            Ok(_) => images.next(),
            Err(_) => changed.next(),
        };
        let image = image.ok_or_else(|| Message::new("a value is missing"))?;
        write_value(&image, table.layout, &mut bytes)?;
        cells.push_whole(&image);
    }
    let (count, bytes) = (owners.len(), bytes.into_bytes());
    read_values(&mut column.set.values, (version, count), &bytes).map_err(|(_, error)| error)?;
    column.cells = Some(cells);
    Ok(())
}

/// Reads what has changed in the values that a mirror has.
fn read_changed(
    table: &CellTable,
    old: &[&[Cell]],
    from: &mut Unpacker<'_>,
) -> Result<Vec<Vec<Cell>>, Message> {
    let widths = from.raw(kinds(table.layout).count())?;
    if widths.iter().any(|width| width & !MASKED > 64) {
        return Err(Message::new("a number has more than 64 bits"));
    }
    let mut bits = Bits::default();
    let mut images = Vec::new();
    for old in old {
        let mut cells = old.to_vec();
        let mut sent = 0_u64;
        for ((at, width), cell) in (0..).zip(widths).zip(&mut cells) {
            let (is_masked, width) = (width & MASKED != 0, width & !MASKED);
            if is_masked && bits.read(1, from)? == 0 || width == 0 {
                continue;
            }
            match cell {
                Cell::Number(number) => *number = nearest(*number, bits.read(width, from)?, width),
                Cell::Bytes(_) => sent |= 1 << at,
            }
        }
        images.push((cells, sent));
    }
    let images = images.into_iter().map(|(mut cells, sent)| {
        for (at, cell) in (0..).zip(&mut cells) {
            if sent >> at & 1 != 0 {
                *cell = read_bytes(from)?;
            }
        }
        Ok(cells)
    });
    images.collect()
}
