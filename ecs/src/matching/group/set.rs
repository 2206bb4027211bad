//! Sets of groups, as bits.

use alloc::vec::Vec;

use super::numbers::GroupIndex;
use crate::storage::heap::heap;
use crate::words::signature::Bits;

/// The groups that match one signature. Bits keep it small if many signatures match many groups.
#[derive(Clone, Default)]
pub(crate) struct GroupSet {
    words: Vec<u64>,
}

heap!(GroupSet: words);

impl GroupSet {
    pub(crate) fn insert(&mut self, group: GroupIndex) {
        let (at, bit) = (group.get() / 64, 1 << (group.get() % 64));
        if at >= self.words.len() {
            self.words.resize(at + 1, 0);
        }
        self.words[at] |= bit;
    }

    pub(crate) fn contains(&self, group: GroupIndex) -> bool {
        self.word(group.get() / 64) >> (group.get() % 64) & 1 != 0
    }

    /// The groups, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = GroupIndex> + '_ {
        let words = self.words.iter().enumerate();
        words.flat_map(|(at, &word)| groups_of(at, word))
    }

    /// The groups that are in exactly one of two sets, ascending.
    pub(crate) fn differences<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl Iterator<Item = GroupIndex> + 'a {
        let words = 0..self.words.len().max(other.words.len());
        words.flat_map(|at| groups_of(at, self.word(at) ^ other.word(at)))
    }

    fn word(&self, at: usize) -> u64 {
        self.words.get(at).copied().unwrap_or(0)
    }
}

fn groups_of(at: usize, word: u64) -> impl Iterator<Item = GroupIndex> {
    Bits(word).map(move |bit| GroupIndex((at * 64) as u32 + bit))
}

impl FromIterator<GroupIndex> for GroupSet {
    fn from_iter<I: IntoIterator<Item = GroupIndex>>(groups: I) -> Self {
        let mut set = Self::default();
        groups.into_iter().for_each(|group| set.insert(group));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(groups: &[u32]) -> GroupSet {
        groups.iter().copied().map(GroupIndex).collect()
    }

    fn list(groups: impl Iterator<Item = GroupIndex>) -> Vec<u32> {
        groups.map(|group| group.0).collect()
    }

    #[test]
    fn differences_are_in_ascending_order() {
        let (some, others) = (set(&[200, 3, 64]), set(&[64, 5]));
        assert_eq!(list(some.iter()), [3, 64, 200]);
        assert_eq!(list(some.differences(&others)), [3, 5, 200]);
        assert_eq!(list(others.differences(&some)), [3, 5, 200]);
    }
}
