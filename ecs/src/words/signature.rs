//! A set of components of one context, as bits: the signature of an entity, or the terms of a
//! matcher.
//!
//! ```text
//! components   0 … 127              128 …
//! words        [u64; 2], inline     Vec<u64>, empty if there are none
//! ```
//!
//! So sets of the usual size need no heap memory, and matchers are made without allocating. Equal
//! sets have equal bits: the last word of the list is never zero.

use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::words::component::{Components, RawComponentIndex};

/// The number of inline words.
const INSIDE: usize = 2;

/// A set of components without the type of their context, for code that is compiled only once.
#[derive(Clone, Default, Eq)]
pub(crate) struct RawComponentSet {
    inside: [u64; INSIDE],
    rest: Vec<u64>,
}

impl RawComponentSet {
    pub(crate) const fn new() -> Self {
        Self {
            inside: [0; INSIDE],
            rest: Vec::new(),
        }
    }

    /// Returns the set of the components in `T`.
    ///
    /// The words stay in registers while the set is built: processors stall when a word that was
    /// just stored is loaded together with the next one.
    #[inline]
    pub(crate) fn of<C, T: Components<C>>() -> Self {
        let (mut first, mut second, mut rest) = (0, 0, Vec::new());
        T::visit(&mut |component| {
            let (at, bit) = word_and_bit(component.untyped());
            match at {
                0 => first |= bit,
                1 => second |= bit,
                _ => *word_of_rest(&mut rest, at - INSIDE) |= bit,
            }
        });
        let inside = [first, second];
        Self { inside, rest }
    }

    /// Returns the set of the components in `T`, with the relations of those with `many` to their owners, so that a
    /// scope has both or neither.
    pub(crate) fn of_scope<C, T: Components<C>>() -> Self {
        let mut set = Self::new();
        T::visit_scope(&mut |component| _ = set.insert(component.untyped()));
        set
    }

    /// Adds a component. Returns whether it was not in the set.
    #[inline]
    pub(crate) fn insert(&mut self, component: RawComponentIndex) -> bool {
        let (at, bit) = word_and_bit(component);
        let word = match self.inside.get_mut(at) {
            Some(word) => word,
            None => word_of_rest(&mut self.rest, at - INSIDE),
        };
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    #[inline]
    pub(crate) fn union(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.inside, other.inside);
        let rest = match other.rest.is_empty() {
            true => self.rest,
            false => union_of_rest(self.rest, other.rest),
        };
        Self {
            inside: [a | c, b | d],
            rest,
        }
    }

    /// Removes a component. Returns whether it was in the set.
    pub(crate) fn remove(&mut self, component: RawComponentIndex) -> bool {
        let (at, bit) = word_and_bit(component);
        let word = match self.inside.get_mut(at) {
            Some(word) => Some(word),
            None => self.rest.get_mut(at - INSIDE),
        };
        let there = word.is_some_and(|word| core::mem::replace(word, *word & !bit) & bit != 0);
        while self.rest.last() == Some(&0) {
            self.rest.pop();
        }
        there
    }

    /// The set without the components of another one.
    pub(crate) fn without(&self, other: &Self) -> Self {
        let mut rest = self.clone();
        other
            .iter()
            .for_each(|component| _ = rest.remove(component));
        rest
    }

    #[inline]
    pub(crate) fn contains(&self, component: RawComponentIndex) -> bool {
        let (at, bit) = word_and_bit(component);
        self.word(at) & bit != 0
    }

    pub(crate) fn contains_all(&self, other: &Self) -> bool {
        other
            .words()
            .enumerate()
            .all(|(at, bits)| bits & !self.word(at) == 0)
    }

    pub(crate) fn contains_any(&self, other: &Self) -> bool {
        other
            .words()
            .enumerate()
            .any(|(at, bits)| bits & self.word(at) != 0)
    }

    #[inline]
    fn word(&self, at: usize) -> u64 {
        match self.inside.get(at) {
            Some(word) => *word,
            None => self.rest.get(at - INSIDE).copied().unwrap_or(0),
        }
    }

    /// Returns a cheap hash, because each access to a group looks up a set.
    #[inline]
    pub(crate) fn mixed(&self) -> u64 {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15; // 2^64 divided by the golden ratio
        let mix = |mixed: u64, word: &u64| (mixed.rotate_left(25) ^ word).wrapping_mul(ODD);
        let inside = self.inside.iter().fold(ODD, mix);
        if self.rest.is_empty() {
            return inside;
        }
        self.rest.iter().fold(inside, mix)
    }

    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.inside.iter().chain(&self.rest).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.words().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.inside == [0; INSIDE] && self.rest.is_empty()
    }

    /// The heap memory in bytes.
    pub(crate) fn heap_size(&self) -> usize {
        self.rest.capacity() * size_of::<u64>()
    }

    /// Returns the components in ascending order of index.
    pub(crate) fn iter(&self) -> impl Iterator<Item = RawComponentIndex> + '_ {
        ComponentIndices {
            set: self,
            word: 0,
            left: Bits(self.inside[0]),
        }
    }
}

