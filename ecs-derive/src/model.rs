//! What is to be written, as data: methods with their signatures, their code and their promises,
//! and the blocks that they stand in.

pub(crate) mod change;
pub(crate) mod component;
pub(crate) mod context;
pub(crate) mod method;
mod promises;
mod reader;

pub(crate) use self::component::{Block, Kind};
pub(crate) use self::method::Method;
