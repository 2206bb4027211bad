//! Memory use of lists and trees.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Returns the bytes allocated for a list's items, including spare capacity.
pub(crate) fn heap_size<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// Estimates the bytes allocated by an ordered map. Its nodes have room for 11 items: up to 11
/// share one node, more are stored six per node if inserted in ascending order. Every sixth or
/// seventh node also has twelve child pointers.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The layout of a leaf node in the standard library.
    #[expect(dead_code, reason = "it is measured alone")]
    struct Leaf<K, V> {
        parent: Option<core::ptr::NonNull<()>>,
        place: u16,
        len: u16,
        keys: [K; 11],
        values: [V; 11],
    }

    #[test]
    fn a_small_tree_takes_one_node() {
        assert_eq!(tree_size(&BTreeMap::<u8, u8>::new()), 0);
        assert_eq!(
            tree_size(&BTreeMap::from([(1_u8, 2_u8)])),
            size_of::<Leaf<u8, u8>>()
        );
        let most: BTreeMap<u64, u32> = (0..11).map(|key| (key, 0)).collect();
        assert_eq!(tree_size(&most), size_of::<Leaf<u64, u32>>());
    }
}
