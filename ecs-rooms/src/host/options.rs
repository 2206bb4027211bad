//! Options and statistics of a host.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;
use std::{fmt, thread};

use crate::client::now;
use crate::core::seat::{End, Note};
use crate::core::wire;
use crate::error::Error;

/// How many failures are kept.
const MOST_FAILURES: usize = 64;
/// How many rooms are listed with their times.
const MOST_TIMES: usize = 32;

/// How a [`Host`](crate::Host) plays rooms. `name`, `tick`, and `save_every` may differ between the processes of a
/// deployment; `key` and `shards` must not.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use ecs_rooms::Options;
///
/// let options = Options { tick: Duration::from_millis(100), ..Options::new([7; 32]) };
/// assert_eq!(options.save_every, 100);
/// ```
#[derive(Clone)]
#[must_use]
pub struct Options {
    /// The name of the process: 1 to 64 ASCII letters, digits, `_` and `-`, different for each process.
    /// By default it is made of the process number and the time.
    pub name: String,
    /// The secret that all hosts share. It allows writing marks and opening rooms; players have keys
    /// derived from it ([`Player::key`](crate::Player::key)).
    pub key: [u8; 32],
    /// In how many shards the rooms are divided; 16. A shard is what moves between hosts, and has one log.
    pub shards: u32,
    /// The time between two ticks; 50 ms.
    pub tick: Duration,
    /// The time that a tick of a room may take before it is among the failures; 50 ms.
    pub budget: Duration,
    /// The number of ticks between two saves of a room; 100.
    pub save_every: u64,
    /// Whether a room whose replay differs from its log goes on from its last save, and the inputs that were played
    /// later are [lost](crate::Reason::Lost); `false`: it ends, as a room that has panicked.
    pub resume_differing: bool,
    /// What becomes of rooms of an older [version](crate::Room::VERSION) whose last host has died, if there is none
    /// of their version that could play their last ticks again. `false`: they wait for one. `true`: they go on
    /// from their last saves, and players are notified which inputs are [lost](crate::Reason::Lost).
    pub drop_ticks: bool,
    /// How many of a hundred rooms are played twice, to find systems that depend on something outside their context;
    /// 0. With each save the owner loads a copy, which plays the same ticks; the first difference is
    /// [`Error::Nondeterministic`]. Use 100 in tests, a few in production.
    pub verify: u32,
    /// Whether records stay in the log that no room needs any more, so that [`replay`](crate::replay()) can
    /// play whole matches; `false`. Logs then grow without limit.
    pub keep_log: bool,
    /// The time between two heartbeats of the process; 100 ms.
    pub beat: Duration,
    /// How long a process may be silent before others take its rooms over; 1 s.
    pub patience: Duration,
    /// Whether this process is a standby, and how long a shard may have no tick before it takes it over;
    /// `None`. A standby plays the rooms of one other host along, so a take-over needs no loading and
    /// no replay. It costs the memory and the processor time of these rooms once more, and reading their
    /// logs. A few ticks are right: a host that was only slow loses its shards, but no inputs, and gets
    /// them back.
    pub standby: Option<Duration>,
    /// The number of worker threads; as many as the machine has processors.
    pub threads: usize,
    /// Whether the signal SIGTERM drains the host; `true`. Then the program exits with 0, unless it waits for that
    /// itself: see [`Host::finished`](crate::Host::finished).
    pub drain_on_sigterm: bool,
}

impl Options {
    /// Returns the defaults, with the secret of the deployment.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(ecs_rooms::Options::new([7; 32]).shards, 16);
    /// ```
    pub fn new(key: [u8; 32]) -> Self {
        Self {
            name: format!("{}-{:x}", std::process::id(), now().as_nanos()),
            key,
            shards: 16,
            tick: Duration::from_millis(50),
            budget: Duration::from_millis(50),
            save_every: 100,
            resume_differing: false,
            drop_ticks: false,
            verify: 0,
            keep_log: false,
            beat: Duration::from_millis(100),
            patience: Duration::from_secs(1),
            standby: None,
            threads: thread::available_parallelism().map_or(1, Into::into),
            drain_on_sigterm: true,
        }
    }

