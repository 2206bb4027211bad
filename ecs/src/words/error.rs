//! What can be refused: an [`Error`] says what was tried, on what, and why it was refused.

mod duplicate_key;
mod kind;
mod operation;
mod text;

use alloc::boxed::Box;

pub use self::duplicate_key::DuplicateKey;
pub use self::kind::ErrorKind;
pub use self::operation::Operation;
use crate::words::component::{ComponentIndex, ComponentNames};
use crate::words::entity_id::RawEntityId;

/// Why an operation was refused. A refused operation has changed nothing and notified
/// nobody.
///
/// [`kind`](Self::kind) is what to match on. The plain methods panic with the text of the error
/// that their `try_` twins return.
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
    subject: Subject,
    detail: Option<Box<Detail>>,
}

/// What the operation was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Component(&'static ComponentNames),
    /// The context with this name, or an entity of it.
    Context(&'static str),
}

/// What errors of some kinds say besides.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Detail {
    /// Which entity has the unique component.
    Owner(RawEntityId),
    /// Which entity has the key.
    Key(RawEntityId, DuplicateKey),
    /// How long two lists are, the first one being of this component.
    Lengths(&'static ComponentNames, [usize; 2]),
    /// The index that no component has.
    Index(ComponentIndex),
    /// What the value is, if it is a component of the context.
    Given(Option<&'static ComponentNames>),
}

impl Error {
    const fn new(kind: ErrorKind, operation: Operation, subject: Subject) -> Self {
        Self {
            kind,
            operation,
            entity: None,
            subject,
            detail: None,
        }
    }

    const fn of_component(
        kind: ErrorKind,
        operation: Operation,
        component: &'static ComponentNames,
    ) -> Self {
        Self::new(kind, operation, Subject::Component(component))
    }

    fn on(self, entity: RawEntityId) -> Self {
        let entity = Some(entity);
        Self { entity, ..self }
    }

    fn with(self, detail: Detail) -> Self {
        let detail = Some(Box::new(detail));
        Self { detail, ..self }
    }

    #[cold]
    pub(crate) fn not_alive(
        entity: RawEntityId,
        context: &'static str,
        operation: Operation,
    ) -> Self {
        Self::new(ErrorKind::NotAlive, operation, Subject::Context(context)).on(entity)
    }

    /// The error for an operation with a component on an entity that is not alive.
    #[cold]
    pub(crate) fn not_alive_for(
        entity: RawEntityId,
        component: &'static ComponentNames,
        operation: Operation,
    ) -> Self {
        Self::of_component(ErrorKind::NotAlive, operation, component).on(entity)
    }

    #[cold]
    pub(crate) fn already_has(entity: RawEntityId, component: &'static ComponentNames) -> Self {
        Self::of_component(ErrorKind::AlreadyHasComponent, Operation::Add, component).on(entity)
    }

    #[cold]
    pub(crate) fn does_not_have(
        entity: RawEntityId,
        component: &'static ComponentNames,
        operation: Operation,
    ) -> Self {
        Self::of_component(ErrorKind::DoesNotHaveComponent, operation, component).on(entity)
    }

    /// The error for a unique component that `owner` has, and that was to be added to `entity`
    /// or to a new one.
    #[cold]
    pub(crate) fn unique_already_set(
        owner: RawEntityId,
        entity: Option<RawEntityId>,
        component: &'static ComponentNames,
    ) -> Self {
        let error = Self::of_component(ErrorKind::UniqueAlreadySet, Operation::Add, component);
        Self { entity, ..error }.with(Detail::Owner(owner))
    }

    #[cold]
    pub(crate) fn unique_not_set(component: &'static ComponentNames, operation: Operation) -> Self {
        Self::of_component(ErrorKind::UniqueNotSet, operation, component)
    }

    #[cold]
    pub(crate) fn duplicate_key(
        entity: RawEntityId,
        owner: RawEntityId,
        component: &'static ComponentNames,
        operation: Operation,
        key: DuplicateKey,
    ) -> Self {
        Self::of_component(ErrorKind::DuplicateKey, operation, component)
            .on(entity)
            .with(Detail::Key(owner, key))
    }

    /// The error for a list of values that is not as long as the first list, each given by its
    /// component and its length.
    #[cold]
    pub(crate) fn unequal_columns(
        (first, first_len): (&'static ComponentNames, usize),
        (component, len): (&'static ComponentNames, usize),
    ) -> Self {
        Self::of_component(ErrorKind::UnequalColumns, Operation::Create, component)
            .with(Detail::Lengths(first, [first_len, len]))
    }

    #[cold]
    pub(crate) fn being_destroyed(entity: RawEntityId, context: &'static str) -> Self {
        let subject = Subject::Context(context);
        Self::new(ErrorKind::BeingDestroyed, Operation::Destroy, subject).on(entity)
    }

    #[cold]
    pub(crate) fn not_clone(entity: RawEntityId, component: &'static ComponentNames) -> Self {
        Self::of_component(ErrorKind::NotClone, Operation::Copy, component).on(entity)
    }

    #[cold]
    pub(crate) fn unknown_component(
        entity: RawEntityId,
        context: &'static str,
        index: ComponentIndex,
        operation: Operation,
    ) -> Self {
        let subject = Subject::Context(context);
        Self::new(ErrorKind::UnknownComponent, operation, subject)
            .on(entity)
            .with(Detail::Index(index))
    }

    #[cold]
    pub(crate) fn wrong_type(
        entity: RawEntityId,
        component: &'static ComponentNames,
        given: Option<&'static ComponentNames>,
        operation: Operation,
    ) -> Self {
        Self::of_component(ErrorKind::WrongType, operation, component)
            .on(entity)
            .with(Detail::Given(given))
    }
}

impl Error {
    /// Returns why the operation was refused.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
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
    /// # #[ecs::context] pub struct Game;
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
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
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
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// let error = game.entity_mut(id).try_remove_health().map(drop).unwrap_err();
    /// assert_eq!(error.component().map(|names| names.accessor), Some("health"));
    /// ```
    pub fn component(&self) -> Option<&'static ComponentNames> {
        match self.subject {
            Subject::Component(component) => Some(component),
            Subject::Context(_) => None,
        }
    }

    /// Returns the name of the context.
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
        match self.subject {
            Subject::Component(component) => component.context,
            Subject::Context(context) => context,
        }
    }

    /// Returns the entity that stands in the way: the one that has the unique component, or the
    /// key of a primary index.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// let owner = game.set_score(1).id();
    /// let error = game.create_entity().try_add_score(2).map(drop).unwrap_err();
    /// assert_eq!(error.owner(), Some(owner.raw()));
    /// ```
    pub fn owner(&self) -> Option<RawEntityId> {
        match self.detail.as_deref()? {
            Detail::Owner(owner) | Detail::Key(owner, _) => Some(*owner),
            _ => None,
        }
    }

    /// Returns the key of a primary index that another entity has.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)]
    /// # struct Seat { #[component(primary_index)] number: u32 }
    /// let mut game = Game::new();
    /// game.create_entity().add_seat(7);
    /// let error = game.create_entity().try_add_seat(7).map(drop).unwrap_err();
    /// assert_eq!(error.key().unwrap().text(), Some("7"));
    /// ```
    pub fn key(&self) -> Option<&DuplicateKey> {
        match self.detail.as_deref()? {
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
        let already = Error::already_has(entity(), POSITION);
        assert_eq!(
            already.to_string(),
            "cannot add component `Position` to entity 12v3 of context `Game`: \
             it already has one; check `has_position` first or use `replace_position`"
        );
        let none = |operation| Error::does_not_have(entity(), POSITION, operation).to_string();
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
        let not_clone = Error::not_clone(entity, POSITION);
        assert_eq!(
            not_clone.to_string(),
            "cannot copy component `Position` of entity 12v3 of context `Game`: it is not `Clone`; \
             derive `Clone` for it, or leave it out with `CloneOptions::all().without::<Position>()`"
        );
        let index = ComponentIndex::new(77);
        let unknown = Error::unknown_component(entity, "Game", index, Operation::Remove);
        assert_eq!(
            unknown.to_string(),
            "cannot remove a component from entity 12v3 of context `Game`: there is no component \
             with index 77; take indices from `components`, `component_index` or \
             `component_indices`"
        );
        let wrong = |given| Error::wrong_type(entity, POSITION, given, Operation::Add).to_string();
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
        let dead = Error::not_alive(entity(), "Game", Operation::Access);
        assert_eq!(
            dead.to_string(),
            "cannot access entity 12v3 of context `Game`: \
             it is not alive; check `contains` first or use `get_entity` or `get_entity_mut`"
        );
        let dead = Error::not_alive_for(entity(), POSITION, Operation::Add);
        assert_eq!(
            dead.to_string(),
            "cannot add component `Position` to entity 12v3 of context `Game`: \
             it is not alive; check `contains` first or use `get_entity` or `get_entity_mut`"
        );
        let twice = Error::being_destroyed(entity(), "Game");
        assert_eq!(
            twice.to_string(),
            "cannot destroy entity 12v3 of context `Game`: \
             it is being destroyed already; leave it to the destroy that is under way"
        );
    }
}
