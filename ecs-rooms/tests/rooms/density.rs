//! How many rooms a process plays: `cargo test --release -p ecs-rooms --test rooms density -- --ignored --nocapture`
//!
//! `ROOMS` is the number of rooms.

use std::time::{Duration, Instant};

use ecs_rooms::{Host, MemoryStore, Options, Store};

use crate::race::{Racing, SECRET};

#[test]
#[ignore = "a measurement"]
fn density() {
    measure(MemoryStore::new());
}

/// Plays rooms for ten seconds, and prints how many ticks there were.
pub(crate) fn measure(store: impl Store) {
    let rooms = std::env::var("ROOMS").map_or(500, |rooms| rooms.parse().unwrap());
    let options = Options {
        threads: 2,
        ..Options::new(SECRET)
    };
    let host = Host::run::<Racing>(store, options).unwrap();
    (0..rooms).for_each(|room| _ = host.open(&format!("room{room}"), room).unwrap());
    std::thread::sleep(Duration::from_secs(2));
    let (start, before) = (Instant::now(), host.stats());
    let cpu = processor_time();
    std::thread::sleep(Duration::from_secs(10));
    let (after, time) = (host.stats(), start.elapsed().as_secs_f64());
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "{} rooms: {:.0} ticks/s of {}, {} late, {} saves, {:.2} cores; load {}",
        after.rooms,
        (after.ticks - before.ticks) as f64 / time,
        rooms * 20,
        after.late - before.late,
        after.saves - before.saves,
        (processor_time() - cpu) / time,
        load.split(' ').next().unwrap_or_default(),
    );
}

/// Seconds of processors that this process has taken.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<_> = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let ticks: f64 = fields.get(11..13).map_or(0.0, |times| {
        times.iter().map(|time| time.parse().unwrap_or(0.0)).sum()
    });
    ticks / 100.0
}
