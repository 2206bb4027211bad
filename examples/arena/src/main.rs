//! A shooter in the browser, served by one command.
//!
//! ```text
//! cargo run --release -p arena                                  http://127.0.0.1:8080
//! cargo run --release -p arena -- --port 9000
//! cargo run --release -p arena -- --host 0.0.0.0                for other machines, such as a phone
//! cargo run --release -p arena -- --store file:arena.redb       rounds survive a kill
//! cargo run --release -p arena --features nats -- --store nats://127.0.0.1:4222
//!                                                               rounds are shared by many processes
//! cargo run --release -p arena -- chaos                         kills, pauses, drains and replaces such processes
//! cargo run --release -p arena -- load                          1,000 players in 50 rooms
//! ```
//!
//! One process is everything: a host that plays the rooms, a gateway that connects players to them, the page. On a NATS
//! server `--role worker` and `--role gateway` divide that. The rules are in `rules`, what runs in the browser in
//! `client`, which this program builds at its start.

mod arguments;
mod lobby;
mod pages;
mod runs;
mod secret;
mod serve;
mod verify;
mod wasm;

use std::process::ExitCode;

use arguments::{Arguments, Place, Role};
use ecs_rooms::{Error, FileStore, MemoryStore, Store};

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args().skip(1).collect();
    if let Some("chaos" | "load") = words.first().map(String::as_str) {
        return runs::run(&words);
    }
    match Arguments::read(words).and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("arena: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let text = |error: Error| error.to_string();
    match &arguments.place {
        Place::Memory => act(MemoryStore::new(), arguments),
        Place::File(file) => act(FileStore::open(file).map_err(text)?, arguments),
        Place::Nats(url) => act(nats(url)?, arguments),
    }
}

#[cfg(feature = "nats")]
fn nats(url: &str) -> Result<ecs_rooms_nats::NatsStore, String> {
    let store = ecs_rooms_nats::NatsStore::connect(url, "arena", 1);
    store.map_err(|error| match error {
        Error::Unknown(reason) => format!("{url}: {reason}; is `nats-server -js` running?"),
        error => format!("{url}: {error}"),
    })
}

#[cfg(not(feature = "nats"))]
fn nats(url: &str) -> Result<MemoryStore, String> {
    Err(format!(
        "this program was built without NATS; `cargo run --release -p arena --features nats -- --store {url}`"
    ))
}

fn act(store: impl Store + Clone, arguments: &Arguments) -> Result<(), String> {
    let secret = secret::of(arguments.secret_file())?;
    match arguments.role {
        Role::All => serve::all(store, arguments, secret),
        Role::Worker => serve::worker(store, arguments, secret),
        Role::Gateway => serve::gateway(store, arguments, secret),
        Role::Verify => verify::verify(&store, &secret, &arguments.rooms),
    }
}
