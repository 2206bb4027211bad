//! What can be refused, with the ids and the remedy.

mod text;

use alloc::boxed::Box;

use crate::words::component::{ComponentIndex, ComponentNames};
use crate::words::entity_id::RawEntityId;
use crate::words::field_index::DuplicateKey;

/// What was tried when an [`Error`] came up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// Reading a component.
    Read,
    /// Adding a component.
    Add,
    /// Replacing a component.
    Replace,
    /// Changing a component in place.
    Update,
    /// Removing a component.
    Remove,
    /// Taking a handle of an entity.
    Access,
    /// Destroying an entity.
    Destroy,
    /// Copying an entity or its components.
    Copy,
}

impl Operation {
    fn verb(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Add => "add",
            Self::Replace => "replace",
            Self::Update => "update",
            Self::Remove => "remove",
            Self::Access => "access",
            Self::Destroy => "destroy",
            Self::Copy => "copy",
        }
    }
}

/// Why an operation was refused. A refused operation has changed nothing and told
/// nobody.
///
/// The plain methods panic with the same text; their `try_` twins return it.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Health(u32);
///
/// let mut game = Game::new();
/// let id = game.create_entity().add_health(3).id();
/// let error = game.entity_mut(id).try_add_health(4).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "cannot add component `Health` to entity 0v1 of context `Game`: it already has one; \
///      check `has_health` first or use `replace_health`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The entity is dead, or was never there.
    #[non_exhaustive]
    NotAlive {
        /// The dead id.
        entity: RawEntityId,
        /// The name of the context.
        context: &'static str,
        /// What was tried.
        operation: Operation,
        /// The component it was tried with, where it was one.
        component: Option<&'static ComponentNames>,
    },
    /// The entity has a component of the kind that was to be added.
    #[non_exhaustive]
    AlreadyHasComponent {
        /// The entity.
        entity: RawEntityId,
        /// The component.
        component: &'static ComponentNames,
    },
    /// The entity lacks the component.
    #[non_exhaustive]
    DoesNotHaveComponent {
        /// The entity.
        entity: RawEntityId,
        /// The component.
        component: &'static ComponentNames,
        /// What was tried.
        operation: Operation,
    },
    /// The component is `unique`, and an entity has it already.
    #[non_exhaustive]
    UniqueAlreadySet {
        /// The entity that has it.
        owner: RawEntityId,
        /// The entity it was to be added to; none where that was yet to be created.
        entity: Option<RawEntityId>,
        /// The component.
        component: &'static ComponentNames,
    },
    /// The component is `unique`, and no entity has it.
    #[non_exhaustive]
    UniqueNotSet {
        /// The component.
        component: &'static ComponentNames,
        /// What was tried.
        operation: Operation,
    },
    /// Another entity has the key that a primary index would file the entity under.
    #[non_exhaustive]
    DuplicateKey {
        /// The entity.
        entity: RawEntityId,
        /// The entity that has the key.
        owner: RawEntityId,
        /// The component with the indexed field.
        component: &'static ComponentNames,
        /// What was tried.
        operation: Operation,
        /// The field and the key.
        key: Box<DuplicateKey>,
    },
    /// Lists of values from which entities were to be created differ in length.
    #[non_exhaustive]
    UnequalColumns {
        /// The component of the first list.
        first: &'static ComponentNames,
        /// How many values the first list has.
        first_len: usize,
        /// The component whose list is longer or shorter.
        component: &'static ComponentNames,
        /// How many values its list has.
        len: usize,
    },
    /// The entity's destroy is already under way: its *will be destroyed*
    /// observers are running.
    #[non_exhaustive]
    BeingDestroyed {
        /// The entity.
        entity: RawEntityId,
        /// The name of the context.
        context: &'static str,
    },
    /// A component that is to be copied is not `Clone`.
    #[non_exhaustive]
    NotClone {
        /// The entity that has it.
        entity: RawEntityId,
        /// The component.
        component: &'static ComponentNames,
    },
    /// The context has no component with the index.
    #[non_exhaustive]
    UnknownComponent {
        /// The entity.
        entity: RawEntityId,
        /// The name of the context.
        context: &'static str,
        /// The index.
        index: ComponentIndex,
        /// What was tried.
        operation: Operation,
    },
    /// The value given is not one of the component with the index.
    #[non_exhaustive]
    WrongType {
        /// The entity.
        entity: RawEntityId,
        /// The component with the index.
        component: &'static ComponentNames,
        /// What the value is, where it is a component of the context.
        given: Option<&'static ComponentNames>,
        /// What was tried.
        operation: Operation,
    },
}

impl Error {
    /// The entity the operation was tried on, where it was one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// let error = game.entity_mut(id).try_remove_health().map(drop).unwrap_err();
    /// assert_eq!(error.entity(), Some(id.raw()));
    /// ```
    pub fn entity(&self) -> Option<RawEntityId> {
        match *self {
            Self::NotAlive { entity, .. }
            | Self::AlreadyHasComponent { entity, .. }
            | Self::DoesNotHaveComponent { entity, .. }
            | Self::DuplicateKey { entity, .. }
            | Self::BeingDestroyed { entity, .. }
            | Self::NotClone { entity, .. }
            | Self::UnknownComponent { entity, .. }
            | Self::WrongType { entity, .. } => Some(entity),
            Self::UniqueAlreadySet { entity, .. } => entity,
            Self::UniqueNotSet { .. } | Self::UnequalColumns { .. } => None,
        }
    }

