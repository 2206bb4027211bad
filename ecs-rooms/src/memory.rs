//! A store in memory.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex};

use crate::client::{lock, shielded};
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
    /// The last mark of a log is always there.
    logs: BTreeMap<String, VecDeque<Record>>,
    cells: Cells,
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
        // One that panics is not called again.
        if !shielded(|| call(&callback)).unwrap_or(false)
            && let Some(named) = lock(callbacks).get_mut(name)
        {
            named.retain(|other| !Arc::ptr_eq(&callback, other));
        }
    }
}

/// What comes after all keys that start with a prefix: `~` is greater than all that may be in a key.
pub(crate) fn past(prefix: &str) -> String {
    format!("{prefix}~")
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

fn last_mark(log: &VecDeque<Record>) -> u64 {
    let mark = log.iter().rfind(|record| record.is_mark);
    mark.map_or(0, |record| record.number)
}

/// Cells, and the revision of the last change.
#[derive(Default)]
pub(crate) struct Cells {
    pub(crate) by_key: BTreeMap<String, Cell>,
    revision: u64,
}

impl Cells {
    pub(crate) fn put(
        &mut self,
        key: &str,
        revision: Option<u64>,
        value: Vec<u8>,
    ) -> Result<u64, Error> {
        let present = self.by_key.get(key).map_or(0, |cell| cell.revision);
        if revision.is_some_and(|expected| expected != present) {
            return Err(Error::Conflict);
        }
        self.revision += 1;
        let (key, revision) = (key.to_owned(), self.revision);
        match value.is_empty() {
            true => self.by_key.remove(&key),
            false => self.by_key.insert(
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

    /// Returns those whose keys start with `prefix`.
    pub(crate) fn list(&self, prefix: &str) -> Vec<Cell> {
        let cells = self.by_key.range(prefix.to_owned()..past(prefix));
        cells.map(|(_, cell)| cell.clone()).collect()
    }
}

impl Content {
    /// Appends a record, or a mark after another one.
    fn append(&mut self, log: &str, after: Option<u64>, bytes: Vec<u8>) -> Result<u64, Error> {
        let log = self.logs.entry(log.to_owned()).or_default();
        if after.is_some_and(|after| after != last_mark(log)) {
            return Err(Error::Conflict);
        }
        let number = log.back().map_or(0, |record| record.number) + 1;
        log.push_back(Record {
            number,
            is_mark: after.is_some(),
            bytes,
        });
        Ok(number)
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

    /// Changes the content, and then reports it.
    fn write(
        &self,
        name: &str,
        done: Done,
        write: impl FnOnce(&mut Content) -> Result<u64, Error>,
    ) {
        let outcome = write(&mut lock(&self.content));
        let _ = shielded(|| done(outcome));
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
        let first = log.front().map_or(1, |record| record.number);
        let skipped = after.saturating_add(1).checked_sub(first);
        let skipped = skipped.ok_or(Error::Forgotten { first })?;
        let records = log
            .iter()
            .skip(usize::try_from(skipped).unwrap_or(usize::MAX));
        Ok(records.take(count).cloned().collect())
    }

    fn forget(&self, log: &str, before: u64) {
        if let Some(log) = lock(&self.content).logs.get_mut(log) {
            let first = before.min(last_mark(log));
            while log.front().is_some_and(|record| record.number < first) {
                log.pop_front();
            }
        }
    }

    fn put(&self, key: &str, revision: Option<u64>, value: Vec<u8>, done: Done) {
        self.write(key, done, |content| content.cells.put(key, revision, value));
    }

    fn cells(&self, prefix: &str) -> Result<Vec<Cell>, Error> {
        Ok(lock(&self.content).cells.list(prefix))
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
        let (logs, cells) = (content.logs.len(), content.cells.by_key.len());
        write!(f, "MemoryStore {{ logs: {logs}, cells: {cells} }}")
    }
}
