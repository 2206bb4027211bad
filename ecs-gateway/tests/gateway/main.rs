//! A gateway with clients, and with those that break the rules.

mod attacks;
mod browser;
mod chromium;
mod client;
mod density;
mod failures;
mod game;
#[cfg(feature = "inspector")]
mod inspect;
mod lobby;
mod playing;
mod server;
