//! Options for copying components and entities.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use crate::api::related::Related;
use crate::state::HasCore;
use crate::storage::registry::index_of;
use crate::words::component::{Components, RawComponentIndex, typed};
use crate::words::entity_id::EntityId;
use crate::words::relation::AcyclicRelation;
use crate::words::signature::RawComponentSet;

/// What happens if the target already has a component.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let ids = game.create_many([Health(1), Health(2)]);
/// CloneOptions::all().on_conflict(OnConflict::Keep).copy(&mut game, ids[0], ids[1]);
/// assert_eq!(game.entity(ids[1]).health().0, 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// The whole copy is rejected.
    #[default]
    Reject,
    /// The component is replaced.
    Replace,
    /// The component is kept.
    Keep,
}

/// Selects the components to copy, and what happens if the target already has them.
///
/// Unique components and components with a primary index are never copied, even if selected. In a
/// tree copied [with descendants](Self::with_descendants), they are an error instead.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let from = game.create_with((Health(3), Frozen)).id();
/// let to = game.create_with(Health(1)).id();
/// let copying = CloneOptions::all().without::<Frozen>().on_conflict(OnConflict::Replace);
/// copying.copy(&mut game, from, to);
/// assert_eq!(game.entity(to).health().0, 3);
/// assert!(!game.entity(to).is_frozen());
/// ```
pub struct CloneOptions<C> {
    components: RawComponentSet,
    /// Whether those components are excluded, and all others copied.
    all_but: bool,
    pub(super) existing: OnConflict,
    /// The descendants that are copied too, if any.
    pub(super) descendants: Option<DescendantIds<C>>,
    context: PhantomData<fn() -> C>,
}

/// The direct and indirect sources of an entity by a relation.
pub(super) struct DescendantIds<C> {
    pub(super) relation: RawComponentIndex,
    /// Returns them, targets first.
    pub(super) find: fn(&C, EntityId<C>) -> Vec<EntityId<C>>,
}

