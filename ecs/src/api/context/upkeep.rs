//! What keeps a context fit: moving entities together, memory in advance, memory given
//! back, and the figures that say when any of this is worth while.

mod memory;

use crate::state::{self, Fragmentation, HasCore};
use crate::words::component::Component;

pub use self::memory::{ComponentMemory, Memory};

/// The upkeep of a context: where entities stand in memory, and how much of it is held.
///
/// None of these methods changes what the context means: ids, components, groups,
/// collectors and what they hold stay as they are, and no event is raised. So they
/// may be called at any time, by observers too.
///
/// Every context has these methods as its own; the trait is for code that is generic
/// over contexts.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
/// let mut game = Game::with_capacity(1000);
/// let ids = game.create_many((0..1000).map(Health));
/// ids[10..].iter().for_each(|&id| game.destroy(id));
/// game.defragment();
/// game.shrink_to_fit();
/// assert!(game.memory().components()[0].bytes < 1500);
/// ```
pub trait Upkeep: HasCore {
    /// Moves entities with the same components together in memory and returns emptied
    /// memory, so that queries and groups walk through neighbours.
    ///
    /// The order in which queries and groups are walked is new: entities by signature,
    /// in the order in which the signatures first came up, those of one signature in
    /// the order in which they were walked before. (In a context whose entities have
    /// never been moved that is the order of their indices.) The rows of free slots
    /// come last. The values of each component then stand in blocks that are
    /// neighbours in memory. Calling it twice is the same as calling it once.
    ///
    /// Complexity: linear in the slots and in the values of those components of which
    /// some value moves; entities of one signature that stand side by side move as one
    /// piece. While it runs, it needs the memory of the largest component once more.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let ids = game.create_many((1..=3).map(Health));
    /// game.entity_mut(ids[0]).add_frozen();
    /// game.defragment();
    /// assert!(game.query::<&Health>().iter().map(|health| health.0).eq([2, 3, 1]));
    /// ```
    fn defragment(&mut self) {
        self.core_mut().defragment();
    }

    /// Does a part of what [`defragment`](Self::defragment) does: brings at most
    /// `moves` entities to the rows of their signature. Tells whether there may be
    /// more to do.
    ///
    /// Meant to be called again and again, say once a frame; the context may change in
    /// between as it likes. As soon as it no longer changes, finitely many calls lead
    /// to an answer of `false`, and no entity is misplaced then (see
    /// [`fragmentation`](Self::fragmentation)). An entity that is in the way changes
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
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let ids = game.create_many((1..=100).map(Health));
    /// ids[..50].iter().for_each(|&id| game.destroy(id));
    /// while game.defragment_for(8) {} // in a game, once a frame
    /// assert_eq!(game.fragmentation().misplaced, 0);
    /// ```
    fn defragment_for(&mut self, moves: usize) -> bool {
        self.core_mut().defragment_for(moves)
    }

    /// What there is to gain by [`defragment`](Self::defragment).
    ///
    /// Complexity: linear in the slots and the blocks.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let ids = game.create_many((1..=4).map(Health));
    /// game.entity_mut(ids[0]).add_frozen();
    /// assert_eq!(game.fragmentation().ratio(), 0.5); // the first and the last change places
    /// ```
    fn fragmentation(&self) -> Fragmentation {
        self.core().fragmentation()
    }

    /// Makes room for `entities` to come, in no more memory than that takes. Free slots
    /// of destroyed entities count.
    ///
    /// # Panics
    ///
    /// Panics if a context cannot hold so many (2^32), or where memory has no room
    /// for them; nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// game.reserve_entities(1000);
    /// let held = game.memory().entities;
    /// (0..1000).for_each(|_| drop(game.create_entity()));
    /// assert_eq!(game.memory().entities, held);
    /// ```
    #[track_caller]
    fn reserve_entities(&mut self, entities: usize) {
        state::reserve_entities(self.core_mut(), entities);
    }

