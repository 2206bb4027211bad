//! The trait of systems, and the data of a list of them. They are in one file because each refers to the
//! other.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::convert::identity;

use super::forward::{forward_inner, forward_system};
use super::name::{self, ClosureNumbers};
use super::outcome::{AnyError, IntoOutcome, Outcome};
use super::stats::{Clock, NestedSystems, Reactions, SystemStatus};
use crate::api::context::Missed;

/// Logic that works on a world `W`, in phases.
///
/// A *world* is what the systems of a program share: one context, or a struct of several with
/// `#[derive(Contexts)]`.
///
/// All methods have defaults; implement those that you need. A function `fn(&mut W)` or a closure
/// `FnMut(&mut W)` is a system that executes. [`Systems::on`](crate::Systems::on) adds a closure for
/// another phase.
///
/// # Systems that fail
///
/// `R` is the return type of all phases, `()` by default. A system that can fail is a
/// `System<W, Result<(), E>>`; a closure or function returns a `Result<(), E>`. See
/// [`Outcome`](crate::Outcome) for the possible `E`, and
/// [`Systems`](crate::Systems#systems-that-fail) for what a list does with an error.
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
/// # Systems that collect
///
/// `activate`, `deactivate`, `clear` and `release` are for systems that collect something between
/// passes, as [reactive](crate::ReactiveSystem) systems collect changes. A list forwards these calls to
/// all its systems.
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
    note = "write `impl System<{W}> for {Self}`, or pass a closure that names its argument: `|world: &mut {W}| ..`; a `ReactiveSystem` is added by `add_reactive`",
    note = "a system of the library works on a context of the world: the world is this context, or a struct with `#[derive(Contexts)]` that has it as a field"
)]
pub trait System<W, R: Outcome = ()>: Sendable {
    /// Runs once, before the first execute.
    fn initialize(&mut self, world: &mut W) -> R {
        run_inner(self.inner_mut(), Systems::initialize, world)
    }

    /// Runs once instead of [`initialize`](Self::initialize), if the world was loaded; see
    /// [`Systems::resume`](crate::Systems::resume). Does nothing by default.
    fn resume(&mut self, world: &mut W) -> R {
        run_inner(self.inner_mut(), Systems::resume, world)
    }

    /// Runs in every pass (a frame, a tick).
    fn execute(&mut self, world: &mut W) -> R {
        run_inner(self.inner_mut(), Systems::execute, world)
    }

    /// Runs in every pass, after all systems have executed.
    fn cleanup(&mut self, world: &mut W) -> R {
        run_inner(self.inner_mut(), Systems::run_cleanup, world)
    }

    /// Runs once, at the end.
    fn tear_down(&mut self, world: &mut W) -> R {
        run_inner(self.inner_mut(), Systems::tear_down, world)
    }

    /// Returns the name of the system, for reports and
    /// [`Systems::set_enabled`](crate::Systems::set_enabled). Called once, when the system is added.
    ///
    /// The default is the name of the type without paths: `Move`, `Regenerate<Health>`. A closure is named
    /// after the function that contains it, `closure in main`, followed by a number if the list already
    /// has a closure of that name.
    fn name(&self) -> String {
        name::of::<Self>()
    }

    /// Called before the first execute of the list.
    #[doc(hidden)]
    fn attach(&mut self, world: &mut W) {
        control_inner(self.inner_mut(), System::attach, world);
    }

    /// Collects changes again after [`deactivate`](Self::deactivate).
    fn activate(&mut self, world: &mut W) {
        control_inner(self.inner_mut(), System::activate, world);
    }

    /// Discards the collected changes, and collects none until [`activate`](Self::activate).
    fn deactivate(&mut self, world: &mut W) {
        control_inner(self.inner_mut(), System::deactivate, world);
    }

    /// Discards the collected changes, and the transitions of states until now.
    fn clear(&mut self, world: &mut W) {
        control_inner(self.inner_mut(), System::clear, world);
    }

    /// Discards the collected changes, at an execute that skips the system in a list that
    /// [discards while disabled](crate::Systems::discard_while_disabled). By default it is [`clear`](Self::clear),
    /// or the same for each system of the [inner list](Self::inner). Systems of states discard nothing.
    fn discard(&mut self, world: &mut W) {
        match self.inner_mut() {
            None => self.clear(world),
            inner => control_inner(inner, System::discard, world),
        }
    }

    /// Stops collecting changes permanently, and frees what the system keeps in the world.
    ///
    /// Dropping a system has the same effect, but the memory is freed at a later change of the world.
    fn release(&mut self, world: &mut W) {
        control_inner(self.inner_mut(), System::release, world);
    }

    /// Removes systems with this name from the lists that this system runs; see
    /// [`Systems::remove`](crate::Systems::remove).
    #[doc(hidden)]
    fn remove_named(&mut self, world: &mut W, name: &str) -> bool {
        let inner = self.inner_mut();
        inner.is_some_and(|list| list.remove_all(world, name))
    }

