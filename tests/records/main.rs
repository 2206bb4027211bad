//! Records of a context: histories, snapshots, saves, feeds.

#[macro_use]
mod by_hand;
mod checksums;
mod feeds;
mod fuzzed;
mod golden;
mod handles;
mod history;
mod loops;
mod minimum_free;
mod notified;
mod saving;
mod snapshots;
mod terms;
mod undo;
mod undo_random;
mod undo_rewinds;
mod untracked;
