//! Which rows have living entities, 64 at a time.

use super::row::Row;
use super::{FREE, Slots};
use crate::words::entity_id::{EntityId, RawEntityId};
use crate::words::limits::ROWS;

impl Slots {
    /// Which of the rows of a word have living entities, as bits.
    pub(crate) fn alive(&self, at: usize) -> u64 {
        let (start, end) = (at * ROWS, self.slots.len().min((at + 1) * ROWS));
        if self.order.is_moved() {
            let rows = (start..end).map(|row| Row(row as u32));
            return bits(rows.map(|row| self.node_in(row).is_some()));
        }
        let slots = self.slots.get(start..end).unwrap_or(&[]);
        bits(slots.iter().map(|slot| slot.generation & FREE == 0))
    }

    /// Whether an id is one of this context, and its entity is alive.
    pub(crate) fn lives<C>(&self, id: EntityId<C>) -> bool {
        self.accept(id) && self.get(id).is_some()
    }

    /// Whether an entity that is still to be created gets this id.
    pub(crate) fn is_to_come(&self, id: RawEntityId) -> bool {
        let Some(slot) = self.slots.get(id.index() as usize) else {
            return true;
        };
        match slot.generation {
            FREE => false, // it is retired
            next if next & FREE != 0 => id.generation() >= next - FREE,
            generation => id.generation() > generation,
        }
    }
}

fn bits(alive: impl Iterator<Item = bool>) -> u64 {
    (0..).zip(alive).fold(0, |word, (place, alive): (u32, _)| {
        word | u64::from(alive) << place
    })
}
