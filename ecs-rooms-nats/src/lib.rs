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
//! records are kept for an hour instead; make sure that rooms are not without hosts for longer. JetStream acknowledges before it syncs to disk (by default every two minutes):
//! use three replicas, or `sync_interval: always`, where a power failure must not lose anything.
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
//! `cargo test --release --test nats on_nats -- --ignored --nocapture` plays as many rooms as `ROOMS` says;
//! `take_over -- --nocapture` prints the times.

mod cells;
mod tail;

use std::collections::HashMap;
use std::fmt;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::context::{ContextBuilder, PublishErrorKind};
use async_nats::jetstream::{self, stream};
use async_nats::{Client, HeaderMap};
use ecs_rooms::{Cell, Error, Record, Store};
use futures_util::StreamExt as _;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use self::cells::Cells;
use self::tail::Tail;

/// How long a call waits for the server.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long servers before 2.10 keep records.
const OLD: Duration = Duration::from_secs(3_600);

type Done = Box<dyn FnOnce(Result<u64, Error>) + Send>;
type Wake = Arc<dyn Fn() -> bool + Send + Sync>;

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

/// What tasks share.
pub(crate) struct Engine {
    pub(crate) client: Client,
    pub(crate) context: jetstream::Context,
    pub(crate) name: String,
    replicas: usize,
    saves: stream::Stream,
    cells: Cells,
    logs: tokio::sync::Mutex<HashMap<String, stream::Stream>>,
    tails: Mutex<HashMap<String, Arc<Tail>>>,
    /// Of each log the last record that this process has written: reading waits for it.
    written: Mutex<HashMap<String, u64>>,
    watching: Mutex<Vec<(String, Wake)>>,
}

pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn unknown(error: impl fmt::Display) -> Error {
    Error::Unknown(error.to_string())
}