    /// Returns the lists that this system runs, whatever their world.
    #[doc(hidden)]
    fn lists<'s>(&'s self) -> [Option<&'s dyn NestedSystems>; 2]
    where
        W: 's,
    {
        [self.inner().map(|list| list as _), None]
    }

    /// Like [`lists`](Self::lists), for writing.
    #[doc(hidden)]
    fn lists_mut<'s>(&'s mut self) -> [Option<&'s mut dyn NestedSystems>; 2]
    where
        W: 's,
    {
        [self.inner_mut().map(|list| list as _), None]
    }

    /// Returns how often the system has reacted so far; `None` if it does not react to changes.
    fn reactions(&self) -> Option<Reactions> {
        self.inner()?.total_reactions()
    }

    /// Returns the components that the system has cleaned up although some subscriber had not read them;
    /// see [`CleanupSystems::missed`](crate::CleanupSystems::missed).
    fn missed(&self) -> Vec<Missed> {
        self.inner().map_or(Vec::new(), Systems::all_missed)
    }

    /// Returns whether the system must be initialized before it executes, and has not been.
    ///
    /// In debug builds a list panics instead of executing such a system, and its
    /// [report](crate::Systems::report) shows it. For a closure that runs in
    /// [`Phase::Initialize`](crate::Phase::Initialize) this is known. A type that relies on its
    /// [`initialize`](Self::initialize) implements this method.
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
    ///     fn needs_initialize(&self) -> bool { !self.is_laid }
    /// }
    /// let mut systems = Systems::new().add(Board::default());
    /// assert!(systems.report().to_string().contains("not initialized"));
    /// systems.initialize(&mut Game::new());
    /// assert!(!systems.report().to_string().contains("not initialized"));
    /// ```
    fn needs_initialize(&self) -> bool {
        false
    }

    /// Returns the list of systems that this system runs, if it runs one. Implement
    /// [`inner_mut`](Self::inner_mut) as well.
    ///
    /// The systems of that list then appear in the [report](crate::Systems::report), the statistics and the
    /// inspector, and can be found by name, like those of any nested list. All other methods of this trait
    /// except [`name`](Self::name) and [`needs_initialize`](Self::needs_initialize) are forwarded to the
    /// list by default; a forwarded phase panics if a system of the list fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// /// Runs its systems twice in every pass.
    /// struct Twice(Systems<Game>);
    /// impl System<Game> for Twice {
    ///     fn execute(&mut self, game: &mut Game) {
    ///         for _ in 0..2 { self.0.execute(game); }
    ///     }
    ///     fn inner(&self) -> Option<&Systems<Game>> { Some(&self.0) }
    ///     fn inner_mut(&mut self) -> Option<&mut Systems<Game>> { Some(&mut self.0) }
    /// }
    /// fn spawn(game: &mut Game) { game.create_entity(); }
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add(Twice(Systems::new().add(spawn)));
    /// systems.execute(&mut game);
    /// assert_eq!((game.len(), systems.names()), (2, vec!["Twice".into(), "spawn".into()]));
    /// systems.set_enabled("spawn", false);
    /// systems.execute(&mut game);
    /// assert_eq!(game.len(), 2);
    /// ```
    fn inner(&self) -> Option<&Systems<W>> {
        None
    }

    /// Like [`inner`](Self::inner), but returns the list for writing.
    fn inner_mut(&mut self) -> Option<&mut Systems<W>> {
        None
    }
}

// The default methods are compiled for every system. These functions are compiled once for every world.

/// Runs a phase of a system's inner list, if it has one.
#[track_caller]
fn run_inner<W, R: Outcome>(
    inner: Option<&mut Systems<W>>,
    phase: fn(&mut Systems<W>, &mut W),
    world: &mut W,
) -> R {
    if let Some(inner) = inner {
        phase(inner, world);
    }
    R::done()
}

/// Calls a method of each system of a system's inner list, if it has one.
fn control_inner<W>(
    inner: Option<&mut Systems<W>>,
    control: fn(&mut BoxedSystem<W>, &mut W),
    world: &mut W,
) {
    let systems = inner.into_iter().flat_map(|list| &mut list.systems);
    systems.for_each(|entry| control(&mut entry.system, world));
}

/// A system in a list, whatever its outcome.
pub(super) type BoxedSystem<W> = Box<dyn System<W, Result<(), AnyError>>>;

