//! Creating entity indexes, and looking up entities.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;
use core::hash::Hash;

use super::index_iter::IndexIter;
use crate::api::entity::{Entity, Handles};
use crate::matching::matcher::Matcher;
use crate::reactions::entity_index::{Buckets, EntityIndex, Found, IndexState, Indexed, KeyIndex};
use crate::state::{self, check_own};
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::demands::{Confined, FitsIn, ThreadSafe};
use crate::words::entity_id::UntypedId;
use crate::words::printed::from_fn;
use crate::world::World;

/// Creates an index with a key function.
pub(super) fn create<C: Handles, K>(
    context: &mut C,
    matcher: Matcher<C>,
    keys: impl Fn(C::Entity<'_>, &mut dyn FnMut(K)) + ThreadSafe,
) -> EntityIndex<C, K>
where
    K: Hash + Eq + Send + Sync + 'static,
{
    state::look_for_dropped(context);
    let group = state::group(context, matcher).index;
    let keys_of = Box::new(move |context: &C, id: UntypedId, each: &mut dyn FnMut(K)| {
        if let Some(entity) = Entity::find(context, id.typed()) {
            keys(entity.into(), each);
        }
    });
    let (number, watched) = state::add_index(context, group, keys_of, Buckets::default());
    EntityIndex::new(context.core().world.instance, number, watched)
}

/// Returns the entities whose `FIELD`-th indexed field of component `T` equals, or contains, a key.
#[doc(hidden)]
#[track_caller]
pub fn entities_with<'a, C, T, Q, const FIELD: usize>(context: &'a C, key: &Q) -> IndexIter<'a, C>
where
    C: Handles,
    T: Component<C> + Indexed<FIELD>,
    T::Key: Borrow<Q>,
    Q: Hash + Eq + ?Sized,
{
    let core = context.core();
    core.world.check_reported();
    let number = core.subs.indexes().of_field(index_of::<C, T>(), FIELD);
    let index = number.and_then(|number| core.subs.indexes().get::<World, Buckets<T::Key>>(number));
    let found = index.map_or(Found::none(), |index| index.find(&core.world, key));
    IndexIter::new(found, context)
}

/// Returns the entity with a key of a primary index.
#[doc(hidden)]
#[track_caller]
pub fn entity_with<'a, C, T, Q, const FIELD: usize>(
    context: &'a C,
    key: &Q,
) -> Option<C::Entity<'a>>
where
    C: Handles,
    T: Component<C> + Indexed<FIELD>,
    T::Key: Borrow<Q>,
    Q: Hash + Eq + ?Sized,
{
    let core = context.core();
    core.world.check_reported();
    let number = core.subs.indexes().of_field(index_of::<C, T>(), FIELD)?;
    let index = core.subs.indexes().get::<World, Buckets<T::Key>>(number)?;
    let id = index.find_first(&core.world, key)?;
    Entity::find(context, id.typed()).map(Into::into)
}

