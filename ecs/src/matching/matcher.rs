//! Which entities a group is about, and which of its events start a reaction.
//!
//! A [`Matcher`] is sets of components, a [`Condition`] that knows its context; a [`Trigger`] is
//! matchers with the events of theirs that count.

mod condition;
mod event;
mod trigger;
mod typed;

pub(crate) use self::condition::Condition;
pub use self::event::GroupEvent;
pub(crate) use self::event::{EventSet, StillHolds};
pub use self::trigger::Trigger;
pub use self::typed::Matcher;
