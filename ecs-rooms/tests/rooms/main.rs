//! Whole deployments in one process.

mod bad_input;
mod contract;
mod density;
mod differs;
mod follow;
mod futures;
mod keys;
#[cfg(feature = "redb")]
mod killed;
mod outcomes;
mod panics;
mod presence;
mod race;
mod results;
mod sessions;
mod silence;
mod store_failures;
mod stores;
mod take_over;
mod upgrade;
mod viewers;
