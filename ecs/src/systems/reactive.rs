//! Systems that react to changes.
//!
//! Each of them is a [`Reaction`](reaction::Reaction): a source that collects changes, and logic that
//! receives what was collected. They differ in these two parts only:
//!
//! ```text
//! method of Systems    source                        what the logic receives
//! add_reactive         ids of one or more contexts   the ids that pass the filter
//! for_each_changed     ids of one context            one id at a time
//! query_changed        entities of a query           one item at a time
//! on_removed           values that entities lost     the values and their ids
//! on_message           messages of an inbox          one message at a time
//! on_enter, on_exit    the state at each execute     nothing
//! on_transition        the state at each execute     the old and the new state
//! ```

mod collected;
mod contexts;
mod each;
mod messages;
mod query;
mod reaction;
mod removed;
mod states;
mod transitions;

use alloc::string::String;

use self::contexts::ReactiveContextsOf;
use self::reaction::{ChangeSource, React, Reaction};
use crate::systems::name;
use crate::systems::outcome::Outcome;
use crate::systems::phase::Phase;
use crate::systems::system::{Sendable, Systems};

pub use self::contexts::ReactiveContexts;

/// Logic that reacts to changes. It returns a trigger, and receives the entities that the trigger has
/// collected.
///
/// [`Systems::add_reactive`] adds it to a list and starts collecting. Each entity is collected once, in
/// the order of first changes. When the system executes,
///
/// 1. the collected entities are taken. What the system itself changes is collected for its *next*
///    execute;
/// 2. entities are skipped that are dead, or for which the trigger no longer holds: after *entered* and
///    *updated* an entity must still match, after *left* it must still not match. With several triggers
///    ([`Trigger::or`](crate::Trigger::or)), one must hold;
/// 3. [`filter`](Self::filter) is called for each of the others;
/// 4. [`react`](Self::react) is called with the rest, unless it is empty.
///
/// Skipped entities are not kept for later. So an entity that is destroyed in the cleanup phase reaches
/// only systems that execute before it.
///
/// # Several contexts
///
/// `Context` is a context, or a tuple of two to four. With a tuple there are a trigger and a list of ids
/// for each context, and the system runs if at least one list has an entity.
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[ecs::context] pub struct Ui;
/// # #[derive(Contexts)] struct World { game: Game, ui: Ui }
/// #[derive(Component)]
/// #[component(context(Game, Ui))]
/// struct Dead;
///
/// struct Bury;
/// impl ReactiveSystem<World> for Bury {
///     type Context = (Game, Ui);
///     fn trigger(&self) -> (Trigger<Game>, Trigger<Ui>) {
///         (Game::all_of::<Dead>().entered(), Ui::all_of::<Dead>().entered())
///     }
///     fn react(&mut self, world: &mut World, (game, ui): (&[EntityId<Game>], &[EntityId<Ui>])) {
///         game.iter().for_each(|&id| world.game.destroy(id));
///         ui.iter().for_each(|&id| world.ui.destroy(id));
///     }
/// }
/// let mut world = World { game: Game::new(), ui: Ui::new() };
/// let mut systems = Systems::new().add_reactive(&mut world, Bury);
/// world.ui.create_with(Dead);
/// systems.execute(&mut world);
/// assert!(world.ui.is_empty());
/// ```
///
/// # Systems that fail
///
/// A system that can fail is a `ReactiveSystem<W, Result<(), E>>`, and its [`react`](Self::react) returns
/// a `Result`. The entities that it received when it failed are not passed to it again.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// struct Bury;
/// impl ReactiveSystem<Game> for Bury {
///     type Context = Game;
///     fn trigger(&self) -> Trigger<Game> { Game::all_of::<Health>().entered_or_updated() }
///     fn filter(&self, entity: GameEntity<'_>) -> bool { entity.health().0 == 0 }
///     fn react(&mut self, game: &mut Game, changed: &[EntityId<Game>]) {
///         for &id in changed { game.destroy(id); }
///     }
/// }
/// let mut game = Game::new();
/// let mut systems = Systems::new().add_reactive(&mut game, Bury);
/// game.create_many([Health(0), Health(1)]);
/// systems.execute(&mut game);
/// assert_eq!(game.len(), 1);
/// ```
#[doc(alias = "MultiReactiveSystem")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reactive system of the world `{W}`",
    label = "not a reactive system of `{W}`",
    note = "write `impl ReactiveSystem<{W}> for {Self}`; other systems are added by `add`"
)]
pub trait ReactiveSystem<W, R: Outcome = ()>: Sendable {
    /// The context whose entities it reacts to, or a tuple of two to four contexts.
    type Context: ReactiveContextsOf<W>;

