//! Systems that react to changes.
//!
//! All of them are one [`Reaction`](reaction::Reaction): a source that gathers changes, and a
//! system that is handed what was gathered. The public types differ in the source and in what they
//! are handed:
//!
//! ```text
//! Reactive       ids of one context ─────────────► the ids that pass the filter
//! EachChanged    ids of one context ─────────────► one id after the other
//! QueryChanged   entities of a query ────────────► one item after the other
//! OnRemoved      values that entities lost ──────► the values with their ids
//! MultiReactive  ids of several contexts ────────► a list of ids for each
//! OnTransition   the state, whenever it executes ► nothing else, or both ends
//! ```

mod collected;
mod each;
mod messages;
mod multi;
mod query;
mod reaction;
mod removed;
mod states;
mod transitions;

use alloc::string::String;

use self::collected::Collected;
use self::reaction::{React, Reaction};
use crate::api::context::Context;
use crate::api::entity::Handles;
use crate::matching::matcher::Trigger;
use crate::systems::contexts::HasContext;
use crate::systems::forward::{forward_phases, forward_to};
use crate::systems::name;
use crate::systems::outcome::Outcome;
use crate::systems::system::{Sendable, System, Systems};
use crate::words::entity_id::EntityId;

pub use self::each::EachChanged;
pub use self::messages::OnMessage;
pub use self::multi::{ContextTuple, MultiReactive, MultiReactiveSystem};
pub use self::query::QueryChanged;
pub use self::removed::OnRemoved;
pub use self::states::OnTransition;

/// Logic that reacts to changes: it says what it waits for, and is handed the entities
/// concerned.
///
/// [`Systems::add_reactive`] makes a system of it, which gathers entities from then on, each one
/// once, in the order in which they were first concerned. At its execute
///
/// 1. what was gathered is taken over, so what the system changes itself reaches it at
///    its *next* execute;
/// 2. entities are skipped that are dead, or for which what the trigger waits for no longer
///    holds: after *entered* and *updated* an entity must still match, after *left* it must
///    still not match. With several triggers ([`Trigger::or`]) it is enough if one holds;
/// 3. [`filter`](Self::filter) is asked about the others;
/// 4. [`react`](Self::react) is called with those that are left, unless there are none.
///
/// What was skipped is forgotten, not kept for later. So an entity that the clean-up
/// of a pass destroys is handed only to the systems that execute before it.
///
/// A system that can fail is a `ReactiveSystem<W, Result<(), E>>`, and its
/// [`react`](Self::react) returns a `Result`. If it fails, what it was handed is forgotten, too: whoever
/// wants it back keeps it, or marks these entities.
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reactive system of the world `{W}`",
    label = "not a reactive system of `{W}`",
    note = "write `impl ReactiveSystem<{W}> for {Self}`; other systems are added by `add`"
)]
pub trait ReactiveSystem<W, R: Outcome = ()>: Sendable {
    /// The context whose entities it waits for.
    type Context: Context;

    /// Returns what it waits for. Asked for once, when the system is added.
    fn trigger(&self) -> Trigger<Self::Context>;

    /// Whether an entity is to be reacted to: a living one, for which what the trigger waits for
    /// still holds. By default all are.
    fn filter(&self, entity: <Self::Context as Handles>::Entity<'_>) -> bool {
        let _ = entity;
        true
    }

    /// Whether the ids of entities that have died since are handed over, too: by default they are
    /// not. [`filter`](Self::filter) is not asked about them. Asked for once, when the system is
    /// added.
    ///
    /// If you need the values that were lost, use [`Systems::on_removed`].
    fn include_destroyed(&self) -> bool {
        false
    }

    /// Reacts to the entities concerned, of which there is at least one.
    ///
    /// All are as described above when it is called. What it changes itself may destroy or
    /// change those that come later in the list.
    fn react(&mut self, world: &mut W, changed: &[EntityId<Self::Context>]) -> R;

