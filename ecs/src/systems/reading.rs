//! Timers and clocks read from files. What a file says goes through the same rules as what a program
//! says: each error names the field and the remedy.
//!
//! Text formats may leave out every field but the duration, which can be in seconds. Binary formats have
//! all fields, in order.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::time::Duration;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use super::fixed_steps::{FixedSteps, StoredSteps};
use super::timer::{StoredTimer, Timer};

/// A timer in a text format.
#[derive(serde::Deserialize)]
#[serde(default, rename = "Timer", deny_unknown_fields)]
#[derive(Default)]
struct TextTimer {
    #[serde(deserialize_with = "some")]
    seconds: Option<f64>,
    #[serde(deserialize_with = "some")]
    duration: Option<Nanos>,
    elapsed: Nanos,
    repeats: bool,
    is_paused: bool,
    times_finished: u64,
}

impl TextTimer {
    fn stored(self) -> Result<StoredTimer, String> {
        Ok(StoredTimer {
            duration: one_of(self.seconds, "duration", self.duration, "timer")?,
            elapsed: self.elapsed.0,
            repeats: self.repeats,
            is_paused: self.is_paused,
            times_finished: self.times_finished,
        })
    }
}

/// A clock in a text format.
#[derive(serde::Deserialize)]
#[serde(default, rename = "FixedSteps", deny_unknown_fields)]
struct TextSteps {
    #[serde(deserialize_with = "some")]
    seconds: Option<f64>,
    #[serde(deserialize_with = "some")]
    timestep: Option<Nanos>,
    at_most: u32,
    accumulated: Nanos,
    dropped: Nanos,
    taken: u64,
}

impl Default for TextSteps {
    fn default() -> Self {
        Self {
            seconds: None,
            timestep: None,
            at_most: FixedSteps::AT_MOST,
            accumulated: Nanos(0),
            dropped: Nanos(0),
            taken: 0,
        }
    }
}

impl TextSteps {
    fn stored(self) -> Result<StoredSteps, String> {
        Ok(StoredSteps {
            timestep: one_of(self.seconds, "timestep", self.timestep, "clock")?,
            at_most: self.at_most,
            accumulated: self.accumulated.0,
            dropped: self.dropped.0,
            taken: self.taken,
        })
    }
}

impl<'de> Deserialize<'de> for Timer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = match deserializer.is_human_readable() {
            true => TextTimer::deserialize(deserializer)?.stored(),
            false => Ok(StoredTimer::deserialize(deserializer)?),
        };
        stored.and_then(Self::checked).map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for FixedSteps {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = match deserializer.is_human_readable() {
            true => TextSteps::deserialize(deserializer)?.stored(),
            false => Ok(StoredSteps::deserialize(deserializer)?),
        };
        stored.and_then(Self::checked).map_err(D::Error::custom)
    }
}

/// Nanoseconds in a text format. A number with a point is an error that says what to write.
#[derive(Default)]
struct Nanos(u64);

impl<'de> Deserialize<'de> for Nanos {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = Nanos;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number of nanoseconds; or write `seconds`, for example 0.75")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Nanos, E> {
                Ok(Nanos(number))
            }
        }
        deserializer.deserialize_any(Read)
    }
}

/// Reads a value that is written without `Some`.
fn some<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// The duration in nanoseconds: given as such in the field `name`, or in seconds.
fn one_of(
    seconds: Option<f64>,
    name: &str,
    nanos: Option<Nanos>,
    what: &str,
) -> Result<u64, String> {
    match (seconds, nanos) {
        (None, Some(Nanos(nanos))) => Ok(nanos),
        (Some(seconds), None) => nanos_of(seconds).ok_or_else(|| {
            format!("`seconds` of a {what} must be between 1e-9 and 18e9, not {seconds}")
        }),
        (None, None) => Err(format!(
            "a {what} needs a duration: write `seconds`, for example 0.75"
        )),
        (Some(_), Some(_)) => Err(format!(
            "a {what} has both `seconds` and `{name}`: leave one of them out"
        )),
    }
}

fn nanos_of(seconds: f64) -> Option<u64> {
    let duration = Duration::try_from_secs_f64(seconds).ok()?;
    let nanos = u64::try_from(duration.as_nanos()).ok()?;
    (nanos > 0).then_some(nanos)
}
