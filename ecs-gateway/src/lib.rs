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
mod users;
mod view;

pub use gateway::Gateway;
pub use hooks::{Hooks, Login, User};
pub use options::{Limits, Options};
