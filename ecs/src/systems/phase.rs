//! The phases of a system, and closures that run in one of them.

use alloc::string::String;
use core::fmt;

use super::name;
use super::outcome::{IntoOutcome, Outcome};
use super::system::{Sendable, System};

/// One of the phases of a [`System`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Runs once, before the first execute.
    Initialize,
    /// Runs once instead of initialize, if the world was loaded.
    Resume,
    /// Runs in every pass.
    Execute,
    /// Runs in every pass, after all systems have executed.
    Cleanup,
    /// Runs once, at the end.
    TearDown,
}

/// Displays the method's name: `initialize`, `resume`, `execute`, `cleanup`, `tear_down`.
impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Initialize => "initialize",
            Self::Resume => "resume",
            Self::Execute => "execute",
            Self::Cleanup => "cleanup",
            Self::TearDown => "tear_down",
        })
    }
}

impl Phase {
    /// Runs this phase of a system.
    pub(super) fn run<W, R: Outcome>(self, system: &mut dyn System<W, R>, world: &mut W) -> R {
        match self {
            Self::Initialize => system.initialize(world),
            Self::Resume => system.resume(world),
            Self::Execute => system.execute(world),
            Self::Cleanup => system.cleanup(world),
            Self::TearDown => system.tear_down(world),
        }
    }
}

/// A closure that runs in one phase.
pub(super) struct PhaseSystem<F> {
    phase: Phase,
    run: F,
    has_run: bool,
}

impl<F> PhaseSystem<F> {
    pub(super) fn new(phase: Phase, run: F) -> Self {
        Self {
            phase,
            run,
            has_run: false,
        }
    }

    fn run_in<W, T: IntoOutcome>(&mut self, phase: Phase, world: &mut W) -> T::Outcome
    where
        F: FnMut(&mut W) -> T,
    {
        if phase != self.phase {
            return T::Outcome::done();
        }
        self.has_run = true;
        (self.run)(world).into_outcome()
    }
}

impl<W, F, T, R> System<W, R> for PhaseSystem<F>
where
    F: FnMut(&mut W) -> T + Sendable,
    T: IntoOutcome<Outcome = R>,
    R: Outcome,
{
    fn initialize(&mut self, world: &mut W) -> R {
        self.run_in(Phase::Initialize, world)
    }

    fn resume(&mut self, world: &mut W) -> R {
        self.run_in(Phase::Resume, world)
    }

    fn execute(&mut self, world: &mut W) -> R {
        self.run_in(Phase::Execute, world)
    }

    fn cleanup(&mut self, world: &mut W) -> R {
        self.run_in(Phase::Cleanup, world)
    }

    fn tear_down(&mut self, world: &mut W) -> R {
        self.run_in(Phase::TearDown, world)
    }

    fn name(&self) -> String {
        name::of::<F>()
    }

    fn needs_initialize(&self) -> bool {
        self.phase == Phase::Initialize && !self.has_run
    }
}
