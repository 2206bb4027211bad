//! What narrows a query down to fewer entities.

use super::data::{QueryData, ReadOnlyQueryData};
use super::{Query, QueryMut};
use crate::matching::group::Group;
use crate::matching::matcher::StillHolds;
use crate::reactions::collector::Collector;
use crate::state::{self, HasCore, check_own};
use crate::words::component::Components;

impl<C: HasCore, Q: ReadOnlyQueryData<C>> Query<'_, C, Q> {
    /// Visits only entities that also have every component of `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_frozen().id();
    /// game.create_entity();
    /// assert_eq!(game.query::<EntityId<Game>>().with::<Frozen>().single(), Some(id));
    /// ```
    pub fn with<T: Components<C>>(mut self) -> Self {
        self.narrowing.with::<T>();
        self
    }

    /// Visits only entities that have no component of `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_with((Health(1), Frozen));
    /// game.create_with(Health(2));
    /// let sum: u32 = game.query::<&Health>().without::<Frozen>().iter().map(|h| h.0).sum();
    /// assert_eq!(sum, 2);
    /// ```
    pub fn without<T: Components<C>>(mut self) -> Self {
        self.narrowing.without::<T>();
        self
    }

    /// Visits only members of a group.
    ///
    /// # Panics
    ///
    /// Panics if the group is one of another context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let moving = game.group(Game::all_of::<Health>().none_of::<Frozen>());
    /// game.create_with((Health(1), Frozen));
    /// game.create_with(Health(2));
    /// assert_eq!(game.query::<&Health>().in_group(moving).single().unwrap().0, 2);
    /// ```
    #[track_caller]
    pub fn in_group(mut self, group: Group<C>) -> Self {
        self.narrowing.in_group(self.context, group);
        self
    }
}

impl<C: HasCore, Q: QueryData<C>, const TRACKED: bool> QueryMut<'_, C, Q, TRACKED> {
    /// Visits only entities that also have every component of `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with((Health(3), Poisoned)).id();
    /// game.query_mut::<&mut Health>().with::<Poisoned>().for_each(|health| health.0 -= 1);
    /// assert_eq!(game.entity(id).health().0, 2);
    /// ```
    pub fn with<T: Components<C>>(mut self) -> Self {
        self.narrowing.with::<T>();
        self
    }

    /// Visits only entities that have no component of `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with((Health(3), Frozen)).id();
    /// game.query_mut::<&mut Health>().without::<Frozen>().for_each(|health| health.0 += 1);
    /// assert_eq!(game.entity(id).health().0, 3);
    /// ```
    pub fn without<T: Components<C>>(mut self) -> Self {
        self.narrowing.without::<T>();
        self
    }

    /// Visits only members of a group.
    ///
    /// # Panics
    ///
    /// Panics if the group is one of another context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let moving = game.group(Game::all_of::<Health>().none_of::<Frozen>());
    /// game.create_with((Health(1), Frozen));
    /// game.create_with(Health(2));
    /// game.query_mut::<&mut Health>().in_group(moving).for_each(|health| health.0 += 1);
    /// assert_eq!(moving.single(&game).unwrap().health().0, 3);
    /// ```
    #[track_caller]
    pub fn in_group(mut self, group: Group<C>) -> Self {
        self.narrowing.in_group(self.context, group);
        self
    }

    /// Visits only entities that a collector holds, and empties the collector: what
    /// reacts to changes by the components themselves, without ids.
    ///
    /// Entities are visited in the order of the query, not in that of their collection;
    /// those that have died or do not match are passed over, and no longer held. The
    /// collector is emptied now, whether the query is walked or not. Called for several
    /// collectors, it visits those that all of them hold.
    ///
    /// With entities that were collected by [`for_each`](Self::for_each) or by
    /// other bulk changes this is by far the fastest way: neither need be looked up.
    ///
    /// # Panics
    ///
    /// Panics if the collector is one of another context.
    ///
    /// Complexity: linear in what the collector holds, and at least in the blocks of 64
    /// rows.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let wounded = game.collector(Game::all_of::<Health>().updated());
    /// let ids = game.create_many([(Health(1), Bar(1)), (Health(5), Bar(5))]);
    /// game.entity_mut(ids[1]).update_health(|health| health.0 -= 2);
    ///
    /// let bars = game.query_mut::<(&mut Bar, &Health)>().drained_from(&wounded);
    /// bars.for_each(|(bar, health)| bar.0 = health.0);
    /// assert_eq!(game.entity(ids[1]).bar().0, 3);
    /// assert!(wounded.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn drained_from(mut self, collector: &Collector<C>) -> Self {
        let core = self.context.core_mut();
        check_own(core, collector.instance, "collector");
        let narrow = core::mem::replace(&mut self.narrowing.drained, true);
        state::drain_rows(core, collector.index, narrow);
        self
    }

    /// Of the entities drained, visits only those of which what one of the triggers waits
    /// for still holds.
    pub(crate) fn still_holding(self, parts: &[(Group<C>, StillHolds)]) -> Self {
        state::keep_holding(self.context.core_mut(), parts);
        self
    }
}
