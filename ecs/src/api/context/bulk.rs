//! The verbs that change many entities in one call.

use alloc::vec::Vec;

use super::Context;
use crate::api::batch::{self, Batch};
use crate::api::bundle::{self, Bundle};
use crate::matching::group::Group;
use crate::state::{self, HasCore};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::Error;

/// Changes of many entities in one call: the same events in the same order as the
/// calls one by one, at less cost as long as no observer is to be told.
///
/// A part of [`Context`], whose structs have each of these methods as their own.
///
/// Complexity: linear in the entities; what a change does beside the values is
/// looked up once for each run of entities of one signature.
pub trait BulkChanges: HasCore {
    /// Creates an entity for each bundle of an iterator; each is one change.
    ///
    /// Memory for the entities that the iterator promises at least (`size_hint`) is
    /// reserved at once.
    ///
    /// # Panics
    ///
    /// Panics where a bundle has a component twice, a unique one that an entity has, or a
    /// key of a primary index that is another entity's; the entities before it stay.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let ids = game.create_many((1..=3).map(Health));
    /// assert_eq!(game.entity(ids[2]).health().0, 3);
    /// ```
    #[track_caller]
    fn create_many<I>(&mut self, bundles: I) -> Vec<EntityId<Self>>
    where
        I: IntoIterator,
        I::Item: Bundle<Self>,
    {
        bundle::create::create_many(self, bundles.into_iter())
    }

    /// Creates an entity for each row of lists of values, one list for each
    /// component: a `Vec<T>`, a `&[T]` of a `Copy` component, or a tuple of up to
    /// twelve of these. The fastest way to create many; each is one change.
    ///
    /// # Errors
    ///
    /// [`UnequalColumns`](crate::ErrorKind::UnequalColumns) where the lists differ in length; nothing is created
    /// then.
    ///
    /// # Panics
    ///
    /// Panics where a component is there twice; nothing is created then. Panics where a
    /// component is unique and an entity has it, or there is a second row, and where a key
    /// of a primary index is another entity's; the entities of the rows before it stay.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Name(String);
    /// # #[derive(Component, Clone, Copy)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let names = vec![Name("Ada".into()), Name("Bea".into())];
    /// let ids = game.create_columns((names, &[Health(3), Health(4)][..])).unwrap();
    /// assert_eq!(game.entity(ids[1]).health().0, 4);
    /// assert!(game.create_columns((vec![], &[Health(3)][..]) as (Vec<Name>, _)).is_err());
    /// ```
    #[track_caller]
    fn create_columns<B: Batch<Self>>(&mut self, batch: B) -> Result<Vec<EntityId<Self>>, Error> {
        batch::create_columns(self, batch)
    }

