//! The books of an index: which entities are filed under which keys.
//!
//! ```text
//! table: hash ─► bucket      buckets[bucket] { hash, key, members: [(id, nth), …] }
//!                                                                     │
//! filings[slot] = [(bucket, position), …]  ◄── the nth place of id ───┘
//! ```
//!
//! Members and places point at each other, so an entity is taken out of its buckets
//! without its keys and without looking for it. A key is compared and hashed before
//! anything is changed ([`Books::want`]), and never again: the table keeps the hashes.
//! So no `Hash`, `Eq` or `Drop` of a key, however it behaves, meets books that are in
//! between two states, and nothing here depends on what a hash is.
//!
//! Within a bucket entities stand in the order in which they were filed; where one is
//! taken out, the last one takes its place.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::hash::{BuildHasher, Hash};

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::words::entity_id::EntityId;

/// Where one entity stands in one bucket.
#[derive(Clone, Copy)]
struct Place {
    bucket: u32,
    position: u32,
}

/// Where one entity is filed.
#[derive(Default)]
enum Filing {
    #[default]
    Nowhere,
    At(Place),
    AtAll(Box<[Place]>),
}

impl Filing {
    fn places(&self) -> &[Place] {
        match self {
            Self::Nowhere => &[],
            Self::At(place) => core::slice::from_ref(place),
            Self::AtAll(places) => places,
        }
    }

    fn places_mut(&mut self) -> &mut [Place] {
        match self {
            Self::Nowhere => &mut [],
            Self::At(place) => core::slice::from_mut(place),
            Self::AtAll(places) => places,
        }
    }
}

/// An entity in a bucket, and which of its places that is.
pub(crate) struct Member<C> {
    pub(crate) id: EntityId<C>,
    nth: u32,
}

/// The entities of one key. An empty bucket is free, and has no key.
struct Bucket<C, K> {
    hash: u64,
    key: Option<K>,
    members: Vec<Member<C>>,
}

/// A key to file an entity under, looked up in advance.
pub(crate) struct Wanted<K> {
    hash: u64,
    bucket: Option<u32>,
    key: K,
}

/// The entities by key and the places by entity.
pub(crate) struct Books<C, K> {
    table: HashTable<u32>,
    buckets: Vec<Bucket<C, K>>,
    free: Vec<u32>,
    filings: Vec<Filing>,
    hasher: DefaultHashBuilder,
}

impl<C, K: Hash + Eq> Books<C, K> {
    pub(crate) fn new() -> Self {
        Self {
            table: HashTable::new(),
            buckets: Vec::new(),
            free: Vec::new(),
            filings: Vec::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// How many keys have entities.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// The keys that have entities, in the order of their buckets.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> + '_ {
        self.buckets.iter().filter_map(|bucket| bucket.key.as_ref())
    }

    /// The entities filed under a key.
    pub(crate) fn members<Q>(&self, key: &Q) -> &[Member<C>]
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        match self.find(self.hasher.hash_one(key), key) {
            Some(bucket) => &self.buckets[bucket as usize].members,
            None => &[],
        }
    }

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

    /// The bucket of an entity that is filed under this one key.
    fn present(&self, id: EntityId<C>, key: &K) -> Option<(u64, u32)> {
        let Some(Filing::At(place)) = self.filings.get(id.index() as usize) else {
            return None;
        };
        let bucket = &self.buckets[place.bucket as usize];
        (bucket.key.as_ref() == Some(key)).then_some((bucket.hash, place.bucket))
    }

    /// Looks a key up that an entity is to be filed under; each key counts once.
    pub(crate) fn want(&self, id: EntityId<C>, key: K, wanted: &mut Vec<Wanted<K>>) {
        let present = self.present(id, &key).filter(|_| wanted.is_empty());
        let (hash, bucket) = match present {
            Some((hash, bucket)) => (hash, Some(bucket)),
            None => {
                let hash = self.hasher.hash_one(&key);
                (hash, self.find(hash, &key))
            }
        };
        let known = |other: &Wanted<K>| match bucket {
            Some(_) => other.bucket == bucket,
            None => other.hash == hash && other.key == key,
        };
        if !wanted.iter().any(known) {
            wanted.push(Wanted { hash, bucket, key });
        }
    }

