//! An entity's place in a relation, and iteration along the relation.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use crate::reactions::entity_index::Links;
use crate::state::{HasCore, links};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::relation::{AcyclicRelation, Relation};

/// An entity's place in the relation `T`: the entities that refer to it, and its target.
///
/// Returned by `related` of entity handles.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let ship = game.create_entity().id();
/// let mast = game.create_with(ChildOf { parent: ship }).id();
/// let sail = game.create_with(ChildOf { parent: mast }).id();
///
/// let mast = game.entity(mast).related::<ChildOf>();
/// assert_eq!(mast.target(), Some(ship));
/// assert_eq!(mast.sources(), [sail]);
/// ```
pub struct Related<'a, C, T> {
    id: EntityId<C>,
    /// The links of the relation, if it has been used and the entity is alive.
    links: Option<&'a Links>,
    relation: PhantomData<fn() -> T>,
}

impl<'a, C: HasCore, T: Relation<C>> Related<'a, C, T> {
    pub(crate) fn new(context: &'a C, id: EntityId<C>) -> Self {
        let core = context.core();
        let alive = core.world.slots().get(id);
        Self {
            id,
            links: alive.and_then(|_| links::<C, T>(&core.subs)),
            relation: PhantomData,
        }
    }

    /// Returns the entity that this one refers to, if there is one and it is alive.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let sail = game.create_with(ChildOf { parent: ship });
    /// assert_eq!(sail.related::<ChildOf>().target(), Some(ship));
    /// ```
    #[inline]
    pub fn target(self) -> Option<EntityId<C>> {
        Some(self.links?.target(self.id.untyped())?.typed())
    }

    /// Returns the entities that refer to this one, in the order in which they started to; when one
    /// leaves, the last one takes its place, unless the relation is `ordered`.
    ///
    /// Complexity: constant. In an `ordered` relation with more than 64 sources, the first call
    /// after one has left that was neither the first nor the last is linear in the sources; leaving
    /// is constant. To look at a few of them after each change, use [`iter`](Self::iter).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let sail = game.create_with(ChildOf { parent: ship }).id();
    /// assert_eq!(game.entity(ship).related::<ChildOf>().sources(), [sail]);
    /// ```
    #[inline]
    pub fn sources(self) -> &'a [EntityId<C>] {
        self.links.map_or(&[], |links| {
            UntypedId::typed_all(links.sources(self.id.untyped()))
        })
    }

    /// Returns an iterator of the [sources](Self::sources), from either end.
    ///
    /// Complexity: constant for each source that is visited, and for the length, after any change.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let sail = game.create_with(ChildOf { parent: ship }).id();
    /// let flag = game.create_with(ChildOf { parent: ship }).id();
    /// let mut parts = game.entity(ship).related::<ChildOf>().iter();
    /// assert_eq!((parts.len(), parts.next_back(), parts.next()), (2, Some(flag), Some(sail)));
    /// ```
    #[inline]
    pub fn iter(self) -> SourceIter<'a, C> {
        let id = self.id.untyped();
        SourceIter {
            links: self.links,
            first: self.links.and_then(|links| links.first_source(id)),
            last: self.links.and_then(|links| links.last_source(id)),
            left: self.links.map_or(0, |links| links.source_count(id)),
            context: PhantomData,
        }
    }

    /// The source before this one, if both refer to this entity.
    pub(crate) fn before(self, source: EntityId<C>) -> Option<EntityId<C>> {
        Some(self.links?.previous(source.untyped())?.typed())
    }

    /// Returns the target of this entity, the target of that one, and so on; the [root](Self::root)
    /// is last.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let mast = game.create_with(ChildOf { parent: ship }).id();
    /// let sail = game.create_with(ChildOf { parent: mast });
    /// assert!(sail.related::<ChildOf>().ancestors().eq([mast, ship]));
    /// ```
    #[inline]
    pub fn ancestors(self) -> Ancestors<'a, C>
    where
        T: AcyclicRelation<C>,
    {
        let Self {
            id: last, links, ..
        } = self;
        Ancestors { links, last }
    }

    /// Returns the entities that refer to this one, directly or indirectly, depth first: a target
    /// before its sources.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let mast = game.create_with(ChildOf { parent: ship }).id();
    /// let helm = game.create_with(ChildOf { parent: ship }).id();
    /// let sail = game.create_with(ChildOf { parent: mast }).id();
    /// let ship = game.entity(ship).related::<ChildOf>();
    /// assert!(ship.descendants().eq([mast, sail, helm]));
    /// ```
    #[inline]
    pub fn descendants(self) -> Descendants<'a, C>
    where
        T: AcyclicRelation<C>,
    {
        let Self { id: top, links, .. } = self;
        let last = Some(top);
        Descendants { links, top, last }
    }

    /// Returns the last of the [ancestors](Self::ancestors), or the entity itself if it has no
    /// target.
    ///
    /// Complexity: linear in the ancestors.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let mast = game.create_with(ChildOf { parent: ship }).id();
    /// let sail = game.create_with(ChildOf { parent: mast });
    /// assert_eq!(sail.related::<ChildOf>().root(), ship);
    /// ```
    #[inline]
    pub fn root(self) -> EntityId<C>
    where
        T: AcyclicRelation<C>,
    {
        self.ancestors().last().unwrap_or(self.id)
    }
}

