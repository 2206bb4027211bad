//! The groups of a context, their members and subscribers.

mod groups;
mod handle;
mod numbers;
mod set;
mod watch;

pub(crate) use self::groups::{GroupData, Groups};
pub use self::handle::Group;
pub(crate) use self::numbers::{GroupIndex, IndexNumber};
pub(crate) use self::set::GroupSet;
pub(crate) use self::watch::Watch;