impl<C: 'static> CloneOptions<C> {
    fn new(components: RawComponentSet, all_but: bool) -> Self {
        Self {
            components,
            all_but,
            existing: OnConflict::default(),
            descendants: None,
            context: PhantomData,
        }
    }

    /// Whether it is with descendants.
    pub(crate) fn is_tree(&self) -> bool {
        self.descendants.is_some()
    }

    /// Copies every component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Frozen).id();
    /// assert!(CloneOptions::all().clone_entity(&mut game, id).is_frozen());
    /// ```
    pub fn all() -> Self {
        Self::new(RawComponentSet::new(), true)
    }

    /// Copies only the components of `T` that the entity has: one component or a tuple.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with((Player, Frozen)).id();
    /// let copy = CloneOptions::only::<Player>().clone_entity(&mut game, id);
    /// assert!(copy.is_player() && !copy.is_frozen());
    /// ```
    pub fn only<T: Components<C>>() -> Self {
        Self::new(RawComponentSet::of::<C, T>(), false)
    }

    /// Copies only the components with these indices that the entity has.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Player).id();
    /// let indices = game.entity(id).component_indices();
    /// let copy = CloneOptions::only_indices(indices).clone_entity(&mut game, id);
    /// assert!(copy.is_player());
    /// ```
    pub fn only_indices(components: impl IntoIterator<Item = typed::ComponentIndex<C>>) -> Self {
        let components = components.into_iter();
        Self::new(
            components.map(typed::ComponentIndex::untyped).collect(),
            false,
        )
    }

    /// Excludes the components of `T`: one component or a tuple.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Frozen).id();
    /// let copying = CloneOptions::all().without::<Frozen>();
    /// assert!(copying.clone_entity(&mut game, id).is_empty());
    /// ```
    #[must_use]
    pub fn without<T: Components<C>>(self) -> Self {
        self.without_set(&RawComponentSet::of::<C, T>())
    }

    /// Excludes the components with these indices.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Player).id();
    /// let indices = [game.components().index_of::<Player>()];
    /// let copying = CloneOptions::all().without_indices(indices);
    /// assert!(copying.clone_entity(&mut game, id).is_empty());
    /// ```
    #[must_use]
    pub fn without_indices(
        self,
        components: impl IntoIterator<Item = typed::ComponentIndex<C>>,
    ) -> Self {
        let components = components.into_iter();
        self.without_set(&components.map(typed::ComponentIndex::untyped).collect())
    }

    fn without_set(mut self, components: &RawComponentSet) -> Self {
        for component in components.iter() {
            match self.all_but {
                true => self.components.insert(component),
                false => self.components.remove(component),
            };
        }
        self
    }

    /// Sets what happens if the target already has a component. By default the copy is rejected.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let (from, to) = (game.create_with(Health(3)).id(), game.create_with(Health(1)).id());
    /// CloneOptions::all().on_conflict(OnConflict::Keep).copy(&mut game, from, to);
    /// assert_eq!(game.entity(to).health().0, 1);
    /// ```
    #[must_use]
    pub fn on_conflict(mut self, existing: OnConflict) -> Self {
        self.existing = existing;
        self
    }

    /// Makes `clone_entity` copy the descendants of the entity too: the entities that refer to it
    /// by the relation `T`, directly or indirectly.
    ///
    /// All copies are created in one change.
    ///
    /// Wherever a value refers to an entity that is also copied, its copy refers to the copy: in
    /// relations, in fields, lists, maps and options, and in types that implement
    /// [`MapIds`](trait@crate::MapIds). Ids of other entities stay. In an `ordered` relation copies
    /// are in the order of the originals; copies that refer to an entity outside of the tree come
    /// last.
    ///
    /// A component that is unique or has a primary index, anywhere in the tree, is an error,
    /// because the copy cannot have it too. Exclude it by [`without`](Self::without).
    ///
    /// The relation `T` of the descendants is always copied, regardless of the selected components;
    /// that of the entity itself only if it is selected. So without `T` the copy is the root of a
    /// separate tree.
    ///
    /// A [`template`](Self::template) contains the whole tree. A [`copy`](Self::copy) to an
    /// existing entity returns an error.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let mast = game.create_with(ChildOf { parent: ship }).id();
    /// game.create_with(ChildOf { parent: mast });
    /// let copying = CloneOptions::all().with_descendants::<ChildOf>();
    /// let twin = copying.clone_entity(&mut game, ship);
    /// assert_eq!(twin.related::<ChildOf>().descendants().count(), 2);
    /// assert_eq!(game.len(), 6);
    /// ```
    #[must_use]
    pub fn with_descendants<T: AcyclicRelation<C>>(mut self) -> Self
    where
        C: HasCore,
    {
        self.descendants = Some(DescendantIds {
            relation: index_of::<C, T>(),
            find: |context, id| {
                let related = Related::<C, T>::new(context, id);
                related.descendants().collect()
            },
        });
        self
    }

    /// Whether a component of the entity is copied.
    pub(super) fn chooses(&self, component: RawComponentIndex) -> bool {
        self.components.contains(component) != self.all_but
    }

    /// Whether a component of a descendant is copied.
    pub(super) fn chooses_below(&self, component: RawComponentIndex) -> bool {
        let below = self.descendants.as_ref();
        self.chooses(component) || below.is_some_and(|below| below.relation == component)
    }
}

// By hand, because a derive would require `C: Clone`.
impl<C> Clone for CloneOptions<C> {
    fn clone(&self) -> Self {
        Self {
            components: self.components.clone(),
            ..*self
        }
    }
}

impl<C> Clone for DescendantIds<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for DescendantIds<C> {}

impl<C> fmt::Debug for CloneOptions<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let components = if self.all_but { "all_but" } else { "only" };
        f.debug_struct("CloneOptions")
            .field(components, &self.components)
            .field("existing", &self.existing)
            .field("descendants", &self.descendants.map(|below| below.relation))
            .finish()
    }
}
