//! The end of a log that has arrived so far, for readers.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{DeliverPolicy, ReplayPolicy, push};
use ecs_rooms::{Error, Record};
use futures_util::StreamExt as _;
use tokio::task::AbortHandle;

use crate::engine::Engine;
use crate::{PATIENCE, lock, unknown};

/// How many records come in ahead of the reader, and how many stay behind it for others.
const AHEAD: usize = 4_096;
const BEHIND: usize = 1_024;

pub(crate) struct Tail {
    content: Mutex<Content>,
    changed: Condvar,
    /// What fills it.
    task: OnceLock<AbortHandle>,
}

impl Drop for Tail {
    fn drop(&mut self) {
        // Else it would wait for the next record, and the server send beats until then.
        self.task.get().into_iter().for_each(AbortHandle::abort);
    }
}

struct Content {
    records: VecDeque<Record>,
    /// The number of the first record in here, or of the one that comes next.
    start: u64,
    /// The number of the last record that a reader has got or waits for.
    read_to: u64,
    /// How many more the server is known to have.
    pending: u64,
    has_ended: bool,
}

impl Tail {
    /// Returns what comes after record `after`; `None` if that is not in here. Waits for record `written`.
    pub(crate) fn read(&self, after: u64, count: usize, written: u64) -> Option<Vec<Record>> {
        let end = Instant::now() + PATIENCE;
        let mut content = lock(&self.content);
        if after + 1 < content.start {
            return None;
        }
        while content.after(after) < count {
            let left = end.saturating_duration_since(Instant::now());
            if content.has_ended || left.is_zero() {
                return None;
            }
            if content.pending == 0 && written < content.end() {
                break;
            }
            // A tail that is full goes on.
            content.read_to = content.read_to.max(content.wanted(after, count));
            let waited = self.changed.wait_timeout(content, left);
            content = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let skipped = (after + 1).checked_sub(content.start)?; // they may be forgotten meanwhile
        let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
        let records: Vec<_> = content
            .records
            .iter()
            .skip(skipped)
            .take(count)
            .cloned()
            .collect();
        content.read_to = content.read_to.max(after + records.len() as u64);
        let past = content.records.len().saturating_sub(BEHIND) as u64;
        let before = (content.start + past).min(content.read_to + 1);
        content.forget(before);
        Some(records)
    }

    /// Takes the next record. The tail ends if there is none, or a gap: reading starts again where it is.
    fn push(&self, record: Option<(Record, u64)>) {
        let mut content = lock(&self.content);
        match record {
            Some((record, pending)) if record.number == content.end() => {
                content.records.push_back(record);
                content.pending = pending;
            }
            _ => content.has_ended = true,
        }
        self.changed.notify_all();
    }

    /// Removes the records before number `before`.
    pub(crate) fn forget(&self, before: u64) {
        lock(&self.content).forget(before);
    }
}

impl Content {
    /// How many records come after this number.
    fn after(&self, after: u64) -> usize {
        usize::try_from(self.end().saturating_sub(after + 1)).unwrap_or(usize::MAX)
    }

    fn forget(&mut self, before: u64) {
        let count = before.min(self.end()).saturating_sub(self.start);
        self.records.drain(..count as usize);
        self.start += count;
    }

    /// The number of the last record that is wanted by one who reads so many after a record.
    fn wanted(&self, after: u64, count: usize) -> u64 {
        let known = (self.end() - 1).saturating_add(self.pending);
        known.min(after.saturating_add(count as u64))
    }

    /// The number of the record that comes next.
    fn end(&self) -> u64 {
        self.start + self.records.len() as u64
    }
}

/// Begins to follow a log after record `after`.
pub(crate) async fn follow(
    engine: Arc<Engine>,
    log: String,
    after: u64,
) -> Result<Arc<Tail>, Error> {
    let stream = engine.log(&log).await?;
    let state = stream.get_info().await.map_err(unknown)?.state;
    if after + 1 < state.first_sequence {
        return Err(Error::Forgotten {
            first: state.first_sequence,
        });
    }
    let config = push::OrderedConfig {
        deliver_subject: engine.client.new_inbox(),
        deliver_policy: DeliverPolicy::ByStartSequence {
            start_sequence: after + 1,
        },
        replay_policy: ReplayPolicy::Instant,
        ..Default::default()
    };
    let consumer = stream.create_consumer(config).await.map_err(unknown)?;
    let pending = consumer.cached_info().num_pending;
    let messages = consumer.messages().await.map_err(unknown)?;
    let content = Content {
        records: VecDeque::new(),
        start: after + 1,
        read_to: after,
        pending,
        has_ended: false,
    };
    let tail = Arc::new(Tail {
        content: Mutex::new(content),
        changed: Condvar::new(),
        task: OnceLock::new(),
    });
    let task = tokio::spawn(fill(engine, log, Arc::downgrade(&tail), messages));
    let _ = tail.task.set(task.abort_handle());
    Ok(tail)
}

async fn fill(engine: Arc<Engine>, log: String, tail: Weak<Tail>, mut messages: push::Ordered) {
    while let Some(message) = messages.next().await {
        let Some(tail) = tail.upgrade() else {
            return; // another one follows the log
        };
        tail.push(message.ok().as_ref().and_then(read));
        engine.wake(&log);
        // A reader that is slow is waited for, but not for ever.
        let mut waits = 0;
        while is_full(&tail) && waits < 2_000 {
            tokio::time::sleep(Duration::from_millis(5)).await;
            waits += 1;
        }
        if waits == 2_000 {
            tail.push(None);
        }
        if lock(&tail.content).has_ended {
            return;
        }
    }
    if let Some(tail) = tail.upgrade() {
        tail.push(None);
    }
}

/// A record, and how many more the server has.
fn read(message: &Message) -> Option<(Record, u64)> {
    let info = message.info().ok()?;
    let record = Record {
        number: info.stream_sequence,
        is_mark: message.subject.ends_with(".mark"),
        bytes: message.payload.to_vec(),
    };
    Some((record, info.pending))
}

fn is_full(tail: &Tail) -> bool {
    let content = lock(&tail.content);
    content.after(content.read_to) > AHEAD
}
