//! What a system is: logic in four phases. And what a list of them holds: each names the other.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::forward::forward_to;
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
/// `FnMut(&mut W)` or a function `fn(&mut W)` is a system that executes;
/// [`Systems::on`](crate::Systems::on) adds a closure for another phase.
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
/// between two passes, as [reactive](crate::ReactiveSystem) systems gather changes.
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
        run_inner(self.inner_mut(), Systems::initialize, world)
    }

    /// Runs in every pass (a frame, a tick).
    fn execute(&mut self, world: &mut W) -> R {
        run_inner(self.inner_mut(), Systems::execute, world)
    }

    /// Runs in every pass, after all systems have executed.
    fn cleanup(&mut self, world: &mut W) -> R {
        run_inner(self.inner_mut(), Systems::clean_up, world)
    }

    /// Runs once, at the end.
    fn tear_down(&mut self, world: &mut W) -> R {
        run_inner(self.inner_mut(), Systems::tear_down, world)
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
        control_inner(self.inner_mut(), System::activate, world);
    }

    /// Forgets the changes that were gathered, and gathers none until
    /// [`activate`](Self::activate).
    fn deactivate(&mut self, world: &mut W) {
        control_inner(self.inner_mut(), System::deactivate, world);
    }

    /// Forgets the changes that were gathered.
    fn clear(&mut self, world: &mut W) {
        control_inner(self.inner_mut(), System::clear, world);
    }

    /// Stops gathering changes for good, and gives back what the system keeps in the world.
    ///
    /// Dropping a system has the same effect at a later change of the world; `release` gives
    /// the memory back at once.
    fn release(&mut self, world: &mut W) {
        control_inner(self.inner_mut(), System::release, world);
    }

    /// How often the system has reacted so far, if it is one that reacts to changes.
    fn reactions(&self) -> Option<Reactions> {
        self.inner()?.reactions_inside()
    }

    /// Which components the system has cleaned up before somebody had read them, and how often; see
    /// [`CleanupSystems::missed`](crate::CleanupSystems::missed).
    fn missed(&self) -> Vec<Missed> {
        self.inner().map_or(Vec::new(), Systems::missed_inside)
    }

    /// Whether the system must be initialized before it can execute, and has not been.
    ///
    /// A list rejects to execute such a system in debug builds, and its
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

    /// Returns the list of systems that this system runs, if it runs one. Implement
    /// [`inner_mut`](Self::inner_mut) as well.
    ///
    /// The systems of that list then appear in the [report](crate::Systems::report), the statistics and the
    /// inspector, and can be found by name, like those of any nested list. All methods of this trait except
    /// [`name`](Self::name) and [`awaits_initialize`](Self::awaits_initialize) are forwarded to the list
    /// unless the system implements them; a forwarded phase panics if a system of the list fails.
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

    /// Returns the list that [`inner`](Self::inner) returns, to be changed.
    fn inner_mut(&mut self) -> Option<&mut Systems<W>> {
        None
    }
}

// The defaults are compiled for every system. What they do is compiled once for every world.

/// Runs a phase of the list inside of a system, if there is one.
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

/// Calls a method of each system of the list inside of a system, if there is one.
fn control_inner<W>(
    inner: Option<&mut Systems<W>>,
    control: fn(&mut Erased<W>, &mut W),
    world: &mut W,
) {
    let systems = inner.into_iter().flat_map(|list| &mut list.systems);
    systems.for_each(|listed| control(&mut listed.system, world));
}

/// A system of any outcome, as a list holds it.
pub(super) type Erased<W> = Box<dyn System<W, Result<(), AnyError>>>;

