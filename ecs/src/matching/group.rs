//! The groups of a context: which there are, who belongs to each, and who watches it.

mod groups;
mod handle;
mod members;
mod numbers;
mod set;
mod watch;

pub(crate) use self::groups::{GroupData, Groups, SetFlip};
pub use self::handle::Group;
pub(crate) use self::members::{MembersCopy, Split};
pub(crate) use self::numbers::{GroupIndex, IndexNumber};
pub(crate) use self::set::GroupSet;
pub(crate) use self::watch::Watch;
