//! What threads meet in: everything of the library that is written by one thread while another one
//! may read it, but for flags that say nothing of other memory.
//!
//! In one place, so that the models in `loom/` can put others in its place, which try every order in
//! which threads may see each other's writes.

pub(crate) use core::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering, fence};

pub(crate) use once_cell::race::OnceBox;
