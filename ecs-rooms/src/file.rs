//! A store in a file.
//!
//! ```text
//! callers ──writes──► writer thread: as many as wait in one transaction, then their outcomes
//! records   (log, number) ─► is it a mark, bytes
//! logs      log ─► how many records were forgotten, the last record, the last mark
//! cells     key ─► revision, value; the key "" has the revision of the last change
//! ```

use std::fmt;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use redb::{
    Database, ReadableDatabase as _, ReadableTable as _, TableDefinition, WriteTransaction,
};

use crate::error::Error;
use crate::memory::{Subscribers, lock};
use crate::store::{Cell, Record, Store};

const RECORDS: TableDefinition<'_, (&str, u64), (bool, &[u8])> = TableDefinition::new("records");
const LOGS: TableDefinition<'_, &str, (u64, u64, u64)> = TableDefinition::new("logs");
const CELLS: TableDefinition<'_, &str, (u64, &[u8])> = TableDefinition::new("cells");

/// The most writes of a transaction.
const MOST_WRITES: usize = 4_096;

type Done = Box<dyn FnOnce(Result<u64, Error>) + Send>;

enum FileWrite {
    Append {
        log: String,
        after: Option<u64>,
        bytes: Vec<u8>,
    },
    Forget {
        log: String,
        before: u64,
    },
    Put {
        key: String,
        revision: Option<u64>,
        value: Vec<u8>,
    },
}

/// A store in a file, for the hosts, players and viewers of one process: if that process is killed, the
/// next one continues where it was. Clones share the same file, which no other process can open meanwhile.
///
/// Only with the feature `redb`. A write is acknowledged after it has been synced to disk, together with
/// all others that wait at that time.
///
/// # Examples
///
/// ```
/// use ecs_rooms::{FileStore, Store};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("ecs-rooms-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("rooms.redb");
/// let store = FileStore::open(&path)?;
/// let (sender, acknowledged) = std::sync::mpsc::channel();
/// store.append("log", b"input".to_vec(), Box::new(move |outcome| sender.send(outcome).unwrap()));
/// assert_eq!(acknowledged.recv()?, Ok(1));
/// drop(store);
///
/// assert_eq!(FileStore::open(&path)?.read("log", 0, 10)?[0].bytes, b"input");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct FileStore {
    shared: Arc<FileState>,
}

struct FileState {
    database: Arc<Database>,
    writes: Mutex<Option<Sender<(FileWrite, Done)>>>,
    writer: Option<JoinHandle<()>>,
    subscribers: Arc<Subscribers>,
}

fn unknown(error: impl fmt::Display) -> Error {
    Error::Unknown(error.to_string())
}

impl FileStore {
    /// Opens a file, or creates it.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] if the file cannot be opened, is no such store, or is open elsewhere.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let database = Arc::new(Database::create(path).map_err(unknown)?);
        let tables = database.begin_write().map_err(unknown)?;
        tables.open_table(RECORDS).map_err(unknown)?;
        tables.open_table(LOGS).map_err(unknown)?;
        tables.open_table(CELLS).map_err(unknown)?;
        tables.commit().map_err(unknown)?;
        let (sender, writes) = channel();
        let subscribers = Arc::new(Subscribers::default());
        let (to, tell) = (database.clone(), subscribers.clone());
        let writer = std::thread::Builder::new().name("rooms-file".to_owned());
        let writer = writer
            .spawn(move || write_all(&to, &tell, &writes))
            .map_err(unknown)?;
        let (writes, writer) = (Mutex::new(Some(sender)), Some(writer));
        let shared = Arc::new(FileState {
            database,
            writes,
            writer,
            subscribers,
        });
        Ok(Self { shared })
    }

    fn write(&self, write: FileWrite, done: Done) {
        let writes = lock(&self.shared.writes).clone();
        let unsent = match writes {
            Some(writes) => writes.send((write, done)).err().map(|unsent| unsent.0),
            None => Some((write, done)),
        };
        if let Some((_, done)) = unsent {
            done(Err(unknown("the thread that writes the file has ended")));
        }
    }
}

impl Drop for FileState {
    /// Waits until all writes are done.
    fn drop(&mut self) {
        lock(&self.writes).take();
        let writer = self.writer.take();
        if let Some(writer) = writer.filter(|it| it.thread().id() != std::thread::current().id()) {
            let _ = writer.join();
        }
    }
}

/// Writes what waits in one transaction, until there are no more clones of the store.
fn write_all(database: &Database, subscribers: &Subscribers, writes: &Receiver<(FileWrite, Done)>) {
    while let Ok(first) = writes.recv() {
        let batch: Vec<_> = std::iter::once(first)
            .chain(writes.try_iter())
            .take(MOST_WRITES)
            .collect();
        let outcomes = transact(database, &batch);
        for (place, (write, done)) in batch.into_iter().enumerate() {
            let outcome = outcomes.as_ref().map_err(unknown);
            done(outcome.and_then(|outcomes| outcomes[place].clone()));
            match &write {
                FileWrite::Append { log: name, .. } | FileWrite::Put { key: name, .. } => {
                    subscribers.wake(name)
                }
                FileWrite::Forget { .. } => {}
            }
        }
    }
}

fn transact(
    database: &Database,
    batch: &[(FileWrite, Done)],
) -> Result<Vec<Result<u64, Error>>, redb::Error> {
    let transaction = database.begin_write()?;
    let outcomes = batch.iter().map(|(write, _)| match write {
        FileWrite::Append { log, after, bytes } => append(&transaction, log, *after, bytes),
        FileWrite::Forget { log, before } => forget(&transaction, log, *before),
        FileWrite::Put {
            key,
            revision,
            value,
        } => put(&transaction, key, *revision, value),
    });
    let outcomes = outcomes.collect::<Result<_, _>>()?;
    transaction.commit()?;
    Ok(outcomes)
}

