//! Memory in advance, entities moved step by step, pools, and the figures that say when any of
//! this is worth while.

use core::fmt;

use crate::state::{self, Fragmentation, HasCore, Memory};
use crate::storage::registry::index_of;
use crate::words::component::Component;

/// Figures of how a context is stored. Returned by [`storage`](crate::Context::storage).
///
/// The [glossary](crate::guide::glossary) explains *slot*, *row*, *block* and *signature*.
#[must_use = "the handle does nothing by itself"]
pub struct Storage<'a, C> {
    context: &'a C,
}

impl<'a, C: HasCore> Storage<'a, C> {
    pub(in crate::api) fn new(context: &'a C) -> Self {
        Self { context }
    }

    pub(super) fn context(self) -> &'a C {
        self.context
    }

    /// Returns a number that no other context made by this process has: so a tool finds out that
    /// another one has taken its place.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let (game, other) = (Game::new(), Game::new());
    /// assert_eq!(game.storage().instance(), game.storage().instance());
    /// assert_ne!(game.storage().instance(), other.storage().instance());
    /// ```
    pub fn instance(self) -> u64 {
        self.context.core().instance()
    }

    /// Returns how much memory the context holds, and for what.
    ///
    /// Complexity: linear in the blocks, groups, signatures, collectors and observers.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let before = game.storage().memory().total();
    /// game.create_many((0..1000).map(Health));
    /// assert!(game.storage().memory().total() >= before + 4000);
    /// ```
    pub fn memory(self) -> Memory {
        Memory::of(self.context)
    }

    /// Returns what there is to gain by [`defragment`](crate::Context::defragment).
    ///
    /// Complexity: linear in the slots and the blocks.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_many((1..=4).map(Health));
    /// game.entity_mut(ids[0]).add_frozen();
    /// assert_eq!(game.storage().fragmentation().ratio(), 0.5); // the first and the last change places
    /// ```
    pub fn fragmentation(self) -> Fragmentation {
        self.context.core().fragmentation()
    }

    /// Looks at every structure of the context from inside: for tests of the library. Nothing that a
    /// program does can make it panic.
    ///
    /// Complexity: that of working everything out anew, several times over.
    ///
    /// # Panics
    ///
    /// Panics if two of them disagree.
    #[doc(hidden)]
    #[cfg(any(test, feature = "__checks"))]
    pub fn check_invariants(self) {
        state::check_invariants(self.context);
    }

    /// Returns the number of slots of destroyed entities that wait to be used again.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// game.destroy(id);
    /// assert_eq!(game.storage().reusable_entities(), 1);
    /// ```
    pub fn reusable_entities(self) -> usize {
        self.context.core().slots().free_len()
    }

    /// Returns the number of values of a `pooled` component that wait to be used again: about as many
    /// at most as there have been entities at once.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_route_with(|route| route.0.push(7)).id();
    /// game.destroy(id);
    /// assert_eq!(game.storage().pooled::<Route>(), 1); // `Route` is `pooled`
    /// ```
    pub fn pooled<T: Component<C>>(self) -> usize {
        self.context
            .core()
            .columns()
            .at(index_of::<C, T>())
            .map_or(0, |column| column.pool_len())
    }
}

/// How a context is stored, to be changed. Returned by
/// [`storage_mut`](crate::Context::storage_mut).
///
/// None of these methods changes what the context means: ids, components, groups, collectors and
/// what they hold stay as they are, and no event is raised. So they may be called at any time, by
/// observers too.
///
/// The [glossary](crate::guide::glossary) explains *slot*, *row*, *block* and *signature*.
#[must_use = "the handle does nothing by itself"]
pub struct StorageMut<'a, C> {
    context: &'a mut C,
}

impl<'a, C: HasCore> StorageMut<'a, C> {
    pub(super) fn new(context: &'a mut C) -> Self {
        Self { context }
    }

