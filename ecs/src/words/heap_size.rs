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

#[cfg(test)]
mod tests {
    use super::*;

    /// What the standard library keeps a few items in.
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
