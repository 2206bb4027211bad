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

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::client::{locate, lock, shards_of, spawn, wait};
use crate::core::Common;
use crate::core::wire::{self, Config, Entry, VERSION};
use crate::error::Error;
use crate::room::Room;
use crate::store::Store;

use self::keeping::Keeping;
use self::options::Counters;
pub use self::options::{Options, Stats};
use self::worker::Worker;

/// For how long a shard is tried to be played whose log does not answer.
const STUCK: Duration = Duration::from_secs(5);

/// What a thread is to do, sent to it by others.
type Job<T> = Box<dyn FnOnce(&mut T) + Send>;

/// What the threads of a host share.
pub(crate) struct HostState {
    store: Arc<dyn Store>,
    options: Options,
    counters: Mutex<Counters>,
    /// Give all shards away, then stop.
    drain: Arc<AtomicBool>,
    /// Whether rooms of an older version may lose their last ticks.
    drops_ticks: Arc<AtomicBool>,
    /// Stop at once.
    stop: AtomicBool,
}

impl HostState {
    fn common<R: Room>(&self) -> Common {
        Common {
            build: wire::Build::of::<R>(),
            me: self.options.name.clone(),
            key: self.options.key,
            shards: self.options.shards,
            save_every: self.options.save_every,
            waits: self.ticks(STUCK),
            standby: self.ticks(self.options.standby.unwrap_or_default()),
            resumes: self.options.resume_differing,
            drops_ticks: self.drops_ticks.clone(),
            keep_log: self.options.keep_log,
            beat: self.options.beat,
            patience: self.options.patience,
        }
    }

    fn ticks(&self, time: Duration) -> u32 {
        time.div_duration_f64(self.options.tick).ceil() as u32
    }

    fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A process that plays rooms: as many as it gets, together with the other hosts of the same store.
///
/// If the process dies, another one takes its rooms over and plays them on from where they were: no input
/// that was acknowledged is lost, and none is played twice.
///
/// A tick that does not end, such as an endless loop in a system, holds up the rooms of its worker thread and
/// no others. The host keeps beating, because the next one would get stuck in the same tick, and then all
/// others. The way out is a program in which that tick ends.
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
        let drops_ticks = Arc::new(AtomicBool::new(options.drop_ticks));
        let shared = Arc::new(HostState {
            drops_ticks,
            store,
            options,
            counters: Mutex::default(),
            drain,
            stop: AtomicBool::new(false),
        });
        let (to_keeper, jobs) = channel();
        let mut workers = Vec::new();
        for _ in 0..shared.options.threads {
            let (to_worker, jobs) = channel();
            let worker = Worker::<R>::new(shared.clone(), to_worker.clone(), to_keeper.clone());
            let thread = spawn("rooms", move || worker.run(&jobs))?;
            workers.push((to_worker, thread));
        }
        let (workers, threads) = workers.into_iter().unzip();
        let keeping = Keeping::new(shared.clone(), workers, to_keeper);
        let keeper = spawn("rooms-keeper", move || {
            keeping.run(&jobs);
            let threads: Vec<JoinHandle<()>> = threads;
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
        let HostState { store, options, .. } = &*self.shared;
        let log = wire::log_name(locate(&**store, room)?.0);
        let bytes = wire::seal(&options.key, &log, entry);
        wait(|done| store.append(&log, bytes, done)).map(drop)
    }

    /// Lets rooms of an older version go on from their last saves, as [`Options::drop_ticks`] from now on.
    pub fn drop_ticks(&self) {
        self.shared.drops_ticks.store(true, Ordering::Relaxed);
    }

    /// Returns what it has done so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        lock(&self.shared.counters).stats()
    }

    /// Returns whether it is still running: not any more once SIGTERM has drained it.
    #[must_use]
    pub fn is_running(&self) -> bool {
        !self.keeper.as_ref().is_none_or(JoinHandle::is_finished)
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
            self.shared.stop();
            let _ = keeper.join();
        }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Host({:?})", self.shared.options.name)
    }
}

/// Divides a new store into shards.
fn agree(store: &dyn Store, shards: u32) -> Result<(), Error> {
    let version = VERSION;
    let config = wire::write(&Config { version, shards });
    let written = wait(|done| store.put("config", Some(0), config, done));
    match shards_of(store)? {
        Some(present) if present == shards => Ok(()),
        Some(present) => Err(Error::Limit(format!(
            "the store is divided into {present} shards, the options say {shards}"
        ))),
        None => written.map(drop),
    }
}
