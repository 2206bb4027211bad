//! How much memory lists and trees take.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The bytes that a list holds for its items, spare room included.
pub(crate) fn heap_size<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// About the bytes that an ordered map holds for its items. It keeps them in nodes with room for 11: all in
/// one as long as they fit, otherwise six in each where they came in ascending order. Every sixth or seventh
/// node has twelve others below it.
pub(crate) fn tree_size<K, V>(map: &BTreeMap<K, V>) -> usize {
    let items = 11 * (size_of::<K>() + size_of::<V>());
    let node =
        (items + size_of::<usize>() + 2 * size_of::<u16>()).next_multiple_of(size_of::<usize>());
    match map.len() {
        0 => 0,
        1..=11 => node,
        many => many.div_ceil(6) * (node + 2 * size_of::<usize>()),
    }
}
