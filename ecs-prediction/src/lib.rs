//! Client-side prediction and interpolation for contexts of the [`ecs`] crate.
//!
//! A server plays a game and sends [deltas](ecs::Delta) of a [feed](ecs::Feed); a client shows a copy. Without this
//! crate, players see their own inputs after a round trip, and others move in jerks.
//!
//! - [`Predicted`] plays a client's own inputs at once. When a delta arrives, it rewinds to the server's last state,
//!   applies the delta, and replays the inputs that the server has not played yet. Corrections are smoothed.
//! - [`Interpolated`] shows what others do between two ticks of the server, a little in the past.
//!
//! The crate has no network: you send numbered inputs to the server, and deltas with the number of the last input that
//! was played to the client, reliably or not.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_prediction::{Interpolate, Interpolated, Predicted};
//! use serde::{Deserialize, Serialize};
//!
//! #[ecs::context]
//! pub struct Game;
//!
//! #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
//! #[component(context = Game)]
//! pub struct Position(pub f32);
//!
//! #[derive(Component, Clone, Serialize, Deserialize)]
//! #[component(context = Game)]
//! pub struct Player(#[component(primary_index)] pub u32);
//!
//! impl Interpolate for Position {
//!     fn shifted(&self, from: &Self, to: &Self, fraction: f32) -> Self {
//!         Self(self.0.shifted(&from.0, &to.0, fraction))
//!     }
//!     fn distance(&self, other: &Self) -> f32 {
//!         self.0.distance(&other.0)
//!     }
//! }
//!
//! /// The rules for one input, which the server and the client share.
//! fn step(game: &mut Game, player: u32, input: f32) {
//!     if let Some(id) = game.entity_with_player(&player).map(|it| it.id()) {
//!         game.entity_mut(id).update_position(|it| it.0 += input);
//!     }
//! }
//!
//! // The server, with this client's player and another one.
//! let mut server = Game::new();
//! let me = server.create_with((Player(1), Position(0.0))).id();
//! let other = server.create_with((Player(2), Position(50.0))).id();
//! let feed = server.feed::<(Player, Position)>();
//! let (mut tick, mut acked) = (0_u64, 0_u64);
//! let mut play = |inputs: &[(u64, f32)]| {
//!     tick += 1;
//!     step(&mut server, 2, 4.0); // what the other player does
//!     if let Some((number, input)) = inputs.iter().find(|it| it.0 == acked + 1) {
//!         step(&mut server, 1, input.clamp(-1.0, 1.0)); // from a client: do not trust it
//!         acked = *number;
//!     }
//!     postcard::to_stdvec(&(tick, acked, feed.take(&mut server))).unwrap()
//! };
//!
//! // The client.
//! let mut game = Game::new();
//! let mut predicted = Predicted::new(&mut game)
//!     .only(|entity| entity.get_player().is_some_and(|it| it.0 == 1))
//!     .smooth::<Position>(4, 10.0);
//! let mut others = Interpolated::<Game, Position>::new(1.0);
//! let predict = |game: &mut Game, input: &f32| step(game, 1, *input);
//! let mut receive = |predicted: &mut Predicted<Game, f32>, game: &mut Game, bytes: &[u8]| {
//!     let (tick, acked, delta) = postcard::from_bytes(bytes).unwrap();
//!     let corrections = predicted.receive(game, &delta, acked, predict).unwrap();
//!     others.record(tick, predicted.confirmed::<Position>(game));
//!     corrections
//! };
//!
//! receive(&mut predicted, &mut game, &play(&[]));
//! let me = predicted.mirror().local(me).unwrap();
//!
//! // The input shows at once. The server hears of it later.
//! assert_eq!(predicted.tick(&mut game, 1.0, predict), Ok(1));
//! assert_eq!(game.entity(me).position(), &Position(1.0));
//! let late = play(&[]);
//! let inputs: Vec<_> = predicted.pending().map(|(number, input)| (number, *input)).collect();
//! let corrections = receive(&mut predicted, &mut game, &late);
//! assert!(corrections.largest == 0.0 && corrections.replayed == 1); // as predicted
//! assert_eq!(game.entity(me).position(), &Position(1.0));
//! let corrections = receive(&mut predicted, &mut game, &play(&inputs));
//! assert_eq!((predicted.acked(), predicted.pending().len(), corrections.replayed), (1, 0, 0));
//!
//! // A wrong prediction: the server allows steps of 1. The context is right at once, and the picture eases to it.
//! predicted.tick(&mut game, 3.0, predict).unwrap();
//! receive(&mut predicted, &mut game, &play(&[(2, 3.0)]));
//! assert_eq!(game.entity(me).position(), &Position(2.0));
//! assert_eq!(predicted.view(&game, 1.0).get(me), Some(Position(4.0)));
//! predicted.tick(&mut game, 0.0, predict).unwrap();
//! assert_eq!(predicted.view(&game, 1.0).get(me), Some(Position(3.5)));
//!
//! // Others are shown between two ticks of the server, here one tick in the past.
//! let other = predicted.mirror().local(other).unwrap();
//! let now = others.advance(0.5); // half a tick since the delta of tick 4
//! assert_eq!(others.view(other, now), Some(Position(64.0)));
//! ```
//!
//! # What each side does
//!
//! | | each tick | with each message |
//! | --- | --- | --- |
//! | client | [`tick`](Predicted::tick), send [`pending`](Predicted::pending) | [`receive`](Predicted::receive), [`record`](Interpolated::record) |
//! | server | play at most a few inputs per player, those with the next numbers; send a delta and the last number | skip inputs that were played |
//!
//! A delta that is lost is an error of the next one, unless the client [acknowledges](ecs::Feed::acknowledge) deltas, by
//! the number that [`Mirror::applied`](ecs::Mirror::applied) returns. Repeated ones are errors and change nothing: skip
//! them. Predict what follows from own inputs, and show the rest by
//! interpolation; what a step moves without an input, such as everything in flight, runs as many ticks ahead of the
//! server as inputs are pending.
//!
//! A client that connects again as the same player begins with the next number after the one that the server sends.
//!
//! # Cost
//!
//! A delta with changes costs a rewind and a replay: 0.54 ms for 1,000 entities that all move in each of 10 pending
//! ticks (54 ns for each), with the delta and smoothing; 0.06 ms for 100 entities. An empty delta that confirms nothing
//! costs 1 µs. Of the 1,000 entities, showing all between two ticks costs 0.08 ms a frame, and recording them for
//! interpolation 0.2 ms a delta. Measured on two shared cores of an Intel Xeon (virtual, Linux, Rust 1.95).
//!
//! # Features
//!
//! - `std`, on by default. Without it the crate needs `core` and `alloc` alone.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod interpolate;
mod interpolated;
mod predicted;
mod shown;
mod smoothing;

use core::error::Error;
use core::fmt;

pub use interpolate::Interpolate;
pub use interpolated::Interpolated;
pub use predicted::Predicted;
pub use shown::Shown;

/// How much [`Predicted::receive`] has corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Corrections {
    /// How many values of [smoothed](Predicted::smooth) components differ from the prediction before.
    pub values: usize,
    /// The greatest [distance](Interpolate::distance) of such a value, 0 if there is none.
    pub largest: f32,
    /// How many inputs were replayed.
    pub replayed: usize,
}

/// Too many inputs are pending: the server is silent or far behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PredictionLimit {
    /// How many inputs the server has not acknowledged.
    pub pending: usize,
}

impl fmt::Display for PredictionLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the server has not acknowledged {} inputs, as many as `Predicted::max_pending` allows; wait for it",
            self.pending
        )
    }
}

impl Error for PredictionLimit {}
