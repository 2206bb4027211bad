//! A shooter in the browser, served by one command.
//!
//! ```text
//! cargo run --release -p arena                                  http://127.0.0.1:8080
//! cargo run --release -p arena -- --port 9000
//! cargo run --release -p arena -- --host 0.0.0.0                for other machines, such as a phone
//! cargo run --release -p arena -- --store file:arena.redb       rounds survive a kill
//! ```
//!
//! One process is everything: a host that plays the rooms, a gateway that connects players to them, the page. The rules
//! are in `rules`, what runs in the browser in `client`, which this program builds at its start.

mod lobby;
mod pages;
mod secret;
mod wasm;

use std::net::SocketAddr;
use std::process::ExitCode;

use arena_rules::Arena;
use ecs_gateway::{Gateway, Limits, Options};
use ecs_rooms::{FileStore, Host, MemoryStore, Session, Store};
use tokio::net::TcpListener;

struct Arguments {
    host: String,
    port: u16,
    file: Option<String>,
}

impl Arguments {
    fn read() -> Result<Self, String> {
        let mut read = Self {
            host: "127.0.0.1".to_owned(),
            port: 8080,
            file: None,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let value = words.next().ok_or(format!("`{word}` needs a value"))?;
            match &word[..] {
                "--host" => read.host = value,
                "--port" => {
                    let port = value.parse();
                    read.port = port.map_err(|_| format!("`{value}` is no port"))?;
                }
                "--store" if value == "memory" => read.file = None,
                "--store" => {
                    let file = value.strip_prefix("file:");
                    let file = file.ok_or("the store is `memory` or `file:PATH`")?;
                    read.file = Some(file.to_owned());
                }
                _ => {
                    return Err(format!(
                        "unknown: `{word}`; there are --host, --port, --store"
                    ));
                }
            }
        }
        Ok(read)
    }
}

fn main() -> ExitCode {
    let served = Arguments::read().and_then(|arguments| match &arguments.file {
        None => serve(MemoryStore::new(), &arguments),
        Some(file) => {
            let store = FileStore::open(file).map_err(|error| error.to_string())?;
            serve(store, &arguments)
        }
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("arena: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays the rooms of a store, and serves them, until the process ends.
fn serve(store: impl Store + Clone, arguments: &Arguments) -> Result<(), String> {
    let wasm = wasm::build()?;
    let secret = secret::of(arguments.file.as_deref())?;
    let text = |error: ecs_rooms::Error| error.to_string();
    let host = Host::run::<Session<Arena>>(store.clone(), ecs_rooms::Options::new(secret));
    let _host = host.map_err(text)?;
    let limits = Limits {
        quick_players: 40,
        ..Limits::default()
    };
    let options = Options {
        limits,
        ..Options::new(secret)
    };
    let gateway = Gateway::new(store, lobby::Lobby, options);
    let (name, port) = (&arguments.host, arguments.port);
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let listener = TcpListener::bind((&name[..], port)).await;
        let listener = listener.map_err(|error| format!("{name}:{port}: {error}; try --port"))?;
        let address = listener.local_addr();
        let address: SocketAddr = address.map_err(|error| error.to_string())?;
        println!("The arena is at http://{address}");
        let served = gateway.serve(listener, pages::router(wasm)).await;
        served.map_err(|error| error.to_string())
    })
}
