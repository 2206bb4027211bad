//! Measuring the systems of a list.

use core::time::Duration;

use crate::systems::stats::{Clock, NestedSystems as _, Statistics};
use crate::systems::system::Systems;

impl<W> Systems<W> {
    /// Starts or stops measuring how long the systems of this list and of nested lists take. Off by
    /// default.
    ///
    /// On `wasm32-unknown-unknown`, and without the feature `std`, there is no clock: calls are counted, and
    /// times are absent until you [set one](Self::set_clock).
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
    pub fn measure(&mut self, measured: bool) {
        self.set_measured(measured);
    }

    /// Sets the clock that measures the systems of this list and of nested lists: a function that returns
    /// the time since a fixed moment. It is called before and after each phase of a measured system. By
    /// default, lists use [`Instant`](https://doc.rust-lang.org/std/time/struct.Instant.html).
    ///
    /// Set a clock where the target has none, such as `performance.now` in a browser, or in tests, so that
    /// measured times are the same in each run.
    ///
    /// # Examples
    ///
    /// A clock that advances by a millisecond each time it is read:
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use std::time::Duration;
    ///
    /// fn walk(_: &mut Game) {}
    /// let mut systems = Systems::new().add(walk);
    /// let ticks = AtomicU64::new(0);
    /// systems.set_clock(move || Duration::from_millis(ticks.fetch_add(1, Ordering::Relaxed)));
    /// systems.measure(true);
    /// systems.execute(&mut Game::new());
    /// assert_eq!(systems.statistics("walk").unwrap().execute.last(), Duration::from_millis(1));
    /// ```
    pub fn set_clock(&mut self, now: impl Fn() -> Duration + Send + Sync + 'static) {
        self.give_clock(&Clock::new(now));
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
