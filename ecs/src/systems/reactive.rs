//! Systems that react to changes.
//!
//! All of them are one [`Reaction`](reaction::Reaction): a source that gathers changes, and a
//! system that is handed what was gathered. The public types differ in the source and in what they
//! are handed:
//!
//! ```text
//! Reactive       ids of one context ─────────────► the ids that pass the filter
//! EachChanged    ids of one context ─────────────► one id after the other
//! QueryChanged   entities of a query ────────────► one item after the other
//! OnRemoved      values that entities lost ──────► the values with their ids
//! MultiReactive  ids of several contexts ────────► a list of ids for each
//! OnTransition   the state, whenever it executes ► nothing else
//! ```

mod collected;
mod each;
mod messages;
mod multi;
mod query;
mod reaction;
mod removed;
mod single;
mod states;

pub use self::each::EachChanged;
pub use self::messages::OnMessage;
pub use self::multi::{ContextTuple, MultiReactive, MultiReactiveSystem};
pub use self::query::QueryChanged;
pub use self::removed::OnRemoved;
pub use self::single::{Reactive, ReactiveSystem};
pub use self::states::OnTransition;
