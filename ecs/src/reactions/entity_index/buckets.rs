//! Entities by the hash of their keys: the entities of each key.
//!
//! ```text
//! table: hash ─► bucket      buckets[bucket] { hash, key, members: [id, …] }
//!                    ▲
//! places[slot] = [bucket, …]        the buckets of the entity in this slot
//! ```
//!
//! A key is compared and hashed before anything is changed ([`Buckets::want`]) and never again: the
//! table stores the hashes. So `Hash`, `Eq` and `Drop` of keys, whatever they do, never run while
//! buckets are inconsistent, and no invariant depends on hashes.
//!
//! Everything visible depends on the present keys alone, never on the past: entities of a key are in the order of
//! their slots, and keys in the order of their first entities.

#[cfg(any(test, feature = "__checks"))]
mod invariants;
mod members;
mod new_keys;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::hash::{BuildHasher, Hash};
use core::mem;

use hashbrown::{DefaultHashBuilder, HashTable};

use self::members::Members;
use self::new_keys::{NewKey, NewKeys};
use super::structure::Structure;
use crate::storage::heap::{Heap, bytes_of, heap, trim_end};
use crate::words::entity_id::UntypedId;

pub(crate) use self::members::MemberIter;

/// The entities of a key. An empty bucket is free and has no key.
struct Bucket<K> {
    hash: u64,
    key: Option<K>,
    members: Members,
}

heap!(Bucket<K>: members);

pub(crate) struct Buckets<K> {
    table: HashTable<u32>,
    buckets: Vec<Bucket<K>>,
    free: Vec<u32>,
    /// By slot.
    places: Vec<Places>,
    hasher: DefaultHashBuilder,
    /// The new keys of an entity, while it is inserted.
    new_keys: NewKeys<K>,
    /// Keys to drop once all state is final.
    pending_drops: Vec<K>,
}

impl<K> Heap for Buckets<K> {
    bytes_of!(table, buckets, free, places, new_keys, pending_drops; each buckets, places);

    fn trim(&mut self) {
        trim_end(&mut self.buckets, |bucket| bucket.key.is_some());
        let buckets = self.buckets.len();
        self.free.retain(|&bucket| (bucket as usize) < buckets);
        self.free.trim();
        self.buckets.iter_mut().for_each(Heap::trim);
        let buckets = &self.buckets;
        let hash_of = |&bucket: &u32| buckets[bucket as usize].hash;
        self.table.shrink_to_fit(hash_of);
        trim_end(&mut self.places, |it| !it.as_slice().is_empty());
        self.new_keys.trim();
        self.pending_drops.trim();
    }
}

