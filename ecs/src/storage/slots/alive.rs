//! Which rows have living entities, 64 at a time.

use super::row::Row;
use super::{FREE, Slots};

impl Slots {
    /// Which of the rows from `64 * at` on have living entities, as bits.
    pub(crate) fn alive(&self, at: usize) -> u64 {
        let (start, end) = (at * 64, self.slots.len().min(at * 64 + 64));
        if self.order.is_moved() {
            let rows = (start..end).map(|row| Row(row as u32));
            return bits(rows.map(|row| self.node_in(row).is_some()));
        }
        let slots = self.slots.get(start..end).unwrap_or(&[]);
        bits(slots.iter().map(|slot| slot.generation & FREE == 0))
    }
}

fn bits(alive: impl Iterator<Item = bool>) -> u64 {
    (0..).zip(alive).fold(0, |word, (place, alive): (u32, _)| {
        word | u64::from(alive) << place
    })
}
