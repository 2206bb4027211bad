//! What can be rejected: an [`Error`] says what was tried, on what, and why it was rejected.

mod rejections;
mod text;

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::words::component::ComponentNames;
use crate::words::entity_id::RawEntityId;

/// Why an operation was rejected. A rejected operation has changed nothing and notified
/// nobody.
///
/// [`kind`](Self::kind) is what to match on. The plain methods panic with the text of the error
/// that their `try_` twins return.
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

/// What some errors say besides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct More {
    detail: Option<Detail>,
    /// The label of the entity, and that of the owner.
    labels: [Option<String>; 2],
}

/// What errors of some kinds say besides.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Detail {
    /// Which entity has the unique component.
    Owner(RawEntityId),
    /// Which entity a relation was to lead to.
    Target(RawEntityId),
    /// Which entity leads to the one that was to be destroyed.
    Source(RawEntityId),
    /// Which entity has the key.
    Key(RawEntityId, DuplicateKey),
    /// How long two lists are, the first one being of this component.
    Lengths(&'static ComponentNames, [usize; 2]),
    /// What the value is, if it is a component of the context.
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

    /// Returns what was tried.
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

    /// Returns the entity the operation was tried on, if it was tried on one.
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

    /// Returns the names of the component concerned, if there is one.
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

    /// Returns the entity that stands in the way: the one that has the unique component, or the
    /// key of a primary index; the target that a relation cannot lead to, or the source that leads
    /// to an entity which cannot be destroyed.
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

    /// The label of an entity that the error names.
    fn label_of(&self, entity: RawEntityId) -> Option<&str> {
        let [own, of_owner] = &self.more.as_ref()?.labels;
        let label = if self.entity == Some(entity) {
            own
        } else {
            of_owner
        };
        label.as_deref()
    }

    /// Returns the key of a primary index that another entity has.
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

/// The value of a result, or a panic with the error's text: how the plain twin of a `try_`
/// method goes on.
#[inline]
#[track_caller]
pub(crate) fn expect<T, E: fmt::Display>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => reject(error), // in a closure it would lose the caller's place
    }
}

/// Panics with the error's text.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn reject(error: impl fmt::Display) -> ! {
    panic!("{error}")
}

/// A key of a primary index that is taken, for messages.
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

    /// Returns the method that looks entities up by it, as in `entity_with_id`.
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

/// The kinds of errors: why an operation was rejected.
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
    /// destroyed, by a relation that is declared with `on_target_destroyed = reject`.
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
    /// A tree of entities was to be copied to an entity that is there, or along a relation that is unique or
    /// has a primary index.
    DescendantsNotCopied,
    /// A component that is unique or has a primary index is in a tree of entities that was to be copied.
    OnlyOnce,
    /// The value given is not one of the component with the index.
    WrongType,
}

/// What was tried when an [`Error`](crate::Error) came up.
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
    /// Taking a handle of an entity.
    Access,
    /// Destroying an entity.
    Destroy,
    /// Copying an entity or its components.
    Copy,
    /// Exchanging a component of two entities.
    Swap,
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
        }
    }

    /// How the entity follows the component, as in «to entity 12v3».
    fn preposition(self) -> &'static str {
        match self {
            Self::Add => "to",
            Self::Remove => "from",
            _ => "of",
        }
    }
}
