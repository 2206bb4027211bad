//! Plays rooms, and serves them, until the process is killed or drained by SIGTERM.

use std::net::SocketAddr;
use std::time::Duration;

use arena_rules::Arena;
use ecs_gateway::{Gateway, Limits, Options};
use ecs_rooms::{Host, Session, Store};
use tokio::net::TcpListener;

use crate::arguments::{Arguments, Place};
use crate::lobby::Lobby;
use crate::{pages, wasm};

type Secret = [u8; 32];

fn host(store: impl Store, arguments: &Arguments, secret: Secret) -> Result<Host, String> {
    let others = matches!(arguments.place, Place::Nats(_)); // that can take over
    let options = ecs_rooms::Options {
        keep_log: arguments.keeps_log,
        standby: others.then_some(Duration::from_millis(200)),
        drain_on_sigterm: false, // see `until_terminated`
        ..ecs_rooms::Options::new(secret)
    };
    Host::run::<Session<Arena>>(store, options).map_err(|error| error.to_string())
}

/// Plays rooms, and serves them.
pub(crate) fn all(
    store: impl Store + Clone,
    arguments: &Arguments,
    secret: Secret,
) -> Result<(), String> {
    let host = host(store.clone(), arguments, secret)?;
    gateway(store, arguments, secret)?; // until the players are gone
    host.drain();
    Ok(())
}

/// Plays rooms.
pub(crate) fn worker(
    store: impl Store,
    arguments: &Arguments,
    secret: Secret,
) -> Result<(), String> {
    let host = host(store, arguments, secret)?;
    println!(
        "Rooms of version {} are played.",
        <Arena as ecs_rooms::Game>::VERSION
    );
    runtime()?.block_on(async {
        let mut known = Vec::new();
        let mut end = Box::pin(until_terminated());
        while tokio::time::timeout(Duration::from_millis(500), &mut end)
            .await
            .is_err()
        {
            for failure in host.stats().failures {
                if !known.contains(&failure) {
                    eprintln!("failure: {failure}");
                    known.push(failure);
                }
            }
        }
    });
    host.drain();
    Ok(())
}

/// Serves rooms, and the page.
pub(crate) fn gateway(
    store: impl Store,
    arguments: &Arguments,
    secret: Secret,
) -> Result<(), String> {
    let wasm = wasm::build()?;
    let usual = Limits::default();
    let limits = Limits {
        quick_players: 40,
        connections_per_address: arguments
            .per_address
            .unwrap_or(usual.connections_per_address),
        ..usual
    };
    let options = Options {
        limits,
        inspector_token: arguments.inspect.clone(),
        ..Options::new(secret)
    };
    let gateway = Gateway::new(store, Lobby, options);
    let (name, port) = (&arguments.host, arguments.port);
    runtime()?.block_on(async {
        let listener = TcpListener::bind((&name[..], port)).await;
        let listener = listener.map_err(|error| format!("{name}:{port}: {error}; try --port"))?;
        let address = listener.local_addr();
        let address: SocketAddr = address.map_err(|error| error.to_string())?;
        println!("The arena is at http://{address}");
        let drained = gateway.clone();
        tokio::spawn(async move {
            until_terminated().await;
            drained.drain(None).await; // players connect again by the same address, to another gateway
        });
        let served = gateway.serve(listener, pages::router(wasm)).await;
        served.map_err(|error| error.to_string())
    })
}

fn runtime() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Runtime::new().map_err(|error| error.to_string())
}

/// Waits for SIGTERM.
async fn until_terminated() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut signal) = signal(SignalKind::terminate()) {
            signal.recv().await;
            return;
        }
    }
    std::future::pending().await
}
