//! Copies of buckets without their keys, and restoring the order of a copy.
//!
//! A copy includes the order of buckets, because keys are iterated in this order, and the free
//! list, because it determines the place of the next key.

use alloc::vec::Vec;
use core::hash::Hash;

use hashbrown::HashTable;

use super::{Bucket, Buckets, Member, Positions, fitting};
use crate::reactions::entity_index::journal::BucketsCopy;
use crate::words::entity_id::UntypedId;

impl<K: Hash + Eq> Buckets<K> {
    /// The members of each bucket.
    pub(crate) fn copied(&self) -> BucketsCopy {
        let mut buckets = Vec::with_capacity(self.buckets.len());
        for bucket in &self.buckets {
            buckets.push(copy_of(&bucket.members));
        }
        let free = self.free.clone();
        let dirty = Vec::new();
        BucketsCopy {
            buckets,
            free,
            dirty,
        }
    }

    /// Restores the numbers of buckets and the order of their members from a copy; does nothing if
    /// the contents differ. Keys keep their hashes, so no user code runs.
    pub(crate) fn arrange(&mut self, copy: &BucketsCopy) {
        let Some(numbers) = self.numbers_in(copy) else {
            return;
        };
        let mut old: Vec<_> = core::mem::take(&mut self.buckets);
        old.push(Bucket {
            hash: 0,
            key: None,
            members: Vec::new(),
        });
        let free = old.len() - 1;
        for (members, number) in copy.buckets.iter().zip(numbers) {
            let old = &mut old[number.map_or(free, |number| number as usize)];
            self.add_arranged(old.hash, old.key.take(), members);
        }
        self.free.clone_from(&copy.free);
        self.table = HashTable::with_capacity(self.buckets.len());
        for bucket in 0..self.buckets.len() {
            self.list_in_table(fitting(bucket));
        }
    }

    /// The current number of each bucket of a copy; `None` if any bucket has other members.
    fn numbers_in(&self, copy: &BucketsCopy) -> Option<Vec<Option<u32>>> {
        let numbers = copy.buckets.iter().map(|members| {
            let Some(first) = members.first() else {
                return Some(None);
            };
            let bucket = self.bucket_of(*first)?;
            let is_here = |member: &_| self.bucket_of(*member) == Some(bucket);
            let count = self.buckets[bucket as usize].members.len();
            (members.len() == count && members.iter().all(is_here)).then_some(Some(bucket))
        });
        let numbers: Vec<_> = numbers.collect::<Option<_>>()?;
        let used = numbers.iter().flatten().count();
        (used == self.table.len()).then_some(numbers)
    }

    /// The bucket of an entity by the number of its key.
    fn bucket_of(&self, (id, nth): (UntypedId, u32)) -> Option<u32> {
        let position = self.positions_of(id).get(nth as usize)?;
        let member = &self.buckets[position.bucket as usize].members[position.member as usize];
        (member.id == id).then_some(position.bucket)
    }

    /// Adds a bucket with these members, and updates their positions.
    fn add_arranged(&mut self, hash: u64, key: Option<K>, members: &[(UntypedId, u32)]) {
        let bucket = fitting(self.buckets.len());
        place(&mut self.positions, bucket, members);
        let members = of_copy(members);
        self.buckets.push(Bucket { hash, key, members });
    }

    /// Inserts a bucket in the hash table, if it has a key.
    fn list_in_table(&mut self, bucket: u32) {
        let buckets = &self.buckets;
        let hash_of = |&bucket: &u32| buckets[bucket as usize].hash;
        if buckets[bucket as usize].key.is_some() {
            self.table.insert_unique(hash_of(&bucket), bucket, hash_of);
        }
    }
}

// The rest does not depend on the key type, so it is compiled once.

fn copy_of(members: &[Member]) -> Vec<(UntypedId, u32)> {
    let pairs = members.iter().map(|member| (member.id, member.nth));
    pairs.collect()
}

fn of_copy(members: &[(UntypedId, u32)]) -> Vec<Member> {
    let members = members.iter().map(|&(id, nth)| Member { id, nth });
    members.collect()
}

/// Updates the positions of a bucket's members.
fn place(positions: &mut [Positions], bucket: u32, members: &[(UntypedId, u32)]) {
    for (member, (id, nth)) in members.iter().enumerate() {
        let positions = &mut positions[id.index() as usize];
        let position = &mut positions.as_mut_slice()[*nth as usize];
        (position.bucket, position.member) = (bucket, fitting(member));
    }
}
