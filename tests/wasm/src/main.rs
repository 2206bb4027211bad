//! Runs the program on the machine that builds it.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::sync::LazyLock;
use std::time::Instant;

use ecs_wasm::Host;

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

fn main() {
    let host = Host {
        now: || START.elapsed(),
        random: || RandomState::new().hash_one(()),
    };
    print!("{}", ecs_wasm::run(host));
}