    /// The names of the component concerned, where it was one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// let error = game.entity_mut(id).try_remove_health().map(drop).unwrap_err();
    /// assert_eq!(error.component().map(|names| names.accessor), Some("health"));
    /// ```
    pub fn component(&self) -> Option<&'static ComponentNames> {
        match *self {
            Self::NotAlive { component, .. } => component,
            Self::AlreadyHasComponent { component, .. }
            | Self::DoesNotHaveComponent { component, .. }
            | Self::UniqueAlreadySet { component, .. }
            | Self::UniqueNotSet { component, .. }
            | Self::DuplicateKey { component, .. }
            | Self::UnequalColumns { component, .. }
            | Self::NotClone { component, .. }
            | Self::WrongType { component, .. } => Some(component),
            Self::BeingDestroyed { .. } | Self::UnknownComponent { .. } => None,
        }
    }

    /// The name of the context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// let error = game.entity_mut(id).try_remove_health().map(drop).unwrap_err();
    /// assert_eq!(error.context(), "Game");
    /// ```
    pub fn context(&self) -> &'static str {
        match *self {
            Self::NotAlive { context, .. }
            | Self::BeingDestroyed { context, .. }
            | Self::UnknownComponent { context, .. } => context,
            Self::AlreadyHasComponent { component, .. }
            | Self::DoesNotHaveComponent { component, .. }
            | Self::UniqueAlreadySet { component, .. }
            | Self::UniqueNotSet { component, .. }
            | Self::DuplicateKey { component, .. }
            | Self::UnequalColumns { component, .. }
            | Self::NotClone { component, .. }
            | Self::WrongType { component, .. } => component.context,
        }
    }
}

impl core::error::Error for Error {}

/// What a `try_` method gives, or a panic: how its plain twin goes on.
#[inline]
#[track_caller]
pub(crate) fn expect<T>(result: Result<T, Error>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => refuse(error), // in a closure it would lose the caller's place
    }
}

/// Panics with the error's text.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn refuse(error: Error) -> ! {
    panic!("{error}")
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    const POSITION: &ComponentNames = &ComponentNames {
        context: "Game",
        component: "Position",
        accessor: "position",
    };

    fn entity() -> RawEntityId {
        crate::EntityId::<()>::from_bits(3 << 32 | 12)
            .unwrap()
            .raw()
    }

    #[test]
    fn an_error_fits_into_five_words() {
        assert!(size_of::<Error>() <= 40);
    }

    #[test]
    fn messages_name_entity_component_context_and_remedy() {
        let already = Error::AlreadyHasComponent {
            entity: entity(),
            component: POSITION,
        };
        assert_eq!(
            already.to_string(),
            "cannot add component `Position` to entity 12v3 of context `Game`: \
             it already has one; check `has_position` first or use `replace_position`"
        );
        let none = |operation| {
            Error::DoesNotHaveComponent {
                entity: entity(),
                component: POSITION,
                operation,
            }
            .to_string()
        };
        assert_eq!(
            none(Operation::Remove),
            "cannot remove component `Position` from entity 12v3 of context `Game`: \
             it has none; check `has_position` first or use `try_remove_position`"
        );
        assert_eq!(
            none(Operation::Read),
            "cannot read component `Position` of entity 12v3 of context `Game`: \
             it has none; check `has_position` first or use `get_position`"
        );
        assert_eq!(
            none(Operation::Update),
            "cannot update component `Position` of entity 12v3 of context `Game`: \
             it has none; check `has_position` first or use `replace_position`"
        );
    }

    #[test]
    fn messages_of_copies_and_of_indices_say_what_to_do() {
        let entity = entity();
        let not_clone = Error::NotClone {
            entity,
            component: POSITION,
        };
        assert_eq!(
            not_clone.to_string(),
            "cannot copy component `Position` of entity 12v3 of context `Game`: it is not `Clone`; \
             derive `Clone` for it, or leave it out with `Copying::all().without::<Position>()`"
        );
        let unknown = Error::UnknownComponent {
            entity,
            context: "Game",
            index: ComponentIndex::new(77),
            operation: Operation::Remove,
        };
        assert_eq!(
            unknown.to_string(),
            "cannot remove a component from entity 12v3 of context `Game`: there is no component \
             with index 77; take indices from `components`, `component_index` or \
             `component_indices`"
        );
        let wrong = |given| {
            Error::WrongType {
                entity,
                component: POSITION,
                given,
                operation: Operation::Add,
            }
            .to_string()
        };
        assert_eq!(
            wrong(Some(POSITION)),
            "cannot add component `Position` to entity 12v3 of context `Game`: the value given is \
             a `Position`; give a boxed `Position`"
        );
        assert_eq!(
            wrong(None),
            "cannot add component `Position` to entity 12v3 of context `Game`: the value given is \
             of a type that is no component of the context; give a boxed `Position`"
        );
    }

    #[test]
    fn messages_of_dead_entities_say_how_to_ask() {
        let dead = |operation, component| {
            Error::NotAlive {
                entity: entity(),
                context: "Game",
                operation,
                component,
            }
            .to_string()
        };
        assert_eq!(
            dead(Operation::Access, None),
            "cannot access entity 12v3 of context `Game`: \
             it is not alive; check `contains` first or use `get_entity` or `get_entity_mut`"
        );
        assert_eq!(
            dead(Operation::Add, Some(POSITION)),
            "cannot add component `Position` to entity 12v3 of context `Game`: \
             it is not alive; check `contains` first or use `get_entity` or `get_entity_mut`"
        );
        let twice = Error::BeingDestroyed {
            entity: entity(),
            context: "Game",
        };
        assert_eq!(
            twice.to_string(),
            "cannot destroy entity 12v3 of context `Game`: \
             it is being destroyed already; leave it to the destroy that is under way"
        );
    }
}
