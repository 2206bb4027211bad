//! A system in its list: when it takes part, and what it took.
//!
//! A pass asks at execute whether the system takes part; its cleanup follows that answer,
//! so that a system that executed is also cleaned up, even if it has been disabled in
//! between. Those behind a system that failed or panicked are passed over, too:
//!
//! ```text
//!   Open ─┬─ takes part ─────────────────────────────► Ran ─┬─ cleanup ─► Open
//!         └─ does not ─► PassedOver ─ takes part later ──┘  │
//!                              └────────────────────────────┘
//! ```

use core::slice;
#[cfg(feature = "std")]
use core::time::Duration;

use crate::systems::error::SystemError;
use crate::systems::outcome::AnyError;
use crate::systems::phase::Phase;
use crate::systems::stats::SystemStatus;
use crate::systems::system::{Erased, Listed, RunCondition, SystemTurn};
#[cfg(feature = "std")]
use crate::words::actor::Acting;

/// Whether the standard library can tell the time here; where it cannot, asking is a panic.
#[cfg(feature = "std")]
const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Systems that have not run yet in a phase. Those that one which fails or panics leaves there do not
/// take part in an execute.
struct Ahead<'a, W> {
    systems: slice::IterMut<'a, Listed<W>>,
    phase: Phase,
}

impl<W> Drop for Ahead<'_, W> {
    fn drop(&mut self) {
        if self.phase == Phase::Execute {
            self.systems.by_ref().for_each(Listed::pass_over);
        }
    }
}

/// Runs a phase of all of them, up to the first one that fails.
pub(super) fn run_all<W>(
    systems: &mut [Listed<W>],
    phase: Phase,
    world: &mut W,
) -> Result<(), SystemError> {
    let systems = systems.iter_mut();
    let mut ahead = Ahead { systems, phase };
    let all = &mut ahead.systems;
    all.try_for_each(|listed| listed.run(phase, world))
}

impl<W> Listed<W> {
    pub(super) fn new(system: Erased<W>) -> Self {
        Self {
            status: SystemStatus {
                name: system.name(),
                ..SystemStatus::default()
            },
            system,
            condition: None,
            turn: SystemTurn::Open,
        }
    }

    /// Lets the system take part only while `condition` holds.
    pub(super) fn on_condition(self, condition: RunCondition<W>) -> Self {
        let condition = Some(condition);
        Self { condition, ..self }
    }

    /// Times the system, and those in it, or stops that.
    pub(super) fn measure(&mut self, measured: bool) {
        self.status.measured = measured;
        if let Some(inner) = self.system.inner_mut() {
            inner.measured = measured;
            let all = inner.systems.iter_mut();
            all.for_each(|listed| listed.measure(measured));
        }
    }

    /// Runs a phase. Initialize and tear-down are for every system, execute and cleanup for those
    /// that take part.
    pub(super) fn run(&mut self, phase: Phase, world: &mut W) -> Result<(), SystemError> {
        let result = match phase {
            Phase::Initialize | Phase::TearDown => self.call(phase, world),
            Phase::Execute => self.execute(world),
            Phase::Cleanup => self.cleanup(world),
        };
        result.map_err(|error| SystemError::of(&self.status.name, phase, error))
    }

    fn execute(&mut self, world: &mut W) -> Result<(), AnyError> {
        self.pass_over(); // unless it takes part: not if the condition panics
        if !self.takes_part(world) {
            if self.status.discards {
                self.system.clear(world);
            }
            return Ok(());
        }
        self.status.passed_over = false;
        self.turn = SystemTurn::Ran;
        self.timed(Phase::Execute, world)
    }

    /// Notes that it does not take part in an execute.
    fn pass_over(&mut self) {
        self.status.passed_over = true;
        if self.turn == SystemTurn::Open {
            self.turn = SystemTurn::PassedOver;
        }
    }

    fn cleanup(&mut self, world: &mut W) -> Result<(), AnyError> {
        let runs = match core::mem::replace(&mut self.turn, SystemTurn::Open) {
            SystemTurn::Open => self.takes_part(world),
            turn => turn == SystemTurn::Ran,
        };
        match runs {
            true => self.timed(Phase::Cleanup, world),
            false => Ok(()),
        }
    }

    fn takes_part(&mut self, world: &W) -> bool {
        let condition = self.condition.as_mut();
        !self.status.disabled && condition.is_none_or(|condition| condition(world))
    }

    #[cfg(feature = "std")]
    fn timed(&mut self, phase: Phase, world: &mut W) -> Result<(), AnyError> {
        if !self.status.measured {
            return self.call(phase, world);
        }
        let _acting = Acting::start(&self.status.name);
        let start = HAS_CLOCK.then(std::time::Instant::now);
        let result = self.call(phase, world);
        let statistics = &mut self.status.statistics;
        let durations = match phase {
            Phase::Cleanup => &mut statistics.cleanup,
            _ => &mut statistics.execute,
        };
        durations.record(start.map_or(Duration::ZERO, |start| start.elapsed()));
        result
    }

    /// Without the standard library nothing is measured.
    #[cfg(not(feature = "std"))]
    fn timed(&mut self, phase: Phase, world: &mut W) -> Result<(), AnyError> {
        self.call(phase, world)
    }

    /// Calls the system, in a span if there are any.
    fn call(&mut self, phase: Phase, world: &mut W) -> Result<(), AnyError> {
        #[cfg(feature = "tracing")]
        let _span = {
            let name = self.status.name.as_str();
            tracing::debug_span!(target: "ecs::systems", "system", name, %phase).entered()
        };
        phase.run(&mut *self.system, world)
    }
}
