//! The trait [`Context`]. Its methods are short; the work is done in the handles they return, which
//! are in the submodules.

mod buffered;
mod cleanup;
mod cloning;
mod collectors;
mod component_list;
mod entities;
mod events;
mod group_iter;
mod groups;
mod index_handle;
mod index_iter;
mod indexes;
mod many;
mod matching_ids;
mod messages;
mod observers;
#[cfg(feature = "serde")]
mod pending;
mod removed;
mod storage;
#[cfg(feature = "tracing")]
mod tracing;
mod unique;
mod unique_mut;

use alloc::vec::Vec;
use core::hash::Hash;

#[cfg(feature = "serde")]
use serde::Deserializer;

pub use self::buffered::Buffered;
pub(crate) use self::cleanup::clean;
pub use self::cleanup::{CleanupSystems, Missed};
pub use self::component_list::ComponentList;
pub use self::entities::Entities;
pub use self::events::Events;
pub(super) use self::events::of_any;
pub use self::group_iter::GroupIter;
pub use self::index_handle::structure_of;
pub use self::index_iter::IndexIter;
pub use self::indexes::{entities_with, entity_with};
pub use self::many::Many;
pub use self::matching_ids::MatchingIds;
pub use self::observers::Observers;
#[cfg(feature = "serde")]
pub use self::pending::{Pending, PendingKind};
pub use self::storage::{Storage, StorageMut};
pub use self::unique::Unique;
pub use self::unique_mut::UniqueMut;
use super::batch::Batch;
use super::bundle::Bundle;
use super::copying::CloneOptions;
use super::create;
use super::entity::{Entity, EntityMut, Handles};
use super::query::{Query, QueryData, QueryMut, ReadOnlyQueryData, ViewMut};
use super::sources_mut::SourcesMut;
use super::view::View;
use crate::matching::group::Group;
use crate::matching::matcher::{Matcher, Trigger};
use crate::reactions::collector::Collector;
use crate::reactions::entity_index::{EntityIndex, Index, IndexHandle};
use crate::reactions::messages::Inbox;
use crate::reactions::removed::RemovedValues;
use crate::reactions::subscription::{Subscription, SubscriptionGuard};
use crate::records::checksum::{check_checksums, checksum, checksum_of};
use crate::records::feed::{self, Feed};
use crate::records::history::History;
#[cfg(feature = "serde")]
use crate::records::save::{Loader, Save};
use crate::records::snapshot::{self, Snapshot};
use crate::state;
use crate::state::defragment;
use crate::storage::registry::numbering;
use crate::words::component::{Component, Components, UniqueComponent};
use crate::words::demands::{Confined, FitsIn};
use crate::words::entity_id::EntityId;
use crate::words::entity_id::compact::assert_compact;
use crate::words::error::{Error, expect};
use crate::words::field_index::are_checked;
use crate::words::label::EntityName;
use crate::words::relation::{AcyclicRelation, OrderedRelation};

/// A world of entities and their components.
///
/// It is an ordinary value and `Send + Sync`; a program can have any number of contexts.
///
/// `#[ecs::context]` implements this trait for a struct and adds the constructors `new` and
/// `with_capacity`. "Events" in the documentation of a method are those that observers, collectors
/// and reactive systems receive; a method that lists none raises none.
///
/// # Creating and destroying entities
///
/// An entity is created empty or with a bundle of components, one or many at a time. A bundle is
/// one change: no group is entered for a part of it. A rejected change has no effect.
///
/// # Finding entities
///
/// `entity` returns a handle to read, `entity_mut` one to change. If the entity is dead, they
/// panic; `get_` returns `None` and `try_` returns an error. In builds with debug assertions all of
/// them panic if the id belongs to [another context](EntityId#ids-of-another-context) of the same
/// type.
///
/// # Groups, collectors, queries
///
/// A [`Matcher`] selects entities by their components. Groups, collectors, indexes and lists of
/// removed values are small handles; their methods take the context as an argument.
///
/// # Observers and listeners
///
/// An observer is called during the change, once all state is final. Observers of entities and of
/// the context are added through [`observers`](Self::observers), those of a group by the methods of
/// [`Group`]. A listener is called when [events](Events) are delivered.
///
/// # Unique components
///
/// At most one entity has a `unique` component. Its derive adds methods to the context, named after
/// it (`score`, `set_score`, …); [`unique`](Self::unique) and [`unique_mut`](Self::unique_mut) do
/// the same by type.
///
/// # History and snapshots
///
/// A context that is [recorded](Self::record) can be undone to any mark and redone. A
/// [snapshot](Self::snapshot) copies the whole state, to be [restored](Self::restore) later; a
/// [fork](Self::fork) is an independent copy of the context.
///
/// # Memory
///
/// Values are not moved when components are added and removed. [`defragment`](Self::defragment)
/// moves entities with the same components together, [`storage`](Self::storage) returns memory
/// figures, and [`storage_mut`](Self::storage_mut) reserves and frees memory. Ids, groups and
/// collectors stay valid.
pub trait Context: Handles {
    // Creating and destroying entities.