    /// Makes room for `entities` to come, in no more memory than that takes. Free slots
    /// of destroyed entities count.
    ///
    /// # Panics
    ///
    /// Panics if a context cannot hold so many (2^32), or memory has no room
    /// for them; nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.storage_mut().reserve_entities(1000);
    /// let held = game.storage().memory().entities;
    /// (0..1000).for_each(|_| drop(game.create_entity()));
    /// assert_eq!(game.storage().memory().entities, held);
    /// ```
    #[track_caller]
    pub fn reserve_entities(self, entities: usize) {
        state::reserve_entities(self.context.core_mut(), entities);
    }

    /// Makes room for a value of `T` in each of the next `values` entities that take no
    /// free slot: what memory is missing comes in one piece, so that the values are
    /// neighbours in memory.
    ///
    /// Complexity: linear in the memory that was allocated before and not used yet.
    ///
    /// # Panics
    ///
    /// Panics if a context cannot hold so many (2^32), or memory has no room
    /// for them; nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.storage_mut().reserve::<Health>(1000);
    /// let held = game.storage().memory().components()[0].bytes;
    /// game.create_many((0..1000).map(Health));
    /// assert_eq!(game.storage().memory().components()[0].bytes, held);
    /// ```
    #[track_caller]
    pub fn reserve<T: Component<C>>(self, values: usize) {
        state::reserve::<C, T>(self.context.core_mut(), values);
    }

    /// Does a part of what [`defragment`](crate::Context::defragment) does: brings at most
    /// `moves` entities to the rows of their signature. Returns whether there may be
    /// more to do.
    ///
    /// Meant to be called again and again, say once a frame; the context may change in
    /// between as it likes. As soon as it no longer changes, finitely many calls lead
    /// to an answer of `false`, and no entity is misplaced then (see
    /// [`fragmentation`](Storage::fragmentation)). An entity that is in the way changes
    /// places with the one that belongs there, so those of one signature do not keep
    /// their order; it depends on nothing but the operations so far. With 0 `moves` it
    /// looks for something to do and moves nothing.
    ///
    /// Complexity: linear in `moves` times the components of the entities moved; also,
    /// it looks at up to 4,096 + 64 × `moves` slots. When entities are moved for the first
    /// time, it makes the table of their rows, of 8 bytes for each slot.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_many((1..=100).map(Health));
    /// ids[..50].iter().for_each(|&id| game.destroy(id));
    /// while game.storage_mut().defragment_for(8) {} // in a game, once a frame
    /// assert_eq!(game.storage().fragmentation().misplaced, 0);
    /// ```
    pub fn defragment_for(self, moves: usize) -> bool {
        self.context.core_mut().defragment_for(moves)
    }

    /// Gives back the memory that nothing is in, and ends what was made for handles that have been
    /// dropped.
    ///
    /// To [`defragment`](crate::Context::defragment) first frees the most. Values in pools stay.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_many((0..1000).map(Health));
    /// game.many(&ids[10..]).destroy();
    /// let before = game.storage().memory().total();
    /// game.storage_mut().shrink_to_fit();
    /// assert!(game.storage().memory().total() < before);
    /// ```
    pub fn shrink_to_fit(self) {
        state::shrink_to_fit(self.context);
    }

    /// Drops the values of a `pooled` component that wait to be used again.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity().add_route(vec![1]).remove_route();
    /// game.storage_mut().clear_pool::<Route>();
    /// assert_eq!(game.storage().pooled::<Route>(), 0);
    /// ```
    pub fn clear_pool<T: Component<C>>(self) {
        state::clear_pool(self.context.core_mut(), index_of::<C, T>());
    }

    /// Drops the values of all `pooled` components that wait to be used again.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity().add_route(vec![1]).remove_route();
    /// game.storage_mut().clear_pools();
    /// assert_eq!(game.storage().pooled::<Route>(), 0);
    /// ```
    pub fn clear_pools(self) {
        state::clear_pools(self.context.core_mut());
    }
}

impl<C: HasCore> fmt::Debug for Storage<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Storage").field(self.context.core()).finish()
    }
}

impl<C: HasCore> fmt::Debug for StorageMut<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StorageMut")
            .field(self.context.core())
            .finish()
    }
}
