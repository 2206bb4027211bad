//! Inspects a running program of the [`ecs`] crate, from a browser or from scripts.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_inspector::Inspector;
//!
//! #[ecs::context]
//! pub struct Game;
//!
//! # fn main() -> std::io::Result<()> {
//! let mut game = Game::new();
//! let mut systems = Systems::new();
//! let mut inspector = Inspector::from_env()?; // on with `ECS_INSPECTOR=1`
//! # for _ in 0..1 {
//! // once a frame:
//! systems.execute(&mut game);
//! systems.cleanup(&mut game);
//! inspector.update(&mut game, &mut systems);
//! # }
//! # Ok(()) }
//! ```
//!
//! Then <http://127.0.0.1:7777> shows:
//!
//! - a list of entities, and one entity with its components, which can be edited
//! - unique components and states
//! - a picture of entities that have two coordinates
//! - systems with their times, which can be paused and stepped
//! - counts and memory
//! - the log of changes, with the system that made each and the reason
//! - past frames, once history is recorded
//!
//! The component attributes `label`, `hidden`, `range` and `color` control how values are shown. Scripts
//! get the same by HTTP and JSON:
//!
//! ```sh
//! curl -s 'http://127.0.0.1:7777/api/entities?all=Position&columns=Position&count=2'
//! ```
//!
//! `PROTOCOL.md` in the folder of this crate describes all requests.
//!
//! Components are shown as fields and can be edited if their types are `Serialize` and
//! `DeserializeOwned`; others are shown as `Debug` output. An edit calls `replace`, so observers and
//! systems react to it. [Local contexts](ecs::guide::systems_and_worlds#local-contexts) are named, but not
//! shown, logged or recorded.
//!
//! # Costs
//!
//! While no client is connected, [`Inspector::update`] reads one number. While one is, the cost depends
//! on what the open page shows, and is at most a fraction of a millisecond. It never waits: answers
//! that do not fit into the queue of a client are dropped, and a client that does not read is
//! disconnected.
//!
//! To exclude it from a release, make the dependency optional, behind a feature of the program.
//!
//! # Access
//!
//! Programs and pages on this machine have access by a loopback address. Requests from pages of other
//! sites are rejected (`Host` and `Origin` are checked). Any other address requires a
//! [token](InspectorBuilder::token), and so does a [router](InspectorBuilder::into_router) that is served by another
//! server. A [read-only](InspectorBuilder::read_only) inspector rejects all
//! commands.
//!
//! # Layout
//!
//! ```text
//! inspector, builder   what programs call
//! server/              the thread of the server: connections, checks, HTTP, WebSocket
//! lists                the lists of systems of a program
//! link                 the queues between both threads
//! desk/                the thread of the game: answers, commands, state between frames
//! protocol/            requests and answers as types
//! ```

mod builder;
mod desk;
mod inspector;
mod link;
mod lists;
mod protocol;
mod server;

pub use self::builder::InspectorBuilder;
pub use self::inspector::Inspector;
pub use self::lists::SystemLists;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
