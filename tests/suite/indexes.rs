//! Entity indexes beyond what Entitas pins: every way in and out, observers, panics in the
//! code of keys, and random programs against a look at every entity.

#[path = "indexes/batches.rs"]
mod batches;
#[path = "indexes/fields.rs"]
mod fields;
#[path = "indexes/functions.rs"]
mod functions;
#[path = "indexes/late.rs"]
mod late;
#[path = "indexes/model.rs"]
mod model;
#[path = "indexes/observers.rs"]
mod observers;
#[path = "indexes/panics.rs"]
mod panics;
#[path = "indexes/primary.rs"]
mod primary;