    /// Returns the shard that a room belongs to: log `log/3` of the store has the records of shard 3.
    ///
    /// # Examples
    ///
    /// ```
    /// let options = ecs_rooms::Options::new([7; 32]);
    /// assert!(options.shard_of("duel") < options.shards);
    /// ```
    #[must_use]
    pub fn shard_of(&self, room: &str) -> u32 {
        wire::shard_of(room, self.shards)
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        let is_positive =
            self.shards > 0 && self.shards <= 4_096 && self.threads > 0 && self.save_every > 0;
        let has_times = !self.tick.is_zero()
            && self.beat >= Duration::from_millis(1)
            && self.patience > self.beat * 2
            && self.standby.is_none_or(|standby| standby >= self.tick * 2);
        match wire::is_name(&self.name) && is_positive && has_times {
            true => Ok(()),
            false => Err(Error::Limit(
                "options of a host: `name` has 1 to 64 of A-Z, a-z, 0-9, `_` and `-`, `shards` is 1 to 4,096, \
                 `threads`, `tick` and `save_every` are not 0, `patience` is longer than two beats, \
                 `standby` than two ticks"
                    .to_owned(),
            )),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Options {{ name: {:?}, .. }}", self.name) // the key is a secret
    }
}

/// What a [`Host`](crate::Host) has done since it started, and what it plays at present.
///
/// # Examples
///
/// ```
/// use ecs_rooms::Stats;
///
/// assert_eq!(Stats::default().ticks, 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Shards that it plays.
    pub shards: u64,
    /// Shards that it follows, to take them over.
    pub followed: u64,
    /// Rooms that it plays.
    pub rooms: u64,
    /// Ticks of rooms that it played as their owner.
    pub ticks: u64,
    /// Ticks that it played again to take rooms over, or along as a standby. Together with `ticks`: checksums verified.
    pub replayed: u64,
    /// Shards that it has taken over.
    pub taken_over: u64,
    /// Marks that came too late and were rejected.
    pub rejected: u64,
    /// Shards that others have taken over.
    pub lost: u64,
    /// Saves that were written.
    pub saves: u64,
    /// Records that meant nothing: broken, repeated, sealed with a wrong key, or of no room.
    pub skipped: u64,
    /// Marks, saves and reads that the store rejected.
    pub store_failures: u64,
    /// Ticks that came later than they were due by more than a tick.
    pub late: u64,
    /// How long ticks of the slowest rooms take, at most 32, slowest first.
    pub times: Vec<RoomTime>,
    /// The last failures, at most 64, oldest first.
    pub failures: Vec<Error>,
}

impl Stats {
    /// Returns the text that Prometheus reads, for the program to serve at `/metrics`. Rooms have their times, the
    /// slowest 32.
    ///
    /// # Examples
    ///
    /// ```
    /// let text = ecs_rooms::Stats::default().to_prometheus();
    /// assert!(text.starts_with("# TYPE rooms_shards gauge\nrooms_shards 0\n"));
    /// ```
    #[must_use]
    pub fn to_prometheus(&self) -> String {
        let numbers = [
            ("shards", "gauge", self.shards),
            ("followed_shards", "gauge", self.followed),
            ("played", "gauge", self.rooms),
            ("failures", "gauge", self.failures.len() as u64),
            ("ticks_total", "counter", self.ticks),
            ("replayed_ticks_total", "counter", self.replayed),
            ("taken_over_total", "counter", self.taken_over),
            ("rejected_marks_total", "counter", self.rejected),
            ("lost_shards_total", "counter", self.lost),
            ("saves_total", "counter", self.saves),
            ("skipped_records_total", "counter", self.skipped),
            ("store_failures_total", "counter", self.store_failures),
            ("late_ticks_total", "counter", self.late),
        ];
        let number =
            |(name, kind, value)| format!("# TYPE rooms_{name} {kind}\nrooms_{name} {value}\n");
        let mut text: String = numbers.map(number).concat();
        text += "# TYPE rooms_tick_seconds gauge\n";
        for time in &self.times {
            let quantiles = [("0.5", time.median), ("0.99", time.p99), ("1", time.worst)];
            for (quantile, seconds) in quantiles.map(|(of, time)| (of, time.as_secs_f64())) {
                let labels = format!("room=\"{}\",quantile=\"{quantile}\"", time.room);
                text += &format!("rooms_tick_seconds{{{labels}}} {seconds}\n");
            }
        }
        text
    }
}

