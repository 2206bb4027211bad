//! What is known of the work of the systems in a list.

use super::Systems;
use crate::systems::system::{Report, Statistics};

impl<W> Systems<W> {
    /// Measures from now on how long the systems take, or ceases to; nested ones too.
    /// Nothing is measured at first.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// fn spawn(game: &mut Game) { game.create_entity(); }
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add(spawn);
    /// systems.measure(true);
    /// systems.execute(&mut game);
    /// assert_eq!(systems.statistics("spawn").unwrap().execute.calls(), 1);
    /// ```
    #[cfg(feature = "std")]
    pub fn measure(&mut self, measured: bool) {
        self.measured = measured;
        self.measure_nested();
    }

    /// Has nested lists measure as this one does.
    pub(super) fn measure_nested(&mut self) {
        for entry in &mut self.entries {
            if let Some(systems) = entry.system.as_systems_mut() {
                systems.measured = self.measured;
                systems.measure_nested();
            }
        }
    }

    /// What was measured of the first system of a name; `None` where there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// fn walk(_: &mut Game) {}
    /// let systems = Systems::new().add(walk);
    /// assert!(systems.statistics("walk").is_some() && systems.statistics("run").is_none());
    /// ```
    pub fn statistics(&self, name: &str) -> Option<Statistics> {
        self.find(name).map(|entry| entry.statistics)
    }

    /// Begins to count anew, for all systems; the shortest and the longest calls stay:
    /// they are those of all time.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// fn walk(_: &mut Game) {}
    /// let mut systems = Systems::new().add(walk);
    /// systems.measure(true);
    /// systems.execute(&mut Game::new());
    /// systems.reset_statistics();
    /// assert_eq!(systems.statistics("walk").unwrap().execute.calls(), 0);
    /// ```
    pub fn reset_statistics(&mut self) {
        self.each_entry(&mut |entry| entry.statistics.reset());
    }

    /// The systems as text, a line for each: whether it takes part, what it reacted to,
    /// and how long it took where that was measured.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// fn walk(_: &mut Game) {}
    /// let mut systems = Systems::new().add(Systems::named("Movement").add(walk));
    /// systems.set_enabled("walk", false);
    /// let lines = ["Systems", "  Movement", "    walk      off", ""];
    /// assert_eq!(systems.report().to_string(), lines.join("\n"));
    /// ```
    pub fn report(&self) -> Report<'_, W> {
        Report { systems: self }
    }
}
