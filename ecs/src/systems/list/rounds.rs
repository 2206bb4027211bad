//! Lists that run several times per execute.

use alloc::boxed::Box;

use crate::systems::error::{SystemError, expect};
use crate::systems::phase::Phase;
use crate::systems::system::{PassState, Rounds, Sendable, System as _, Systems};

impl<W> Systems<W> {
    /// Makes each execute repeat the list until no reactive system in it has anything to react to, like
    /// [`execute_until_quiet`](Self::execute_until_quiet). After `at_most` rounds, remaining changes are
    /// kept for the next execute.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let weaken = |game: &mut Game, id| match game.entity(id).health().0 {
    ///     0 => game.destroy(id),
    ///     health => { game.entity_mut(id).replace_health(health - 1); }
    /// };
    /// let mut systems = Systems::new()
    ///     .for_each_changed(&mut game, Game::all_of::<Health>().entered_or_updated(), weaken)
    ///     .until_quiet(100);
    /// game.create_with(Health(7));
    /// systems.execute(&mut game);
    /// assert!(game.is_empty());
    /// ```
    #[must_use = "the list is returned"]
    pub fn until_quiet(mut self, at_most: usize) -> Self {
        self.rounds = Rounds::UntilQuiet(at_most);
        self
    }

    /// Executes the list until no reactive system in it has anything to react to, at most `at_most` times.
    /// Returns whether that point was reached.
    ///
    /// Each round runs all systems of the list, including those that do not react.
    ///
    /// # Panics
    ///
    /// Panics if a system fails. To get the error, use [`until_quiet`](Self::until_quiet) and
    /// [`try_execute`](Self::try_execute).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let changed = Game::all_of::<Health>().entered_or_updated();
    /// let mut systems = Systems::new().for_each_changed(&mut game, changed, |game, id| {
    ///     game.entity_mut(id).update_health(|health| health.0 += 1);
    /// });
    /// let id = game.create_with(Health(0)).id();
    /// assert!(!systems.execute_until_quiet(&mut game, 5));
    /// assert_eq!(game.entity(id).health().0, 5);
    /// ```
    #[track_caller]
    pub fn execute_until_quiet(&mut self, world: &mut W, at_most: usize) -> bool {
        let result = self.run_until_quiet(world, at_most);
        expect(result, "try_execute")
    }

    /// Returns whether there was a round without a reaction.
    #[track_caller]
    pub(super) fn run_until_quiet(
        &mut self,
        world: &mut W,
        at_most: usize,
    ) -> Result<bool, SystemError> {
        for _ in 0..at_most {
            let before = self.reaction_calls();
            self.run(Phase::Execute, world)?;
            if self.reaction_calls() == before {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes each execute of this list run rounds while `condition` returns `true`. A round executes all
    /// systems and then cleans them up. The condition is called before each round. Use it to run a list in
    /// [fixed steps](crate::FixedSteps), or once per turn.
    ///
    /// One-frame components that this list cleans up last one round. The list's own cleanup phase does
    /// nothing, because each round has been cleaned up already. If a system fails or panics, the
    /// remaining rounds are skipped; the cleanup phase then cleans up the round that failed.
    ///
    /// The condition replaces an earlier one, and [`until_quiet`](Self::until_quiet); nest lists to
    /// combine them. Entities are [moved together](Self::defragmenting) once per pass, not once per round.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.set_time(0);
    /// let turns = Systems::with_name("Turns")
    ///     .add(|game: &mut Game| game.update_time(|time| time.0 += 1))
    ///     .repeat_while(|game: &mut Game| game.time().0 < 3);
    /// let mut systems = Systems::new().add(turns);
    /// systems.execute(&mut game);
    /// assert_eq!(game.time().0, 3);
    /// ```
    #[must_use = "the list is returned"]
    pub fn repeat_while(
        mut self,
        condition: impl FnMut(&mut W) -> bool + Sendable + 'static,
    ) -> Self {
        self.rounds = Rounds::While(Box::new(condition));
        self
    }

    #[track_caller]
    pub(super) fn run_while(&mut self, world: &mut W) -> Result<(), SystemError> {
        while !self.suspended && self.has_another_round(world) {
            self.run(Phase::Execute, world)?;
            self.run(Phase::Cleanup, world)?;
        }
        Ok(())
    }

    fn has_another_round(&mut self, world: &mut W) -> bool {
        match &mut self.rounds {
            Rounds::While(condition) => condition(world),
            _ => false,
        }
    }

    /// Whether it cleans up in each round, and the last round was cleaned up.
    pub(super) fn has_cleaned_up(&self) -> bool {
        let is_pending = |state: PassState| state == PassState::Pending;
        matches!(self.rounds, Rounds::While(_))
            && self.systems.iter().all(|it| is_pending(it.state))
    }

    fn reaction_calls(&self) -> u64 {
        self.reactions().map_or(0, |reactions| reactions.calls)
    }
}