    /// Adds a component to many entities: the value that `value` gives for each.
    ///
    /// Events: those of adding them one by one, in the order of `ids`.
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive), [`AlreadyHasComponent`](crate::ErrorKind::AlreadyHasComponent) (also where an id is there
    /// twice), [`UniqueAlreadySet`](crate::ErrorKind::UniqueAlreadySet), naming the first id that cannot take part; nothing has changed then.
    /// Where an *observer* takes an id out while its turn has not come, those before
    /// it have been changed.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Poisoned { until: u32 }
    /// let mut game = Game::new();
    /// let ids = game.create_many((1..=3).map(Health));
    /// game.add_many(&ids, |_| Poisoned { until: 7 }).unwrap();
    /// assert_eq!(game.entity(ids[2]).poisoned().until, 7);
    /// assert!(game.add_many(&ids[..1], |_| Poisoned { until: 8 }).is_err());
    /// ```
    fn add_many<T: Component<Self>>(
        &mut self,
        ids: &[EntityId<Self>],
        value: impl FnMut(EntityId<Self>) -> T,
    ) -> Result<(), Error> {
        state::add_many(self, ids, value)
    }

    /// Removes a component from many entities.
    ///
    /// Events: those of removing them one by one, in the order of `ids`.
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive), [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent) (also where an id is there
    /// twice), as for [`add_many`](Self::add_many).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let ids = game.create_many([Frozen, Frozen]);
    /// game.remove_many::<Frozen>(&ids).unwrap();
    /// assert!(game.remove_many::<Frozen>(&ids).is_err());
    /// ```
    fn remove_many<T: Component<Self>>(&mut self, ids: &[EntityId<Self>]) -> Result<(), Error> {
        state::remove_many::<Self, T>(self, ids)
    }

    /// Replaces a component of many entities, or adds it where it is missing: with the
    /// value that `value` gives for each. An id that is there twice is replaced twice.
    ///
    /// All values are made before the first one is stored: where `value` panics, nothing
    /// has changed.
    ///
    /// Events: those of replacing them one by one, in the order of `ids`.
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive), [`UniqueAlreadySet`](crate::ErrorKind::UniqueAlreadySet), naming the first id that cannot
    /// take part; `value` is not called then. [`DuplicateKey`](crate::ErrorKind::DuplicateKey) where another entity
    /// has a key of a primary index or is to get it in the same call. Nothing has changed
    /// in all these cases. Where an *observer* destroys an entity whose turn has not come,
    /// or takes a key, those before it have been replaced.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let mut ids = game.create_many((1..=2).map(Health));
    /// ids.push(game.create_entity().id());
    /// game.replace_many(&ids, |_| Health(9)).unwrap();
    /// assert!(ids.iter().all(|&id| game.entity(id).health().0 == 9));
    /// ```
    fn replace_many<T: Component<Self>>(
        &mut self,
        ids: &[EntityId<Self>],
        value: impl FnMut(EntityId<Self>) -> T,
    ) -> Result<(), Error> {
        state::replace_many(self, ids, value)
    }

    /// Changes a component of many entities in place. An id that is there twice is changed
    /// twice.
    ///
    /// Events: those of updating them one by one, in the order of `ids`. Where `change`
    /// panics its value stays as it left it and is not reported; those before it are.
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive), [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent), naming the first id that cannot
    /// take part; nothing has changed then, and `change` is not called.
    /// [`DuplicateKey`](crate::ErrorKind::DuplicateKey) where a key of a primary index would be another entity's,
    /// and where an *observer* takes an id out while its turn has not come; those before
    /// it have been changed.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let ids = game.create_many((1..=3).map(Health));
    /// let wounded = game.collector(Matcher::all_of::<Health>().updated());
    /// game.update_many(&ids[1..], |_, health: &mut Health| health.0 -= 1).unwrap();
    /// assert_eq!(game.entity(ids[2]).health().0, 2);
    /// assert_eq!(wounded.drain(&mut game), ids[1..]);
    /// ```
    fn update_many<T: Component<Self>>(
        &mut self,
        ids: &[EntityId<Self>],
        change: impl FnMut(EntityId<Self>, &mut T),
    ) -> Result<(), Error> {
        state::update_many(self, ids, change)
    }

    /// Destroys many entities.
    ///
    /// Events: those of destroying them one by one, in the order of `ids`. One that an
    /// observer destroys before its turn is passed over.
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive) (also where an id is there twice), naming the first id that
    /// cannot take part; nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let ids = game.create_many((1..=3).map(Health));
    /// assert!(game.destroy_many(&[ids[0], ids[0]]).is_err());
    /// game.destroy_many(&ids[..2]).unwrap();
    /// assert_eq!(game.len(), 1);
    /// ```
    fn destroy_many(&mut self, ids: &[EntityId<Self>]) -> Result<(), Error> {
        state::destroy_many(self, ids)
    }
}

impl<C: HasCore> BulkChanges for C {}

impl<C: Context> Group<C> {
    /// Removes a component from all members that have it, in ascending order of their
    /// rows; gives their number.
    ///
    /// Events: those of removing them one by one. A member that an observer takes out
    /// before its turn is passed over.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let frozen = game.group(Matcher::all_of::<Frozen>());
    /// game.create_many([Frozen, Frozen]);
    /// assert_eq!(frozen.remove_from_all::<Frozen>(&mut game), 2);
    /// assert!(frozen.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn remove_from_all<T: Component<C>>(self, context: &mut C) -> usize {
        let mut ids = self.ids(context);
        let column = context.core().columns.of::<T>();
        let slots = &context.core().slots;
        ids.retain(|&id| column.is_some_and(|column| column.contains(slots.row_of(id))));
        state::remove_from::<C, T>(context, &ids)
    }

    /// Destroys all members, in ascending order of their rows; gives their number.
    ///
    /// Events: those of destroying them one by one. A member that an observer destroys
    /// before its turn is passed over.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Dead;
    /// let mut game = Game::new();
    /// let dead = game.group(Matcher::all_of::<Dead>());
    /// game.create_many([Dead, Dead]);
    /// assert_eq!(dead.destroy_all(&mut game), 2);
    /// assert!(game.is_empty());
    /// ```
    #[track_caller]
    pub fn destroy_all(self, context: &mut C) -> usize {
        let ids = self.ids(context);
        state::destroy_many(context, &ids).expect("the members of a group are alive");
        ids.len()
    }
}
