//! The trait [`Context`]: everything that one calls on a context, under a few headings. The bodies
//! are one line each; what is more is in the handles that they return, in the files below.

mod cleanup;
mod cloning;
mod collectors;
mod component_list;
mod entities;
mod events;
mod groups;
mod indexes;
mod many;
mod memory;
mod messages;
mod observers;
mod removed;
mod reset;
mod storage;
mod unique;

use alloc::vec::Vec;
use core::hash::Hash;

use crate::api::batch::Batch;
use crate::api::bundle::Bundle;
use crate::api::copying::CloneOptions;
use crate::api::create;
use crate::api::entity::{Entity, EntityMut};
use crate::api::handles::Handles;
use crate::api::query::{Query, QueryData, QueryMut, ReadOnlyQueryData};
use crate::api::view::View;
use crate::matching::group::Group;
use crate::matching::matcher::{Matcher, Trigger};
use crate::reactions::collector::Collector;
use crate::reactions::entity_index::EntityIndex;
use crate::reactions::messages::Inbox;
use crate::reactions::notification::of_entities;
use crate::reactions::removed::RemovedValues;
use crate::reactions::subscription::{Subject, Subscription};
use crate::state;
use crate::words::component::{Component, Components, UniqueComponent};
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, expect};
use crate::words::thread_safe::ThreadSafe;

pub use self::cleanup::CleanupSystems;
pub use self::component_list::ComponentList;
pub use self::entities::Entities;
pub use self::events::Events;
pub use self::groups::GroupIter;
pub use self::indexes::{IndexIter, entities_with, entity_with};
pub use self::many::Many;
pub use self::memory::{ComponentMemory, Memory};
pub use self::observers::Observers;
pub use self::storage::{Storage, StorageMut};
pub use self::unique::{Unique, UniqueMut};

/// A world of entities and their components: a value like any other, `Send + Sync`, as many as
/// one likes.
///
/// `#[ecs::context]` implements it for a struct and adds the constructors `new` and
/// `with_capacity`. The events named here are those that observers, collectors and reactive
/// systems follow; a method that names none reports nothing.
///
/// # Creating and destroying entities
///
/// An entity is created empty or with a bundle of components, one or many at a time. A bundle is
/// one change: no group is entered for a part of it. A change that is refused has changed nothing.
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
/// # #[derive(Component, Clone)] #[component(context = Game)] struct Player;
/// let mut game = Game::new();
/// let hero = game.create_entity().add_health(3).id();
/// let twin = game.create_with((Health(3), Player)).id();
/// let ids = game.create_many((1..=3).map(Health));
/// let (health, player) = (vec![Health(1), Health(2)], vec![Player, Player]);
/// game.create_columns((health, player)).unwrap();
/// assert_eq!(game.len(), 7);
///
/// game.clone_entity(twin);
/// game.destroy(hero);
/// game.many(&ids).destroy();
/// assert_eq!(game.len(), 4);
/// ```
///
/// # Finding entities
///
/// `entity` reads, `entity_mut` changes; `get_` returns `None` and `try_` an error if the entity
/// is dead.
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
/// let mut game = Game::new();
/// let id = game.create_with(Health(3)).id();
/// game.entity_mut(id).replace_health(2);
/// assert_eq!(game.entity(id).health().0, 2);
/// assert!(game.entities().map(|entity| entity.id()).eq([id]));
///
/// game.destroy(id);
/// assert!(!game.contains(id) && game.get_entity(id).is_none());
/// assert!(game.try_entity_mut(id).is_err() && game.is_empty());
/// ```
///
/// # Groups, collectors, queries
///
/// A [`Matcher`] says which components count. Groups, collectors, indexes and lists of removed
/// values are small handles: their methods take the context.
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component, Clone)] #[component(context = Game)] struct Health(u32);
/// # #[derive(Component)] #[component(context = Game)] struct Frozen;
/// let mut game = Game::new();
/// let mobile = game.group(Game::all_of::<Health>().none_of::<Frozen>());
/// let wounded = game.collector(Game::all_of::<Health>().updated());
/// let by_health = game.entity_index(Game::all_of::<Health>(), |e| e.health().0);
/// let lost = game.removed_values::<Health>();
///
/// let ids = game.create_many([Health(1), Health(2)]);
/// game.entity_mut(ids[0]).add_frozen().replace_health(7);
/// assert_eq!(mobile.ids(&game), [ids[1]]);
/// assert_eq!(wounded.drain(&mut game), [ids[0]]);
/// assert_eq!(by_health.get(&game, &7).ids(), [ids[0]]);
///
/// game.query_mut::<&mut Health>().for_each(|health| health.0 += 1);
/// assert_eq!(wounded.drain(&mut game), ids);
/// assert_eq!(game.view::<Health>().get(ids[0]).unwrap().0, 8);
/// game.destroy(ids[0]);
/// assert_eq!(lost.drain(&mut game)[0].1.0, 8);
/// ```
///
/// # Observers and listeners
///
/// An observer is called within the change, when all state is final; those of a group are added
/// by the methods of [`Group`]. A listener is called when [events](Events) are delivered.
///
/// ```
/// # use ecs::prelude::*;
/// # use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
/// # #[ecs::context] pub struct Game;
/// let (mut game, count) = (Game::new(), Arc::new(AtomicUsize::new(0)));
/// let counter = count.clone();
/// let subscription = game.on_created(move |_, _| _ = counter.fetch_add(1, Ordering::Relaxed));
/// game.on_will_be_destroyed(|game, id| assert!(game.contains(id)));
/// game.on_destroyed(|game, id| assert!(!game.contains(id)));
/// game.create_entity().destroy();
/// assert!(game.unsubscribe(subscription) && count.load(Ordering::Relaxed) == 1);
/// ```
///
/// # Unique components
///
/// At most one entity has a `unique` component. Its derive writes methods with its name on the
/// context (`score`, `set_score`, …); [`unique`](Self::unique) and
/// [`unique_mut`](Self::unique_mut) lead to the same by its type.
///
/// # Memory
///
/// Values stay where they are as components come and go. [`defragment`](Self::defragment) moves
/// entities with the same components together; none of these methods changes what ids, groups and
/// collectors mean.
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
/// let mut game = Game::with_capacity(1000);
/// let ids = game.create_many((0..1000).map(Health));
/// game.many(&ids[10..]).destroy();
/// game.defragment();
/// game.shrink_to_fit();
/// assert!(game.memory().components()[0].bytes < 1500);
/// ```
pub trait Context: Handles {
    // Creating and destroying entities.

