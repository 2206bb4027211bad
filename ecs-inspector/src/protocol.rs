//! What clients ask, and what they are answered: the words of `PROTOCOL.md` as types.

pub(crate) mod answers;
pub(crate) mod failure;
pub(crate) mod params;
pub(crate) mod request;
