//! The buckets of an index: the entities of each key.
//!
//! ```text
//! table: hash ─► bucket      buckets[bucket] { hash, key, members: [(id, nth), …] }
//!                                                                     │
//! positions[slot] = [(bucket, member), …]  ◄── the nth position of id ┘
//! ```
//!
//! Members and positions refer to each other, so an entity is removed from its buckets without its
//! keys and without a search. A key is compared and hashed before anything is changed
//! ([`Buckets::want`]) and never again: the table stores the hashes. So `Hash`, `Eq` and `Drop` of
//! keys, whatever they do, never run while buckets are inconsistent, and no invariant depends on
//! hashes.
//!
//! Entities of a bucket are in order of insertion; if one is removed, the last one takes its place.

mod arrange;
#[cfg(any(test, feature = "__checks"))]
mod invariants;
mod new_keys;
mod seek;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::hash::{BuildHasher, Hash};

use hashbrown::{DefaultHashBuilder, HashTable};

use self::new_keys::NewKey;
use super::journal::IndexJournal;
use crate::storage::heap::{Heap, bytes_of, heap, trim_end};
use crate::words::entity_id::UntypedId;

pub(crate) use self::new_keys::NewKeys;

/// An entity in a bucket, and which of its positions this is.
pub(crate) struct Member {
    pub(crate) id: UntypedId,
    nth: u32,
}

/// The entities of a key. An empty bucket is free and has no key.
struct Bucket<K> {
    hash: u64,
    key: Option<K>,
    members: Vec<Member>,
}

heap!(Bucket<K>: members);

pub(crate) struct Buckets<K> {
    table: HashTable<u32>,
    buckets: Vec<Bucket<K>>,
    free: Vec<u32>,
    positions: Vec<Positions>,
    hasher: DefaultHashBuilder,
    journal: IndexJournal<BucketStep<K>>,
}

impl<K> Heap for Buckets<K> {
    bytes_of!(table, buckets, free, positions, journal; each buckets, positions);

    fn trim(&mut self) {
        if !self.journal.is_recording() {
            // Recorded steps refer to buckets by number.
            trim_end(&mut self.buckets, |bucket| bucket.key.is_some());
            let buckets = self.buckets.len();
            self.free.retain(|&bucket| (bucket as usize) < buckets);
            self.free.trim();
        }
        self.buckets.iter_mut().for_each(Heap::trim);
        let buckets = &self.buckets;
        let hash_of = |&bucket: &u32| buckets[bucket as usize].hash;
        self.table.shrink_to_fit(hash_of);
        trim_end(&mut self.positions, |it| !it.as_slice().is_empty());
        self.journal.trim();
    }
}

impl<K: Hash + Eq> Buckets<K> {
    pub(crate) fn new() -> Self {
        Self {
            table: HashTable::new(),
            buckets: Vec::new(),
            free: Vec::new(),
            positions: Vec::new(),
            hasher: DefaultHashBuilder::default(),
            journal: IndexJournal::new(),
        }
    }

