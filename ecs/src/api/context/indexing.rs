//! The part of the generic face that is about keys: making entity indexes, exchanging
//! the keys of two entities.

use core::hash::Hash;

use super::Context;
use super::indexes::create;
use crate::matching::matcher::Matcher;
use crate::reactions::entity_index::EntityIndex;
use crate::state;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, expect};

/// What every [`Context`] can do about keys.
///
/// `#[ecs::context]` gives the struct each of these methods as its own; the trait is for
/// code that is generic over contexts.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Team(u8);
/// fn teams<C: Context>(context: &mut C) -> EntityIndex<C, bool>
/// where
///     Team: Component<C>,
///     for<'a> C::Entity<'a>: Into<GameEntity<'a>>,
/// {
///     context.entity_index(Matcher::all_of::<Team>(), |e| e.into().team().0 == 1)
/// }
///
/// let mut game = Game::new();
/// game.create_with(Team(1));
/// assert!(teams(&mut game).contains(&game, &true));
/// ```
pub trait Indexing: Context {
    /// An index of the entities that match, by the key that `key` tells of each: all that
    /// match already, and whoever will.
    ///
    /// Every call makes a new index; see [`EntityIndex`] for how it follows changes.
    /// `key` runs whenever all state is final and before observers; it may look into
    /// other indexes, not into this one. Where it panics, so does the change that made
    /// it run, which has happened and is not told to observers; later lookups ask it
    /// again.
    ///
    /// Events: *group created* where the matcher is a new one.
    ///
    /// Complexity: linear in the entities that match; a change costs what it costs to
    /// tell and hash the key.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Team(u8);
    /// let mut game = Game::new();
    /// let ids = game.create_many([Team(1), Team(2), Team(1)]);
    /// let by_team = game.entity_index(Matcher::all_of::<Team>(), |e| e.team().0);
    /// assert!(by_team.get(&game, &1).map(|e| e.id()).eq([ids[0], ids[2]]));
    /// ```
    fn entity_index<K>(
        &mut self,
        matcher: Matcher<Self>,
        key: impl Fn(Self::Entity<'_>) -> K + Send + Sync + 'static,
    ) -> EntityIndex<Self, K>
    where
        K: Hash + Eq + Send + Sync + 'static,
    {
        create(self, matcher, move |entity, each| each(key(entity)))
    }

    /// The same with several keys, or none, for each entity. A key that is there twice
    /// counts once.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Span { from: i32, to: i32 }
    /// let mut game = Game::new();
    /// let spans = Matcher::all_of::<Span>();
    /// let cells = game.entity_index_each(spans, |e| e.span().from..e.span().to);
    /// let id = game.create_with(Span { from: 3, to: 6 }).id();
    /// assert_eq!(cells.single(&game, &5).unwrap().id(), id);
    /// assert_eq!(cells.len(&game), 3);
    /// ```
    fn entity_index_each<I>(
        &mut self,
        matcher: Matcher<Self>,
        keys: impl Fn(Self::Entity<'_>) -> I + Send + Sync + 'static,
    ) -> EntityIndex<Self, I::Item>
    where
        I: IntoIterator,
        I::Item: Hash + Eq + Send + Sync + 'static,
    {
        create(self, matcher, move |entity, each| {
            keys(entity).into_iter().for_each(each);
        })
    }

    /// Exchanges the components `T` of two entities, in one step: also two keys of a
    /// primary index, which one after the other would be refused.
    ///
    /// Events: *updated* for both, as by [`update`](crate::EntityMut::update), told when both
    /// have the other's value; none where both are the same entity.
    ///
    /// # Panics
    ///
    /// Panics where one of them is dead or has no such component; nothing has changed
    /// then.
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
    /// game.swap::<Seat>(ann, ben);
    /// assert_eq!(game.entity_with_seat(&1).unwrap().id(), ben);
    /// ```
    #[track_caller]
    fn swap<T: Component<Self>>(&mut self, a: EntityId<Self>, b: EntityId<Self>) {
        expect(self.try_swap::<T>(a, b));
    }

    /// Exchanges the components `T` of two entities; see [`swap`](Self::swap).
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive), [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent); nothing has changed then.
    fn try_swap<T: Component<Self>>(
        &mut self,
        a: EntityId<Self>,
        b: EntityId<Self>,
    ) -> Result<(), Error> {
        state::swap::<Self, T>(self, [a, b])
    }
}

impl<C: Context> Indexing for C {}
