//! Stores that reject, and processes that start and end.

use std::ops::ControlFlow::Break;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_rooms::{Cell, Error, Host, MemoryStore, Options, Record, Store, Viewer, follow};

use crate::race::{Race, Racing, SECRET, host, options, played, until};

type Done = Box<dyn FnOnce(Result<u64, Error>) + Send>;

pub(crate) const NOTHING: u8 = 0;
const MARKS: u8 = 1;
pub(crate) const SAVES: u8 = 2;
const READS: u8 = 3;
/// The first record is read when it is forgotten afterwards.
const LATE_START: u8 = 4;

/// A store that rejects something.
#[derive(Clone, Default)]
pub(crate) struct Refusing {
    store: MemoryStore,
    what: Arc<AtomicU8>,
    /// How many times no cell is listed.
    late: Arc<AtomicU8>,
    /// The most bytes of a message, unless it is 0.
    most: usize,
}

impl Refusing {
    pub(crate) fn set(&self, what: u8) {
        self.what.store(what, Ordering::SeqCst);
    }

    fn rejects(&self, what: u8) -> bool {
        self.what.load(Ordering::SeqCst) == what
    }
}

fn full() -> Error {
    Error::Unknown("no space left".to_owned())
}

impl Store for Refusing {
    fn most_bytes(&self) -> usize {
        if self.most == 0 {
            usize::MAX
        } else {
            self.most
        }
    }
    fn append(&self, log: &str, bytes: Vec<u8>, done: Done) {
        self.store.append(log, bytes, done);
    }
    fn mark(&self, log: &str, after: u64, bytes: Vec<u8>, done: Done) {
        match self.rejects(MARKS) {
            true => done(Err(full())),
            false => self.store.mark(log, after, bytes, done),
        }
    }
    fn read(&self, log: &str, after: u64, count: usize) -> Result<Vec<Record>, Error> {
        if self.rejects(READS) {
            return Err(full());
        }
        let records = self.store.read(log, after, count);
        if self.rejects(LATE_START) && after == 0 && records.is_ok() {
            until("forgotten records", || self.store.read(log, 0, 1).is_err());
        }
        records
    }
    fn forget(&self, log: &str, before: u64) {
        self.store.forget(log, before);
    }
    fn put(&self, key: &str, revision: Option<u64>, value: Vec<u8>, done: Done) {
        match key.starts_with("save/") && self.rejects(SAVES) {
            true => done(Err(full())),
            false => self.store.put(key, revision, value, done),
        }
    }
    fn cells(&self, prefix: &str) -> Result<Vec<Cell>, Error> {
        let late = self.late.load(Ordering::SeqCst);
        if prefix == "config" && late > 0 {
            self.late.store(late - 1, Ordering::SeqCst);
            return Ok(Vec::new());
        }
        self.store.cells(prefix)
    }
    fn watch(&self, name: &str, wake: Box<dyn Fn() -> bool + Send + Sync>) {
        self.store.watch(name, wake);
    }
    fn tell(&self, topic: &str, bytes: &[u8]) {
        self.store.tell(topic, bytes);
    }
    fn listen(&self, topic: &str, hear: Box<dyn FnMut(&[u8]) -> bool + Send>) {
        self.store.listen(topic, hear);
    }
}

#[test]
fn a_log_may_be_forgotten_while_a_replay_begins() {
    let store = Refusing::default();
    store.set(LATE_START);
    let first_host = host(&store.store, "only");
    first_host.open("a", 1).unwrap();
    assert!(played(&store, "a").unwrap().1 > 0);
    let other = Refusing::default();
    other.set(LATE_START);
    let other_host = host(&other.store, "other");
    other_host.open("a", 1).unwrap();
    let ticks = follow::<Racing>(&other, "a", &SECRET, |_, _| Break(()));
    assert_eq!(ticks, Ok(1));
}

#[test]
fn marks_and_reads_that_are_rejected_are_failures() {
    let store = Refusing::default();
    let host = Host::run::<Racing>(store.clone(), options("only")).unwrap();
    host.open("a", 1).unwrap();
    until("ticks", || host.stats().ticks > 5);
    assert_eq!(host.stats().failures, []);
    for what in [MARKS, READS] {
        store.set(what);
        let before = host.stats().store_failures;
        let is_named = |error: &Error| {
            matches!(error, Error::StoreFailed { name, .. } if name.starts_with("log/"))
                && error.to_string().contains("no space left")
        };
        until("the failure", || {
            let stats = host.stats();
            stats.failures.iter().any(is_named) && stats.store_failures > before
        });
        store.set(NOTHING);
        let ticks = host.stats().ticks;
        until("ticks", || host.stats().ticks > ticks + 5);
    }
    assert!(
        host.stats().failures.len() <= 2,
        "{:?}",
        host.stats().failures
    );
}