impl<K> Default for Buckets<K> {
    fn default() -> Self {
        Self {
            table: HashTable::new(),
            buckets: Vec::new(),
            free: Vec::new(),
            places: Vec::new(),
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
        let places = (0..).zip(&self.places);
        let placed = places
            .flat_map(|(slot, places)| places.as_slice().iter().map(move |&bucket| (slot, bucket)));
        placed.filter_map(|(slot, bucket)| {
            let Bucket { key, members, .. } = &self.buckets[bucket as usize];
            let first = members.iter().next()?;
            key.as_ref().filter(|_| first.index() == slot)
        })
    }

    #[inline]
    pub(crate) fn members<Q>(&self, key: &Q) -> MemberIter<'_>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        match self.find(self.hasher.hash_one(key), key) {
            Some(bucket) => self.buckets[bucket as usize].members.iter(),
            None => MemberIter::none(),
        }
    }

    #[inline]
    fn find<Q>(&self, hash: u64, key: &Q) -> Option<u32>
    where
        K: Borrow<Q>,
        Q: Eq + ?Sized,
    {
        let found = self.table.find(hash, |&bucket| {
            let bucket = &self.buckets[bucket as usize];
            bucket.hash == hash && bucket.key.as_ref().is_some_and(|k| k.borrow() == key)
        });
        found.copied()
    }

    /// The bucket of an entity, if this is its only key.
    fn present(&self, id: UntypedId, key: &K) -> Option<(u64, u32)> {
        let Some(Places::One(place)) = self.places.get(id.index() as usize) else {
            return None;
        };
        let bucket = &self.buckets[*place as usize];
        (bucket.key.as_ref() == Some(key)).then_some((bucket.hash, *place))
    }

    /// Looks up a key to be given to an entity; repeated keys count once.
    fn want(&self, id: UntypedId, key: K, new_keys: &mut NewKeys<K>) {
        let present = self.present(id, &key).filter(|_| new_keys.is_empty());
        let (hash, bucket) = match present {
            Some((hash, bucket)) => (hash, Some(bucket)),
            None => {
                let hash = self.hasher.hash_one(&key);
                (hash, self.find(hash, &key))
            }
        };
        new_keys.add(NewKey { hash, bucket, key });
    }

    /// Puts an entity into the buckets of these keys.
    fn put(&mut self, id: UntypedId, new_keys: &mut NewKeys<K>) {
        let places = self.places_of(id);
        let mut pairs = places.iter().zip(new_keys.as_slice());
        if places.len() == new_keys.len() && pairs.all(|(place, new)| new.bucket == Some(*place)) {
            let unused = new_keys.drain().map(|new_key| new_key.key);
            return self.pending_drops.extend(unused);
        }
        let old = self.take_out(id);
        let places = match new_keys.len() {
            0 => Places::None,
            1 => new_keys
                .pop()
                .map_or(Places::None, |only| Places::One(self.put_in(id, only))),
            _ => Places::Many(new_keys.drain().map(|new| self.put_in(id, new)).collect()),
        };
        let slot = id.index() as usize;
        if slot >= self.places.len() {
            self.places.resize_with(slot + 1, Places::default);
        }
        self.places[slot] = places;
        self.free_empty(&old);
    }

    /// Puts an entity into the bucket of a key; returns its number.
    fn put_in(&mut self, id: UntypedId, NewKey { hash, bucket, key }: NewKey<K>) -> u32 {
        let bucket = match bucket {
            Some(bucket) => {
                self.pending_drops.push(key);
                bucket
            }
            None => self.open_bucket(hash, key),
        };
        self.buckets[bucket as usize].members.insert(id);
        bucket
    }

    /// Assigns a key to the bucket freed last, or to a new one.
    fn open_bucket(&mut self, hash: u64, key: K) -> u32 {
        let bucket = self.free.pop().unwrap_or_else(|| {
            self.buckets.push(Bucket {
                hash,
                key: None,
                members: Members::default(),
            });
            u32::try_from(self.buckets.len() - 1).expect("fewer than 2^32 keys")
        });
        let empty = &mut self.buckets[bucket as usize];
        (empty.hash, empty.key) = (hash, Some(key));
        let buckets = &self.buckets;
        let hash_of = |&bucket: &u32| buckets[bucket as usize].hash;
        self.table.insert_unique(hash, bucket, hash_of);
        bucket
    }
}

impl<K> Buckets<K> {
    fn places_of(&self, id: UntypedId) -> &[u32] {
        let places = self.places.get(id.index() as usize);
        places.map_or(&[], Places::as_slice)
    }

    /// Removes an entity from its buckets, which may become empty.
    fn take_out(&mut self, id: UntypedId) -> Places {
        let places = self.places.get_mut(id.index() as usize);
        let old = places.map(mem::take).unwrap_or_default();
        for &bucket in old.as_slice() {
            self.buckets[bucket as usize].members.remove(id);
        }
        old
    }

    /// Frees those of the buckets that are empty.
    fn free_empty(&mut self, left: &Places) {
        for &bucket in left.as_slice() {
            let left = &mut self.buckets[bucket as usize];
            if !left.members.is_empty() {
                continue;
            }
            self.pending_drops.extend(left.key.take());
            if let Ok(entry) = self.table.find_entry(left.hash, |&other| other == bucket) {
                entry.remove();
            }
            self.free.push(bucket);
        }
    }
}

impl<K: Hash + Eq + Send + Sync + 'static> Structure for Buckets<K> {
    type Key = K;

    fn keys_of(&self, id: UntypedId) -> impl Iterator<Item = &K> {
        let places = self.places_of(id).iter();
        places.filter_map(|&place| self.buckets[place as usize].key.as_ref())
    }

    fn insert(&mut self, id: UntypedId, keys: impl Iterator<Item = K>) {
        let mut new_keys = mem::take(&mut self.new_keys);
        keys.for_each(|key| self.want(id, key, &mut new_keys));
        self.put(id, &mut new_keys);
        self.new_keys = new_keys;
    }

    fn remove(&mut self, id: UntypedId) {
        let old = self.take_out(id);
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
        self.shape().check_invariants(is_member);
    }
}

/// The buckets of an entity.
#[derive(Default)]
enum Places {
    #[default]
    None,
    One(u32),
    Many(Box<[u32]>),
}

impl Heap for Places {
    fn bytes(&self) -> usize {
        match self {
            Self::Many(places) => places.bytes(),
            Self::None | Self::One(_) => 0,
        }
    }
}

impl Places {
    fn as_slice(&self) -> &[u32] {
        match self {
            Self::None => &[],
            Self::One(place) => core::slice::from_ref(place),
            Self::Many(places) => places,
        }
    }
}
