//! Timers as plain values.

#[cfg(feature = "serde")]
use alloc::format;
#[cfg(feature = "serde")]
use alloc::string::String;
use core::num::NonZeroU64;
use core::time::Duration;

/// Counts down a duration, once or repeatedly: a cooldown, a fuse, a wave of enemies every ten seconds.
///
/// It is a plain value for a field of a component, a system or the world. It reads no clock: it advances
/// by the time passed to [`tick`](Self::tick), in whole nanoseconds, so the same ticks give the same
/// result on every machine. It can be saved, compared and hashed. A timer in a component is rewound by a
/// [history](crate::History); elsewhere it is not.
///
/// Ticking a timer in a component is an update of that component. If you only need to know when it is
/// over, store the end time instead, as the example of [`Expire`](crate::Expire) does.
///
/// # In data files
///
/// With the feature `serde`, a text format needs the duration only, in `seconds`, and `repeats` if
/// it does; the other fields are those
/// that a save contains, in nanoseconds. A timer that no program could make, such as one that has `elapsed`
/// beyond its duration, is an error that names the field.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// # use ecs::Timer;
/// # use std::time::Duration;
/// let wave: Timer = serde_json::from_str(r#"{"seconds": 0.75, "repeats": true}"#).unwrap();
/// assert_eq!(wave, Timer::repeating(Duration::from_millis(750)));
/// let fuse: Timer = serde_json::from_str(r#"{"seconds": 3}"#).unwrap();
/// assert_eq!(fuse, Timer::once(Duration::from_secs(3)));
/// # }
/// ```
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// use std::time::Duration;
///
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Weapon { cooldown: Timer }
///
/// let mut game = Game::new();
/// let weapon = game.create_with(Weapon { cooldown: Timer::once(Duration::from_millis(250)) }).id();
/// let mut shots = 0;
/// for _frame in 0..60 {
///     let tick = Duration::from_millis(16);
///     game.entity_mut(weapon).update_weapon(|weapon| {
///         if weapon.cooldown.tick(tick).is_finished() {
///             weapon.cooldown.reset();
///             shots += 1;
///         }
///     });
/// }
/// assert_eq!(shots, 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Timer {
    /// In nanoseconds, as `elapsed`.
    duration: NonZeroU64,
    elapsed: u64,
    repeats: bool,
    is_paused: bool,
    /// In the last tick.
    times_finished: u64,
}

/// A timer as it is saved, not checked yet.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "Timer")]
pub(super) struct StoredTimer {
    pub(super) duration: u64,
    pub(super) elapsed: u64,
    pub(super) repeats: bool,
    pub(super) is_paused: bool,
    pub(super) times_finished: u64,
}

#[cfg(feature = "serde")]
impl Timer {
    /// The timer, if its methods can bring it to this state.
    pub(super) fn checked(stored: StoredTimer) -> Result<Self, String> {
        let StoredTimer {
            duration,
            elapsed,
            repeats,
            is_paused,
            times_finished,
        } = stored;
        let Some(least) = NonZeroU64::new(duration) else {
            let message =
                "`duration` of a timer must be at least 1 ns; write `seconds`, for example 0.75";
            return Err(message.into());
        };
        if elapsed > duration || (repeats && elapsed == duration) {
            let at_most = duration - u64::from(repeats);
            return Err(format!(
                "`elapsed` of this timer must be at most {at_most} ns, not {elapsed}: it has a \
                 duration of {duration} ns; leave it out to start at 0"
            ));
        }
        if !repeats && (times_finished > 1 || times_finished == 1 && elapsed < duration) {
            return Err(format!(
                "`times_finished` of a timer that does not repeat must be 0, or 1 if `elapsed` is \
                 its duration, not {times_finished}; leave it out"
            ));
        }
        Ok(Self {
            duration: least,
            elapsed,
            repeats,
            is_paused,
            times_finished,
        })
    }
}

impl Timer {
    /// Creates a timer that finishes once, and stays finished until it is [reset](Self::reset).
    ///
    /// Durations are clamped to between one nanosecond and 584 years.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let mut timer = ecs::Timer::once(Duration::from_secs(3));
    /// assert!(!timer.tick(Duration::from_secs(2)).is_finished());
    /// assert!(timer.tick(Duration::from_secs(2)).is_finished());
    /// ```
    pub fn once(duration: Duration) -> Self {
        Self {
            duration: NonZeroU64::new(nanos(duration)).unwrap_or(NonZeroU64::MIN),
            elapsed: 0,
            repeats: false,
            is_paused: false,
            times_finished: 0,
        }
    }

