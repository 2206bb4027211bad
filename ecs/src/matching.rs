//! Which entities match what: matchers, groups with their members, and the signature graph,
//! whose edges know what a change does to them.

pub(crate) mod effects;
pub(crate) mod graph;
pub(crate) mod group;
pub(crate) mod matcher;
pub(crate) mod members;
