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
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use futures_channel::oneshot::{self, Sender};

use crate::client::{Guarded, lock, shards_of, spawn, wait};
use crate::core::Common;
use crate::core::wire::{self, Config, VERSION};
use crate::error::Error;
use crate::room::Room;
use crate::rooms::Rooms;
use crate::store::Store;

use self::keeping::Keeping;
use self::options::Counters;
pub use self::options::{Options, RoomTime, Stats};
use self::worker::Worker;

/// For how long a host waits for what another one has written as the first.
const AGREE: Duration = Duration::from_secs(10);

/// What a thread is to do, sent to it by others.
type Job<T> = Box<dyn FnOnce(&mut T) + Send>;

/// What the threads of a host share.
pub(crate) struct HostState {
    store: Arc<dyn Store>,
    common: Common,
    counters: Mutex<Counters>,
    /// Give all shards away, then stop.
    drain: Arc<AtomicBool>,
    /// Stop at once.
    stop: AtomicBool,
    end: Mutex<Ending>,
}

#[derive(Default)]
struct Ending {
    has_ended: bool,
    /// Whether the program sees to its own end.
    is_expected: bool,
    waiting: Vec<Guarded<Sender<()>>>,
}

/// The hosts of this process that end it after SIGTERM.
static EXITING: AtomicUsize = AtomicUsize::new(0);

impl HostState {
    fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The threads have ended. If SIGTERM has drained the last host of a program that does not wait for that, the
    /// program ends.
    fn finish(&self) {
        let mut end = lock(&self.end);
        end.has_ended = true;
        let waiting = std::mem::take(&mut end.waiting);
        let is_expected = end.is_expected;
        drop(end);
        drop(waiting);
        if self.common.drain_on_sigterm
            && EXITING.fetch_sub(1, Ordering::SeqCst) == 1
            && self.drain.load(Ordering::Relaxed)
            && !is_expected
        {
            std::process::exit(0);
        }
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
/// Rooms of a shard tick together, because one mark ends the tick of all. So a slow room slows the others of its
/// shard; [`Stats::times`] and [`Error::Slow`] name it.
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
/// #     fn begin(&mut self, opening: &ecs_rooms::Opening) { self.set_score(opening.seed); }
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
    rooms: Rooms,
    keeper: Option<JoinHandle<()>>,
}

/// A host can open, close and list rooms.
impl Deref for Host {
    type Target = Rooms;

    fn deref(&self) -> &Rooms {
        &self.rooms
    }
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
        let common = Common {
            clock: Some(elapsed),
            most_bytes: store.most_bytes(),
            ..Common::new(options, wire::Build::of::<R>())
        };
        let shared = Arc::new(HostState {
            store,
            common,
            counters: Mutex::default(),
            drain,
            stop: AtomicBool::new(false),
            end: Mutex::default(),
        });
        let keeper = Some(start::<R>(&shared)?);
        let rooms = Rooms::new(shared.store.clone(), shared.common.key);
        Ok(Self {
            shared,
            rooms,
            keeper,
        })
    }

    /// Lets rooms of an older version go on from their last saves, as [`Options::drop_ticks`] from now on.
    pub fn drop_ticks(&self) {
        self.shared
            .common
            .drops_ticks
            .store(true, Ordering::Relaxed);
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

    /// Returns a future of the end of the host, which SIGTERM drains. A program that asks for it, or
    /// [waits](Self::wait), goes on afterwards; any other one exits with 0.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # struct Sum(u64);
    /// # impl ecs_rooms::Room for Sum {
    /// #     type Input = u64;
    /// #     fn new(opening: &ecs_rooms::Opening) -> Self { Self(opening.seed) }
    /// #     fn load(bytes: &[u8]) -> Result<Self, Box<dyn std::error::Error>> { Ok(Self(u64::from_le_bytes(bytes.try_into()?))) }
    /// #     fn save(&mut self) -> Result<Vec<u8>, Box<dyn std::error::Error>> { Ok(self.0.to_le_bytes().into()) }
    /// #     fn tick(&mut self, _: ecs_rooms::Turn<u64>) { self.0 += 1; }
    /// #     fn checksum(&mut self) -> u64 { self.0 }
    /// #     fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> { self.save() }
    /// # }
    /// # use ecs_rooms::{Error, Host, MemoryStore, Options};
    /// async fn run() -> Result<(), Error> {
    ///     let host = Host::run::<Sum>(MemoryStore::new(), Options::new([7; 32]))?;
    ///     host.finished().await; // SIGTERM has drained it
    ///     println!("goodbye");
    ///     Ok(())
    /// }
    /// ```
    pub fn finished(&self) -> impl Future<Output = ()> + Send + use<> {
        let (sender, ended) = oneshot::channel();
        let mut end = lock(&self.shared.end);
        end.is_expected = true;
        if !end.has_ended {
            end.waiting.push(Guarded::new(sender));
        }
        async { _ = ended.await }
    }

    /// Saves all rooms, gives them to the other hosts, and stops.
    pub fn drain(self) {
        lock(&self.shared.end).is_expected = true;
        self.shared.drain.store(true, Ordering::Relaxed);
        self.wait();
    }

    /// Waits until the host has stopped, because SIGTERM has drained it.
    pub fn wait(mut self) {
        lock(&self.shared.end).is_expected = true;
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
        write!(f, "Host({:?})", self.shared.common.name)
    }
}

/// Starts the threads of a host.
fn start<R: Room>(shared: &Arc<HostState>) -> Result<JoinHandle<()>, Error> {
    let (to_keeper, jobs) = channel();
    let mut workers = Vec::new();
    for _ in 0..shared.common.threads {
        let (to_worker, jobs) = channel();
        let worker = Worker::<R>::new(shared.clone(), to_worker.clone(), to_keeper.clone());
        let thread = spawn("rooms", move || worker.run(&jobs))?;
        workers.push((to_worker, thread));
    }
    let (workers, threads) = workers.into_iter().unzip();
    let ending = shared.clone();
    EXITING.fetch_add(
        usize::from(shared.common.drain_on_sigterm),
        Ordering::SeqCst,
    );
    let keeping = Keeping::new(shared.clone(), workers, to_keeper);
    spawn("rooms-keeper", move || {
        keeping.run(&jobs);
        let threads: Vec<JoinHandle<()>> = threads;
        threads.into_iter().for_each(|thread| _ = thread.join());
        ending.finish();
    })
}

/// The time since the first call.
fn elapsed() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Divides a new store into shards. Of hosts that start together one does, and the cell may take a while to
/// reach the others.
fn agree(store: &dyn Store, shards: u32) -> Result<(), Error> {
    let version = VERSION;
    let config = wire::write(&Config { version, shards });
    let end = Instant::now() + AGREE;
    loop {
        let written = wait(|done| store.put("config", Some(0), config.clone(), done));
        match (shards_of(store)?, written) {
            (Some(present), _) if present == shards => return Ok(()),
            (Some(present), _) => {
                return Err(Error::Limit(format!(
                    "the store is divided into {present} shards, the options say {shards}"
                )));
            }
            (None, Ok(_) | Err(Error::Conflict)) if Instant::now() < end => {
                thread::sleep(Duration::from_millis(10));
            }
            (None, written) => return written.map(drop),
        }
    }
}
