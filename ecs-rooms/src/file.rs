//! A store in a file.
//!
//! ```text
//! callers ──writes──► writer thread: as many as wait in one transaction, then their outcomes
//! records   (log, number) ─► is it a mark, bytes; the last mark of a log is always there
//! cells     key ─► revision, value; the key `~` has the revision of the last change
//! ```

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::{fmt, iter, thread};

use redb::{
    AccessGuard, Database, ReadableDatabase as _, ReadableTable, TableDefinition, WriteTransaction,
};

use crate::client::{lock, shielded, spawn};
use crate::error::Error;
use crate::memory::{Subscribers, past};
use crate::store::{Cell, Done, Hear, Record, Store, Wake};

const RECORDS: TableDefinition<'_, (&str, u64), (bool, &[u8])> = TableDefinition::new("records");
/// The key of the last revision, which is not the key of a cell.
const LAST: &str = "~";
const CELLS: TableDefinition<'_, &str, (u64, &[u8])> = TableDefinition::new("cells");

/// The most writes of a transaction.
const MOST_WRITES: usize = 4_096;

/// The outcome of a write, within a transaction that may fail as a whole.
type Outcome = Result<Result<u64, Error>, redb::Error>;
type Apply = Box<dyn Fn(&WriteTransaction, &str) -> Outcome + Send>;

struct Write {
    /// The log or the cell.
    name: String,
    apply: Apply,
    done: Done,
}

/// A store in a file, for the hosts, players and viewers of one process: if that process is killed, the
/// next one continues where it was. Clones share the same file, which no other process can open meanwhile.
///
/// Only with the feature `redb`. A write is acknowledged after it has been synced to disk, together with
/// all others that wait at that time. After an error, such as a full disk, the file is opened again, so writes succeed
/// as soon as they can.
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

/// Dropped in this order: the thread ends when nothing more can be written.
struct FileState {
    file: Arc<File>,
    subscribers: Arc<Subscribers>,
    writes: Sender<Write>,
    _writer: Writer,
}

/// The file. After an error it is opened again, so that a full disk stops the store only as long as it is full.
struct File {
    path: PathBuf,
    open: Mutex<Option<Arc<Database>>>,
}

impl File {
    /// Does something with the file. What is damaged can make `redb` panic.
    fn with<T>(&self, call: impl FnOnce(&Database) -> Result<T, redb::Error>) -> Result<T, Error> {
        let called = shielded(|| {
            let mut open = lock(&self.open);
            let database = match &*open {
                Some(database) => database.clone(),
                None => open.insert(Arc::new(create(&self.path)?)).clone(),
            };
            drop(open);
            call(&database)
        });
        let failed = match called {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(error)) => error.to_string(),
            Err(()) => "it is damaged".to_owned(),
        };
        let database = lock(&self.open).take();
        let _ = shielded(|| drop(database));
        let path = self.path.display();
        Err(Error::Unknown(format!("file `{path}`: {failed}")))
    }
}

/// Waits for the thread when it is dropped.
struct Writer(Option<JoinHandle<()>>);

fn unknown(error: impl fmt::Display) -> Error {
    Error::Unknown(error.to_string())
}

fn create(path: &Path) -> Result<Database, redb::Error> {
    let database = Database::create(path)?;
    let tables = database.begin_write()?;
    tables.open_table(RECORDS)?;
    tables.open_table(CELLS)?;
    tables.commit()?;
    Ok(database)
}

