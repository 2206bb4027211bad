//! A store of [`ecs_rooms`] on NATS JetStream, for hosts on many machines.
//!
//! ```no_run
//! use ecs_rooms_nats::NatsStore;
//!
//! # fn main() -> Result<(), ecs_rooms::Error> {
//! let store = NatsStore::connect("nats://127.0.0.1:4222", "my-game", 1)?;
//! assert!(format!("{store:?}").contains("my-game"));
//! # Ok(()) }
//! ```
//!
//! ```text
//! stream NAME_log=3    subjects NAME.log.log=3.in and .mark    a log, whose marks the server fences
//! stream NAME_cells    subjects NAME.cell.shard.3              the last value of each
//! stream NAME_saves    subjects NAME.save.3.duel.…             the same
//! subjects             NAME.topic.view.duel                    topics, not kept
//! ```
//!
//! Needs server 2.9 or newer. Servers before 2.10 lose more of a log than a purge should remove, so there
//! records are kept for an hour instead; make sure that rooms are not without hosts for longer. JetStream
//! acknowledges before it syncs to disk (by default every two minutes): use three replicas, or
//! `sync_interval: always`, where a power failure must not lose anything.
//!
//! # Figures
//!
//! On two cores that the server and other programs used as well (load 2 to 3), on 27 November 2026. Rooms have
//! 124 entities and 20 ticks per second; cores are those of the host alone.
//!
//! | what | server 2.9.10 | server 2.15.1 |
//! | --- | --- | --- |
//! | ticks per second of 350 rooms on one host, of 7,000 | 6,995, 0.11 cores | 7,000, 0.12 cores |
//! | of 2,000 rooms, of 40,000 | 40,016, 0.43 cores | 39,999, 0.44 cores |
//! | the same at load 7 to 10 | 34,400 to 39,900 | 36,400 to 38,200 |
//! | seconds without a tick when an owner dies, `standby` 0.2 s | 0.16 to 0.18 | 0.17 to 0.20 |
//! | seconds until the last of 20 rooms is played on, `patience` 0.5 s | 0.53 | 0.53 to 0.54 |
//! | seconds to drain a host of 20 rooms | 0.46 to 0.50 | 0.49, once 1.23 |
//!
//! In 20 runs of `rooms-demo -- chaos` with 100 rooms on server 2.9.10, with a `patience` of 1 s, the rooms of a
//! host that was killed were without a tick for 0.98 to 1.21 s (median of each run; 1.27 s at most), those of
//! hosts that joined or drained for 0.03 s at most. 1,148,193 ticks were verified; of 728,800 acknowledged
//! inputs none was lost and none played twice; 1,600 of 1,600 late marks were rejected.
//!
//! In 3 runs of it with a `standby` of 0.2 s and other programs at load 7 to 12, on 28 November 2026, they were without a
//! tick for 0.17 to 0.20 s (0.21 s at most), those of a host that was paused for 0.17 to 0.20 s (0.22 s at most), and those
//! that moved to a host that joined, or from one that drained, for 0.02 to 0.05 s (0.25 s at most). 173,693 ticks were
//! verified; of 108,400 inputs none was lost and none played twice; 260 of 260 late marks were rejected.
//!
//! In 5 runs of `rooms-demo -- upgrade` with 100 rooms and 200 players on the same server, with a `standby` of 0.2 s,
//! three hosts of version 1 were replaced by two of version 2, and one of the three was killed with `kill -9` 0.1 s
//! after another one had begun to drain. Viewers saw a room stand still for 0.20 to 0.24 s (median of the rooms in
//! each run; 1.12 s at most). 210,935 ticks were verified, those of each version by a program of that version; of
//! 68,000 inputs none was lost, rejected or played twice.
//!
//! `cargo test --release --test nats on_nats -- --ignored --nocapture` plays as many rooms as `ROOMS` says;
//! `take_over -- --nocapture` prints the times.

mod cells;
mod engine;
mod tail;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ecs_rooms::{Cell, Error, Record, Store};
use futures_util::StreamExt as _;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use self::engine::Engine;

/// How long a call waits for the server.
const PATIENCE: Duration = Duration::from_secs(5);

type Done = Box<dyn FnOnce(Result<u64, Error>) + Send>;

/// A store on a NATS server with JetStream. Clones share one connection.
///
/// Its methods block until the server answers where [`Store`] returns a value, so do not call them from
/// asynchronous code.
///
/// # Examples
///
/// See the [crate].
#[derive(Clone)]
pub struct NatsStore {
    shared: Arc<Shared>,
}

struct Shared {
    /// `None` while it is dropped.
    runtime: Option<Runtime>,
    engine: Arc<Engine>,
    outgoing: UnboundedSender<(String, Vec<u8>)>,
}

pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a closure of users, which may panic, and so may the payload of the panic when it is dropped.
pub(crate) fn shielded<T>(call: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(value) => Some(value),
        Err(payload) => {
            if let Err(of_payload) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
                std::mem::forget(of_payload);
            }
            None
        }
    }
}

pub(crate) fn unknown(error: impl fmt::Display) -> Error {
    Error::Unknown(error.to_string())
}

