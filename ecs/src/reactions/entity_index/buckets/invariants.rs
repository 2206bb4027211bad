//! Invariants of buckets between changes, without keys, for tests.

use alloc::vec::Vec;

use super::{Buckets, Places};
use crate::words::entity_id::UntypedId;

/// Buckets without keys, so that the check is compiled once for all key types.
pub(super) struct Shape<'a> {
    /// The members of each bucket, and whether it has a key.
    buckets: Vec<(Vec<UntypedId>, bool)>,
    free: &'a [u32],
    places: &'a [Places],
    /// The number of entries in the hash table.
    keys: usize,
}

impl<K> Buckets<K> {
    pub(super) fn shape(&self) -> Shape<'_> {
        let buckets = self.buckets.iter();
        buckets.clone().for_each(|it| it.members.check_invariants());
        let buckets = buckets.map(|it| (it.members.iter().collect(), it.key.is_some()));
        Shape {
            buckets: buckets.collect(),
            free: &self.free,
            places: &self.places,
            keys: self.table.len(),
        }
    }
}

impl Shape<'_> {
    /// Panics if members and places disagree, empty buckets are not free, or a bucket contains
    /// an entity that is not a member of the group.
    pub(super) fn check_invariants(&self, is_member: &dyn Fn(UntypedId) -> bool) {
        let mut free = self.free.to_vec();
        free.sort_unstable();
        let expected = (0..).zip(&self.buckets);
        let expected = expected.filter(|(_, (members, _))| members.is_empty());
        assert!(
            expected.map(|(bucket, _)| bucket).eq(free),
            "buckets: which are free"
        );
        let used = self.buckets.len() - self.free.len();
        assert_eq!(self.keys, used, "buckets: how many keys there are");
        let mut count = 0;
        for (bucket, (members, has_key)) in (0..).zip(&self.buckets) {
            assert_eq!(*has_key, !members.is_empty(), "buckets: key of {bucket}");
            let slots = members.iter().map(|id| id.index());
            assert!(
                slots.is_sorted_by(|a, b| a < b),
                "buckets: the order of {bucket}"
            );
            for id in members {
                assert!(is_member(*id), "buckets: {id} is not a member");
                let places = self.places[id.index() as usize].as_slice();
                assert!(places.contains(&bucket), "buckets: where {id} is");
            }
            count += members.len();
        }
        let places = self.places.iter().map(|it| it.as_slice().len());
        assert_eq!(places.sum::<usize>(), count, "buckets: how many places");
    }
}
