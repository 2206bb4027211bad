//! Entities in the order of their keys.

use alloc::vec::Vec;
use core::fmt;
use core::ops::{Bound, RangeBounds};

use crate::reactions::entity_index::Index;
use crate::storage::heap::Heap;
use crate::storage::sorted::{Place, Sorted};
use crate::words::entity_id::EntityId;

/// The entities of a context in the order of a key: by score, by time, by price.
///
/// Keep it up to date by [`index_with`](crate::Context::index_with). Keys are sorted by `Ord`, entities with equal
/// keys by their ids. Floats are no `Ord`: wrap them in a type that compares by `f32::total_cmp`.
///
/// It is a list in sorted blocks of up to 32 entities. A change costs a binary search or two, and moves the entities
/// between the old and the new place in a block.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use ecs::Ordered;
/// # use sample::*;
/// let mut game = Game::new();
/// let by_health = game.index_with(Game::all_of::<Health>(), |e| e.health().0, Ordered::new());
/// let ids = game.create_many([Health(5), Health(9), Health(7)]);
///
/// let ordered = by_health.get(&game);
/// assert_eq!(ordered.first(), Some((&5, ids[0])));
/// assert_eq!(ordered.rank_of(ids[2]), Some(1));
/// let top: Vec<_> = ordered.iter().rev().take(2).map(|(_, id)| id).collect();
/// assert_eq!(top, [ids[1], ids[2]]);
/// let healthy: Vec<_> = ordered.range(6..).map(|(health, _)| *health).collect();
/// assert_eq!(healthy, [7, 9]);
/// ```
pub struct Ordered<C, K> {
    list: Sorted<(K, EntityId<C>)>,
    /// The key of each entity, by slot.
    keys: Vec<Option<K>>,
}

impl<C, K> Default for Ordered<C, K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C, K> Ordered<C, K> {
    /// Returns a structure without entities.
    #[must_use]
    pub fn new() -> Self {
        Self {
            list: Sorted::default(),
            keys: Vec::new(),
        }
    }

    /// Returns the number of entities.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no entities.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the entities with their keys, in order.
    ///
    /// Complexity of all: linear.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, EntityId<C>)> + ExactSizeIterator {
        self.list.iter().map(|(key, id)| (key, *id))
    }

    /// Returns the entity with the least key.
    #[must_use]
    pub fn first(&self) -> Option<(&K, EntityId<C>)> {
        self.iter().next()
    }

    /// Returns the entity with the greatest key.
    #[must_use]
    pub fn last(&self) -> Option<(&K, EntityId<C>)> {
        self.iter().next_back()
    }
}

impl<C, K: Ord> Ordered<C, K> {
    /// Returns the entities with keys in a range, in order; none if it ends before it starts.
    ///
    /// Complexity: logarithmic, and linear in the entities taken.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let by_health = game.index_with(Game::all_of::<Health>(), |e| e.health().0, ecs::Ordered::new());
    /// game.create_many((0..10).map(Health));
    /// assert_eq!(by_health.get(&game).range(3..=5).count(), 3);
    /// ```
    pub fn range(
        &self,
        range: impl RangeBounds<K>,
    ) -> impl DoubleEndedIterator<Item = (&K, EntityId<C>)> + ExactSizeIterator {
        let start = match range.start_bound() {
            Bound::Included(start) => self.place(|key| key < start),
            Bound::Excluded(start) => self.place(|key| key <= start),
            Bound::Unbounded => Place::default(),
        };
        let end = match range.end_bound() {
            Bound::Included(end) => self.place(|key| key <= end),
            Bound::Excluded(end) => self.place(|key| key < end),
            Bound::Unbounded => self.list.end(),
        };
        let items = self.list.between(start, end);
        items.map(|(key, id)| (key, *id))
    }

    /// The first place whose key is not `before`.
    fn place(&self, mut before: impl FnMut(&K) -> bool) -> Place {
        let compare = |(key, _): &(K, EntityId<C>)| match before(key) {
            true => core::cmp::Ordering::Less,
            false => core::cmp::Ordering::Greater,
        };
        self.list.find(compare).unwrap_or_else(|place| place)
    }

    /// Returns the number of entities before this one; `None` if it has no key.
    ///
    /// Complexity: logarithmic, and linear in a 32nd of the entities.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let by_health = game.index_with(Game::all_of::<Health>(), |e| e.health().0, ecs::Ordered::new());
    /// let ids = game.create_many([Health(8), Health(6), Health(8)]);
    /// let ranks = ids.iter().map(|id| by_health.get(&game).rank_of(*id).unwrap());
    /// assert!(ranks.eq([1, 0, 2]));
    /// ```
    #[must_use]
    pub fn rank_of(&self, id: EntityId<C>) -> Option<usize> {
        let key = self.keys.get(id.index() as usize)?.as_ref()?;
        let place = self.find(key, id).ok()?;
        Some(self.list.rank(place))
    }

    /// Gives an entity another key if it stays in its block.
    fn move_near(&mut self, place: Place, key: &K, id: EntityId<C>) -> bool
    where
        K: Clone,
    {
        let compare = |(k, other): &(K, EntityId<C>)| k.cmp(key).then_with(|| other.cmp(&id));
        let is_near = self.list.replace_near(place, compare, || (key.clone(), id));
        if is_near {
            self.keys[id.index() as usize] = Some(key.clone());
        }
        is_near
    }

    fn find(&self, key: &K, id: EntityId<C>) -> Result<Place, Place> {
        self.list
            .find(|(k, other)| k.cmp(key).then_with(|| other.cmp(&id)))
    }
}

impl<C, K> Index<C> for Ordered<C, K>
where
    C: 'static,
    K: Ord + Clone + Send + Sync + 'static,
{
    type Key = K;

    fn update(&mut self, id: EntityId<C>, old: Option<&K>, new: Option<&K>) {
        let found = old.and_then(|old| self.find(old, id).ok());
        if let (Some(place), Some(new)) = (found, new)
            && self.move_near(place, new, id)
        {
            return;
        }
        if old.is_some() {
            // Not by its key if the order of keys contradicts itself.
            let found = found.or_else(|| self.list.position(|(_, other)| *other == id));
            found.map(|place| self.list.remove(place));
        }
        let slot = id.index() as usize;
        if slot >= self.keys.len() {
            self.keys.resize_with(slot + 1, || None);
        }
        if let Some(key) = new {
            let place = self.find(key, id).unwrap_or_else(|place| place);
            self.list.insert(place, (key.clone(), id));
        }
        self.keys[slot] = new.cloned();
    }

    fn clear(&mut self) {
        *self = Self::new();
    }

    fn memory(&self) -> usize {
        self.list.bytes() + self.keys.bytes()
    }
}

impl<C, K: fmt::Debug> fmt::Debug for Ordered<C, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
