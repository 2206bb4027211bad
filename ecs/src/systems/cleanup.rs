//! The clean-up of a context as a system of every world that has it.

use alloc::vec::Vec;

use super::system::System;
use crate::api::context::{CleanupSystems, Context, Missed};
use crate::systems::contexts::HasContext;

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
