//! Filters that narrow a query.

use alloc::sync::Arc;
use core::borrow::Borrow;

use super::data::{QueryData, ReadOnlyQueryData};
use super::narrowing::Among;
use super::{Query, QueryMut};
use crate::api::related::Related;
use crate::matching::group::Group;
use crate::matching::matcher::{Matcher, StillHolds};
use crate::reactions::collector::Collector;
use crate::state::{self, HasCore, check_own};
use crate::storage::bit_set::BitSet;
use crate::words::component::Components;
use crate::words::entity_id::EntityId;
use crate::words::relation::Relation;

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
        self.narrowing.and(Matcher::all_of::<T>);
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
        self.narrowing.and(Matcher::none_of::<T>);
        self
    }

    /// Visits only entities that have at least one component of `T`.
    ///
    /// A second call adds a second requirement.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_with((Health(1), Frozen));
    /// game.create_with((Health(2), Burning));
    /// game.create_with(Health(4));
    /// let hampered = game.query::<&Health>().any_of::<(Frozen, Burning)>();
    /// assert_eq!(hampered.iter().map(|health| health.0).sum::<u32>(), 3);
    /// ```
    pub fn any_of<T: Components<C>>(mut self) -> Self {
        self.narrowing.and(Matcher::any_of::<T>);
        self
    }

    /// Visits only entities that also match a matcher.
    ///
    /// Unlike [`in_group`](Self::in_group), it creates no group.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let free = Game::none_of::<(Frozen, Wet)>();
    /// let mut game = Game::new();
    /// game.create_with((Health(1), Frozen));
    /// game.create_with(Health(2));
    /// assert_eq!(game.query::<&Health>().matching(free).single().unwrap().0, 2);
    /// ```
    pub fn matching(mut self, matcher: Matcher<C>) -> Self {
        self.narrowing.and(|asked| asked.and(matcher));
        self
    }

    /// Also visits [disabled](crate::guide::disabled) entities.
    ///
    /// A query that names the disabling component, as a term or by [`with`](Self::with), visits
    /// them anyway.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// #[derive(Component)]
    /// #[component(context = Game, disables)]
    /// struct Disabled;
    ///
    /// let mut game = Game::new();
    /// game.create_with((Health(1), Disabled));
    /// let all = game.query::<&Health>();
    /// assert_eq!(all.iter().count(), 0);
    /// assert_eq!(all.clone().with_disabled().iter().count(), 1);
    /// assert_eq!(all.with::<Disabled>().iter().count(), 1);
    /// ```
    pub fn with_disabled(mut self) -> Self {
        self.narrowing.and(Matcher::with_disabled);
        self
    }

    /// Visits only members of a group. The group's matcher decides about disabled entities.
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
    ///
    /// # Panics
    ///
    /// Panics if the group belongs to another context.
    #[track_caller]
    pub fn in_group(mut self, group: Group<C>) -> Self {
        self.narrowing.in_group(self.context, group);
        self
    }

    /// Visits only the listed entities, each once and in the order of their rows.
    ///
    /// The list is any iterator of ids, such as those [drained](Collector::drain) from a collector. Its order does not
    /// matter. Duplicates are skipped, and so are entities that are dead or do not match.
    /// To visit them in the order of the list, call [`get`](Self::get) for each. Complexity: linear in the ids, and at
    /// least in the blocks of 64 rows up to the last one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_many([Health(1), Health(2), Health(3)]);
    /// game.destroy(ids[1]);
    /// let some = game.query::<&Health>().among(&[ids[2], ids[1], ids[0], ids[0]]);
    /// assert_eq!(some.iter().map(|health| health.0).collect::<Vec<_>>(), [1, 3]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if one of the ids is known to belong to another context.
    #[track_caller]
    pub fn among(mut self, ids: impl IntoIterator<Item: Borrow<EntityId<C>>>) -> Self {
        let mut rows = BitSet::new();
        let slots = self.context.core().world.slots();
        slots.insert_rows(ids, &mut rows);
        if let Among::Rows(before) = self.narrowing.among {
            rows.retain(|at| before.word(at));
        }
        self.narrowing.among = Among::Rows(Arc::new(rows));
        self
    }

    /// Visits only the entities that refer to `target` by the relation `T`, in the order of their rows.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// game.create_with((ChildOf { parent: ship }, Health(5)));
    /// game.create_with(Health(6));
    /// assert_eq!(game.query::<&Health>().related_to::<ChildOf>(ship).single().unwrap().0, 5);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `target` is known to belong to another context.
    #[track_caller]
    pub fn related_to<T: Relation<C>>(self, target: EntityId<C>) -> Self {
        let sources = Related::<C, T>::new(self.context, target).sources();
        self.among(sources)
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
        self.narrowing.and(Matcher::all_of::<T>);
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
        self.narrowing.and(Matcher::none_of::<T>);
        self
    }

    /// Visits only entities that have at least one component of `T`; see [`Query::any_of`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with((Health(3), Burning)).id();
    /// let hampered = game.query_mut::<&mut Health>().any_of::<(Frozen, Burning)>();
    /// hampered.for_each(|health| health.0 -= 1);
    /// assert_eq!(game.entity(id).health().0, 2);
    /// ```
    pub fn any_of<T: Components<C>>(mut self) -> Self {
        self.narrowing.and(Matcher::any_of::<T>);
        self
    }

    /// Visits only entities that also match a matcher; see [`Query::matching`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with((Health(3), Frozen)).id();
    /// let free = Game::none_of::<(Frozen, Wet)>();
    /// game.query_mut::<&mut Health>().matching(free).for_each(|health| health.0 -= 1);
    /// assert_eq!(game.entity(id).health().0, 3);
    /// ```
    pub fn matching(mut self, matcher: Matcher<C>) -> Self {
        self.narrowing.and(|asked| asked.and(matcher));
        self
    }

    /// Also visits [disabled](crate::guide::disabled) entities; see [`Query::with_disabled`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game, disables)] struct Disabled;
    /// let mut game = Game::new();
    /// let id = game.create_with((Health(1), Disabled)).id();
    /// game.query_mut::<&mut Health>().for_each(|health| health.0 += 1);
    /// game.query_mut::<&mut Health>().with_disabled().for_each(|health| health.0 += 10);
    /// assert_eq!(game.entity(id).health().0, 11);
    /// ```
    pub fn with_disabled(mut self) -> Self {
        self.narrowing.and(Matcher::with_disabled);
        self
    }

    /// Visits only members of a group. The group's matcher decides about disabled entities.
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
    ///
    /// # Panics
    ///
    /// Panics if the group belongs to another context.
    #[track_caller]
    pub fn in_group(mut self, group: Group<C>) -> Self {
        self.report_loop();
        self.narrowing.in_group(self.update.context(), group);
        self
    }

    /// Visits only entities in a collector, and empties the collector.
    ///
    /// With it, code reacts to changes by the components themselves, without ids.
    ///
    /// Entities are visited in the order of the query, not of their collection. Entities that are
    /// dead or do not match are skipped, and are removed from the collector, too. The collector is
    /// emptied by this call, even if the query is never run. Called for several collectors, it
    /// visits the entities that are in all of them.
    ///
    /// This is by far the fastest way for entities collected by [`for_each`](Self::for_each) or
    /// other bulk changes, because no entity is looked up.
    ///
    /// Complexity: linear in the collected entities, and at least in the blocks of 4,096 rows.
    ///
    /// # Examples
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
    ///
    /// # Panics
    ///
    /// Panics if the collector belongs to another context.
    #[track_caller]
    pub fn drained_from(mut self, collector: &Collector<C>) -> Self {
        check_own(
            &self.context().core().world,
            collector.instance,
            "collector",
        );
        let mut rows = self.spare_rows();
        let core = self.context().core_mut();
        state::drain_rows(&core.world, &mut core.subs, collector.index, &mut rows);
        self.take_rows(rows)
    }

    /// Visits only the listed entities, each once and in the order of their rows; see
    /// [`Query::among`].
    ///
    /// Columns are looked up once, and writes are reported for 64 entities at a time, so this is
    /// the fast way to change a list of entities.
    ///
    /// Complexity: linear in the ids, and at least in the blocks of 4,096 rows.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let healed = game.collector(Game::all_of::<Health>().updated());
    /// let ids = game.create_many([Health(1), Health(2), Health(3)]);
    /// let some = [ids[2], ids[0], ids[2]];
    /// game.query_mut::<&mut Health>().among(&some).for_each(|health| health.0 *= 10);
    /// assert_eq!(healed.drain(&mut game), [ids[0], ids[2]]);
    /// assert_eq!(game.entity(ids[2]).health().0, 30);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if one of the ids is known to belong to another context.
    #[track_caller]
    pub fn among(mut self, ids: impl IntoIterator<Item: Borrow<EntityId<C>>>) -> Self {
        let mut rows = self.spare_rows();
        let slots = self.context().core().world.slots();
        slots.insert_rows(ids, &mut rows);
        self.take_rows(rows)
    }

    /// Visits only the entities that refer to `target` by the relation `T`, in the order of their rows.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let sail = game.create_with((ChildOf { parent: ship }, Health(5))).id();
    /// game.create_with(Health(5));
    /// game.query_mut::<&mut Health>().related_to::<ChildOf>(ship).for_each(|health| health.0 -= 1);
    /// assert_eq!(game.entity(sail).health().0, 4);
    /// assert_eq!(game.query::<&Health>().among(game.entity(ship).children()).iter().count(), 1);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `target` is known to belong to another context.
    #[track_caller]
    pub fn related_to<T: Relation<C>>(mut self, target: EntityId<C>) -> Self {
        let mut rows = self.spare_rows();
        let context = &*self.context();
        let sources = Related::<C, T>::new(context, target).sources();
        let slots = context.core().world.slots();
        slots.insert_rows(sources, &mut rows);
        self.take_rows(rows)
    }

    fn spare_rows(&mut self) -> BitSet {
        self.report_loop();
        let narrow = matches!(self.narrowing.among, Among::Taken);
        let core = self.context().core_mut();
        state::spare_rows(&mut core.subs, narrow)
    }

    fn take_rows(mut self, rows: BitSet) -> Self {
        let before = core::mem::replace(&mut self.narrowing.among, Among::Taken);
        let narrow = matches!(before, Among::Taken);
        let core = self.context().core_mut();
        state::take_rows(&mut core.subs, rows, narrow);
        self
    }

    /// Limits the drained entities to those for which the condition of one of the triggers still
    /// holds.
    pub(crate) fn still_holding(mut self, parts: &[(Group<C>, StillHolds)]) -> Self {
        let core = self.context().core_mut();
        state::keep_holding(&core.world, &mut core.subs, parts);
        self
    }
}
