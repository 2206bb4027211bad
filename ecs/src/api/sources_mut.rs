//! The order of the entities that refer to one in an ordered relation.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::entity::Handles;
use super::related::Related;
use crate::state::links;
use crate::state::reorder::{Placement, place_sources, placements, replace_at};
use crate::state::{HasCore, rejected};
use crate::storage::registry::index_of;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation, expect};
use crate::words::relation::OrderedRelation;

/// Changes the order of the entities that refer to a target in the relation `T`, its *sources*.
///
/// Returned by [`sources_mut`](crate::Context::sources_mut). Each call is one change: when observers run,
/// all sources have their final places. *Updated* is reported for the component of each source that moves,
/// in their new order; its value stays the same. As few as possible move: if the last of ten sources
/// becomes the first, it alone does. A call that changes nothing reports nothing.
///
/// The order is part of the state: saves, snapshots, histories, undo stacks and mirrors keep it.
///
/// # Examples
///
/// ```
/// use ecs::prelude::*;
///
/// #[ecs::context]
/// pub struct Editor;
///
/// #[derive(Component, Clone)]
/// #[component(context = Editor)]
/// struct InList {
///     #[component(relation(reverse = items, ordered))]
///     list: EntityId<Editor>,
/// }
///
/// #[derive(Component)]
/// #[component(context = Editor)]
/// struct Title(&'static str);
///
/// let mut editor = Editor::new();
/// let list = editor.create_entity().id();
/// let [b, c, a] = ["b", "c", "a"].map(|it| editor.create_with((Title(it), InList { list })).id());
/// let moved = editor.collector(Editor::all_of::<InList>().updated());
///
/// editor.sources_mut::<InList>(list).sort_by_key(|item| item.title().0);
/// assert_eq!(editor.entity(list).items(), [a, b, c]);
/// assert_eq!(moved.drain(&mut editor), [a]);
///
/// let d = editor.create_with(Title("d")).id();
/// editor.sources_mut::<InList>(list).insert(1, d, InList { list });
/// editor.sources_mut::<InList>(list).move_after(a, c);
/// assert_eq!(editor.entity(list).items(), [d, b, c, a]);
/// ```
#[must_use = "the handle does nothing by itself"]
pub struct SourcesMut<'a, C, T> {
    context: &'a mut C,
    target: EntityId<C>,
    relation: PhantomData<fn() -> T>,
}

impl<'a, C: Handles, T: OrderedRelation<C>> SourcesMut<'a, C, T> {
    #[track_caller]
    pub(crate) fn new(context: &'a mut C, target: EntityId<C>) -> Self {
        context.core().world.slots().check(target.untyped());
        Self {
            context,
            target,
            relation: PhantomData,
        }
    }

    /// Adds the component to `source`, or replaces it, so that it refers to the target and has the place
    /// `at` among its sources; the last one, if there are too few.
    ///
    /// Events: those of adding or replacing a component.
    ///
    /// # Panics
    ///
    /// Panics if [`try_insert`](Self::try_insert) would return an error.
    #[track_caller]
    pub fn insert(&mut self, at: usize, source: EntityId<C>, value: T) {
        expect(self.try_insert(at, source, value));
    }

    /// Like [`insert`](Self::insert), but returns an error instead of panicking.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let sail = game.create_with(ChildOf { parent: ship }).id();
    /// let mast = game.create_entity().id();
    /// game.sources_mut::<ChildOf>(ship).try_insert(0, mast, ChildOf { parent: ship })?;
    /// assert_eq!(game.entity(ship).children(), [mast, sail]);
    /// # Ok::<_, ecs::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of replacing a component with a relation to the target, which is also the target
    /// of the value then, whatever it was.
    pub fn try_insert(&mut self, at: usize, source: EntityId<C>, value: T) -> Result<(), Error> {
        let mut value = value;
        value.set_target(self.target);
        let inserted = replace_at(self.context, source, value, at);
        inserted.map_err(|rejection| {
            let world = &self.context.core().world;
            rejected(
                world,
                rejection,
                source.untyped(),
                T::NAMES,
                Operation::Replace,
            )
        })
    }

    /// Moves a source to the place `at`, where it is when it has moved; to the last one, if there are too
    /// few.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let parent = game.create_entity().id();
    /// let [a, b, c] = [0; 3].map(|_| game.create_with(ChildOf { parent }).id());
    /// game.sources_mut::<ChildOf>(parent).move_to(c, 1);
    /// assert_eq!(game.entity(parent).children(), [a, c, b]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `source` is not a source of the target.
    #[track_caller]
    pub fn move_to(&mut self, source: EntityId<C>, at: usize) {
        self.check(source);
        let mut others = self
            .related()
            .iter()
            .filter(|&other| other != source)
            .take(at);
        let before = others.by_ref().last();
        self.place(source, before);
    }