    /// Creates an entity without components.
    ///
    /// The methods of the handle can be chained: end the chain with `.id()`, or put the handle into
    /// a variable first if you need it again.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # let mut game = Game::new();
    /// let id = game.create_entity().add_health(3).id();
    ///
    /// let mut entity = game.create_entity();
    /// entity.add_health(4);
    /// assert!(entity.has_health() && entity.id() != id);
    /// ```
    ///
    /// Events: *created*; *entered* for groups that match entities without components.
    #[inline]
    fn create_entity(&mut self) -> Self::EntityMut<'_> {
        let id = state::create(self);
        EntityMut::new(self, id).into()
    }

    /// Creates an entity with all components of a [bundle](Bundle), in one change.
    ///
    /// Events: *created*; *entered* for the groups of the whole entity, none for those of a part.
    ///
    /// # Panics
    ///
    /// Panics if the bundle has a component twice, a unique one that an entity has, or a key of a
    /// primary index that is another entity's; nothing is created then.
    #[inline(always)] // see `create::with`
    #[track_caller]
    fn create_with<B: Bundle<Self>>(&mut self, bundle: B) -> Self::EntityMut<'_> {
        let id = create::with(self, bundle);
        EntityMut::new(self, id).into()
    }

    /// Creates an entity for each bundle of an iterator; each is one change. Memory for the
    /// entities that the iterator promises at least (`size_hint`) is reserved at once.
    ///
    /// Events: as for [`create_with`](Self::create_with), for each entity.
    ///
    /// # Panics
    ///
    /// Panics if `create_with` would for one of the bundles; the entities before it stay.
    #[track_caller]
    fn create_many<I>(&mut self, bundles: I) -> Vec<EntityId<Self>>
    where
        I: IntoIterator,
        I::Item: Bundle<Self>,
    {
        create::many(self, bundles.into_iter())
    }

    /// Creates an entity for each row of lists of values, one list for each component: a
    /// `Vec<T>`, a `&[T]` of a `Copy` component, or a tuple of up to twelve of these. The fastest
    /// way to create many; each is one change.
    ///
    /// Events: as for [`create_with`](Self::create_with), for each entity.
    ///
    /// # Panics
    ///
    /// Panics if a component is there twice; nothing is created then. Panics if a component is
    /// unique and an entity has it or there is a second row, or if a key of a primary index is
    /// another entity's; the entities of the rows before it stay.
    ///
    /// # Errors
    ///
    /// Returns [`UnequalColumns`](crate::ErrorKind::UnequalColumns) if the lists differ in length; nothing is created then.
    #[track_caller]
    fn create_columns<B: Batch<Self>>(&mut self, batch: B) -> Result<Vec<EntityId<Self>>, Error> {
        create::columns(self, batch)
    }

    /// Creates an entity with clones of all components of another one, in one change. Unique
    /// components, and those with a primary index, are not copied; [`CloneOptions`] choose others,
    /// return an error instead of panicking, copy to an entity that is there, and make templates.
    ///
    /// Events: as for [`create_with`](Self::create_with).
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead or a component is not `Clone`; nothing is created then, nor if
    /// a `clone` panics.
    #[track_caller]
    fn clone_entity(&mut self, id: EntityId<Self>) -> Self::EntityMut<'_> {
        CloneOptions::all().clone_entity(self, id)
    }

    /// Destroys the entity with all its components.
    ///
    /// Events: *will be destroyed*; *left* for each of its groups; *destroyed*.
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead or being destroyed already.
    #[inline]
    #[track_caller]
    fn destroy(&mut self, id: EntityId<Self>) {
        expect(self.try_destroy(id));
    }

    /// Destroys the entity with all its components, or returns why it cannot.
    ///
    /// Events: as for [`destroy`](Self::destroy).
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive) or [`BeingDestroyed`](crate::ErrorKind::BeingDestroyed).
    #[inline]
    fn try_destroy(&mut self, id: EntityId<Self>) -> Result<(), Error> {
        state::destroy(self, id)
    }

    /// Destroys every entity that is alive now, in ascending order of index; those that observers
    /// create meanwhile stay.
    ///
    /// Events: as for [`destroy`](Self::destroy), for each entity.
    fn destroy_all(&mut self) {
        state::destroy_all(self);
    }

    /// Destroys every entity, empties every collector and every list of removed values, and has
    /// the next entities take the slots in ascending order again. Groups, observers and listeners
    /// to any entity stay; ids of before stay dead. Events that wait to be delivered are forgotten.
    ///
    /// Not for *will be destroyed* observers: what they destroy ends after their entity, and so
    /// after the collectors have been emptied.
    ///
    /// Events: as for [`destroy_all`](Self::destroy_all).
    fn reset(&mut self) {
        reset::reset(self);
    }

    /// Returns a handle that changes all these entities in one call: [`Many`].
    #[inline]
    fn many<'a>(&'a mut self, ids: &'a [EntityId<Self>]) -> Many<'a, Self> {
        Many::new(self, ids)
    }

    // Finding entities.

    /// Returns the number of living entities.
    #[inline]
    fn len(&self) -> usize {
        self.core().slots.len()
    }

    /// Returns whether no entity is alive.
    #[inline]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the living entities, for reading, in ascending order of index.
    fn entities(&self) -> Entities<'_, Self> {
        Entities::new(self)
    }

    /// Returns whether the entity is alive in this context.
    #[inline]
    fn contains(&self, id: EntityId<Self>) -> bool {
        self.core().slots.get(id).is_some()
    }

    /// Returns a handle that reads the entity.
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead.
    #[inline]
    #[track_caller]
    fn entity(&self, id: EntityId<Self>) -> Self::Entity<'_> {
        Entity::living(self, id).into()
    }

    /// Returns a handle that reads the entity, or `None` if it is dead.
    #[inline]
    fn get_entity(&self, id: EntityId<Self>) -> Option<Self::Entity<'_>> {
        Entity::find(self, id).map(Into::into)
    }

    /// Returns a handle that reads the entity, or an error that names it.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive) if the entity is dead.
    #[inline]
    fn try_entity(&self, id: EntityId<Self>) -> Result<Self::Entity<'_>, Error> {
        Entity::find_or_error(self, id).map(Into::into)
    }

    /// Returns a handle that changes the entity.
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead.
    #[inline]
    #[track_caller]
    fn entity_mut(&mut self, id: EntityId<Self>) -> Self::EntityMut<'_> {
        Entity::living(self, id);
        EntityMut::new(self, id).into()
    }

    /// Returns a handle that changes the entity, or `None` if it is dead.
    #[inline]
    fn get_entity_mut(&mut self, id: EntityId<Self>) -> Option<Self::EntityMut<'_>> {
        Entity::find(self, id)?;
        Some(EntityMut::new(self, id).into())
    }

    /// Returns a handle that changes the entity, or an error that names it.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive) if the entity is dead.
    #[inline]
    fn try_entity_mut(&mut self, id: EntityId<Self>) -> Result<Self::EntityMut<'_>, Error> {
        Entity::find_or_error(self, id)?;
        Ok(EntityMut::new(self, id).into())
    }

    // Groups, collectors, queries.

    /// Starts a matcher of the entities that have every component of `T`: one component or a
    /// tuple.
    fn all_of<T: Components<Self>>() -> Matcher<Self> {
        Matcher::default().all_of::<T>()
    }

    /// Starts a matcher of the entities that have at least one component of `T`.
    fn any_of<T: Components<Self>>() -> Matcher<Self> {
        Matcher::default().any_of::<T>()
    }

    /// Starts a matcher of the entities that have no component of `T`.
    fn none_of<T: Components<Self>>() -> Matcher<Self> {
        Matcher::default().none_of::<T>()
    }

    /// Returns the group of a matcher. The first call makes it, with all that match already; later
    /// ones with an equal matcher return the same group.
    ///
    /// Events: *group created* at the first call; no *entered* for those inside.
    ///
    /// Complexity: linear in entities and signatures at the first call, a look-up later.
    fn group(&mut self, matcher: Matcher<Self>) -> Group<Self> {
        state::group(self, matcher)
    }

    /// Returns a collector of the entities that raise the events of a trigger from now on.
    ///
    /// Events: *group created* for matchers that are new.
    fn collector(&mut self, trigger: Trigger<Self>) -> Collector<Self> {
        collectors::create(self, trigger)
    }

    /// Gathers from now on the values of `T` that entities lose, by removal or by their end; see
    /// [`RemovedValues`].
    ///
    /// Events: *group created* if there is no group of the entities with `T` yet.
    fn removed_values<T: Component<Self> + Clone>(&mut self) -> RemovedValues<Self, T> {
        removed::create(self)
    }

    /// Makes an index of the entities that match, by the key that `key` returns for each: all that
    /// match already, and whoever will. Every call makes a new one; see [`EntityIndex`], which
    /// also has indexes of several keys an entity.
    ///
    /// Events: *group created* if the matcher is a new one.
    ///
    /// Complexity: linear in the entities that match.
    fn entity_index<K>(
        &mut self,
        matcher: Matcher<Self>,
        key: impl Fn(Self::Entity<'_>) -> K + ThreadSafe,
    ) -> EntityIndex<Self, K>
    where
        K: Hash + Eq + Send + Sync + 'static,
    {
        indexes::create(self, matcher, move |entity, each| each(key(entity)))
    }

    /// Reads the entities that have certain components, together with those components' values.
    /// See [`Query`].
    #[inline]
    fn query<Q: ReadOnlyQueryData<Self>>(&self) -> Query<'_, Self, Q> {
        Query::new(self)
    }

    /// Writes to the components of entities, and reports every entity visited as updated in each
    /// component asked for as `&mut T`. See [`QueryMut`].
    ///
    /// # Panics
    ///
    /// Panics if a component is asked for twice, once of it as `&mut T`.
    #[inline]
    #[track_caller]
    fn query_mut<Q: QueryData<Self>>(&mut self) -> QueryMut<'_, Self, Q> {
        const {
            assert!(
                !Q::PRIMARY,
                "`query_mut` asks for `&mut T` of a component with a `primary_index`, whose key \
                 could be refused only after it is written; ask for `&T`, and change it by \
                 `update_..` or `replace_..` of each entity"
            );
        }
        QueryMut::new(self)
    }

    /// Reads one component of many entities by id, the column looked up once.
    #[inline]
    fn view<T: Component<Self>>(&self) -> View<'_, Self, T> {
        View::new(self)
    }

    // Observers and listeners.

    /// Calls `observer` whenever an entity has come to life; one made by
    /// [`create_with`](Self::create_with) has its components by then.
    fn on_created(
        &mut self,
        observer: impl FnMut(&mut Self, EntityId<Self>) + ThreadSafe,
    ) -> Subscription {
        self.core_mut()
            .subscribe(Subject::CREATED, of_entities(observer))
    }

    /// Calls `observer` whenever an entity is about to be destroyed: it is alive, whole, and in
    /// its groups. This is the one event that comes before its change, so observers are called at
    /// once, ahead of what is queued. A panic in the observer leaves the entity alive.
    fn on_will_be_destroyed(
        &mut self,
        observer: impl FnMut(&mut Self, EntityId<Self>) + ThreadSafe,
    ) -> Subscription {
        self.core_mut()
            .subscribe(Subject::WILL_BE_DESTROYED, of_entities(observer))
    }

    /// Calls `observer` whenever an entity has been destroyed: the id is dead.
    fn on_destroyed(
        &mut self,
        observer: impl FnMut(&mut Self, EntityId<Self>) + ThreadSafe,
    ) -> Subscription {
        self.core_mut()
            .subscribe(Subject::DESTROYED, of_entities(observer))
    }

    // Messages.

    /// Sends a message to every inbox for its type, and then to its observers; drops it if there
    /// is neither. It can be of any type; those that belong to no entity and last for a moment are
    /// messages, what belongs to an entity is a component.
    ///
    /// Complexity: constant; a lookup of the type, if any inbox or observer of messages was made.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// struct Explosion { radius: f32 }
    ///
    /// let mut game = Game::new();
    /// let inbox = game.inbox();
    /// game.send(Explosion { radius: 2.0 });
    /// let total: f32 = inbox.drain(&mut game).iter().map(|e: &Explosion| e.radius).sum();
    /// assert_eq!(total, 2.0);
    /// ```
    #[inline]
    fn send<T: ThreadSafe>(&mut self, message: T) {
        state::send(self, message);
    }

    /// Makes an inbox, which receives every message of type `T` that is sent from now on. See
    /// [`Inbox`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let inbox = game.inbox::<u32>();
    /// game.send(7_u32);
    /// assert!(inbox.drain(&mut game).iter().eq(&[7]));
    /// ```
    fn inbox<T: ThreadSafe>(&mut self) -> Inbox<Self, T> {
        messages::inbox(self)
    }

    /// Calls `observer` at once for every message of type `T` that is sent from now on; for one
    /// that is sent by an observer, in its turn. Inboxes have received the message by then.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Fire(f32);
    /// struct Explosion { at: f32 }
    ///
    /// let mut game = Game::new();
    /// game.on_message(|game, explosion: &Explosion| _ = game.create_with(Fire(explosion.at)));
    /// game.send(Explosion { at: 1.5 });
    /// assert_eq!(game.len(), 1);
    /// ```
    fn on_message<T: ThreadSafe>(
        &mut self,
        observer: impl FnMut(&mut Self, &T) + ThreadSafe,
    ) -> Subscription {
        messages::observe(self, observer)
    }

    /// Ends an observer or a listener at once, from anywhere, itself included; returns whether it
    /// was still there.
    ///
    /// # Panics
    ///
    /// Panics if the subscription is one of another context.
    #[track_caller]
    fn unsubscribe(&mut self, subscription: Subscription) -> bool {
        state::unsubscribe(self, subscription)
    }

    /// Returns a handle to the observers as a whole: [`Observers`].
    fn observers(&mut self) -> Observers<'_, Self> {
        Observers::new(self)
    }

    /// Returns a handle to listeners and the delivery of events: [`Events`].
    fn events(&mut self) -> Events<'_, Self> {
        Events::new(self)
    }

    // Unique components.

    /// Returns a handle that reads the unique component `T` and its owner: [`Unique`].
    #[inline]
    fn unique<T: UniqueComponent<Self>>(&self) -> Unique<'_, Self, T> {
        Unique::new(self)
    }

    /// Returns a handle that sets, changes and removes the unique component `T`: [`UniqueMut`].
    #[inline]
    fn unique_mut<T: UniqueComponent<Self>>(&mut self) -> UniqueMut<'_, Self, T> {
        UniqueMut::new(self)
    }

    // Components and memory.

    /// Returns what is known of each component, in order of index: a slice that also finds
    /// components by type and by name.
    fn components(&self) -> ComponentList<'_, Self> {
        ComponentList::new(self)
    }

    /// Moves entities with the same components together in memory and returns emptied memory, so
    /// that queries and groups walk through neighbours.
    ///
    /// The order in which queries and groups are walked is new: entities by signature, in the order
    /// in which the signatures first came up, those of one signature in the order in which they
    /// were walked before. Calling it twice is the same as calling it once.
    ///
    /// Complexity: linear in the slots and in the values of the components that are moved.
    fn defragment(&mut self) {
        self.core_mut().defragment();
    }

    /// Returns how much memory the context holds, and for what.
    ///
    /// Complexity: linear in the blocks, groups, signatures, collectors and observers.
    fn memory(&self) -> Memory {
        Memory::of(self)
    }

    /// Gives back the memory that nothing is in, and ends what was made for handles that have been
    /// dropped; to [`defragment`](Self::defragment) first frees the most. Values in pools stay.
    fn shrink_to_fit(&mut self) {
        state::shrink_to_fit(self);
    }

    /// Returns a handle to figures of fragmentation, free slots and pools: [`Storage`].
    fn storage(&self) -> Storage<'_, Self> {
        Storage::new(self)
    }

    /// Returns a handle that reserves memory, moves entities step by step and empties pools:
    /// [`StorageMut`].
    fn storage_mut(&mut self) -> StorageMut<'_, Self> {
        StorageMut::new(self)
    }
}
