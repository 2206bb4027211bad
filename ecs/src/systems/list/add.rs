//! Adding systems to a list.

use alloc::boxed::Box;
use alloc::string::ToString as _;
use alloc::vec::Vec;

use crate::systems::erased::erase;
use crate::systems::name::ClosureNumbers;
use crate::systems::outcome::{IntoOutcome, Outcome};
use crate::systems::phase::{Phase, PhaseSystem};
use crate::systems::stats::Clock;
use crate::systems::system::{Rounds, Sendable, System, SystemEntry, Systems};

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
            added: 0,
            closures: ClosureNumbers::default(),
            attached: false,
            rounds: Rounds::Once,
            measured: false,
            clock: Clock::default(),
            suspended: false,
            defragments: true,
        }
    }

    /// Adds a system at the end: a type that implements [`System`], another list, or a closure that runs
    /// at execute. A closure must name the type of its argument.
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
    #[expect(clippy::should_implement_trait, reason = "not a sum")]
    #[expect(
        clippy::implied_bounds_in_impls,
        reason = "`Sendable` comes first, so that an error about `Send` stands alone"
    )]
    pub fn add<R: Outcome>(mut self, system: impl Sendable + System<W, R> + 'static) -> Self {
        self.push(system);
        self
    }

    /// Adds a system or a list that runs only in passes in which `condition` returns `true`.
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
        reason = "`Sendable` comes first, so that an error about `Send` stands alone"
    )]
    pub fn add_if<R: Outcome>(
        mut self,
        condition: impl FnMut(&W) -> bool + Sendable + 'static,
        system: impl Sendable + System<W, R> + 'static,
    ) -> Self {
        let condition = Box::new(condition);
        self.push_entry(SystemEntry::new(erase(system)).on_condition(condition));
        self
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
        self.add(PhaseSystem::new(phase, run))
    }

    /// Like [`add`](Self::add), for a list behind `&mut`: in a plug-in, or while the program runs.
    ///
    /// For anything else that can be added to a list, such as reactive systems, use
    /// [`append`](Self::append).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn walk(_: &mut Game) {}
    /// fn fight(_: &mut Game) {}
    /// let mut systems = Systems::new();
    /// systems.push(walk).push(fight);
    /// assert_eq!(systems.names(), ["walk", "fight"]);
    /// ```
    #[expect(
        clippy::implied_bounds_in_impls,
        reason = "`Sendable` comes first, so that an error about `Send` stands alone"
    )]
    pub fn push<R: Outcome>(
        &mut self,
        system: impl Sendable + System<W, R> + 'static,
    ) -> &mut Self {
        self.push_entry(SystemEntry::new(erase(system)));
        self
    }

    /// Moves the systems of another list to the end of this one, with their conditions, settings and
    /// statistics. Use it to build systems with the methods that take `self`, and add them to a list
    /// behind `&mut`.
    ///
    /// The name and settings of the other list itself are dropped. To keep them, [`push`](Self::push) it
    /// as a nested list.
    ///
    /// # Panics
    ///
    /// Panics if the other list runs [until it is quiet](Self::until_quiet) or
    /// [repeats](Self::repeat_while), because that would be lost.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn melting(systems: &mut Systems<Game>, game: &mut Game) {
    ///     let frozen = Game::all_of::<Frozen>().entered();
    ///     systems.append(
    ///         Systems::new()
    ///             .for_each_changed(game, frozen, |game, id| drop(game.entity_mut(id).remove_frozen()))
    ///             .named("melt")
    ///             .add_if(|game: &Game| game.is_empty(), |game: &mut Game| drop(game.create_entity()))
    ///             .named("spawn"),
    ///     );
    /// }
    /// let (mut game, mut systems) = (Game::new(), Systems::new());
    /// melting(&mut systems, &mut game);
    /// assert_eq!(systems.names(), ["melt", "spawn"]);
    /// ```
    #[track_caller]
    pub fn append(&mut self, other: Self) -> &mut Self {
        assert!(
            matches!(other.rounds, Rounds::Once),
            "cannot append the list `{}`, which runs several rounds: `push` it, so that it stays a list",
            other.name
        );
        other.systems.into_iter().for_each(|it| self.push_entry(it));
        self
    }

    fn push_entry(&mut self, mut entry: SystemEntry<W>) {
        self.closures.number(&mut entry.status.name);
        self.closures.add(&entry.status.name);
        if self.measured {
            entry.measure(true);
        }
        if self.clock.is_given() {
            entry.set_clock(&self.clock);
        }
        entry.status.number = self.added;
        self.added += 1;
        self.attached = false;
        self.systems.push(entry);
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
        let before = core::mem::replace(&mut self.last().status.name, name.to_string());
        self.closures.remove_last(&before);
        self.closures.add(name);
        self
    }

    /// Makes the system added last discard changes while it is disabled: each execute that skips it
    /// discards what it has collected. For a list, this applies to all reactive systems in it.
    ///
    /// States are compared, not collected: those entered or left meanwhile run [`on_enter`](Self::on_enter) and
    /// [`on_exit`](Self::on_exit) at the next execute that does not skip the list.
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
    fn last(&mut self) -> &mut SystemEntry<W> {
        match self.systems.last_mut() {
            Some(entry) => entry,
            None => panic!(
                "the list `{}` has no system yet; `named` and `discard_while_disabled` \
                 apply to the system added last",
                self.name
            ),
        }
    }
}

impl<W> Default for Systems<W> {
    fn default() -> Self {
        Self::new()
    }
}
