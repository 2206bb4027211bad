//! Which entities match which conditions: matchers, groups and their members, and the signature
//! graph, whose edges cache the effects of a change.

pub(crate) mod effects;
pub(crate) mod graph;
pub(crate) mod group;
pub(crate) mod matcher;
pub(crate) mod members;
