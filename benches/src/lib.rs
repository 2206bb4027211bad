//! The workloads that compare `ecs` with raw arrays and with its peers.
//!
//! - Workloads: [`rows`] lists them; [`systems`] has one file for each system; [`workload`] runs a state
//!   and checks its result, with [`checks`] for every field; [`types`] has the components. Shared by all
//!   systems are [`joins`] for W7 and W7c, [`observed`] for W8e, [`flagging`] for W9 and W10, [`matrix`]
//!   for W12, and [`around`] for W14 to W20.
//! - Measurements: [`timing`], [`frames`] for the longest frame, [`residency`] for memory, [`instructions`] for executed instructions, and
//!   the settings of the [`allocator`].
//! - Results: [`comparison`] makes tables, [`chart`] draws the picture, [`report`] writes both.
//!
//! The binaries `table`, `growth` and `counts` and the criterion bench run the measurements; `tests/`
//! checks the workloads.

pub mod allocator;
pub mod around;
pub mod chart;
pub mod checks;
pub mod comparison;
pub mod flagging;
pub mod frames;
pub mod instructions;
pub mod joins;
pub mod marks;
pub mod matrix;
pub mod observed;
pub mod report;
pub mod residency;
pub mod rows;
pub mod systems;
pub mod timing;
pub mod types;
pub mod workload;
