//! Changing the values of components.

use super::{EntityMut, rejected};
use crate::state::{self, HasCore};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation, expect, reject};

impl<C: HasCore> EntityMut<'_, C> {
    /// Changes a component in place, then reports an update. Returns what `change` returns.
    ///
    /// Events: *updated* for the groups whose matcher names the component. Observers get the
    /// previous value if the component is `Clone`. If `change` panics, the value stays as it is at
    /// that point: it counts as updated for collectors, feeds, indexes and histories, but observers
    /// are not notified.
    ///
    /// If the component has a primary index, `change` gets a copy, which replaces the value once
    /// its keys are known to be free; so a panic changes nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// let left = entity.update(|health: &mut Health| {
    ///     health.0 -= 1;
    ///     health.0
    /// });
    /// assert_eq!((left, entity.health().0), (2, 2));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead or lacks the component, or if another entity has a primary key
    /// of the new value.
    #[inline]
    #[track_caller]
    pub fn update<T: Component<C>, R>(&mut self, change: impl FnOnce(&mut T) -> R) -> R {
        match state::update(self.context, self.id, change) {
            Ok(returned) => returned,
            Err(rejection) => reject(rejected::<C, T>(
                self.context,
                self.id,
                rejection,
                Operation::Update,
            )),
        }
    }

    /// Like [`update`](Self::update), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// let updated = entity.try_update(|health: &mut Health| health.0 -= 1);
    /// assert!(matches!(updated, Err(error) if error.kind() == ErrorKind::DoesNotHaveComponent));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent) or
    /// [`NotAlive`](crate::ErrorKind::NotAlive) without calling `change`, or
    /// [`DuplicateKey`](crate::ErrorKind::DuplicateKey); nothing has changed then.
    #[inline]
    pub fn try_update<T: Component<C>, R>(
        &mut self,
        change: impl FnOnce(&mut T) -> R,
    ) -> Result<R, Error> {
        let updated = state::update(self.context, self.id, change);
        updated.map_err(|it| rejected::<C, T>(self.context, self.id, it, Operation::Update))
    }

    /// Changes a component with read access to everything else: `change` gets the value and the
    /// context.
    ///
    /// Returns what `change` returns.
    ///
    /// `change` gets a clone, which replaces the value when it returns. Until then the context
    /// contains the old value; if `change` panics, nothing has changed.
    ///
    /// Events: as for [`update`](Self::update).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let attacker = game.create_with(Strength(2)).id();
    /// let mut victim = game.create_with(Health(5));
    /// victim.update_with(|health: &mut Health, game| {
    ///     health.0 -= game.entity(attacker).strength().0;
    /// });
    /// assert_eq!(victim.health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`try_update_with`](Self::try_update_with) would return an error.
    #[inline]
    #[track_caller]
    pub fn update_with<T: Component<C> + Clone, R>(
        &mut self,
        change: impl FnOnce(&mut T, &C) -> R,
    ) -> R {
        expect(self.try_update_with(change))
    }

    /// Like [`update_with`](Self::update_with), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// assert!(entity.try_update_with(|health: &mut Health, _| health.0 -= 1).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent) or
    /// [`NotAlive`](crate::ErrorKind::NotAlive) without calling `change`, or
    /// [`DuplicateKey`](crate::ErrorKind::DuplicateKey); nothing has changed then.
    #[inline]
    pub fn try_update_with<T: Component<C> + Clone, R>(
        &mut self,
        change: impl FnOnce(&mut T, &C) -> R,
    ) -> Result<R, Error> {
        let updated = state::update_with(self.context, self.id, change);
        updated.map_err(|it| rejected::<C, T>(self.context, self.id, it, Operation::Update))
    }

    /// Returns a mutable reference to a component **without reporting the change**: no group,
    /// collector or observer is notified.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let moved = game.collector(Game::all_of::<Health>().updated());
    /// let mut entity = game.create_with(Health(3));
    /// entity.mut_untracked::<Health>().0 = 2;
    /// assert_eq!(entity.health().0, 2);
    /// assert!(moved.is_empty(&game));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead or lacks the component, or if an entity index depends on the
    /// component, because the index would become wrong.
    #[inline]
    #[track_caller]
    pub fn mut_untracked<T: Component<C>>(&mut self) -> &mut T {
        let id = self.id;
        state::check_untracked::<C, T>(self.context);
        let Some(slot) = self.context.core().world.slots().get(id) else {
            reject(self.dead(Operation::Access))
        };
        match self.context.core_mut().typed_mut().untracked::<T>(slot.row) {
            Some(value) => value,
            None => reject(Error::does_not_have(id.raw(), T::NAMES, Operation::Read)),
        }
    }

    /// Swaps the component `T` with another entity, in one step.
    ///
    /// This also swaps two keys of a primary index, which would be rejected one at a time.
    ///
    /// Events: *updated* for both, as for [`update`](Self::update), once both have their new
    /// values; none if both are the same entity.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// #[derive(Component, Clone)]
    /// #[component(context = Game)]
    /// struct Seat(#[component(primary_index)] u32);
    ///
    /// let mut game = Game::new();
    /// let (ann, ben) = (game.create_with(Seat(1)).id(), game.create_with(Seat(2)).id());
    /// game.entity_mut(ann).swap::<Seat>(ben);
    /// assert_eq!(game.entity_with_seat(&1).unwrap().id(), ben);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if one of them is dead or lacks the component, or if a relation would make one refer
    /// to itself; nothing has changed then.
    #[track_caller]
    pub fn swap<T: Component<C>>(&mut self, other: EntityId<C>) -> &mut Self {
        expect(self.try_swap::<T>(other).map(drop));
        self
    }

    /// Like [`swap`](Self::swap), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive),
    /// [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent) or
    /// [`RelationCycle`](crate::ErrorKind::RelationCycle); nothing has changed then.
    pub fn try_swap<T: Component<C>>(&mut self, other: EntityId<C>) -> Result<&mut Self, Error> {
        state::swap::<C, T>(self.context, [self.id, other])?;
        Ok(self)
    }
}
