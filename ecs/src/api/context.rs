//! The trait [`Context`]: everything that one calls on a context, under a few headings. The bodies
//! are one line each; what is more is in the handles that they return, in the files below. The
//! documentation says here what a method does; its page in `context/pages` says the rest, with an
//! example.

mod cleanup;
mod cloning;
mod collectors;
mod component_list;
mod entities;
mod events;
mod gathered;
mod group_iter;
mod groups;
mod index_iter;
mod indexes;
mod many;
mod matching_ids;
mod memory;
mod messages;
mod observers;
mod removed;
mod storage;
mod unique;
mod unique_mut;

use alloc::vec::Vec;
use core::hash::Hash;

#[cfg(feature = "serde")]
use serde::Deserializer;

use crate::api::batch::Batch;
use crate::api::bundle::Bundle;
use crate::api::copying::CloneOptions;
use crate::api::create;
use crate::api::entity::Handles;
use crate::api::entity::{Entity, EntityMut};
use crate::api::feed::{self, Feed};
use crate::api::history::History;
use crate::api::query::{Query, QueryData, QueryMut, ReadOnlyQueryData};
#[cfg(feature = "serde")]
use crate::api::saving::{Loader, Save};
use crate::api::snapshot::{self, Snapshot};
use crate::api::view::View;
use crate::matching::group::Group;
use crate::matching::matcher::{Matcher, Trigger};
use crate::reactions::collector::Collector;
use crate::reactions::entity_index::EntityIndex;
use crate::reactions::messages::Inbox;
use crate::reactions::removed::RemovedValues;
use crate::reactions::subscription::Subscription;
use crate::state;
use crate::words::component::{Component, Components, UniqueComponent};
use crate::words::demands::ThreadSafe;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, expect};

pub use self::cleanup::{CleanupSystems, Missed};
pub use self::component_list::ComponentList;
pub use self::entities::Entities;
pub use self::events::Events;
pub use self::gathered::Gathered;
pub use self::group_iter::GroupIter;
pub use self::index_iter::IndexIter;
pub use self::indexes::{entities_with, entity_with};
pub use self::many::Many;
pub use self::matching_ids::MatchingIds;
pub use self::memory::{ComponentMemory, Memory};
pub use self::observers::Observers;
pub use self::storage::{Storage, StorageMut};
pub use self::unique::Unique;
pub use self::unique_mut::UniqueMut;

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
/// # Finding entities
///
/// `entity` reads, `entity_mut` changes; `get_` returns `None` and `try_` an error if the entity
/// is dead. In builds with debug assertions all of them panic if the id is one of
/// [another context](EntityId#ids-of-another-context) of the same type.
///
/// # Groups, collectors, queries
///
/// A [`Matcher`] says which components count. Groups, collectors, indexes and lists of removed
/// values are small handles: their methods take the context.
///
/// # Observers and listeners
///
/// An observer is called within the change, when all state is final: those of entities and of the
/// context are added through [`observers`](Self::observers), those of a group by the methods of
/// [`Group`]. A listener is called when [events](Events) are delivered.
///
/// # Unique components
///
/// At most one entity has a `unique` component. Its derive writes methods with its name on the
/// context (`score`, `set_score`, …); [`unique`](Self::unique) and
/// [`unique_mut`](Self::unique_mut) lead to the same by its type.
///
/// # History and snapshots
///
/// A context that is [recorded](Self::record) can be taken back to any moment that was marked, and
/// forward again. A [snapshot](Self::snapshot) copies all that it is, to be [restored](Self::restore);
/// a [fork](Self::fork) is a second context to look ahead in.
///
/// # Memory
///
/// Values stay where they are as components come and go. [`defragment`](Self::defragment) moves
/// entities with the same components together; [`storage`](Self::storage) tells what is held, and
/// [`storage_mut`](Self::storage_mut) reserves and gives back. Neither changes what ids, groups and
/// collectors mean.
pub trait Context: Handles {
    // Creating and destroying entities.

