//! Exchanging a component with another entity.

use super::EntityMut;
use crate::state::{self, HasCore};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, expect};

impl<C: HasCore> EntityMut<'_, C> {
    /// Exchanges the component `T` with another entity, in one step: also two keys of a primary
    /// index, which one after the other would be refused.
    ///
    /// Events: *updated* for both, as by [`update`](Self::update), when both have the other's
    /// value; none if both are the same entity.
    ///
    /// # Panics
    ///
    /// Panics if one of them is dead or does not have the component, or if a relation would lead one
    /// to itself; nothing has changed then.
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
    #[track_caller]
    pub fn swap<T: Component<C>>(&mut self, other: EntityId<C>) -> &mut Self {
        expect(self.try_swap::<T>(other).map(drop));
        self
    }

    /// Exchanges the component `T` with another entity, or returns why it cannot.
    ///
    /// Events: as for [`swap`](Self::swap).
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