    /// The number of keys with entities.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// The keys with entities, in the order of their buckets.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> + '_ {
        self.buckets.iter().filter_map(|bucket| bucket.key.as_ref())
    }

    /// The keys of an entity's buckets, in order of insertion.
    pub(crate) fn keys_of(&self, id: UntypedId) -> impl Iterator<Item = &K> + '_ {
        let positions = self.positions_of(id).iter();
        positions.filter_map(|position| self.buckets[position.bucket as usize].key.as_ref())
    }

    pub(crate) fn members<Q>(&self, key: &Q) -> &[Member]
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

    /// The bucket of an entity, if this is its only key.
    fn present(&self, id: UntypedId, key: &K) -> Option<(u64, u32)> {
        let Some(Positions::One(position)) = self.positions.get(id.index() as usize) else {
            return None;
        };
        let bucket = &self.buckets[position.bucket as usize];
        (bucket.key.as_ref() == Some(key)).then_some((bucket.hash, position.bucket))
    }

    /// Looks up a key to be given to an entity; repeated keys count once.
    pub(crate) fn want(&self, id: UntypedId, key: K, new_keys: &mut NewKeys<K>) {
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

    /// Puts an entity into exactly the buckets of these keys. Unused keys go to `pending_drops`, to
    /// be dropped at the end.
    pub(crate) fn insert(
        &mut self,
        id: UntypedId,
        new_keys: &mut NewKeys<K>,
        pending_drops: &mut Vec<K>,
    ) {
        if self.is_under(id, new_keys.as_slice()) {
            pending_drops.extend(new_keys.drain().map(|new_keys| new_keys.key));
            return;
        }
        let old = self.take_out(id, pending_drops);
        let positions = self.put_in_all(id, new_keys, pending_drops);
        self.set_positions(id, positions);
        self.record(|| BucketStep::PutIn(id, Positions::None), pending_drops);
        self.free_empty(&old, pending_drops);
    }

    /// Records a step, if steps are recorded. Unused keys go to `pending_drops`.
    #[inline]
    fn record(&mut self, step: impl FnOnce() -> BucketStep<K>, pending_drops: &mut Vec<K>) {
        if self.journal.is_recording() {
            let cut = self.journal.push(step());
            pending_drops.extend(cut.into_iter().filter_map(BucketStep::into_key));
        }
    }

    /// Records that a bucket became empty. The journal keeps its key if steps are recorded.
    fn record_freed(&mut self, bucket: u32, key: Option<(u64, K)>, pending_drops: &mut Vec<K>) {
        if self.journal.is_recording() {
            self.record(|| BucketStep::Freed { bucket, key }, pending_drops);
        } else {
            pending_drops.extend(key.map(|(_, key)| key));
        }
    }

    /// Removes an entity from all its buckets.
    pub(crate) fn remove(&mut self, id: UntypedId, pending_drops: &mut Vec<K>) {
        let old = self.take_out(id, pending_drops);
        self.free_empty(&old, pending_drops);
    }

    fn positions_of(&self, id: UntypedId) -> &[Position] {
        let positions = self.positions.get(id.index() as usize);
        positions.map_or(&[], Positions::as_slice)
    }

    fn is_under(&self, id: UntypedId, new_keys: &[NewKey<K>]) -> bool {
        let positions = self.positions_of(id);
        let mut pairs = positions.iter().zip(new_keys);
        positions.len() == new_keys.len()
            && pairs.all(|(position, new_keys)| new_keys.bucket == Some(position.bucket))
    }

    fn positions_mut(&mut self, id: UntypedId) -> Option<&mut Positions> {
        self.positions.get_mut(id.index() as usize)
    }

    /// Removes an entity from its buckets, which may become empty.
    fn take_out(&mut self, id: UntypedId, pending_drops: &mut Vec<K>) -> Positions {
        let old = self.take_members(id);
        if !old.as_slice().is_empty() {
            self.record(|| BucketStep::TakenOut(id, old.clone()), pending_drops);
        }
        old
    }

    fn take_members(&mut self, id: UntypedId) -> Positions {
        let Some(positions) = self.positions_mut(id) else {
            return Positions::None;
        };
        let old = core::mem::take(positions);
        for position in old.as_slice() {
            let members = &mut self.buckets[position.bucket as usize].members;
            members.swap_remove(position.member as usize);
            if let Some(moved) = members.get(position.member as usize) {
                let positions = self.positions[moved.id.index() as usize].as_mut_slice();
                positions[moved.nth as usize].member = position.member;
            }
        }
        old
    }

    fn put_in_all(
        &mut self,
        id: UntypedId,
        new_keys: &mut NewKeys<K>,
        pending_drops: &mut Vec<K>,
    ) -> Positions {
        if new_keys.len() > 1 {
            return Positions::Many(self.put_in_many(id, new_keys, pending_drops));
        }
        match new_keys.pop() {
            Some(only) => Positions::One(self.put_in(Member { id, nth: 0 }, only, pending_drops)),
            None => Positions::None,
        }
    }

    fn put_in_many(
        &mut self,
        id: UntypedId,
        new_keys: &mut NewKeys<K>,
        pending_drops: &mut Vec<K>,
    ) -> Box<[Position]> {
        let mut positions = Vec::with_capacity(new_keys.len());
        for new_keys in new_keys.drain() {
            let nth = fitting(positions.len());
            positions.push(self.put_in(Member { id, nth }, new_keys, pending_drops));
        }
        positions.into_boxed_slice()
    }

    fn put_in(
        &mut self,
        member: Member,
        new_keys: NewKey<K>,
        pending_drops: &mut Vec<K>,
    ) -> Position {
        let NewKey { hash, bucket, key } = new_keys;
        let bucket = match bucket {
            Some(bucket) => {
                pending_drops.push(key);
                bucket
            }
            None => self.new_bucket(hash, key, pending_drops),
        };
        let members = &mut self.buckets[bucket as usize].members;
        members.push(member);
        Position {
            bucket,
            member: fitting(members.len() - 1),
        }
    }

    fn new_bucket(&mut self, hash: u64, key: K, pending_drops: &mut Vec<K>) -> u32 {
        let is_new = self.free.is_empty();
        let bucket = self.open_bucket(hash, key);
        let key = None;
        let made = || BucketStep::Made {
            bucket,
            is_new,
            key,
        };
        self.record(made, pending_drops);
        bucket
    }

    /// Assigns a key to the bucket freed last, or to a new one.
    fn open_bucket(&mut self, hash: u64, key: K) -> u32 {
        let bucket = self.free.pop().unwrap_or_else(|| {
            self.buckets.push(Bucket {
                hash,
                key: None,
                members: Vec::new(),
            });
            fitting(self.buckets.len() - 1)
        });
        self.give_key(bucket, hash, key);
        bucket
    }

    /// Assigns a key to an empty bucket.
    fn give_key(&mut self, bucket: u32, hash: u64, key: K) {
        let empty = &mut self.buckets[bucket as usize];
        (empty.hash, empty.key) = (hash, Some(key));
        let buckets = &self.buckets;
        let hash_of = |&bucket: &u32| buckets[bucket as usize].hash;
        self.table.insert_unique(hash, bucket, hash_of);
    }

    /// Takes the key of an empty bucket, with its hash.
    fn take_key(&mut self, bucket: u32) -> Option<(u64, K)> {
        let empty = &mut self.buckets[bucket as usize];
        let (hash, key) = (empty.hash, empty.key.take());
        let entry = self.table.find_entry(hash, |&other| other == bucket);
        if let Ok(entry) = entry {
            entry.remove();
        }
        Some((hash, key?))
    }

    fn set_positions(&mut self, id: UntypedId, positions: Positions) {
        let at = id.index() as usize;
        if at >= self.positions.len() {
            self.positions.resize_with(at + 1, Positions::default);
        }
        self.positions[at] = positions;
    }

    /// Frees those of the buckets that are empty.
    fn free_empty(&mut self, left: &Positions, pending_drops: &mut Vec<K>) {
        for &Position { bucket, .. } in left.as_slice() {
            if self.buckets[bucket as usize].members.is_empty() {
                let key = self.take_key(bucket);
                self.free.push(bucket);
                self.record_freed(bucket, key, pending_drops);
            }
        }
    }
}

