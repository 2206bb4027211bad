//! Changing many entities in one call: the edge of the signature graph is looked up
//! once for each run of entities of one signature.
//!
//! ```text
//! ids        a  b  c  d  e  f        node of each: 1 1 1 4 4 1
//! runs       └─ 1 ──┘  └ 4 ┘ └ 1     one look-up each
//! ```
//!
//! 1. Everything is checked (`plan.rs`): a list that cannot take part as a whole is rejected, and
//!    nothing has changed.
//! 2. If somebody is to be notified, each entity is changed by itself (`write.rs`): an observer
//!    finds those whose turn has not come yet as they were. So it is if entity indexes follow,
//!    whose key functions are user code like observers.
//! 3. Otherwise the values are stored or taken out; then groups and collectors follow, run by
//!    run, 64 rows at a time.

mod add;
mod create;
mod destroy;
mod plan;
mod remove;
mod replace;
mod update;

pub(crate) use self::add::add_many;
pub(crate) use self::create::Creation;
pub(crate) use self::destroy::destroy_many;
pub(crate) use self::remove::{remove_from, remove_many};
pub(crate) use self::replace::replace_many;
pub(crate) use self::update::update_many;