impl NatsStore {
    /// Connects to a server. `name` tells deployments on one server apart: ASCII letters, digits, `_` and
    /// `-`. Streams that do not exist yet are created with this many replicas.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] if the server cannot be reached or has no JetStream.
    pub fn connect(url: &str, name: &str, replicas: usize) -> Result<Self, Error> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build();
        let runtime = runtime.map_err(unknown)?;
        let (url, name) = (url.to_owned(), name.to_owned());
        let engine = block(&runtime, async move {
            Engine::connect(&url, name, replicas).await
        })??;
        let engine = Arc::new(engine);
        runtime.spawn(cells::follow(engine.clone()));
        let (outgoing, mut messages) = unbounded_channel::<(String, Vec<u8>)>();
        let client = engine.client.clone();
        runtime.spawn(async move {
            while let Some((subject, bytes)) = messages.recv().await {
                let _ = client.publish(subject, bytes.into()).await;
            }
        });
        Ok(Self {
            shared: Arc::new(Shared {
                runtime: Some(runtime),
                engine,
                outgoing,
            }),
        })
    }

    fn engine(&self) -> Arc<Engine> {
        self.shared.engine.clone()
    }

    fn runtime(&self) -> &Runtime {
        self.shared
            .runtime
            .as_ref()
            .expect("the store is not dropped")
    }

    /// Runs a write, and passes its outcome on.
    fn spawn(&self, done: Done, write: impl Future<Output = Result<u64, Error>> + Send + 'static) {
        self.runtime().spawn(async move {
            let outcome = write.await;
            let _ = shielded(|| done(outcome));
        });
    }
}

/// Waits for a future that runs on other threads, wherever this is called.
fn block<T: Send + 'static>(
    runtime: &Runtime,
    future: impl Future<Output = T> + Send + 'static,
) -> Result<T, Error> {
    let (sender, outcome) = channel();
    runtime.spawn(async move { _ = sender.send(future.await) });
    outcome
        .recv_timeout(PATIENCE * 2)
        .map_err(|_| unknown("the server does not answer"))
}

impl Drop for Shared {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Store for NatsStore {
    fn most_bytes(&self) -> usize {
        // The server counts headers, too.
        let most = self.shared.engine.client.server_info().max_payload;
        most.saturating_sub(1_024)
    }

    fn append(&self, log: &str, bytes: Vec<u8>, done: Box<dyn FnOnce(Result<u64, Error>) + Send>) {
        let (engine, log) = (self.engine(), log.to_owned());
        self.spawn(done, async move { engine.append(log, None, bytes).await });
    }

    fn mark(
        &self,
        log: &str,
        after: u64,
        bytes: Vec<u8>,
        done: Box<dyn FnOnce(Result<u64, Error>) + Send>,
    ) {
        let (engine, log) = (self.engine(), log.to_owned());
        self.spawn(
            done,
            async move { engine.append(log, Some(after), bytes).await },
        );
    }

    fn read(&self, log: &str, after: u64, count: usize) -> Result<Vec<Record>, Error> {
        let present = lock(&self.shared.engine.tails).get(log).cloned();
        let written = lock(&self.shared.engine.written)
            .get(log)
            .copied()
            .unwrap_or(0);
        if let Some(records) = present.and_then(|tail| tail.read(after, count, written)) {
            return Ok(records);
        }
        let end = Instant::now() + PATIENCE;
        loop {
            let (engine, name) = (self.engine(), log.to_owned());
            let follow = async move { engine.tail(name, after).await };
            let tail = block(self.runtime(), follow)??;
            if let Some(records) = tail.read(after, count, written) {
                return Ok(records);
            }
            // It has ended if records were forgotten after it had begun.
            if Instant::now() > end {
                return Err(unknown("the server is slow"));
            }
        }
    }

    fn forget(&self, log: &str, before: u64) {
        let (engine, log) = (self.engine(), log.to_owned());
        self.runtime()
            .spawn(async move { _ = engine.forget(log, before).await });
    }

    fn put(
        &self,
        key: &str,
        revision: Option<u64>,
        value: Vec<u8>,
        done: Box<dyn FnOnce(Result<u64, Error>) + Send>,
    ) {
        let (engine, key) = (self.engine(), key.to_owned());
        self.spawn(done, async move { engine.put(key, revision, value).await });
    }

    fn cells(&self, prefix: &str) -> Result<Vec<Cell>, Error> {
        if !prefix.starts_with("save/") {
            return self.shared.engine.cells.read(prefix);
        }
        let (engine, of) = (self.engine(), prefix.to_owned());
        block(self.runtime(), async move {
            cells::list_saves(&engine, &of).await
        })?
    }

    fn watch(&self, name: &str, wake: Box<dyn Fn() -> bool + Send + Sync>) {
        lock(&self.shared.engine.watching).push((name.to_owned(), wake.into()));
    }

    fn tell(&self, topic: &str, bytes: &[u8]) {
        let subject = self.shared.engine.subject_of_topic(topic);
        let _ = self.shared.outgoing.send((subject, bytes.to_vec())); // in order
    }

    fn listen(&self, topic: &str, hear: Box<dyn FnMut(&[u8]) -> bool + Send>) {
        let engine = self.engine();
        let subject = engine.subject_of_topic(topic);
        let listen = async move {
            let (mut hear, subscriber) = (hear, engine.client.subscribe(subject).await);
            // From here on nothing is missed.
            let _ = engine.client.flush().await;
            subscriber.ok().map(|mut messages| {
                tokio::spawn(async move {
                    while let Some(message) = messages.next().await {
                        if !shielded(|| hear(&message.payload)).unwrap_or(false) {
                            return;
                        }
                    }
                })
            })
        };
        let _ = block(self.runtime(), listen);
    }
}

impl fmt::Debug for NatsStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NatsStore({:?})", self.shared.engine.name)
    }
}
