//! Entity indexes beyond what Entitas pins: every way in and out, observers, panics in the
//! code of keys, and random programs against a look at every entity.

mod batches;
mod fields;
mod functions;
mod late;
mod model;
mod observers;
mod panics;
mod primary;
