//! Which entities a group is about, and which of its events start a reaction.
//!
//! A [`Matcher`] is sets of components; a [`Trigger`] is matchers with the events of theirs that
//! count.

mod condition;
mod event;
mod trigger;
mod triggers;

pub use self::condition::Matcher;
pub use self::event::GroupEvent;
pub(crate) use self::event::{EventSet, StillHolds};
pub use self::trigger::Trigger;
