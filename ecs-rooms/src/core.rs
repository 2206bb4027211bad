//! The state machines: records and cells in, actions out; no threads, no clock, no I/O.

pub(crate) mod keeper;
pub(crate) mod outbox;
pub(crate) mod place;
pub(crate) mod presence;
pub(crate) mod roster;
pub(crate) mod seat;
pub(crate) mod wire;

#[cfg(test)]
mod simulation;

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::host::Options;

/// For how long a shard is tried to be played whose log does not answer.
const STUCK: Duration = Duration::from_secs(5);

/// What the state machines of a process have in common.
#[derive(Clone)]
pub(crate) struct Common {
    pub(crate) options: Options,
    pub(crate) build: wire::Build,
    /// For how many ticks a seat waits for records that ought to be there.
    pub(crate) waits: u32,
    /// The ticks without a mark after which a follower says that the owner is silent; 0 if the process is no
    /// standby.
    pub(crate) silent_after: u32,
    /// The time, to measure ticks; `None` in simulations.
    pub(crate) clock: Option<fn() -> Duration>,
    /// The most bytes of a record or a message.
    pub(crate) most_bytes: usize,
    /// As the option, from which it can be switched on later.
    pub(crate) drops_ticks: Arc<AtomicBool>,
}

impl Common {
    pub(crate) fn new(options: Options, build: wire::Build) -> Self {
        let ticks = |time: Duration| time.div_duration_f64(options.tick).ceil() as u32;
        Self {
            build,
            waits: ticks(STUCK),
            silent_after: ticks(options.standby.unwrap_or_default()),
            clock: None,
            most_bytes: usize::MAX,
            drops_ticks: Arc::new(AtomicBool::new(options.drop_ticks)),
            options,
        }
    }
}

impl Deref for Common {
    type Target = Options;

    fn deref(&self) -> &Options {
        &self.options
    }
}
