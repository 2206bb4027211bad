//! A set of components of one context, as bits: the signature of an entity, the
//! terms of a matcher.
//!
//! Equal sets have equal bits: the last word is never zero.

use alloc::vec::Vec;

use crate::words::component::ComponentIndex;
use crate::words::heap_size::heap_size;

/// A set of components of one context.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Health(u32);
///
/// let matcher = Game::all_of::<Health>();
/// assert_eq!(matcher.all().len(), 1);
/// assert!(matcher.any().is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ComponentSet {
    words: Vec<u64>,
}

impl ComponentSet {
    /// Returns the empty set.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// assert!(ecs::ComponentSet::new().is_empty());
    /// ```
    pub const fn new() -> Self {
        Self { words: Vec::new() }
    }

    /// Adds a component; returns whether it is new.
    pub(crate) fn insert(&mut self, component: ComponentIndex) -> bool {
        let (word, bit) = word_and_bit(component);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Takes a component out; returns whether it was there.
    pub(crate) fn remove(&mut self, component: ComponentIndex) -> bool {
        let (word, bit) = word_and_bit(component);
        let there = self.contains(component);
        if there {
            self.words[word] &= !bit;
            self.trim();
        }
        there
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }

    /// Returns whether the component is in the set.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let game = Game::new();
    /// let matcher = Game::all_of::<Health>();
    /// assert!(matcher.all().contains(game.components().index_of::<Health>()));
    /// ```
    #[inline]
    pub fn contains(&self, component: ComponentIndex) -> bool {
        let (word, bit) = word_and_bit(component);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Returns whether every component of `other` is in this set.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let both = Game::all_of::<(Health, Frozen)>();
    /// let frozen = Game::all_of::<Frozen>();
    /// assert!(both.all().contains_all(frozen.all()));
    /// ```
    pub fn contains_all(&self, other: &Self) -> bool {
        other
            .words
            .iter()
            .enumerate()
            .all(|(at, bits)| bits & !self.word(at) == 0)
    }

    /// Returns whether some component of `other` is in this set.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let both = Game::all_of::<(Health, Frozen)>();
    /// let frozen = Game::all_of::<Frozen>();
    /// assert!(frozen.all().contains_any(both.all()));
    /// ```
    pub fn contains_any(&self, other: &Self) -> bool {
        other
            .words
            .iter()
            .enumerate()
            .any(|(at, bits)| bits & self.word(at) != 0)
    }

    fn word(&self, at: usize) -> u64 {
        self.words.get(at).copied().unwrap_or(0)
    }

    /// Returns how many components the set has.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let matcher = Game::all_of::<(Health, Frozen)>();
    /// assert_eq!(matcher.all().len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Returns whether the set has no component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// assert!(Game::all_of::<Frozen>().any().is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The bytes held beside the set itself.
    pub(crate) fn bytes(&self) -> usize {
        heap_size(&self.words)
    }

    /// Returns the components in ascending order of index.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let game = Game::new();
    /// let matcher = Game::all_of::<Health>();
    /// assert!(matcher.all().iter().eq([game.components().index_of::<Health>()]));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = ComponentIndex> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            Bits(word).map(move |bit| ComponentIndex::new(at * 64 + bit as usize))
        })
    }
}

impl FromIterator<ComponentIndex> for ComponentSet {
    fn from_iter<I: IntoIterator<Item = ComponentIndex>>(components: I) -> Self {
        let mut set = Self::new();
        set.extend(components);
        set
    }
}

impl Extend<ComponentIndex> for ComponentSet {
    fn extend<I: IntoIterator<Item = ComponentIndex>>(&mut self, components: I) {
        for component in components {
            self.insert(component);
        }
    }
}

#[inline]
fn word_and_bit(component: ComponentIndex) -> (usize, u64) {
    (component.get() / 64, 1 << (component.get() % 64))
}

/// The positions of the bits set in a word, ascending.
#[derive(Clone)]
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
    use super::*;

    fn set(indices: &[usize]) -> ComponentSet {
        indices
            .iter()
            .map(|&index| ComponentIndex::new(index))
            .collect()
    }

    #[test]
    fn equal_sets_are_equal_whatever_came_and_went() {
        let mut wide = set(&[1, 300]);
        assert!(wide.remove(ComponentIndex::new(300)));
        assert_eq!(wide, set(&[1, 1]));
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
        let found: Vec<_> = set(&[129, 3, 64]).iter().map(ComponentIndex::get).collect();
        assert_eq!(found, [3, 64, 129]);
    }
}
