//! Saves that are listed while others are written and removed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ecs_rooms::Store as _;

use crate::server::Server;

#[test]
fn saves_are_listed_while_others_are_written_and_removed() {
    let server = Server::start();
    let (writer, reader) = (server.connect(), server.connect());
    let put = |room: u64, value: Vec<u8>| {
        let key = format!("save/0/room{}/{room:032x}", room % 20);
        writer.put(&key, None, value, Box::new(|_| ()));
    };
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let rooms = (0..30_000).take_while(|_| !is_over.load(Ordering::Relaxed));
            for room in rooms {
                put(room, vec![7; 1_000]);
                if room >= 40 {
                    put(room - 40, Vec::new());
                }
                thread::sleep(Duration::from_millis(1));
            }
        });
        thread::sleep(Duration::from_millis(200));
        for _ in 0..60 {
            let saves = reader.cells("save/0/").unwrap();
            assert!(saves.len() > 20, "{}", saves.len());
            assert!(saves.is_sorted_by_key(|save| &save.key));
        }
        is_over.store(true, Ordering::Relaxed);
    });
}
