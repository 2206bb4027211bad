//! The workloads by which `ecs` is compared with raw arrays and with its peers.
//!
//! [`rows`] says what is measured, [`systems`] has one file for each system that is
//! measured, [`workload`] runs a state and checks its result, [`types`] are the
//! components, [`matrix`] what is computed in W12. The `table` binary and the criterion bench time what is here;
//! `tests/` checks it.

pub mod matrix;
pub mod rows;
pub mod systems;
pub mod types;
pub mod workload;
