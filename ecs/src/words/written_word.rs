//! A word of bits that references of a query set when they are written through.

use crate::words::atomic::{AtomicU64, Ordering::Relaxed};

/// A word with a bit for each of 64 rows.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct WrittenWord<'a> {
    bits: &'a AtomicU64,
    /// Whether several threads may set bits at the same time.
    shared: bool,
}

impl<'a> WrittenWord<'a> {
    #[inline]
    pub(crate) fn new(bits: &'a AtomicU64, shared: bool) -> Self {
        Self { bits, shared }
    }

    /// Sets bits. Relaxed: the threads end before the bits are read.
    #[inline]
    pub(crate) fn set(self, rows: u64) {
        let before = self.bits.load(Relaxed);
        if !self.shared {
            self.bits.store(before | rows, Relaxed);
        } else if before & rows != rows {
            self.bits.fetch_or(rows, Relaxed);
        }
    }
}
