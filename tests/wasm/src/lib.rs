//! A program whose output `run` compares between node, a browser and the machine that builds it.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::time::Duration;

thread_local! {
    static OUTPUT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Like that of the standard library, whose output is lost on `wasm32-unknown-unknown`.
macro_rules! println {
    ($($text:tt)*) => { crate::print(format_args!($($text)*)) };
}

mod quickstart {
    include!(concat!(env!("OUT_DIR"), "/quickstart.rs"));

    pub(crate) fn run() {
        main();
    }
}

#[cfg(target_family = "wasm")]
mod browser;
mod measuring;
mod records;

/// What the library cannot get from `wasm32-unknown-unknown`.
#[derive(Clone, Copy)]
pub struct Host {
    pub now: fn() -> Duration,
    pub random: fn() -> u64,
}

fn print(line: std::fmt::Arguments<'_>) {
    OUTPUT.with_borrow_mut(|output| writeln!(output, "{line}").unwrap());
}

/// Runs everything and returns what it printed.
pub fn run(host: Host) -> String {
    quickstart::run();
    records::run(host);
    measuring::run(host);
    OUTPUT.take()
}
