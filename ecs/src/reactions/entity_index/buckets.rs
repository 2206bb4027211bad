//! Entities by the hash of their keys: the entities of each key.
//!
//! ```text
//! table: hash ─► bucket { hash, key, members: an id, or the number of a list }      lists[number] = [id, …]
//! places[slot] = [hash, …]        the bucket of the entity in this slot has this hash and the entity
//! ```
//!
//! A key is compared and hashed before anything is changed ([`Buckets::want`]) and never again: the
//! buckets store the hashes. So `Hash`, `Eq` and `Drop` of keys, whatever they do, never run while
//! buckets are inconsistent, and no invariant depends on keys.
//!
//! Everything visible depends on the present keys alone, never on the past: entities of a key are in the order of
//! their slots, and keys in the order of their first entities.

#[cfg(any(test, feature = "__checks"))]
mod invariants;
mod members;
mod new_keys;
mod places;

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::hash::{BuildHasher, Hash};
use core::mem;

use hashbrown::DefaultHashBuilder;

use self::members::{Lists, Members};
use self::new_keys::{NewKey, NewKeys};
use self::places::{FIRST_HASH, Hashes, Places};
use super::structure::Structure;
use crate::storage::heap::{Heap, bytes_of};
use crate::storage::segments::{Hashed, Segments};
use crate::words::entity_id::UntypedId;

pub(crate) use self::members::MemberIter;

/// The entities of a key. Not empty between changes.
struct Bucket<K> {
    members: Members,
    hash: u32,
    key: K,
}

impl<K> Hashed for Bucket<K> {
    #[inline]
    fn hash(&self) -> u32 {
        self.hash
    }
}

pub(crate) struct Buckets<K> {
    table: Segments<Bucket<K>>,
    lists: Lists,
    places: Places,
    hasher: DefaultHashBuilder,
    /// The new keys of an entity, while it is inserted.
    new_keys: NewKeys<K>,
    /// Keys to drop once all state is final.
    pending_drops: Vec<K>,
}

impl<K> Heap for Buckets<K> {
    bytes_of!(table, lists, places, new_keys, pending_drops);

    fn trim(&mut self) {
        self.table.trim();
        self.lists.trim();
        self.places.trim();
        self.new_keys.trim();
        self.pending_drops.trim();
    }
}

impl<K> Default for Buckets<K> {
    fn default() -> Self {
        Self {
            table: Segments::default(),
            lists: Lists::default(),
            places: Places::default(),
            hasher: DefaultHashBuilder::default(),
            new_keys: NewKeys::default(),
            pending_drops: Vec::new(),
        }
    }
}

impl<K: Hash + Eq> Buckets<K> {
    /// The number of keys with entities.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// The keys with entities, in the order of their first entities.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> + '_ {
        (0..self.places.slots()).flat_map(move |slot| {
            let is_first =
                move |id: Option<UntypedId>| id.is_some_and(|first| first.index() == slot);
            let first = self
                .of(slot)
                .filter(move |it| is_first(it.members.first(&self.lists)));
            first.map(|bucket| &bucket.key)
        })
    }

    #[inline]
    pub(crate) fn members<Q>(&self, key: &Q) -> MemberIter<'_>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        match self.find(key) {
            Some(bucket) => bucket.members.iter(&self.lists),
            None => MemberIter::none(),
        }
    }

    /// The first entity with a key.
    #[inline]
    pub(crate) fn first<Q>(&self, key: &Q) -> Option<UntypedId>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.find(key)?.members.first(&self.lists)
    }

    #[inline]
    fn find<Q>(&self, key: &Q) -> Option<&Bucket<K>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let is_it = |bucket: &Bucket<K>| bucket.key.borrow() == key;
        self.table.find(self.hash_of(key), is_it)
    }

    /// The upper half of the hash of a key.
    #[inline]
    fn hash_of<Q: Hash + ?Sized>(&self, key: &Q) -> u32 {
        let hash = (self.hasher.hash_one(key) >> 32) as u32;
        hash.max(FIRST_HASH)
    }

    /// Looks up a key to be given to an entity; repeated keys count once.
    fn want(&self, key: K, new_keys: &mut NewKeys<K>) {
        let hash = self.hash_of(&key);
        let bucket = self.table.position(hash, |bucket| bucket.key == key);
        new_keys.add(NewKey { hash, bucket, key });
    }

    /// Puts an entity into the buckets of these keys.
    fn put(&mut self, id: UntypedId, new_keys: &mut NewKeys<K>) {
        let slot = id.index();
        if self.has(slot, new_keys.as_slice()) {
            let unused = new_keys.drain().map(|new_key| new_key.key);
            return self.pending_drops.extend(unused);
        }
        let old = self.take_out(slot);
        let hashes = new_keys.as_slice().iter().map(|new| new.hash);
        let hashes = match new_keys.len() {
            0 | 1 => Hashes::One(hashes.last()),
            _ => Hashes::Several(hashes.collect()),
        };
        self.places.set(slot, hashes);
        for NewKey { bucket, .. } in new_keys.as_slice() {
            if let Some(bucket) = bucket.and_then(|position| self.table.at_mut(position)) {
                bucket.members.insert(id, &mut self.lists);
            }
        }
        for NewKey { hash, bucket, key } in new_keys.drain() {
            if bucket.is_some() {
                self.pending_drops.push(key);
                continue;
            }
            let mut members = Members::default();
            members.insert(id, &mut self.lists);
            self.table.insert(Bucket { members, hash, key });
        }
        self.free_empty(&old);
    }
}

