//! The memory that lists and registries have on the heap.
//!
//! A registry names the fields that own some ([`heap!`](heap)), or implements [`Heap`] by hand if there is more to
//! free than unused capacity. Memory of component values, of keys and of what closures capture does not count.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BinaryHeap, VecDeque};
use alloc::vec::Vec;
use core::hash::{BuildHasher, Hash};

use hashbrown::{HashMap, HashSet, HashTable};
use once_cell::race::OnceBox;

use crate::words::demands::Confined;
use crate::words::signature::RawComponentSet;

/// What owns memory on the heap.
pub(crate) trait Heap {
    /// The bytes allocated, including spare capacity.
    fn bytes(&self) -> usize;

    /// Frees unused memory.
    fn trim(&mut self) {}
}

/// The function [`Heap::bytes`] of a struct: the sum over these fields and, after `each`, over the items of these.
macro_rules! bytes_of {
    ($($field:ident),* $(,)? $(; each $($list:ident),*)?) => {
        fn bytes(&self) -> usize {
            let fields = [$($crate::storage::heap::Heap::bytes(&self.$field)),*];
            let items = [$($(self.$list.iter().map($crate::storage::heap::Heap::bytes).sum::<usize>()),*)?];
            fields.into_iter().chain(items).sum()
        }
    };
}

/// Implements [`Heap`] for a struct by these fields and, after `each`, by the items of these lists.
macro_rules! heap {
    ($type:ident $(<$($parameter:ident),*>)?: $($field:ident),* $(,)? $(; each $($list:ident),*)?) => {
        impl$(<$($parameter),*>)? $crate::storage::heap::Heap for $type$(<$($parameter),*>)? {
            $crate::storage::heap::bytes_of!($($field),* $(; each $($list),*)?);

            fn trim(&mut self) {
                $($crate::storage::heap::Heap::trim(&mut self.$field);)*
                $($(self.$list.iter_mut().for_each($crate::storage::heap::Heap::trim);)*)?
            }
        }
    };
}

pub(crate) use {bytes_of, heap};

/// Drops the items after the last that is in use, and frees their memory.
pub(crate) fn trim_end<T>(list: &mut Vec<T>, is_used: impl Fn(&T) -> bool) {
    let last = list.iter().rposition(is_used);
    list.truncate(last.map_or(0, |last| last + 1));
    list.shrink_to_fit();
}

/// Implements [`Heap`] for lists, without the heap memory of the items.
macro_rules! lists {
    ($($list:ident)*) => {$(
        impl<T> Heap for $list<T> {
            fn bytes(&self) -> usize {
                self.capacity() * size_of::<T>()
            }

            fn trim(&mut self) {
                self.shrink_to_fit();
            }
        }
    )*};
}

lists!(Vec VecDeque BinaryHeap);

impl<K: Hash + Eq, V, S: BuildHasher> Heap for HashMap<K, V, S> {
    fn bytes(&self) -> usize {
        self.allocation_size()
    }

    fn trim(&mut self) {
        self.shrink_to_fit();
    }
}

impl<T: Hash + Eq, S: BuildHasher> Heap for HashSet<T, S> {
    fn bytes(&self) -> usize {
        self.allocation_size()
    }

    fn trim(&mut self) {
        self.shrink_to_fit();
    }
}

/// Keeps its capacity: only its owner knows the hashes.
impl<T> Heap for HashTable<T> {
    fn bytes(&self) -> usize {
        self.allocation_size()
    }
}

impl<K, V: Heap> Heap for BTreeMap<K, V> {
    fn bytes(&self) -> usize {
        tree_size(self) + self.values().map(Heap::bytes).sum::<usize>()
    }

    fn trim(&mut self) {
        if self.is_empty() {
            *self = Self::new(); // an emptied one keeps a node
        }
        self.values_mut().for_each(Heap::trim);
    }
}

/// Without the heap memory of the items.
impl<T> Heap for [T] {
    fn bytes(&self) -> usize {
        0
    }
}

impl<T, const N: usize> Heap for [T; N] {
    fn bytes(&self) -> usize {
        0
    }
}

impl<T: Heap + ?Sized> Heap for Box<T> {
    fn bytes(&self) -> usize {
        size_of_val(&**self) + (**self).bytes()
    }

    fn trim(&mut self) {
        (**self).trim();
    }
}

impl<T: Heap> Heap for Option<T> {
    fn bytes(&self) -> usize {
        self.as_ref().map_or(0, Heap::bytes)
    }

    fn trim(&mut self) {
        self.iter_mut().for_each(Heap::trim);
    }
}

impl<T: Heap> Heap for OnceBox<T> {
    fn bytes(&self) -> usize {
        self.get().map_or(0, |it| size_of_val(it) + it.bytes())
    }
}

impl<T: Heap> Heap for Confined<T> {
    fn bytes(&self) -> usize {
        (**self).bytes()
    }

    fn trim(&mut self) {
        (**self).trim();
    }
}

impl Heap for RawComponentSet {
    fn bytes(&self) -> usize {
        self.heap_size()
    }
}

/// Estimates the bytes allocated by an ordered map. Its nodes have room for 11 items: up to 11
/// share one node, more are stored six per node if inserted in ascending order. Every sixth or
/// seventh node also has twelve child pointers.
fn tree_size<K, V>(map: &BTreeMap<K, V>) -> usize {
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