/// The outcome of a write, within a transaction that may fail as a whole.
type Outcome = Result<Result<u64, Error>, redb::Error>;

fn append(to: &WriteTransaction, log: &str, after: Option<u64>, bytes: &[u8]) -> Outcome {
    let mut logs = to.open_table(LOGS)?;
    let (forgotten, last, mark) = logs.get(log)?.map_or((0, 0, 0), |log| log.value());
    if after.is_some_and(|after| after != mark) {
        return Ok(Err(Error::Conflict));
    }
    let number = last + 1;
    let mark = if after.is_some() { number } else { mark };
    logs.insert(log, (forgotten, number, mark))?;
    to.open_table(RECORDS)?
        .insert((log, number), (after.is_some(), bytes))?;
    Ok(Ok(number))
}

fn forget(to: &WriteTransaction, log: &str, before: u64) -> Outcome {
    let mut logs = to.open_table(LOGS)?;
    let (forgotten, last, mark) = logs.get(log)?.map_or((0, 0, 0), |log| log.value());
    let first = before.min(mark).max(forgotten + 1);
    to.open_table(RECORDS)?
        .retain_in((log, 0)..(log, first), |_, _| false)?;
    logs.insert(log, (first - 1, last, mark))?;
    Ok(Ok(first))
}

fn put(to: &WriteTransaction, key: &str, revision: Option<u64>, value: &[u8]) -> Outcome {
    let mut cells = to.open_table(CELLS)?;
    let revision_of =
        |cell: Option<redb::AccessGuard<'_, (u64, &[u8])>>| cell.map_or(0, |cell| cell.value().0);
    let present = revision_of(cells.get(key)?);
    if revision.is_some_and(|expected| expected != present) {
        return Ok(Err(Error::Conflict));
    }
    let next = revision_of(cells.get("")?) + 1;
    cells.insert("", (next, &b""[..]))?;
    match value.is_empty() {
        true => _ = cells.remove(key)?,
        false => _ = cells.insert(key, (next, value))?,
    }
    Ok(Ok(next))
}

fn read(
    database: &Database,
    log: &str,
    after: u64,
    count: usize,
) -> Result<Result<Vec<Record>, Error>, redb::Error> {
    let transaction = database.begin_read()?;
    let logs = transaction.open_table(LOGS)?;
    let forgotten = logs.get(log)?.map_or(0, |log| log.value().0);
    if after < forgotten {
        return Ok(Err(Error::Forgotten {
            first: forgotten + 1,
        }));
    }
    let records = transaction.open_table(RECORDS)?;
    let range = records.range((log, after.saturating_add(1))..=(log, u64::MAX))?;
    let mut found = Vec::new();
    for entry in range.take(count) {
        let (key, value) = entry?;
        let ((_, number), (is_mark, bytes)) = (key.value(), value.value());
        found.push(Record {
            number,
            is_mark,
            bytes: bytes.to_vec(),
        });
    }
    Ok(Ok(found))
}

fn cells(database: &Database, prefix: &str) -> Result<Vec<Cell>, redb::Error> {
    let cells = database.begin_read()?.open_table(CELLS)?;
    let mut found = Vec::new();
    for entry in cells.range(prefix..)? {
        let (key, value) = entry?;
        let (key, (revision, value)) = (key.value(), value.value());
        if !key.starts_with(prefix) {
            break;
        }
        if !key.is_empty() {
            found.push(Cell {
                key: key.to_owned(),
                revision,
                value: value.to_vec(),
            });
        }
    }
    Ok(found)
}

impl Store for FileStore {
    fn append(&self, log: &str, bytes: Vec<u8>, done: Box<dyn FnOnce(Result<u64, Error>) + Send>) {
        let (log, after) = (log.to_owned(), None);
        self.write(FileWrite::Append { log, after, bytes }, done);
    }

    fn mark(
        &self,
        log: &str,
        after: u64,
        bytes: Vec<u8>,
        done: Box<dyn FnOnce(Result<u64, Error>) + Send>,
    ) {
        let (log, after) = (log.to_owned(), Some(after));
        self.write(FileWrite::Append { log, after, bytes }, done);
    }

    fn read(&self, log: &str, after: u64, count: usize) -> Result<Vec<Record>, Error> {
        read(&self.shared.database, log, after, count).map_err(unknown)?
    }

    fn forget(&self, log: &str, before: u64) {
        let log = log.to_owned();
        self.write(FileWrite::Forget { log, before }, Box::new(|_| ()));
    }

    fn put(
        &self,
        key: &str,
        revision: Option<u64>,
        value: Vec<u8>,
        done: Box<dyn FnOnce(Result<u64, Error>) + Send>,
    ) {
        let key = key.to_owned();
        self.write(
            FileWrite::Put {
                key,
                revision,
                value,
            },
            done,
        );
    }

    fn cells(&self, prefix: &str) -> Result<Vec<Cell>, Error> {
        cells(&self.shared.database, prefix).map_err(unknown)
    }

    fn watch(&self, name: &str, wake: Box<dyn Fn() -> bool + Send + Sync>) {
        self.shared.subscribers.watch(name, wake);
    }

    fn tell(&self, topic: &str, bytes: &[u8]) {
        self.shared.subscribers.tell(topic, bytes);
    }

    fn listen(&self, topic: &str, hear: Box<dyn FnMut(&[u8]) -> bool + Send>) {
        self.shared.subscribers.listen(topic, hear);
    }
}

impl fmt::Debug for FileStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStore").finish_non_exhaustive()
    }
}
