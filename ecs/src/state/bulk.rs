//! Changing many entities in one call: the edge of the signature graph is looked up once per run of
//! entities with the same signature.
//!
//! ```text
//! ids        a  b  c  d  e  f        node of each: 1 1 1 4 4 1
//! runs       └─ 1 ──┘  └ 4 ┘ └ 1     one lookup each
//! ```
//!
//! 1. The whole list is validated (`plan.rs`): if one entity is rejected, nothing has changed.
//! 2. If there are observers, entities are changed one by one (`write.rs`): an observer sees the
//!    others unchanged until their turn. The same applies to entity indexes, whose key functions
//!    are user code, too.
//! 3. Otherwise values are stored or removed; then collectors are updated run by run, 64 rows at a
//!    time.

mod add;
mod create;
mod destroy;
pub(crate) mod plan;
mod remove;
mod replace;
mod update;

pub(crate) use self::add::add_many;
pub(crate) use self::create::Creation;
pub(crate) use self::destroy::destroy_many;
pub(crate) use self::remove::{remove_from, remove_many};
pub(crate) use self::replace::replace_many;
pub(crate) use self::update::update_many;
