//! Systems that run where something happened, and are handed the entities concerned.

use alloc::string::String;

use super::inbox::{Inbox, inbox_of_a_system};
use super::{Reactions, System, name};
use crate::api::context::Context;
use crate::matching::matcher::Trigger;
use crate::systems::contexts::HasContext;
use crate::words::entity_id::EntityId;

/// Logic that reacts to changes: it says what it waits for, and is handed the entities
/// concerned.
///
/// [`Systems::add_reactive`](super::Systems::add_reactive) makes a system of it, which
/// gathers from then on, each entity once, in the order in which they were first
/// concerned. At its execute
///
/// 1. what was gathered is taken over, so what the system changes itself reaches it at
///    its *next* execute;
/// 2. entities that are dead, or of which it no longer holds what the trigger waits for,
///    are passed over: after *entered* and *updated* an entity must still match, after
///    *left* it must still not. With several triggers ([`Trigger::or`]) one that holds
///    is enough;
/// 3. [`filter`](Self::filter) is asked about the others;
/// 4. [`react`](Self::react) is called with those that are left, unless there are none.
///
/// What was passed over is forgotten, not kept for later. So an entity that the clean-up
/// of a pass destroys is handed only to the systems that execute before it.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
/// struct Bury;
/// impl ReactiveSystem<Game> for Bury {
///     type Context = Game;
///     fn trigger(&self) -> Trigger<Game> { Game::all_of::<Health>().added() }
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
pub trait ReactiveSystem<W> {
    /// The context whose entities it waits for.
    type Context: Context;

    /// What it waits for. Asked for once, when the system is made.
    fn trigger(&self) -> Trigger<Self::Context>;

    /// Whether an entity is to be reacted to: a living one, of which it still holds what
    /// the trigger waits for. All are, by default.
    fn filter(&self, entity: <Self::Context as Context>::Entity<'_>) -> bool {
        let _ = entity;
        true
    }

    /// Whether it is also to be handed the ids of entities that have died since: no, by
    /// default. [`filter`](Self::filter) is not asked about them. Asked for once, when
    /// the system is made.
    ///
    /// Who needs the values that were lost asks for them:
    /// [`Systems::on_removed`](super::Systems::on_removed).
    fn wants_dead(&self) -> bool {
        false
    }

    /// Reacts to the entities concerned, of which there is at least one.
    ///
    /// All are as described above when it is called; what it changes itself may end or
    /// change those that come later in the list.
    fn react(&mut self, world: &mut W, changed: &[EntityId<Self::Context>]);

    /// Once, before the first execute.
    fn initialize(&mut self, world: &mut W) {
        let _ = world;
    }

    /// In every pass, after all have executed, whether it has reacted or not.
    fn cleanup(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Once, at the end.
    fn tear_down(&mut self, world: &mut W) {
        let _ = world;
    }

    /// What the system is called; see [`System::name`].
    fn name(&self) -> String {
        name::of::<Self>()
    }
}

/// A [`ReactiveSystem`] with its collector: a [`System`] like any other.
///
/// [`Systems::add_reactive`](super::Systems::add_reactive) makes one; it can also be used
/// on its own.
///
/// # Panics
///
/// All that it does with the world panics where the context is another than the one it
/// was made with.
///
/// # Examples
///
/// ```
/// # use ecs::{Reactive, prelude::*};
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Frozen;
/// # struct Thaw;
/// # impl ReactiveSystem<Game> for Thaw {
/// #     type Context = Game;
/// #     fn trigger(&self) -> Trigger<Game> { Game::all_of::<Frozen>().entered() }
/// #     fn react(&mut self, game: &mut Game, changed: &[EntityId<Game>]) {
/// #         game.remove_many::<Frozen>(changed).unwrap();
/// #     }
/// # }
/// let mut game = Game::new();
/// let mut thaw = Reactive::new(&mut game, Thaw);
/// let id = game.create_entity().add_frozen().id();
/// thaw.execute(&mut game);
/// assert!(!game.entity(id).has_frozen());
/// thaw.release(&mut game);
/// ```
pub struct Reactive<S, C> {
    system: S,
    inbox: Inbox<C>,
    reactions: Reactions,
}

impl<S, C: Context> Reactive<S, C> {
    /// Has a system gather changes from now on.
    ///
    /// Events: *group created* for the groups that its trigger is the first to need.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// # use ecs::Reactive;
    /// struct Thaw;
    /// impl ReactiveSystem<Game> for Thaw {
    ///     type Context = Game;
    ///     fn trigger(&self) -> Trigger<Game> { Game::all_of::<Frozen>().entered() }
    ///     fn react(&mut self, game: &mut Game, changed: &[EntityId<Game>]) {
    ///         game.remove_many::<Frozen>(changed).unwrap();
    ///     }
    /// }
    /// let mut game = Game::new();
    /// let mut systems = Systems::new();
    /// systems.push(Reactive::new(&mut game, Thaw));
    /// let id = game.create_with(Frozen).id();
    /// systems.execute(&mut game);
    /// assert!(!game.entity(id).is_frozen());
    /// ```
    pub fn new<W>(world: &mut W, system: S) -> Self
    where
        S: ReactiveSystem<W, Context = C>,
        W: HasContext<C>,
    {
        Self {
            inbox: Inbox::new(world.context_mut(), system.trigger(), system.wants_dead()),
            system,
            reactions: Reactions::default(),
        }
    }

    /// The system.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// The system, to be changed.
    pub fn system_mut(&mut self) -> &mut S {
        &mut self.system
    }
}

impl<W, S, C> System<W> for Reactive<S, C>
where
    S: ReactiveSystem<W, Context = C>,
    C: Context,
    W: HasContext<C>,
{
    fn initialize(&mut self, world: &mut W) {
        self.system.initialize(world);
    }

    fn execute(&mut self, world: &mut W) {
        let Self { system, inbox, .. } = self;
        inbox.fill(world.context_mut(), |entity| system.filter(entity));
        self.reactions.note(inbox.ids().len());
        if !inbox.ids().is_empty() {
            system.react(world, inbox.ids());
            inbox.empty();
        }
    }

    fn cleanup(&mut self, world: &mut W) {
        self.system.cleanup(world);
    }

    fn tear_down(&mut self, world: &mut W) {
        self.system.tear_down(world);
    }

    fn name(&self) -> String {
        self.system.name()
    }

    inbox_of_a_system!();
}
