//! Statistics of systems: reactions, durations, and the clock that measures them.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;

use crate::api::context::Missed;

/// How often a system has reacted to changes; returned by
/// [`System::reactions`](crate::System::reactions).
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
    /// The number of changes at its last execute: entities, values or messages.
    pub last: usize,
    /// The total number of changes.
    pub total: u64,
}

impl Reactions {
    /// Records an execute with this number of changes.
    pub(super) fn record(&mut self, changes: usize) {
        self.calls += u64::from(changes > 0);
        self.last = changes;
        self.total += changes as u64;
    }

    /// Returns the sum for two systems.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            last: self.last + other.last,
            total: self.total + other.total,
        }
    }
}

/// How long the calls of one phase took. All durations are zero if there was
/// [no clock](crate::Systems::set_clock).
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
    /// Shortest and longest call; kept by `reset`. `None` before the first call.
    range: Option<(Duration, Duration)>,
}

impl Durations {
    /// Records a call.
    pub fn record(&mut self, duration: Duration) {
        let (min, max) = self.range.unwrap_or((duration, duration));
        self.range = Some((min.min(duration), max.max(duration)));
        self.count();
        self.last = duration;
        self.sum = self.sum.saturating_add(duration);
    }

    /// Counts a call of unknown duration.
    pub(super) fn count(&mut self) {
        self.calls = self.calls.saturating_add(1);
    }

    /// Returns whether a call of known duration was ever recorded.
    pub(super) fn is_timed(&self) -> bool {
        self.range.is_some()
    }

    /// Resets all figures but the shortest and the longest call.
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

    /// Returns the duration of the last call.
    pub fn last(&self) -> Duration {
        self.last
    }

    /// Returns the total duration of all calls since the last reset.
    pub fn sum(&self) -> Duration {
        self.sum
    }

    /// Returns the average duration of a call since the last reset; zero if there was none.
    pub fn mean(&self) -> Duration {
        self.sum.checked_div(self.calls).unwrap_or_default()
    }

    /// Returns the duration of the shortest call ever; zero if there was none.
    pub fn min(&self) -> Duration {
        self.range.map_or(Duration::ZERO, |(min, _)| min)
    }

    /// Returns the duration of the longest call ever; zero if there was none.
    pub fn max(&self) -> Duration {
        self.range.map_or(Duration::ZERO, |(_, max)| max)
    }
}

/// How long a system took, in the two phases of every pass.
///
/// Returned by [`Systems::statistics`](crate::Systems::statistics) if
/// [`Systems::measure`](crate::Systems::measure) is on.
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
    /// Resets both phases.
    pub(super) fn reset(&mut self) {
        self.execute.reset();
        self.cleanup.reset();
    }
}

/// Tells the time: the clock given to a list, or else that of the target.
#[derive(Clone, Default)]
pub struct Clock(Option<Arc<dyn Fn() -> Duration + Send + Sync>>);

impl Clock {
    pub(super) fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(now)))
    }

    /// Returns whether it was given to a list.
    pub(super) fn is_given(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the time since a fixed moment, or `None` if the target has no clock.
    pub(super) fn now(&self) -> Option<Duration> {
        self.0.as_ref().map_or_else(target_time, |now| Some(now()))
    }
}

/// The time by the clock of the target. `wasm32-unknown-unknown` has none: `Instant::now` panics there.
#[cfg(all(
    feature = "std",
    not(all(target_family = "wasm", target_os = "unknown"))
))]
fn target_time() -> Option<Duration> {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    Some(START.elapsed())
}

#[cfg(not(all(
    feature = "std",
    not(all(target_family = "wasm", target_os = "unknown"))
)))]
fn target_time() -> Option<Duration> {
    None
}

/// What a list keeps about a system.
#[derive(Default)]
pub struct SystemStatus {
    pub(super) name: String,
    /// How many systems were added to the list before it. It does not change when others are removed.
    pub(super) number: usize,
    pub(super) disabled: bool,
    /// Whether it was resumed, so that it need not be initialized.
    pub(super) resumed: bool,
    /// Whether it did not run at the last execute.
    pub(super) skipped: bool,
    /// Whether changes are discarded while it is skipped.
    pub(super) discards: bool,
    /// Whether its calls are measured.
    pub(super) measured: bool,
    /// What measures them.
    pub(super) clock: Clock,
    pub(super) statistics: Statistics,
}

/// What a visitor sees of a system in a list.
pub struct VisitedSystem<'s> {
    /// How deeply it is nested.
    pub(super) depth: usize,
    pub(super) status: &'s SystemStatus,
    pub(super) reactions: Option<Reactions>,
    pub(super) missed: Vec<Missed>,
    pub(super) needs_initialize: bool,
}

/// A list of systems, whatever its world.
pub trait NestedSystems {
    /// Visits all systems; a nested list comes before its systems.
    fn visit<'s>(&'s self, depth: usize, visitor: &mut dyn FnMut(VisitedSystem<'s>));

    /// Visits the status of all systems, including those of nested lists.
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut SystemStatus));

    /// Starts or stops measuring all systems, and those that are added later.
    fn set_measured(&mut self, measured: bool);

    /// Sets the clock of all systems, and of those that are added later.
    fn give_clock(&mut self, clock: &Clock);
}
