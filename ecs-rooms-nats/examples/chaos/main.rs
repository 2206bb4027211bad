//! A hundred rooms on three processes and a real server: one is killed, one paused, one drained, one added.
//!
//! ```text
//! cargo run --release --manifest-path ecs-rooms-nats/Cargo.toml --example chaos
//! … -- --rooms 20            the number of rooms; 100
//! … -- --runs 20             so many runs, and a table of them
//! … -- --svg rooms.svg       a picture of the last run
//! … -- --standby             each shard is followed by another host, too
//! … -- --keep                keeps the logs of runs that went well, too
//! … -- upgrade               a new version of the game takes over, instead: see `upgrade.rs`
//! ```
//!
//! Needs `nats-server` in the path, or `NATS_SERVER`. In the end a process that has played none of the rooms
//! plays all logs again. If anything was lost, played twice, or written late, the data of the server, the
//! output of the workers and the list of those inputs stay in a folder that is named.

#[allow(dead_code, reason = "another example needs the rest")]
#[path = "../../../examples/rooms/bots.rs"]
mod bots;
mod crowd;
#[path = "../../../examples/rooms/game.rs"]
mod game;
mod next;
mod picture;
mod scenario;
#[allow(dead_code, reason = "tests need the rest")]
#[path = "../../tests/nats/server.rs"]
mod server;
mod timeline;
mod upgrade;
mod verify;
mod views;
mod worker;

use std::process::ExitCode;

use self::scenario::{Outcome, run};
use self::worker::Kind;

const SECRET: [u8; 32] = *b"a secret of the server, 32 bytes";

/// What goes wrong, in words.
type Failure = Box<dyn std::error::Error>;

struct Arguments {
    rooms: usize,
    runs: usize,
    svg: Option<String>,
    keep: bool,
    kind: Kind,
    is_upgrade: bool,
}

impl Arguments {
    fn read(words: &[&str]) -> Result<Self, Failure> {
        let mut read = Self {
            rooms: 100,
            runs: 1,
            svg: None,
            keep: false,
            kind: Kind::Chaos,
            is_upgrade: false,
        };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut value = || words.next().ok_or(format!("`{word}` needs a value"));
            match word {
                "--rooms" => read.rooms = value()?.parse()?,
                "--runs" => read.runs = value()?.parse()?,
                "--svg" => read.svg = Some((*value()?).to_owned()),
                "--standby" => read.kind = Kind::Standby,
                "--keep" => read.keep = true,
                "upgrade" => read.is_upgrade = true,
                _ => {
                    return Err(format!(
                        "unknown: `{word}`; there are --rooms, --runs, --svg, --standby, --keep and upgrade"
                    )
                    .into());
                }
            }
        }
        Ok(read)
    }
}

fn room(number: usize) -> String {
    format!("room{number}")
}

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let is_right = match words[..] {
        ["worker", kind, name, url, rooms] => worker::run(kind, name, url, rooms).map(|()| true),
        ["verify", url, folder] => verify::verify(url, folder.as_ref()).map(|()| true),
        _ => Arguments::read(&words).and_then(|arguments| play(&arguments)),
    };
    match is_right {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("chaos: {error}");
            ExitCode::FAILURE
        }
    }
}

fn play(arguments: &Arguments) -> Result<bool, Failure> {
    let mut outcomes = Vec::new();
    let mut is_right = true;
    for number in 0..arguments.runs {
        let folder =
            std::env::temp_dir().join(format!("ecs-rooms-chaos-{}-{number}", std::process::id()));
        if arguments.is_upgrade {
            let outcome = upgrade::run(arguments.rooms, &folder, arguments.keep)
                .map_err(|error| format!("{error}; see {}", folder.display()))?;
            outcome.print();
            is_right &= outcome.is_right();
            continue;
        }
        let of = (number, arguments.rooms);
        let (outcome, svg) = run(arguments.kind, of, &folder, arguments.keep)
            .map_err(|error| format!("{error}; see {}", folder.display()))?;
        outcome.print();
        if let Some(path) = &arguments.svg {
            std::fs::write(path, svg).map_err(|error| format!("{path}: {error}"))?;
        }
        outcomes.push(outcome);
    }
    if outcomes.len() > 1 {
        Outcome::print_all(&outcomes);
    }
    Ok(is_right && outcomes.iter().all(Outcome::is_right))
}
