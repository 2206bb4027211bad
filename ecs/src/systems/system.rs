//! What a system is: logic in four phases.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::name;
use super::outcome::{AnyError, IntoOutcome, Outcome};
use super::stats::{Reactions, SystemStatus};
use crate::api::context::Missed;

/// Logic that works on a world `W`, in four phases.
///
/// A *world* is what the systems of a program share: one context, or a struct of several with
/// `#[derive(Contexts)]`.
///
/// All methods have empty defaults, so write those that you need. A closure
/// `FnMut(&mut W)` or a function `fn(&mut W)` is a system that executes; with
/// [`Phase::system`](crate::Phase::system) it serves another phase.
///
/// # Systems that fail
///
/// `R` is what all phases return: nothing, unless it is named. A system that can fail is a
/// `System<W, Result<(), E>>`, and a closure or a function one that returns a `Result<(), E>`; see
/// [`Outcome`](crate::Outcome) for what `E` can be. [`Systems`](crate::Systems#systems-that-fail) says
/// what a list does then.
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// use std::num::ParseIntError;
///
/// struct Load { text: String }
/// impl System<Game, Result<(), ParseIntError>> for Load {
///     fn initialize(&mut self, game: &mut Game) -> Result<(), ParseIntError> {
///         for word in self.text.split(' ') { game.create_with(Health(word.parse()?)); }
///         Ok(())
///     }
/// }
/// let mut systems = Systems::new().add(Load { text: "3 x 5".to_string() });
/// let error = systems.try_initialize(&mut Game::new()).unwrap_err();
/// assert_eq!(error.to_string(), "system `Load` failed at initialize: invalid digit found in string");
/// ```
///
/// # Gathering
///
/// `activate`, `deactivate`, `clear` and `release` are for systems that gather something
/// between two passes, as [`Reactive`](crate::Reactive) systems gather changes.
/// [`Systems`](crate::Systems) passes each call on to every system that it holds.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
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
    note = "write `impl System<{W}> for {Self}`, or hand over a closure that names its argument: `|world: &mut {W}| ..`; a `ReactiveSystem` is added by `add_reactive`",
    note = "a system of the library works on a context of the world: the world is this context, or a struct with `#[derive(Contexts)]` that has it as a field"
)]
pub trait System<W, R: Outcome = ()>: Sendable {
    /// Runs once, before the first execute.
    fn initialize(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }

    /// Runs in every pass (a frame, a tick).
    fn execute(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }

    /// Runs in every pass, after all systems have executed.
    fn cleanup(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }

    /// Runs once, at the end.
    fn tear_down(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }

    /// The name of the system in reports and for
    /// [`Systems::set_enabled`](crate::Systems::set_enabled).
    ///
    /// By default it is the name of the type without paths, `Move` or `Regenerate<Health>`, and
    /// for a closure the function that contains it, `closure in main`, with a number if the list
    /// has such a one already, `closure in main 2`. It is asked for once, when the system is added.
    fn name(&self) -> String {
        name::of::<Self>()
    }

    /// Gathers changes again after [`deactivate`](Self::deactivate).
    fn activate(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Forgets the changes that were gathered, and gathers none until
    /// [`activate`](Self::activate).
    fn deactivate(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Forgets the changes that were gathered.
    fn clear(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Stops gathering changes for good, and gives back what the system keeps in the world.
    ///
    /// Dropping a system has the same effect at a later change of the world; `release` gives
    /// the memory back at once.
    fn release(&mut self, world: &mut W) {
        let _ = world;
    }

    /// How often the system has reacted so far, if it is one that reacts to changes.
    fn reactions(&self) -> Option<Reactions> {
        None
    }

    /// Which components the system has cleaned up before somebody had read them, and how often; see
    /// [`CleanupSystems::missed`](crate::CleanupSystems::missed).
    fn missed(&self) -> Vec<Missed> {
        Vec::new()
    }

    /// Whether the system must be initialized before it can execute, and has not been.
    ///
    /// A list refuses to execute such a system in debug builds, and its
    /// [report](crate::Systems::report) says so. Of a closure that runs in
    /// [`Phase::Initialize`](crate::Phase::Initialize) it is known. Of a type it is not, because
    /// nobody can see from outside whether it has an [`initialize`](Self::initialize) of its own; so
    /// one that must not be forgotten says so itself.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// #[derive(Default)]
    /// struct Board { is_laid: bool }
    /// impl System<Game> for Board {
    ///     fn initialize(&mut self, game: &mut Game) {
    ///         game.create_many((0..64).map(|n| Cell(n % 8, n / 8)));
    ///         self.is_laid = true;
    ///     }
    ///     fn awaits_initialize(&self) -> bool { !self.is_laid }
    /// }
    /// let mut systems = Systems::new().add(Board::default());
    /// assert!(systems.report().to_string().contains("not initialized"));
    /// systems.initialize(&mut Game::new());
    /// assert!(!systems.report().to_string().contains("not initialized"));
    /// ```
    fn awaits_initialize(&self) -> bool {
        false
    }

    /// Shows the systems of a list, each list before what it holds.
    #[doc(hidden)]
    fn visit<'s>(&'s self, depth: usize, visitor: &mut Visitor<'_, 's>) {
        let _ = (depth, visitor);
    }

    /// Lends the status of every system of a list, those of nested lists too.
    #[doc(hidden)]
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut SystemStatus)) {
        let _ = visitor;
    }

