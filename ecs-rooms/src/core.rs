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

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What the state machines of a process have in common.
#[derive(Clone, Default)]
pub(crate) struct Common {
    pub(crate) me: String,
    pub(crate) key: wire::Key,
    pub(crate) build: wire::Build,
    pub(crate) shards: u32,
    /// Ticks between two saves of a room.
    pub(crate) save_every: u64,
    /// For how many ticks a seat waits for records that ought to be there.
    pub(crate) waits: u32,
    /// The ticks without a mark after which a follower says that the owner is silent; 0 if the process is no
    /// standby.
    pub(crate) standby: u32,
    /// The time, to measure ticks; `None` in simulations.
    pub(crate) clock: Option<fn() -> Duration>,
    /// The time that a tick of a room may take.
    pub(crate) budget: Duration,
    /// The most bytes of a record or a message.
    pub(crate) most_bytes: usize,
    /// Whether a room that differs from its log goes on from its last save; else it ends.
    pub(crate) resumes: bool,
    /// Whether rooms of an older version go on from their last saves if no host can play their last ticks.
    pub(crate) drops_ticks: Arc<AtomicBool>,
    /// How many of a hundred rooms are played twice.
    pub(crate) verify: u32,
    /// Whether records stay that no room needs.
    pub(crate) keep_log: bool,
    /// The time between two beats.
    pub(crate) beat: Duration,
    /// A host that has not beaten for so long is taken for dead.
    pub(crate) patience: Duration,
}
