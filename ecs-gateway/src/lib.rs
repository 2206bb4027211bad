#![doc = include_str!("../README.md")]

mod bucket;
mod connection;
mod end;
mod gateway;
mod greeting;
mod hooks;
#[cfg(feature = "inspector")]
mod inspect;
mod lobby;
mod messages;
mod metrics;
mod options;
#[doc = include_str!("../PROTOCOL.md")]
pub mod protocol {}
mod seat;
mod server;
mod token;
mod transport;
mod users;
mod view;
#[cfg(feature = "webtransport")]
mod web_transport;

pub use gateway::Gateway;
pub use hooks::{Hooks, Login, User};
pub use options::{Limits, Options};
#[cfg(feature = "webtransport")]
pub use wtransport;
