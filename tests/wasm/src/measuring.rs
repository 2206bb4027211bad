//! Measured systems, with the clock of the host, with one that the program moves, and with none.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ecs::prelude::*;

use crate::Host;
use crate::records::Game;

const WAIT: Duration = Duration::from_millis(5);

fn idle(_: &mut Game) {}

pub(crate) fn run(host: Host) {
    println!("\n# Measuring");
    by_the_host(host);
    by_the_program();
    by_the_target();
}

fn by_the_host(host: Host) {
    let now = host.now;
    let wait = move |_: &mut Game| {
        let start = now();
        while now() - start < WAIT {}
    };
    let mut systems = Systems::new().add(idle).add(wait).named("wait");
    systems.set_clock(now);
    systems.measure(true);
    for _ in 0..3 {
        systems.execute(&mut Game::new());
    }
    let times = systems.statistics("wait").unwrap().execute;
    let [min, mean, max] = [times.min(), times.mean(), times.max()];
    println!("calls: {}, each waited: {}", times.calls(), min >= WAIT);
    println!(
        "in order: {}",
        min <= mean && mean <= max && max <= times.sum()
    );
    let idle = systems.statistics("idle").unwrap().execute;
    println!("idle took less: {}", idle.sum() < times.sum());
}

fn by_the_program() {
    let time = Arc::new(AtomicU64::new(0));
    let now = time.clone();
    let mut systems = Systems::with_name("Game")
        .add(idle)
        .add(move |_: &mut Game| _ = time.fetch_add(1500, Ordering::Relaxed))
        .named("walk");
    systems.set_clock(move || Duration::from_micros(now.load(Ordering::Relaxed)));
    systems.measure(true);
    for _ in 0..2 {
        systems.execute(&mut Game::new());
    }
    println!("{}", systems.report());
}

/// Without a clock, calls are counted and times are absent.
fn by_the_target() {
    let mut systems = Systems::new().add(idle);
    systems.measure(true);
    systems.execute(&mut Game::new());
    println!(
        "calls: {}",
        systems.statistics("idle").unwrap().execute.calls()
    );
    let (text, has_clock) = (systems.report().to_string(), !cfg!(target_family = "wasm"));
    assert_eq!(text.contains("last"), has_clock, "{text}");
}
