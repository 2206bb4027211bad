//! Moving values as bytes: one value into its place without a copy on the stack, or all values of a
//! block to other memory.
//!
//! A value made by a closure and moved as a whole is written to the stack and read again, unless it
//! has the size of a register:
//!
//! ```text
//! source ─► 8 + 4 bytes ─► stack ─► 8 + 4 bytes ─► place     a 12-byte value as a whole
//! source ─► 8 + 4 bytes ─────────────────────────► place     in pieces of 8 and 4
//! ```

#![expect(unsafe_code, reason = "moves values as bytes")]

use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr::NonNull;

/// Larger values are moved as a whole.
const MOST: usize = 32;

/// Moves a value to a place, in pieces if it is small.
///
/// # Safety
///
/// The place must be valid for writing a value.
#[inline(always)] // otherwise the value is passed in memory
pub(crate) unsafe fn move_to<T>(place: NonNull<T>, value: T) {
    let size = size_of::<T>();
    if size > MOST || !size.is_multiple_of(4) {
        // SAFETY: guaranteed by the caller.
        return unsafe { place.write(value) };
    }
    let value = ManuallyDrop::new(value);
    let (from, to) = ((&raw const value).cast::<u8>(), place.cast::<u8>().as_ptr());
    let mut at = 0;
    while at < size {
        // SAFETY: both have `size` bytes, and the pieces end there. Uninitialized bytes are copied
        // unchanged, so all pieces together are the value, which is forgotten here.
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
/// `from` must be readable and `to` writable for the size of a piece.
#[inline(always)]
unsafe fn copy_piece<P>(from: *const u8, to: *mut u8) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let piece = from.cast::<P>().read_unaligned();
        to.cast::<P>().write_unaligned(piece);
    }
}

/// Copies the values at some places, run by run.
///
/// # Safety
///
/// For each bit that is set, `from` must have a value of `size` bytes at that place, and `to` must
/// have other, uninitialized memory.
pub(super) unsafe fn copy_places(from: NonNull<u8>, to: NonNull<u8>, bits: u64, size: usize) {
    let mut rest = bits;
    while rest != 0 {
        let start = rest.trailing_zeros() as usize;
        let len = (!(rest >> start)).trailing_zeros() as usize;
        // SAFETY: the bits from `start` are set; the rest is guaranteed by the caller.
        unsafe {
            let value = from.add(start * size);
            value.copy_to_nonoverlapping(to.add(start * size), len * size);
        }
        rest &= !(ones(len as u32) << start);
    }
}

/// Returns the lowest `len` bits, for up to 64.
pub(super) fn ones(len: u32) -> u64 {
    u64::MAX.checked_shr(64 - len).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;
    use alloc::string::String;
    use core::fmt::Debug;

    use super::*;

    /// A place for a value, followed by guard bytes.
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
        // SAFETY: the place is of that type, and is written before it is read.
        let moved = unsafe {
            move_to(NonNull::from(&mut places.value).cast(), value.clone());
            places.value.assume_init()
        };
        assert_eq!((moved, places.behind), (value, [0xa5; 8]));
    }

    #[test]
    fn values_of_any_size_are_moved() {
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
    fn values_with_padding_and_pointers_are_moved() {
        moves((1u8, 2u64, 3u16));
        moves((Some(Box::new(1)), 2u8));
        moves(Some(String::from("text")));
        moves((String::from("text"), 7u8));
    }

    #[test]
    fn ones_returns_the_lowest_bits() {
        assert_eq!([0, 1, 5, 64].map(ones), [0, 1, 31, u64::MAX]);
    }
}
