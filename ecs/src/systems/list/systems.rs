//! Systems in order, and how a phase runs through them.

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use super::listed::{Listed, run_all};
use crate::api::context::{Context, Missed};
use crate::systems::contexts::{ContextVisitor, VisitContexts};
use crate::systems::erased::erase;
use crate::systems::error::{SystemError, expect};
use crate::systems::name;
use crate::systems::outcome::{IntoOutcome, Outcome};
use crate::systems::phase::Phase;
use crate::systems::stats::{Reactions, Statistics, SystemStatus};
use crate::systems::system::{Erased, Sendable, System, Visited, Visitor};

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
    /// How often an execute may go through the list, if it goes on until it is quiet.
    pub(super) rounds: Option<usize>,
    /// Whether systems that are added are measured.
    pub(super) measured: bool,
    /// Whether passes do nothing.
    pub(super) suspended: bool,
    /// Whether each cleanup moves some entities together.
    pub(super) defragments: bool,
}

impl<W> Systems<W> {
    /// Creates an empty list with the name `Systems`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert_eq!(Systems::<Game>::new().name(), "Systems");
    /// ```
    pub fn new() -> Self {
        Self::with_name("Systems")
    }

    /// Creates an empty list with a name.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert_eq!(Systems::<Game>::with_name("Movement").name(), "Movement");
    /// ```
    pub fn with_name(name: &str) -> Self {
        Self {
            name: name.to_string(),
            systems: Vec::new(),
            rounds: None,
            measured: false,
            suspended: false,
            defragments: true,
        }
    }

