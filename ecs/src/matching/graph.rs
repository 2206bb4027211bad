//! The signature graph: one node for each distinct set of components that entities have, and
//! on its edges, worked out once, all that a change must do.

#[cfg(any(test, feature = "__checks"))]
mod check;
mod edges;
mod learn;
mod nodes;
mod recent;
mod renewal;
mod signatures;
mod steps;

pub(crate) use self::renewal::Signatures;
pub(crate) use self::signatures::Graph;
pub(crate) use self::steps::Steps;
