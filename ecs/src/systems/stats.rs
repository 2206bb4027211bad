//! Statistics of a system: how often it reacted, how long it took.

use alloc::string::String;
use core::time::Duration;

/// How often a system has reacted to changes, as [`System::reactions`](crate::System::reactions)
/// returns it.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
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
    /// The number of executes at which there was something to react to.
    pub calls: u64,
    /// The number of changes at its last execute: of entities, or of values removed.
    pub last: usize,
    /// The number of changes in all.
    pub total: u64,
}

impl Reactions {
    /// Records an execute with this number of changes.
    pub(super) fn note(&mut self, changes: usize) {
        self.calls += u64::from(changes > 0);
        self.last = changes;
        self.total += changes as u64;
    }

    /// The sum for two systems.
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
/// let mut durations = ecs::stats::Durations::default();
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
    /// Records a call.
    pub fn record(&mut self, duration: Duration) {
        let (min, max) = self.range.unwrap_or((duration, duration));
        self.range = Some((min.min(duration), max.max(duration)));
        self.calls = self.calls.saturating_add(1);
        self.last = duration;
        self.sum = self.sum.saturating_add(duration);
    }

    /// Starts counting again from zero. The shortest and the longest call of all time are kept.
    pub fn reset(&mut self) {
        *self = Self {
            range: self.range,
            ..Self::default()
        };
    }

    /// Returns the number of calls since the last reset.
    pub fn calls(&self) -> u32 {
        self.calls
    }

    /// Returns how long the last call took.
    pub fn last(&self) -> Duration {
        self.last
    }

    /// Returns how long all calls since the last reset took together.
    pub fn sum(&self) -> Duration {
        self.sum
    }

    /// Returns how long a call since the last reset took on average; zero if there was none.
    pub fn mean(&self) -> Duration {
        self.sum.checked_div(self.calls).unwrap_or_default()
    }

    /// Returns how long the shortest call of all time took; zero if there was none.
    pub fn min(&self) -> Duration {
        self.range.map_or(Duration::ZERO, |(min, _)| min)
    }

    /// Returns how long the longest call of all time took; zero if there was none.
    pub fn max(&self) -> Duration {
        self.range.map_or(Duration::ZERO, |(_, max)| max)
    }
}

/// How long the calls of a system took, in the two phases that come in every pass.
///
/// Returned by [`Systems::statistics`](crate::Systems::statistics), and measured while
/// [`Systems::measure`](crate::Systems::measure) says so.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// fn walk(_: &mut Game) {}
/// let (mut game, mut systems) = (Game::new(), Systems::new().add(walk));
/// systems.measure(true);
/// systems.execute(&mut game);
/// let statistics = systems.statistics("walk").unwrap();
/// assert_eq!((statistics.execute.calls(), statistics.cleanup.calls()), (1, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The calls of execute.
    pub execute: Durations,
    /// The calls of cleanup.
    pub cleanup: Durations,
}

impl Statistics {
    /// Starts counting again from zero.
    pub(super) fn reset(&mut self) {
        self.execute.reset();
        self.cleanup.reset();
    }
}

/// A system as its list sees it, without its logic.
#[derive(Default)]
pub(super) struct SystemStatus {
    pub(super) name: String,
    /// How many were added to the list before it: it keeps that number when others come and go.
    pub(super) number: usize,
    pub(super) disabled: bool,
    /// Whether it did not take part at the last execute.
    pub(super) passed_over: bool,
    /// Whether changes are discarded that come while it is passed over.
    pub(super) discards: bool,
    /// Whether its calls are timed.
    pub(super) measured: bool,
    pub(super) statistics: Statistics,
}
