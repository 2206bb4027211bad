//! The failure classes: what has gone wrong in libraries like this one, each as a
//! test that names its id.
//!
//! Every test ends with the same checks: groups agree with their matchers, every
//! value has been dropped exactly once, and the context is still usable
//! ([`support`]). `failures/classes.txt` lists all classes with the files that cover them.

#[path = "failures/capacity.rs"]
mod capacity;
#[path = "failures/chains.rs"]
mod chains;
#[path = "failures/classes.rs"]
mod classes;
#[path = "failures/collectors.rs"]
mod collectors;
#[path = "failures/drops.rs"]
mod drops;
#[path = "failures/fickle.rs"]
mod fickle;
#[path = "failures/handles.rs"]
mod handles;
#[path = "failures/lies.rs"]
mod lies;
#[path = "failures/panics.rs"]
mod panics;
#[path = "failures/rows.rs"]
mod rows;
#[path = "failures/support.rs"]
pub(crate) mod support;
#[path = "failures/systems.rs"]
mod systems;
#[path = "failures/types.rs"]
mod types;
#[path = "failures/widths.rs"]
mod widths;
