//! Systems, lists of systems, reactive systems, and worlds of several contexts.
//!
//! ```text
//! Systems ─► SystemEntry { status: name, enabled?, statistics; condition }     list
//!              └► a plain system | Systems | Reaction { logic, source }        reactive
//!                                                         └► a collector, an inbox, …
//! ```
//!
//! Observers and listeners receive their own context only; `Deferred` passes closures for the whole
//! world to the list.
//!
//! Changes made by a system are visible to later systems in the same pass, and to earlier ones in the
//! next.

mod builtin;
pub(crate) mod contexts;
mod deferred;
mod each_in;
mod erased;
mod error;
mod expire;
mod fixed_steps;
mod forward;
mod list;
mod name;
mod on_context;
mod outcome;
#[cfg(feature = "rayon")]
mod parallel;
mod phase;
mod reactive;
#[cfg(feature = "serde")]
mod reading;
#[cfg(feature = "rayon")]
mod side_by_side;
mod stats;
mod system;
mod timer;

pub use self::builtin::EventSystems;
pub use self::deferred::Deferred;
pub use self::error::SystemError;
pub use self::expire::Expire;
pub use self::fixed_steps::FixedSteps;
pub use self::list::{Report, SystemInfo, UnknownSystem};
pub use self::outcome::{IntoOutcome, Outcome};
pub use self::phase::Phase;
pub use self::reactive::{ReactiveContexts, ReactiveSystem};
pub use self::stats::{Durations, Reactions, Statistics};
pub use self::system::{Sendable, System, Systems};
pub use self::timer::Timer;
