//! The names of the systems that have changed something, by number.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::words::actor::{changes, with_current};

/// The systems that have changed something, and which of them runs at present.
#[derive(Default)]
pub(super) struct Actors {
    names: Vec<Box<str>>,
    /// The number of the one that ran when this was noted.
    current: u16,
    seen: u64,
}

impl Actors {
    /// The number of the system that runs, if that is the same as before.
    #[inline]
    pub(super) fn known(&self) -> Option<u16> {
        (changes() == self.seen).then_some(self.current)
    }

    /// The number of the system that runs; 0 if none is known.
    pub(super) fn current(&mut self) -> u16 {
        let changes = changes();
        if changes != self.seen {
            self.seen = changes;
            self.current = with_current(|name| name.map_or(0, |name| self.number(name)));
        }
        self.current
    }

    /// The name of a system by its number.
    pub(super) fn name(&self, number: u16) -> Option<&str> {
        let place = usize::from(number).checked_sub(1)?;
        self.names.get(place).map(|name| &**name)
    }

    #[cold]
    #[inline(never)]
    fn number(&mut self, name: &str) -> u16 {
        let known = self.names.iter().position(|known| **known == *name);
        let place = known.unwrap_or_else(|| {
            self.names.push(name.to_owned().into_boxed_str());
            self.names.len() - 1
        });
        u16::try_from(place + 1).unwrap_or(0)
    }
}
