//! The signature graph: one node for each distinct set of components. Its edges cache the effects
//! of a change.

mod edges;
#[cfg(any(test, feature = "__checks"))]
mod invariants;
mod learn;
mod nodes;
mod recent;
mod renewal;
mod signatures;
mod steps;

pub(crate) use self::renewal::Signatures;
pub(crate) use self::signatures::Graph;
pub(crate) use self::steps::Steps;
