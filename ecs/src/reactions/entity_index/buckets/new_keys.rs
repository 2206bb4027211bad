//! The new keys of an entity, without duplicates.

use alloc::vec::{self, Vec};

use hashbrown::HashTable;

use crate::storage::heap::{Heap, bytes_of};
use crate::storage::segments::{Position, spread};

/// With this many keys, duplicates are found by hash.
const MANY: usize = 16;

/// A key with its bucket, looked up in advance.
pub(super) struct NewKey<K> {
    pub(super) hash: u32,
    pub(super) bucket: Option<Position>,
    pub(super) key: K,
}

impl<K: Eq> NewKey<K> {
    fn is_same(&self, other: &Self) -> bool {
        match self.bucket {
            Some(_) => other.bucket == self.bucket,
            None => other.hash == self.hash && other.key == self.key,
        }
    }
}

/// The new keys of an entity, in order.
pub(crate) struct NewKeys<K> {
    list: Vec<NewKey<K>>,
    /// Their places by hash, once there are many.
    places: HashTable<usize>,
}

impl<K> Heap for NewKeys<K> {
    bytes_of!(list, places);

    fn trim(&mut self) {
        self.list.trim();
        self.places = HashTable::new();
    }
}

impl<K> Default for NewKeys<K> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            places: HashTable::new(),
        }
    }
}

impl<K> NewKeys<K> {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn as_slice(&self) -> &[NewKey<K>] {
        &self.list
    }

    pub(super) fn drain(&mut self) -> vec::Drain<'_, NewKey<K>> {
        self.places.clear();
        self.list.drain(..)
    }
}

impl<K: Eq> NewKeys<K> {
    /// Adds a key, unless it is present.
    pub(super) fn add(&mut self, new_keys: NewKey<K>) {
        let is_many = self.list.len() >= MANY;
        if is_many && self.places.is_empty() {
            (0..self.list.len()).for_each(|at| self.record_place(self.list[at].hash, at));
        }
        let is_known = match is_many {
            true => {
                let is_same = |&at: &usize| new_keys.is_same(&self.list[at]);
                self.places.find(spread(new_keys.hash), is_same).is_some()
            }
            false => self.list.iter().any(|other| new_keys.is_same(other)),
        };
        if is_known {
            return;
        }
        if is_many {
            self.record_place(new_keys.hash, self.list.len());
        }
        self.list.push(new_keys);
    }

    fn record_place(&mut self, hash: u32, at: usize) {
        let list = &self.list;
        let hash_of = |&at: &usize| spread(list[at].hash);
        self.places.insert_unique(spread(hash), at, hash_of);
    }
}