/// Systems in order: a list with a name, which is itself a [`System`], so lists nest.
///
/// Each phase runs the systems one after the other in the order in which they were
/// added, tear-down too. What a system changes is seen by those after it in the same
/// pass, and by those before it in the next one.
///
/// A list owns its systems and is `Send`, as [all systems are](crate::Sendable): it can be made in one
/// thread and run in another. What belongs to one thread (a window, a terminal) is kept in the world.
///
/// A panic in a system ends the phase. The list can still be used, and the next call
/// runs all systems again. The next cleanup is for those that have executed, the one that panicked
/// among them, and not for those behind it. The changes that the panicking system was reacting to are
/// not repeated.
///
/// # Systems that fail
///
/// A system may [return a `Result`](crate::System#systems-that-fail). If it returns an error, the phase
/// ends there: the systems behind it do not run, in nested lists and in those around them. The `try_`
/// form of the phase returns the error, with the name of the system; the plain form panics with it.
///
/// The list can still be used. At the next cleanup those are cleaned up that have executed, the one
/// that failed among them, and those behind it are not; what these react to waits for them. What the
/// failed system itself was reacting to is not repeated.
///
/// # Several times in a pass
///
/// A list runs once per execute, unless it runs [until it is quiet](Systems::until_quiet) or
/// [repeats while](Systems::repeat_while) a condition holds, in [fixed steps](crate::FixedSteps) for
/// example. A system that runs a list in its own way exposes it by [`inner`](System::inner).
///
/// # Which systems run
///
/// A system takes part in a pass if it is [enabled](Systems::set_enabled) and its
/// [condition](Systems::add_if), if it has one, holds. Execute asks this, and cleanup is for those
/// that have executed since the last cleanup; if there was no execute since, cleanup asks
/// for itself. Initialize and tear-down are for all systems.
///
/// A reactive system that is passed over keeps what happens meanwhile for later, unless
/// [`discard_while_disabled`](Systems::discard_while_disabled) says that it is forgotten.
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
    pub(super) systems: Vec<Listed<W>>,
    /// How many have been added.
    pub(super) added: usize,
    /// How often an execute goes through the list.
    pub(super) rounds: Rounds<W>,
    /// Whether systems that are added are measured.
    pub(super) measured: bool,
    /// Whether passes do nothing.
    pub(super) suspended: bool,
    /// Whether each cleanup moves some entities together.
    pub(super) defragments: bool,
}

/// How often an execute goes through a list.
pub(super) enum Rounds<W> {
    Once,
    /// Until nothing reacts any more, at most so often.
    UntilQuiet(usize),
    /// As long as there is a round to do; each is cleaned up.
    While(Box<dyn FnMut(&mut W) -> bool + Send + Sync>),
}

/// A system with its status and its condition.
pub(super) struct Listed<W> {
    pub(super) status: SystemStatus,
    pub(super) system: Erased<W>,
    pub(super) condition: Option<RunCondition<W>>,
    /// Since the last cleanup.
    pub(super) turn: SystemTurn,
}

/// A run condition.
pub(super) type RunCondition<W> = Box<dyn FnMut(&W) -> bool + Send + Sync>;

/// Whether a system takes part in the present pass.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SystemTurn {
    /// Not yet asked.
    Open,
    /// It was asked, and has not taken part so far.
    PassedOver,
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
    forward_to!(this => **this, R);
}

/// A type whose values can be sent to other threads and shared with them: [`Send`] and [`Sync`].
/// Every such type implements this trait.
///
/// Systems are of such types, so that a list of [`Systems`](crate::Systems) can be made in one thread
/// and run in another, and be part of an engine's resources. A channel's receiver goes into a `Mutex`,
/// whose `get_mut` takes no lock. What belongs to one thread, as a window does, is kept in the world
/// that is passed to the systems, which need not be `Send`: in a field with `#[contexts(skip)]`. What an
/// engine lends for one frame is passed by a [`Scoped`](crate::Scoped) value.
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
/// can_be_in_a_system(Mutex::new(receiver)); // as the receiver alone could not
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds what other threads may not have, and cannot be in a list of systems",
    label = "cannot be sent to or shared with another thread",
    note = "write `Arc` in place of `Rc`, and put a `Cell`, a `RefCell` or the receiver of a channel into a `Mutex`, whose `get_mut` takes no lock; or keep such a value in a field of the world, with `#[contexts(skip)]` above it"
)]
pub trait Sendable: Send + Sync {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + ?Sized> Sendable for T {}