/// How long the last ticks of a room took.
///
/// # Examples
///
/// ```
/// let times = ecs_rooms::Stats::default().times;
/// assert!(times.iter().all(|time| time.median <= time.worst));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RoomTime {
    /// The name of the room.
    pub room: String,
    /// Half of the ticks took no longer.
    pub median: Duration,
    /// Of 100 ticks, 99 took no longer.
    pub p99: Duration,
    /// The longest tick.
    pub worst: Duration,
}

impl RoomTime {
    pub(crate) fn new(room: &str, times: &VecDeque<Duration>) -> Option<Self> {
        let mut sorted: Vec<_> = times.iter().copied().collect();
        sorted.sort_unstable();
        let at = |percent: usize| sorted.get(sorted.len() * percent / 100);
        (!sorted.is_empty()).then(|| Self {
            room: room.to_owned(),
            median: at(50).copied().unwrap_or_default(),
            p99: at(99).copied().unwrap_or_default(),
            worst: sorted.last().copied().unwrap_or_default(),
        })
    }
}

/// What is counted, and how many rooms of each shard are played; `None` if the shard is followed.
#[derive(Default)]
pub(super) struct Counters {
    pub(super) stats: Stats,
    pub(super) shards: BTreeMap<u32, Option<u64>>,
    /// Of each shard the times of its rooms.
    times: BTreeMap<u32, Vec<RoomTime>>,
}

impl Counters {
    pub(super) fn stats(&self) -> Stats {
        let owned = self.shards.values().flatten();
        let shards = owned.clone().count() as u64;
        let mut times: Vec<_> = self.times.values().flatten().cloned().collect();
        times.sort_by_key(|time| Reverse(time.p99));
        times.truncate(MOST_TIMES);
        Stats {
            shards,
            followed: self.shards.len() as u64 - shards,
            rooms: owned.sum(),
            times,
            ..self.stats.clone()
        }
    }

    /// How many rooms each shard has that is played.
    pub(super) fn rooms(&self) -> BTreeMap<u32, u64> {
        let rooms = |(shard, rooms): (&u32, &Option<u64>)| Some((*shard, (*rooms)?));
        self.shards.iter().filter_map(rooms).collect()
    }

    pub(super) fn fail(&mut self, error: Error) {
        let failures = &mut self.stats.failures;
        // One that comes again does not displace the others.
        failures.retain(|other| *other != error);
        if failures.len() == MOST_FAILURES {
            failures.remove(0);
        }
        failures.push(error);
    }

    pub(super) fn count(&mut self, shard: u32, note: &Note) {
        crate::trace::note(shard, note);
        let stats = &mut self.stats;
        match note {
            Note::TakenOver(_) => stats.taken_over += 1,
            Note::Replayed(played) => stats.replayed += played,
            Note::Played { rooms, played } => {
                stats.ticks += played;
                self.shards.insert(shard, Some(*rooms));
            }
            Note::Skipped => stats.skipped += 1,
            Note::Rejected => stats.rejected += 1,
            Note::StoreFailed => stats.store_failures += 1,
            Note::Saved => stats.saves += 1,
            Note::Times(times) => _ = self.times.insert(shard, times.clone()),
            Note::Ended(End::Lost) => stats.lost += 1,
            Note::Ended(End::Drained | End::Other(_)) => {}
            Note::Failed(error) | Note::Ended(End::Unfit(error)) => self.fail(error.clone()),
        }
        if matches!(note, Note::Ended(_)) {
            self.shards.remove(&shard);
            self.times.remove(&shard);
        }
    }
}
