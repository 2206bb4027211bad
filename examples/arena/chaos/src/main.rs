//! Players of the arena, and what happens to its processes under them.
//!
//! ```text
//! cargo run --release -p arena -- chaos                kills, pauses, drains and replaces processes on a NATS server
//! … chaos --clients 100 --rooms 5                      200 in 10 rooms, and two in headless Chromium
//! … chaos --keep                                       keeps the logs of a run that went well, too
//! cargo run --release -p arena -- load                 1,000 players in 50 rooms of one process, for 30 s
//! … load --clients 200 --rooms 10 --seconds 60 --pace 200   inputs each 200 ms, not 50 ms
//! ```
//!
//! `chaos` needs `nats-server` in the path, or `NATS_SERVER`. In the end it plays all logs again, with the program of each
//! version, and compares them with the outcomes that players got.

mod balancer;
mod chaos;
mod crowd;
#[path = "../../tests/browser/devtools.rs"]
#[allow(dead_code, reason = "the tests need the rest")]
mod devtools;
mod load;
mod pages;
mod programs;
#[path = "../../../../ecs-rooms-nats/tests/nats/server.rs"]
#[allow(dead_code, reason = "the tests need the rest")]
mod server;
mod verdict;

use std::process::ExitCode;
use std::time::Duration;

/// What goes wrong, in words.
type Failure = Box<dyn std::error::Error>;

pub(crate) struct Arguments {
    pub(crate) is_load: bool,
    pub(crate) clients: usize,
    pub(crate) rooms: usize,
    pub(crate) seconds: u64,
    /// The time between two inputs of a client.
    pub(crate) pace: Duration,
    pub(crate) keep: bool,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let is_load = match words.next().as_deref() {
            Some("load") => true,
            Some("chaos") => false,
            _ => return Err("the first word is `chaos` or `load`".into()),
        };
        let mut read = Self {
            is_load,
            clients: if is_load { 1_000 } else { 200 },
            rooms: if is_load { 50 } else { 10 },
            seconds: 30,
            pace: Duration::from_millis(if is_load { 50 } else { 200 }),
            keep: false,
        };
        while let Some(word) = words.next() {
            let mut number = || -> Result<u64, Failure> {
                let value = words.next().ok_or(format!("`{word}` needs a number"))?;
                let number = value.parse::<u64>().ok().filter(|number| *number > 0);
                Ok(number.ok_or(format!("`{value}` is no number for `{word}`"))?)
            };
            match &word[..] {
                "--clients" => read.clients = number()? as usize,
                "--rooms" => read.rooms = number()? as usize,
                "--seconds" if is_load => read.seconds = number()?,
                "--pace" => read.pace = Duration::from_millis(number()?),
                "--keep" if !is_load => read.keep = true,
                _ => {
                    let error =
                        "there are --clients, --rooms, --pace, --seconds (load) and --keep (chaos)";
                    return Err(format!("unknown: `{word}`; {error}").into());
                }
            }
        }
        if read.clients < read.rooms || read.clients > 39 * read.rooms {
            let Self { clients, rooms, .. } = read;
            let error =
                format!("{clients} clients in {rooms} rooms; a room has 1 to 39: see --rooms");
            return Err(error.into());
        }
        Ok(read)
    }
}

fn main() -> ExitCode {
    let run =
        Arguments::read(std::env::args().skip(1)).and_then(|arguments| match arguments.is_load {
            true => load::run(&arguments),
            false => chaos::run(&arguments),
        });
    match run {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("arena: {error}");
            ExitCode::FAILURE
        }
    }
}
