//! Reserving memory, moving entities step by step, pools, and the figures that tell when this pays
//! off.

use core::fmt;

use crate::state::{self, HasCore, Memory, defragment_for};
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::world::Fragmentation;

/// Figures of a context's storage. Returned by [`storage`](crate::Context::storage).
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

    /// Returns a number that no other context created by this process has, so that a tool notices
    /// when a context was replaced.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let (game, other) = (Game::new(), Game::new());
    /// assert_eq!(game.storage().instance(), game.storage().instance());
    /// assert_ne!(game.storage().instance(), other.storage().instance());
    /// ```
    pub fn instance(self) -> u64 {
        self.context.core().world.instance()
    }

    /// Returns how much memory the context uses, and for what.
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

    /// Returns what [`defragment`](crate::Context::defragment) would improve.
    ///
    /// Complexity: linear in the slots and the blocks.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_many((1..=4).map(Health));
    /// game.entity_mut(ids[1]).add_frozen();
    /// assert_eq!(game.storage().fragmentation().ratio(), 0.25); // the first is apart from the last two
    /// ```
    pub fn fragmentation(self) -> Fragmentation {
        self.context.core().world.fragmentation()
    }

    /// Checks every structure of the context, for tests of the library.
    ///
    /// No program can make it panic.
    ///
    /// Complexity: recomputes everything, several times.
    ///
    /// # Panics
    ///
    /// Panics if two structures disagree.
    #[doc(hidden)]
    #[cfg(any(test, feature = "__checks"))]
    pub fn check_invariants(self) {
        state::check_invariants(self.context);
    }

    /// Returns the number of slots of destroyed entities that can be reused.
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
        self.context.core().world.slots().free_len()
    }

    /// Returns the number of pooled values of a `pooled` component: at most about the maximum
    /// number of entities so far.
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
            .world
            .columns()
            .at(index_of::<C, T>())
            .map_or(0, |column| column.pool_len())
    }
}

/// Operations on a context's storage. Returned by [`storage_mut`](crate::Context::storage_mut).
///
/// None of these methods changes the meaning of the context: ids, components, groups and the
/// contents of collectors stay the same, and no events are raised. So they may be called at any
/// time, even by observers.
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

    /// Reserves memory for `entities` more entities, and no more than that.
    ///
    /// Free slots of destroyed entities count.
    ///
    /// # Examples
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
    ///
    /// # Panics
    ///
    /// Panics if a context cannot hold that many (2^32), or memory is exhausted; nothing has
    /// changed then.
    #[track_caller]
    pub fn reserve_entities(self, entities: usize) {
        state::reserve_entities(self.context.core_mut(), entities);
    }

    /// Reserves memory for a value of `T` in each of the next `values` entities that use no free
    /// slot.
    ///
    /// Missing memory is allocated in one piece, so that the values are adjacent.
    ///
    /// Complexity: linear in the memory that was allocated before and is still unused.
    ///
    /// # Examples
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
    ///
    /// # Panics
    ///
    /// Panics if a context cannot hold that many (2^32), or memory is exhausted; nothing has
    /// changed then.
    #[track_caller]
    pub fn reserve<T: Component<C>>(self, values: usize) {
        state::reserve::<C, T>(self.context.core_mut(), values);
    }

    /// Does a part of [`defragment`](crate::Context::defragment): moves at most `moves` entities to
    /// the rows of their signature.
    ///
    /// Returns whether there may be more to do.
    ///
    /// Meant to be called repeatedly, for example once per frame; the context may change in
    /// between. Once it no longer changes, it returns `false` after a finite number of calls, and then no
    /// entity is misplaced (see [`fragmentation`](Storage::fragmentation)). An entity in the way is
    /// swapped with the one that belongs there, so entities of one signature do not keep their
    /// order; the order depends only on the operations so far. With 0 `moves` it searches but moves
    /// nothing.
    ///
    /// Complexity: linear in `moves` times the components of the moved entities, and in the slots that
    /// it examines, up to 4,096 + 64 × `moves`. When entities are moved for the first time, it
    /// creates the table of rows, 8 bytes per slot.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_many((1..=100).map(Health));
    /// ids[..50].iter().for_each(|&id| game.destroy(id));
    /// while game.storage_mut().defragment_for(8) {} // in a game, once per frame
    /// assert_eq!(game.storage().fragmentation().misplaced, 0);
    /// ```
    pub fn defragment_for(self, moves: usize) -> bool {
        let core = self.context.core_mut();
        defragment_for(&mut core.world, &mut core.subs, moves)
    }

    /// Frees unused memory, and what belongs to dropped handles.
    ///
    /// Call [`defragment`](crate::Context::defragment) first to free the most. Pooled values stay.
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

    /// Drops the pooled values of a `pooled` component.
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
        let core = self.context.core_mut();
        state::clear_pool(&mut core.world, index_of::<C, T>());
    }

    /// Drops the pooled values of all `pooled` components.
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
        let core = self.context.core_mut();
        state::clear_pools(&mut core.world);
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
