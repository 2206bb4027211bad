//! Moving values as bytes: one into its place without a detour through the stack, or all of a
//! block to other memory.
//!
//! A value that a closure has put together and that is moved on as a whole is written to the
//! stack and read again, unless it has the size of a register:
//!
//! ```text
//! source ─► 8 + 4 bytes ─► stack ─► 8 + 4 bytes ─► place     a value of 12 bytes as a whole
//! source ─► 8 + 4 bytes ─────────────────────────► place     in pieces of 8 and 4
//! ```

#![expect(unsafe_code, reason = "moves values as bytes")]

use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr::NonNull;

/// Values of more bytes are moved as a whole.
const MOST: usize = 32;

/// Moves a value to a place, in pieces if it is small.
///
/// # Safety
///
/// The place is valid for a write of a value.
#[inline(always)] // else it would be handed a value in memory
pub(crate) unsafe fn move_to<T>(place: NonNull<T>, value: T) {
    let size = size_of::<T>();
    if size > MOST || !size.is_multiple_of(4) {
        // SAFETY: the caller's promise.
        return unsafe { place.write(value) };
    }
    let value = ManuallyDrop::new(value);
    let (from, to) = ((&raw const value).cast::<u8>(), place.cast::<u8>().as_ptr());
    let mut at = 0;
    while at < size {
        // SAFETY: both have `size` bytes from their start on, and the pieces end there. What
        // may be uninitialized keeps its bytes as they are when it is copied, so all pieces
        // together are the value, which is forgotten here.
        unsafe {
            if size - at >= 8 {
                copy_piece::<MaybeUninit<u64>>(from.add(at), to.add(at));
            } else {
                copy_piece::<MaybeUninit<u32>>(from.add(at), to.add(at));
            }
        }
        at += 8;
    }
}

/// # Safety
///
/// `from` can be read and `to` be written as far as a piece goes.
#[inline(always)]
unsafe fn copy_piece<P>(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        let piece = from.cast::<P>().read_unaligned();
        to.cast::<P>().write_unaligned(piece);
    }
}

/// Copies the values at some places, run by run.
///
/// # Safety
///
/// Where bits are set, values of `size` bytes are at the places from `from` on, and the
/// places from `to` on are other memory that holds nothing.
pub(super) unsafe fn copy_places(from: NonNull<u8>, to: NonNull<u8>, bits: u64, size: usize) {
    let mut rest = bits;
    while rest != 0 {
        let start = rest.trailing_zeros() as usize;
        let len = (!(rest >> start)).trailing_zeros() as usize;
        // SAFETY: the bits from `start` on are set; the rest is the caller's promise.
        unsafe {
            let value = from.add(start * size);
            value.copy_to_nonoverlapping(to.add(start * size), len * size);
        }
        rest &= !(ones(len as u32) << start);
    }
}

/// The lowest `len` bits, for up to 64.
pub(super) fn ones(len: u32) -> u64 {
    u64::MAX.checked_shr(64 - len).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;
    use alloc::string::String;
    use core::fmt::Debug;

    use super::*;

    /// A place for a value, with bytes right behind it.
    #[repr(C)]
    struct Places<T> {
        value: MaybeUninit<T>,
        behind: [u8; 8],
    }

    fn moves<T: PartialEq + Debug + Clone>(value: T) {
        let mut places = Places {
            value: MaybeUninit::<T>::uninit(),
            behind: [0xa5; 8],
        };
        // SAFETY: the place is one of that type, and filled before it is read.
        let moved = unsafe {
            move_to(NonNull::from(&mut places.value).cast(), value.clone());
            places.value.assume_init()
        };
        assert_eq!((moved, places.behind), (value, [0xa5; 8]));
    }

    #[test]
    fn a_value_of_any_size_arrives_whole() {
        moves(());
        moves(1u8);
        moves([1u16; 3]);
        moves([1.0f32; 3]);
        moves([1u32, 2, 3, 4, 5]);
        moves([1u64, 2, 3]);
        moves([[1u8, 2, 3, 4]; 7]);
        moves([1u64, 2, 3, 4]);
        moves([1.0f32; 16]);
    }

    #[test]
    fn a_value_with_gaps_and_pointers_arrives_whole() {
        moves((1u8, 2u64, 3u16));
        moves((Some(Box::new(1)), 2u8));
        moves(Some(String::from("text")));
        moves((String::from("text"), 7u8));
    }

    #[test]
    fn ones_are_as_many_as_asked_for() {
        assert_eq!([0, 1, 5, 64].map(ones), [0, 1, 31, u64::MAX]);
    }
}
