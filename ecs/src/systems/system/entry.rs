//! A system in its list: its name, whether it takes part, what it took.
//!
//! A pass asks at execute whether the system takes part; its cleanup follows that answer,
//! so that a system that executed is also cleaned up, even if it has been switched off in
//! between:
//!
//! ```text
//!   Open ─┬─ takes part ─────────────────────────────► Ran ─┬─ cleanup ─► Open
//!         └─ takes none ─► PassedOver ─ takes part later ─┘ │
//!                              └────────────────────────────┘
//! ```

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{Phase, Statistics, System};

/// Whether a system takes part in the present pass.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Not yet asked.
    Open,
    /// It was asked, and has taken no part so far.
    PassedOver,
    Ran,
}

/// A run condition.
type Condition<W> = Box<dyn FnMut(&W) -> bool>;

/// A system and what its list knows of it.
pub(super) struct Entry<W> {
    pub(super) name: String,
    pub(super) system: Box<dyn System<W>>,
    pub(super) enabled: bool,
    /// Whether changes are forgotten that come while it is passed over.
    pub(super) forgets: bool,
    pub(super) statistics: Statistics,
    /// Whether it took no part at the last execute.
    pub(super) passed_over: bool,
    conditions: Vec<Condition<W>>,
    /// Since the last cleanup.
    turn: Turn,
}

impl<W> Entry<W> {
    pub(super) fn new(system: Box<dyn System<W>>) -> Self {
        Self {
            name: system.name(),
            system,
            enabled: true,
            forgets: false,
            statistics: Statistics::default(),
            passed_over: false,
            conditions: Vec::new(),
            turn: Turn::Open,
        }
    }

    /// Has the system take part only where `condition` holds, too.
    pub(super) fn add_condition(&mut self, condition: impl FnMut(&W) -> bool + 'static) {
        self.conditions.push(Box::new(condition));
    }

    /// Runs a phase, measuring it if asked to. The beginning and the end are for every
    /// system; in between only those run that take part.
    pub(super) fn run(&mut self, phase: Phase, world: &mut W, measured: bool) {
        match phase {
            Phase::Initialize | Phase::TearDown => phase.run(&mut *self.system, world),
            Phase::Execute => self.execute(world, measured),
            Phase::Cleanup => self.cleanup(world, measured),
        }
    }

    fn execute(&mut self, world: &mut W, measured: bool) {
        self.passed_over = !self.takes_part(world);
        if !self.passed_over {
            self.turn = Turn::Ran;
            return self.timed(Phase::Execute, world, measured);
        }
        if self.turn == Turn::Open {
            self.turn = Turn::PassedOver;
        }
        if self.forgets {
            self.system.clear(world);
        }
    }

    fn cleanup(&mut self, world: &mut W, measured: bool) {
        let runs = match core::mem::replace(&mut self.turn, Turn::Open) {
            Turn::Open => self.takes_part(world),
            turn => turn == Turn::Ran,
        };
        if runs {
            self.timed(Phase::Cleanup, world, measured);
        }
    }

    fn takes_part(&mut self, world: &W) -> bool {
        self.enabled && self.conditions.iter_mut().all(|condition| condition(world))
    }

    #[cfg(feature = "std")]
    fn timed(&mut self, phase: Phase, world: &mut W, measured: bool) {
        if !measured {
            return phase.run(&mut *self.system, world);
        }
        let start = std::time::Instant::now();
        phase.run(&mut *self.system, world);
        let duration = start.elapsed();
        if let Some(durations) = self.statistics.of(phase) {
            durations.record(duration);
        }
    }

    /// Without a clock nothing is measured.
    #[cfg(not(feature = "std"))]
    fn timed(&mut self, phase: Phase, world: &mut W, _: bool) {
        phase.run(&mut *self.system, world);
    }
}

/// No system is called by the name that was asked for.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// fn walk(_: &mut Game) {}
/// let mut systems = Systems::new().add(walk);
/// let error = systems.try_set_enabled("Walk", false).unwrap_err();
/// assert_eq!(error.to_string(), "no system is called `Walk`; there are `walk`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSystem {
    pub(super) name: String,
    pub(super) known: Vec<String>,
}

impl fmt::Display for UnknownSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no system is called `{}`", self.name)?;
        if self.known.is_empty() {
            return f.write_str("; the list is empty");
        }
        let known: Vec<_> = self.known.iter().map(|name| format!("`{name}`")).collect();
        write!(f, "; there are {}", known.join(", "))
    }
}

impl core::error::Error for UnknownSystem {}
