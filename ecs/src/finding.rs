//! Structures that find entities: by place, and by order.
//!
//! They are written on the public trait [`Index`](crate::Index) alone, and no other file imports them.

pub(crate) mod grid;
pub(crate) mod ordered;
pub(crate) mod place;