impl FileStore {
    /// Opens a file, or creates it.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] if the file cannot be opened, is no such store, or is open elsewhere.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let file = Arc::new(File {
            path: path.as_ref().to_owned(),
            open: Mutex::default(),
        });
        file.with(|_| Ok(()))?;
        let subscribers = Arc::new(Subscribers::default());
        let (to, tell) = (file.clone(), subscribers.clone());
        let (writes, all) = channel();
        let thread = spawn("rooms-file", move || write_all(&to, &tell, &all))?;
        let shared = Arc::new(FileState {
            file,
            subscribers,
            writes,
            _writer: Writer(Some(thread)),
        });
        Ok(Self { shared })
    }

    fn write(
        &self,
        name: &str,
        done: Done,
        apply: impl Fn(&WriteTransaction, &str) -> Outcome + Send + 'static,
    ) {
        let (name, apply) = (name.to_owned(), Box::new(apply));
        if let Err(unsent) = self.shared.writes.send(Write { name, apply, done }) {
            (unsent.0.done)(Err(unknown("the thread that writes the file has ended")));
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // An outcome may have dropped the last clone.
        let is_other = |thread: &JoinHandle<()>| thread.thread().id() != thread::current().id();
        if let Some(thread) = self.0.take().filter(is_other) {
            let _ = thread.join();
        }
    }
}

/// Writes what waits in one transaction, until there are no more clones of the store.
fn write_all(file: &File, subscribers: &Subscribers, writes: &Receiver<Write>) {
    while let Ok(first) = writes.recv() {
        let batch = iter::once(first).chain(writes.try_iter());
        let batch: Vec<_> = batch.take(MOST_WRITES).collect();
        let outcomes = file.with(|database| transact(database, &batch));
        for (place, write) in batch.into_iter().enumerate() {
            let outcome = outcomes.as_ref().map_err(Error::clone);
            let outcome = outcome.and_then(|outcomes| outcomes[place].clone());
            let _ = shielded(|| (write.done)(outcome));
            subscribers.wake(&write.name);
        }
    }
}

fn transact(database: &Database, batch: &[Write]) -> Result<Vec<Result<u64, Error>>, redb::Error> {
    let transaction = database.begin_write()?;
    let outcomes = batch
        .iter()
        .map(|write| (write.apply)(&transaction, &write.name));
    let outcomes = outcomes.collect::<Result<_, _>>()?;
    transaction.commit()?;
    Ok(outcomes)
}

/// The number of the last record of a log, or the last that is a mark; 0 if there is none.
fn last(
    records: &impl ReadableTable<(&'static str, u64), (bool, &'static [u8])>,
    log: &str,
    is_mark: bool,
) -> Result<u64, redb::Error> {
    for record in records.range((log, 0)..=(log, u64::MAX))?.rev() {
        let (key, value) = record?;
        if value.value().0 || !is_mark {
            return Ok(key.value().1);
        }
    }
    Ok(0)
}

/// Appends a record, or a mark after another one.
fn append(to: &WriteTransaction, log: &str, after: Option<u64>, bytes: &[u8]) -> Outcome {
    let mut records = to.open_table(RECORDS)?;
    if let Some(after) = after
        && after != last(&records, log, true)?
    {
        return Ok(Err(Error::Conflict));
    }
    let number = last(&records, log, false)? + 1;
    records.insert((log, number), (after.is_some(), bytes))?;
    Ok(Ok(number))
}

fn forget(to: &WriteTransaction, log: &str, before: u64) -> Outcome {
    let mut records = to.open_table(RECORDS)?;
    let first = before.min(last(&records, log, true)?);
    records.retain_in((log, 0)..(log, first), |_, _| false)?;
    Ok(Ok(first))
}

fn put(to: &WriteTransaction, key: &str, revision: Option<u64>, value: &[u8]) -> Outcome {
    let mut cells = to.open_table(CELLS)?;
    let revision_of =
        |cell: Option<AccessGuard<'_, (u64, &[u8])>>| cell.map_or(0, |cell| cell.value().0);
    let present = revision_of(cells.get(key)?);
    if revision.is_some_and(|expected| expected != present) {
        return Ok(Err(Error::Conflict));
    }
    let next = revision_of(cells.get(LAST)?) + 1;
    cells.insert(LAST, (next, &b""[..]))?;
    match value.is_empty() {
        true => _ = cells.remove(key)?,
        false => _ = cells.insert(key, (next, value))?,
    }
    Ok(Ok(next))
}

