//! What is known of the work of a system: how often it reacted, how long it took.

use core::time::Duration;

#[cfg(feature = "std")]
use super::Phase;

/// How often a system has reacted to changes.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Frozen;
/// let mut game = Game::new();
/// let mut systems =
///     Systems::new().for_each_changed(&mut game, Game::all_of::<Frozen>().entered(), |_, _| ());
/// game.create_many([Frozen, Frozen]);
/// systems.execute(&mut game);
/// let reactions = systems.reactions().unwrap();
/// assert_eq!((reactions.calls, reactions.last, reactions.total), (1, 2, 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reactions {
    /// How often there was something to react to.
    pub calls: u64,
    /// How many changes it was handed at its last execute: of entities, or of values
    /// removed.
    pub last: usize,
    /// How many it was handed in all.
    pub total: u64,
}

impl Reactions {
    /// Notes an execute that was handed so many changes.
    pub(super) fn note(&mut self, changes: usize) {
        self.calls += u64::from(changes > 0);
        self.last = changes;
        self.total += changes as u64;
    }

    /// Those of two systems together.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            last: self.last + other.last,
            total: self.total + other.total,
        }
    }
}

/// How long the calls of one phase took.
///
/// # Examples
///
/// ```
/// # use std::time::Duration;
/// let mut durations = ecs::Durations::default();
/// durations.record(Duration::from_millis(2));
/// durations.record(Duration::from_millis(4));
/// assert_eq!(durations.mean(), Duration::from_millis(3));
/// durations.reset();
/// assert_eq!((durations.mean(), durations.max()), (Duration::ZERO, Duration::from_millis(4)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Durations {
    calls: u32,
    last: Duration,
    sum: Duration,
    /// Least and greatest of all time; `None` before the first call.
    range: Option<(Duration, Duration)>,
}

impl Durations {
    /// Notes a call.
    pub fn record(&mut self, duration: Duration) {
        let (min, max) = self.range.unwrap_or((duration, duration));
        self.range = Some((min.min(duration), max.max(duration)));
        self.calls = self.calls.saturating_add(1);
        self.last = duration;
        self.sum = self.sum.saturating_add(duration);
    }

    /// Begins to count anew. The shortest and the longest call stay: they are those of
    /// all time.
    pub fn reset(&mut self) {
        *self = Self {
            range: self.range,
            ..Self::default()
        };
    }

    /// How many calls there were since the last reset.
    pub fn calls(&self) -> u32 {
        self.calls
    }

    /// How long the last call took.
    pub fn last(&self) -> Duration {
        self.last
    }

    /// How long all calls since the last reset took together.
    pub fn sum(&self) -> Duration {
        self.sum
    }

    /// How long a call since the last reset took on average; zero where there was none.
    pub fn mean(&self) -> Duration {
        self.sum.checked_div(self.calls).unwrap_or_default()
    }

    /// How long the shortest call of all time took.
    pub fn min(&self) -> Duration {
        self.range.map_or(Duration::ZERO, |(min, _)| min)
    }

    /// How long the longest call of all time took.
    pub fn max(&self) -> Duration {
        self.range.map_or(Duration::ZERO, |(_, max)| max)
    }
}

/// How long the calls of a system took, of the two phases that come in every pass.
/// Measured while [`Systems::measure`](super::Systems::measure) says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The calls of execute.
    pub execute: Durations,
    /// The calls of cleanup.
    pub cleanup: Durations,
}

impl Statistics {
    /// The durations of a phase, if it is measured.
    #[cfg(feature = "std")]
    pub(super) fn of(&mut self, phase: Phase) -> Option<&mut Durations> {
        match phase {
            Phase::Execute => Some(&mut self.execute),
            Phase::Cleanup => Some(&mut self.cleanup),
            Phase::Initialize | Phase::TearDown => None,
        }
    }

    /// Begins to count anew.
    pub(super) fn reset(&mut self) {
        self.execute.reset();
        self.cleanup.reset();
    }
}
