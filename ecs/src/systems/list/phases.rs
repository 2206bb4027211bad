//! The phases of a list.

use super::listed::run_all;
use crate::api::context::Context;
use crate::systems::contexts::{ContextVisitor, VisitContexts};
use crate::systems::error::{SystemError, expect};
use crate::systems::phase::Phase;
use crate::systems::system::{Rounds, Systems};

impl<W> Systems<W> {
    /// Initializes all systems, in order. To be called once, before the first execute.
    ///
    /// Debug builds reject to execute a list if this was forgotten, as far as it can be known: if it
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
            Rounds::Once => self.run(Phase::Execute, world),
            Rounds::UntilQuiet(at_most) => self.run_until_quiet(world, at_most).map(drop),
            Rounds::While(_) => self.run_while(world),
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

    /// Cleans up as a list in another one, which moves nothing together.
    #[track_caller]
    pub(crate) fn clean_up(&mut self, world: &mut W) {
        expect(self.run(Phase::Cleanup, world), "try_cleanup");
    }

    /// Runs a phase once, up to the first system that fails.
    #[track_caller]
    pub(super) fn run(&mut self, phase: Phase, world: &mut W) -> Result<(), SystemError> {
        if self.suspended && matches!(phase, Phase::Execute | Phase::Cleanup) {
            return Ok(());
        }
        if phase == Phase::Cleanup && self.has_cleaned_up() {
            return Ok(());
        }
        if cfg!(debug_assertions) && phase == Phase::Execute {
            self.reject_uninitialized();
        }
        run_all(&mut self.systems, phase, world)
    }

    #[track_caller]
    fn reject_uninitialized(&self) {
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
}

/// Moves some entities of each context together.
struct Tidying;

impl ContextVisitor for Tidying {
    fn visit<C: Context>(&mut self, context: &mut C) {
        context.core_mut().tidy();
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
