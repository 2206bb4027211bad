//! A store in memory.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::store::{Cell, Record, Store};

type Wake = Arc<dyn Fn() -> bool + Send + Sync>;
type BoxedHear = Box<dyn FnMut(&[u8]) -> bool + Send>;
type Hear = Arc<Mutex<BoxedHear>>;

/// A store for the hosts, players and viewers of one process. Clones share the same content.
///
/// # Examples
///
/// ```
/// use ecs_rooms::{MemoryStore, Store};
///
/// let store = MemoryStore::new();
/// store.clone().append("log", b"input".to_vec(), Box::new(|_| ()));
/// assert_eq!(store.read("log", 0, 10).unwrap().len(), 1);
/// ```
#[derive(Clone, Default)]
pub struct MemoryStore {
    content: Arc<Mutex<Content>>,
    subscribers: Arc<Subscribers>,
}

#[derive(Default)]
struct Content {
    logs: BTreeMap<String, Log>,
    cells: BTreeMap<String, (u64, Vec<u8>)>,
    revision: u64,
}

#[derive(Default)]
struct Log {
    /// How many records were forgotten.
    forgotten: u64,
    records: std::collections::VecDeque<Record>,
    last_mark: u64,
}

/// Those that watch and listen in this process.
#[derive(Default)]
pub(crate) struct Subscribers {
    watching: Mutex<Vec<(String, Wake)>>,
    listening: Mutex<BTreeMap<String, Vec<Hear>>>,
}

/// Locks a mutex. No user code runs while these are locked, so a poisoned one is intact.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Subscribers {
    pub(crate) fn watch(&self, name: &str, wake: Box<dyn Fn() -> bool + Send + Sync>) {
        lock(&self.watching).push((name.to_owned(), wake.into()));
    }

    /// Wakes those that watch a log or a cell.
    pub(crate) fn wake(&self, name: &str) {
        let is_meant = |watched: &str| name.starts_with(watched);
        let watching = lock(&self.watching);
        let meant: Vec<_> = watching
            .iter()
            .filter(|(watched, _)| is_meant(watched))
            .cloned()
            .collect();
        drop(watching);
        for (_, wake) in meant {
            if !wake() {
                lock(&self.watching).retain(|(_, other)| !Arc::ptr_eq(&wake, other));
            }
        }
    }

    pub(crate) fn listen(&self, topic: &str, hear: BoxedHear) {
        let hear = Arc::new(Mutex::new(hear));
        lock(&self.listening)
            .entry(topic.to_owned())
            .or_default()
            .push(hear);
    }

    pub(crate) fn tell(&self, topic: &str, bytes: &[u8]) {
        let hearing = lock(&self.listening)
            .get(topic)
            .cloned()
            .unwrap_or_default();
        for hear in hearing {
            let goes_on = (lock(&hear))(bytes);
            if !goes_on && let Some(all) = lock(&self.listening).get_mut(topic) {
                all.retain(|other| !Arc::ptr_eq(&hear, other));
            }
        }
    }
}

impl MemoryStore {
    /// Returns an empty store.
    ///
    /// # Examples
    ///
    /// ```
    /// use ecs_rooms::{MemoryStore, Store};
    ///
    /// assert!(MemoryStore::new().cells("").unwrap().is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn write(&self, log: &str, after: Option<u64>, bytes: Vec<u8>) -> Result<u64, Error> {
        let mut content = lock(&self.content);
        let log = content.logs.entry(log.to_owned()).or_default();
        if after.is_some_and(|after| after != log.last_mark) {
            return Err(Error::Conflict);
        }
        let number = log.forgotten + log.records.len() as u64 + 1;
        let is_mark = after.is_some();
        if is_mark {
            log.last_mark = number;
        }
        log.records.push_back(Record {
            number,
            is_mark,
            bytes,
        });
        Ok(number)
    }
}

impl Store for MemoryStore {
    fn append(&self, log: &str, bytes: Vec<u8>, done: Box<dyn FnOnce(Result<u64, Error>) + Send>) {
        done(self.write(log, None, bytes));
        self.subscribers.wake(log);
    }

    fn mark(
        &self,
        log: &str,
        after: u64,
        bytes: Vec<u8>,
        done: Box<dyn FnOnce(Result<u64, Error>) + Send>,
    ) {
        done(self.write(log, Some(after), bytes));
        self.subscribers.wake(log);
    }

    fn read(&self, log: &str, after: u64, count: usize) -> Result<Vec<Record>, Error> {
        let content = lock(&self.content);
        let Some(log) = content.logs.get(log) else {
            return Ok(Vec::new());
        };
        let Some(start) = after.checked_sub(log.forgotten) else {
            return Err(Error::Forgotten {
                first: log.forgotten + 1,
            });
        };
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        Ok(log
            .records
            .iter()
            .skip(start)
            .take(count)
            .cloned()
            .collect())
    }

    fn forget(&self, log: &str, before: u64) {
        let mut content = lock(&self.content);
        if let Some(log) = content.logs.get_mut(log) {
            let before = before.min(log.last_mark);
            while log
                .records
                .front()
                .is_some_and(|record| record.number < before)
            {
                log.records.pop_front();
                log.forgotten += 1;
            }
        }
    }

    fn put(
        &self,
        key: &str,
        revision: Option<u64>,
        value: Vec<u8>,
        done: Box<dyn FnOnce(Result<u64, Error>) + Send>,
    ) {
        let mut content = lock(&self.content);
        let present = content.cells.get(key).map_or(0, |cell| cell.0);
        let outcome = match revision {
            Some(expected) if expected != present => Err(Error::Conflict),
            _ => {
                content.revision += 1;
                let revision = content.revision;
                match value.is_empty() {
                    true => _ = content.cells.remove(key),
                    false => _ = content.cells.insert(key.to_owned(), (revision, value)),
                }
                Ok(revision)
            }
        };
        drop(content);
        done(outcome);
        self.subscribers.wake(key);
    }

    fn cells(&self, prefix: &str) -> Result<Vec<Cell>, Error> {
        let content = lock(&self.content);
        let from = content.cells.range(prefix.to_owned()..);
        let cells = from.take_while(|(key, _)| key.starts_with(prefix));
        let cell = |(key, (revision, value)): (&String, &(u64, Vec<u8>))| Cell {
            key: key.clone(),
            revision: *revision,
            value: value.clone(),
        };
        Ok(cells.map(cell).collect())
    }

    fn watch(&self, name: &str, wake: Box<dyn Fn() -> bool + Send + Sync>) {
        self.subscribers.watch(name, wake);
    }

    fn tell(&self, topic: &str, bytes: &[u8]) {
        self.subscribers.tell(topic, bytes);
    }

    fn listen(&self, topic: &str, hear: BoxedHear) {
        self.subscribers.listen(topic, hear);
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let content = lock(&self.content);
        let (logs, cells) = (content.logs.len(), content.cells.len());
        f.debug_struct("MemoryStore")
            .field("logs", &logs)
            .field("cells", &cells)
            .finish()
    }
}
