//! The list of systems: built by value, walked in order, changed by name.

mod by_name;
mod measuring;
mod reactive;

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use super::entry::Entry;
use super::{Phase, Reactions, System};

/// Systems in order: a list with a name, which is itself a [`System`], so lists nest.
///
/// Each phase runs the systems one after the other in the order in which they were
/// added, tear-down too. What a system changes is seen by those after it in the same
/// pass, by those before it in the next one.
///
/// A list owns its systems. It is not `Send`, so that systems may hold what belongs to
/// one thread (a window, a terminal); a program that runs several worlds in several
/// threads makes each list where it runs.
///
/// A panic in a system ends the phase; the list is as usable as before, and the next call
/// runs all systems again. What a reactive system had been handed is not handed to it
/// again.
///
/// # Switching off
///
/// A system takes part in a pass where it is [enabled](Systems::set_enabled) and all its
/// [conditions](Systems::run_if) hold. This is asked at execute, and cleanup is for those
/// that have executed since the cleanup before; where nothing was asked since, it asks
/// for itself.
/// Initialize and tear-down are for all. A reactive system that is passed over keeps
/// what happens meanwhile for later; with
/// [`drop_while_off`](Systems::drop_while_off) it is forgotten.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// let mut game = Game::new();
/// let mut systems = Systems::new()
///     .add(|game: &mut Game| drop(game.create_entity()))
///     .add(Systems::named("End").on(Phase::Cleanup, |game: &mut Game| game.destroy_all()));
/// systems.execute(&mut game);
/// assert_eq!(game.len(), 1);
/// systems.cleanup(&mut game);
/// assert_eq!(game.len(), 0);
/// ```
pub struct Systems<W> {
    pub(super) name: String,
    pub(super) entries: Vec<Entry<W>>,
    /// How often an execute may go through the list, if it is to go on until quiet.
    passes: Option<usize>,
    /// Whether durations are measured.
    pub(super) measured: bool,
}

impl<W> Systems<W> {
    /// An empty list, called `Systems`.
    pub fn new() -> Self {
        Self::named("Systems")
    }