    /// Adds a system at the end: a type with [`System`], another list, or a closure that
    /// runs at execute. A closure names the type of its argument.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add(|game: &mut Game| drop(game.create_entity()));
    /// systems.execute(&mut game);
    /// assert_eq!(game.len(), 1);
    /// ```
    #[must_use = "the list is returned"]
    #[expect(clippy::should_implement_trait, reason = "no sum: a list grows")]
    #[expect(
        clippy::implied_bounds_in_impls,
        reason = "comes first, so that what is not `Send` is told just that"
    )]
    pub fn add<R: Outcome>(mut self, system: impl Sendable + System<W, R> + 'static) -> Self {
        self.push(system);
        self
    }

    /// Adds a system, or a list of them, that takes part only in passes in which `condition` holds.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn spawn(game: &mut Game) { game.create_entity(); }
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add_if(|game: &Game| game.len() < 2, spawn);
    /// (0..5).for_each(|_| systems.execute(&mut game));
    /// assert_eq!(game.len(), 2);
    /// ```
    #[must_use = "the list is returned"]
    #[expect(
        clippy::implied_bounds_in_impls,
        reason = "comes first, so that what is not `Send` is told just that"
    )]
    pub fn add_if<R: Outcome>(
        mut self,
        condition: impl FnMut(&W) -> bool + Sendable + 'static,
        system: impl Sendable + System<W, R> + 'static,
    ) -> Self {
        let condition = Box::new(condition);
        self.push_listed(Listed::new(erase(system)).on_condition(condition));
        self
    }

    /// Adds a system that is made from the world which it joins: one that keeps groups, say.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// struct Heal(Group<Game>);
    ///
    /// impl System<Game> for Heal {
    ///     fn execute(&mut self, game: &mut Game) {
    ///         self.0.for_each(game, |mut entity| drop(entity.update_health(|health| health.0 += 1)));
    ///     }
    /// }
    ///
    /// let mut game = Game::new();
    /// let mut systems = Systems::new()
    ///     .add_with(&mut game, |game| Heal(game.group(Game::all_of::<Health>())));
    /// let id = game.create_with(Health(3)).id();
    /// systems.execute(&mut game);
    /// assert_eq!(game.entity(id).health().0, 4);
    /// ```
    #[must_use = "the list is returned"]
    pub fn add_with<S, R>(self, world: &mut W, make: impl FnOnce(&mut W) -> S) -> Self
    where
        S: Sendable + System<W, R> + 'static,
        R: Outcome,
    {
        let system = make(world);
        self.add(system)
    }

    /// Adds a closure that runs in one phase.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::<Game>::new()
    ///     .on(Phase::Initialize, |game| drop(game.create_entity()));
    /// systems.initialize(&mut game);
    /// assert_eq!(game.len(), 1);
    /// ```
    #[must_use = "the list is returned"]
    pub fn on<R: IntoOutcome>(
        self,
        phase: Phase,
        run: impl FnMut(&mut W) -> R + Sendable + 'static,
    ) -> Self {
        self.add(phase.system(run))
    }

    /// Adds a system at the end of a list that is in use already. A reactive system is made
    /// into one by [`Reactive::new`](crate::Reactive::new).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut systems = Systems::new();
    /// systems.push(|game: &mut Game| drop(game.create_entity()));
    /// assert_eq!(systems.len(), 1);
    /// ```
    #[expect(
        clippy::implied_bounds_in_impls,
        reason = "comes first, so that what is not `Send` is told just that"
    )]
    pub fn push<R: Outcome>(&mut self, system: impl Sendable + System<W, R> + 'static) {
        self.push_listed(Listed::new(erase(system)));
    }

    fn push_listed(&mut self, mut listed: Listed<W>) {
        let known = self.systems.iter().map(|listed| &*listed.status.name);
        name::tell_apart(&mut listed.status.name, known);
        if self.measured {
            listed.status.measured = true;
            listed
                .system
                .visit_mut(&mut |status| status.measured = true);
        }
        self.systems.push(listed);
    }

    /// Executes the list until a round in which no reactive system in it had anything to
    /// react to, but at most `at_most` times. Returns whether it came to such a round.
    ///
    /// All systems of the list run in every round, also those that do not react.
    ///
    /// # Panics
    ///
    /// Panics if a system fails; [`try_execute`](Self::try_execute) of a list that goes on
    /// [`until_quiet`](Self::until_quiet) returns the error.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let changed = Game::all_of::<Health>().entered_or_updated();
    /// let mut systems = Systems::new().for_each_changed(&mut game, changed, |game, id| {
    ///     game.entity_mut(id).update_health(|health| health.0 += 1);
    /// });
    /// let id = game.create_with(Health(0)).id();
    /// assert!(!systems.execute_until_quiet(&mut game, 5));
    /// assert_eq!(game.entity(id).health().0, 5);
    /// ```
    #[track_caller]
    pub fn execute_until_quiet(&mut self, world: &mut W, at_most: usize) -> bool {
        let result = self.run_until_quiet(world, at_most);
        expect(result, "try_execute")
    }

    /// Whether the list came to a round without a reaction.
    #[track_caller]
    pub(super) fn run_until_quiet(
        &mut self,
        world: &mut W,
        at_most: usize,
    ) -> Result<bool, SystemError> {
        for _ in 0..at_most {
            let before = self.reaction_calls();
            self.run(Phase::Execute, world)?;
            if self.reaction_calls() == before {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reaction_calls(&self) -> u64 {
        self.reactions().map_or(0, |reactions| reactions.calls)
    }

    /// Returns the number of systems, each nested list counted as one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn walk(_: &mut Game) {}
    /// assert_eq!(Systems::new().add(walk).add(walk).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.systems.len()
    }

    /// Returns whether the list holds no system.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert!(Systems::<Game>::new().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.systems.is_empty()
    }

    /// Returns the names of all systems, those of nested lists after that of their list.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn walk(_: &mut Game) {}
    /// let systems = Systems::new().add(Systems::with_name("Movement").add(walk));
    /// assert_eq!(systems.names(), ["Movement", "walk"]);
    /// ```
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.visit(0, &mut |seen| names.push(seen.status.name.clone()));
        names
    }

    /// Runs a phase once, up to the first system that fails.
    #[track_caller]
    pub(super) fn run(&mut self, phase: Phase, world: &mut W) -> Result<(), SystemError> {
        if self.suspended && matches!(phase, Phase::Execute | Phase::Cleanup) {
            return Ok(());
        }
        if cfg!(debug_assertions) && phase == Phase::Execute {
            self.refuse_uninitialized();
        }
        run_all(&mut self.systems, phase, world)
    }

    #[track_caller]
    fn refuse_uninitialized(&self) {
        let mut forgotten = None;
        self.visit(0, &mut |seen| {
            if seen.awaits_initialize {
                forgotten = forgotten.or(Some(&*seen.status.name));
            }
        });
        if let Some(system) = forgotten {
            panic!(
                "cannot execute the list `{}`: its system `{system}` has not been initialized; call \
                 `initialize` of the list once, before its first execute",
                self.name
            );
        }
    }

    fn each(&mut self, call: impl FnMut(&mut Erased<W>)) {
        self.systems
            .iter_mut()
            .map(|listed| &mut listed.system)
            .for_each(call);
    }
}

