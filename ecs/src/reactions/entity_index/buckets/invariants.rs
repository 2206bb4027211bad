//! Invariants of buckets between changes, for tests.

use super::{Bucket, Buckets};
use crate::words::entity_id::UntypedId;

impl<K> Buckets<K> {
    /// Panics if buckets and places disagree, a bucket is empty, or it contains an entity that is not a member of the
    /// group.
    pub(super) fn check_places(&self, is_member: &dyn Fn(UntypedId) -> bool) {
        let (mut count, mut lists) = (0, 0);
        for Bucket { hash, members, .. } in self.table.iter() {
            members.check_invariants(&self.lists);
            let ids = members.iter(&self.lists);
            assert!(!members.is_empty(), "buckets: one is empty");
            assert!(
                ids.clone().is_sorted_by(|a, b| a.index() < b.index()),
                "buckets: the order of {ids:?}",
                ids = ids.clone().collect::<alloc::vec::Vec<_>>()
            );
            for id in ids.clone() {
                assert!(is_member(id), "buckets: {id} is not a member");
                let hashes = self.places.of(id.index());
                assert!(hashes.contains(hash), "buckets: where {id} is");
            }
            count += ids.len();
            lists += usize::from(members.has_list());
        }
        let places = (0..self.places.slots()).map(|slot| self.places.of(slot).len());
        assert_eq!(places.sum::<usize>(), count, "buckets: how many places");
        assert_eq!(self.lists.len(), lists, "buckets: how many lists");
    }
}
