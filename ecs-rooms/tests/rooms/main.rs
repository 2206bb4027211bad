//! Whole deployments in one process.

mod bad_input;
mod density;
mod race;
mod stores;
mod take_over;
