//! A process that plays rooms.
//!
//! ```text
//! keeper thread   beats, follows shards, claims them        core/keeper.rs
//! worker threads  play the seats of shards                  core/seat.rs, host/worker.rs
//! store           calls back; what it says becomes messages to these threads
//! ```

mod keeping;
mod options;
mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use std::{fmt, thread};

use crate::core::seat::Common;
use crate::core::wire::{self, Config, Entry, VERSION};
use crate::error::Error;
use crate::memory::lock;
use crate::room::Room;
use crate::store::Store;

use self::options::Counters;
pub use self::options::{Options, Stats};

/// For how long a call waits for the outcome of a write.
pub(crate) const WRITE: Duration = Duration::from_secs(10);

/// For how long a shard is tried to be played whose log does not answer.
const STUCK: Duration = Duration::from_secs(5);

/// What the threads of a host share.
pub(crate) struct HostState {
    store: Arc<dyn Store>,
    options: Options,
    counters: Counters,
    /// Give all shards away, then stop.
    drain: Arc<AtomicBool>,
    /// Stop at once.
    stop: AtomicBool,
    seats: AtomicU64,
    followed: AtomicU64,
}

impl HostState {
    fn common(&self) -> Common {
        Common {
            me: self.options.name.clone(),
            key: self.options.key,
            shards: self.options.shards,
            save_every: self.options.save_every,
            waits: self.ticks(STUCK),
            standby: self.ticks(self.options.standby.unwrap_or_default()),
            keep_log: self.options.keep_log,
        }
    }

    fn ticks(&self, time: Duration) -> u32 {
        time.div_duration_f64(self.options.tick).ceil() as u32
    }

    fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A process that plays rooms: as many as it gets, together with the other hosts of the same store.
///
/// If the process dies, another one takes its rooms over and plays them on from where they were: no input
/// that was acknowledged is lost, and none is played twice.
///
/// Dropping it stops it at once, as if the process had died; [`drain`](Self::drain) releases its rooms
/// first.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use serde::{Deserialize, Serialize};
/// # #[ecs::context] pub struct Duel;
/// # #[derive(Component, Clone, Hash, Serialize, Deserialize)]
/// # #[component(context = Duel, unique)] pub struct Score(pub u64);
/// # impl ecs_rooms::Game for Duel {
/// #     type Input = u64; type View = Score;
/// #     fn begin(&mut self, seed: u64) { self.set_score(seed); }
/// #     fn systems(&mut self) -> Systems<Self> { Systems::new() }
/// #     fn input(&mut self, _: u64, points: u64) { self.update_score(|score| score.0 += points); }
/// # }
/// use std::time::Duration;
/// use ecs_rooms::{Host, MemoryStore, Options, Player, Session};
///
/// # fn main() -> Result<(), ecs_rooms::Error> {
/// let (store, key) = (MemoryStore::new(), [7; 32]);
/// let options = Options { tick: Duration::from_millis(5), ..Options::new(key) };
/// let host = Host::run::<Session<Duel>>(store.clone(), options)?;
/// host.open("duel", 1)?;
///
/// let player = Player::<Session<Duel>>::new(store.clone(), "duel", 0, Player::<Session<Duel>>::key(&key, "duel", 0))?;
/// player.send(&20)?;
/// player.wait(Duration::from_secs(5))?; // the input is in the log
/// # std::thread::sleep(Duration::from_millis(200));
/// host.drain();
/// let mut last = 0;
/// ecs_rooms::replay::<Session<Duel>>(&store, "duel", &key, |_, session| last = session.game.score().0)?;
/// assert_eq!(last, 21);
/// # Ok(()) }
/// ```
#[must_use = "a host stops when it is dropped"]
pub struct Host {
    shared: Arc<HostState>,
    keeper: Option<JoinHandle<()>>,
}

impl Host {
    /// Starts the threads that play rooms of a kind.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] if an option is outside its limits, or if the store is divided into another
    /// number of shards; [`Error::Unknown`] if the store cannot be reached.
    pub fn run<R: Room>(store: impl Store, options: Options) -> Result<Self, Error> {
        options.check()?;
        let store: Arc<dyn Store> = Arc::new(store);
        agree(&*store, options.shards)?;
        let drain = Arc::new(AtomicBool::new(false));
        if options.drain_on_sigterm {
            let flag = signal_hook::flag::register(signal_hook::consts::SIGTERM, drain.clone());
            flag.map_err(|error| Error::Limit(format!("SIGTERM: {error}")))?;
        }
        let shared = Arc::new(HostState {
            store,
            options,
            counters: Counters::default(),
            drain,
            stop: AtomicBool::new(false),
            seats: AtomicU64::new(0),
            followed: AtomicU64::new(0),
        });
        let (to_keeper, messages) = channel();
        let workers = (0..shared.options.threads).map(|_| {
            let (sender, receiver) = channel();
            let worker =
                worker::Worker::<R>::new(shared.clone(), sender.clone(), to_keeper.clone());
            let thread = spawn("rooms", move || worker.run(&receiver))?;
            Ok((sender, thread))
        });
        let workers = workers.collect::<Result<Vec<_>, Error>>()?;
        let (senders, threads): (Vec<_>, Vec<_>) = workers.into_iter().unzip();
        let mut keeping = keeping::Keeping::new(shared.clone(), senders, to_keeper);
        let keeper = spawn("rooms-keeper", move || {
            keeping.run(&messages);
            drop(keeping);
            threads.into_iter().for_each(|thread| _ = thread.join());
        })?;
        let keeper = Some(keeper);
        Ok(Self { shared, keeper })
    }