impl<C: Handles, K> EntityIndex<C, K>
where
    K: Hash + Eq + Send + Sync + 'static,
{
    /// Creates an index of the entities that match, each with any number of keys.
    ///
    /// Duplicate keys of an entity count once. If each entity has one key, use
    /// [`entity_index`](crate::Context::entity_index).
    ///
    /// Events: *group created* if the matcher is new.
    ///
    /// Complexity: linear in the entities that match and their keys.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let spans = Game::all_of::<Span>();
    /// let cells = EntityIndex::with_keys(&mut game, spans, |e| e.span().from..e.span().to);
    /// let id = game.create_with(Span { from: 3, to: 6 }).id();
    /// assert_eq!(cells.single(&game, &5).unwrap().id(), id);
    /// assert_eq!(cells.len(&game), 3);
    /// ```
    pub fn with_keys<I>(
        context: &mut C,
        matcher: Matcher<C>,
        keys: impl Fn(C::Entity<'_>) -> I + FitsIn<C>,
    ) -> Self
    where
        I: IntoIterator<Item = K>,
    {
        let keys = Confined::new::<C>(keys);
        create(context, matcher, move |entity, each| {
            keys(entity).into_iter().for_each(each);
        })
    }

    #[track_caller]
    fn index<'c>(&self, context: &'c C) -> &'c KeyIndex<C, Buckets<K>> {
        self.state(context);
        let index = context.core().subs.indexes().get(self.number);
        index.expect("an index has keys of the type of its handle")
    }

    #[track_caller]
    fn state<'c>(&self, context: &'c C) -> &'c IndexState {
        let core = context.core();
        check_own(&core.world, self.instance, "entity index");
        let state = core.subs.indexes().state(self.number);
        state.expect("a handle's index is there")
    }

    /// Returns the entities with a key, read-only, in ascending order of their ids'
    /// [`index`](crate::EntityId::index).
    ///
    /// An unknown key has no entities.
    ///
    /// The iterator borrows the context, so nothing can change meanwhile; to change entities, get
    /// the [`ids`](IndexIter::ids) first. The key may be passed in borrowed form: `&str` if keys
    /// are `String`.
    ///
    /// Complexity: a lookup of the key.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let by_name = game.entity_index(Game::all_of::<Name>(), |e| e.name().0.to_string());
    /// let id = game.create_with(Name("Ann")).id();
    /// assert_eq!(by_name.get(&game, "Ann").ids(), [id]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the index belongs to another context, or is used by its own key function.
    #[track_caller]
    pub fn get<'a, Q>(&self, context: &'a C, key: &Q) -> IndexIter<'a, C>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let found = self.index(context).find(context, key);
        IndexIter::new(found, context)
    }

    /// Returns whether some entity has the key.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let by_team = game.entity_index(Game::all_of::<Team>(), |e| e.team().0);
    /// game.create_with(Team(1));
    /// assert!(by_team.contains(&game, &1) && !by_team.contains(&game, &2));
    /// ```
    #[track_caller]
    pub fn contains<Q>(&self, context: &C, key: &Q) -> bool
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        !self.get(context, key).is_empty()
    }

    /// Returns the only entity with the key, or `None` if there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let cells = game.entity_index(Game::all_of::<Cell>(), |e| (e.cell().0, e.cell().1));
    /// assert!(cells.single(&game, &(1, 2)).is_none());
    /// let id = game.create_with(Cell(1, 2)).id();
    /// assert_eq!(cells.single(&game, &(1, 2)).unwrap().id(), id);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if there are several, naming them; and if [`get`](Self::get) would panic.
    #[track_caller]
    pub fn single<'a, Q>(&self, context: &'a C, key: &Q) -> Option<C::Entity<'a>>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let mut found = self.get(context, key);
        if found.len() > 1 {
            self.reject_several(context, found);
        }
        found.next()
    }

    #[cold]
    #[track_caller]
    fn reject_several(&self, context: &C, found: IndexIter<'_, C>) -> ! {
        const SHOWN: usize = 5;
        let count = found.len();
        let ids = found.ids().into_iter().take(SHOWN);
        let entities = ids.filter_map(|id| Entity::find(context, id));
        let entities = entities.map(|entity| format!("{entity:?}"));
        let more = if count > SHOWN { ", …" } else { "" };
        panic!(
            "an entity index of context `{}` over {:?} has {count} entities under a key where one \
             was asked for: {}{more}; use `get`, or see to it that keys differ",
            C::NAME,
            self.matcher(context),
            entities.collect::<Vec<_>>().join(", "),
        )
    }

    /// Returns the number of keys that have entities.
    ///
    /// If a key function has panicked, the entities concerned do not count until they change again.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let by_team = game.entity_index(Game::all_of::<Team>(), |e| e.team().0);
    /// game.create_many([Team(1), Team(2), Team(1)]);
    /// assert_eq!(by_team.len(&game), 2);
    /// ```
    #[track_caller]
    pub fn len(&self, context: &C) -> usize {
        self.index(context).len()
    }

    /// Returns whether no key has an entity; counted as by [`len`](Self::len).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let by_team = game.entity_index(Game::all_of::<Team>(), |e| e.team().0);
    /// assert!(by_team.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn is_empty(&self, context: &C) -> bool {
        self.len(context) == 0
    }

    /// Returns the keys that have entities, counted as by [`len`](Self::len), in the order of their
    /// first entities.
    ///
    /// Complexity: linear in the entities of the context, also dead ones.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let by_team = game.entity_index(Game::all_of::<Team>(), |e| e.team().0);
    /// game.create_many([Team(2), Team(1), Team(2)]);
    /// assert!(by_team.keys(&game).eq(&[2, 1]));
    /// ```
    #[track_caller]
    pub fn keys<'c>(&self, context: &'c C) -> impl Iterator<Item = &'c K> + use<'c, C, K> {
        self.index(context).keys()
    }

    /// Returns the matcher of the indexed entities.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let by_team = game.entity_index(Game::all_of::<Team>(), |e| e.team().0);
    /// assert_eq!(by_team.matcher(&game), &Game::all_of::<Team>());
    /// ```
    #[track_caller]
    pub fn matcher<'c>(&self, context: &'c C) -> &'c Matcher<C> {
        let group = self.state(context).group;
        context.core().world.matcher(group)
    }

    /// Empties the index and stops updating it, so that it costs nothing.
    ///
    /// Does nothing if it is already inactive.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let by_team = game.entity_index(Game::all_of::<Team>(), |e| e.team().0);
    /// game.create_with(Team(1));
    /// by_team.deactivate(&mut game);
    /// assert!(!by_team.contains(&game, &1));
    /// by_team.activate(&mut game);
    /// assert!(by_team.contains(&game, &1));
    /// ```
    #[track_caller]
    pub fn deactivate(&self, context: &mut C) {
        self.state(context);
        state::deactivate_index(context, self.number);
    }

    /// Indexes all entities that match and resumes updating.
    ///
    /// Does nothing if the index is already active.
    ///
    /// Complexity: linear in the entities that match.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let by_team = game.entity_index(Game::all_of::<Team>(), |e| e.team().0);
    /// by_team.deactivate(&mut game);
    /// game.create_with(Team(1));
    /// by_team.activate(&mut game);
    /// assert!(by_team.contains(&game, &1));
    /// ```
    #[track_caller]
    pub fn activate(&self, context: &mut C) {
        self.state(context);
        state::activate_index(context, self.number);
    }

    /// Returns whether the index is active.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let by_team = game.entity_index(Game::all_of::<Team>(), |e| e.team().0);
    /// by_team.deactivate(&mut game);
    /// assert!(!by_team.is_active(&game));
    /// ```
    #[track_caller]
    pub fn is_active(&self, context: &C) -> bool {
        self.state(context).active
    }

    /// Returns the index as text, with its matcher and the number of its keys.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let by_team = game.entity_index(Game::all_of::<Team>(), |e| e.team().0);
    /// assert_eq!(by_team.display(&game).to_string(), "EntityIndex(AllOf(Team), keys: 0)");
    /// ```
    #[track_caller]
    pub fn display<'c>(&self, context: &'c C) -> impl fmt::Display + use<'c, C, K> {
        let (matcher, keys) = (self.matcher(context), self.len(context));
        from_fn(move |f| write!(f, "EntityIndex({matcher:?}, keys: {keys})"))
    }
}
