//! Cloning values of a block whose type is known only at run time.

#![expect(
    unsafe_code,
    reason = "clones values whose type is known only at run time"
)]

use core::mem::needs_drop;

use crate::words::component::Component;
use crate::words::limits::{ALL_ROWS, ROWS};
use crate::words::signature::Bits;

/// Clones the values at some places of a block to the same places of another one. Sets the bits of
/// those that were written in the last argument, even if a `clone` panics; then bits of values that
/// need no drop may be missing. Safety: as for [`clone_values`].
pub(crate) type CloneValues = unsafe fn(*const u8, *mut u8, u64, &mut u64);

/// Returns the function that clones values of component `T`, if it is `Clone`.
pub(super) const fn cloner<C, T: Component<C>>() -> Option<CloneValues> {
    match T::CLONE {
        Some(_) => Some(clone_values::<C, T>),
        None => None,
    }
}

/// # Safety
///
/// Both pointers must point to aligned memory for 64 values of type `T`. The places of `from` whose
/// bits are set must hold initialized values; those of `to` must be other, uninitialized memory.
unsafe fn clone_values<C, T: Component<C>>(
    from: *const u8,
    to: *mut u8,
    occupied: u64,
    written: &mut u64,
) {
    let Some(clone) = T::CLONE else { return };
    if occupied == ALL_ROWS && !const { needs_drop::<T>() } {
        // Compiles to a memory copy if `clone` is one. A counted loop, because an iterator would be
        // compiled for each type.
        let mut at = 0;
        while at < ROWS {
            // SAFETY: all bits are set, so all values of `from` are initialized, and nothing writes
            // them meanwhile; `to` is other memory (guaranteed by the caller).
            unsafe {
                to.cast::<T>()
                    .add(at)
                    .write(clone(&*from.cast::<T>().add(at)))
            };
            at += 1;
        }
        *written = ALL_ROWS;
        return;
    }
    for place in Bits(occupied) {
        let at = place as usize;
        // SAFETY: the bit is set, so the value is initialized; its place in `to` is empty
        // (guaranteed by the caller). Its bit in `written` is set only after it was written.
        unsafe {
            let value = clone(&*from.cast::<T>().add(at));
            to.cast::<T>().add(at).write(value);
        }
        *written |= 1 << place;
    }
}