/// Moves some entities of each context together.
struct Tidying;

impl ContextVisitor for Tidying {
    fn visit<C: Context>(&mut self, context: &mut C) {
        context.core_mut().tidy();
    }
}

impl<W> Default for Systems<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W> fmt::Debug for Systems<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Systems")
            .field("name", &self.name)
            .field("systems", &self.names())
            .finish()
    }
}

/// A list in another one: each phase returns the error that its `try_` form returns.
impl<W> System<W, Result<(), SystemError>> for Systems<W> {
    fn initialize(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.try_initialize(world)
    }

    fn execute(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.try_execute(world)
    }

    fn cleanup(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.run(Phase::Cleanup, world)
    }

    fn tear_down(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.try_tear_down(world)
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn activate(&mut self, world: &mut W) {
        self.each(|system| system.activate(world));
    }

    fn deactivate(&mut self, world: &mut W) {
        self.each(|system| system.deactivate(world));
    }

    fn clear(&mut self, world: &mut W) {
        self.each(|system| system.clear(world));
    }

    fn release(&mut self, world: &mut W) {
        self.each(|system| system.release(world));
    }

    /// The sum of those of its systems; `None` if none of them reacts.
    fn reactions(&self) -> Option<Reactions> {
        let all = self.systems.iter();
        all.filter_map(|listed| listed.system.reactions())
            .reduce(Reactions::and)
    }

    /// Those of its systems, one after the other.
    fn missed(&self) -> Vec<Missed> {
        let all = self.systems.iter();
        all.flat_map(|listed| listed.system.missed()).collect()
    }

    fn visit<'s>(&'s self, depth: usize, visitor: &mut Visitor<'_, 's>) {
        for Listed { status, system, .. } in &self.systems {
            visitor(Visited {
                depth,
                status,
                reactions: system.reactions(),
                missed: system.missed(),
                awaits_initialize: system.awaits_initialize(),
            });
            system.visit(depth + 1, visitor);
        }
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut SystemStatus)) {
        for Listed { status, system, .. } in &mut self.systems {
            visitor(status);
            system.visit_mut(visitor);
        }
    }

    fn take_named(&mut self, name: &str, taken: &mut Vec<Erased<W>>) {
        let is_named = |listed: &mut Listed<W>| listed.status.name == name;
        let out = self.systems.extract_if(.., is_named);
        taken.extend(out.map(|listed| listed.system));
        self.each(|system| system.take_named(name, taken));
    }
}

impl<W> Systems<W> {
    /// Has [`execute`](Self::execute) and [`cleanup`](Self::cleanup) do nothing from now on, or run
    /// the systems again: a debugger's pause, which the loop of the program need not know of.
    ///
    /// It is of the list alone: which systems are enabled stays as it is. Call it between two passes:
    /// what has been executed and not been cleaned up is cleaned up by the first pass after it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add(|game: &mut Game| drop(game.create_entity().id()));
    /// systems.set_suspended(true);
    /// systems.execute(&mut game);
    /// assert!(systems.is_suspended() && game.is_empty());
    /// systems.set_suspended(false);
    /// systems.execute(&mut game);
    /// assert_eq!(game.len(), 1);
    /// ```
    pub fn set_suspended(&mut self, suspended: bool) {
        self.suspended = suspended;
    }

