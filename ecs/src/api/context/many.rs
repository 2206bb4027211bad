//! Changes of many entities in one call.

use core::fmt;

use crate::api::entity::Handles;
use crate::matching::group::Group;
use crate::state::{self, HasCore};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, expect};

/// Changes many entities in one call: one change, with the same events in the same order as
/// individual calls, but faster.
///
/// Returned by [`many`](crate::Context::many).
///
/// Each change is validated for all entities first. If it is rejected for one, nothing has changed,
/// and the error names the first such entity. Observers are notified after all entities have
/// changed, of each in the order of the list. If the `Drop` of a value panics, the change is
/// complete for all entities. Only [`destroy`](Self::destroy) notifies of one entity before it goes
/// on to the next, unless some of them are targets of relations; if a `Drop` panics there, repeat
/// the call for the entities that are still alive.
///
/// Complexity: linear in the entities; everything except the values is looked up once for each run
/// of ids in the list whose entities have the same components.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let ids = game.create_many((1..=3).map(Health));
/// game.many(&ids).add(Strength(7));
/// game.many(&ids[1..]).update(|_, health: &mut Health| health.0 -= 1);
/// game.many(&ids).replace_with(|id| Health(id.index()));
/// game.many(&ids[..2]).remove::<Strength>();
/// assert_eq!(game.entity(ids[2]).strength().0, 7);
/// assert!(game.many(&ids).try_remove::<Strength>().is_err());
/// game.many(&ids).destroy();
/// assert!(game.is_empty());
/// ```
#[must_use = "the handle does nothing by itself"]
pub struct Many<'a, C: 'static> {
    context: &'a mut C,
    ids: &'a [EntityId<C>],
}

impl<'a, C: HasCore> Many<'a, C> {
    #[inline]
    #[track_caller]
    pub(super) fn new(context: &'a mut C, ids: &'a [EntityId<C>]) -> Self {
        context.core().world.slots().check_all(ids);
        Self { context, ids }
    }

    /// Adds a clone of `value` to each entity.
    ///
    /// Events: those of individual calls, in the order of the ids.
    ///
    /// # Panics
    ///
    /// Panics if [`try_add`](Self::try_add) would return an error.
    #[track_caller]
    pub fn add<T: Component<C> + Clone>(self, value: T) {
        expect(self.try_add(value));
    }

    /// Like [`add`](Self::add), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`try_add_with`](Self::try_add_with).
    #[inline]
    pub fn try_add<T: Component<C> + Clone>(self, value: T) -> Result<(), Error> {
        self.try_add_with(|_| value.clone())
    }

    /// Adds to each entity the component that `value` returns for it.
    ///
    /// Events: those of individual calls, in the order of the ids.
    ///
    /// # Panics
    ///
    /// Panics if [`try_add_with`](Self::try_add_with) would return an error.
    #[track_caller]
    pub fn add_with<T: Component<C>>(self, value: impl FnMut(EntityId<C>) -> T) {
        expect(self.try_add_with(value));
    }

    /// Like [`add_with`](Self::add_with), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// - [`NotAlive`](crate::ErrorKind::NotAlive)
    /// - [`AlreadyHasComponent`](crate::ErrorKind::AlreadyHasComponent), also if an id is listed
    ///   twice
    /// - [`UniqueAlreadySet`](crate::ErrorKind::UniqueAlreadySet)
    /// - [`DuplicateKey`](crate::ErrorKind::DuplicateKey)
    /// - [`TargetNotAlive`](crate::ErrorKind::TargetNotAlive) or
    ///   [`RelationCycle`](crate::ErrorKind::RelationCycle) for a
    ///   [relation](crate::guide::hierarchies)
    ///
    /// Nothing has changed then.
    #[inline]
    pub fn try_add_with<T: Component<C>>(
        self,
        value: impl FnMut(EntityId<C>) -> T,
    ) -> Result<(), Error> {
        state::add_many(self.context, self.ids, value)
    }

    /// Replaces a component of each entity with a clone of `value`, or adds it if it is missing.
    ///
    /// An id that is listed twice is replaced twice.
    ///
    /// All clones are made before the first one is stored: if `clone` panics, nothing has changed.
    ///
    /// Events: those of individual calls, in the order of the ids.
    ///
    /// # Panics
    ///
    /// Panics if [`try_replace`](Self::try_replace) would return an error.
    #[track_caller]
    pub fn replace<T: Component<C> + Clone>(self, value: T) {
        expect(self.try_replace(value));
    }

    /// Like [`replace`](Self::replace), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`try_replace_with`](Self::try_replace_with).
    #[inline]
    pub fn try_replace<T: Component<C> + Clone>(self, value: T) -> Result<(), Error> {
        self.try_replace_with(|_| value.clone())
    }

    /// Replaces a component of each entity with the value that `value` returns for it, or adds it
    /// if it is missing.
    ///
    /// An id that is listed twice is replaced twice.
    ///
    /// All values are made before the first one is stored: if `value` panics, nothing has changed.
    ///
    /// Events: those of individual calls, in the order of the ids.
    ///
    /// # Panics
    ///
    /// Panics if [`try_replace_with`](Self::try_replace_with) would return an error.
    #[track_caller]
    pub fn replace_with<T: Component<C>>(self, value: impl FnMut(EntityId<C>) -> T) {
        expect(self.try_replace_with(value));
    }

