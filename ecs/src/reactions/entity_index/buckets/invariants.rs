//! Invariants of buckets between changes, without keys, for tests.

use alloc::vec;
use core::hash::Hash;

use super::{Buckets, Positions, fitting};
use crate::reactions::entity_index::journal::BucketsCopy;
use crate::words::entity_id::UntypedId;

/// Buckets without keys, so that the check is compiled once for all key types.
pub(crate) struct Shape<'a> {
    buckets: BucketsCopy,
    positions: &'a [Positions],
    /// The number of keys, and of entries in the hash table.
    keys: [usize; 2],
}

impl<K: Hash + Eq> Buckets<K> {
    pub(crate) fn shape(&self) -> Shape<'_> {
        let keys = self.buckets.iter().filter(|bucket| bucket.key.is_some());
        Shape {
            buckets: self.copied(),
            positions: &self.positions,
            keys: [keys.count(), self.table.len()],
        }
    }
}

impl Shape<'_> {
    /// Panics if members and positions disagree, empty buckets are not free, or a bucket contains
    /// an entity that is not a member of the group.
    pub(crate) fn check_invariants(&self, is_member: &dyn Fn(UntypedId) -> bool) {
        let buckets = &self.buckets.buckets;
        let mut is_free = vec![false; buckets.len()];
        for &bucket in &self.buckets.free {
            let is_twice = core::mem::replace(&mut is_free[bucket as usize], true);
            assert!(!is_twice, "buckets: bucket {bucket} is free twice");
        }
        let used = buckets.len() - self.buckets.free.len();
        assert_eq!(self.keys, [used, used], "buckets: how many keys there are");
        let mut count = 0;
        for (bucket, (list, is_free)) in buckets.iter().zip(is_free).enumerate() {
            assert_eq!(
                list.is_empty(),
                is_free,
                "buckets: whether {bucket} is free"
            );
            for (at, &(id, nth)) in list.iter().enumerate() {
                assert!(is_member(id), "buckets: {id} is not a member");
                let position = self.positions[id.index() as usize].as_slice()[nth as usize];
                let recorded = (position.bucket, position.member);
                let place = (fitting(bucket), fitting(at));
                assert_eq!(recorded, place, "buckets: where {id} is");
            }
            count += list.len();
        }
        let positions = self.positions.iter().map(|it| it.as_slice().len());
        assert_eq!(
            positions.sum::<usize>(),
            count,
            "buckets: how many positions"
        );
    }
}