fn read(file: &Database, log: &str, from: u64, count: usize) -> Result<Vec<Record>, redb::Error> {
    let records = file.begin_read()?.open_table(RECORDS)?;
    let range = records.range((log, from)..=(log, u64::MAX))?;
    let records = range.take(count).map(|entry| {
        let (key, value) = entry?;
        let (is_mark, bytes) = value.value();
        Ok(Record {
            number: key.value().1,
            is_mark,
            bytes: bytes.to_vec(),
        })
    });
    records.collect()
}

fn cells(file: &Database, prefix: &str) -> Result<Vec<Cell>, redb::Error> {
    let cells = file.begin_read()?.open_table(CELLS)?;
    let cells = cells.range(prefix..&past(prefix))?.map(|entry| {
        let (key, value) = entry?;
        let (revision, value) = value.value();
        Ok(Cell {
            key: key.value().to_owned(),
            revision,
            value: value.to_vec(),
        })
    });
    cells.collect()
}

impl Store for FileStore {
    fn append(&self, log: &str, bytes: Vec<u8>, done: Done) {
        self.write(log, done, move |to, log| append(to, log, None, &bytes));
    }

    fn mark(&self, log: &str, after: u64, bytes: Vec<u8>, done: Done) {
        self.write(log, done, move |to, log| {
            append(to, log, Some(after), &bytes)
        });
    }

    fn read(&self, log: &str, after: u64, count: usize) -> Result<Vec<Record>, Error> {
        let next = after.saturating_add(1);
        let records = (self.shared.file).with(|file| read(file, log, next, count))?;
        match records.first().map(|record| record.number) {
            Some(first) if first > next => Err(Error::Forgotten { first }),
            _ => Ok(records),
        }
    }

    fn forget(&self, log: &str, before: u64) {
        self.write(log, Box::new(|_| ()), move |to, log| {
            forget(to, log, before)
        });
    }

    fn put(&self, key: &str, revision: Option<u64>, value: Vec<u8>, done: Done) {
        self.write(key, done, move |to, key| put(to, key, revision, &value));
    }

    fn cells(&self, prefix: &str) -> Result<Vec<Cell>, Error> {
        self.shared.file.with(|file| cells(file, prefix))
    }

    fn watch(&self, name: &str, wake: Wake) {
        self.shared.subscribers.watch(name, wake);
    }

    fn tell(&self, topic: &str, bytes: &[u8]) {
        self.shared.subscribers.tell(topic, bytes);
    }

    fn listen(&self, topic: &str, hear: Hear) {
        self.shared.subscribers.listen(topic, hear);
    }
}

impl fmt::Debug for FileStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStore").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::{Error, File, append};

    #[test]
    fn a_file_is_opened_again_after_an_error_and_after_a_panic() {
        let folder = std::env::temp_dir().join(format!("ecs-rooms-again-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (path, open) = (folder.join("rooms.redb"), Mutex::default());
        let file = File { path, open };
        let write = || {
            file.with(|database| {
                let transaction = database.begin_write()?;
                let outcome = append(&transaction, "log", None, b"a")?;
                transaction.commit()?;
                Ok(outcome)
            })
        };
        assert_eq!(write(), Ok(Ok(1)));
        // What redb says after a failed write, until the file is opened again.
        let failed = file.with(|_| Err::<(), _>(redb::Error::PreviousIo));
        assert!(matches!(failed, Err(Error::Unknown(reason)) if reason.contains("rooms.redb")));
        assert_eq!(write(), Ok(Ok(2)));
        let failed = file.with(|_| -> Result<(), _> { panic!("as for a damaged file") });
        assert!(matches!(failed, Err(Error::Unknown(reason)) if reason.contains("damaged")));
        assert_eq!(write(), Ok(Ok(3)));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
