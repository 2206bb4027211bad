//! The state machines: records and cells in, actions out; no threads, no clock, no I/O.

pub(crate) mod keeper;
pub(crate) mod place;
pub(crate) mod seat;
pub(crate) mod wire;

#[cfg(test)]
mod simulation;
