//! The inspector over real connections: a program runs on a thread of its own, and clients ask.

mod attached;
mod client;
mod commands;
mod costs;
mod history;
mod large;
mod log;
mod program;
mod protocol;
mod queries;
mod safety;
mod socket;
mod stage;
mod town;
mod values;
mod worlds;
