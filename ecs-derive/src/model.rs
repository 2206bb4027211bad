//! What to generate, as data: methods with their signatures, code and docs, and the blocks that
//! contain them.

pub(crate) mod change;
pub(crate) mod component;
pub(crate) mod context;
pub(crate) mod method;
mod promises;
mod reader;

pub(crate) use self::component::{Block, Kind};
pub(crate) use self::method::Method;
