//! What each store must do.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier};
use std::time::Duration;

use ecs_rooms::{Error, Record, Store};

type Done = Box<dyn FnOnce(Result<u64, Error>) + Send>;

/// The outcome of a write.
#[track_caller]
fn outcome(write: impl FnOnce(Done)) -> Result<u64, Error> {
    let (sender, outcomes) = channel();
    write(Box::new(move |outcome| sender.send(outcome).unwrap()));
    outcomes.recv_timeout(Duration::from_secs(10)).unwrap()
}

pub(crate) fn append(store: &dyn Store, log: &str, bytes: &[u8]) -> Result<u64, Error> {
    outcome(|done| store.append(log, bytes.to_vec(), done))
}

pub(crate) fn mark(store: &dyn Store, log: &str, after: u64) -> Result<u64, Error> {
    outcome(|done| store.mark(log, after, b"mark".to_vec(), done))
}

pub(crate) fn put(
    store: &dyn Store,
    key: &str,
    revision: Option<u64>,
    value: &[u8],
) -> Result<u64, Error> {
    outcome(|done| store.put(key, revision, value.to_vec(), done))
}

fn values(store: &dyn Store, prefix: &str) -> Vec<(String, Vec<u8>)> {
    let cells = store.cells(prefix).unwrap();
    cells
        .into_iter()
        .map(|cell| (cell.key, cell.value))
        .collect()
}

fn logs_number_their_records(store: &dyn Store) {
    assert_eq!(store.read("numbers/1", 0, 9), Ok(vec![]));
    assert_eq!(append(store, "numbers/1", b"a"), Ok(1));
    assert_eq!(append(store, "numbers/11", b"other"), Ok(1));
    assert_eq!(mark(store, "numbers/1", 0), Ok(2));
    assert_eq!(append(store, "numbers/1", b""), Ok(3));
    let record = |number, is_mark, bytes: &[u8]| Record {
        number,
        is_mark,
        bytes: bytes.to_vec(),
    };
    let all = [
        record(1, false, b"a"),
        record(2, true, b"mark"),
        record(3, false, b""),
    ];
    assert_eq!(store.read("numbers/1", 0, 9).unwrap(), all);
    assert_eq!(store.read("numbers/1", 1, 1).unwrap(), all[1..2]);
    assert_eq!(store.read("numbers/1", 3, 9), Ok(vec![]));
    assert_eq!(store.read("numbers/1", 7, 9), Ok(vec![]));
}

fn marks_are_fenced(store: &dyn Store) {
    append(store, "fenced", b"a").unwrap();
    assert_eq!(mark(store, "fenced", 1), Err(Error::Conflict)); // that is no mark
    assert_eq!(mark(store, "fenced", 0), Ok(2));
    assert_eq!(mark(store, "fenced", 0), Err(Error::Conflict));
    append(store, "fenced", b"b").unwrap();
    assert_eq!(mark(store, "fenced", 2), Ok(4));
    assert_eq!(mark(store, "fenced", 2), Err(Error::Conflict));
    assert_eq!(store.read("fenced", 0, 9).unwrap().len(), 4);
}

/// Of two that write after the same mark, one gets through.
fn of_rivals_one_wins(store: &Arc<dyn Store>) {
    let mut last = 0;
    for _ in 0..20 {
        let barrier = Arc::new(Barrier::new(3));
        let rivals = [0, 1, 2].map(|_| {
            let (store, barrier) = (store.clone(), barrier.clone());
            std::thread::spawn(move || {
                barrier.wait();
                mark(&*store, "rivals", last)
            })
        });
        let outcomes = rivals.map(|rival| rival.join().unwrap());
        let won: Vec<_> = outcomes.iter().flatten().collect();
        assert_eq!(won.len(), 1, "{outcomes:?}");
        last = *won[0];
    }
}

fn forgotten_records_are_an_error(store: &dyn Store) {
    (0..4).for_each(|_| _ = append(store, "forget", b"a").unwrap());
    assert_eq!(mark(store, "forget", 0), Ok(5));
    store.forget("forget", 4);
    let first = || match store.read("forget", 0, 1) {
        Err(Error::Forgotten { first }) => first,
        _ => 1,
    };
    for _ in 0..1_000 {
        if first() == 4 {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(first(), 4);
    assert_eq!(store.read("forget", 3, 9).unwrap().len(), 2);
    store.forget("forget", 99); // the last mark stays
    append(store, "forget", b"b").unwrap();
    assert_eq!(store.read("forget", 4, 9).unwrap()[0].number, 5);
    assert_eq!(mark(store, "forget", 5), Ok(7));
}

fn cells_are_compared_and_set(store: &dyn Store) {
    assert_eq!(put(store, "cell/a", Some(3), b"1"), Err(Error::Conflict));
    let first = put(store, "cell/a", Some(0), b"1").unwrap();
    assert!(first > 0);
    assert_eq!(put(store, "cell/a", Some(0), b"2"), Err(Error::Conflict));
    let second = put(store, "cell/a", Some(first), b"2").unwrap();
    assert!(second > first);
    assert_eq!(
        put(store, "cell/a", Some(first), b"3"),
        Err(Error::Conflict)
    );
    put(store, "cell/b", None, b"4").unwrap();
    put(store, "cells", None, b"5").unwrap();
    assert_eq!(
        values(store, "cell/"),
        [
            ("cell/a".into(), b"2".to_vec()),
            ("cell/b".into(), b"4".to_vec())
        ]
    );
    put(store, "cell/a", None, b"").unwrap();
    assert_eq!(values(store, "cell/"), [("cell/b".into(), b"4".to_vec())]);
    assert!(put(store, "cell/a", Some(0), b"6").unwrap() > second);
}

fn watchers_are_woken(store: &dyn Store) {
    let woken = Arc::new(AtomicU64::new(0));
    let count = woken.clone();
    store.watch(
        "watched/",
        Box::new(move || count.fetch_add(1, Ordering::SeqCst) < 2),
    );
    append(store, "watched/log", b"a").unwrap();
    put(store, "watched/cell", None, b"a").unwrap();
    put(store, "other", None, b"a").unwrap();
    wait(|| woken.load(Ordering::SeqCst) >= 2);
    append(store, "watched/log", b"a").unwrap();
    append(store, "watched/log", b"a").unwrap();
    wait(|| woken.load(Ordering::SeqCst) >= 3);
    assert_eq!(woken.load(Ordering::SeqCst), 3, "it had enough");
}

fn topics_reach_who_listens(store: &dyn Store) {
    let (sender, heard) = channel();
    store.listen(
        "topic",
        Box::new(move |bytes: &[u8]| sender.send(bytes.to_vec()).is_ok()),
    );
    store.tell("topic", b"a");
    store.tell("topics", b"b");
    store.tell("topic", b"c");
    let next = || heard.recv_timeout(Duration::from_secs(5)).unwrap();
    assert_eq!([next(), next()], [b"a", b"c"]);
}

#[track_caller]
fn wait(is_so: impl Fn() -> bool) {
    for _ in 0..2_000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("waited for four seconds");
}

/// All of it; `forgets` says whether records are removed soon.
pub(crate) fn all(store: Arc<dyn Store>, forgets: bool) {
    logs_number_their_records(&*store);
    marks_are_fenced(&*store);
    of_rivals_one_wins(&store);
    if forgets {
        forgotten_records_are_an_error(&*store);
    }
    cells_are_compared_and_set(&*store);
    watchers_are_woken(&*store);
    topics_reach_who_listens(&*store);
}
