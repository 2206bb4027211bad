//! How much memory lists take.

use alloc::vec::Vec;

/// The bytes that a list holds for its items, spare room included.
pub(crate) fn heap_size<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}
