//! Looks into a running program of the [`ecs`] crate, from a browser and from scripts.
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
//! Then <http://127.0.0.1:7777> shows the entities, one of them with its components, which can be edited,
//! unique components and states, a picture of entities that have two coordinates, the systems with their
//! times, which can be paused and stepped, counts, memory, the log of changes with who made them and why,
//! and the moments before. What components say by the attributes `label`, `hidden`, `range` and `color` is
//! shown so. The same is there for scripts, by HTTP and JSON:
//!
//! ```sh
//! curl -s 'http://127.0.0.1:7777/api/entities?all=Position&columns=Position&count=2'
//! ```
//!
//! `PROTOCOL.md`, beside this crate, says what there is to ask.
//!
//! Components are shown as fields, and can be edited, if their types are `Serialize` and
//! `DeserializeOwned`; others as what `Debug` prints. Editing is the library's own `replace`, so everything
//! reacts.
//!
//! # What it costs
//!
//! While no client is connected, [`Inspector::update`] reads one number. While one is, the cost depends
//! on what the open page shows, and is at most a fraction of a millisecond. It never waits: answers
//! that do not fit into the queue of a client are dropped, and a client that does not read is
//! disconnected.
//!
//! To have nothing of it in a release, make the dependency optional, behind a feature of the program.
//!
//! # Who may look
//!
//! Programs and pages of this machine, by a loopback address. Requests that pages of other sites send
//! are rejected (`Host` and `Origin` are checked). Another address needs a [token](InspectorBuilder::token);
//! an inspector that is [read-only](InspectorBuilder::read_only) changes nothing.
//!
//! # Layout
//!
//! ```text
//! inspector, builder   what programs call
//! server/              the thread of the server: connections, checks, HTTP, WebSocket
//! lists                the lists of systems of a program
//! link                 the queues between both threads
//! desk/                the thread of the game: answers, commands, what is kept between frames
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
