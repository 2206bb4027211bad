//! Systems that keep a context in order: what moves its entities together, and what cleans up.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::system::System;
use crate::api::context::{CleanupSystems, Context, Missed};
use crate::systems::contexts::HasContext;

/// A system that moves entities with the same components together, a few in the cleanup of every
/// pass. See [`StorageMut::defragment_for`](crate::StorageMut::defragment_for).
///
/// # Examples
///
/// ```
/// # use ecs::{Defragment, prelude::*};
/// # use sample::*;
/// let mut game = Game::new();
/// for _ in 0..100 { game.create_with(Frozen); game.create_with(Wet); }
/// let mut systems = Systems::new().add(Defragment::<Game>::new(10));
/// assert!(game.storage().fragmentation().misplaced > 0);
/// for _ in 0..100 { systems.cleanup(&mut game); }
/// assert_eq!(game.storage().fragmentation().misplaced, 0);
/// ```
pub struct Defragment<C> {
    moves: usize,
    context: PhantomData<fn() -> C>,
}

impl<C: Context> Defragment<C> {
    /// Creates a system that makes at most `moves` moves in each pass.
    pub fn new(moves: usize) -> Self {
        let context = PhantomData;
        Self { moves, context }
    }
}

impl<C: Context, W: HasContext<C>> System<W> for Defragment<C> {
    fn cleanup(&mut self, world: &mut W) {
        world.context_mut().storage_mut().defragment_for(self.moves);
    }
}

impl<C> fmt::Debug for Defragment<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Defragment({} moves)", self.moves)
    }
}

/// Cleans up in the cleanup phase.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game, cleanup(destroy))]
/// struct Dead;
///
/// let mut game = Game::new();
/// let mut systems = Systems::new().add(CleanupSystems::new(&mut game));
/// game.create_with(Dead);
/// systems.execute(&mut game);
/// assert_eq!(game.len(), 1);
/// systems.cleanup(&mut game);
/// assert!(game.is_empty());
/// ```
impl<W: HasContext<C>, C: Context> System<W> for CleanupSystems<C> {
    fn cleanup(&mut self, world: &mut W) {
        self.run(world.context_mut());
    }

    fn missed(&self) -> Vec<Missed> {
        self.missed()
    }
}
