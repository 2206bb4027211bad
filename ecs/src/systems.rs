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
//! What a system changes is seen by the systems after it in the same pass, and by those
//! before it in the next one.

mod cleanup;
pub(crate) mod contexts;
mod defragment;
mod each_in;
mod events;
mod list;
mod name;
#[cfg(feature = "rayon")]
mod parallel;
mod phase;
mod reactive;
mod stats;
mod status;
mod system;

pub use self::defragment::Defragment;
pub use self::events::EventSystems;
pub use self::list::{Report, Systems, UnknownSystem};
#[cfg(feature = "rayon")]
pub use self::parallel::ParallelSystem;
pub use self::phase::{Phase, PhaseSystem};
pub use self::reactive::{
    ContextTuple, EachChanged, MultiReactive, MultiReactiveSystem, OnMessage, OnRemoved,
    OnTransition, QueryChanged, Reactive, ReactiveSystem,
};
pub use self::stats::{Durations, Reactions, Statistics};
pub use self::system::System;
