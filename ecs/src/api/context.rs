//! The context: the registries as fields of one [`Core`], and the verbs that users
//! call on it.
//!
//! `#[ecs::context]` writes a struct around a `Core` and implements [`Context`] for
//! it; the provided methods of the trait are the generic face, which the struct
//! also has as methods of its own.

mod bulk;
mod cleanup;
mod collectors;
mod copying;
mod entities;
mod events;
mod groups;
mod indexes;
mod indexing;
mod lifecycle;
mod look_up;
mod observe;
mod removed;
mod unique;
mod upkeep;

use alloc::vec::Vec;
use core::fmt;

use crate::api::entity::{Entity, EntityMut};
use crate::api::query::{Query, QueryData};
use crate::api::view::View;
use crate::matching::group::Group;
use crate::matching::matcher::{Matcher, Trigger};
use crate::reactions::collector::Collector;
use crate::reactions::removed::RemovedValues;
use crate::state::{self, Core, HasCore};
use crate::words::component::Component;

pub use self::bulk::BulkChanges;
pub use self::cleanup::CleanupSystems;
pub use self::copying::CopyEntities;
pub use self::entities::Entities;
pub use self::events::Listening;
pub use self::groups::GroupIter;
pub use self::indexes::{IndexIter, entities_with, entity_with};
pub use self::indexing::Indexing;
pub use self::lifecycle::Lifecycle;
pub use self::look_up::LookUp;
pub use self::observe::Observing;
pub use self::unique::Uniques;
pub use self::upkeep::{ComponentMemory, Memory, Upkeep};

/// A world of entities and their components: a value like any other, `Send + Sync`,
/// as many as one likes.
///
/// Implemented by `#[ecs::context]`, which also gives the struct each of these
/// methods as its own; the trait is for code that is generic over contexts.
///
/// # Examples
///
/// ```
/// use ecs::prelude::*;
///
/// #[ecs::context]
/// pub struct Game;
///
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Position { x: f32, y: f32 }
///
/// let mut game = Game::new();
/// let hero = game.create_entity().add_position(1.0, 2.0).id();
/// assert_eq!(game.entity(hero).position().x, 1.0);
/// ```
pub trait Context:
    HasCore + BulkChanges + CopyEntities + Lifecycle + Listening + LookUp + Observing + Uniques + Upkeep
{
    /// The handle that reads an entity.
    type Entity<'a>: From<Entity<'a, Self>>;
    /// The handle that changes an entity.
    type EntityMut<'a>: From<EntityMut<'a, Self>>;

    /// Destroys every entity, empties every collector and every list of removed values,
    /// and has the next entities take the slots in ascending order again. Groups,
    /// observers and listeners to any entity stay; ids of before stay dead. Events that
    /// wait to be delivered are forgotten.
    ///
    /// Not for *will be destroyed* observers: what they destroy ends after their
    /// entity, and so after the collectors have been emptied.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let before = [game.create_entity().id(), game.create_entity().id()];
    /// game.reset();
    /// let after = [game.create_entity().id(), game.create_entity().id()];
    /// assert_eq!(before.map(|id| id.index()), after.map(|id| id.index()));
    /// assert!(!game.contains(before[0]));
    /// ```
    fn reset(&mut self) {
        self.core_mut().warn_of_undelivered();
        self.destroy_all();
        let core = self.core_mut();
        core.collectors.clear_all();
        core.slots.sort_free();
        let removed = core.removed.empty_all();
        state::forget_events(self);
        drop(removed);
    }

    /// The group of a matcher: made, with all that match already, at the first call;
    /// the same one for every equal matcher.
    ///
    /// Events: *group created* at the first call; no *entered* for those inside.
    ///
    /// Complexity: linear in entities and signatures at the first call, a look-up
    /// later.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// game.create_entity().add_frozen();
    /// let frozen = game.group(Matcher::all_of::<Frozen>());
    /// assert_eq!(frozen.len(&game), 1);
    /// assert_eq!(game.group(Matcher::all_of::<Frozen>()), frozen);
    /// ```
    fn group(&mut self, matcher: Matcher<Self>) -> Group<Self> {
        state::group(self, matcher)
    }

    /// All groups in order of creation.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let frozen = game.group(Matcher::all_of::<Frozen>());
    /// assert_eq!(game.groups(), [frozen]);
    /// ```
    fn groups(&self) -> Vec<Group<Self>> {
        let core = self.core();
        core.groups
            .indices()
            .map(|index| Group::new(core.instance, index))
            .collect()
    }

    /// A collector of the entities that raise the events of a trigger from now on.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let frozen = game.collector(Matcher::all_of::<Frozen>().entered());
    /// let id = game.create_entity().add_frozen().id();
    /// assert_eq!(frozen.drain(&mut game), [id]);
    /// assert!(frozen.is_empty(&game));
    /// ```
    fn collector(&mut self, trigger: Trigger<Self>) -> Collector<Self> {
        collectors::create(self, trigger)
    }

    /// Gathers from now on the values of `T` that entities lose, by removal or by their
    /// end; see [`RemovedValues`].
    ///
    /// Events: *group created* where there is no group of the entities with `T` yet.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let lost = game.removed_values::<Health>();
    /// let id = game.create_entity().add_health(3).id();
    /// game.destroy(id);
    /// let values = lost.drain(&mut game);
    /// assert_eq!((values[0].0, values[0].1.0), (id, 3));
    /// ```
    fn removed_values<T: Component<Self> + Clone>(&mut self) -> RemovedValues<Self, T> {
        removed::create(self)
    }

    /// The entities that have certain components, and those components' values; **what is
    /// written through `&mut T` is not reported**, but by
    /// [`update_each`](Query::update_each). See [`Query`].
    ///
    /// # Panics
    ///
    /// Panics where a component is asked for twice, once of it as `&mut T`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// game.create_many([Health(1), Health(2)]);
    /// game.query::<&mut Health>().for_each(|health| health.0 += 1);
    /// assert!(game.query::<&Health>().iter().map(|health| health.0).eq([2, 3]));
    /// ```
    #[inline]
    #[track_caller]
    fn query<Q: QueryData<Self>>(&mut self) -> Query<'_, Self, Q> {
        Query::new(self)
    }

    /// Reads one component of many entities by id, the column looked up once.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let ids = game.create_many([Health(1), Health(2)]);
    /// let view = game.view::<Health>();
    /// assert_eq!(view.get(ids[1]).map(|health| health.0), Some(2));
    /// ```
    #[inline]
    fn view<T: Component<Self>>(&self) -> View<'_, Self, T> {
        View::new(self)
    }
}

impl<C: Context> fmt::Debug for Core<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(C::NAME)
            .field("entities", &self.slots.len())
            .field("reusable_entities", &self.slots.free_len())
            .field("components", &self.columns.len())
            .field("signatures", &self.graph.len())
            .field("groups", &self.groups.len())
            .field("collectors", &self.collectors.len())
            .finish()
    }
}
