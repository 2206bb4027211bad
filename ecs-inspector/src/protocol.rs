//! The requests and answers of `PROTOCOL.md` as types.

pub(crate) mod answers;
pub(crate) mod failure;
pub(crate) mod name_list;
pub(crate) mod params;
pub(crate) mod request;
