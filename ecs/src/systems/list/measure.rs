//! Measuring the systems of a list.

use crate::systems::stats::Statistics;
use crate::systems::system::Systems;

impl<W> Systems<W> {
    /// Starts or stops measuring how long the systems of this list and of nested lists take. Off by
    /// default.
    ///
    /// `wasm32-unknown-unknown` has no clock: calls are counted, with a duration of zero.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
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
        let all = self.systems.iter_mut();
        all.for_each(|entry| entry.measure(measured));
    }

    /// Returns whether the systems of this list are measured.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut systems = Systems::<Game>::new();
    /// systems.measure(true);
    /// assert!(systems.is_measured());
    /// ```
    pub fn is_measured(&self) -> bool {
        self.measured
    }

    /// Returns the statistics of the first system with this name; `None` if there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn walk(_: &mut Game) {}
    /// let systems = Systems::new().add(walk);
    /// assert!(systems.statistics("walk").is_some() && systems.statistics("run").is_none());
    /// ```
    pub fn statistics(&self, name: &str) -> Option<Statistics> {
        self.find(name).map(|status| status.statistics)
    }

    /// Resets the statistics of all systems. The shortest and the longest call are kept.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn walk(_: &mut Game) {}
    /// let mut systems = Systems::new().add(walk);
    /// systems.measure(true);
    /// systems.execute(&mut Game::new());
    /// systems.reset_statistics();
    /// assert_eq!(systems.statistics("walk").unwrap().execute.calls(), 0);
    /// ```
    pub fn reset_statistics(&mut self) {
        self.visit_mut(&mut |status| status.statistics.reset());
    }
}