    /// Moves the systems of this name out of a list and the lists nested in it.
    #[doc(hidden)]
    fn take_named(&mut self, name: &str, taken: &mut Vec<Erased<W>>) {
        let _ = (name, taken);
    }
}

/// A system of any outcome, as a list holds it.
pub(super) type Erased<W> = Box<dyn System<W, Result<(), AnyError>>>;

/// What is called for each system of a list.
pub(super) type Visitor<'v, 's> = dyn FnMut(Visited<'s>) + 'v;

/// A system of a list, as it is seen from outside.
#[doc(hidden)]
pub struct Visited<'s> {
    /// How deep it is nested.
    pub(super) depth: usize,
    pub(super) status: &'s SystemStatus,
    pub(super) reactions: Option<Reactions>,
    pub(super) missed: Vec<Missed>,
    pub(super) awaits_initialize: bool,
}

impl<W, F, T, R> System<W, R> for F
where
    F: FnMut(&mut W) -> T + Sendable,
    T: IntoOutcome<Outcome = R>,
    R: Outcome,
{
    fn execute(&mut self, world: &mut W) -> R {
        self(world).into_outcome()
    }
}

/// Writes what all traits of systems have: the name and the phases other than the one in which a
/// system works. Passes each call on to what is at a place in `$this`, by its own trait.
macro_rules! forward_phases {
    ($this:ident => $inner:expr, $trait:path, $outcome:ty) => {
        fn initialize(&mut self, world: &mut W) -> $outcome {
            let $this = self;
            <_ as $trait>::initialize(&mut $inner, world)
        }
        fn cleanup(&mut self, world: &mut W) -> $outcome {
            let $this = self;
            <_ as $trait>::cleanup(&mut $inner, world)
        }
        fn tear_down(&mut self, world: &mut W) -> $outcome {
            let $this = self;
            <_ as $trait>::tear_down(&mut $inner, world)
        }
        fn name(&self) -> alloc::string::String {
            let $this = self;
            <_ as $trait>::name(&$inner)
        }
    };
}
pub(super) use forward_phases;

/// Writes what is about gathering, and what is counted. Passes each call on to the `System<W, R>` at a place in `$this`.
macro_rules! forward_controls {
    ($this:ident => $inner:expr, $outcome:ty) => {
        fn activate(&mut self, world: &mut W) {
            let $this = self;
            System::<W, $outcome>::activate(&mut $inner, world);
        }
        fn deactivate(&mut self, world: &mut W) {
            let $this = self;
            System::<W, $outcome>::deactivate(&mut $inner, world);
        }
        fn clear(&mut self, world: &mut W) {
            let $this = self;
            System::<W, $outcome>::clear(&mut $inner, world);
        }
        fn release(&mut self, world: &mut W) {
            let $this = self;
            System::<W, $outcome>::release(&mut $inner, world);
        }
        fn reactions(&self) -> Option<crate::systems::stats::Reactions> {
            let $this = self;
            System::<W, $outcome>::reactions(&$inner)
        }
        fn missed(&self) -> alloc::vec::Vec<crate::api::context::Missed> {
            let $this = self;
            System::<W, $outcome>::missed(&$inner)
        }
        fn awaits_initialize(&self) -> bool {
            let $this = self;
            System::<W, $outcome>::awaits_initialize(&$inner)
        }
    };
}
pub(super) use forward_controls;

/// Writes the methods of an `impl System<W, R>` that passes every call on to the system at a place
/// in `$this`.
macro_rules! forward_to {
    ($this:ident => $inner:expr, $outcome:ty) => {
        crate::systems::system::forward_phases!($this => $inner, System<W, $outcome>, $outcome);
        crate::systems::system::forward_controls!($this => $inner, $outcome);

        fn execute(&mut self, world: &mut W) -> $outcome {
            let $this = self;
            System::<W, $outcome>::execute(&mut $inner, world)
        }
    };
}
pub(super) use forward_to;

impl<W, R: Outcome> System<W, R> for Box<dyn System<W, R>> {
    forward_to!(this => **this, R);

    fn visit<'s>(&'s self, depth: usize, visitor: &mut Visitor<'_, 's>) {
        (**self).visit(depth, visitor);
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut SystemStatus)) {
        (**self).visit_mut(visitor);
    }

    fn take_named(&mut self, name: &str, taken: &mut Vec<Erased<W>>) {
        (**self).take_named(name, taken);
    }
}

/// A type whose values can be sent to other threads: [`Send`]. Every such type has this trait by
/// itself.
///
/// Systems are of such types, so that a list of [`Systems`](crate::Systems) can be made in one thread
/// and run in another. Nobody calls a system from two threads at once, so a `Cell` or a `RefCell` is
/// no hindrance, and an `Rc` is. What belongs to one thread, as a window does, is kept in the world
/// that the systems are handed, which need not be `Send`: in a field with `#[contexts(skip)]`.
///
/// # Examples
///
/// ```
/// use std::cell::Cell;
///
/// fn can_be_in_a_system<T: ecs::Sendable>(_: T) {}
///
/// can_be_in_a_system(Cell::new(0)); // as `Rc<Cell<_>>` could not
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds what cannot go to another thread, and cannot be in a list of systems",
    label = "cannot be sent to another thread",
    note = "write `Arc` in place of `Rc`, and `Mutex` in place of a `RefCell` that is shared; or keep such a value in a field of the world, with `#[contexts(skip)]` above it"
)]
pub trait Sendable: Send {}

#[diagnostic::do_not_recommend]
impl<T: Send + ?Sized> Sendable for T {}
