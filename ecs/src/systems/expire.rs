//! Components with a lifetime.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::contexts::HasContext;
use super::name;
use super::stats::Reactions;
use super::system::{Sendable, System};
use crate::api::context::{Context, clean};
use crate::storage::registry::index_of;
use crate::words::component::{Cleanup, Component};
use crate::words::entity_id::EntityId;

/// A system for components with a lifetime: it removes a component when its time is over, or destroys the
/// entity that has it. Fires go out, bullets vanish, corpses decay.
///
/// At each execute it calls a closure for every such component, which returns whether its time is over. Store
/// the end time in the component: it is never written to until then, so nothing is notified or recorded. A
/// [`Timer`](crate::Timer) that another system ticks works as well:
/// `|_: &World, fuse: &Fuse| fuse.0.is_finished()`.
///
/// All expired components are found first, and then removed, or their entities destroyed, in the order of
/// iteration. A removal is one change, as by [`many`](crate::Context::many); of entities to be destroyed, one that
/// an observer destroys meanwhile is skipped.
///
/// The current time comes from the world. If the context is saved or [rewound](crate::History), its clock
/// must be in a component as well, or end times no longer match it.
///
/// For components that last one frame, see [`CleanupSystems`](crate::CleanupSystems).
///
/// Complexity of an execute: linear in the number of entities with the component.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// use std::time::Duration;
///
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Burning { until: Duration }
///
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Bullet { until: Duration }
///
/// #[derive(Contexts)]
/// struct World {
///     game: Game,
///     #[contexts(skip)]
///     now: Duration,
/// }
///
/// let mut world = World { game: Game::new(), now: Duration::ZERO };
/// let mut systems = Systems::new()
///     .add(Expire::remove(|world: &World, burning: &Burning| burning.until <= world.now))
///     .add(Expire::destroy(|world: &World, bullet: &Bullet| bullet.until <= world.now));
///
/// let tree = world.game.create_with(Burning { until: Duration::from_secs(2) }).id();
/// let bullet = world.game.create_with(Bullet { until: Duration::from_secs(3) }).id();
/// for second in 1..=3 {
///     world.now = Duration::from_secs(second);
///     systems.execute(&mut world);
///     assert_eq!(world.game.entity(tree).has_burning(), second < 2);
/// }
/// assert!(!world.game.contains(bullet) && world.game.contains(tree));
/// ```
pub struct Expire<C, T, F> {
    is_over: F,
    cleanup: Cleanup,
    reactions: Reactions,
    /// Kept to reuse its memory.
    ids: Vec<EntityId<C>>,
    component: PhantomData<fn() -> T>,
}

impl<C: Context, T: Component<C>, F> Expire<C, T, F> {
    /// Removes the component from the entities for which `is_over` returns `true`. Entries of a component with `many` are
    /// destroyed.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut cure = Expire::remove(|game: &Game, _: &Poisoned| game.len() > 1);
    /// let id = game.create_with(Poisoned).id();
    /// cure.execute(&mut game);
    /// assert!(game.entity(id).is_poisoned());
    /// game.create_entity();
    /// cure.execute(&mut game);
    /// assert!(!game.entity(id).is_poisoned());
    /// ```
    pub fn remove<W>(is_over: F) -> Self
    where
        W: HasContext<C>,
        F: FnMut(&W, &T) -> bool,
    {
        match T::MANY {
            true => Self::destroy(is_over), // an entry is nothing without it
            false => Self::new(Cleanup::Remove, is_over),
        }
    }

    /// Destroys the entities that have the component and for which `is_over` returns `true`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many([Health(0), Health(1)]);
    /// Expire::destroy(|_: &Game, health: &Health| health.0 == 0).execute(&mut game);
    /// assert_eq!(game.len(), 1);
    /// ```
    pub fn destroy<W>(is_over: F) -> Self
    where
        W: HasContext<C>,
        F: FnMut(&W, &T) -> bool,
    {
        Self::new(Cleanup::Destroy, is_over)
    }

    fn new(cleanup: Cleanup, is_over: F) -> Self {
        Self {
            is_over,
            cleanup,
            reactions: Reactions::default(),
            ids: Vec::new(),
            component: PhantomData,
        }
    }
}

impl<W, C, T, F> System<W> for Expire<C, T, F>
where
    W: HasContext<C>,
    C: Context,
    T: Component<C>,
    F: FnMut(&W, &T) -> bool + Sendable,
{
    /// Panics if a relation forbids destroying one of the entities.
    fn execute(&mut self, world: &mut W) {
        let Self { is_over, ids, .. } = self;
        ids.clear();
        let all = world.context().query::<(EntityId<C>, &T)>().into_iter();
        let over = all.filter(|(_, value)| is_over(world, value));
        ids.extend(over.map(|(id, _)| id));
        self.reactions.record(ids.len());
        clean(world.context_mut(), self.cleanup, index_of::<C, T>(), ids);
    }

    /// `Remove<Burning>` or `Destroy<Bullet>`.
    fn name(&self) -> String {
        format!("{:?}<{}>", self.cleanup, name::of::<T>())
    }

    /// Returns how many components have expired.
    fn reactions(&self) -> Option<Reactions> {
        Some(self.reactions)
    }
}

impl<C, T, F> fmt::Debug for Expire<C, T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reactions = &self.reactions;
        f.debug_struct("Expire")
            .field("cleanup", &self.cleanup)
            .field("reactions", reactions)
            .finish()
    }
}
