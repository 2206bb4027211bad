//! The phases of a list.

use core::mem;

use super::entry::run_all;
use crate::api::context::Context;
use crate::state::tidy;
use crate::systems::contexts::{ContextVisitor, VisitContexts};
use crate::systems::error::{SystemError, expect};
use crate::systems::phase::Phase;
use crate::systems::stats::NestedSystems as _;
use crate::systems::system::{Rounds, System as _, Systems};

impl<W> Systems<W> {
    /// Initializes all systems, in order. Call it once, before the first execute. If the world was loaded,
    /// call [`resume`](Self::resume) instead, or what initialize creates exists twice.
    ///
    /// In debug builds, [`execute`](Self::execute) panics if this was forgotten and the list has a closure
    /// that runs in [`Phase::Initialize`](crate::Phase::Initialize), or a system that
    /// [needs it](crate::System::needs_initialize).
    ///
    /// # Panics
    ///
    /// Panics if a system fails, with its name and error.
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

    /// Like [`initialize`](Self::initialize), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`SystemError`] of the first system that failed. The systems after it have not been initialized.
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

    /// Continues a world that was loaded from a save: call it once, before the first execute, instead of
    /// [`initialize`](Self::initialize), whose results are in the save.
    ///
    /// It calls [`resume`](crate::System::resume) of all systems, in order, which does nothing by default. A
    /// system whose initialize also sets up what is not saved, such as textures or entities in another
    /// context, does that in both phases.
    ///
    /// # Panics
    ///
    /// Panics if a system fails, with its name and error.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # #[cfg(feature = "serde")] {
    /// # use serde_json::{Deserializer, to_string};
    /// fn systems() -> Systems<Game> {
    ///     Systems::new().on(Phase::Initialize, |game: &mut Game| drop(game.create_with(Health(3))))
    /// }
    /// let (mut game, mut first) = (Game::new(), systems());
    /// first.initialize(&mut game);
    /// let file = to_string(&game.save()).unwrap();
    ///
    /// let mut game = Game::load(&mut Deserializer::from_str(&file)).unwrap();
    /// let mut second = systems();
    /// second.resume(&mut game);
    /// second.execute(&mut game);
    /// assert_eq!(game.len(), 1);
    /// # }
    /// ```
    #[track_caller]
    pub fn resume(&mut self, world: &mut W) {
        expect(self.try_resume(world), "try_resume");
    }

    /// Like [`resume`](Self::resume), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`SystemError`] of the first system that failed. The systems after it have not been resumed.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn open(_: &mut Game) -> Result<(), &'static str> { Err("no file") }
    /// let mut systems = Systems::new().on(Phase::Resume, open);
    /// let error = systems.try_resume(&mut Game::new()).unwrap_err();
    /// assert_eq!(error.to_string(), "system `open` failed at resume: no file");
    /// ```
    pub fn try_resume(&mut self, world: &mut W) -> Result<(), SystemError> {
        self.run(Phase::Resume, world)
    }

    /// Executes the systems, in order. See [which systems run](Self#which-systems-run).
    ///
    /// # Panics
    ///
    /// Panics if a system fails, with its name and error. In debug builds, panics if a system
    /// [needs to be initialized](crate::System::needs_initialize).
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

    /// Like [`execute`](Self::execute), but returns an error instead of panicking if a system fails.
    ///
    /// # Errors
    ///
    /// [`SystemError`] of the first system that failed. The systems after it have not executed, and will
    /// not be cleaned up in this pass.
    ///
    /// # Panics
    ///
    /// In debug builds, panics if a system [needs to be initialized](crate::System::needs_initialize).
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

    /// Runs the cleanup of the systems that have executed since the last cleanup, in order. Then moves
    /// some entities with the same components together; [`defragmenting`](Self::defragmenting) turns that
    /// off.
    ///
    /// # Panics
    ///
    /// Panics if a system fails, with its name and error.
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

    /// Like [`cleanup`](Self::cleanup), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`SystemError`] of the first system that failed. The systems after it are cleaned up by the next
    /// call.
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
            world.visit_contexts(&mut DefragmentContexts);
        }
        Ok(())
    }

    /// Tears down all systems, in order. Call it once, at the end.
    ///
    /// # Panics
    ///
    /// Panics if a system fails, with its name and error.
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

    /// Like [`tear_down`](Self::tear_down), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`SystemError`] of the first system that failed. The systems after it have not been torn down.
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

    /// Runs the cleanup phase of a nested list, which moves no entities.
    #[track_caller]
    pub(crate) fn run_cleanup(&mut self, world: &mut W) {
        expect(self.run(Phase::Cleanup, world), "try_cleanup");
    }

    /// Runs a phase once, up to the first system that fails.
    #[track_caller]
    pub(in crate::systems) fn run(
        &mut self,
        phase: Phase,
        world: &mut W,
    ) -> Result<(), SystemError> {
        if self.suspended && matches!(phase, Phase::Execute | Phase::Cleanup) {
            return Ok(());
        }
        if phase == Phase::Cleanup && self.has_cleaned_up() {
            return Ok(());
        }
        if cfg!(debug_assertions) && phase == Phase::Execute {
            self.reject_uninitialized();
        }
        if phase == Phase::Execute && !mem::replace(&mut self.attached, true) {
            let systems = self.systems.iter_mut();
            systems.for_each(|entry| entry.system.attach(world));
        }
        run_all(&mut self.systems, phase, world)
    }

    #[track_caller]
    fn reject_uninitialized(&self) {
        let mut forgotten = None;
        self.visit(0, &mut |seen| {
            if seen.needs_initialize {
                forgotten = forgotten.or(Some(&*seen.status.name));
            }
        });
        if let Some(system) = forgotten {
            panic!(
                "cannot execute the list `{}`: its system `{system}` has not been initialized; call \
                 `initialize` of the list once, before its first execute, or `resume` if its world was loaded",
                self.name
            );
        }
    }
}

/// Moves some entities of each context.
struct DefragmentContexts;

impl ContextVisitor for DefragmentContexts {
    fn visit<C: Context>(&mut self, context: &mut C) {
        let core = context.core_mut();
        tidy(&mut core.world, &mut core.subs);
    }
}

impl<W> Systems<W> {
    /// Suspends or resumes the list. While it is suspended, [`execute`](Self::execute) and
    /// [`cleanup`](Self::cleanup) do nothing, so a debugger can pause a program without changing its loop.
    ///
    /// It does not change which systems are enabled. Call it between two passes: a cleanup that is
    /// missing when it is suspended runs in the first pass after it resumes.
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

    /// Returns whether the list is [suspended](Self::set_suspended).
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
    /// Sets whether [`cleanup`](Self::cleanup) moves some entities with the same components together. On by
    /// default; the setting of the outermost list counts.
    ///
    /// Entities that are created, changed and destroyed in a random order end up scattered in memory, and
    /// loops over several components become many times slower. So while runs of entities with the same
    /// components are shorter than 32 on average, each cleanup moves up to *n* / 64 of *n* entities, at
    /// least 16 and at most 2,048. To decide, it examines *n* / 16 rows; if there is nothing to do, it
    /// does not check again for 256 cleanups.
    ///
    /// Ids stay the same and no event is raised, but groups and queries visit entities in another order.
    /// This order depends on the context alone, and histories, snapshots and saves include it: the same
    /// operations result in the same order. See [`Context::defragment`](crate::Context::defragment).
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
