//! The phases of a pass, and closures as systems of one of them.

use alloc::string::String;

use super::name;
use super::system::System;

/// One of the four phases of a [`System`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Runs once, before the first execute.
    Initialize,
    /// Runs in every pass.
    Execute,
    /// Runs in every pass, after all systems have executed.
    Cleanup,
    /// Runs once, at the end.
    TearDown,
}

impl Phase {
    /// Makes a closure a system that runs in this phase.
    ///
    /// [`Systems::on`](crate::Systems::on) adds such a system to a list, and then the type of
    /// the closure's argument need not be written.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::{Phase, prelude::*};
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let mut spawn = Phase::Initialize.system(|game: &mut Game| drop(game.create_entity()));
    /// spawn.initialize(&mut game);
    /// spawn.execute(&mut game);
    /// assert_eq!(game.len(), 1);
    /// ```
    pub fn system<W, F: FnMut(&mut W)>(self, run: F) -> PhaseSystem<F> {
        PhaseSystem { phase: self, run }
    }

    /// Runs this phase of a system.
    pub(super) fn run<W>(self, system: &mut dyn System<W>, world: &mut W) {
        match self {
            Self::Initialize => system.initialize(world),
            Self::Execute => system.execute(world),
            Self::Cleanup => system.cleanup(world),
            Self::TearDown => system.tear_down(world),
        }
    }
}

/// A closure that is a system of one phase, made by [`Phase::system`].
#[derive(Clone, Debug)]
pub struct PhaseSystem<F> {
    phase: Phase,
    run: F,
}

impl<F> PhaseSystem<F> {
    fn run_in<W>(&mut self, phase: Phase, world: &mut W)
    where
        F: FnMut(&mut W),
    {
        if phase == self.phase {
            (self.run)(world);
        }
    }
}

impl<W, F: FnMut(&mut W)> System<W> for PhaseSystem<F> {
    fn initialize(&mut self, world: &mut W) {
        self.run_in(Phase::Initialize, world);
    }

    fn execute(&mut self, world: &mut W) {
        self.run_in(Phase::Execute, world);
    }

    fn cleanup(&mut self, world: &mut W) {
        self.run_in(Phase::Cleanup, world);
    }

    fn tear_down(&mut self, world: &mut W) {
        self.run_in(Phase::TearDown, world);
    }

    fn name(&self) -> String {
        name::of::<F>()
    }
}
