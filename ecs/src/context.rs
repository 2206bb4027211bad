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
mod look_up;
mod observe;
mod removed;
mod unique;
mod upkeep;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use crate::bundle::{self, Bundle};
use crate::change::{Notice, Subject, Subscription};
use crate::collector::Collector;
use crate::component::{Component, ComponentInfo};
use crate::entity::{Entity, EntityMut};
use crate::entity_id::EntityId;
use crate::error::{Error, Operation, expect, refuse};
use crate::group::Group;
use crate::matcher::{Matcher, Trigger};
use crate::query::{Query, QueryData};
use crate::removed::RemovedValues;
use crate::slots::Slot;
use crate::state::{self, Core, HasCore, foreign};
use crate::view::View;

pub use self::bulk::BulkChanges;
pub use self::cleanup::CleanupSystems;
pub use self::copying::CopyEntities;
pub use self::entities::Entities;
pub use self::events::Listening;
pub use self::groups::GroupIter;
pub use self::indexes::{IndexIter, entities_with, entity_with};
pub use self::indexing::Indexing;
pub use self::look_up::LookUp;
use self::observe::{close_gaps, end_observers, of_entity, subscribe};
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
    HasCore + BulkChanges + CopyEntities + Listening + LookUp + Uniques + Upkeep
{
    /// The handle that reads an entity.
    type Entity<'a>: From<Entity<'a, Self>>;
    /// The handle that changes an entity.
    type EntityMut<'a>: From<EntityMut<'a, Self>>;

    /// Creates an entity without components.
    ///
    /// Events: *created*; *entered* for groups that match entities without components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert!(game.contains(id));
    /// ```
    #[inline]
    fn create_entity(&mut self) -> Self::EntityMut<'_> {
        let id = state::create(self);
        EntityMut::new(self, id).into()
    }

    /// Creates an entity with all components of a bundle, in one change.
    ///
    /// Events: *created*; *entered* for the groups of the whole entity, none for
    /// those of a part.
    ///
    /// # Panics
    ///
    /// Panics where the bundle has a component twice, a unique one that an entity has, or a
    /// key of a primary index that is another entity's; nothing is created then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Player;
    /// let mut game = Game::new();
    /// let id = game.create_with((Health(3), Player)).id();
    /// assert!(game.entity(id).is_player());
    /// ```
    #[inline(always)] // see `bundle::create_with`
    #[track_caller]
    fn create_with<B: Bundle<Self>>(&mut self, bundle: B) -> Self::EntityMut<'_> {
        let id = bundle::create_with(self, bundle);
        EntityMut::new(self, id).into()
    }

    /// Whether the entity is alive in this context.
    #[inline]
    fn contains(&self, id: EntityId<Self>) -> bool {
        self.core().slots.get(id).is_some()
    }

    /// A handle that reads the entity.
    ///
    /// # Panics
    ///
    /// Panics where the entity is dead.
    #[inline]
    #[track_caller]
    fn entity(&self, id: EntityId<Self>) -> Self::Entity<'_> {
        let slot = alive(self, id);
        Entity::new(self, slot).into()
    }

    /// A handle that reads the entity, or `None` where it is dead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// game.destroy(id);
    /// assert!(game.get_entity(id).is_none());
    /// ```
    #[inline]
    fn get_entity(&self, id: EntityId<Self>) -> Option<Self::Entity<'_>> {
        let slot = self.core().slots.get(id)?;
        Some(Entity::new(self, slot).into())
    }

    /// A handle that changes the entity.
    ///
    /// # Panics
    ///
    /// Panics where the entity is dead.
    #[inline]
    #[track_caller]
    fn entity_mut(&mut self, id: EntityId<Self>) -> Self::EntityMut<'_> {
        alive(self, id);
        EntityMut::new(self, id).into()
    }

    /// A handle that changes the entity, or `None` where it is dead.
    #[inline]
    fn get_entity_mut(&mut self, id: EntityId<Self>) -> Option<Self::EntityMut<'_>> {
        self.contains(id).then(|| EntityMut::new(self, id).into())
    }

    /// Destroys an entity with all its components.
    ///
    /// Events: *will be destroyed*, with the entity whole and in its groups; then it
    /// is gone from all books; then *left* for each group, through the components in
    /// ascending order of index (it enters no group on the way); then *destroyed*.
    ///
    /// Called by a *will be destroyed* observer, the destroy is carried out right
    /// after the one under way.
    ///
    /// # Panics
    ///
    /// Panics where the entity is dead, or is being destroyed already.
    #[inline]
    #[track_caller]
    fn destroy(&mut self, id: EntityId<Self>) {
        expect(self.try_destroy(id));
    }

    /// Destroys an entity; see [`destroy`](Self::destroy).
    ///
    /// # Errors
    ///
    /// [`Error::NotAlive`], [`Error::BeingDestroyed`].
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert!(game.try_destroy(id).is_ok());
    /// assert!(game.try_destroy(id).is_err());
    /// ```
    #[inline]
    fn try_destroy(&mut self, id: EntityId<Self>) -> Result<(), Error> {
        state::destroy(self, id)
    }

    /// Destroys every entity that is alive at the call, in ascending order of index,
    /// each as [`destroy`](Self::destroy) does. Entities that observers create
    /// meanwhile stay.
    fn destroy_all(&mut self) {
        state::destroy_all(self);
    }

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

    /// How many entities are alive.
    #[inline]
    fn len(&self) -> usize {
        self.core().slots.len()
    }

    /// Whether no entity is alive.
    #[inline]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The living entities, for reading, in ascending order of index.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert!(game.entities().map(|entity| entity.id()).eq([id]));
    /// ```
    fn entities(&self) -> Entities<'_, Self> {
        Entities::new(self)
    }

    /// The group of a matcher: made, with all that match already, at the first call;
    /// the same one for every equal matcher.
    ///
    /// Events: *group created* at the first call; no *entered* for those inside.
    ///
    /// Complexity: linear in entities and signatures at the first call, a look-up
    /// later.
    fn group(&mut self, matcher: Matcher<Self>) -> Group<Self> {
        state::group(self, matcher)
    }

    /// All groups in order of creation.
    fn groups(&self) -> Vec<Group<Self>> {
        let core = self.core();
        core.groups
            .indices()
            .map(|index| Group::new(core.instance, index))
            .collect()
    }

    /// A collector of the entities that raise the events of a trigger from now on.
    fn collector(&mut self, trigger: Trigger<Self>) -> Collector<Self> {
        collectors::create(self, trigger)
    }

    /// Gathers from now on the values of `T` that entities lose, by removal or by their
    /// end; see [`RemovedValues`].
    ///
    /// Events: *group created* where there is no group of the entities with `T` yet.
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
    #[inline]
    fn view<T: Component<Self>>(&self) -> View<'_, Self, T> {
        View::new(self)
    }

    /// Calls `observer` whenever an entity has come to life; one made by
    /// [`create_with`](Self::create_with) has its components by then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let count = Arc::new(AtomicUsize::new(0));
    /// let counter = count.clone();
    /// game.on_created(move |_, _| drop(counter.fetch_add(1, Ordering::Relaxed)));
    /// game.create_entity();
    /// assert_eq!(count.load(Ordering::Relaxed), 1);
    /// ```
    fn on_created(
        &mut self,
        observer: impl FnMut(&mut Self, EntityId<Self>) + Send + Sync + 'static,
    ) -> Subscription {
        subscribe(self, Subject::CREATED, of_entity(observer))
    }

    /// Calls `observer` whenever an entity is about to be destroyed: it is alive,
    /// whole, and in its groups. This is the one event that comes before its change,
    /// so it is told at once, ahead of what is queued.
    ///
    /// A panic in the observer leaves the entity alive.
    fn on_will_be_destroyed(
        &mut self,
        observer: impl FnMut(&mut Self, EntityId<Self>) + Send + Sync + 'static,
    ) -> Subscription {
        subscribe(self, Subject::WILL_BE_DESTROYED, of_entity(observer))
    }

    /// Calls `observer` whenever an entity has been destroyed: the id is dead.
    fn on_destroyed(
        &mut self,
        observer: impl FnMut(&mut Self, EntityId<Self>) + Send + Sync + 'static,
    ) -> Subscription {
        subscribe(self, Subject::DESTROYED, of_entity(observer))
    }

    /// Calls `observer` whenever a group has been made.
    fn on_group_created(
        &mut self,
        mut observer: impl FnMut(&mut Self, Group<Self>) + Send + Sync + 'static,
    ) -> Subscription {
        let observer = Box::new(move |context: &mut Self, notice: &Notice<'_, Self>| {
            if let Notice::GroupCreated(group) = *notice {
                observer(context, group);
            }
        });
        subscribe(self, Subject::GROUP_CREATED, observer)
    }

    /// Ends an observer at once, from anywhere, itself included; tells whether it was
    /// still there.
    ///
    /// # Panics
    ///
    /// Panics where the subscription is one of another context.
    #[track_caller]
    fn unsubscribe(&mut self, subscription: Subscription) -> bool {
        if subscription.instance != self.core().instance {
            foreign::<Self>("subscription");
        }
        let Subscription { subject, id, .. } = subscription;
        let ended = self.core_mut().observers.end(subject, id);
        close_gaps(self, subject);
        ended.is_some()
    }

    /// Ends all observers of the context and of its groups. Collectors and lists of
    /// removed values are not touched.
    fn clear_observers(&mut self) {
        for subject in self.core().observers.subjects() {
            end_observers(self, subject);
        }
    }

    /// Sets how many notifications one call may lead to, counted once for all observers
    /// of a group's event, before it is stopped as an endless chain, with a panic that
    /// names the group and the component. One million at first.
    fn set_notification_limit(&mut self, limit: usize) {
        self.core_mut().queue.limit = limit;
    }

    /// What is known of each component, by its index.
    ///
    /// A component that is not known to the linker is listed after its first use in
    /// this context.
    fn components(&self) -> &[ComponentInfo] {
        self.core().columns.infos()
    }
}

/// The slot of a living entity.
#[inline]
#[track_caller]
fn alive<C: Context>(context: &C, id: EntityId<C>) -> Slot {
    match context.core().slots.get(id) {
        Some(slot) => slot,
        None => refuse(Error::NotAlive {
            entity: id.raw(),
            context: C::NAME,
            operation: Operation::Access,
            component: None,
        }),
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
