//! Errors of changes: what was attempted, on which entity, and why it was rejected.

mod rejections;
mod text;

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::words::component::ComponentNames;
use crate::words::entity_id::RawEntityId;

/// Why an operation was rejected. A rejected operation has changed nothing and notified no
/// observer.
///
/// Match on [`kind`](Self::kind). A method without `try_` panics with the text of the error that
/// its `try_` twin returns.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let id = game.create_entity().add_health(3).id();
/// let error = game.entity_mut(id).try_add_health(4).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::AlreadyHasComponent);
/// assert_eq!(
///     error.to_string(),
///     "cannot add component `Health` to entity 0v1 of context `Game`: it already has one; \
///      check `has_health` first or use `replace_health`"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    operation: Operation,
    entity: Option<RawEntityId>,
    subject: ErrorSubject,
    more: Option<Box<More>>,
}

/// What the operation was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ErrorSubject {
    Component(&'static ComponentNames),
    /// The context with this name, or an entity of it.
    Context(&'static str),
}

/// Additional data of some errors, boxed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct More {
    detail: Option<Detail>,
    /// The labels of the entity and of the owner.
    labels: [Option<String>; 2],
}

/// What some kinds of errors add to the message.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Detail {
    /// The entity that has the unique component.
    Owner(RawEntityId),
    /// The dead or cyclic target of a relation.
    Target(RawEntityId),
    /// The entity that refers to the one to be destroyed.
    Source(RawEntityId),
    /// The entity that has the key.
    Key(RawEntityId, DuplicateKey),
    /// The lengths of two lists; the first list has values of this component.
    Lengths(&'static ComponentNames, [usize; 2]),
    /// The field that has no checksum; "" if it is not known.
    Field(&'static str),
    /// The component of the given value, if it is one of the context.
    Given(Option<&'static ComponentNames>),
}

impl Error {
    /// Returns why the operation was rejected.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// game.destroy(id);
    /// assert_eq!(game.try_destroy(id).unwrap_err().kind(), ErrorKind::NotAlive);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the operation that was attempted.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::{Operation, prelude::*};
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// game.destroy(id);
    /// assert_eq!(game.try_destroy(id).unwrap_err().operation(), Operation::Destroy);
    /// ```
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// Returns the entity that the operation was attempted on, if any.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// let error = game.entity_mut(id).try_remove_health().map(drop).unwrap_err();
    /// assert_eq!(error.entity(), Some(id.raw()));
    /// ```
    pub fn entity(&self) -> Option<RawEntityId> {
        self.entity
    }

    /// Returns the names of the component concerned, if any.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// let error = game.entity_mut(id).try_remove_health().map(drop).unwrap_err();
    /// assert_eq!(error.component().map(|names| names.accessor), Some("health"));
    /// ```
    pub fn component(&self) -> Option<&'static ComponentNames> {
        match self.subject {
            ErrorSubject::Component(component) => Some(component),
            ErrorSubject::Context(_) => None,
        }
    }

    /// Returns the name of the context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// let error = game.entity_mut(id).try_remove_health().map(drop).unwrap_err();
    /// assert_eq!(error.context(), "Game");
    /// ```
    pub fn context(&self) -> &'static str {
        match self.subject {
            ErrorSubject::Component(component) => component.context,
            ErrorSubject::Context(context) => context,
        }
    }

    /// Returns the entity that prevents the operation: the owner of the unique component or of the
    /// key of a primary index, the target that a relation cannot refer to, or the entity that
    /// refers to one to be destroyed.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let owner = game.set_score(1).id();
    /// let error = game.create_entity().try_add_score(2).map(drop).unwrap_err();
    /// assert_eq!(error.owner(), Some(owner.raw()));
    /// ```
    pub fn owner(&self) -> Option<RawEntityId> {
        match self.detail()? {
            Detail::Owner(owner) | Detail::Key(owner, _) => Some(*owner),
            Detail::Target(other) | Detail::Source(other) => Some(*other),
            _ => None,
        }
    }

    fn detail(&self) -> Option<&Detail> {
        self.more.as_ref()?.detail.as_ref()
    }

    /// Returns the label of an entity that the error names.
    fn label_of(&self, entity: RawEntityId) -> Option<&str> {
        let [own, of_owner] = &self.more.as_ref()?.labels;
        let label = if self.entity == Some(entity) {
            own
        } else {
            of_owner
        };
        label.as_deref()
    }

    /// Returns the key of a primary index that is already taken, if that is the reason.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity().add_seat(7);
    /// let error = game.create_entity().try_add_seat(7).map(drop).unwrap_err();
    /// assert_eq!(error.key().unwrap().text(), Some("7"));
    /// ```
    pub fn key(&self) -> Option<&DuplicateKey> {
        match self.detail()? {
            Detail::Key(_, key) => Some(key),
            _ => None,
        }
    }
}

