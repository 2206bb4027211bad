//! A store in memory.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex};

use crate::client::lock;
use crate::error::Error;
use crate::store::{Cell, Done, Hear, Record, Store, Wake};

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
    cells: BTreeMap<String, Cell>,
    /// Of the last change of a cell.
    revision: u64,
}

#[derive(Default)]
struct Log {
    /// How many records were forgotten.
    forgotten: u64,
    records: VecDeque<Record>,
    last_mark: u64,
}

/// Those that watch and listen in this process.
#[derive(Default)]
pub(crate) struct Subscribers {
    watching: Callbacks<Wake>,
    listening: Callbacks<Mutex<Hear>>,
}

/// Callbacks by name, each until it returns `false`.
type Callbacks<F> = Mutex<BTreeMap<String, Vec<Arc<F>>>>;

fn add<F>(callbacks: &Callbacks<F>, name: &str, callback: F) {
    let mut callbacks = lock(callbacks);
    let named = callbacks.entry(name.to_owned()).or_default();
    named.push(Arc::new(callback));
}

fn call<F>(callbacks: &Callbacks<F>, name: &str, call: impl Fn(&F) -> bool) {
    let named = lock(callbacks).get(name).cloned();
    for callback in named.unwrap_or_default() {
        if !call(&callback)
            && let Some(named) = lock(callbacks).get_mut(name)
        {
            named.retain(|other| !Arc::ptr_eq(&callback, other));
        }
    }
}

impl Subscribers {
    pub(crate) fn watch(&self, name: &str, wake: Wake) {
        add(&self.watching, name, wake);
    }

    /// Wakes those that watch a log or a cell.
    pub(crate) fn wake(&self, name: &str) {
        let prefixes = (0..=name.len()).filter_map(|end| name.get(..end));
        prefixes.for_each(|prefix| call(&self.watching, prefix, |wake| wake()));
    }

    pub(crate) fn listen(&self, topic: &str, hear: Hear) {
        add(&self.listening, topic, Mutex::new(hear));
    }

    pub(crate) fn tell(&self, topic: &str, bytes: &[u8]) {
        call(&self.listening, topic, |hear| (lock(hear))(bytes));
    }
}

impl Content {
    /// Appends a record, or a mark after another one.
    fn append(&mut self, log: &str, after: Option<u64>, bytes: Vec<u8>) -> Result<u64, Error> {
        let log = self.logs.entry(log.to_owned()).or_default();
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

    fn put(&mut self, key: &str, revision: Option<u64>, value: Vec<u8>) -> Result<u64, Error> {
        let present = self.cells.get(key).map_or(0, |cell| cell.revision);
        if revision.is_some_and(|expected| expected != present) {
            return Err(Error::Conflict);
        }
        self.revision += 1;
        let (key, revision) = (key.to_owned(), self.revision);
        match value.is_empty() {
            true => self.cells.remove(&key),
            false => self.cells.insert(
                key.clone(),
                Cell {
                    key,
                    revision,
                    value,
                },
            ),
        };
        Ok(revision)
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

    /// Changes the content, and then tells of it.
    fn write(
        &self,
        name: &str,
        done: Done,
        write: impl FnOnce(&mut Content) -> Result<u64, Error>,
    ) {
        let outcome = write(&mut lock(&self.content));
        done(outcome);
        self.subscribers.wake(name);
    }
}

impl Store for MemoryStore {
    fn append(&self, log: &str, bytes: Vec<u8>, done: Done) {
        self.write(log, done, |content| content.append(log, None, bytes));
    }

    fn mark(&self, log: &str, after: u64, bytes: Vec<u8>, done: Done) {
        self.write(log, done, |content| content.append(log, Some(after), bytes));
    }

    fn read(&self, log: &str, after: u64, count: usize) -> Result<Vec<Record>, Error> {
        let content = lock(&self.content);
        let Some(log) = content.logs.get(log) else {
            return Ok(Vec::new());
        };
        let first = log.forgotten + 1;
        let start = after.checked_sub(log.forgotten);
        let start = start.ok_or(Error::Forgotten { first })?;
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let records = log.records.iter().skip(start);
        Ok(records.take(count).cloned().collect())
    }

    fn forget(&self, log: &str, before: u64) {
        let mut content = lock(&self.content);
        if let Some(log) = content.logs.get_mut(log) {
            let first = before.min(log.last_mark).max(log.forgotten + 1);
            let count = first - log.forgotten - 1;
            log.records.drain(..count as usize);
            log.forgotten += count;
        }
    }

    fn put(&self, key: &str, revision: Option<u64>, value: Vec<u8>, done: Done) {
        self.write(key, done, |content| content.put(key, revision, value));
    }

    fn cells(&self, prefix: &str) -> Result<Vec<Cell>, Error> {
        let content = lock(&self.content);
        let from = content.cells.range(prefix.to_owned()..);
        let cells = from.take_while(|(key, _)| key.starts_with(prefix));
        Ok(cells.map(|(_, cell)| cell.clone()).collect())
    }

    fn watch(&self, name: &str, wake: Wake) {
        self.subscribers.watch(name, wake);
    }

    fn tell(&self, topic: &str, bytes: &[u8]) {
        self.subscribers.tell(topic, bytes);
    }

    fn listen(&self, topic: &str, hear: Hear) {
        self.subscribers.listen(topic, hear);
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let content = lock(&self.content);
        let (logs, cells) = (content.logs.len(), content.cells.len());
        write!(f, "MemoryStore {{ logs: {logs}, cells: {cells} }}")
    }
}
