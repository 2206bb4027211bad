//! How much memory lists and trees take.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The bytes that a list holds for its items, spare room included.
pub(crate) fn heap_size<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// About the bytes that an ordered map holds for its items. It keeps them in nodes with room for 11, of
/// which 6 are used where items came in ascending order.
pub(crate) fn tree_size<K, V>(map: &BTreeMap<K, V>) -> usize {
    let node = 11 * size_of::<(K, V)>() + 2 * size_of::<usize>();
    map.len().div_ceil(6) * node
}