    /// Creates an entity without components.
    #[doc = include_str!("context/pages/create_entity.md")]
    #[inline]
    fn create_entity(&mut self) -> Self::EntityMut<'_> {
        let id = state::create(self);
        EntityMut::new(self, id).into()
    }

    /// Creates an entity with all components of a [bundle](Bundle), in one change.
    #[doc = include_str!("context/pages/create_with.md")]
    #[inline(always)] // see `create::with`
    #[track_caller]
    fn create_with<B: Bundle<Self>>(&mut self, bundle: B) -> Self::EntityMut<'_> {
        let id = create::with(self, bundle);
        EntityMut::new(self, id).into()
    }

    /// Creates an entity with all components of a bundle, or returns why it cannot.
    #[doc = include_str!("context/pages/try_create_with.md")]
    #[track_caller]
    fn try_create_with<B: Bundle<Self>>(
        &mut self,
        bundle: B,
    ) -> Result<Self::EntityMut<'_>, Error> {
        let id = create::try_with(self, bundle)?;
        Ok(EntityMut::new(self, id).into())
    }

    /// Creates an entity for each bundle of an iterator; each is one change.
    #[doc = include_str!("context/pages/create_many.md")]
    #[track_caller]
    fn create_many<I>(&mut self, bundles: I) -> Vec<EntityId<Self>>
    where
        I: IntoIterator,
        I::Item: Bundle<Self>,
    {
        create::many(self, bundles.into_iter())
    }

    /// Creates an entity for each bundle of an iterator, up to the first that is refused; returns
    /// why it was.
    #[doc = include_str!("context/pages/try_create_many.md")]
    #[track_caller]
    fn try_create_many<I>(&mut self, bundles: I) -> Result<Vec<EntityId<Self>>, Error>
    where
        I: IntoIterator,
        I::Item: Bundle<Self>,
    {
        create::try_many(self, bundles.into_iter())
    }

    /// Creates an entity for each row of lists of values, one list for each component: the fastest
    /// way to create many.
    #[doc = include_str!("context/pages/create_columns.md")]
    #[track_caller]
    fn create_columns<B: Batch<Self>>(&mut self, batch: B) -> Vec<EntityId<Self>> {
        create::columns(self, batch)
    }

    /// Creates an entity for each row of lists of values, up to the first row that is refused;
    /// returns why it was.
    #[doc = include_str!("context/pages/try_create_columns.md")]
    #[track_caller]
    fn try_create_columns<B: Batch<Self>>(
        &mut self,
        batch: B,
    ) -> Result<Vec<EntityId<Self>>, Error> {
        create::try_columns(self, batch)
    }

    /// Creates an entity with clones of all components of another one, in one change.
    #[doc = include_str!("context/pages/clone_entity.md")]
    #[track_caller]
    fn clone_entity(&mut self, id: EntityId<Self>) -> Self::EntityMut<'_> {
        CloneOptions::all().clone_entity(self, id)
    }

    /// Destroys the entity with all its components.
    #[doc = include_str!("context/pages/destroy.md")]
    #[inline]
    #[track_caller]
    fn destroy(&mut self, id: EntityId<Self>) {
        expect(self.try_destroy(id));
    }

    /// Destroys the entity with all its components, or returns why it cannot.
    #[doc = include_str!("context/pages/try_destroy.md")]
    #[inline]
    #[track_caller]
    fn try_destroy(&mut self, id: EntityId<Self>) -> Result<(), Error> {
        state::destroy(self, id)
    }

    /// Destroys every entity that is alive now, in ascending order of index.
    #[doc = include_str!("context/pages/destroy_all.md")]
    fn destroy_all(&mut self) {
        state::destroy_all(self);
    }

    /// Destroys every entity and forgets everything that was gathered about them; groups, observers
    /// and listeners to any entity stay.
    #[doc = include_str!("context/pages/reset.md")]
    fn reset(&mut self) {
        state::reset(self);
    }

    /// Returns a handle that changes all these entities in one call: [`Many`].
    #[doc = include_str!("context/pages/many.md")]
    #[inline]
    #[track_caller]
    fn many<'a>(&'a mut self, ids: &'a [EntityId<Self>]) -> Many<'a, Self> {
        Many::new(self, ids)
    }

    // Finding entities.

    /// Returns the number of living entities.
    #[doc = include_str!("context/pages/len.md")]
    #[inline]
    fn len(&self) -> usize {
        self.core().slots.len()
    }

    /// Returns whether no entity is alive.
    #[doc = include_str!("context/pages/is_empty.md")]
    #[inline]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the living entities, for reading, in ascending order of index.
    #[doc = include_str!("context/pages/entities.md")]
    fn entities(&self) -> Entities<'_, Self> {
        Entities::new(self)
    }

    /// Returns whether the entity is alive in this context.
    #[doc = include_str!("context/pages/contains.md")]
    #[inline]
    #[track_caller]
    fn contains(&self, id: EntityId<Self>) -> bool {
        self.core().slots.get(id).is_some()
    }

    /// Returns a handle that reads the entity.
    #[doc = include_str!("context/pages/entity.md")]
    #[inline]
    #[track_caller]
    fn entity(&self, id: EntityId<Self>) -> Self::Entity<'_> {
        Entity::living(self, id).into()
    }

    /// Returns a handle that reads the entity, or `None` if it is dead.
    #[doc = include_str!("context/pages/get_entity.md")]
    #[inline]
    #[track_caller]
    fn get_entity(&self, id: EntityId<Self>) -> Option<Self::Entity<'_>> {
        Entity::find(self, id).map(Into::into)
    }

    /// Returns a handle that reads the entity, or an error that names it.
    #[doc = include_str!("context/pages/try_entity.md")]
    #[inline]
    #[track_caller]
    fn try_entity(&self, id: EntityId<Self>) -> Result<Self::Entity<'_>, Error> {
        Entity::find_or_error(self, id).map(Into::into)
    }

    /// Returns a handle that changes the entity.
    #[doc = include_str!("context/pages/entity_mut.md")]
    #[inline]
    #[track_caller]
    fn entity_mut(&mut self, id: EntityId<Self>) -> Self::EntityMut<'_> {
        Entity::living(self, id);
        EntityMut::new(self, id).into()
    }

    /// Returns a handle that changes the entity, or `None` if it is dead.
    #[doc = include_str!("context/pages/get_entity_mut.md")]
    #[inline]
    #[track_caller]
    fn get_entity_mut(&mut self, id: EntityId<Self>) -> Option<Self::EntityMut<'_>> {
        Entity::find(self, id)?;
        Some(EntityMut::new(self, id).into())
    }

    /// Returns a handle that changes the entity, or an error that names it.
    #[doc = include_str!("context/pages/try_entity_mut.md")]
    #[inline]
    #[track_caller]
    fn try_entity_mut(&mut self, id: EntityId<Self>) -> Result<Self::EntityMut<'_>, Error> {
        Entity::find_or_error(self, id)?;
        Ok(EntityMut::new(self, id).into())
    }

    // Groups, collectors, queries.

    /// Starts a matcher of the entities that have every component of `T`: one component or a
    /// tuple.
    #[doc = include_str!("context/pages/all_of.md")]
    #[inline(always)]
    fn all_of<T: Components<Self>>() -> Matcher<Self> {
        Matcher::default().all_of::<T>()
    }

    /// Starts a matcher of the entities that have at least one component of `T`.
    #[doc = include_str!("context/pages/any_of.md")]
    #[inline(always)]
    fn any_of<T: Components<Self>>() -> Matcher<Self> {
        Matcher::default().any_of::<T>()
    }

    /// Starts a matcher of the entities that have no component of `T`.
    #[doc = include_str!("context/pages/none_of.md")]
    #[inline(always)]
    fn none_of<T: Components<Self>>() -> Matcher<Self> {
        Matcher::default().none_of::<T>()
    }

    /// Returns the group of a matcher, made by the first call with an equal one.
    #[doc = include_str!("context/pages/group.md")]
    fn group(&mut self, matcher: Matcher<Self>) -> Group<Self> {
        state::group(self, matcher)
    }

    /// Returns a collector of the entities that raise the events of a trigger from now on.
    #[doc = include_str!("context/pages/collector.md")]
    fn collector(&mut self, trigger: Trigger<Self>) -> Collector<Self> {
        collectors::create(self, trigger)
    }

    /// Returns a list that gathers from now on the values of `T` that entities lose, by removal or
    /// by their end: [`RemovedValues`].
    #[doc = include_str!("context/pages/removed_values.md")]
    fn removed_values<T: Component<Self> + Clone>(&mut self) -> RemovedValues<Self, T> {
        removed::create(self)
    }

    /// Returns a feed, which tells what has changed of some components: one, or a tuple.
    #[doc = include_str!("context/pages/feed.md")]
    #[track_caller]
    fn feed<T: Components<Self>>(&mut self) -> Feed<Self> {
        feed::begin::<Self, T>(self)
    }

    /// Returns a new index of the entities that match, by the key that `key` returns for each.
    #[doc = include_str!("context/pages/entity_index.md")]
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

    /// Returns a query that reads the entities with certain components, and those components.
    /// See [`Query`].
    #[doc = include_str!("context/pages/query.md")]
    #[inline]
    fn query<Q: ReadOnlyQueryData<Self>>(&self) -> Query<'_, Self, Q> {
        Query::new(self)
    }

    /// Returns a query that writes to components, and reports every entity visited as updated in
    /// each one asked for as `&mut T`. See [`QueryMut`].
    #[doc = include_str!("context/pages/query_mut.md")]
    #[inline]
    #[track_caller]
    fn query_mut<Q: QueryData<Self>>(&mut self) -> QueryMut<'_, Self, Q> {
        const {
            assert!(
                !Q::CHECKED,
                "`query_mut` asks for `&mut T` of a component with a `primary_index` or a \
                 `relation`, whose key or target could be refused only after it is written; ask \
                 for `&T`, and change it by `update_..` or `replace_..` of each entity"
            );
        }
        const {
            assert!(
                !Q::ASKED.has_conflict(),
                "`query_mut` asks for a component twice, and for one of the two as `&mut T`; ask for \
                 it once. To read that of other entities, as of a parent, read before: \
                 `query::<(EntityId<Game>, &ChildOf, View<Game, T>)>()` into a list that you then \
                 write from, or ask for `(&mut T, View<Game, U>)` with a component `U` that keeps the \
                 value"
            );
        }
        QueryMut::new(self)
    }

    /// Returns a handle that reads one component of many entities by id.
    #[doc = include_str!("context/pages/view.md")]
    #[inline]
    fn view<T: Component<Self>>(&self) -> View<'_, Self, T> {
        View::new(self)
    }

    // Observers and listeners.

    /// Ends an observer or a listener at once; returns whether it was still there.
    #[doc = include_str!("context/pages/unsubscribe.md")]
    #[track_caller]
    fn unsubscribe(&mut self, subscription: Subscription) -> bool {
        state::unsubscribe(self, subscription)
    }

    /// Returns a handle that adds observers of entities and groups that come and go, and ends all
    /// observers: [`Observers`].
    #[doc = include_str!("context/pages/observers.md")]
    fn observers(&mut self) -> Observers<'_, Self> {
        Observers::new(self)
    }

    /// Returns a handle to listeners and the delivery of events: [`Events`].
    #[doc = include_str!("context/pages/events.md")]
    fn events(&mut self) -> Events<'_, Self> {
        Events::new(self)
    }

    // Messages.

    /// Sends a message to every inbox for its type, and then to its observers; drops it if there
    /// is neither.
    #[doc = include_str!("context/pages/send.md")]
    #[inline]
    fn send<T: ThreadSafe>(&mut self, message: T) {
        state::send(self, message);
    }

    /// Returns an inbox, which receives every message of type `T` that is sent from now on:
    /// [`Inbox`].
    #[doc = include_str!("context/pages/inbox.md")]
    fn inbox<T: ThreadSafe>(&mut self) -> Inbox<Self, T> {
        messages::inbox(self)
    }

    /// Calls `observer` at once for every message of type `T` that is sent from now on.
    #[doc = include_str!("context/pages/on_message.md")]
    fn on_message<T: ThreadSafe>(
        &mut self,
        observer: impl FnMut(&mut Self, &T) + ThreadSafe,
    ) -> Subscription {
        messages::observe(self, observer)
    }

    // Unique components.

    /// Returns a handle that reads the unique component `T` and its owner: [`Unique`].
    #[doc = include_str!("context/pages/unique.md")]
    #[inline]
    fn unique<T: UniqueComponent<Self>>(&self) -> Unique<'_, Self, T> {
        Unique::new(self)
    }

    /// Returns a handle that sets, changes and removes the unique component `T`: [`UniqueMut`].
    #[doc = include_str!("context/pages/unique_mut.md")]
    #[inline]
    fn unique_mut<T: UniqueComponent<Self>>(&mut self) -> UniqueMut<'_, Self, T> {
        UniqueMut::new(self)
    }

    // History.

    /// Records every change from now on, so that it can be taken back: [`History`].
    #[doc = include_str!("context/pages/record.md")]
    #[track_caller]
    fn record(&mut self) -> History<Self> {
        History::builder().record(self)
    }

    // Saving and loading.

    /// Returns the context as a value that any format of serde writes: [`Save`].
    #[doc = include_str!("context/pages/save.md")]
    #[cfg(feature = "serde")]
    fn save(&self) -> Save<'_, Self> {
        Save::new(self)
    }

    /// Reads a context from a save: the same entities with the same ids, which continues as the
    /// saved one would have if nothing was [pending](crate::Save::pending).
    #[doc = include_str!("context/pages/load.md")]
    #[cfg(feature = "serde")]
    fn load<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>
    where
        Self: Default,
    {
        Loader::new().load(deserializer)
    }

    /// Adds the entities of a save to those that are there, with new ids; returns these in the order
    /// of the save.
    #[doc = include_str!("context/pages/merge.md")]
    #[cfg(feature = "serde")]
    fn merge<'de, D: Deserializer<'de>>(
        &mut self,
        deserializer: D,
    ) -> Result<Vec<EntityId<Self>>, D::Error> {
        Loader::new().merge(self, deserializer)
    }

    // Snapshots.

    /// Copies all that the context is now: [`Snapshot`].
    #[doc = include_str!("context/pages/snapshot.md")]
    #[track_caller]
    fn snapshot(&mut self) -> Snapshot<Self> {
        Snapshot::builder().snapshot(self)
    }

    /// Makes the context what it, or another one, was at a snapshot.
    #[doc = include_str!("context/pages/restore.md")]
    #[track_caller]
    fn restore(&mut self, snapshot: &Snapshot<Self>) {
        snapshot::restore(self, snapshot);
    }

    /// Returns a second context with the same entities under the same ids, which goes its own way.
    #[doc = include_str!("context/pages/fork.md")]
    #[track_caller]
    fn fork(&self) -> Self
    where
        Self: Default,
    {
        snapshot::fork(self)
    }

    // Components and memory.

    /// Returns what is known of each component, in order of index: a slice that also finds
    /// components by type and by name.
    #[doc = include_str!("context/pages/components.md")]
    fn components(&self) -> ComponentList<'_, Self> {
        ComponentList::new(self)
    }

    /// Moves entities with the same components together in memory and returns emptied memory, so
    /// that queries and groups walk through neighbours.
    #[doc = include_str!("context/pages/defragment.md")]
    #[track_caller]
    fn defragment(&mut self) {
        state::check_movable::<Self>(self.core());
        self.core_mut().defragment();
    }

    /// Returns a handle to figures of memory, fragmentation, free slots and pools: [`Storage`].
    #[doc = include_str!("context/pages/storage.md")]
    fn storage(&self) -> Storage<'_, Self> {
        Storage::new(self)
    }

    /// Returns a handle that reserves memory and gives it back, moves entities step by step and
    /// empties pools: [`StorageMut`].
    #[doc = include_str!("context/pages/storage_mut.md")]
    fn storage_mut(&mut self) -> StorageMut<'_, Self> {
        StorageMut::new(self)
    }
}
