//! What is kept of a context: histories, snapshots, saves, feeds; and the model of all operations.

#[macro_use]
mod by_hand;
mod feeds;
mod fuzzed;
mod handles;
mod history;
mod model;
mod saving;
mod snapshots;
mod told;
mod untracked;
