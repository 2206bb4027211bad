//! The atomics of the library, chosen only here.
//!
//! The models in `loom/` replace this module to test all possible interleavings.

#[cfg(not(any(target_has_atomic = "64", feature = "portable-atomic")))]
compile_error!(
    "this target has no atomics of 64 bits: enable the feature `portable-atomic` of `ecs`"
);

#[cfg(debug_assertions)]
pub(crate) use core::sync::atomic::AtomicU32;
#[cfg(all(target_has_atomic = "64", not(feature = "portable-atomic")))]
pub(crate) use core::sync::atomic::AtomicU64;
pub(crate) use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering, fence};

#[cfg(feature = "portable-atomic")]
pub(crate) use portable_atomic::AtomicU64;

pub(crate) use once_cell::race::OnceBox;