/// An ordered list of systems. It has a name and is itself a [`System`], so lists nest.
///
/// Each phase runs the systems in the order in which they were added, including tear-down. Changes made
/// by a system are visible to later systems in the same pass, and to earlier ones in the next.
///
/// A list owns its systems and is `Send`, as [all systems are](crate::Sendable): it can be built in one
/// thread and run in another. Keep what belongs to one thread (a window, a terminal) in the world.
///
/// # Which systems run
///
/// A system runs if it is [enabled](Systems::set_enabled) and its [condition](Systems::add_if), if any,
/// is true. This is checked at execute. Cleanup runs for the systems that have executed since the last
/// cleanup; if there was no execute, cleanup checks for itself. Initialize, resume and tear-down run for
/// all systems.
///
/// While a reactive system is skipped, it keeps collecting changes, unless
/// [`discard_while_disabled`](Systems::discard_while_disabled) is set.
///
/// A list runs once per execute, unless it runs [until it is quiet](Systems::until_quiet) or
/// [repeats while](Systems::repeat_while) a condition is true, for example in
/// [fixed steps](crate::FixedSteps). A system that runs a list in another way exposes it with
/// [`inner`](System::inner).
///
/// # Systems that fail
///
/// A system may [return a `Result`](crate::System#systems-that-fail). An error ends the phase: the
/// remaining systems do not run, here and in all surrounding lists. The `try_` form of the phase returns
/// the error with the name of the system; the plain form panics with it.
///
/// The list stays usable, and the next call runs all systems again. The next cleanup includes the failed
/// system but not the remaining ones, which keep the changes that they have collected. A closure that
/// is called for each entity or message gets those behind the failed one at the next execute; the failed
/// one, and the changes that were passed to a failed system all at once, are not passed to it again. Messages wait
/// in the system, so until then they are neither [pending](crate::guide::saving#continuing-exactly) nor rewound.
///
/// A panic in a system has the same effect on the list.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let mut systems = Systems::new()
///     .add(|game: &mut Game| drop(game.create_entity()))
///     .add(Systems::with_name("End").on(Phase::Cleanup, |game: &mut Game| game.destroy_all()));
/// systems.execute(&mut game);
/// assert_eq!(game.len(), 1);
/// systems.cleanup(&mut game);
/// assert_eq!(game.len(), 0);
/// ```
pub struct Systems<W> {
    pub(super) name: String,
    pub(super) systems: Vec<SystemEntry<W>>,
    /// How many systems were ever added.
    pub(super) added: usize,
    pub(super) closures: ClosureNumbers,
    /// Whether all systems are attached.
    pub(super) attached: bool,
    /// How often each execute runs the list.
    pub(super) rounds: Rounds<W>,
    /// Whether newly added systems are measured.
    pub(super) measured: bool,
    /// The clock of newly added systems, if it is given.
    pub(super) clock: Clock,
    /// Whether execute and cleanup do nothing.
    pub(super) suspended: bool,
    /// Whether each cleanup moves some entities.
    pub(super) defragments: bool,
}

/// How often an execute runs a list.
pub(super) enum Rounds<W> {
    Once,
    /// Until no system reacts any more, at most this many times.
    UntilQuiet(usize),
    /// While the condition is true, with a cleanup after each round.
    While(Box<dyn FnMut(&mut W) -> bool + Send + Sync>),
}

/// A system in a list.
pub(super) struct SystemEntry<W> {
    pub(super) status: SystemStatus,
    pub(super) system: BoxedSystem<W>,
    pub(super) condition: Option<RunCondition<W>>,
    pub(super) state: PassState,
}

/// A run condition.
pub(super) type RunCondition<W> = Box<dyn FnMut(&W) -> bool + Send + Sync>;

/// What has happened to a system since the last cleanup.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PassState {
    /// There was no execute.
    Pending,
    /// It was skipped at each execute.
    Skipped,
    /// It has executed.
    Ran,
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

impl<W, R: Outcome> System<W, R> for Box<dyn System<W, R>> {
    forward_system!(this => **this, world => world, System<W, R>, identity => R);
    forward_inner!(this => **this, R);
}

/// A type that is [`Send`] and [`Sync`]. Implemented for every such type.
///
/// Systems are `Sendable`, so that a list of [`Systems`](crate::Systems) can be built in one thread, run
/// in another, and stored in an engine's resources. Put a channel's receiver into a `Mutex`, whose
/// `get_mut` takes no lock. The world need not be `Send`: keep what belongs to one thread, such as a
/// window, in a field with `#[contexts(skip)]`. To pass what an engine passes for one frame, use
/// [`Scoped`](crate::Scoped).
///
/// # Examples
///
/// ```
/// use std::sync::Mutex;
/// use std::sync::mpsc::channel;
///
/// fn can_be_in_a_system<T: ecs::Sendable>(_: T) {}
///
/// let (_sender, receiver) = channel::<u32>();
/// can_be_in_a_system(Mutex::new(receiver)); // the receiver alone is not `Sync`
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not `Send + Sync`, and cannot be in a list of systems",
    label = "cannot be sent to or shared with another thread",
    note = "write `Arc` in place of `Rc`, and put a `Cell`, a `RefCell` or the receiver of a channel into a `Mutex`, whose `get_mut` takes no lock; or keep such a value in a field of the world, with `#[contexts(skip)]` above it"
)]
pub trait Sendable: Send + Sync {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + ?Sized> Sendable for T {}