/// The components of a set in ascending order. A named type, so that loops over it are compiled
/// once.
struct ComponentIndices<'a> {
    set: &'a RawComponentSet,
    word: usize,
    /// The components of the current word that are left.
    left: Bits,
}

impl Iterator for ComponentIndices<'_> {
    type Item = RawComponentIndex;

    #[inline]
    fn next(&mut self) -> Option<RawComponentIndex> {
        loop {
            if let Some(bit) = self.left.next() {
                return Some(RawComponentIndex::new(self.word * 64 + bit as usize));
            }
            if self.word + 1 >= INSIDE + self.set.rest.len() {
                return None;
            }
            self.word += 1;
            self.left = Bits(self.set.word(self.word));
        }
    }
}

/// Compares the lists only if one is not empty: comparing empty memory at a dangling address takes
/// hundreds of cycles on some processors. Loads the inline words one by one, as they may just have
/// been stored.
impl PartialEq for RawComponentSet {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let ([a, b], [c, d]) = (self.inside, other.inside);
        let are_inside = self.rest.is_empty() && other.rest.is_empty();
        (a ^ c) | (b ^ d) == 0 && (are_inside || self.rest == other.rest)
    }
}

impl Hash for RawComponentSet {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.mixed());
    }
}

/// Prints the indices, such as `{0, 5}`.
impl fmt::Debug for RawComponentSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indices = self.iter().map(RawComponentIndex::get);
        f.debug_set().entries(indices).finish()
    }
}

impl FromIterator<RawComponentIndex> for RawComponentSet {
    fn from_iter<I: IntoIterator<Item = RawComponentIndex>>(components: I) -> Self {
        let mut set = Self::new();
        set.extend(components);
        set
    }
}

impl Extend<RawComponentIndex> for RawComponentSet {
    fn extend<I: IntoIterator<Item = RawComponentIndex>>(&mut self, components: I) {
        for component in components {
            self.insert(component);
        }
    }
}

/// Returns a word of the list, which grows as needed.
#[cold]
fn word_of_rest(rest: &mut Vec<u64>, at: usize) -> &mut u64 {
    if at >= rest.len() {
        rest.resize(at + 1, 0);
    }
    &mut rest[at]
}

#[cold]
fn union_of_rest(mut rest: Vec<u64>, other: Vec<u64>) -> Vec<u64> {
    if rest.len() < other.len() {
        rest.resize(other.len(), 0);
    }
    for (word, other) in rest.iter_mut().zip(other) {
        *word |= other;
    }
    rest
}

#[inline]
fn word_and_bit(component: RawComponentIndex) -> (usize, u64) {
    (component.get() / 64, 1 << (component.get() % 64))
}

/// The positions of the set bits in a word, in ascending order.
#[derive(Clone, Default)]
pub(crate) struct Bits(pub(crate) u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;
    use crate::words::checksum::ChecksumHasher;

    fn set(indices: &[usize]) -> RawComponentSet {
        indices
            .iter()
            .map(|&index| RawComponentIndex::new(index))
            .collect()
    }

    #[test]
    fn equality_ignores_removed_components() {
        let mut wide = set(&[1, 300]);
        assert!(wide.remove(RawComponentIndex::new(300)));
        assert_eq!(wide, set(&[1, 1]));
    }

    #[test]
    fn sets_that_differ_in_the_list_alone_are_not_equal() {
        for (one, other) in [(&[1, 300][..], &[1][..]), (&[1, 300], &[1, 301])] {
            assert_ne!(set(one), set(other));
            assert_ne!(set(other), set(one));
        }
    }

    #[test]
    fn different_sets_rarely_have_the_same_hash() {
        let hash = |set: RawComponentSet| {
            let mut hasher = ChecksumHasher::default();
            set.hash(&mut hasher);
            hasher.finish()
        };
        let edges = [0, 1, 63, 64, 127, 128, 129, 300].map(|index| set(&[index]));
        let with_first = (1..200).map(|index| set(&[0, index]));
        let hashes: BTreeSet<_> = edges.into_iter().chain(with_first).map(hash).collect();
        assert!((200..=207).contains(&hashes.len()), "{}", hashes.len());
    }

    #[test]
    fn sets_of_unequal_width_compare_by_their_members() {
        for edge in [0, 1, 31, 32, 33, 63, 64, 65, 128, 129, 300] {
            assert!(set(&[edge, 7]).contains_all(&set(&[edge])), "{edge}");
            assert!(!set(&[301]).contains_any(&set(&[edge])), "{edge}");
            assert!(!set(&[301]).contains_all(&set(&[edge, 301])), "{edge}");
        }
        assert!(set(&[5]).contains_all(&set(&[])));
        assert!(!set(&[5]).contains_any(&set(&[])));
    }

    #[test]
    fn iteration_ascends() {
        let found: Vec<_> = set(&[129, 3, 64])
            .iter()
            .map(RawComponentIndex::get)
            .collect();
        assert_eq!(found, [3, 64, 129]);
    }
}