fn fitting(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 keys and members")
}

/// A recorded step. Contents are kept for one direction only, because the other one can recompute
/// them.
enum BucketStep<K> {
    /// An entity was appended to its buckets: to these, if the step is to be redone.
    PutIn(UntypedId, Positions),
    /// An entity was removed from its buckets: from these, if the step is to be undone.
    TakenOut(UntypedId, Positions),
    /// A bucket was assigned to a key: to this one, if the step is to be redone.
    Made {
        bucket: u32,
        is_new: bool,
        key: Option<(u64, K)>,
    },
    /// A bucket became empty; its key, if the step is to be undone.
    Freed { bucket: u32, key: Option<(u64, K)> },
}

impl<K> BucketStep<K> {
    /// The key stored in the step.
    fn into_key(self) -> Option<K> {
        match self {
            Self::Made { key, .. } | Self::Freed { key, .. } => key.map(|(_, key)| key),
            Self::PutIn(..) | Self::TakenOut(..) => None,
        }
    }
}

/// The position of an entity: its bucket, and its index among the members.
#[derive(Clone, Copy)]
struct Position {
    bucket: u32,
    member: u32,
}

/// All positions of an entity.
#[derive(Clone, Default)]
enum Positions {
    #[default]
    None,
    One(Position),
    Many(Box<[Position]>),
}

impl Heap for Positions {
    fn bytes(&self) -> usize {
        match self {
            Self::Many(positions) => positions.bytes(),
            Self::None | Self::One(_) => 0,
        }
    }
}

impl Positions {
    fn as_slice(&self) -> &[Position] {
        match self {
            Self::None => &[],
            Self::One(position) => core::slice::from_ref(position),
            Self::Many(positions) => positions,
        }
    }

    fn as_mut_slice(&mut self) -> &mut [Position] {
        match self {
            Self::None => &mut [],
            Self::One(position) => core::slice::from_mut(position),
            Self::Many(positions) => positions,
        }
    }
}
