//! Cells: a copy of the few small ones, which every host looks at all the time; saves are read when they are
//! needed.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{DeliverPolicy, ReplayPolicy, push};
use async_nats::jetstream::stream::{LastRawMessageErrorKind, Stream};
use ecs_rooms::{Cell, Error};
use futures_util::StreamExt as _;

use crate::engine::Engine;
use crate::{PATIENCE, lock, unknown};

/// How many saves are read at once.
const AT_ONCE: usize = 64;

pub(crate) struct Cells {
    pub(crate) stream: Stream,
    copy: Mutex<Copy>,
    changed: Condvar,
}

#[derive(Default)]
struct Copy {
    cells: BTreeMap<String, Cell>,
    is_followed: bool,
    /// The last message that is in here, and the last one known: that this process has written, or that was
    /// there when it began to follow.
    applied: u64,
    known: u64,
}

impl Cells {
    pub(crate) fn new(stream: Stream) -> Self {
        Self {
            stream,
            copy: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    pub(crate) fn written(&self, revision: u64) {
        let mut copy = lock(&self.copy);
        copy.known = copy.known.max(revision);
    }

    /// Reads the copy, once it has what is known.
    pub(crate) fn read(&self, prefix: &str) -> Result<Vec<Cell>, Error> {
        let end = Instant::now() + PATIENCE;
        let mut copy = lock(&self.copy);
        while !copy.is_followed || copy.applied < copy.known {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(unknown("the server does not send cells"));
            }
            let waited = self.changed.wait_timeout(copy, left);
            copy = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let cells = copy.cells.range(prefix.to_owned()..);
        let cells = cells.take_while(|(key, _)| key.starts_with(prefix));
        Ok(cells.map(|(_, cell)| cell.clone()).collect())
    }

    fn apply(&self, cell: Cell) {
        let mut copy = lock(&self.copy);
        copy.applied = cell.revision;
        match cell.value.is_empty() {
            true => _ = copy.cells.remove(&cell.key),
            false => _ = copy.cells.insert(cell.key.clone(), cell),
        }
        drop(copy);
        self.changed.notify_all();
    }

    /// Messages come in order from now on, up to number `last` and further. How many are pending says nothing:
    /// one that is overwritten meanwhile does not come.
    fn follow(&self, last: u64) {
        self.written(last);
        lock(&self.copy).is_followed = true;
        self.changed.notify_all();
    }
}

/// Keeps the copy up to date.
pub(crate) async fn follow(engine: Arc<Engine>) {
    loop {
        let _ = follow_once(&engine).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn follow_once(engine: &Engine) -> Result<(), Error> {
    let prefix = format!("{}.cell.", engine.name);
    let config = push::OrderedConfig {
        deliver_subject: engine.client.new_inbox(),
        filter_subject: format!("{prefix}>"),
        deliver_policy: DeliverPolicy::LastPerSubject,
        replay_policy: ReplayPolicy::Instant,
        ..Default::default()
    };
    let stream = &engine.cells.stream;
    let last = stream
        .get_info()
        .await
        .map_err(unknown)?
        .state
        .last_sequence;
    let consumer = stream.create_consumer(config).await.map_err(unknown)?;
    let mut messages = consumer.messages().await.map_err(unknown)?;
    engine.cells.follow(last);
    while let Some(message) = messages.next().await {
        let message = message.map_err(unknown)?;
        let revision = message.info().map_err(unknown)?.stream_sequence;
        let key = message.subject.strip_prefix(&prefix);
        let key = key.unwrap_or_default().replace('.', "/");
        let value = message.payload.to_vec();
        engine.cells.apply(Cell {
            key: key.clone(),
            revision,
            value,
        });
        engine.wake(&key);
    }
    Ok(())
}

/// Reads the saves whose keys start with `prefix`, except those that are removed meanwhile.
pub(crate) async fn list_saves(engine: &Engine, prefix: &str) -> Result<Vec<Cell>, Error> {
    let whole = prefix.rsplit_once('/').map_or("save", |(whole, _)| whole);
    let filter = format!("{}.{}.>", engine.name, whole.replace('/', "."));
    let subjects = engine.saves.info_with_subjects(filter).await;
    let reads = subjects.map_err(unknown)?.map(|subject| async move {
        let (subject, _) = subject.map_err(unknown)?;
        let key = subject.split_once('.').map_or("", |(_, key)| key);
        let key = key.replace('.', "/");
        if !key.starts_with(prefix) {
            return Ok(None);
        }
        match engine.saves.get_last_raw_message_by_subject(&subject).await {
            Ok(last) => Ok(Some(Cell {
                key,
                revision: last.sequence,
                value: last.payload.to_vec(),
            })),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(unknown(error)),
        }
    });
    let cells = reads.buffer_unordered(AT_ONCE).collect::<Vec<_>>().await;
    let cells = cells.into_iter().filter_map(Result::transpose);
    let mut cells = cells.collect::<Result<Vec<_>, _>>()?;
    cells.sort_by(|left, right| left.key.cmp(&right.key));
    Ok(cells)
}
