//! Changing many entities in one call: the edge of the signature graph is looked up once per run of
//! entities with the same signature.
//!
//! ```text
//! ids        a  b  c  d  e  f        node of each: 1 1 1 4 4 1
//! runs       └─ 1 ──┘  └ 4 ┘ └ 1     one lookup each
//! ```
//!
//! 1. The whole list is validated: if one entity is rejected, nothing has changed.
//! 2. All values are stored or removed.
//! 3. The changes are committed, run by run: collectors 64 rows at a time; then, if they have
//!    others, the history, indexes and observers, in the order of the list.
//!
//! Components that are unique or require others are written one by one, and observers are notified
//! after all of them.

mod add;
mod create;
pub(crate) mod plan;
mod remove;
mod replace;
mod update;

pub(crate) use self::add::add_many;
pub(crate) use self::create::Creation;
pub(crate) use self::remove::{remove_from, remove_many};
pub(crate) use self::replace::replace_many;
pub(crate) use self::update::update_many;
