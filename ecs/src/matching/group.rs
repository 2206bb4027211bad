//! The groups of a context: which there are, who belongs to each, and who watches it.

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