    /// Files an entity under these keys and under no others. Keys that nobody needs go
    /// to `spent`, to be dropped when all is done.
    pub(crate) fn file(
        &mut self,
        id: EntityId<C>,
        wanted: &mut Vec<Wanted<K>>,
        spent: &mut Vec<K>,
    ) {
        if self.is_filed_so(id, wanted) {
            spent.extend(wanted.drain(..).map(|wanted| wanted.key));
            return;
        }
        let old = self.take_out(id);
        let mut places = (0..)
            .zip(wanted.drain(..))
            .map(|(nth, wanted)| self.put_in(Member { id, nth }, wanted, spent));
        let filing = match (places.next(), places.next()) {
            (Some(first), Some(second)) => {
                Filing::AtAll([first, second].into_iter().chain(places).collect())
            }
            (Some(only), None) => Filing::At(only),
            (None, _) => Filing::Nowhere,
        };
        self.set_filing(id, filing);
        self.free_empty(&old, spent);
    }

    /// Takes an entity out of all its buckets.
    pub(crate) fn unfile(&mut self, id: EntityId<C>, spent: &mut Vec<K>) {
        let old = self.take_out(id);
        self.free_empty(&old, spent);
    }

    fn is_filed_so(&self, id: EntityId<C>, wanted: &[Wanted<K>]) -> bool {
        let filing = self.filings.get(id.index() as usize);
        let places = filing.map_or(&[] as &[Place], Filing::places);
        let present = places.iter().map(|place| Some(place.bucket));
        present.eq(wanted.iter().map(|wanted| wanted.bucket))
    }

    /// Empties an entity's filing. Buckets may be left empty.
    fn take_out(&mut self, id: EntityId<C>) -> Filing {
        let Some(filing) = self.filings.get_mut(id.index() as usize) else {
            return Filing::Nowhere;
        };
        let old = core::mem::take(filing);
        for place in old.places() {
            let members = &mut self.buckets[place.bucket as usize].members;
            members.swap_remove(place.position as usize);
            if let Some(moved) = members.get(place.position as usize) {
                let places = self.filings[moved.id.index() as usize].places_mut();
                places[moved.nth as usize].position = place.position;
            }
        }
        old
    }

    fn put_in(&mut self, member: Member<C>, wanted: Wanted<K>, spent: &mut Vec<K>) -> Place {
        let Wanted { hash, bucket, key } = wanted;
        let bucket = match bucket {
            Some(bucket) => {
                spent.push(key);
                bucket
            }
            None => self.new_bucket(hash, key),
        };
        let members = &mut self.buckets[bucket as usize].members;
        let position = fitting(members.len());
        members.push(member);
        Place { bucket, position }
    }

    fn new_bucket(&mut self, hash: u64, key: K) -> u32 {
        let bucket = match self.free.pop() {
            Some(bucket) => {
                let free = &mut self.buckets[bucket as usize];
                (free.hash, free.key) = (hash, Some(key));
                bucket
            }
            None => {
                self.buckets.push(Bucket {
                    hash,
                    key: Some(key),
                    members: Vec::new(),
                });
                fitting(self.buckets.len() - 1)
            }
        };
        let buckets = &self.buckets;
        let hash_of = |&bucket: &u32| buckets[bucket as usize].hash;
        self.table.insert_unique(hash, bucket, hash_of);
        bucket
    }

    fn set_filing(&mut self, id: EntityId<C>, filing: Filing) {
        let at = id.index() as usize;
        if at >= self.filings.len() {
            self.filings.resize_with(at + 1, Filing::default);
        }
        self.filings[at] = filing;
    }

    /// Frees those of the buckets that have been left empty.
    fn free_empty(&mut self, left: &Filing, spent: &mut Vec<K>) {
        for &Place { bucket, .. } in left.places() {
            let empty = &mut self.buckets[bucket as usize];
            if !empty.members.is_empty() {
                continue;
            }
            spent.extend(empty.key.take());
            let entry = self.table.find_entry(empty.hash, |&other| other == bucket);
            if let Ok(entry) = entry {
                entry.remove();
            }
            self.free.push(bucket);
        }
    }
}

fn fitting(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 keys and members")
}