impl core::error::Error for Error {}

/// Returns the value of a result, or panics with the error's text; implements the panicking twins
/// of `try_` methods.
#[inline]
#[track_caller]
pub fn expect<T, E: fmt::Display>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => reject(error), // a closure would lose the caller's location
    }
}

/// Panics with the error's text.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn reject(error: impl fmt::Display) -> ! {
    panic!("{error}")
}

/// A taken key of a primary index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateKey {
    pub(crate) field: &'static str,
    pub(crate) lookup: &'static str,
    pub(crate) text: Option<String>,
}

impl DuplicateKey {
    /// Returns the name of the indexed field.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity().add_seat(7);
    /// let error = game.create_entity().try_add_seat(7).map(drop).unwrap_err();
    /// let key = error.key().unwrap();
    /// assert_eq!(key.field(), "number");
    /// ```
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// Returns the name of the method that looks entities up by this key, such as `entity_with_id`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity().add_seat(7);
    /// let error = game.create_entity().try_add_seat(7).map(drop).unwrap_err();
    /// let key = error.key().unwrap();
    /// assert_eq!(key.lookup(), "entity_with_seat");
    /// ```
    pub fn lookup(&self) -> &'static str {
        self.lookup
    }

    /// Returns the key as text, if its type has `Debug`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity().add_seat(7);
    /// let error = game.create_entity().try_add_seat(7).map(drop).unwrap_err();
    /// let key = error.key().unwrap();
    /// assert_eq!(key.text(), Some("7"));
    /// ```
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

/// The kind of an [`Error`](crate::Error): why an operation was rejected.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let rejected = game.create_entity().try_remove_health().map(drop).unwrap_err();
/// assert!(matches!(rejected.kind(), ErrorKind::DoesNotHaveComponent));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The entity is dead or never existed.
    NotAlive,
    /// The entity already has the component.
    AlreadyHasComponent,
    /// The entity lacks the component.
    DoesNotHaveComponent,
    /// The component is unique, and the [`owner`](crate::Error::owner) has it.
    UniqueAlreadySet,
    /// The component is unique, and no entity has it.
    UniqueNotSet,
    /// The [`owner`](crate::Error::owner) already has the [`key`](crate::Error::key) in a primary
    /// index.
    DuplicateKey,
    /// The target of the relation, the [`owner`](crate::Error::owner), is dead.
    TargetNotAlive,
    /// The entity would refer to itself, either directly or, if the relation is `acyclic`, through
    /// the [`owner`](crate::Error::owner).
    RelationCycle,
    /// The [`owner`](crate::Error::owner) refers to the entity to be destroyed, by a relation
    /// declared with `on_target_destroyed = reject`.
    TargetInUse,
    /// The lists of values for new entities differ in length.
    UnequalColumns,
    /// The context has the maximum number of slots, and none is free for a new entity or for the
    /// temporary row of a bundle.
    TooManyEntities,
    /// The entity is being destroyed: its *will be destroyed* observers are running.
    BeingDestroyed,
    /// The same entity was given twice where distinct ones are required.
    RepeatedEntity,
    /// The query does not match the entity.
    DoesNotMatch,
    /// A component to be copied is not `Clone`.
    NotClone,
    /// A tree of entities cannot be copied to an existing entity, nor along a relation that is
    /// unique or has a primary index.
    DescendantsNotCopied,
    /// A tree of entities to be copied contains a component that is unique or has a primary index.
    OnlyOnce,
    /// The given value is not of the component with the given index.
    WrongType,
    /// The component is declared with `many`, and the entity is no entry: it lacks [`EntryOf`](crate::EntryOf) an owner.
    NotAnEntry,
    /// A component has no checksum.
    NoChecksum,
    /// The undo stack does not know the state of the context.
    UnknownState,
}

/// The operation that failed with an [`Error`](crate::Error).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// Creating entities.
    Create,
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
    /// Getting a handle of an entity.
    Access,
    /// Destroying an entity.
    Destroy,
    /// Copying an entity or its components.
    Copy,
    /// Swapping a component of two entities.
    Swap,
    /// Computing a checksum.
    Checksum,
    /// Undoing a step.
    Undo,
    /// Redoing a step.
    Redo,
}

impl Operation {
    fn verb(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Read => "read",
            Self::Add => "add",
            Self::Replace => "replace",
            Self::Update => "update",
            Self::Remove => "remove",
            Self::Access => "access",
            Self::Destroy => "destroy",
            Self::Copy => "copy",
            Self::Swap => "swap",
            Self::Checksum => "hash",
            Self::Undo => "undo",
            Self::Redo => "redo",
        }
    }

    /// The preposition between component and entity, as in "to entity 12v3".
    fn preposition(self) -> &'static str {
        match self {
            Self::Add => "to",
            Self::Remove => "from",
            _ => "of",
        }
    }
}