    /// Returns whether [`execute`](Self::execute) and [`cleanup`](Self::cleanup) do nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert!(!Systems::<Game>::new().is_suspended());
    /// ```
    pub fn is_suspended(&self) -> bool {
        self.suspended
    }
}

impl<W> Systems<W> {
    /// Starts or stops measuring how long the systems of this list and of nested lists take.
    /// Nothing is measured at first.
    ///
    /// On `wasm32-unknown-unknown`, which has no clock, calls are counted, and each takes no time.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn spawn(game: &mut Game) { game.create_entity(); }
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add(spawn);
    /// systems.measure(true);
    /// systems.execute(&mut game);
    /// assert_eq!(systems.statistics("spawn").unwrap().execute.calls(), 1);
    /// ```
    #[cfg(feature = "std")]
    pub fn measure(&mut self, measured: bool) {
        self.measured = measured;
        self.visit_mut(&mut |status| status.measured = measured);
    }

    /// Returns whether systems of this list are measured.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut systems = Systems::<Game>::new();
    /// systems.measure(true);
    /// assert!(systems.is_measured());
    /// ```
    pub fn is_measured(&self) -> bool {
        self.measured
    }

    /// Returns what was measured of the first system of a name; `None` if there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn walk(_: &mut Game) {}
    /// let systems = Systems::new().add(walk);
    /// assert!(systems.statistics("walk").is_some() && systems.statistics("run").is_none());
    /// ```
    pub fn statistics(&self, name: &str) -> Option<Statistics> {
        self.find(name).map(|status| status.statistics)
    }

    /// Starts counting again from zero, for all systems. The shortest and the longest call of all
    /// time are kept.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn walk(_: &mut Game) {}
    /// let mut systems = Systems::new().add(walk);
    /// systems.measure(true);
    /// systems.execute(&mut Game::new());
    /// systems.reset_statistics();
    /// assert_eq!(systems.statistics("walk").unwrap().execute.calls(), 0);
    /// ```
    pub fn reset_statistics(&mut self) {
        self.visit_mut(&mut |status| status.statistics.reset());
    }
}

impl<W> Systems<W> {
    /// Renames the system added last.
    ///
    /// # Panics
    ///
    /// Panics if the list is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut systems = Systems::new().add(|_: &mut Game| ()).named("Nothing");
    /// systems.set_enabled("Nothing", false);
    /// assert_eq!(systems.is_enabled("Nothing"), Some(false));
    /// ```
    #[must_use = "the list is returned"]
    #[track_caller]
    pub fn named(mut self, name: &str) -> Self {
        self.last().status.name = name.to_string();
        self
    }

    /// Lets the system added last forget the changes that happen while it does not take part:
    /// what it gathered is discarded at each execute that passes it over. For a list this goes for
    /// all reactive systems in it.
    ///
    /// # Panics
    ///
    /// Panics if the list is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new()
    ///     .for_each_changed(&mut game, Game::all_of::<Frozen>().entered(), |_, _| ())
    ///     .named("Melt")
    ///     .discard_while_disabled();
    /// for enabled in [false, true] {
    ///     game.create_with(Frozen);
    ///     systems.set_enabled("Melt", enabled);
    ///     systems.execute(&mut game);
    /// }
    /// assert_eq!(systems.reactions().unwrap().total, 1);
    /// ```
    #[must_use = "the list is returned"]
    #[track_caller]
    pub fn discard_while_disabled(mut self) -> Self {
        self.last().status.discards = true;
        self
    }

    #[track_caller]
    fn last(&mut self) -> &mut Listed<W> {
        match self.systems.last_mut() {
            Some(listed) => listed,
            None => panic!(
                "the list `{}` has no system yet; `named` and `discard_while_disabled` \
                 are about the system added last",
                self.name
            ),
        }
    }