    /// Creates an entity without components.
    ///
    /// The methods of the handle can be chained; end the chain with `.id()`, or store the handle in
    /// a variable first if you need it again ([why](crate::guide::entities#ids-and-handles)).
    ///
    /// Events: *created*; *entered* for groups that match entities without components.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_health(3).id();
    /// assert_eq!(game.entity(id).health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the context already has 2³² entities, the maximum.
    #[inline]
    fn create_entity(&mut self) -> Self::EntityMut<'_> {
        let id = state::create(self);
        EntityMut::new(self, id).into()
    }

    /// Creates an entity with all components of a [bundle](Bundle), in one change.
    ///
    /// Events: *created*; *entered* for the groups that match the whole bundle, none for those that
    /// match only a part of it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let entity = game.create_with((Health(3), Frozen));
    /// assert!(entity.is_frozen() && entity.health().0 == 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`try_create_with`](Self::try_create_with) would return an error, or the bundle
    /// contains a component twice. Nothing is created then.
    #[inline(always)] // see `create::with`
    #[track_caller]
    fn create_with<B: Bundle<Self>>(&mut self, bundle: B) -> Self::EntityMut<'_> {
        let id = create::with(self, bundle);
        EntityMut::new(self, id).into()
    }

    /// Like [`create_with`](Self::create_with), but returns an error instead of panicking.
    ///
    /// # Panics
    ///
    /// Panics if the bundle contains a component twice. Nothing is created then.
    ///
    /// # Errors
    ///
    /// - [`UniqueAlreadySet`](crate::ErrorKind::UniqueAlreadySet)
    /// - [`DuplicateKey`](crate::ErrorKind::DuplicateKey)
    /// - [`TargetNotAlive`](crate::ErrorKind::TargetNotAlive) if a
    ///   [relation](crate::guide::hierarchies) refers to a dead entity
    /// - [`TooManyEntities`](crate::ErrorKind::TooManyEntities)
    ///
    /// No entity is created then, and the values are dropped.
    #[track_caller]
    fn try_create_with<B: Bundle<Self>>(
        &mut self,
        bundle: B,
    ) -> Result<Self::EntityMut<'_>, Error> {
        let id = create::try_with(self, bundle)?;
        Ok(EntityMut::new(self, id).into())
    }

    /// Creates an entity for each bundle of an iterator. Observers are notified after the last one.
    ///
    /// Memory for the lower bound of the iterator's `size_hint` is reserved at once.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_many((1..=3).map(Health));
    /// assert_eq!(game.entity(ids[2]).health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `create_with` would panic for one of the bundles; the entities created before it
    /// stay, and observers are not notified of them. Panics if the context cannot hold as many
    /// entities as the lower bound of `size_hint`; nothing is created then.
    #[track_caller]
    fn create_many<I>(&mut self, bundles: I) -> Vec<EntityId<Self>>
    where
        I: IntoIterator,
        I::Item: Bundle<Self>,
    {
        create::many(self, bundles.into_iter())
    }

    /// Like [`create_many`](Self::create_many), but returns an error instead of panicking.
    ///
    /// The entities created before the rejected one stay, and no more bundles are taken from the
    /// iterator. [`create_many`](Self::create_many) is faster if nothing can be rejected.
    ///
    /// # Panics
    ///
    /// Panics if a bundle contains a component twice; the entities created before it stay.
    ///
    /// # Errors
    ///
    /// Returns the error of [`try_create_with`](Self::try_create_with) for the first bundle that is
    /// rejected. Returns [`TooManyEntities`](crate::ErrorKind::TooManyEntities) if the context
    /// cannot hold as many entities as the lower bound of `size_hint`; nothing is created then.
    #[track_caller]
    fn try_create_many<I>(&mut self, bundles: I) -> Result<Vec<EntityId<Self>>, Error>
    where
        I: IntoIterator,
        I::Item: Bundle<Self>,
    {
        create::try_many(self, bundles.into_iter())
    }

    /// Creates an entity for each row of several lists of values, one list per component: the
    /// fastest way to create many.
    ///
    /// A list is a `Vec<T>`, or a `&[T]` of a `Copy` component; a tuple holds up to twelve lists.
    /// Observers are notified after the last entity is created, as by
    /// [`create_with`](Self::create_with).
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_columns((vec![Health(1), Health(2)], vec![Frozen, Frozen]));
    /// assert_eq!(game.entity(ids[1]).health().0, 2);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the lists differ in length, or a component appears twice; nothing is created then.
    /// Panics if [`create_with`](Self::create_with) would panic for a row; earlier entities stay,
    /// and observers are not notified of them.
    #[track_caller]
    fn create_columns<B: Batch<Self>>(&mut self, batch: B) -> Vec<EntityId<Self>> {
        create::columns(self, batch)
    }

    /// Like [`create_columns`](Self::create_columns), but returns an error instead of panicking.
    ///
    /// It is as fast if nothing can be rejected. The entities of the rows before the rejected one
    /// stay; all other values are dropped.
    ///
    /// # Panics
    ///
    /// Panics if a component appears twice. Nothing is created then.
    ///
    /// # Errors
    ///
    /// - [`UnequalColumns`](crate::ErrorKind::UnequalColumns) if the lists differ in length, or
    ///   [`TooManyEntities`](crate::ErrorKind::TooManyEntities); nothing is created then
    /// - the error of [`try_create_with`](Self::try_create_with) for the first row that is rejected
    #[track_caller]
    fn try_create_columns<B: Batch<Self>>(
        &mut self,
        batch: B,
    ) -> Result<Vec<EntityId<Self>>, Error> {
        create::try_columns(self, batch)
    }

    /// Creates an entity with clones of all components of another entity, in one change; and of its
    /// [entries](crate::guide::hierarchies#several-of-a-kind), if it has any.
    ///
    /// Unique components and components with a primary index are not copied. [`CloneOptions`]
    /// select other components, return errors, copy to an existing entity, or make a template.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let hero = game.create_with(Health(3)).id();
    /// assert_eq!(game.clone_entity(hero).health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead, a component is not `Clone`, or a
    /// [relation](crate::guide::hierarchies) refers to an entity that has been destroyed since.
    /// Nothing is created then, nor if a `clone` panics.
    #[track_caller]
    fn clone_entity(&mut self, id: EntityId<Self>) -> Self::EntityMut<'_> {
        CloneOptions::all().clone_entity(self, id)
    }

    /// Clones an entity with all its descendants by the relation `T`, in one change; returns the
    /// clone of the entity itself ([example](crate::guide::hierarchies#copying-a-tree)).
    ///
    /// References within the tree point to the copies; other references stay, so the clone has the
    /// target of the original. Ordered relations keep their order. Use
    /// [`CloneOptions::with_descendants`](crate::CloneOptions::with_descendants) to select
    /// components or to get an error instead of a panic.
    ///
    /// Events: as for [`create_with`](Self::create_with), targets first. All copies exist when the
    /// first observer is called.
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead, or if a component in the tree is not `Clone`, is unique, has a
    /// primary index, or refers to an entity that has been destroyed since. Nothing is created then,
    /// nor if a `clone` panics.
    #[track_caller]
    fn clone_tree<T: AcyclicRelation<Self>>(&mut self, id: EntityId<Self>) -> Self::EntityMut<'_> {
        CloneOptions::all()
            .with_descendants::<T>()
            .clone_entity(self, id)
    }

    /// Destroys the entity with all its components.
    ///
    /// Events: *will be destroyed*; *left* for each of its groups; *destroyed*. Depending on the
    /// [relation](crate::guide::hierarchies), entities that refer to it are destroyed too, or lose
    /// a component.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// game.destroy(id);
    /// assert!(!game.contains(id));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead or already being destroyed, or if a relation rejects it.
    #[inline]
    #[track_caller]
    fn destroy(&mut self, id: EntityId<Self>) {
        expect(self.try_destroy(id));
    }

    /// Like [`destroy`](Self::destroy), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive),
    /// [`BeingDestroyed`](crate::ErrorKind::BeingDestroyed) or, if a relation rejects it,
    /// [`TargetInUse`](crate::ErrorKind::TargetInUse). Nothing has changed then.
    #[inline]
    #[track_caller]
    fn try_destroy(&mut self, id: EntityId<Self>) -> Result<(), Error> {
        state::destroy(self, id)
    }

    /// Destroys all entities alive at the time of the call, in ascending order of index; those that
    /// observers create during the call stay.
    ///
    /// Events: as for [`destroy`](Self::destroy), for each entity, in one change: *will be destroyed*
    /// of all, then the others.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many([Health(1), Health(2)]);
    /// game.destroy_all();
    /// assert!(game.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if an observer or a `Drop` panics; all entities are destroyed then, unless it was an
    /// observer of *will be destroyed*.
    fn destroy_all(&mut self) {
        state::destroy_all(self);
    }

    /// Destroys all entities and clears everything that was collected about them.
    ///
    /// Groups, observers and listeners of the whole context stay. Collectors, inboxes and lists of
    /// removed values are emptied; only collectors of a trigger
    /// [`with_rewinds`](crate::Trigger::with_rewinds) contain the destroyed entities. Pending
    /// events are discarded, and so is the whole history including its marks. New entities reuse
    /// the slots in ascending order; old ids stay dead.
    ///
    /// Entities that *will be destroyed* observers destroy are destroyed after the collectors have
    /// been emptied. Other events are as for [`destroy_all`](Self::destroy_all).
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let before = game.create_with(Health(1)).id();
    /// game.reset();
    /// let after = game.create_with(Health(2)).id();
    /// assert!(after.index() == before.index() && after != before);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if an observer or the `Drop` of a value panics. The remaining entities stay alive,
    /// nothing is cleared, and the call can be repeated.
    fn reset(&mut self) {
        state::reset(self);
    }

    /// Returns a handle that changes all of these entities in one call: [`Many`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_many([Health(1), Health(2)]);
    /// game.many(&ids).replace(Health(3));
    /// assert!(game.entities().all(|entity| entity.health().0 == 3));
    /// ```
    #[inline]
    #[track_caller]
    fn many<'a>(&'a mut self, ids: &'a [EntityId<Self>]) -> Many<'a, Self> {
        Many::new(self, ids)
    }

    /// Returns a handle that changes the order of the entities that refer to `target` in the ordered
    /// relation `T`: [`SourcesMut`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let parent = game.create_entity().id();
    /// let [a, b] = [0; 2].map(|_| game.create_with(ChildOf { parent }).id());
    /// game.sources_mut::<ChildOf>(parent).move_before(b, a);
    /// assert_eq!(game.entity(parent).children(), [b, a]);
    /// ```
    #[track_caller]
    fn sources_mut<T: OrderedRelation<Self>>(
        &mut self,
        target: EntityId<Self>,
    ) -> SourcesMut<'_, Self, T> {
        SourcesMut::new(self, target)
    }

    // Finding entities.

    /// Returns the number of living entities.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity();
    /// assert_eq!(game.len(), 1);
    /// ```
    #[inline]
    fn len(&self) -> usize {
        self.core().world.slots().len()
    }

    /// Returns whether no entities are alive.
    #[inline]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the living entities, read-only, in ascending order of index.
    fn entities(&self) -> Entities<'_, Self> {
        Entities::new(self)
    }

    /// Returns whether the entity is alive in this context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert!(game.contains(id));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the id [is known](EntityId#ids-of-another-context) to belong to another context,
    /// which is the case in builds with debug assertions: it would name an unrelated entity here.
    #[inline]
    #[track_caller]
    fn contains(&self, id: EntityId<Self>) -> bool {
        self.core().world.is_alive(id)
    }

    /// Returns the entity of a [compact id](EntityId::compact) with the same numbers of bits, if it is alive.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert_eq!(game.find_compact::<16, 4>(id.compact::<16, 4>().unwrap()), Some(id));
    /// assert_eq!(game.find_compact::<16, 4>(7), None);
    /// ```
    fn find_compact<const INDEX: u32, const GENERATION: u32>(
        &self,
        bits: u32,
    ) -> Option<EntityId<Self>> {
        const { assert_compact(INDEX, GENERATION) }
        let index = (u64::from(bits) & ((1 << INDEX) - 1)) as u32;
        let (id, _) = self.core().world.slots().alive_in(index)?;
        (id.compact::<INDEX, GENERATION>() == Some(bits)).then_some(id)
    }

    /// Returns the name of an entity, dead or alive, for messages and logs: its id, and its label
    /// if it has one.
    ///
    /// The label is the text of the component with the attribute `label`
    /// ([`Component`](trait@crate::Component)), cut after 64 characters; a context has at most one
    /// such component. `Debug` of handles, errors and panic messages [show it
    /// too](crate::guide::entities#names).
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert_eq!(game.name_of(id).to_string(), "0v1");
    /// ```
    #[track_caller]
    fn name_of(&self, id: EntityId<Self>) -> EntityName {
        let _ = self.contains(id); // panics if it is of another context
        self.core().world.name_of(id.raw())
    }

    /// Returns a handle that reads the entity.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// assert_eq!(game.entity(id).health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead.
    #[inline]
    #[track_caller]
    fn entity(&self, id: EntityId<Self>) -> Self::Entity<'_> {
        Entity::alive(self, id).into()
    }

    /// Returns a handle that reads the entity, or `None` if it is dead.
    #[inline]
    #[track_caller]
    fn get_entity(&self, id: EntityId<Self>) -> Option<Self::Entity<'_>> {
        Entity::find(self, id).map(Into::into)
    }

    /// Like [`entity`](Self::entity), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive) if the entity is dead.
    #[inline]
    #[track_caller]
    fn try_entity(&self, id: EntityId<Self>) -> Result<Self::Entity<'_>, Error> {
        Entity::find_or_error(self, id).map(Into::into)
    }

    /// Returns a handle that changes the entity.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// game.entity_mut(id).replace_health(2);
    /// assert_eq!(game.entity(id).health().0, 2);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead.
    #[inline]
    #[track_caller]
    fn entity_mut(&mut self, id: EntityId<Self>) -> Self::EntityMut<'_> {
        Entity::alive(self, id);
        EntityMut::new(self, id).into()
    }

    /// Returns a handle that changes the entity, or `None` if it is dead.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// if let Some(mut entity) = game.get_entity_mut(id) {
    ///     entity.add_frozen();
    /// }
    /// assert!(game.entity(id).is_frozen());
    /// ```
    #[inline]
    #[track_caller]
    fn get_entity_mut(&mut self, id: EntityId<Self>) -> Option<Self::EntityMut<'_>> {
        Entity::find(self, id)?;
        Some(EntityMut::new(self, id).into())
    }

    /// Like [`entity_mut`](Self::entity_mut), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive) if the entity is dead.
    #[inline]
    #[track_caller]
    fn try_entity_mut(&mut self, id: EntityId<Self>) -> Result<Self::EntityMut<'_>, Error> {
        Entity::find_or_error(self, id)?;
        Ok(EntityMut::new(self, id).into())
    }

    // Groups, collectors, queries.

    /// Starts a matcher for entities that have every component of `T`: one component or a tuple.
    #[inline(always)]
    fn all_of<T: Components<Self>>() -> Matcher<Self> {
        Matcher::default().all_of::<T>()
    }

    /// Starts a matcher for entities that have at least one component of `T`.
    #[inline(always)]
    fn any_of<T: Components<Self>>() -> Matcher<Self> {
        Matcher::default().any_of::<T>()
    }

    /// Starts a matcher for entities that have no component of `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mobile = game.group(Game::none_of::<Frozen>());
    /// let ids = game.create_many([Health(1), Health(2)]);
    /// game.entity_mut(ids[0]).add_frozen();
    /// assert_eq!(mobile.ids(&game), [ids[1]]);
    /// ```
    #[inline(always)]
    fn none_of<T: Components<Self>>() -> Matcher<Self> {
        Matcher::default().none_of::<T>()
    }

    /// Returns the [`Group`] of a matcher, creating it on the first call with an equal matcher.
    ///
    /// A new group contains all entities that already match.
    ///
    /// Events: *group created* at the first call; no *entered* for existing members.
    ///
    /// Complexity: linear in entities and signatures at the first call, a lookup later.
    fn group(&mut self, matcher: Matcher<Self>) -> Group<Self> {
        state::group(self, matcher)
    }

    /// Returns a [`Collector`] of the entities that raise the events of a trigger from now on.
    ///
    /// Events: *group created* for each new matcher.
    fn collector(&mut self, trigger: Trigger<Self>) -> Collector<Self> {
        state::look_for_dropped(self);
        state::collector(self, trigger)
    }

    /// Returns a list that collects the values of `T` that entities lose from now on, because the
    /// component is removed or the entity destroyed: [`RemovedValues`].
    ///
    /// Events: *group created* if the entities with `T` have no group yet.
    fn removed_values<T: Component<Self> + Clone>(&mut self) -> RemovedValues<Self, T> {
        state::look_for_dropped(self);
        state::keep_removed(self)
    }

    /// Returns a [`Feed`], which reports changes of some components: one, or a tuple.
    ///
    /// The first [`Delta`](crate::Delta) [taken](crate::Feed::take) contains everything, later ones
    /// contain what has changed since. A [`Mirror`](crate::Mirror) applies them to another context.
    ///
    /// Events: *group created* for each component whose owners have no group yet.
    ///
    /// Complexity: linear in the entities for each such group.
    ///
    /// # Panics
    ///
    /// Panics if one of the components is not `Clone`, or if there are more than 64 of them.
    #[track_caller]
    fn feed<T: Components<Self>>(&mut self) -> Feed<Self> {
        feed::begin::<Self, T>(self)
    }

    /// Returns a new index of the entities that match, keyed by what `key` returns for each.
    ///
    /// It contains all entities that match now or later. [`EntityIndex`] describes it, and how to
    /// give an entity several keys.
    ///
    /// Events: *group created* if the matcher is new.
    ///
    /// Complexity: linear in the entities that match.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let by_health = game.entity_index(Game::all_of::<Health>(), |e| e.health().0);
    /// let id = game.create_with(Health(3)).replace_health(7).id();
    /// assert_eq!(by_health.get(&game, &7).ids(), [id]);
    /// ```
    fn entity_index<K>(
        &mut self,
        matcher: Matcher<Self>,
        key: impl Fn(Self::Entity<'_>) -> K + FitsIn<Self>,
    ) -> EntityIndex<Self, K>
    where
        K: Hash + Eq + Send + Sync + 'static,
    {
        let key = Confined::new::<Self>(key);
        indexes::create(self, matcher, move |entity, each| each(key(entity)))
    }

    /// Keeps a structure of the entities that match, such as a [`Grid`](crate::Grid): it is given `key` of each
    /// of them, and notified of each change.
    ///
    /// The key function must read only components in the matcher's all-of or any-of set, as that of an
    /// [`EntityIndex`]. [`Index`](crate::Index) describes of what a structure is notified.
    ///
    /// Events: *group created* if the matcher is new.
    ///
    /// Complexity: linear in the entities that match.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ranking = game.index_with(Game::all_of::<Health>(), |e| e.health().0, ecs::Ordered::new());
    /// let ids = game.create_many([Health(5), Health(9), Health(7)]);
    /// assert_eq!(ranking.get(&game).last(), Some((&9, ids[1])));
    /// game.entity_mut(ids[1]).replace_health(6);
    /// assert_eq!(ranking.get(&game).last(), Some((&7, ids[2])));
    /// ```
    fn index_with<I: Index<Self>>(
        &mut self,
        matcher: Matcher<Self>,
        key: impl Fn(Self::Entity<'_>) -> I::Key + FitsIn<Self>,
        structure: I,
    ) -> IndexHandle<Self, I> {
        index_handle::create(self, matcher, key, structure)
    }

    /// Returns a [`Query`], which reads the entities that have certain components. They come in the same order in each run
    /// of a program, which is not that of their creation: a new entity takes the row of a destroyed one. For a log or a
    /// ranking, use an [ordered index](crate::guide::finding#what-to-use).
    #[inline]
    fn query<Q: ReadOnlyQueryData<Self>>(&self) -> Query<'_, Self, Q> {
        Query::new(self)
    }

    /// Returns a [`QueryMut`], which writes components.
    ///
    /// Every visited entity counts as updated in each component queried as `&mut T`.
    ///
    /// Querying a component twice, at least once as `&mut T`, is a compile error;
    /// [`QueryMut`](crate::QueryMut#parents-and-children) shows how to read the same component of
    /// other entities.
    ///
    /// # Panics
    ///
    /// Panics if a component that implements [`Component`](trait@crate::Component) by hand is
    /// queried twice, at least once as `&mut T`.
    #[inline]
    #[track_caller]
    fn query_mut<Q: QueryData<Self>>(&mut self) -> QueryMut<'_, Self, Q> {
        const {
            assert!(
                !Q::CHECKED,
                "`query_mut` asks for `&mut T` of a component with a `primary_index` or a \
                 `relation`, whose key or target could be rejected only after it is written; ask \
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

    /// Returns a [`View`], which reads one component of any entities by id.
    #[inline]
    fn view<T: Component<Self>>(&self) -> View<'_, Self, T> {
        View::new(self)
    }

    /// Calls `visit` with a [`ViewMut`], which reads and writes one component of any entities by
    /// id.
    ///
    /// The entities written to count as updated. A component with a primary index or a relation is
    /// a compile error, as for [`query_mut`](Self::query_mut).
    ///
    /// # Panics
    ///
    /// Panics if `visit` panics. What was written stays and is collected, but observers are not
    /// notified.
    #[inline]
    fn view_mut<T: Component<Self>>(&mut self, visit: impl FnOnce(&mut ViewMut<'_, Self, T>)) {
        const {
            assert!(
                !are_checked(T::INDEXES),
                "`view_mut` of a component with a `primary_index` or a `relation`, whose key or \
                 target could be rejected only after it is written; read it by `view`, and change it \
                 by `update_..` or `replace_..` of each entity"
            );
        }
        ViewMut::visit(self, visit);
    }

    // Observers and listeners.

    /// Removes an observer or a listener at once; returns whether it still existed.
    ///
    /// An observer may remove itself.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let subscription = game.observers().on_created(|_, _| panic!("never called"));
    /// assert!(game.unsubscribe(subscription));
    /// game.create_entity();
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the subscription belongs to another context.
    #[track_caller]
    fn unsubscribe(&mut self, subscription: Subscription) -> bool {
        state::unsubscribe(self, subscription)
    }

    /// Returns a guard that removes an observer or a listener when dropped: it is not called any
    /// more from then on.
    ///
    /// The closure itself is dropped when the context next creates a handle, or with the context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let subscription = game.observers().on_created(|_, _| panic!("never called"));
    /// drop(game.unsubscribe_on_drop(subscription)); // a view would keep it
    /// game.create_entity();
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the subscription belongs to another context or no longer exists, or if its
    /// observer is running.
    #[track_caller]
    fn unsubscribe_on_drop(&mut self, subscription: Subscription) -> SubscriptionGuard {
        state::unsubscribe_on_drop(self, subscription)
    }

    /// Returns a handle that adds observers of created and destroyed entities, of new groups and of
    /// each change, and can remove all observers: [`Observers`].
    fn observers(&mut self) -> Observers<'_, Self> {
        Observers::new(self)
    }

    /// Returns a handle that adds listeners and delivers events: [`Events`].
    fn events(&mut self) -> Events<'_, Self> {
        Events::new(self)
    }

    // Messages.

    /// Sends a message to every inbox for its type, then to its observers. Without either, the
    /// message is dropped.
    ///
    /// A message can have any type. Use messages for short-lived data that belongs to no entity;
    /// data of an entity belongs in a component.
    ///
    /// Complexity: constant; a lookup of the type if the context has had inboxes or observers of
    /// messages.
    #[inline]
    fn send<T: FitsIn<Self>>(&mut self, message: T) {
        state::send(self, message);
    }

    /// Returns an inbox, which receives every message of type `T` sent from now on: [`Inbox`].
    fn inbox<T: FitsIn<Self>>(&mut self) -> Inbox<Self, T> {
        state::look_for_dropped(self);
        let core = self.core_mut();
        state::add_inbox(&core.world, &mut core.subs)
    }

    /// Calls `observer` at once for every message of type `T` sent from now on.
    ///
    /// Inboxes have received the message by then. A message sent by an observer is delivered after
    /// the current one.
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
    fn on_message<T: FitsIn<Self>>(
        &mut self,
        observer: impl FnMut(&mut Self, &T) + FitsIn<Self>,
    ) -> Subscription {
        state::observe_messages(self.core_mut(), Confined::new::<Self>(observer))
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

    // History.

    /// Records every change from now on, so that it can be undone: [`History`].
    ///
    /// A context can have only one active history. [`History::builder`] starts one that excludes
    /// components.
    ///
    /// # Panics
    ///
    /// Panics if a component is not `Clone`, the context is already recorded, or observers are
    /// being notified of a change.
    #[track_caller]
    fn record(&mut self) -> History<Self> {
        History::builder().record(self)
    }

    // Saving and loading.

    /// Returns the context as a value that any serde format can serialize: [`Save`].
    ///
    /// Requires the feature `serde`; the guide says [what is
    /// saved](crate::guide::saving#what-is-saved). [`only`](crate::Save::only) and
    /// [`without`](crate::Save::without) save a part of the context.
    ///
    /// Serializing fails with an error of the format, before anything is written, if some entity
    /// has a component that is not `transient`, not a flag, and not both `Serialize` and
    /// `DeserializeOwned`; the message names all such components. A value that could not be read
    /// back is an error, too: see [`Save`](crate::Save).
    ///
    /// Complexity: linear in the entities and their components.
    #[cfg(feature = "serde")]
    fn save(&self) -> Save<'_, Self> {
        Save::new(self)
    }

    /// Loads a context from a save: the same entities with the same ids.
    ///
    /// It continues as the saved one would have, if nothing was [pending](crate::Save::pending).
    /// There are no notifications, because a new context has no observers. Requires the feature
    /// `serde`; see the [guide](crate::guide::saving).
    ///
    /// # Errors
    ///
    /// Returns an error of the format if
    ///
    /// - the save is malformed, of another context, or [partial](crate::Save::only);
    /// - it names components that the program does not have (a [`Loader`](crate::Loader) can skip
    ///   them);
    /// - its entities could not have been created, because of a unique component, a key or a
    ///   relation.
    ///
    /// Postcard drops the text of its errors; [`Loader::error`](crate::Loader::error) has it.
    ///
    /// Malformed input neither panics nor allocates more memory than its size accounts for; the
    /// format limits how deeply values are nested.
    #[cfg(feature = "serde")]
    fn load<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>
    where
        Self: Default,
    {
        Loader::new().load(deserializer)
    }

    /// Replaces the contents of a running context with those of a save, with the same ids.
    ///
    /// Systems, groups, collectors and other handles stay valid; listeners and observers of single
    /// entities are removed. No observer and no listener is notified, and collectors are emptied,
    /// but for those of a trigger [`with_rewinds`](crate::Trigger::with_rewinds) ([who is
    /// notified](crate::guide::undo_and_rollback#who-is-notified)). Requires the feature `serde`;
    /// see the [guide](crate::guide::saving#loading-into-a-running-game).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`load`](crate::Context::load), and an error if observers are being
    /// notified or a history records the context. Nothing has changed then.
    #[cfg(feature = "serde")]
    fn reload<'de, D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error>
    where
        Self: Default,
    {
        Loader::new().reload(self, deserializer)
    }

    /// Adds the entities of a save to the existing ones, with new ids; returns the new ids in the
    /// order of the save.
    ///
    /// Every `EntityId` of this context inside a component, including those in lists, options,
    /// enums and map keys, is replaced by the new id of its entity
    /// ([example](crate::guide::saving#part-of-a-world)). Free slots of the save are ignored.
    /// Requires the feature `serde`.
    ///
    /// Events: those of [`create_with`](crate::Context::create_with) for each entity, in one
    /// change: all of them exist when the first observer is called.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`load`](crate::Context::load), and an error if an id inside a
    /// component belongs to no entity of the save, unless the save is [partial](crate::Save::only)
    /// and a loader [maps](crate::Loader::map_absent) the id. Nothing has changed then.
    #[cfg(feature = "serde")]
    fn merge<'de, D: Deserializer<'de>>(
        &mut self,
        deserializer: D,
    ) -> Result<Vec<EntityId<Self>>, D::Error> {
        Loader::new().merge(self, deserializer)
    }

    // Checksums and snapshots.

    /// Returns a number for the whole state, so that two machines can compare theirs
    /// ([example](crate::guide::networks#lockstep)).
    ///
    /// It covers the entities with their ids and components, in any order, and nothing else: no
    /// memory layout, groups or collectors, no components that are `transient`, as a save has none
    /// of them, and none that are [excluded](crate::HistoryBuilder::without) from the history of
    /// the context, if it has one.
    /// It is the same on every machine, except for values whose `Hash` [is
    /// not](crate::Checksum#what-hash-cannot-do).
    ///
    /// Complexity: linear in all values. If the context is recorded, at most linear in the changes
    /// since the last [`History::checksum`](crate::History::checksum).
    ///
    /// # Panics
    ///
    /// Panics if a component has no checksum: neither the type nor each of its fields has `Hash` or
    /// [`Checksum`](crate::Checksum).
    #[track_caller]
    fn checksum(&self) -> u64 {
        expect(self.try_checksum())
    }

    /// Like [`checksum`](Self::checksum), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`NoChecksum`](crate::ErrorKind::NoChecksum), with the component and the first entity that
    /// has it.
    fn try_checksum(&self) -> Result<u64, Error> {
        checksum(&self.core().world, &self.core().subs)
    }

    /// Checks that each component has a checksum, before an entity has it: call it at start in a
    /// program that compares checksums.
    ///
    /// Components that are [excluded](crate::HistoryBuilder::without) from the history of the
    /// context need none.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// struct Sound;
    /// #[derive(Component)]
    /// #[component(context = Game)]
    /// struct Weapon { range: f32, sound: Sound }
    ///
    /// let error = Game::new().check_checksums().unwrap_err();
    /// assert!(error.to_string().contains("the type of its field `sound` has neither `Hash`"));
    /// ```
    ///
    /// # Errors
    ///
    /// [`NoChecksum`](crate::ErrorKind::NoChecksum), with the component; the text names the field.
    fn check_checksums(&self) -> Result<(), Error> {
        let descriptors = numbering::<Self>().descriptors();
        check_checksums(&self.core().subs, descriptors)
    }

    /// Returns the checksum of one entity with its components; 0 if it is dead.
    ///
    /// Use it to find the first difference between two machines. The sum over all entities is the
    /// [`checksum`](Self::checksum) of the context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(1)).id();
    /// let before = game.checksum_of(id);
    /// game.entity_mut(id).replace_health(2);
    /// assert_ne!(game.checksum_of(id), before);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a component of the entity has no checksum; [`try_checksum`](Self::try_checksum)
    /// returns an error. In builds with debug assertions, panics if the id belongs to another
    /// context.
    #[track_caller]
    fn checksum_of(&self, id: EntityId<Self>) -> u64 {
        self.core().world.slots().check(id);
        expect(checksum_of(
            &self.core().world,
            &self.core().subs,
            id.untyped(),
        ))
    }

    /// Returns a copy of the current state of the context: [`Snapshot`].
    ///
    /// Can be called at any time, even by an observer. [`Snapshot::builder`] can exclude components
    /// and tells which are not `Clone`.
    ///
    /// Complexity: linear in the slots and in the blocks of values; a component whose `Clone` is a
    /// bitwise copy costs as much as copying a list.
    ///
    /// # Panics
    ///
    /// Panics if a component is not `Clone`.
    #[track_caller]
    fn snapshot(&mut self) -> Snapshot<Self> {
        Snapshot::builder().snapshot(self)
    }

    /// Restores the state of a snapshot, taken of this or of another context: see [`Snapshot`].
    ///
    /// No observer and no listener is notified; collectors of a trigger
    /// [`with_rewinds`](crate::Trigger::with_rewinds) collect the entities that differ, and feeds
    /// send everything ([who is notified](crate::guide::undo_and_rollback#who-is-notified)).
    ///
    /// The values are cloned, and compared with the present ones if such a collector expects
    /// updates, before anything is changed: if a `clone` panics, nothing has changed.
    /// Key functions of indexes are called once all state is final.
    ///
    /// Complexity: as for [`snapshot`](Self::snapshot), and one call of the key function for each
    /// entity of an index. Collectors `with_rewinds` add time linear in the entities for each of
    /// them, and a comparison for each value of a component whose updates they expect.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let hero = game.create_with(Health(3)).id();
    /// let snapshot = game.snapshot();
    ///
    /// game.destroy(hero);
    /// game.restore(&snapshot);
    /// assert_eq!(game.entity(hero).health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if observers are being notified of a change, or the context is
    /// [recorded](Self::record). [`Snapshot::try_restore`] returns an error instead.
    #[track_caller]
    fn restore(&mut self, snapshot: &Snapshot<Self>) {
        snapshot::restore(self, snapshot);
    }

    /// Returns an independent copy of the context with the same entity ids.
    ///
    /// Both have the same values, unique owners, indexed fields, relations and order of entities,
    /// and create the same ids next. Handles belong to the context that created them: the fork has
    /// no observers, listeners, collectors, inboxes or [`entity_index`](Self::entity_index)
    /// handles, and creates its groups on demand. An id that one of the two creates later may name
    /// an unrelated entity in the other; no build detects this.
    ///
    /// Complexity: as for [`snapshot`](Self::snapshot), and a call of `clone` for each key of an
    /// indexed field.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let hero = game.create_with(Health(3)).id();
    /// let mut ahead = game.fork();
    /// ahead.destroy(hero); // what if?
    /// assert!(game.contains(hero) && !ahead.contains(hero));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a component is not `Clone`. Exclude it from a [`Snapshot`], and restore that into
    /// a new context instead.
    #[track_caller]
    fn fork(&self) -> Self
    where
        Self: Default,
    {
        snapshot::fork(self)
    }

    // Components and memory.

    /// Returns information about each component, in order of index: a slice that also finds
    /// components by type and by name.
    fn components(&self) -> ComponentList<'_, Self> {
        ComponentList::new(self)
    }

    /// Moves entities with the same components together in memory, so that queries and groups
    /// iterate over adjacent values, and frees the emptied memory
    /// ([when to use it](crate::guide::measuring#when-to-defragment)).
    ///
    /// This changes the order of iteration: entities are ordered by
    /// [*signature*](crate::guide::glossary), their set of components, in an order that depends
    /// only on component names; those of one signature keep their order. A second call changes
    /// nothing.
    ///
    /// Complexity: linear in the slots and in the values of the components that are moved.
    ///
    /// # Examples
    ///
    /// ```
    /// # use sample::*;
    /// let mut game = Game::new();
    /// for n in 0..4 {
    ///     game.create_with(Health(n)).set_frozen(n % 2 == 0);
    /// }
    /// game.defragment();
    /// let healths: Vec<_> = game.query::<&Health>().iter().map(|health| health.0).collect();
    /// assert_eq!(healths, [1, 3, 0, 2]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the context is [recorded](Self::record): undo could not restore the order.
    /// [`defragment_for`](crate::StorageMut::defragment_for), which works in small steps, can be
    /// undone.
    #[track_caller]
    fn defragment(&mut self) {
        state::check_movable::<Self>(self.core());
        let core = self.core_mut();
        defragment(&mut core.world, &mut core.subs);
    }

    /// Returns a handle to figures of memory, fragmentation, free slots and pools: [`Storage`].
    fn storage(&self) -> Storage<'_, Self> {
        Storage::new(self)
    }

    /// Returns a handle that reserves and frees memory, moves entities step by step and empties
    /// pools: [`StorageMut`].
    fn storage_mut(&mut self) -> StorageMut<'_, Self> {
        StorageMut::new(self)
    }
}
