//! The four phases of a list: each as a call that panics if a system fails, and as one that returns
//! the error.

use super::systems::Systems;
use crate::systems::error::{SystemError, expect};
use crate::systems::phase::Phase;

impl<W> Systems<W> {
    /// Initializes all systems, in order. To be called once, before the first execute.
    ///
    /// Debug builds refuse to execute a list if this was forgotten, as far as it can be known: if it
    /// has a closure that runs in [`Phase::Initialize`](crate::Phase::Initialize), or a type that
    /// [says so](crate::System::awaits_initialize).
    ///
    /// # Panics
    ///
    /// Panics if a system fails, naming it; see [`try_initialize`](Self::try_initialize).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::<Game>::new()
    ///     .on(Phase::Initialize, |game| drop(game.create_entity()));
    /// systems.initialize(&mut game);
    /// assert_eq!(game.len(), 1);
    /// ```
    #[track_caller]
    pub fn initialize(&mut self, world: &mut W) {
        expect(self.try_initialize(world), "try_initialize");
    }

    /// Initializes all systems, in order, up to the first that fails.
    ///
    /// # Errors
    ///
    /// [`SystemError`] with the name of the system that failed. Those behind it have not been
    /// initialized.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn load(_: &mut Game) -> Result<(), &'static str> { Err("no file") }
    /// let mut systems = Systems::new().on(Phase::Initialize, load);
    /// let error = systems.try_initialize(&mut Game::new()).unwrap_err();
    /// assert_eq!(error.to_string(), "system `load` failed at initialize: no file");
    /// ```
    pub fn try_initialize(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.run(Phase::Initialize, world)
    }

    /// Executes the systems that [take part](Self#which-systems-run), in order.
    ///
    /// # Panics
    ///
    /// Panics if a system fails, naming it; see [`try_execute`](Self::try_execute). Debug builds panic
    /// if a system of the list [awaits its initialize](crate::System::awaits_initialize).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add(|game: &mut Game| drop(game.create_entity()));
    /// systems.execute(&mut game);
    /// assert_eq!(game.len(), 1);
    /// ```
    #[track_caller]
    pub fn execute(&mut self, world: &mut W) {
        expect(self.try_execute(world), "try_execute");
    }

    /// Executes the systems that [take part](Self#which-systems-run), in order, up to the first that
    /// fails.
    ///
    /// # Errors
    ///
    /// [`SystemError`] with the name of the system that failed. Those behind it have not executed, and
    /// will not be cleaned up in this pass.
    ///
    /// # Panics
    ///
    /// Debug builds panic if a system of the list
    /// [awaits its initialize](crate::System::awaits_initialize).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn save(_: &mut Game) -> Result<(), &'static str> { Err("disk full") }
    /// fn spawn(game: &mut Game) { game.create_entity(); }
    /// let (mut game, mut systems) = (Game::new(), Systems::new().add(save).add(spawn));
    /// let error = systems.try_execute(&mut game).unwrap_err();
    /// assert_eq!(error.system(), "save");
    /// assert!(game.is_empty());
    /// ```
    #[track_caller]
    pub fn try_execute(&mut self, world: &mut W) -> Result<(), SystemError> {
        match self.rounds {
            Some(at_most) => self.run_until_quiet(world, at_most).map(drop),
            None => self.run(Phase::Execute, world),
        }
    }

    /// Cleans up after the systems that have executed since the last cleanup, in order.
    ///
    /// # Panics
    ///
    /// Panics if a system fails, naming it; see [`try_cleanup`](Self::try_cleanup).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity();
    /// let mut systems = Systems::new().on(Phase::Cleanup, Game::destroy_all);
    /// systems.cleanup(&mut game);
    /// assert!(game.is_empty());
    /// ```
    #[track_caller]
    pub fn cleanup(&mut self, world: &mut W) {
        expect(self.try_cleanup(world), "try_cleanup");
    }

    /// Cleans up after the systems that have executed since the last cleanup, in order, up to the
    /// first that fails.
    ///
    /// # Errors
    ///
    /// [`SystemError`] with the name of the system that failed. Those behind it are cleaned up by the
    /// next call.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn send(_: &mut Game) -> Result<(), &'static str> { Err("not connected") }
    /// let mut systems = Systems::new().on(Phase::Cleanup, send);
    /// assert!(systems.try_cleanup(&mut Game::new()).is_err());
    /// ```
    pub fn try_cleanup(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.run(Phase::Cleanup, world)
    }

    /// Tears all systems down, in order. To be called once, at the end.
    ///
    /// # Panics
    ///
    /// Panics if a system fails, naming it; see [`try_tear_down`](Self::try_tear_down).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity();
    /// let mut systems = Systems::new().on(Phase::TearDown, Game::destroy_all);
    /// systems.tear_down(&mut game);
    /// assert!(game.is_empty());
    /// ```
    #[track_caller]
    pub fn tear_down(&mut self, world: &mut W) {
        expect(self.try_tear_down(world), "try_tear_down");
    }

    /// Tears all systems down, in order, up to the first that fails.
    ///
    /// # Errors
    ///
    /// [`SystemError`] with the name of the system that failed. Those behind it have not been torn
    /// down.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn close(_: &mut Game) -> Result<(), &'static str> { Err("still open") }
    /// let mut systems = Systems::new().on(Phase::TearDown, close);
    /// assert!(systems.try_tear_down(&mut Game::new()).is_err());
    /// ```
    pub fn try_tear_down(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.run(Phase::TearDown, world)
    }
}
