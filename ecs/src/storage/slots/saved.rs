//! Saving slots: ids that are alive, free slots, and rows.

use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

use super::free::FreeSlots;
use super::order::Order;
use super::progress::Progress;
use super::{EMPTY_NODE, FREE, LAST_GENERATION, MOST, Record, Row, Slots};
use crate::words::entity_id::{Lineage, RawEntityId};

impl Slots {
    /// Iterates over the state of each slot, in index order.
    pub(crate) fn saved(&self) -> impl ExactSizeIterator<Item = SavedSlot> + '_ {
        self.slots.iter().map(|slot| match slot.generation {
            FREE => SavedSlot::Retired,
            next if next & FREE != 0 => SavedSlot::Free(next - FREE),
            generation => SavedSlot::Alive(generation),
        })
    }

    /// The next generations of taken slots that skip some, by slot; 0 if the slot retires.
    pub(crate) fn saved_skips(&self) -> Vec<(u32, u32)> {
        let mut skips: Vec<_> = self
            .skips
            .iter()
            .map(|(&index, &next)| (index, next))
            .collect();
        skips.sort_unstable();
        skips
    }

    /// Iterates over the free slots, in the order of reuse.
    pub(crate) fn saved_free(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.free.in_order()
    }

    /// Iterates over the slot of each row, or returns `None` if each row is its slot's index.
    pub(crate) fn saved_rows(&self) -> Option<impl ExactSizeIterator<Item = u32> + '_> {
        let all = 0..self.slots.len() as u32; // at most `MOST`
        let rows = all.clone().map(|row| self.order.index_in(Row(row)));
        let is_moved = self.order.is_moved() && !rows.clone().eq(all);
        is_moved.then_some(rows)
    }

    /// Returns the progress of moving entities as numbers.
    pub(crate) fn saved_progress(&self) -> Vec<u64> {
        self.progress.saved()
    }

    /// Iterates over the next ids of the free slots, in the order of reuse.
    pub(crate) fn recycled(&self) -> impl ExactSizeIterator<Item = RawEntityId> + '_ {
        let id = |index: u32| {
            let generation = self.slots[index as usize].generation - FREE;
            super::id::<()>(index, generation, self.lineage).raw()
        };
        self.free.in_order().map(id)
    }

    /// Restores slots from a save, with all its entities but without components, or returns what is
    /// wrong.
    pub(crate) fn restore(
        saved: SavedSlots,
        name: &'static str,
        minimum_free: usize,
    ) -> Result<Self, String> {
        let SavedSlots {
            slots,
            free,
            rows,
            progress,
            skips,
        } = saved;
        if slots.len() as u64 > MOST {
            return Err(format!("a context has at most {MOST} entities"));
        }
        check_free(&slots, &free)?;
        check_skips(&slots, &skips)?;
        let mut restored = Self {
            retired: slots
                .iter()
                .filter(|slot| matches!(slot, SavedSlot::Retired))
                .count(),
            slots: records(&slots)?,
            free: FreeSlots::of(free, minimum_free),
            order: Order::default(),
            progress: Progress::restore(&progress, slots.len())?,
            traversals: super::Traversals::default(),
            checkpoint: 1,
            lineage: Lineage::ANY,
            skips: skips.into_iter().collect(),
            name,
        };
        if let Some(rows) = rows {
            check_rows(slots.len(), &rows)?;
            let moves = (0..).zip(&rows);
            let moves = moves.map(|(row, &index)| (Row(index), Row(row), 1));
            restored.reorder(moves);
        }
        Ok(restored)
    }
}

fn records(slots: &[SavedSlot]) -> Result<Vec<Record>, String> {
    let mut records = Vec::with_capacity(slots.len());
    for (index, slot) in slots.iter().enumerate() {
        let checked = |generation| match (1..=LAST_GENERATION).contains(&generation) {
            true => Ok(generation),
            false => Err(format!("slot {index} cannot have generation {generation}")),
        };
        let generation = match *slot {
            SavedSlot::Alive(generation) => checked(generation)?,
            SavedSlot::Free(next) => checked(next)? | FREE,
            SavedSlot::Retired => FREE,
        };
        let node = EMPTY_NODE;
        records.push(Record { generation, node });
    }
    Ok(records)
}

/// Checks that each free slot is listed once, and no other slot.
fn check_free(slots: &[SavedSlot], free: &[u32]) -> Result<(), String> {
    let is_free = |slot: &SavedSlot| matches!(slot, SavedSlot::Free(_));
    if free.is_empty() && !slots.iter().any(is_free) {
        return Ok(());
    }
    let mut listed = vec![false; slots.len()];
    for &index in free {
        match slots.get(index as usize) {
            Some(SavedSlot::Free(_)) if !listed[index as usize] => listed[index as usize] = true,
            Some(SavedSlot::Free(_)) => return Err(format!("slot {index} is free twice")),
            _ => return Err(format!("slot {index} is listed as free and is not")),
        }
    }
    let is_missing =
        |(slot, listed): &(&SavedSlot, bool)| matches!(slot, SavedSlot::Free(_)) && !listed;
    match slots.iter().zip(listed).position(|slot| is_missing(&slot)) {
        Some(index) => Err(format!("slot {index} is free and not listed as such")),
        None => Ok(()),
    }
}

/// Checks that each slot that skips generations is taken, and skips some.
fn check_skips(slots: &[SavedSlot], skips: &[(u32, u32)]) -> Result<(), String> {
    for &(index, next) in skips {
        match slots.get(index as usize) {
            Some(&SavedSlot::Alive(generation))
                if next == 0 && generation < LAST_GENERATION
                    || (generation + 2..=LAST_GENERATION).contains(&next) => {}
            _ => return Err(format!("slot {index} cannot have generation {next} next")),
        }
    }
    Ok(())
}

/// Checks that each slot has one row.
fn check_rows(slots: usize, rows: &[u32]) -> Result<(), String> {
    let mut has_row = vec![false; slots];
    for &index in rows {
        match has_row.get_mut(index as usize) {
            Some(has_row) if !*has_row => *has_row = true,
            _ => {
                return Err(format!(
                    "the list of rows has slot {index}, which has a row already or does not exist"
                ));
            }
        }
    }
    match rows.len() == slots {
        true => Ok(()),
        false => Err(format!("{} of {slots} slots have a row", rows.len())),
    }
}

/// The state of a slot in a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SavedSlot {
    /// Has the entity with this generation.
    Alive(u32),
    /// Free; the next entity gets this generation.
    Free(u32),
    /// Has no generations left.
    Retired,
}

/// Slots and rows in a save.
#[derive(Debug, Default)]
pub(crate) struct SavedSlots {
    pub(crate) slots: Vec<SavedSlot>,
    /// The free slots, in the order of reuse.
    pub(crate) free: Vec<u32>,
    /// The slot of each row, if entities have been moved.
    pub(crate) rows: Option<Vec<u32>>,
    /// The progress of moving entities, as numbers.
    pub(crate) progress: Vec<u64>,
    /// The next generations of taken slots that skip some.
    pub(crate) skips: Vec<(u32, u32)>,
}
