//! Relations: components that refer from one entity to another.

use crate::words::component::Component;
use crate::words::entity_id::EntityId;

/// What happens to the entities that refer to an entity when it is destroyed.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// use ecs::{OnTargetDestroyed, Relation};
///
/// #[derive(Component, Clone)]
/// #[component(context = Game)]
/// struct ChildOf {
///     #[component(relation(on_target_destroyed = destroy))]
///     parent: EntityId<Game>,
/// }
/// assert_eq!(ChildOf::ON_TARGET_DESTROYED, OnTargetDestroyed::Destroy);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnTargetDestroyed {
    /// The component is removed from them.
    #[default]
    Remove,
    /// They are destroyed too.
    Destroy,
    /// They keep the component with the id of a dead entity.
    Keep,
    /// The entity cannot be destroyed while others refer to it.
    Reject,
}

/// A component with a field that refers to another entity, its *target*. The entity with the
/// component is a *source* of that target.
///
/// Implemented by `#[derive(Component)]` for a component with a field `#[component(relation)]`. The
/// page [hierarchies](crate::guide::hierarchies) shows how to use relations.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component, Clone)]
/// #[component(context = Game)]
/// struct ChildOf {
///     #[component(relation(reverse = children))]
///     parent: EntityId<Game>,
/// }
///
/// let mut game = Game::new();
/// let ship = game.create_entity().id();
/// let sail = game.create_with(ChildOf { parent: ship }).id();
/// assert_eq!(game.entity(ship).children(), [sail]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a relation of context `{C}`",
    label = "not a relation",
    note = "write `#[component(relation)]` above the field of `{Self}` that is the `EntityId<{C}>` of the target"
)]
pub trait Relation<C>: Component<C> {
    /// What happens to the sources when their target is destroyed.
    const ON_TARGET_DESTROYED: OnTargetDestroyed = OnTargetDestroyed::Remove;

    /// Whether cycles are rejected: no entity refers to itself, directly or through others.
    const ACYCLIC: bool = false;

    /// Whether sources keep the order in which they were added to their target.
    const ORDERED: bool = false;

    /// Returns the target.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// fn target<T: ecs::Relation<Game>>(entity: GameEntity<'_>) -> Option<EntityId<Game>> {
    ///     entity.get::<T>().map(T::target)
    /// }
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let sail = game.create_with(ChildOf { parent: ship }).id();
    /// assert_eq!(target::<ChildOf>(game.entity(sail)), Some(ship));
    /// ```
    fn target(&self) -> EntityId<C>;

    /// Sets the target.
    #[doc(hidden)]
    fn set_target(&mut self, target: EntityId<C>);
}

/// A relation without cycles: one declared with `acyclic`.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// fn depth<T: ecs::AcyclicRelation<Game>>(entity: GameEntity<'_>) -> usize {
///     entity.related::<T>().ancestors().count()
/// }
/// let mut game = Game::new();
/// let ship = game.create_entity().id();
/// let sail = game.create_with(ChildOf { parent: ship }).id();
/// assert_eq!(depth::<ChildOf>(game.entity(sail)), 1);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an acyclic relation of context `{C}`",
    label = "not an acyclic relation",
    note = "write `relation(acyclic)` above the field of `{Self}` that refers to another entity: a loop along a relation with cycles may never end"
)]
pub trait AcyclicRelation<C>: Relation<C> {}

/// A relation whose sources have an order: one declared with `ordered`.
///
/// [`SourcesMut`](crate::SourcesMut) changes the order.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an ordered relation of context `{C}`",
    label = "not an ordered relation",
    note = "write `relation(ordered)` above the field of `{Self}` that refers to another entity"
)]
pub trait OrderedRelation<C>: Relation<C> {}

/// Types that the field of a relation can have.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the field of a relation: that is one `EntityId<{C}>`",
    label = "not an `EntityId<{C}>`",
    note = "an entity that leads nowhere does not have the component, so there is no `Option` of an id",
    note = "a relation has one target; for several targets, write `relation(many)`"
)]
pub trait RelationField<C> {
    fn target(&self) -> EntityId<C>;
    fn set_target(&mut self, target: EntityId<C>);
}

impl<C> RelationField<C> for EntityId<C> {
    #[inline]
    fn target(&self) -> EntityId<C> {
        *self
    }

    #[inline]
    fn set_target(&mut self, target: EntityId<C>) {
        *self = target;
    }
}
