//! Reading one component of any entities by id.

use core::fmt;
use core::marker::PhantomData;

use crate::state::{Core, HasCore};
use crate::storage::column::{ValueSlice, ValuesById};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

/// Reads one component of any entities by id, with a single lookup of the column.
///
/// Created by [`Context::view`](crate::Context::view). As a term of a [query](crate::Query) it
/// reads entities other than the current one, even on several threads:
///
/// ```
/// # use ecs::{View, prelude::*};
/// # use sample::*;
/// let mut game = Game::new();
/// let foe = game.create_with(Strength(3)).id();
/// let hero = game.create_with((Health(5), Foe { id: foe })).id();
/// game.query_mut::<(&mut Health, &Foe, View<'_, Game, Strength>)>().for_each(|(health, foe, strengths)| {
///     health.0 -= strengths.get(foe.id).map_or(0, |strength| strength.0);
/// });
/// assert_eq!(game.entity(hero).health().0, 2);
/// ```
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let ids = game.create_many([Health(1), Health(2)]);
/// let health = game.view::<Health>();
/// assert_eq!(ids.iter().filter_map(|&id| health.get(id)).map(|h| h.0).sum::<u32>(), 3);
/// ```
pub struct View<'a, C: 'static, T> {
    values: ValuesById<'a, T>,
    context: PhantomData<&'a C>,
}

impl<'a, C: HasCore, T: Component<C>> View<'a, C, T> {
    pub(crate) fn new(context: &'a C) -> Self {
        Self::of(context.core())
    }

    pub(crate) fn of(core: &'a Core<C>) -> Self {
        let values = core.typed().of::<T>();
        let values = values.map_or(ValueSlice::NONE, |column| column.slice());
        Self {
            values: ValuesById::new(core.world.slots().slice(), values),
            context: PhantomData,
        }
    }

    /// The values that it reads.
    pub(super) fn values(self) -> ValuesById<'a, T> {
        self.values
    }

    /// Returns the component of an entity, or `None` if it is dead or lacks it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// assert_eq!(game.view::<Health>().get(id).unwrap().0, 3);
    /// ```
    #[inline]
    #[track_caller]
    pub fn get(&self, id: EntityId<C>) -> Option<&'a T> {
        self.values.get(id)
    }

    /// Returns whether the entity is alive and has the component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert!(!game.view::<Health>().contains(id));
    /// ```
    #[inline]
    #[track_caller]
    pub fn contains(&self, id: EntityId<C>) -> bool {
        self.get(id).is_some()
    }
}

impl<C, T> Clone for View<'_, C, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, T> Copy for View<'_, C, T> {}

impl<C: HasCore, T: Component<C>> fmt::Debug for View<'_, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View({})", T::NAMES.component)
    }
}
