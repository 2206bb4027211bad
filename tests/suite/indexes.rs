//! Entity indexes beyond what Entitas pins: every way in and out, observers, panics in the
//! code of keys, and random programs against a look at every entity.

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

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The text of the panic that a call must end in.
#[track_caller]
fn panic_of<R>(call: impl FnOnce() -> R) -> String {
    let payload = catch_unwind(AssertUnwindSafe(call)).err();
    let payload = payload.expect("the call should have panicked");
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref::<&str>().unwrap().to_string(),
    }
}
