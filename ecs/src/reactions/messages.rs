//! Messages: values that are sent to whoever reads their type, and the inboxes they are read from.
//!
//! ```text
//! Channel<Explosion>
//!   latest   [e4, e5]                 unread by every inbox
//!   inboxes  0: [e1, e2] [e3]         batches that were handed over, still unread by it
//!            1: [e3]
//! ```
//!
//! A message is moved into `latest` and nothing else, as long as nobody reads. Whoever reads takes
//! `latest` along, if its is the only inbox; else `latest` becomes a batch that all inboxes share.
//! So each inbox is handed each message once, and a message ends with the last who has it.

mod channel;
mod channels;
mod inbox;

pub(crate) use self::channel::Channel;
pub(crate) use self::channels::{Channels, UnreadCopy};
pub(crate) use self::inbox::ChannelNumber;
pub use self::inbox::{Inbox, Messages};
