//! A system in its list: when it takes part, and what it took.
//!
//! A pass asks at execute whether the system takes part; its cleanup follows that answer,
//! so that a system that executed is also cleaned up, even if it has been disabled in
//! between:
//!
//! ```text
//!   Open ─┬─ takes part ─────────────────────────────► Ran ─┬─ cleanup ─► Open
//!         └─ does not ─► PassedOver ─ takes part later ──┘  │
//!                              └────────────────────────────┘
//! ```

use alloc::boxed::Box;

use crate::systems::phase::Phase;
use crate::systems::status::SystemStatus;
use crate::systems::system::System;

/// Whether a system takes part in the present pass.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Not yet asked.
    Open,
    /// It was asked, and has not taken part so far.
    PassedOver,
    Ran,
}

/// A run condition.
pub(super) type Condition<W> = Box<dyn FnMut(&W) -> bool>;

/// A system with its status and its condition.
pub(super) struct Listed<W> {
    pub(super) status: SystemStatus,
    pub(super) system: Box<dyn System<W>>,
    condition: Option<Condition<W>>,
    /// Since the last cleanup.
    turn: Turn,
}

impl<W> Listed<W> {
    pub(super) fn new(system: Box<dyn System<W>>) -> Self {
        Self {
            status: SystemStatus {
                name: system.name(),
                ..SystemStatus::default()
            },
            system,
            condition: None,
            turn: Turn::Open,
        }
    }

    /// Lets the system take part only while `condition` holds.
    pub(super) fn on_condition(self, condition: Condition<W>) -> Self {
        let condition = Some(condition);
        Self { condition, ..self }
    }

    /// Runs a phase. Initialize and tear-down are for every system, execute and cleanup for those
    /// that take part.
    pub(super) fn run(&mut self, phase: Phase, world: &mut W) {
        match phase {
            Phase::Initialize | Phase::TearDown => phase.run(&mut *self.system, world),
            Phase::Execute => self.execute(world),
            Phase::Cleanup => self.cleanup(world),
        }
    }

    fn execute(&mut self, world: &mut W) {
        self.status.passed_over = !self.takes_part(world);
        if self.status.passed_over {
            return self.pass_over(world);
        }
        self.turn = Turn::Ran;
        self.timed(Phase::Execute, world);
    }

    fn pass_over(&mut self, world: &mut W) {
        if self.turn == Turn::Open {
            self.turn = Turn::PassedOver;
        }
        if self.status.discards {
            self.system.clear(world);
        }
    }

    fn cleanup(&mut self, world: &mut W) {
        let runs = match core::mem::replace(&mut self.turn, Turn::Open) {
            Turn::Open => self.takes_part(world),
            turn => turn == Turn::Ran,
        };
        if runs {
            self.timed(Phase::Cleanup, world);
        }
    }

    fn takes_part(&mut self, world: &W) -> bool {
        let condition = self.condition.as_mut();
        !self.status.disabled && condition.is_none_or(|condition| condition(world))
    }

    #[cfg(feature = "std")]
    fn timed(&mut self, phase: Phase, world: &mut W) {
        if !self.status.measured {
            return phase.run(&mut *self.system, world);
        }
        let start = std::time::Instant::now();
        phase.run(&mut *self.system, world);
        let statistics = &mut self.status.statistics;
        let durations = match phase {
            Phase::Cleanup => &mut statistics.cleanup,
            _ => &mut statistics.execute,
        };
        durations.record(start.elapsed());
    }

    /// Without a clock nothing is measured.
    #[cfg(not(feature = "std"))]
    fn timed(&mut self, phase: Phase, world: &mut W) {
        phase.run(&mut *self.system, world);
    }
}