    /// Makes room for a value of `T` in each of the next `values` entities that take no
    /// free slot: what memory is missing comes in one piece, so that the values are
    /// neighbours in memory.
    ///
    /// Complexity: linear in the memory that was allocated before and not used yet.
    ///
    /// # Panics
    ///
    /// Panics if a context cannot hold so many (2^32), or where memory has no room
    /// for them; nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// game.reserve::<Health>(1000);
    /// let held = game.memory().components()[0].bytes;
    /// game.create_many((0..1000).map(Health));
    /// assert_eq!(game.memory().components()[0].bytes, held);
    /// ```
    #[track_caller]
    fn reserve<T: Component<Self>>(&mut self, values: usize) {
        state::reserve::<Self, T>(self.core_mut(), values);
    }

    /// Gives back the memory that nothing is in: blocks of 64 rows of which none has a
    /// value, and the spare room of lists. Values move to memory that just fits, in
    /// which blocks are neighbours; entities keep their rows. Blocks with few values of a
    /// large component share memory.
    ///
    /// Any other block stays as long as it has one value: to
    /// [`defragment`](Self::defragment) first frees the most. Slots stay, because they
    /// remember which ids have been used; so do values in pools, which
    /// [`clear_pools`](Self::clear_pools) drops.
    ///
    /// Complexity: linear in the memory held; what fits already is not moved.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// game.create_many((0..1000).map(Health));
    /// game.destroy_all();
    /// game.shrink_to_fit();
    /// assert!(game.memory().components()[0].bytes < 100); // an empty pool
    /// ```
    fn shrink_to_fit(&mut self) {
        self.core_mut().trim();
    }

    /// How much memory the context holds, and for what.
    ///
    /// Complexity: linear in the blocks, groups, signatures, collectors and observers.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// game.create_many((0..1000).map(Health));
    /// let memory = game.memory();
    /// println!("{memory}");
    /// assert_eq!(memory.components()[0].used(), 4000);
    /// assert!(memory.total() > 4000);
    /// ```
    fn memory(&self) -> Memory {
        Memory::of(self)
    }

    /// How many slots of destroyed entities wait to be used again.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// game.destroy(id);
    /// assert_eq!(game.reusable_entities(), 1);
    /// ```
    fn reusable_entities(&self) -> usize {
        self.core().slots.free_len()
    }

    /// How many values of a `pooled` component wait to be used again.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// #[derive(Component, Default)]
    /// #[component(context = Game, pooled)]
    /// struct Path { points: Vec<u32> }
    ///
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_path_with(|path| path.points.push(7)).id();
    /// game.destroy(id);
    /// assert_eq!(game.pooled_components::<Path>(), 1);
    /// ```
    fn pooled_components<T: Component<Self>>(&self) -> usize {
        self.core()
            .columns
            .of::<T>()
            .map_or(0, |column| column.pool_len())
    }

    /// Drops the values of a `pooled` component that wait to be used again.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Default)] #[component(context = Game, pooled)] struct Route(Vec<u32>);
    /// let mut game = Game::new();
    /// game.create_entity().add_route(vec![1]).remove_route();
    /// game.clear_pool::<Route>();
    /// assert_eq!(game.pooled_components::<Route>(), 0);
    /// ```
    fn clear_pool<T: Component<Self>>(&mut self) {
        drop(core::mem::take(
            self.core_mut().columns.of_mut::<T>().pool(),
        ));
    }

    /// Drops the values of all `pooled` components that wait to be used again.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Default)] #[component(context = Game, pooled)] struct Route(Vec<u32>);
    /// let mut game = Game::new();
    /// game.create_entity().add_route(vec![1]).remove_route();
    /// game.clear_pools();
    /// assert_eq!(game.pooled_components::<Route>(), 0);
    /// ```
    fn clear_pools(&mut self) {
        self.core_mut().columns.clear_pools();
    }
}

impl<C: HasCore> Upkeep for C {}
