//! Giving up the memory of buckets that nobody is in.

use core::hash::Hash;

use super::Buckets;
use super::positions::Positions;

impl<K: Hash + Eq> Buckets<K> {
    /// Gives up the memory that nobody is in. Runs no user code: hashes are known, and a bucket that is
    /// empty has no key.
    pub(crate) fn trim(&mut self) {
        if !self.journal.is_recording() {
            self.drop_empty_end(); // its steps are about buckets by their numbers
        }
        for bucket in &mut self.buckets {
            bucket.members.shrink_to_fit();
        }
        let buckets = &self.buckets;
        let hash_of = |&bucket: &u32| buckets[bucket as usize].hash;
        self.table.shrink_to_fit(hash_of);
        let is_somewhere = |positions: &Positions| !positions.as_slice().is_empty();
        let last = self.positions.iter().rposition(is_somewhere);
        self.positions.truncate(last.map_or(0, |last| last + 1));
        self.positions.shrink_to_fit();
        self.journal.trim();
    }

    /// Drops the empty buckets behind the last one that somebody is in.
    fn drop_empty_end(&mut self) {
        let last = self.buckets.iter().rposition(|bucket| bucket.key.is_some());
        self.buckets.truncate(last.map_or(0, |last| last + 1));
        self.buckets.shrink_to_fit();
        let buckets = self.buckets.len();
        self.free.retain(|&bucket| (bucket as usize) < buckets);
        self.free.shrink_to_fit();
    }
}