impl<K> Buckets<K> {
    /// The buckets of the entity in a slot, in the order of its keys, but for different keys with equal hashes.
    fn of(&self, slot: u32) -> impl Iterator<Item = &Bucket<K>> {
        let (hashes, some_are_equal) = (self.places.of(slot), self.places.some_are_equal(slot));
        hashes.iter().enumerate().filter_map(move |(at, &hash)| {
            let before = &hashes[..if some_are_equal { at } else { 0 }];
            let nth = before.iter().filter(|it| **it == hash).count();
            let buckets = self.table.all(hash);
            let mut buckets = buckets.filter(|it| it.members.contains(slot, &self.lists));
            buckets.nth(nth)
        })
    }

    /// Whether the entity in a slot, which has a key with the hash of this bucket, is in it.
    #[inline]
    fn is_member(&self, slot: u32, bucket: &Bucket<K>) -> bool {
        self.table.sole(bucket.hash).is_some() || bucket.members.contains(slot, &self.lists)
    }

    /// Whether the entity in a slot has exactly these keys, in this order.
    fn has(&self, slot: u32, new_keys: &[NewKey<K>]) -> bool {
        let hashes = self.places.of(slot);
        let is_in = |new: &NewKey<K>| {
            let bucket = new.bucket.and_then(|position| self.table.at(position));
            bucket.is_some_and(|bucket| self.is_member(slot, bucket))
        };
        let mut pairs = hashes.iter().zip(new_keys);
        hashes.len() == new_keys.len() && pairs.all(|(hash, new)| *hash == new.hash && is_in(new))
    }

    /// Removes the entity in a slot from its buckets, which may become empty. Returns their hashes.
    fn take_out(&mut self, slot: u32) -> Hashes {
        let old = self.places.take(slot);
        for &hash in old.as_slice() {
            let bucket = self.table.position(hash, |it| self.is_member(slot, it));
            if let Some(bucket) = bucket.and_then(|position| self.table.at_mut(position)) {
                bucket.members.remove(slot, &mut self.lists);
            }
        }
        old
    }

    /// Removes the empty buckets with these hashes.
    fn free_empty(&mut self, hashes: &Hashes) {
        for &hash in hashes.as_slice() {
            let empty = self.table.remove(hash, |it| it.members.is_empty());
            self.pending_drops.extend(empty.map(|it| it.key));
        }
    }
}

impl<K: Hash + Eq + Send + Sync + 'static> Structure for Buckets<K> {
    type Key = K;

    fn keys_of(&self, id: UntypedId) -> impl Iterator<Item = &K> {
        self.of(id.index()).map(|bucket| &bucket.key)
    }

    #[inline]
    fn has_keys(&self, id: UntypedId, keys: &[K]) -> bool {
        let bucket = match self.places.of(id.index()) {
            [hash] => self.table.sole(*hash),
            _ => None,
        };
        match (bucket, keys) {
            (Some(bucket), [key]) => bucket.key == *key,
            _ => self.keys_of(id).eq(keys),
        }
    }

    fn insert(&mut self, id: UntypedId, keys: impl Iterator<Item = K>) {
        let mut new_keys = mem::take(&mut self.new_keys);
        keys.for_each(|key| self.want(key, &mut new_keys));
        self.put(id, &mut new_keys);
        self.new_keys = new_keys;
    }

    fn remove(&mut self, id: UntypedId) {
        let old = self.take_out(id.index());
        self.free_empty(&old);
    }

    fn empty(&mut self) -> impl Sized + 'static + use<K> {
        mem::take(self)
    }

    fn settle(&mut self) {
        self.pending_drops.clear();
    }

    #[cfg(any(test, feature = "__checks"))]
    fn check_invariants(&self, is_member: &dyn Fn(UntypedId) -> bool) {
        self.check_places(is_member);
    }
}
