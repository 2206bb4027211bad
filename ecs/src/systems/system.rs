//! Systems: the logic of a program, in phases and in order.
//!
//! A [`System`] works on a *world* `W`: a context, or a struct of several. [`Systems`]
//! holds systems in order and is itself one, so lists nest:
//!
//! ```text
//! Systems ─► Entry { name, enabled?, conditions, statistics }
//!              └► a plain system | Systems | Reactive { system, inbox }
//!                                                         └► collector ─► ids, those that
//!                                                                         still count
//! ```
//!
//! What a system changes is seen by the systems after it in the same pass, and by those
//! before it in the next one.

mod changed;
mod cleanup;
mod defragment;
mod each;
mod entry;
mod events;
mod inbox;
mod list;
mod multi;
mod name;
#[cfg(feature = "rayon")]
mod parallel;
mod phase;
mod reactive;
mod removed;
mod report;
mod statistics;

use alloc::boxed::Box;
use alloc::string::String;

pub use self::changed::QueryChanged;
pub use self::defragment::Defragment;
pub use self::each::EachChanged;
pub use self::entry::UnknownSystem;
pub use self::events::EventSystems;
pub use self::list::Systems;
pub use self::multi::{ContextTuple, MultiReactive, MultiReactiveSystem};
#[cfg(feature = "rayon")]
pub use self::parallel::ParallelSystem;
pub use self::phase::{Phase, PhaseSystem};
pub use self::reactive::{Reactive, ReactiveSystem};
pub use self::removed::OnRemoved;
pub use self::report::Report;
pub use self::statistics::{Durations, Reactions, Statistics};

/// Logic that works on a world `W`, in four phases.
///
/// All methods have empty defaults: write those that are needed. A closure
/// `FnMut(&mut W)` or a function `fn(&mut W)` is a system that executes; with
/// [`Phase::system`] it serves another phase.
///
/// The last five methods are for systems that keep something in the world, as
/// [`Reactive`] systems keep a collector. [`Systems`] hands each call on to all it
/// holds.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
/// struct Spawn { per_pass: usize }
/// impl System<Game> for Spawn {
///     fn execute(&mut self, game: &mut Game) {
///         for _ in 0..self.per_pass { game.create_with(Health(3)); }
///     }
/// }
/// let mut game = Game::new();
/// Systems::new().add(Spawn { per_pass: 2 }).execute(&mut game);
/// assert_eq!(game.len(), 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system of the world `{W}`",
    label = "not a system of `{W}`",
    note = "write `impl System<{W}> for {Self}`, or hand over a closure that names its argument: `|world: &mut {W}| ..`; a `ReactiveSystem` is added by `add_reactive`"
)]
pub trait System<W> {
    /// Once, before the first execute.
    fn initialize(&mut self, world: &mut W) {
        let _ = world;
    }

    /// In every pass (a frame, a tick).
    fn execute(&mut self, world: &mut W) {
        let _ = world;
    }

    /// In every pass, after all have executed.
    fn cleanup(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Once, at the end.
    fn tear_down(&mut self, world: &mut W) {
        let _ = world;
    }

    /// What the system is called in reports and by [`Systems::set_enabled`]: by default
    /// the name of its type without paths, `Move` or `Regenerate<Health>`, and for a
    /// closure the function it is written in, `closure in main`.
    ///
    /// Asked for once, when the system is added.
    fn name(&self) -> String {
        name::of::<Self>()
    }

    /// Starts to gather changes again after [`deactivate`](Self::deactivate).
    fn activate(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Forgets the changes gathered, and gathers none until
    /// [`activate`](Self::activate).
    fn deactivate(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Forgets the changes gathered.
    fn clear(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Gives back what the system keeps in the world, for good: it hears of no change
    /// any more. Dropping a system cannot do that, as it does not reach the world.
    fn release(&mut self, world: &mut W) {
        let _ = world;
    }

    /// How often it has reacted so far, if it is a system that reacts to changes.
    fn reactions(&self) -> Option<Reactions> {
        None
    }

    /// The systems it consists of, if it is a list.
    #[doc(hidden)]
    fn as_systems(&self) -> Option<&Systems<W>> {
        None
    }

    /// The systems it consists of, if it is a list.
    #[doc(hidden)]
    fn as_systems_mut(&mut self) -> Option<&mut Systems<W>> {
        None
    }
}

impl<W, F: FnMut(&mut W)> System<W> for F {
    fn execute(&mut self, world: &mut W) {
        self(world);
    }
}

/// Hands every call on to a system that is kept in some place of its own.
macro_rules! forward_to {
    ($place:ty) => {
        impl<W> System<W> for $place {
            fn initialize(&mut self, world: &mut W) {
                (**self).initialize(world);
            }
            fn execute(&mut self, world: &mut W) {
                (**self).execute(world);
            }
            fn cleanup(&mut self, world: &mut W) {
                (**self).cleanup(world);
            }
            fn tear_down(&mut self, world: &mut W) {
                (**self).tear_down(world);
            }
            fn name(&self) -> String {
                (**self).name()
            }
            fn activate(&mut self, world: &mut W) {
                (**self).activate(world);
            }
            fn deactivate(&mut self, world: &mut W) {
                (**self).deactivate(world);
            }
            fn clear(&mut self, world: &mut W) {
                (**self).clear(world);
            }
            fn release(&mut self, world: &mut W) {
                (**self).release(world);
            }
            fn reactions(&self) -> Option<Reactions> {
                (**self).reactions()
            }
            fn as_systems(&self) -> Option<&Systems<W>> {
                (**self).as_systems()
            }
            fn as_systems_mut(&mut self) -> Option<&mut Systems<W>> {
                (**self).as_systems_mut()
            }
        }
    };
}

forward_to!(Box<dyn System<W>>);