    /// Opens a room, which the host that has its shard plays from the next tick on. If there is a room of
    /// that name, nothing happens.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] unless the name has 1 to 64 ASCII letters, digits, `_` and `-`;
    /// [`Error::Unknown`] if it is not known whether the room was opened: try again.
    pub fn open(&self, room: &str, seed: u64) -> Result<(), Error> {
        let entry = Entry::Open {
            room: room.to_owned(),
            seed,
        };
        self.append(room, &entry)
    }

    /// Closes a room and removes its saves.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn close(&self, room: &str) -> Result<(), Error> {
        let entry = Entry::Close {
            room: room.to_owned(),
        };
        self.append(room, &entry)
    }

    fn append(&self, room: &str, entry: &Entry) -> Result<(), Error> {
        check_name(room)?;
        let Options { key, shards, .. } = &self.shared.options;
        let log = wire::log_name(wire::shard_of(room, *shards));
        let bytes = wire::seal(key, &log, &wire::write(entry));
        wait(|done| self.shared.store.append(&log, bytes, done)).map(drop)
    }

    /// Returns what it has done so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let mut stats = lock(&self.shared.counters.stats).clone();
        stats.rooms = lock(&self.shared.counters.rooms).values().sum();
        stats.shards = self.shared.seats.load(Ordering::Relaxed);
        stats.followed = self.shared.followed.load(Ordering::Relaxed);
        stats
    }

    /// Returns whether it is still running: not any more once SIGTERM has drained it.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.keeper
            .as_ref()
            .is_some_and(|keeper| !keeper.is_finished())
    }

    /// Saves all rooms, gives them to the other hosts, and stops.
    pub fn drain(self) {
        self.shared.drain.store(true, Ordering::Relaxed);
        self.wait();
    }

    /// Waits until the host has stopped, because SIGTERM has drained it.
    pub fn wait(mut self) {
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(keeper) = self.keeper.take() {
            self.shared.stop.store(true, Ordering::Relaxed);
            let _ = keeper.join();
        }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("options", &self.shared.options)
            .finish_non_exhaustive()
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Error> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(run);
    thread.map_err(|error| Error::Limit(format!("a thread cannot be started: {error}")))
}

/// Waits for the outcome of a write.
pub(crate) fn wait(
    write: impl FnOnce(Box<dyn FnOnce(Result<u64, Error>) + Send>),
) -> Result<u64, Error> {
    let (sender, outcome): (Sender<_>, Receiver<_>) = channel();
    write(Box::new(move |outcome| _ = sender.send(outcome)));
    let timeout = |_| Err(Error::Unknown(format!("no answer for {WRITE:?}")));
    outcome.recv_timeout(WRITE).unwrap_or_else(timeout)
}

pub(crate) fn check_name(name: &str) -> Result<(), Error> {
    match wire::is_name(name) {
        true => Ok(()),
        false => Err(Error::Limit(format!(
            "the name `{name:.80}` is not 1 to 64 of A-Z, a-z, 0-9, `_` and `-`"
        ))),
    }
}

/// The number of shards that a store is divided into, if a host has opened it.
pub(crate) fn shards_of(store: &dyn Store) -> Result<Option<u32>, Error> {
    let cells = store.cells("config")?;
    let config: Option<Config> = cells.first().and_then(|cell| wire::read(&cell.value));
    match config {
        Some(config) if config.version != VERSION => Err(Error::Limit(format!(
            "the store has format {}, this program {VERSION}",
            config.version
        ))),
        config => Ok(config.map(|config| config.shards)),
    }
}

/// Divides a new store into shards.
fn agree(store: &dyn Store, shards: u32) -> Result<(), Error> {
    let config = Config {
        version: VERSION,
        shards,
    };
    if shards_of(store)?.is_none() {
        let outcome = wait(|done| store.put("config", Some(0), wire::write(&config), done));
        outcome.or_else(|error| match error {
            Error::Conflict => Ok(0),
            error => Err(error),
        })?;
    }
    match shards_of(store)? {
        Some(present) if present == shards => Ok(()),
        present => Err(Error::Limit(format!(
            "the store is divided into {present:?} shards, the options say {shards}"
        ))),
    }
}