    /// Makes each execute of this list repeat until nothing is left to react to, as
    /// [`execute_until_quiet`](Self::execute_until_quiet) does. What is left after `at_most`
    /// rounds waits for the next execute.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let weaken = |game: &mut Game, id| match game.entity(id).health().0 {
    ///     0 => game.destroy(id),
    ///     health => { game.entity_mut(id).replace_health(health - 1); }
    /// };
    /// let mut systems = Systems::new()
    ///     .for_each_changed(&mut game, Game::all_of::<Health>().entered_or_updated(), weaken)
    ///     .until_quiet(100);
    /// game.create_with(Health(7));
    /// systems.execute(&mut game);
    /// assert!(game.is_empty());
    /// ```
    #[must_use = "the list is returned"]
    pub fn until_quiet(mut self, at_most: usize) -> Self {
        self.rounds = Some(at_most);
        self
    }
}

impl<W> Systems<W> {
    /// Lets [`cleanup`](Self::cleanup) leave entities where they are, or move some with the same
    /// components together as it does at first. For nested lists the outermost decides.
    ///
    /// Entities that come, go and change in a random order end up scattered over memory, which makes
    /// loops over those with several components many times slower. So if fewer than 32 neighbours on
    /// average have the same components, each cleanup moves a few: of a context with *n* entities up
    /// to *n* / 64, at least 16 and at most 2,048, until all are in order. It looks at *n* / 16 rows for
    /// that, and when there is nothing to gain, at none for the next 256 cleanups. What is moved depends
    /// on nothing but the context, and histories, snapshots and saves keep track of it: the same
    /// operations lead to the same order. Ids stay as they are, and no event is raised; what changes is the
    /// order in which groups and queries visit entities. See
    /// [`Context::defragment`](crate::Context::defragment).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// for n in 0..1_000 {
    ///     game.create_with(Position(0.0)).set_frozen(n % 10 == 0);
    /// }
    /// assert!(game.storage().fragmentation().misplaced > 100);
    /// let mut systems = Systems::<Game>::new();
    /// (0..100).for_each(|_| systems.cleanup(&mut game));
    /// assert_eq!(game.storage().fragmentation().misplaced, 0);
    /// let mut untouched = Systems::<Game>::new().defragmenting(false);
    /// untouched.cleanup(&mut game);
    /// ```
    #[must_use = "the list is returned"]
    pub fn defragmenting(mut self, defragments: bool) -> Self {
        self.defragments = defragments;
        self
    }
}

impl<W> Systems<W> {
    /// Initializes all systems, in order. To be called once, before the first execute.
    ///
    /// Debug builds refuse to execute a list if this was forgotten, as far as it can be known: if it
    /// has a closure that runs in [`Phase::Initialize`](crate::Phase::Initialize), or a type that
    /// [says so](crate::System::awaits_initialize).
    ///
    /// # Panics
    ///
    /// Panics if a system fails, naming it; see [`try_initialize`](Self::try_initialize).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::<Game>::new()
    ///     .on(Phase::Initialize, |game| drop(game.create_entity()));
    /// systems.initialize(&mut game);
    /// assert_eq!(game.len(), 1);
    /// ```
    #[track_caller]
    pub fn initialize(&mut self, world: &mut W) {
        expect(self.try_initialize(world), "try_initialize");
    }

    /// Initializes all systems, in order, up to the first that fails.
    ///
    /// # Errors
    ///
    /// [`SystemError`] with the name of the system that failed. Those behind it have not been
    /// initialized.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn load(_: &mut Game) -> Result<(), &'static str> { Err("no file") }
    /// let mut systems = Systems::new().on(Phase::Initialize, load);
    /// let error = systems.try_initialize(&mut Game::new()).unwrap_err();
    /// assert_eq!(error.to_string(), "system `load` failed at initialize: no file");
    /// ```
    pub fn try_initialize(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.run(Phase::Initialize, world)
    }

