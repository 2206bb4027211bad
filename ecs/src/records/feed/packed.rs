//! The bytes of a delta with only changes, before a mirror reads them (`wire/changes.rs`).

use alloc::vec::Vec;

use crate::formats::packed::{Message, Unpacker};

/// The format, in the lowest three bits of the first byte.
pub(super) const FORMAT: u8 = 3;

/// The bytes of a delta that no mirror has read yet.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    /// The lowest four bits of the number.
    pub(super) low: u8,
    pub(super) tag: u16,
    pub(super) body: Vec<u8>,
}

impl Packed {
    /// Whether nothing has changed.
    pub(super) fn is_empty(&self) -> bool {
        self.body.is_empty()
    }

    /// Whether a first byte is that of such a delta.
    pub(super) fn is_format(head: u8) -> bool {
        head & 0x87 == FORMAT
    }

    /// Reads what follows the first byte.
    pub(super) fn from_bytes(head: u8, from: &mut Unpacker<'_>) -> Result<Self, Message> {
        let [low, high] = *from.raw(2)? else {
            return Err(Message::new("the data ends too early"));
        };
        Ok(Self {
            low: head >> 3,
            tag: u16::from_le_bytes([low, high]),
            body: from.raw(from.left())?.into(),
        })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let [low, high] = self.tag.to_le_bytes();
        let mut bytes = Vec::with_capacity(self.body.len() + 3);
        bytes.extend([self.low << 3 | FORMAT, low, high]);
        bytes.extend(&self.body);
        bytes
    }
}
