//! The client, without a network and with gateways.

#![allow(
    dead_code,
    reason = "the game and the server have more than these tests use"
)]

mod page;
mod playing;
mod rules;
#[cfg(feature = "tls")]
mod tls;
#[cfg(feature = "webtransport")]
mod web_transport;

#[path = "../../../tests/gateway/chromium.rs"]
mod chromium;
#[path = "../../../tests/gateway/game.rs"]
mod game;
#[path = "../../../tests/gateway/pages.rs"]
mod pages;
#[path = "../../../tests/gateway/server.rs"]
mod server;

mod client {
    /// How long a test waits for what must happen.
    pub(crate) const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);
}

/// The inspector is not of these tests.
fn inspected(options: ecs_gateway::Options) -> ecs_gateway::Options {
    options
}
