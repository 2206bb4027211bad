//! Cloning the values of a block, their type known at run time alone.

#![expect(
    unsafe_code,
    reason = "clones values whose type is known at run time alone"
)]

use core::mem::needs_drop;

use crate::words::component::Component;
use crate::words::limits::{ALL_ROWS, ROWS};
use crate::words::signature::Bits;

/// Clones the values at some places of a block to the same places of another one. The bits of those
/// that have been written are set in the last argument, also if a `clone` panics: values that need no
/// drop may be missing there then. Safety: as of [`clone_values`].
pub(crate) type CloneValues = unsafe fn(*const u8, *mut u8, u64, &mut u64);

/// How the values of component `T` are cloned, if they can be.
pub(super) const fn cloner<C, T: Component<C>>() -> Option<CloneValues> {
    match T::CLONE {
        Some(_) => Some(clone_values::<C, T>),
        None => None,
    }
}

/// # Safety
///
/// Both pointers lead to memory for 64 values of type `T`, aligned for them; the places of `from` whose
/// bits are set hold initialized values, and those of `to` are other memory that holds nothing.
unsafe fn clone_values<C, T: Component<C>>(
    from: *const u8,
    to: *mut u8,
    occupied: u64,
    written: &mut u64,
) {
    let Some(clone) = T::CLONE else { return };
    if occupied == ALL_ROWS && !const { needs_drop::<T>() } {
        // A loop that is a copy of memory if that is all that `clone` does; counted, for an iterator
        // would be compiled for each type.
        let mut at = 0;
        while at < ROWS {
            // SAFETY: all bits are set, so all values of `from` are initialized, and nobody writes them
            // meanwhile; the places of `to` are other memory (the caller's promises).
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
        // SAFETY: the bit is set, so a value is there; its place in `to` holds nothing (the caller's
        // promises). The bit that says so is set when it has been written.
        unsafe {
            let value = clone(&*from.cast::<T>().add(at));
            to.cast::<T>().add(at).write(value);
        }
        *written |= 1 << place;
    }
}