#[test]
fn saves_that_are_rejected_are_failures_and_are_not_repeated_in_each_tick() {
    let store = Refusing::default();
    let host = Host::run::<Racing>(store.clone(), options("only")).unwrap();
    host.open("a", 1).unwrap();
    until("saves", || host.stats().saves > 2);
    store.set(SAVES);
    let is_named = |error: &Error| matches!(error, Error::Unsaved { room, .. } if room == "a");
    until("the failure", || host.stats().failures.iter().any(is_named));
    let before = host.stats();
    until("ticks", || host.stats().ticks > before.ticks + 100);
    let tries = host.stats().store_failures - before.store_failures;
    assert!(tries < 20, "{tries}");
    let length = || store.read(&log(), 0, 1).err();
    let forgotten = length();
    store.set(NOTHING);
    // The log is cut as soon as there are saves.
    until("saves", || host.stats().saves > before.saves + 1);
    until("the log", || length() != forgotten);
}

fn log() -> String {
    format!("log/{}", options("only").shard_of("a"))
}

#[test]
fn hosts_that_start_together_agree() {
    let store = Refusing::default();
    store.late.store(3, Ordering::SeqCst); // the cell of the other one has not arrived
    store
        .store
        .put("config", None, vec![9, 4], Box::new(|_| ()));
    let host = Host::run::<Racing>(store, options("second"));
    assert!(host.is_ok(), "{host:?}");
}

#[test]
fn a_room_that_is_larger_than_a_message_is_shown_in_parts() {
    let most = 600;
    let store = Refusing {
        most,
        ..Refusing::default()
    };
    let host = Host::run::<Racing>(store.clone(), options("only")).unwrap();
    host.open("a", 1).unwrap();
    let (sender, sizes) = std::sync::mpsc::channel();
    let hear = move |bytes: &[u8]| sender.send(bytes.len()).is_ok();
    store.listen("view/a", Box::new(hear));
    let key = Viewer::<Race>::key(&SECRET, "a");
    let mut viewer = Viewer::<Race>::new(store.clone(), "a", key).unwrap();
    let mut copy = Race::new();
    until("the room", || viewer.update(&mut copy) > 0);
    assert_eq!(copy.len(), 124);
    assert!(sizes.try_iter().all(|size| size <= most));
    // A save cannot be divided.
    let is_named = |error: &Error| matches!(error, Error::Unsaved { room, reason } if room == "a" && reason.contains("at most 600"));
    until("the failure", || host.stats().failures.iter().any(is_named));
}

const ROLE: &str = "ECS_ROOMS_SIGTERM";

/// Not a test: what the process does that gets SIGTERM.
#[test]
#[ignore = "run by the tests below"]
fn plays_until_sigterm() {
    let Ok(role) = std::env::var(ROLE) else {
        return;
    };
    let options = Options {
        drain_on_sigterm: true,
        ..options("only")
    };
    let host = Host::run::<Racing>(MemoryStore::new(), options).unwrap();
    host.open("a", 1).unwrap();
    println!("ready");
    if role == "waits" {
        let finished = host.finished();
        block_on(finished);
        println!("after");
        std::process::exit(7);
    }
    std::thread::sleep(Duration::from_secs(60));
}

fn block_on(future: impl Future<Output = ()>) {
    struct Thread(std::thread::Thread);
    impl std::task::Wake for Thread {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Arc::new(Thread(std::thread::current())).into();
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(&waker);
    while future.as_mut().poll(&mut context).is_pending() {
        std::thread::park();
    }
}

/// Sends SIGTERM to a process that plays, and returns its exit code.
fn exit_code(role: &str) -> Option<i32> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([
            "store_failures::plays_until_sigterm",
            "--exact",
            "--ignored",
            "--nocapture",
        ])
        .env(ROLE, role);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut lines = std::io::BufRead::lines(lines).map_while(Result::ok);
    assert!(lines.any(|line| line.ends_with("ready")));
    std::thread::sleep(Duration::from_millis(100));
    let start = Instant::now();
    let kill = Command::new("kill").arg(child.id().to_string()).status();
    assert!(kill.unwrap().success());
    let code = child.wait().unwrap().code();
    assert!(start.elapsed() < Duration::from_secs(20));
    code
}

#[test]
fn a_program_that_asks_for_nothing_else_exits_after_sigterm() {
    assert_eq!(exit_code("sleeps"), Some(0));
}

#[test]
fn a_program_that_waits_for_the_end_of_its_host_goes_on() {
    assert_eq!(exit_code("waits"), Some(7));
}