    /// Runs once, before the first execute.
    fn initialize(&mut self, world: &mut W) -> R {
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

    /// The name of the system; see [`System::name`].
    fn name(&self) -> String {
        name::of::<Self>()
    }
}

/// A [`ReactiveSystem`] with its collector: a [`System`] like any other.
///
/// [`Systems::add_reactive`] makes one. It can also be used on its own.
///
/// # Panics
///
/// Its methods that take the world panic if that has another context than the one that it was made
/// with.
///
/// # Examples
///
/// ```
/// # use ecs::{Reactive, prelude::*};
/// # use sample::*;
/// # struct Thaw;
/// # impl ReactiveSystem<Game> for Thaw {
/// #     type Context = Game;
/// #     fn trigger(&self) -> Trigger<Game> { Game::all_of::<Frozen>().entered() }
/// #     fn react(&mut self, game: &mut Game, changed: &[EntityId<Game>]) {
/// #         game.many(changed).remove::<Frozen>();
/// #     }
/// # }
/// let mut game = Game::new();
/// let mut thaw = Reactive::new(&mut game, Thaw);
/// let id = game.create_entity().add_frozen().id();
/// thaw.execute(&mut game);
/// assert!(!game.entity(id).has_frozen());
/// thaw.release(&mut game);
/// ```
pub struct Reactive<S, C>(Reaction<Single<S>, Collected<C>>);

impl<S, C: Context> Reactive<S, C> {
    /// Makes a system of `system` that gathers changes from now on.
    ///
    /// Events: *group created* for the groups that its trigger is the first to need.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # use ecs::Reactive;
    /// struct Thaw;
    /// impl ReactiveSystem<Game> for Thaw {
    ///     type Context = Game;
    ///     fn trigger(&self) -> Trigger<Game> { Game::all_of::<Frozen>().entered() }
    ///     fn react(&mut self, game: &mut Game, changed: &[EntityId<Game>]) {
    ///         game.many(changed).remove::<Frozen>();
    ///     }
    /// }
    /// let mut game = Game::new();
    /// let mut systems = Systems::new();
    /// systems.push(Reactive::new(&mut game, Thaw));
    /// let id = game.create_with(Frozen).id();
    /// systems.execute(&mut game);
    /// assert!(!game.entity(id).is_frozen());
    /// ```
    pub fn new<W, R: Outcome>(world: &mut W, system: S) -> Self
    where
        S: ReactiveSystem<W, R, Context = C>,
        W: HasContext<C>,
    {
        let (trigger, include_destroyed) = (system.trigger(), system.include_destroyed());
        let (context, name) = (world.context_mut(), system.name());
        let collected = Collected::new(context, trigger, include_destroyed, &name);
        Self(Reaction::new(Single(system), collected))
    }

    /// Returns the system.
    pub fn system(&self) -> &S {
        &self.0.logic.0
    }

    /// Returns the system, to be changed.
    pub fn system_mut(&mut self) -> &mut S {
        &mut self.0.logic.0
    }
}

/// A system that reacts to one context.
struct Single<S>(S);

impl<W, S, C, R> React<W, Collected<C>, R> for Single<S>
where
    S: ReactiveSystem<W, R, Context = C>,
    C: Context,
    W: HasContext<C>,
    R: Outcome,
{
    forward_phases!(this => this.0, ReactiveSystem<W, R>, R);

    fn accept(&mut self, entity: C::Entity<'_>) -> bool {
        self.0.filter(entity)
    }

    fn react(&mut self, world: &mut W, collected: &Collected<C>) -> R {
        self.0.react(world, collected.ids())
    }
}

impl<W, S, C, R> System<W, R> for Reactive<S, C>
where
    S: ReactiveSystem<W, R, Context = C>,
    C: Context,
    W: HasContext<C>,
    R: Outcome,
{
    forward_to!(this => this.0, R);
}

impl<W> Systems<W> {
    /// Adds a reactive system at the end, which gathers changes from now on. See
    /// [`ReactiveSystem`] for an example.
    ///
    /// Events: *group created* for the groups that its trigger is the first to need.
    #[must_use = "the list is returned"]
    pub fn add_reactive<S, R: Outcome>(self, world: &mut W, system: S) -> Self
    where
        S: ReactiveSystem<W, R> + 'static,
        W: HasContext<S::Context>,
    {
        let system = Reactive::new(world, system);
        self.add(system)
    }
}
