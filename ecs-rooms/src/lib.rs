//! Rooms: games of the [`ecs`] crate that survive the process that plays them.
//!
//! A *room* is a deterministic game that is played in ticks: a context with its systems ([`Game`]), or
//! anything else that is a [`Room`]. Its players' inputs and the ends of its ticks are records of a log in
//! a [`Store`]. If the process that plays a room dies, another one loads the last save, plays the log after
//! it, and continues: no input that was acknowledged is lost, none is played twice, and each tick is checked
//! by a checksum. An input is *acknowledged* when its player gets the [`Outcome`] that it was played: then the
//! end of its tick is in the log.
//!
//! ```
//! use std::time::Duration;
//!
//! use ecs::prelude::*;
//! use ecs_rooms::{Game, Host, MemoryStore, Options, Player, Session, Viewer};
//! use serde::{Deserialize, Serialize};
//!
//! #[ecs::context]
//! pub struct Race;
//!
//! #[derive(Component, Clone, Hash, Serialize, Deserialize)]
//! #[component(context = Race)]
//! pub struct Car { player: u64, at: u64 }
//!
//! impl Game for Race {
//!     type Input = u64; // how far the car of the player goes
//!     type View = Car;
//!     fn begin(&mut self, _: &ecs_rooms::Opening) {
//!         self.create_many((0..4).map(|player| Car { player, at: 0 }));
//!     }
//!     fn systems(&mut self) -> Systems<Self> {
//!         Systems::new()
//!     }
//!     fn input(&mut self, player: u64, distance: u64) {
//!         self.query_mut::<&mut Car>().for_each(|car| {
//!             if car.player == player { car.at += distance.min(10); }
//!         });
//!     }
//! }
//!
//! # fn main() -> Result<(), ecs_rooms::Error> {
//! let (store, secret) = (MemoryStore::new(), [7; 32]);
//! let host = Host::run::<Session<Race>>(store.clone(), Options::new(secret))?;
//! host.open("race", 1)?;
//!
//! let key = Player::<Session<Race>>::key(&secret, "race", 2);
//! let player = Player::<Session<Race>>::new(store.clone(), "race", 2, key)?;
//! player.send(&5)?;
//!
//! let key = Viewer::<Race>::key(&secret, "race");
//! let (mut viewer, mut copy) = (Viewer::new(store.clone(), "race", key)?, Race::new());
//! let arrived = |copy: &Race| copy.query::<&Car>().iter().any(|car| car.at == 5);
//! while !arrived(&copy) {
//!     viewer.update(&mut copy);
//!     std::thread::sleep(Duration::from_millis(5));
//! }
//! host.drain();
//! assert!(ecs_rooms::replay::<Session<Race>>(&store, "race", &secret, |_, _| ())? > 0);
//! # Ok(()) }
//! ```
//!
//! # How it works
//!
//! ```text
//! players ──inputs──► log ◄──marks── owner        a mark ends a tick; the store rejects one that
//!                      │                          does not follow the last mark
//!                      ├──► owner      plays a tick when it reads its mark, tells viewers, saves
//!                      ├──► next owner plays the same ticks, and checks the same checksums
//!                      └──► replay     plays them again
//! ```
//!
//! Rooms are divided into *shards*, each with one log. Which host plays a shard is in a cell; hosts beat, and
//! take over the shards of those that do not. That is only a hint: if two hosts play a shard, the marks of one
//! are rejected, and it stops. No clock decides anything else.
//!
//! Shards move to hosts that have fewer rooms. A host that joins or leaves causes no gap: the next owner of a shard
//! follows its log, and the present one stops when that has caught up. If a host dies, its rooms are silent for `patience` (1 s) and the time
//! of a replay; with [`Options::standby`], which keeps a second copy of each room, for a few ticks.
//!
//! # A new version of a game
//!
//! Raise [`Game::VERSION`] with each change of components, rules or inputs, and replace hosts one by one: start a
//! new one, then drain an old one. A host that drains saves each room after its last tick; a host of the new
//! version loads that save, migrates it, and continues. Shards stay with hosts of their version until these
//! leave, and never move back. Inputs of older programs pass through [`Game::upgrade`]. If the last host of a
//! version dies, its rooms wait for another one of that version, which plays their last ticks again and
//! hands them over; or, with [`Options::drop_ticks`], they go on from their last saves, and players are notified which
//! inputs are [lost](Reason::Lost). [`upgrade::check`] tests a new version with rooms that were kept of earlier ones.
//!
//! The page [operations] has more: sizing, alerts, upgrades step by step, backups.
//!
//! # Async programs
//!
//! [`Rooms::open_async`], [`Player::play`], [`Viewer::changed`] and [`Host::finished`] return futures that run on any
//! runtime and need no feature: what answers them wakes them. All players and viewers of a process share one thread, which
//! asks again if nothing was heard for 250 ms.
//!
//! # What is bounded
//!
//! | what | at most | beyond |
//! | --- | --- | --- |
//! | rooms of a shard | 1,024 | not opened |
//! | players of a room that have sent something in the last 1,200 ticks | 4,096 | others are rejected |
//! | inputs of a room per tick | 16,384 | rejected |
//! | bytes of an input, and how deep it is nested | 65,536, 64 | `send` returns an error, rejected |
//! | the log | two saves of each room, if rooms can be saved | `Error::Unsaved` among the failures |
//! | a player that sends nothing, and whose program has ended | 1,200 ticks | has left |
//! | a room that has panicked | ten times `save_every` ticks | closed |
//!
//! All replicas reject the same inputs. Records that mean nothing are skipped and counted.
//!
//! # Features
//!
//! - `network`, on by default: everything but [`Game`], [`Room`] and [`Session`]. Put the rules of a game into a crate
//!   that uses `ecs-rooms` without default features: it also compiles for browsers, and clients can run a [`Session`]
//!   to predict. One crate, because features only add, so the types are the same in servers.
//! - `redb`: `FileStore`, which keeps everything in a file. Needs Rust 1.90.
//! - `tracing`: what happens to shards as events and spans of [`tracing`](https://docs.rs/tracing).

#![cfg_attr(docsrs, feature(doc_cfg))]

mod bounded;
mod game;
mod room;

#[cfg(feature = "network")]
mod client;
#[cfg(feature = "network")]
mod core;
#[cfg(feature = "network")]
mod error;
#[cfg(feature = "redb")]
mod file;
#[cfg(feature = "network")]
mod host;
#[cfg(feature = "network")]
mod later;
#[cfg(feature = "network")]
mod memory;
#[cfg(feature = "network")]
#[doc = include_str!("operations.md")]
pub mod operations {}
#[cfg(feature = "network")]
mod player;
#[cfg(feature = "network")]
mod replay;
#[cfg(feature = "network")]
mod rooms;
#[cfg(feature = "network")]
mod store;
#[cfg(feature = "network")]
mod trace;
#[cfg(feature = "network")]
pub mod upgrade;
#[cfg(feature = "network")]
mod viewer;

pub use bounded::read as read_input;
#[cfg(feature = "redb")]
pub use file::FileStore;
pub use game::{Game, Session};
pub use room::{Opening, Room, Turn};
#[cfg(feature = "network")]
pub use {
    core::roster::{Outcome, Reason},
    core::wire::PlayerKey,
    error::Error,
    host::{Host, Options, RoomTime, Stats},
    later::Later,
    memory::MemoryStore,
    player::Player,
    replay::{follow, replay},
    rooms::{RoomInfo, RoomResult, Rooms},
    store::{Cell, Done, Hear, Record, Store, Wake},
    viewer::{State, Viewer},
};
