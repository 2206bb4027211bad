//! Subscribers to changes: observers, collectors, entity indexes, listeners, removed values,
//! messages, the history. This layer stores them; the state above decides when they are called.

pub(crate) mod actor;
pub(crate) mod change;
pub(crate) mod collector;
pub(crate) mod edits;
pub(crate) mod entered;
pub(crate) mod entity_change;
pub(crate) mod entity_index;
pub(crate) mod event;
pub(crate) mod events;
pub(crate) mod feeds;
pub(crate) mod handle;
pub(crate) mod history;
pub(crate) mod messages;
pub(crate) mod notification;
pub(crate) mod observers;
pub(crate) mod queue;
pub(crate) mod removed;
pub(crate) mod subscribers;
pub(crate) mod subscription;
