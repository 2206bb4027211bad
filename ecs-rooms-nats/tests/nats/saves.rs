//! Saves that are listed while others are written and removed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ecs_rooms::Store as _;

use crate::server::Server;

/// How long a list may take. It held up all shards of its thread.
const LONG: Duration = Duration::from_millis(200);

#[test]
fn a_list_of_saves_does_not_wait_for_those_that_are_removed() {
    let server = Server::start();
    let (writer, reader) = (server.connect(), server.connect());
    let put = |room: u64, value: Vec<u8>| {
        let key = format!("save/0/room{}/{room:032x}", room % 20);
        writer.put(&key, None, value, Box::new(|_| ()));
    };
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut room = 0;
            while !is_over.load(Ordering::Relaxed) {
                put(room, vec![7; 1_000]);
                if room >= 40 {
                    put(room - 40, Vec::new());
                }
                room += 1;
                thread::sleep(Duration::from_millis(1));
            }
        });
        thread::sleep(Duration::from_millis(200));
        let lists = (0..60).map(|_| {
            let start = Instant::now();
            let saves = reader.cells("save/0/").unwrap();
            assert!(saves.len() > 20, "{}", saves.len());
            assert!(saves.is_sorted_by_key(|save| &save.key));
            start.elapsed()
        });
        let longest = lists.max().unwrap();
        is_over.store(true, Ordering::Relaxed);
        assert!(longest < LONG, "{longest:?}");
    });
}
