//! The atomics for all memory that one thread writes while another may read it, except for
//! independent flags.
//!
//! The models in `loom/` replace this module to test all possible interleavings.

pub(crate) use core::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering, fence};

pub(crate) use once_cell::race::OnceBox;
