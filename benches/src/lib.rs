//! The workloads by which `ecs` is compared with raw arrays and with its peers.
//!
//! - What is measured: [`rows`]; [`systems`] has one file for each system, [`workload`]
//!   runs a state and checks its result, [`checks`] looks at every field of it, [`types`] are
//!   the components, [`joins`] says which entities there are in W7 and W7c, [`matrix`] what
//!   is computed in W12, [`flagging`] what is done in W9 and W10, [`observed`] in W8e, [`around`] in W14 to W19.
//! - How: [`allocator`] says how that is set, [`timing`] for time, [`residency`] for memory, [`instructions`] for what is
//!   executed.
//! - What comes of it: [`comparison`] are the tables, [`chart`] is the picture,
//!   [`report`] writes both.
//!
//! The binaries `table`, `growth` and `counts` and the criterion bench measure what is
//! here; `tests/` checks it.

pub mod allocator;
pub mod around;
pub mod chart;
pub mod checks;
pub mod comparison;
pub mod flagging;
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