    /// Like [`replace_with`](Self::replace_with), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// - [`NotAlive`](crate::ErrorKind::NotAlive) or
    ///   [`UniqueAlreadySet`](crate::ErrorKind::UniqueAlreadySet); `value` is not called then
    /// - [`DuplicateKey`](crate::ErrorKind::DuplicateKey) if another entity has a key of a primary
    ///   index, or would get it in the same call
    /// - [`TargetNotAlive`](crate::ErrorKind::TargetNotAlive) or
    ///   [`RelationCycle`](crate::ErrorKind::RelationCycle) for a
    ///   [relation](crate::guide::hierarchies)
    ///
    /// Nothing has changed then.
    #[inline]
    pub fn try_replace_with<T: Component<C>>(
        self,
        value: impl FnMut(EntityId<C>) -> T,
    ) -> Result<(), Error> {
        state::replace_many(self.context, self.ids, value)
    }

    /// Changes a component of each entity in place. An id that is listed twice is changed twice.
    ///
    /// Events: one update of each entity, in the order of the ids, with the value before the call.
    /// If `change` panics, the values changed so far stay as they are: they count as updated for
    /// collectors, feeds, indexes and histories, but observers are not notified of them.
    ///
    /// # Panics
    ///
    /// Panics if [`try_update`](Self::try_update) would return an error.
    #[track_caller]
    pub fn update<T: Component<C>>(self, change: impl FnMut(EntityId<C>, &mut T)) {
        expect(self.try_update(change));
    }

    /// Like [`update`](Self::update), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// - [`NotAlive`](crate::ErrorKind::NotAlive) or
    ///   [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent); `change` is not called
    ///   then
    /// - [`DuplicateKey`](crate::ErrorKind::DuplicateKey) if another entity has a key of a primary
    ///   index, also one whose turn in the list comes later
    /// - [`TargetNotAlive`](crate::ErrorKind::TargetNotAlive) or
    ///   [`RelationCycle`](crate::ErrorKind::RelationCycle) for a
    ///   [relation](crate::guide::hierarchies)
    ///
    /// Nothing has changed then.
    #[inline]
    pub fn try_update<T: Component<C>>(
        self,
        change: impl FnMut(EntityId<C>, &mut T),
    ) -> Result<(), Error> {
        state::update_many(self.context, self.ids, change)
    }

    /// Removes the component `T` from each entity.
    ///
    /// Events: those of individual calls, in the order of the ids.
    ///
    /// # Panics
    ///
    /// Panics if [`try_remove`](Self::try_remove) would return an error.
    #[track_caller]
    pub fn remove<T: Component<C>>(self) {
        expect(self.try_remove::<T>());
    }

    /// Like [`remove`](Self::remove), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive) or
    /// [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent) (also if an id is listed
    /// twice); nothing has changed then.
    #[inline]
    pub fn try_remove<T: Component<C>>(self) -> Result<(), Error> {
        state::remove_many::<C, T>(self.context, self.ids)
    }

    /// Destroys the entities.
    ///
    /// Events: those of individual calls, in the order of the ids. An entity that an observer
    /// destroys before its turn is skipped. If some of them are targets of
    /// [relations](crate::guide::hierarchies), it is one change.
    ///
    /// # Panics
    ///
    /// Panics if [`try_destroy`](Self::try_destroy) would return an error.
    #[track_caller]
    pub fn destroy(self) {
        expect(self.try_destroy());
    }

    /// Like [`destroy`](Self::destroy), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive) (also if an id is listed twice) or, if a
    /// relation rejects it, [`TargetInUse`](crate::ErrorKind::TargetInUse); nothing has changed
    /// then.
    #[inline]
    pub fn try_destroy(self) -> Result<(), Error> {
        state::destroy_many(self.context, self.ids)
    }
}

impl<C> fmt::Debug for Many<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Many").field(&self.ids).finish()
    }
}

impl<C: Handles> Group<C> {
    /// Removes a component from all members that have it, in ascending order of their rows; returns
    /// how many these were.
    ///
    /// Events: those of individual removes, after the component is removed from all of them.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let frozen = game.group(Game::all_of::<Frozen>());
    /// game.create_many([Frozen, Frozen]);
    /// assert_eq!(frozen.remove_from_all::<Frozen>(&mut game), 2);
    /// assert!(frozen.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn remove_from_all<T: Component<C>>(self, context: &mut C) -> usize {
        let mut ids = self.ids(context);
        let column = context.core().typed().of::<T>();
        let slots = context.core().world.slots();
        ids.retain(|&id| column.is_some_and(|column| column.contains(slots.row_of(id))));
        expect(state::remove_many::<C, T>(context, &ids)); // they are alive and have it
        ids.len()
    }

    /// Destroys all members, in ascending order of their rows; returns their number.
    ///
    /// Events: those of individual destroys. A member that an observer destroys before its turn is
    /// skipped.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let dead = game.group(Game::all_of::<Dead>());
    /// game.create_many([Dead, Dead]);
    /// assert_eq!(dead.destroy_all(&mut game), 2);
    /// assert!(game.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`try_destroy_all`](Self::try_destroy_all) would return an error.
    #[track_caller]
    pub fn destroy_all(self, context: &mut C) -> usize {
        expect(self.try_destroy_all(context))
    }

    /// Like [`destroy_all`](Self::destroy_all), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let dead = game.group(Game::all_of::<Dead>());
    /// game.create_with(Dead);
    /// assert_eq!(dead.try_destroy_all(&mut game), Ok(1));
    /// ```
    ///
    /// # Errors
    ///
    /// [`TargetInUse`](crate::ErrorKind::TargetInUse) if a [relation](crate::guide::hierarchies) rejects it; nothing has
    /// changed then.
    #[track_caller]
    pub fn try_destroy_all(self, context: &mut C) -> Result<usize, Error> {
        let ids = self.ids(context);
        state::destroy_many(context, &ids)?; // the members of a group are alive
        Ok(ids.len())
    }
}