/// An iterator of the entities that refer to an entity in a relation, in the order of
/// [`sources`](Related::sources).
///
/// Returned by [`iter`](Related::iter).
#[must_use = "iterators are lazy"]
pub struct SourceIter<'a, C> {
    links: Option<&'a Links>,
    /// The next one from each end, if any are left.
    first: Option<UntypedId>,
    last: Option<UntypedId>,
    left: usize,
    context: PhantomData<fn() -> C>,
}

impl<C> Iterator for SourceIter<'_, C> {
    type Item = EntityId<C>;

    #[inline]
    fn next(&mut self) -> Option<EntityId<C>> {
        self.left = self.left.checked_sub(1)?;
        let source = self.first?;
        self.first = self.links?.next(source);
        Some(source.typed())
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<C> DoubleEndedIterator for SourceIter<'_, C> {
    #[inline]
    fn next_back(&mut self) -> Option<EntityId<C>> {
        self.left = self.left.checked_sub(1)?;
        let source = self.last?;
        self.last = self.links?.previous(source);
        Some(source.typed())
    }
}

impl<C> ExactSizeIterator for SourceIter<'_, C> {}

impl<C> FusedIterator for SourceIter<'_, C> {}

/// An iterator of the ancestors of an entity in a relation: its target, the target of that one, and
/// so on.
///
/// Returned by [`ancestors`](Related::ancestors).
#[must_use = "iterators are lazy"]
pub struct Ancestors<'a, C> {
    links: Option<&'a Links>,
    last: EntityId<C>,
}

impl<C> Iterator for Ancestors<'_, C> {
    type Item = EntityId<C>;

    #[inline]
    fn next(&mut self) -> Option<EntityId<C>> {
        self.last = self.links?.target(self.last.untyped())?.typed();
        Some(self.last)
    }
}

impl<C> FusedIterator for Ancestors<'_, C> {}

/// An iterator of the direct and indirect sources of an entity in a relation, depth first.
///
/// Returned by [`descendants`](Related::descendants).
#[must_use = "iterators are lazy"]
pub struct Descendants<'a, C> {
    links: Option<&'a Links>,
    top: EntityId<C>,
    last: Option<EntityId<C>>,
}

impl<C> Iterator for Descendants<'_, C> {
    type Item = EntityId<C>;

    #[inline]
    fn next(&mut self) -> Option<EntityId<C>> {
        let (top, last) = (self.top.untyped(), self.last?.untyped());
        self.last = self.links?.next_below(top, last).map(UntypedId::typed);
        self.last
    }
}

impl<C> FusedIterator for Descendants<'_, C> {}

// By hand, because derives would require `C: Clone` and `T: Clone`.
impl<C, T> Clone for Related<'_, C, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, T> Copy for Related<'_, C, T> {}

impl<C: HasCore, T: Relation<C>> fmt::Debug for Related<'_, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Related")
            .field("id", &self.id)
            .field("target", &self.target())
            .field("sources", &self.sources())
            .finish()
    }
}

impl<C> Clone for Ancestors<'_, C> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<C> Clone for Descendants<'_, C> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<C> Clone for SourceIter<'_, C> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<C> fmt::Debug for SourceIter<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<C> fmt::Debug for Ancestors<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<C> fmt::Debug for Descendants<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