    /// Creates a timer that starts over whenever it finishes. Time beyond the end counts for the next
    /// round.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let mut timer = ecs::Timer::repeating(Duration::from_secs(3));
    /// assert_eq!(timer.tick(Duration::from_secs(7)).times_finished_this_tick(), 2);
    /// assert_eq!(timer.elapsed(), Duration::from_secs(1));
    /// ```
    pub fn repeating(duration: Duration) -> Self {
        Self {
            repeats: true,
            ..Self::once(duration)
        }
    }

    /// Advances by the elapsed time, unless it is paused. Returns the timer, to check whether it has
    /// finished.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let mut timer = ecs::Timer::once(Duration::from_secs(1));
    /// assert!(timer.tick(Duration::from_secs(1)).just_finished());
    /// assert!(!timer.tick(Duration::from_secs(1)).just_finished());
    /// ```
    pub fn tick(&mut self, elapsed: Duration) -> &Self {
        let elapsed = if self.is_paused { 0 } else { nanos(elapsed) };
        self.advance(elapsed);
        self
    }

    fn advance(&mut self, elapsed: u64) {
        let (duration, before) = (self.duration.get(), self.elapsed);
        let now = before.saturating_add(elapsed);
        if self.repeats {
            self.times_finished = now / duration;
            self.elapsed = now % duration;
        } else {
            self.elapsed = now.min(duration);
            self.times_finished = u64::from(before < duration && now >= duration);
        }
    }

    /// Returns whether it has finished; if it repeats, whether it finished in the last tick.
    pub fn is_finished(&self) -> bool {
        self.times_finished > 0 || self.elapsed >= self.duration.get()
    }

    /// Returns whether it finished in the last tick.
    pub fn just_finished(&self) -> bool {
        self.times_finished > 0
    }

    /// Returns how many times it finished in the last tick: more than once if it repeats and the tick
    /// was long.
    pub fn times_finished_this_tick(&self) -> u64 {
        self.times_finished
    }

    /// Starts over, with all of its time remaining.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let mut timer = ecs::Timer::once(Duration::from_secs(1));
    /// timer.tick(Duration::from_secs(1));
    /// timer.reset();
    /// assert_eq!((timer.is_finished(), timer.elapsed()), (false, Duration::ZERO));
    /// ```
    pub fn reset(&mut self) {
        self.elapsed = 0;
        self.times_finished = 0;
    }

    /// Finishes it now, paused or not, as a tick of the remaining time would: for a cooldown that starts
    /// out ready.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let mut timer = ecs::Timer::once(Duration::from_secs(1));
    /// timer.finish();
    /// assert!(timer.is_finished());
    /// ```
    pub fn finish(&mut self) {
        self.advance(self.duration.get().saturating_sub(self.elapsed));
    }

    /// Ignores ticks until [`resume`](Self::resume).
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let mut timer = ecs::Timer::once(Duration::from_secs(1));
    /// timer.pause();
    /// assert!(!timer.tick(Duration::from_secs(1)).is_finished());
    /// timer.resume();
    /// assert!(timer.tick(Duration::from_secs(1)).is_finished());
    /// ```
    pub fn pause(&mut self) {
        self.is_paused = true;
    }

    /// Counts ticks again after [`pause`](Self::pause).
    pub fn resume(&mut self) {
        self.is_paused = false;
    }

    /// Returns whether it is paused.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Returns whether it starts over when it finishes.
    pub fn is_repeating(&self) -> bool {
        self.repeats
    }

    /// Returns the duration that it counts down.
    pub fn duration(&self) -> Duration {
        Duration::from_nanos(self.duration.get())
    }

    /// Returns the time that has passed since it started, or last started over.
    pub fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.elapsed)
    }

    /// Returns the time until it finishes.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::time::Duration;
    /// let mut timer = ecs::Timer::once(Duration::from_secs(4));
    /// timer.tick(Duration::from_secs(1));
    /// assert_eq!((timer.remaining(), timer.fraction()), (Duration::from_secs(3), 0.25));
    /// ```
    pub fn remaining(&self) -> Duration {
        self.duration().saturating_sub(self.elapsed())
    }

    /// Returns the fraction of its time that has passed, from 0 to 1, for a progress bar.
    pub fn fraction(&self) -> f32 {
        let duration = self.duration.get();
        (self.elapsed.min(duration) as f64 / duration as f64) as f32
    }
}

/// A duration in nanoseconds, at most 584 years.
fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
