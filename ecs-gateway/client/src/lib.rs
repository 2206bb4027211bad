#![doc = include_str!("../README.md")]

mod client;
mod event;
mod inputs;
mod link;
mod messages;
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
mod native;
mod options;
mod socket;
#[cfg(all(feature = "web", target_arch = "wasm32"))]
mod web;
#[cfg(all(feature = "webtransport", not(target_arch = "wasm32")))]
mod web_transport;

pub use client::Client;
pub use event::{Event, Outcome};
pub use messages::Room;
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
pub use native::WebSocket;
pub use options::Options;
pub use socket::{Message, Socket};
#[cfg(all(feature = "web", target_arch = "wasm32"))]
pub use web::WebSocket;
#[cfg(all(feature = "webtransport", not(target_arch = "wasm32")))]
pub use web_transport::WebTransport;
