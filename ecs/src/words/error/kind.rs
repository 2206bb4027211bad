//! The kinds of errors there are.

/// The kinds of errors: why an operation was refused.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let refused = game.create_entity().try_remove_health().map(drop).unwrap_err();
/// assert!(matches!(refused.kind(), ErrorKind::DoesNotHaveComponent));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The entity is dead, or was never there.
    NotAlive,
    /// The entity has the component that was to be added.
    AlreadyHasComponent,
    /// The entity lacks the component.
    DoesNotHaveComponent,
    /// The component is `unique`, and an entity has it: the [`owner`](crate::Error::owner).
    UniqueAlreadySet,
    /// The component is `unique`, and no entity has it.
    UniqueNotSet,
    /// Another entity, the [`owner`](crate::Error::owner), has the
    /// [`key`](crate::Error::key) that a primary index would have for the entity.
    DuplicateKey,
    /// The entity that a relation would lead to, the [`owner`](crate::Error::owner), is dead.
    TargetNotAlive,
    /// The entity would lead to itself: directly, or, if the relation is `acyclic`, by way of
    /// the [`owner`](crate::Error::owner).
    RelationCycle,
    /// Another entity, the [`owner`](crate::Error::owner), leads to the one that was to be
    /// destroyed, by a relation that is declared with `on_target_destroyed = refuse`.
    TargetInUse,
    /// Lists of values from which entities were to be created differ in length.
    UnequalColumns,
    /// The context has as many slots as there can be, and none is free for a new entity, or for the
    /// values of a bundle on their way to one.
    TooManyEntities,
    /// The entity is being destroyed: its *will be destroyed* observers are running.
    BeingDestroyed,
    /// An entity was given twice where several different ones are needed.
    RepeatedEntity,
    /// The entity is not one of those that the query visits.
    DoesNotMatch,
    /// A component that is to be copied is not `Clone`.
    NotClone,
    /// The descendants of an entity were to be copied, which only `clone_entity` does, and not if the
    /// relation is unique or has a primary index.
    DescendantsNotCopied,
    /// The value given is not one of the component with the index.
    WrongType,
}
