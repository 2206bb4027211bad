//! What rooms need of an engine: logs with fenced marks, cells with revisions, and topics.

use std::sync::Arc;

use crate::error::Error;

/// What a write of a [`Store`] calls with its outcome.
pub type Done = Box<dyn FnOnce(Result<u64, Error>) + Send>;
/// What a [`Store`] calls after a change, until it returns `false`.
pub type Wake = Box<dyn Fn() -> bool + Send + Sync>;
/// What a [`Store`] calls with a message, until it returns `false`.
pub type Hear = Box<dyn FnMut(&[u8]) -> bool + Send>;

/// A record of a log.
///
/// # Examples
///
/// ```
/// use ecs_rooms::{MemoryStore, Store};
///
/// let store = MemoryStore::new();
/// store.append("log", b"hello".to_vec(), Box::new(|_| ()));
/// let record = store.read("log", 0, 1).unwrap().remove(0);
/// assert_eq!((record.number, record.is_mark, &record.bytes[..]), (1, false, &b"hello"[..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The records of a log are numbered 1, 2, 3, … without gaps.
    pub number: u64,
    /// Whether the record was written by [`Store::mark`].
    pub is_mark: bool,
    /// What was written.
    pub bytes: Vec<u8>,
}

/// A cell: a value under a key, with the number of its last change.
///
/// # Examples
///
/// ```
/// use ecs_rooms::{MemoryStore, Store};
///
/// let store = MemoryStore::new();
/// store.put("host/a", None, b"1".to_vec(), Box::new(|_| ()));
/// let cell = store.cells("host/").unwrap().remove(0);
/// assert_eq!((&cell.key[..], &cell.value[..]), ("host/a", &b"1"[..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The key.
    pub key: String,
    /// Greater after each write of the cell, and never 0.
    pub revision: u64,
    /// The value, which is not empty.
    pub value: Vec<u8>,
}

/// An engine that keeps logs, cells and topics for all processes of a deployment. `Arc<dyn Store>` is one, too.
///
/// Calls do not block for long. A write calls `done` with its outcome, on any thread, exactly once:
/// the number of the record or the revision of the cell; [`Error::Conflict`] if another write came
/// first and nothing was written; [`Error::Unknown`] if it is not known whether it was written. A write
/// of unknown outcome may take effect later.
///
/// The names of logs, keys and topics consist of ASCII letters, digits, `_`, `-` and `/`.
///
/// # Examples
///
/// ```
/// use ecs_rooms::{Error, MemoryStore, Store};
///
/// let store = MemoryStore::new();
/// store.mark("log", 0, b"first".to_vec(), Box::new(|outcome| assert_eq!(outcome, Ok(1))));
/// // a writer that has not read the first mark
/// store.mark("log", 0, b"late".to_vec(), Box::new(|outcome| assert_eq!(outcome, Err(Error::Conflict))));
/// ```
pub trait Store: Send + Sync + 'static {
    /// Returns the most bytes of a record, a value or a message.
    fn most_bytes(&self) -> usize {
        usize::MAX
    }

    /// Appends a record to a log.
    fn append(&self, log: &str, bytes: Vec<u8>, done: Done);

    /// Appends a mark to a log if its last mark is record `after`, or if there is none and `after` is 0;
    /// otherwise the outcome is [`Error::Conflict`].
    fn mark(&self, log: &str, after: u64, bytes: Vec<u8>, done: Done);

    /// Returns up to `count` records after number `after`, in order. Fewer than `count` means that the
    /// end of the log was reached.
    ///
    /// # Errors
    ///
    /// [`Error::Forgotten`] if record `after + 1` was forgotten.
    fn read(&self, log: &str, after: u64, count: usize) -> Result<Vec<Record>, Error>;

    /// Removes the records before number `before`, sooner or later, except the last mark.
    fn forget(&self, log: &str, before: u64);

    /// Sets a cell. With a revision, the outcome is [`Error::Conflict`] unless the cell has it; revision
    /// 0 means that there is no such cell. An empty value removes the cell.
    fn put(&self, key: &str, revision: Option<u64>, value: Vec<u8>, done: Done);

    /// Returns the cells whose keys start with `prefix`, in order of their keys.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] if the engine cannot be reached.
    fn cells(&self, prefix: &str) -> Result<Vec<Cell>, Error>;

    /// Calls `wake` after each change of a log, or of a cell whose key starts with `name`, until it
    /// returns `false`. A call too many does no harm, one too few costs time.
    fn watch(&self, name: &str, wake: Wake);

    /// Passes bytes to those that listen to a topic at present. They may get lost.
    fn tell(&self, topic: &str, bytes: &[u8]);

    /// Calls `hear` with what is sent to a topic from now on, until it returns `false`.
    fn listen(&self, topic: &str, hear: Hear);
}

impl<S: Store + ?Sized> Store for Arc<S> {
    fn most_bytes(&self) -> usize {
        (**self).most_bytes()
    }

    fn append(&self, log: &str, bytes: Vec<u8>, done: Done) {
        (**self).append(log, bytes, done);
    }

    fn mark(&self, log: &str, after: u64, bytes: Vec<u8>, done: Done) {
        (**self).mark(log, after, bytes, done);
    }

    fn read(&self, log: &str, after: u64, count: usize) -> Result<Vec<Record>, Error> {
        (**self).read(log, after, count)
    }

    fn forget(&self, log: &str, before: u64) {
        (**self).forget(log, before);
    }

    fn put(&self, key: &str, revision: Option<u64>, value: Vec<u8>, done: Done) {
        (**self).put(key, revision, value, done);
    }

    fn cells(&self, prefix: &str) -> Result<Vec<Cell>, Error> {
        (**self).cells(prefix)
    }

    fn watch(&self, name: &str, wake: Wake) {
        (**self).watch(name, wake);
    }

    fn tell(&self, topic: &str, bytes: &[u8]) {
        (**self).tell(topic, bytes);
    }

    fn listen(&self, topic: &str, hear: Hear) {
        (**self).listen(topic, hear);
    }
}