    /// An empty list with a name.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// assert_eq!(Systems::<Game>::named("Movement").name(), "Movement");
    /// ```
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_string(),
            entries: Vec::new(),
            passes: None,
            measured: false,
        }
    }

    /// Adds a system at the end: a type with [`System`], another list, or a closure that
    /// runs at execute. A closure names the type of its argument.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().add(|game: &mut Game| drop(game.create_entity()));
    /// systems.execute(&mut game);
    /// assert_eq!(game.len(), 1);
    /// ```
    #[must_use = "the list is handed back"]
    #[expect(clippy::should_implement_trait, reason = "no sum: a list grows")]
    pub fn add(mut self, system: impl System<W> + 'static) -> Self {
        self.push(system);
        self
    }

    /// Adds a closure that runs in one phase.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let mut systems = Systems::<Game>::new()
    ///     .on(Phase::Initialize, |game| drop(game.create_entity()));
    /// systems.initialize(&mut game);
    /// assert_eq!(game.len(), 1);
    /// ```
    #[must_use = "the list is handed back"]
    pub fn on(self, phase: Phase, run: impl FnMut(&mut W) + 'static) -> Self {
        self.add(phase.system(run))
    }

    /// Adds a system at the end of a list that is in use already; a reactive one is made
    /// by [`Reactive::new`](super::Reactive::new).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut systems = Systems::new();
    /// systems.push(|game: &mut Game| drop(game.create_entity()));
    /// assert_eq!(systems.len(), 1);
    /// ```
    pub fn push(&mut self, system: impl System<W> + 'static) {
        let mut entry = Entry::new(Box::new(system));
        if self.measured
            && let Some(systems) = entry.system.as_systems_mut()
        {
            systems.measured = true;
            systems.measure_nested();
        }
        self.entries.push(entry);
    }

    /// Calls the system added last by another name.
    ///
    /// # Panics
    ///
    /// Panics where the list is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut systems = Systems::new().add(|_: &mut Game| ()).called("Nothing");
    /// systems.set_enabled("Nothing", false);
    /// assert_eq!(systems.is_enabled("Nothing"), Some(false));
    /// ```
    #[must_use = "the list is handed back"]
    #[track_caller]
    pub fn called(mut self, name: &str) -> Self {
        self.last().name = name.to_string();
        self
    }

    /// Has the system added last take part only in passes in which `condition` holds. A
    /// second condition is a further one.
    ///
    /// # Panics
    ///
    /// Panics where the list is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new()
    ///     .add(|game: &mut Game| drop(game.create_entity()))
    ///     .run_if(|game| game.len() < 2);
    /// (0..5).for_each(|_| systems.execute(&mut game));
    /// assert_eq!(game.len(), 2);
    /// ```
    #[must_use = "the list is handed back"]
    #[track_caller]
    pub fn run_if(mut self, condition: impl FnMut(&W) -> bool + 'static) -> Self {
        self.last().add_condition(condition);
        self
    }

    /// Has the reactive systems in the system added last forget what happens while it
    /// takes no part: what they gathered is dropped at each execute that passes it over.
    ///
    /// # Panics
    ///
    /// Panics where the list is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new()
    ///     .for_each_changed(&mut game, Game::all_of::<Frozen>().entered(), |_, _| ())
    ///     .run_if(|game| game.len() > 1)
    ///     .drop_while_off();
    /// for _ in 0..2 {
    ///     game.create_with(Frozen);
    ///     systems.execute(&mut game);
    /// }
    /// assert_eq!(systems.reactions().unwrap().total, 1);
    /// ```
    #[must_use = "the list is handed back"]
    #[track_caller]
    pub fn drop_while_off(mut self) -> Self {
        self.last().forgets = true;
        self
    }

    #[track_caller]
    fn last(&mut self) -> &mut Entry<W> {
        match self.entries.last_mut() {
            Some(entry) => entry,
            None => panic!(
                "the list `{}` has no system yet; `called`, `run_if` and `drop_while_off` are \
                 about the system added last",
                self.name
            ),
        }
    }

    /// Has each execute of this list go on until it is quiet; see
    /// [`execute_until_quiet`](Self::execute_until_quiet). What is left after `at_most`
    /// rounds waits for the next execute.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let weaken = |game: &mut Game, id| match game.entity(id).health().0 {
    ///     0 => game.destroy(id),
    ///     health => { game.entity_mut(id).replace_health(health - 1); }
    /// };
    /// let mut systems = Systems::new()
    ///     .for_each_changed(&mut game, Game::all_of::<Health>().added(), weaken)
    ///     .until_quiet(100);
    /// game.create_with(Health(7));
    /// systems.execute(&mut game);
    /// assert!(game.is_empty());
    /// ```
    #[must_use = "the list is handed back"]
    pub fn until_quiet(mut self, at_most: usize) -> Self {
        self.passes = Some(at_most);
        self
    }

    /// Executes the list until a round in which no reactive system in it had anything to
    /// react to, at most so many times; tells whether it came to that.
    ///
    /// All systems of the list run in every round, those that do not react too.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let mut systems = Systems::new();
    /// systems = systems.for_each_changed(&mut game, Game::all_of::<Health>().added(), |game, id| {
    ///     game.entity_mut(id).update_health(|health| health.0 += 1);
    /// });
    /// let id = game.create_with(Health(0)).id();
    /// assert!(!systems.execute_until_quiet(&mut game, 5));
    /// assert_eq!(game.entity(id).health().0, 5);
    /// ```
    pub fn execute_until_quiet(&mut self, world: &mut W, at_most: usize) -> bool {
        for _ in 0..at_most {
            let before = self.reaction_calls();
            self.run(Phase::Execute, world);
            if self.reaction_calls() == before {
                return true;
            }
        }
        false
    }

    fn reaction_calls(&self) -> u64 {
        self.reactions().map_or(0, |reactions| reactions.calls)
    }

    /// How many systems it holds, each nested list counted as one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// fn walk(_: &mut Game) {}
    /// assert_eq!(Systems::new().add(walk).add(walk).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds no system.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// assert!(Systems::<Game>::new().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn run(&mut self, phase: Phase, world: &mut W) {
        for entry in &mut self.entries {
            entry.run(phase, world, self.measured);
        }
    }

    fn each(&mut self, mut call: impl FnMut(&mut dyn System<W>)) {
        for entry in &mut self.entries {
            call(&mut *entry.system);
        }
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

impl<W> System<W> for Systems<W> {
    fn initialize(&mut self, world: &mut W) {
        self.run(Phase::Initialize, world);
    }

    fn execute(&mut self, world: &mut W) {
        match self.passes {
            Some(at_most) => drop(self.execute_until_quiet(world, at_most)),
            None => self.run(Phase::Execute, world),
        }
    }

    fn cleanup(&mut self, world: &mut W) {
        self.run(Phase::Cleanup, world);
    }

    fn tear_down(&mut self, world: &mut W) {
        self.run(Phase::TearDown, world);
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

    /// The sum of those of its systems; `None` where none of them reacts.
    fn reactions(&self) -> Option<Reactions> {
        let all = self.entries.iter();
        all.filter_map(|entry| entry.system.reactions())
            .reduce(Reactions::and)
    }

    fn as_systems(&self) -> Option<&Systems<W>> {
        Some(self)
    }

    fn as_systems_mut(&mut self) -> Option<&mut Systems<W>> {
        Some(self)
    }
}