    /// Returns the trigger; for several contexts, a tuple of triggers. Called once, when the system is
    /// added.
    fn trigger(&self) -> <Self::Context as ReactiveContexts>::Trigger;

    /// Returns whether to react to an entity. By default, all entities pass.
    ///
    /// It is called for living entities for which the trigger still holds. For several contexts, it
    /// receives a tuple of `Option`s, of which one is the entity.
    fn filter(&self, entity: <Self::Context as ReactiveContexts>::Entity<'_>) -> bool {
        let _ = entity;
        true
    }

    /// Returns whether destroyed entities are included, as dead ids, without calling
    /// [`filter`](Self::filter) for them. By default they are not. Called once, when the system is added.
    ///
    /// If you need the values that were lost, use [`Systems::on_removed`].
    fn include_destroyed(&self) -> bool {
        false
    }

    /// Reacts to the collected entities, of which there is at least one. For several contexts, it
    /// receives a tuple of lists.
    ///
    /// While it runs, its own changes may destroy or change entities that come later in the list.
    fn react(
        &mut self,
        world: &mut W,
        changed: <Self::Context as ReactiveContexts>::Changed<'_>,
    ) -> R;

    /// Runs once, before the first execute.
    fn initialize(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }

    /// Runs once instead of [`initialize`](Self::initialize), if the world was loaded; see
    /// [`Systems::resume`].
    fn resume(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }

    /// Runs in every pass, after all systems have executed, whether it has reacted or not.
    fn cleanup(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }

    /// Runs once, at the end.
    fn tear_down(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }

    /// Returns the name of the system; see [`System::name`](crate::System::name).
    fn name(&self) -> String {
        name::of::<Self>()
    }
}

/// The logic of a [`ReactiveSystem`].
struct Logic<S>(S);

impl<W, S, R> React<W, SourceOf<S, W, R>, R> for Logic<S>
where
    S: ReactiveSystem<W, R>,
    R: Outcome,
{
    fn accept(&mut self, entity: <SourceOf<S, W, R> as ChangeSource<W>>::Candidate<'_>) -> bool {
        self.0.filter(entity)
    }

    fn react(&mut self, world: &mut W, source: &mut SourceOf<S, W, R>) -> R {
        self.0.react(world, S::Context::changed(source))
    }

    fn run(&mut self, phase: Phase, world: &mut W) -> R {
        match phase {
            Phase::Initialize => self.0.initialize(world),
            Phase::Resume => self.0.resume(world),
            Phase::Execute => R::done(),
            Phase::Cleanup => self.0.cleanup(world),
            Phase::TearDown => self.0.tear_down(world),
        }
    }

    fn name(&self) -> String {
        self.0.name()
    }
}

/// The source of a [`ReactiveSystem`].
type SourceOf<S, W, R> = <<S as ReactiveSystem<W, R>>::Context as ReactiveContextsOf<W>>::Source;

impl<W> Systems<W> {
    /// Adds a reactive system, which collects changes from now on. See [`ReactiveSystem`] for an example.
    ///
    /// Only its methods as a [`ReactiveSystem`] are called: those of an `impl System` for the same type are
    /// not. Implement `initialize`, `cleanup` and `tear_down` of `ReactiveSystem`, and what runs at each
    /// execute as a system of its own.
    ///
    /// Events: *group created* for the groups that its trigger is the first to need.
    #[must_use = "the list is returned"]
    pub fn add_reactive<S, R: Outcome>(self, world: &mut W, system: S) -> Self
    where
        S: ReactiveSystem<W, R> + 'static,
    {
        let (trigger, include_destroyed) = (system.trigger(), system.include_destroyed());
        let source = S::Context::open(world, trigger, include_destroyed, &system.name());
        self.add(Reaction::new(Logic(system), source))
    }
}
