//! The failure classes: ways in which similar libraries have failed. Each test names its class.
//!
//! Every test ends with the same checks: groups agree with their matchers, every value is dropped
//! exactly once, and the context is still usable ([`game`]). `README.md` lists all classes with
//! their tests.

mod capacity;
mod chains;
mod classes;
mod collectors;
mod dropped;
mod drops;
mod fickle;
mod game;
mod handles;
mod lies;
mod others;
mod panics;
mod repeats;
mod replaced;
mod resets;
mod rows;
mod skipped;
mod systems;
mod types;
mod wide_records;
mod widths;