    /// Executes the systems that [take part](Self#which-systems-run), in order.
    ///
    /// # Panics
    ///
    /// Panics if a system fails, naming it; see [`try_execute`](Self::try_execute). Debug builds panic
    /// if a system of the list [awaits its initialize](crate::System::awaits_initialize).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add(|game: &mut Game| drop(game.create_entity()));
    /// systems.execute(&mut game);
    /// assert_eq!(game.len(), 1);
    /// ```
    #[track_caller]
    pub fn execute(&mut self, world: &mut W) {
        expect(self.try_execute(world), "try_execute");
    }

    /// Executes the systems that [take part](Self#which-systems-run), in order, up to the first that
    /// fails.
    ///
    /// # Errors
    ///
    /// [`SystemError`] with the name of the system that failed. Those behind it have not executed, and
    /// will not be cleaned up in this pass.
    ///
    /// # Panics
    ///
    /// Debug builds panic if a system of the list
    /// [awaits its initialize](crate::System::awaits_initialize).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn save(_: &mut Game) -> Result<(), &'static str> { Err("disk full") }
    /// fn spawn(game: &mut Game) { game.create_entity(); }
    /// let (mut game, mut systems) = (Game::new(), Systems::new().add(save).add(spawn));
    /// let error = systems.try_execute(&mut game).unwrap_err();
    /// assert_eq!(error.system(), "save");
    /// assert!(game.is_empty());
    /// ```
    #[track_caller]
    pub fn try_execute(&mut self, world: &mut W) -> Result<(), SystemError> {
        match self.rounds {
            Some(at_most) => self.run_until_quiet(world, at_most).map(drop),
            None => self.run(Phase::Execute, world),
        }
    }

    /// Cleans up after the systems that have executed since the last cleanup, in order. Then moves
    /// some entities with the same components together, [unless it is not to](Self::defragmenting).
    ///
    /// # Panics
    ///
    /// Panics if a system fails, naming it; see [`try_cleanup`](Self::try_cleanup).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity();
    /// let mut systems = Systems::new().on(Phase::Cleanup, Game::destroy_all);
    /// systems.cleanup(&mut game);
    /// assert!(game.is_empty());
    /// ```
    #[track_caller]
    pub fn cleanup(&mut self, world: &mut W)
    where
        W: VisitContexts,
    {
        expect(self.try_cleanup(world), "try_cleanup");
    }

    /// Cleans up after the systems that have executed since the last cleanup, in order, up to the
    /// first that fails.
    ///
    /// # Errors
    ///
    /// [`SystemError`] with the name of the system that failed. Those behind it are cleaned up by the
    /// next call.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn send(_: &mut Game) -> Result<(), &'static str> { Err("not connected") }
    /// let mut systems = Systems::new().on(Phase::Cleanup, send);
    /// assert!(systems.try_cleanup(&mut Game::new()).is_err());
    /// ```
    pub fn try_cleanup(&mut self, world: &mut W) -> Result<(), SystemError>
    where
        W: VisitContexts,
    {
        self.run(Phase::Cleanup, world)?;
        if self.defragments && !self.suspended {
            world.visit_contexts(&mut Tidying);
        }
        Ok(())
    }

    /// Tears all systems down, in order. To be called once, at the end.
    ///
    /// # Panics
    ///
    /// Panics if a system fails, naming it; see [`try_tear_down`](Self::try_tear_down).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity();
    /// let mut systems = Systems::new().on(Phase::TearDown, Game::destroy_all);
    /// systems.tear_down(&mut game);
    /// assert!(game.is_empty());
    /// ```
    #[track_caller]
    pub fn tear_down(&mut self, world: &mut W) {
        expect(self.try_tear_down(world), "try_tear_down");
    }

    /// Tears all systems down, in order, up to the first that fails.
    ///
    /// # Errors
    ///
    /// [`SystemError`] with the name of the system that failed. Those behind it have not been torn
    /// down.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn close(_: &mut Game) -> Result<(), &'static str> { Err("still open") }
    /// let mut systems = Systems::new().on(Phase::TearDown, close);
    /// assert!(systems.try_tear_down(&mut Game::new()).is_err());
    /// ```
    pub fn try_tear_down(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.run(Phase::TearDown, world)
    }
}
