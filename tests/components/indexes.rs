//! Entity indexes beyond the behaviors of Entitas: every way in and out, observers, panics in the
//! code of keys. Random programs compare them with every entity (`model`).

mod batches;
mod declared;
mod fields;
mod functions;
mod late;
mod observers;
mod panics;
mod primary;
mod structures;
