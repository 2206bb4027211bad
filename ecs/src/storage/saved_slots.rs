//! What a save says of slots: plain data, which nobody has believed yet.

use alloc::vec::Vec;

/// What a save says of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SavedSlot {
    /// The entity of this generation lives in it.
    Alive(u32),
    /// The next entity in it will be of this generation.
    Free(u32),
    /// Its generations are used up.
    Retired,
}

/// All that a save says of slots and rows.
#[derive(Debug, Default)]
pub(crate) struct SavedSlots {
    pub(crate) slots: Vec<SavedSlot>,
    /// The free slots, in the order in which they are used.
    pub(crate) free: Vec<u32>,
    /// The slot of each row, if entities have been moved.
    pub(crate) rows: Option<Vec<u32>>,
}