    /// Moves a source to the place before another one.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let parent = game.create_entity().id();
    /// let [a, b, c] = [0; 3].map(|_| game.create_with(ChildOf { parent }).id());
    /// game.sources_mut::<ChildOf>(parent).move_before(c, a);
    /// assert_eq!(game.entity(parent).children(), [c, a, b]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if one of them is not a source of the target.
    #[track_caller]
    pub fn move_before(&mut self, source: EntityId<C>, other: EntityId<C>) {
        self.check(source);
        self.check(other);
        if source != other {
            let before = self.related().before(other);
            if before != Some(source) {
                self.place(source, before);
            }
        }
    }

    /// Moves a source to the place after another one.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let parent = game.create_entity().id();
    /// let [a, b, c] = [0; 3].map(|_| game.create_with(ChildOf { parent }).id());
    /// game.sources_mut::<ChildOf>(parent).move_after(a, b);
    /// assert_eq!(game.entity(parent).children(), [b, a, c]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if one of them is not a source of the target.
    #[track_caller]
    pub fn move_after(&mut self, source: EntityId<C>, other: EntityId<C>) {
        self.check(source);
        self.check(other);
        if source != other {
            self.place(source, Some(other));
        }
    }

    /// Sorts the sources by a key. Those with equal keys keep their order.
    ///
    /// Complexity: *n* log *n*; the key is computed once for each.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let parent = game.create_entity().id();
    /// let [a, b] = [9, 5].map(|it| game.create_with((Health(it), ChildOf { parent })).id());
    /// game.sources_mut::<ChildOf>(parent).sort_by_key(|child| child.health().0);
    /// assert_eq!(game.entity(parent).children(), [b, a]);
    /// ```
    pub fn sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(C::Entity<'_>) -> K) {
        let mut sources = self.related().sources().to_vec();
        let context = &*self.context;
        sources.sort_by_cached_key(|&id| {
            let entity = super::entity::Entity::find(context, id);
            entity.map(|entity| key(entity.into()))
        });
        self.set(&sources);
    }

    /// Sets the order: the listed sources come first, as they are listed, then the others in their present
    /// order.
    ///
    /// Complexity: *n* log *n* in the sources.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let parent = game.create_entity().id();
    /// let [a, b, c] = [0; 3].map(|_| game.create_with(ChildOf { parent }).id());
    /// game.sources_mut::<ChildOf>(parent).set(&[c, b]);
    /// assert_eq!(game.entity(parent).children(), [c, b, a]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if an entity is listed twice or is not a source of the target.
    #[track_caller]
    pub fn set(&mut self, order: &[EntityId<C>]) {
        let target = self.target.untyped();
        let links = links::<C, T>(&self.context.core().subs);
        let placements = placements(links, target, EntityId::untyped_all(order), &|_| false);
        let Some(placements) = placements else {
            panic!(
                "cannot order the entities that refer to entity {} by `{}`: an entity is listed twice or \
                 refers to another one",
                self.target,
                T::NAMES.component
            );
        };
        self.place_all(&placements);
    }

    fn related(&self) -> Related<'_, C, T> {
        Related::new(&*self.context, self.target)
    }

    /// Panics if an entity is not a source of the target.
    #[track_caller]
    fn check(&self, source: EntityId<C>) {
        let target = Related::<C, T>::new(&*self.context, source).target();
        assert!(
            target == Some(self.target),
            "cannot move entity {source} among those that refer to entity {} by `{}`: it is not one of them",
            self.target,
            T::NAMES.component
        );
    }

    /// Puts a source after another one, or first, unless it is there.
    fn place(&mut self, source: EntityId<C>, before: Option<EntityId<C>>) {
        if self.related().before(source) != before {
            self.place_all(&[(source.untyped(), before.map(EntityId::untyped))]);
        }
    }

    fn place_all(&mut self, placements: &[Placement]) {
        let of: (_, UntypedId) = (index_of::<C, T>(), self.target.untyped());
        place_sources(self.context, of, placements, &|_| true);
    }
}

// By hand, because a derive would require `C: Debug`.
impl<C: HasCore, T: OrderedRelation<C>> fmt::Debug for SourcesMut<'_, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sources: Vec<_> = Related::<C, T>::new(&*self.context, self.target)
            .iter()
            .collect();
        f.debug_struct("SourcesMut")
            .field("target", &self.target)
            .field("sources", &sources)
            .finish()
    }
}
