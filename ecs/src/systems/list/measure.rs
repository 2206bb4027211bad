//! How long the systems of a list take.

use crate::systems::stats::Statistics;
use crate::systems::system::Systems;

impl<W> Systems<W> {
    /// Starts or stops measuring how long the systems of this list and of nested lists take.
    /// Nothing is measured at first.
    ///
    /// On `wasm32-unknown-unknown`, which has no clock, calls are counted, and each takes no time.
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
        all.for_each(|listed| listed.measure(measured));
    }

    /// Returns whether systems of this list are measured.
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

    /// Returns what was measured of the first system of a name; `None` if there is none.
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

    /// Starts counting again from zero, for all systems. The shortest and the longest call of all
    /// time are kept.
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
