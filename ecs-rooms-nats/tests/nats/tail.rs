//! Logs that are read while records are forgotten.

use std::thread;
use std::time::{Duration, Instant};

use ecs_rooms::{Error, Store as _};

use crate::contract::{append, mark};
use crate::server::Server;

/// How long a read may take. One that waits for a record that does not come takes five seconds.
const LONG: Duration = Duration::from_secs(3);

/// Reads a log from record `after` to its end, in small parts.
fn read_all(store: &ecs_rooms_nats::NatsStore, mut after: u64) -> Result<u64, Error> {
    loop {
        let start = Instant::now();
        let records = store.read("log", after, 7);
        assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
        match records?.last() {
            Some(last) => after = last.number,
            None => return Ok(after),
        }
    }
}

/// Reads a log again and again, from connections that have no tail yet, until its last record is there.
/// Returns how many times records were forgotten in front of it.
fn read_until(server: &Server, last: &[u8]) -> u64 {
    let mut forgotten = 0;
    loop {
        let store = server.connect();
        let mut from = 0;
        let end = loop {
            match read_all(&store, from) {
                Ok(end) => break end,
                Err(Error::Forgotten { first }) => (forgotten, from) = (forgotten + 1, first - 1),
                Err(error) => panic!("{error}"),
            }
        };
        if end > 0
            && store
                .read("log", end - 1, 1)
                .is_ok_and(|it| it[0].bytes == last)
        {
            return forgotten;
        }
    }
}

#[test]
fn a_reader_does_not_wait_for_records_that_are_forgotten() {
    let server = Server::start();
    let writer = server.connect();
    let mut last = 0;
    thread::scope(|scope| {
        let readers = [0, 1].map(|_| scope.spawn(|| read_until(&server, b"the end")));
        for _ in 0..40 {
            for _ in 0..50 {
                writer.append("log", vec![7; 100], Box::new(|_| ()));
            }
            last = mark(&writer, "log", last).unwrap();
            writer.forget("log", last);
            append(&writer, "log", b"behind").unwrap();
        }
        append(&writer, "log", b"the end").unwrap();
        let forgotten = readers.map(|reader| reader.join().unwrap());
        println!("records were forgotten in front of readers {forgotten:?} times");
    });
}

#[test]
fn a_reader_far_ahead_of_another_does_not_wait_for_it() {
    let server = Server::start();
    let writer = server.connect();
    for _ in 0..5_000 {
        writer.append("log", vec![7; 10], Box::new(|_| ()));
    }
    mark(&writer, "log", 0).unwrap();
    let start = Instant::now();
    let reader = server.connect();
    assert_eq!(reader.read("log", 0, 1).unwrap().len(), 1);
    assert_eq!(reader.read("log", 4_990, 100).unwrap().len(), 11);
    let reader = server.connect();
    assert_eq!(reader.read("log", 0, usize::MAX).unwrap().len(), 5_001); // more than are kept ahead of a reader
    assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
}