/// A name as one token of a subject, and in the name of a stream.
fn token(name: &str) -> String {
    name.replace('/', "=")
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
        self.runtime().spawn(async move { done(write.await) });
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

impl Engine {
    async fn connect(url: &str, name: String, replicas: usize) -> Result<Self, Error> {
        let options = async_nats::ConnectOptions::new().max_reconnects(None);
        let client = options.connect(url).await.map_err(unknown)?;
        let context = ContextBuilder::new()
            .timeout(PATIENCE)
            .ack_timeout(PATIENCE / 2)
            .max_ack_inflight(20_000);
        let context = context.build(client.clone());
        let config = |kind: &str, subject: &str| stream::Config {
            name: format!("{name}_{kind}"),
            subjects: vec![format!("{name}.{subject}.>")],
            max_messages_per_subject: 1,
            num_replicas: replicas,
            allow_direct: true,
            ..Default::default()
        };
        let cells = context
            .get_or_create_stream(config("cells", "cell"))
            .await
            .map_err(unknown)?;
        let saves = context
            .get_or_create_stream(config("saves", "save"))
            .await
            .map_err(unknown)?;
        Ok(Self {
            client,
            context,
            name,
            replicas,
            saves,
            cells: Cells::new(cells),
            logs: tokio::sync::Mutex::default(),
            tails: Mutex::default(),
            written: Mutex::default(),
            watching: Mutex::default(),
        })
    }

    fn subject_of_topic(&self, topic: &str) -> String {
        format!("{}.topic.{}", self.name, topic.replace('/', "."))
    }

    fn subject_of_log(&self, log: &str) -> String {
        format!("{}.log.{}", self.name, token(log))
    }

    /// The stream of a log, which is created if it does not exist.
    pub(crate) async fn log(&self, log: &str) -> Result<stream::Stream, Error> {
        let mut logs = self.logs.lock().await;
        if let Some(stream) = logs.get(log) {
            return Ok(stream.clone());
        }
        let config = stream::Config {
            name: format!("{}_{}", self.name, token(log)),
            subjects: vec![format!("{}.*", self.subject_of_log(log))],
            num_replicas: self.replicas,
            allow_direct: true,
            max_age: if self.is_old() { OLD } else { Duration::ZERO },
            ..Default::default()
        };
        let stream = self
            .context
            .get_or_create_stream(config)
            .await
            .map_err(unknown)?;
        logs.insert(log.to_owned(), stream.clone());
        Ok(stream)
    }

    /// Publishes, if the last message of the subject has this number.
    async fn publish(
        &self,
        subject: String,
        after: Option<u64>,
        bytes: Vec<u8>,
    ) -> Result<u64, Error> {
        let mut headers = HeaderMap::new();
        if let Some(after) = after {
            headers.insert(
                "Nats-Expected-Last-Subject-Sequence",
                after.to_string().as_str(),
            );
        }
        let sent = self
            .context
            .publish_with_headers(subject, headers, bytes.into())
            .await;
        let acknowledged = match sent {
            Ok(acknowledged) => acknowledged.await,
            Err(error) => Err(error),
        };
        acknowledged
            .map(|it| it.sequence)
            .map_err(|error| match error.kind() {
                PublishErrorKind::WrongLastSequence => Error::Conflict,
                _ => unknown(error),
            })
    }

    async fn append(&self, log: String, after: Option<u64>, bytes: Vec<u8>) -> Result<u64, Error> {
        self.log(&log).await?;
        let kind = if after.is_some() { "mark" } else { "in" };
        let subject = format!("{}.{kind}", self.subject_of_log(&log));
        let mut outcome = self.publish(subject.clone(), after, bytes.clone()).await;
        // If the last mark is so old that it is gone, the server takes the next one for the first.
        if let (Err(Error::Conflict), Some(after)) = (&outcome, after)
            && self.is_gone(&log, &subject, after).await
        {
            outcome = self.publish(subject, Some(0), bytes).await;
        }
        let number = outcome?;
        let mut written = lock(&self.written);
        let last = written.entry(log.clone()).or_default();
        *last = number.max(*last);
        drop(written);
        self.wake(&log);
        Ok(number)
    }

    /// Whether the server is older than 2.10. Those lose more of a log than a purge should remove.
    fn is_old(&self) -> bool {
        let version = self.client.server_info().version;
        let mut numbers = version
            .split('.')
            .map_while(|number| number.parse::<u32>().ok());
        numbers.next().is_some_and(|major| {
            major < 2 || major == 2 && numbers.next().is_some_and(|minor| minor < 10)
        })
    }

    /// Whether a record is gone, and there are no messages of a subject.
    async fn is_gone(&self, log: &str, subject: &str, record: u64) -> bool {
        let Ok(stream) = self.log(log).await else {
            return false;
        };
        let last = stream.get_last_raw_message_by_subject(subject).await;
        let is_none = last
            .is_err_and(|error| error.kind() == stream::LastRawMessageErrorKind::NoMessageFound);
        is_none
            && stream
                .get_info()
                .await
                .is_ok_and(|info| info.state.first_sequence > record)
    }

    async fn forget(&self, log: String, before: u64) -> Result<(), Error> {
        if self.is_old() {
            return Ok(()); // records have an age
        }
        let stream = self.log(&log).await?;
        let marks = format!("{}.mark", self.subject_of_log(&log));
        let last = stream
            .get_last_raw_message_by_subject(&marks)
            .await
            .map_err(unknown)?;
        let before = before.min(last.sequence);
        let purged = stream.purge().sequence(before).await;
        purged.map_err(unknown)?;
        if let Some(tail) = lock(&self.tails).get(&log) {
            tail.forget(before);
        }
        Ok(())
    }

    async fn put(&self, key: String, revision: Option<u64>, value: Vec<u8>) -> Result<u64, Error> {
        let is_save = key.starts_with("save/");
        let kind = if is_save { "" } else { "cell." };
        let subject = format!("{}.{kind}{}", self.name, key.replace('/', "."));
        if is_save && value.is_empty() {
            return self.remove_save(&subject).await;
        }
        let mut outcome = self.publish(subject.clone(), revision, value.clone()).await;
        // A cell that was removed is an empty message.
        if !is_save && outcome == Err(Error::Conflict) && revision == Some(0) {
            let last = self
                .cells
                .stream
                .get_last_raw_message_by_subject(&subject)
                .await
                .map_err(unknown)?;
            if last.payload.is_empty() {
                outcome = self.publish(subject, Some(last.sequence), value).await;
            }
        }
        if let (Ok(revision), false) = (&outcome, is_save) {
            self.cells.written(*revision);
        }
        outcome
    }

    async fn remove_save(&self, subject: &str) -> Result<u64, Error> {
        let Ok(last) = self.saves.get_last_raw_message_by_subject(subject).await else {
            return Ok(1); // there is none
        };
        self.saves
            .delete_message(last.sequence)
            .await
            .map_err(unknown)?;
        Ok(last.sequence)
    }

    /// Wakes those that watch a log or a cell.
    pub(crate) fn wake(&self, name: &str) {
        let is_meant = |(watched, _): &&(String, Wake)| name.starts_with(watched);
        let meant: Vec<_> = lock(&self.watching)
            .iter()
            .filter(is_meant)
            .cloned()
            .collect();
        for (_, wake) in meant {
            if !wake() {
                lock(&self.watching).retain(|(_, other)| !Arc::ptr_eq(&wake, other));
            }
        }
    }

    /// The tail of a log that has the record after number `after`, or begins there.
    async fn tail(self: &Arc<Self>, log: String, after: u64) -> Result<Arc<Tail>, Error> {
        let tail = tail::follow(self.clone(), log.clone(), after).await?;
        lock(&self.tails).insert(log, tail.clone());
        Ok(tail)
    }
}

impl Store for NatsStore {
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
            cells::list_saves(&engine, &engine.saves, &of).await
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
                        if !hear(&message.payload) {
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
