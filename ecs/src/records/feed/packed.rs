//! The bytes of a delta with only changes, before a mirror reads them (`wire/changes.rs`).

use alloc::vec::Vec;

use crate::formats::packed::{Message, Packer, Unpacker};

/// The format, in the lowest three bits of the first byte.
pub(super) const FORMAT: u8 = 5;

/// Set in the first byte if the delta has changes of several ones.
const CUMULATIVE: u8 = 0x80;

/// The number of a delta with changes of several ones, and how many these are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Several {
    pub(super) number: u64,
    pub(super) count: u64,
}

/// The bytes of a delta that no mirror has read yet.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    /// The lowest four bits of the number.
    pub(super) low: u8,
    pub(super) tag: u16,
    pub(super) several: Option<Several>,
    pub(super) body: Vec<u8>,
}

impl Packed {
    /// Whether nothing has changed.
    pub(super) fn is_empty(&self) -> bool {
        self.body.is_empty()
    }

    /// Whether a first byte is that of such a delta.
    pub(super) fn is_format(head: u8) -> bool {
        head & !(0xf << 3 | CUMULATIVE) == FORMAT
    }

    /// Reads what follows the first byte.
    pub(super) fn from_bytes(head: u8, from: &mut Unpacker<'_>) -> Result<Self, Message> {
        let [low, high] = *from.raw(2)? else {
            return Err(Message::new("the data ends too early"));
        };
        let several = match head & CUMULATIVE {
            0 => None,
            _ => Some(Several {
                number: from.number()?,
                count: from.number()?,
            }),
        };
        Ok(Self {
            low: head >> 3 & 15,
            tag: u16::from_le_bytes([low, high]),
            several,
            body: from.raw(from.left())?.into(),
        })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let [low, high] = self.tag.to_le_bytes();
        let mut to = Packer::default();
        let head = self.low << 3 | FORMAT;
        match self.several {
            None => to.raw(&[head, low, high]),
            Some(Several { number, count }) => {
                to.raw(&[head | CUMULATIVE, low, high]);
                to.number(number);
                to.number(count);
            }
        }
        to.raw(&self.body);
        to.into_bytes()
    }
}
