//! The values of a component that deltas divide: the fields that have changed, and numbers as differences.
//!
//! ```text
//! journal   the cells of an entity at each stamp               reactions/feeds/images.rs
//! sender    what the receiver may have: those since the stamp of the acknowledged delta
//! bytes     the lowest bits of each number, so many that the one nearest to any of these is meant
//! mirror    the cells that it has applied
//! ```
//!
//! So nothing is kept for a receiver except for the number of its delta. It does not matter which of the
//! deltas since have arrived, and errors do not add up: a number in the bytes is an exact multiple of the step.

use alloc::vec::Vec;

use crate::reactions::feeds::Journal;
use crate::words::entity_id::UntypedId;
use crate::words::saving::cells::Cell;
use crate::world::World;

/// The cells of a column.
#[derive(Clone, Default)]
pub(crate) struct ColumnCells {
    /// Those of all values, one after the other.
    cells: Vec<Cell>,
    /// The number of cells of a value.
    each: usize,
    /// One per value.
    owners: Vec<OwnerCells>,
    /// For each cell, how many bits of it are sent if it is a number; for others, whether it is sent.
    pub(super) widths: Vec<u8>,
}

/// What a receiver has of a value.
#[derive(Clone, Copy)]
pub(super) struct OwnerCells {
    /// Whether the receiver has some cells of the entity, so that only changed ones are sent.
    pub(super) known: bool,
    /// The changed ones, as bits.
    pub(super) changed: u64,
}

impl ColumnCells {
    /// Cells of this many values.
    pub(super) fn with_capacity(values: usize, each: usize) -> Self {
        Self {
            cells: Vec::with_capacity(values * each),
            owners: Vec::with_capacity(values),
            ..Self::default()
        }
    }

    /// Adds a value. A receiver has one of the images `since`; `None` if it may have none.
    pub(super) fn push<'a>(
        &mut self,
        image: &[Cell],
        since: Option<impl Iterator<Item = &'a [Cell]>>,
    ) {
        self.each = image.len();
        self.widths.resize(image.len(), 0);
        let (known, mut changed) = (since.is_some(), 0);
        for before in since.into_iter().flatten() {
            for (at, (old, new)) in before.iter().zip(image).enumerate() {
                let width = width(old, new);
                changed |= u64::from(width > 0) << at;
                self.widths[at] = self.widths[at].max(width);
            }
        }
        self.owners.push(OwnerCells { known, changed });
        self.cells.extend_from_slice(image);
    }

    /// Adds a value of which a receiver has nothing.
    pub(super) fn push_whole(&mut self, image: &[Cell]) {
        self.push(image, None::<core::iter::Empty<_>>);
    }

    /// The cells of each value, and what a receiver has of it.
    pub(super) fn iter(&self) -> impl Iterator<Item = (OwnerCells, &[Cell])> + Clone {
        let owners = self.owners.iter().enumerate();
        owners.map(|(at, owner)| (*owner, &self.cells[at * self.each..][..self.each]))
    }
}

/// How many bits of a number a receiver needs that has another one, or whether bytes differ.
fn width(old: &Cell, new: &Cell) -> u8 {
    match (old, new) {
        (Cell::Number(old), Cell::Number(new)) if old != new => {
            let difference = new.wrapping_sub(*old);
            let unsigned = difference ^ (difference >> 63);
            (65 - unsigned.leading_zeros()) as u8
        }
        (old, new) => u8::from(old != new),
    }
}

/// Moves collected changes of a component to its journal, except for those in which no cell differs.
pub(super) fn record(
    world: &World,
    journal: &mut Journal,
    changed: &[UntypedId],
    stamps: (u64, u64),
) {
    /// Records those that are left without their values if user code panics.
    struct Rest<'a>(&'a mut Journal, core::slice::Iter<'a, UntypedId>, u64);
    impl Drop for Rest<'_> {
        fn drop(&mut self) {
            for id in self.1.as_slice() {
                self.0.images.clear(id.index());
                self.0.recent.touch(id.index(), self.2);
            }
        }
    }
    let mut rest = Rest(journal, changed.iter(), stamps.0);
    let mut image = Vec::new();
    while let Some(id) = rest.1.as_slice().first() {
        let present = present(world, rest.0, id.index(), &mut image); // user code
        let Rest(journal, ids, stamp) = &mut rest;
        ids.next();
        let differs = match present {
            Some(id) => journal.images.push(id, &image, stamps),
            None => {
                journal.images.clear(id.index());
                true
            }
        };
        if differs {
            journal.recent.touch(id.index(), *stamp);
        }
    }
}

/// The entity in a slot, if it has the component; `image` becomes its cells.
fn present(
    world: &World,
    journal: &Journal,
    slot: u32,
    image: &mut Vec<Cell>,
) -> Option<UntypedId> {
    let (id, at) = world.slots.alive_in::<()>(slot)?;
    let value = world.columns().at(journal.component)?.view(at.row)?;
    let is_divided = world.describe(journal.component).divide(value, image);
    is_divided.then_some(id.untyped())
}
