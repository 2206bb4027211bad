//! A system in its list: when it runs, and how long it takes.
//!
//! Execute decides whether the system runs. Cleanup follows that decision, so a system that executed is
//! also cleaned up, even if it was disabled in between. Systems after one that failed or panicked are
//! skipped.
//!
//! ```text
//!   Pending ─┬─ runs ──────────────────────────► Ran ─┬─ cleanup ─► Pending
//!            └─ does not ─► Skipped ─ runs later ─┘   │
//!                              └──────────────────────┘
//! ```

use core::slice;

use crate::reactions::actor::Acting;
use crate::systems::error::SystemError;
use crate::systems::outcome::AnyError;
use crate::systems::phase::Phase;
use crate::systems::stats::{Clock, SystemStatus};
use crate::systems::system::{BoxedSystem, PassState, RunCondition, SystemEntry};

/// Systems that have not run yet in a phase. If it ends early by an error or panic, those that remain
/// are marked as skipped.
struct RemainingSystems<'a, W> {
    systems: slice::IterMut<'a, SystemEntry<W>>,
    phase: Phase,
}

impl<W> Drop for RemainingSystems<'_, W> {
    fn drop(&mut self) {
        if self.phase == Phase::Execute {
            self.systems.by_ref().for_each(SystemEntry::skip);
        }
    }
}

/// Runs a phase of all systems, up to the first that fails.
pub(super) fn run_all<W>(
    systems: &mut [SystemEntry<W>],
    phase: Phase,
    world: &mut W,
) -> Result<(), SystemError> {
    let systems = systems.iter_mut();
    let mut remaining = RemainingSystems { systems, phase };
    let all = &mut remaining.systems;
    all.try_for_each(|entry| entry.run(phase, world))
}

impl<W> SystemEntry<W> {
    pub(super) fn new(system: BoxedSystem<W>) -> Self {
        Self {
            status: SystemStatus {
                name: system.name(),
                ..SystemStatus::default()
            },
            system,
            condition: None,
            state: PassState::Pending,
        }
    }

    /// Makes the system run only while `condition` is true.
    pub(super) fn on_condition(self, condition: RunCondition<W>) -> Self {
        let condition = Some(condition);
        Self { condition, ..self }
    }

    /// Starts or stops measuring the system and those inside it.
    pub(super) fn measure(&mut self, measured: bool) {
        self.status.measured = measured;
        let lists = self.system.lists_mut().into_iter().flatten();
        lists.for_each(|list| list.set_measured(measured));
    }

    /// Sets the clock of the system and of those inside it.
    pub(super) fn set_clock(&mut self, clock: &Clock) {
        self.status.clock = clock.clone();
        let lists = self.system.lists_mut().into_iter().flatten();
        lists.for_each(|list| list.give_clock(clock));
    }

    /// Runs a phase. Execute and cleanup may skip the system.
    pub(super) fn run(&mut self, phase: Phase, world: &mut W) -> Result<(), SystemError> {
        let result = match phase {
            Phase::Initialize | Phase::TearDown => self.call(phase, world),
            Phase::Resume => {
                self.status.resumed = true;
                self.call(phase, world)
            }
            Phase::Execute => self.execute(world),
            Phase::Cleanup => self.cleanup(world),
        };
        result.map_err(|error| SystemError::of(&self.status.name, phase, error))
    }

    fn execute(&mut self, world: &mut W) -> Result<(), AnyError> {
        self.skip(); // first, because the condition may panic
        if !self.should_run(world) {
            if self.status.discards {
                self.system.discard(world);
            }
            return Ok(());
        }
        self.status.skipped = false;
        self.state = PassState::Ran;
        self.timed(Phase::Execute, world)
    }

    /// Marks it as skipped at an execute.
    fn skip(&mut self) {
        self.status.skipped = true;
        if self.state == PassState::Pending {
            self.state = PassState::Skipped;
        }
    }

    fn cleanup(&mut self, world: &mut W) -> Result<(), AnyError> {
        let runs = match core::mem::replace(&mut self.state, PassState::Pending) {
            PassState::Pending => self.should_run(world),
            state => state == PassState::Ran,
        };
        match runs {
            true => self.timed(Phase::Cleanup, world),
            false => Ok(()),
        }
    }

    fn should_run(&mut self, world: &W) -> bool {
        let condition = self.condition.as_mut();
        !self.status.disabled && condition.is_none_or(|condition| condition(world))
    }

    fn timed(&mut self, phase: Phase, world: &mut W) -> Result<(), AnyError> {
        if !self.status.measured {
            return self.call(phase, world);
        }
        let _acting = Acting::start(&self.status.name);
        let start = self.status.clock.now();
        let result = self.call(phase, world);
        let end = self.status.clock.now();
        let statistics = &mut self.status.statistics;
        let durations = match phase {
            Phase::Cleanup => &mut statistics.cleanup,
            _ => &mut statistics.execute,
        };
        match start.zip(end) {
            Some((start, end)) => durations.record(end.saturating_sub(start)),
            None => durations.count(),
        }
        result
    }

    /// Calls the system, in a span with the feature `tracing`.
    fn call(&mut self, phase: Phase, world: &mut W) -> Result<(), AnyError> {
        #[cfg(feature = "tracing")]
        let _span = {
            let name = self.status.name.as_str();
            tracing::debug_span!(target: "ecs::systems", "system", name, %phase).entered()
        };
        phase.run(&mut *self.system, world)
    }
}
