//! Stopping a whole list for a while, from outside of the loop that runs it.

use super::systems::Systems;

impl<W> Systems<W> {
    /// Has [`execute`](Self::execute) and [`cleanup`](Self::cleanup) do nothing from now on, or run
    /// the systems again: a debugger's pause, which the loop of the program need not know of.
    ///
    /// It is of the list alone: which systems are enabled stays as it is. Call it between two passes:
    /// what has been executed and not been cleaned up is cleaned up by the first pass after it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add(|game: &mut Game| drop(game.create_entity().id()));
    /// systems.set_suspended(true);
    /// systems.execute(&mut game);
    /// assert!(systems.is_suspended() && game.is_empty());
    /// systems.set_suspended(false);
    /// systems.execute(&mut game);
    /// assert_eq!(game.len(), 1);
    /// ```
    pub fn set_suspended(&mut self, suspended: bool) {
        self.suspended = suspended;
    }

    /// Returns whether [`execute`](Self::execute) and [`cleanup`](Self::cleanup) do nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert!(!Systems::<Game>::new().is_suspended());
    /// ```
    pub fn is_suspended(&self) -> bool {
        self.suspended
    }
}
