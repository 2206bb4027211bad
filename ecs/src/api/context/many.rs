//! Changes of many entities in one call.

use core::fmt;

use crate::api::entity::Handles;
use crate::matching::group::Group;
use crate::state::{self, HasCore};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, expect};

/// Many entities, to be changed in one call: the same events in the same order as by the calls one
/// by one, at less cost as long as no observer is to be called. Returned by
/// [`many`](crate::Context::many).
///
/// Each change is checked for all entities first. If one of them cannot take part nothing has
/// changed, and the error names the first one. If an *observer* takes an id out while its turn has
/// not come, those before it have been changed. If the `Drop` of a value panics, the change is complete
/// for all as long as nobody follows; where observers or lists of removed values do, those before it and
/// its own entity have been changed, and the call can be repeated for the others.
///
/// Complexity: linear in the entities; what a change does beside the values is looked up once for
/// each stretch of ids in the list whose entities have the same components.
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
        context.core().slots().check_all(ids);
        Self { context, ids }
    }

    /// Adds a component to each entity: a clone of `value`.
    ///
    /// Events: those of adding them one by one, in the order of the ids.
    ///
    /// # Panics
    ///
    /// Panics if [`try_add`](Self::try_add) would return an error.
    #[track_caller]
    pub fn add<T: Component<C> + Clone>(self, value: T) {
        expect(self.try_add(value));
    }

    /// Adds a clone of `value` to each entity; see [`add`](Self::add).
    ///
    /// # Errors
    ///
    /// As [`try_add_with`](Self::try_add_with).
    #[inline]
    pub fn try_add<T: Component<C> + Clone>(self, value: T) -> Result<(), Error> {
        self.try_add_with(|_| value.clone())
    }

    /// Adds a component to each entity: the value that `value` returns for it.
    ///
    /// Events: those of adding them one by one, in the order of the ids.
    ///
    /// # Panics
    ///
    /// Panics if [`try_add_with`](Self::try_add_with) would return an error.
    #[track_caller]
    pub fn add_with<T: Component<C>>(self, value: impl FnMut(EntityId<C>) -> T) {
        expect(self.try_add_with(value));
    }

    /// Adds the component that `value` returns to each entity; see [`add_with`](Self::add_with).
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive), [`AlreadyHasComponent`](crate::ErrorKind::AlreadyHasComponent) (also if an id is there
    /// twice), [`UniqueAlreadySet`](crate::ErrorKind::UniqueAlreadySet),
    /// [`DuplicateKey`](crate::ErrorKind::DuplicateKey), or, for a [relation](crate::guide::hierarchies),
    /// [`TargetNotAlive`](crate::ErrorKind::TargetNotAlive) or
    /// [`RelationCycle`](crate::ErrorKind::RelationCycle); nothing has changed then.
    #[inline]
    pub fn try_add_with<T: Component<C>>(
        self,
        value: impl FnMut(EntityId<C>) -> T,
    ) -> Result<(), Error> {
        state::add_many(self.context, self.ids, value)
    }

    /// Replaces a component of each entity by a clone of `value`, or adds it if it is missing. An id
    /// that is there twice is replaced twice.
    ///
    /// All clones are made before the first one is stored: if `clone` panics, nothing has changed.
    ///
    /// Events: those of replacing them one by one, in the order of the ids.
    ///
    /// # Panics
    ///
    /// Panics if [`try_replace`](Self::try_replace) would return an error.
    #[track_caller]
    pub fn replace<T: Component<C> + Clone>(self, value: T) {
        expect(self.try_replace(value));
    }

    /// Replaces a component of each entity by a clone of `value`; see [`replace`](Self::replace).
    ///
    /// # Errors
    ///
    /// As [`try_replace_with`](Self::try_replace_with).
    #[inline]
    pub fn try_replace<T: Component<C> + Clone>(self, value: T) -> Result<(), Error> {
        self.try_replace_with(|_| value.clone())
    }

    /// Replaces a component of each entity, or adds it if it is missing, with the value that `value`
    /// returns for it. An id that is there twice is replaced twice.
    ///
    /// All values are made before the first one is stored: if `value` panics, nothing has changed.
    ///
    /// Events: those of replacing them one by one, in the order of the ids.
    ///
    /// # Panics
    ///
    /// Panics if [`try_replace_with`](Self::try_replace_with) would return an error.
    #[track_caller]
    pub fn replace_with<T: Component<C>>(self, value: impl FnMut(EntityId<C>) -> T) {
        expect(self.try_replace_with(value));
    }

    /// Replaces a component of each entity by what `value` returns; see
    /// [`replace_with`](Self::replace_with).
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive) or [`UniqueAlreadySet`](crate::ErrorKind::UniqueAlreadySet), without calling `value`, or
    /// [`DuplicateKey`](crate::ErrorKind::DuplicateKey) if another entity has a key of a primary index or is to get it in the
    /// same call; for a [relation](crate::guide::hierarchies), [`TargetNotAlive`](crate::ErrorKind::TargetNotAlive)
    /// or [`RelationCycle`](crate::ErrorKind::RelationCycle). Nothing has changed then.
    #[inline]
    pub fn try_replace_with<T: Component<C>>(
        self,
        value: impl FnMut(EntityId<C>) -> T,
    ) -> Result<(), Error> {
        state::replace_many(self.context, self.ids, value)
    }

    /// Changes a component of each entity in place. An id that is there twice is changed twice.
    ///
    /// Events: those of updating them one by one, in the order of the ids. If `change` panics, its value
    /// stays as it left it: collectors, feeds, indexes and histories follow it as they follow those before
    /// it, and observers are not notified of it.
    ///
    /// # Panics
    ///
    /// Panics if [`try_update`](Self::try_update) would return an error.
    #[track_caller]
    pub fn update<T: Component<C>>(self, change: impl FnMut(EntityId<C>, &mut T)) {
        expect(self.try_update(change));
    }

    /// Changes a component of each entity in place. An id that is there twice is changed twice.
    ///
    /// Events: those of updating them one by one, in the order of the ids. If `change` panics, its value
    /// stays as it left it: collectors, feeds, indexes and histories follow it as they follow those before
    /// it, and observers are not notified of it.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive) or [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent), without calling `change`;
    /// nothing has changed then. Returns [`DuplicateKey`](crate::ErrorKind::DuplicateKey) if a key of a primary index would be
    /// another entity's, or as [`try_add_with`](Self::try_add_with) for a relation; nothing has changed then.
    #[inline]
    pub fn try_update<T: Component<C>>(
        self,
        change: impl FnMut(EntityId<C>, &mut T),
    ) -> Result<(), Error> {
        state::update_many(self.context, self.ids, change)
    }

    /// Removes the component `T` from each entity.
    ///
    /// Events: those of removing them one by one, in the order of the ids.
    ///
    /// # Panics
    ///
    /// Panics if [`try_remove`](Self::try_remove) would return an error.
    #[track_caller]
    pub fn remove<T: Component<C>>(self) {
        expect(self.try_remove::<T>());
    }

    /// Removes the component `T` from each entity.
    ///
    /// Events: those of removing them one by one, in the order of the ids.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive) or [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent) (also if an id is there
    /// twice); nothing has changed then.
    #[inline]
    pub fn try_remove<T: Component<C>>(self) -> Result<(), Error> {
        state::remove_many::<C, T>(self.context, self.ids)
    }

    /// Destroys the entities.
    ///
    /// Events: those of destroying them one by one, in the order of the ids. One that an observer
    /// destroys before its turn is passed over. If some of them are the targets of
    /// [relations](crate::guide::hierarchies), it is one change.
    ///
    /// # Panics
    ///
    /// Panics if [`try_destroy`](Self::try_destroy) would return an error.
    #[track_caller]
    pub fn destroy(self) {
        expect(self.try_destroy());
    }

    /// Destroys the entities.
    ///
    /// Events: those of destroying them one by one, in the order of the ids. One that an observer
    /// destroys before its turn is passed over. If some of them are the targets of
    /// [relations](crate::guide::hierarchies), it is one change.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive) (also if an id is there twice) or, if a
    /// relation rejects it, [`TargetInUse`](crate::ErrorKind::TargetInUse); nothing has changed then.
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
    /// Removes a component from all members that have it, in ascending order of their
    /// rows; returns from how many.
    ///
    /// Events: those of removing them one by one. A member that an observer takes out
    /// before its turn is passed over, and not counted.
    ///
    /// If the `Drop` of a value panics and somebody follows, those that are left can be removed by the
    /// same call again, as by [`many`](crate::Context::many).
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
        let slots = context.core().slots();
        ids.retain(|&id| column.is_some_and(|column| column.contains(slots.row_of(id))));
        state::remove_from::<C, T>(context, &ids)
    }

    /// Destroys all members, in ascending order of their rows; returns their number.
    ///
    /// Events: those of destroying them one by one. A member that an observer destroys
    /// before its turn is passed over.
    ///
    /// # Panics
    ///
    /// Panics if a [relation](crate::guide::hierarchies) rejects it; nothing has changed then. If the `Drop` of a
    /// value panics and somebody follows, those that are left can be destroyed by the same call again, as
    /// by [`many`](crate::Context::many).
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
    #[track_caller]
    pub fn destroy_all(self, context: &mut C) -> usize {
        let ids = self.ids(context);
        expect(state::destroy_many(context, &ids)); // the members of a group are alive
        ids.len()
    }
}
