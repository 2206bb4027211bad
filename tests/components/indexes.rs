//! Entity indexes beyond what Entitas pins: every way in and out, observers, panics in the
//! code of keys. Random programs look at every entity beside (`model`).

mod batches;
mod fields;
mod functions;
mod late;
mod observers;
mod panics;
mod primary;
