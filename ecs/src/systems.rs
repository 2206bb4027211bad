//! What programs are made of: systems, lists of them, systems that react to changes, worlds of
//! several contexts.
//!
//! ```text
//! Systems ─► Listed { status: name, enabled?, statistics; condition }     list
//!              └► a plain system | Systems | Reaction { system, source }    reactive
//!                                                         └► a collector, or what else
//!                                                            gathers changes
//! ```
//!
//! What an observer or a listener cannot reach it puts off: `Deferred` hands the list closures for
//! the whole world.
//!
//! What a system changes is seen by the systems after it in the same pass, and by those
//! before it in the next one.

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
mod outcome;
#[cfg(feature = "rayon")]
mod parallel;
mod phase;
mod reactive;
mod stats;
mod system;
mod timer;
mod upkeep;

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
pub use self::upkeep::EventSystems;
