//! The constructors of all errors.

use alloc::boxed::Box;
use alloc::string::String;

use super::{Detail, DuplicateKey, Error, ErrorKind, ErrorSubject, More, Operation};
use crate::words::component::ComponentNames;
use crate::words::entity_id::RawEntityId;

impl Error {
    const fn new(kind: ErrorKind, operation: Operation, subject: ErrorSubject) -> Self {
        Self {
            kind,
            operation,
            entity: None,
            subject,
            more: None,
        }
    }

    const fn of_component(
        kind: ErrorKind,
        operation: Operation,
        component: &'static ComponentNames,
    ) -> Self {
        Self::new(kind, operation, ErrorSubject::Component(component))
    }

    fn on(self, entity: RawEntityId) -> Self {
        let entity = Some(entity);
        Self { entity, ..self }
    }

    /// Removes the entity from the error if it is `new`, which stands for an entity not created
    /// yet.
    pub(crate) fn of_new(self, new: RawEntityId) -> Self {
        let entity = self.entity.filter(|&entity| entity != new);
        Self { entity, ..self }
    }

    fn with(self, detail: Detail) -> Self {
        let detail = Some(detail);
        let more = Some(Box::new(More {
            detail,
            ..More::default()
        }));
        Self { more, ..self }
    }

    /// Adds the labels of the entities named, if they have any.
    pub(crate) fn with_labels(mut self, label: impl Fn(RawEntityId) -> Option<String>) -> Self {
        let labels = [self.entity, self.owner()].map(|entity| label(entity?));
        if labels.iter().any(Option::is_some) {
            self.more.get_or_insert_default().labels = labels;
        }
        self
    }

    #[cold]
    pub(crate) fn not_alive(
        entity: RawEntityId,
        context: &'static str,
        operation: Operation,
    ) -> Self {
        Self::new(
            ErrorKind::NotAlive,
            operation,
            ErrorSubject::Context(context),
        )
        .on(entity)
    }

    #[cold]
    pub(crate) fn unknown_state(context: &'static str, operation: Operation) -> Self {
        let context = ErrorSubject::Context(context);
        Self::new(ErrorKind::UnknownState, operation, context)
    }

    /// Adds the entity that a missing or present entry refers to, or is.
    pub(crate) fn with_entity(self, other: RawEntityId) -> Self {
        self.with(Detail::Target(other))
    }

    /// A component operation on an entity that is not alive.
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

    /// A unique component that `owner` already has, to be added to `entity`, or to a new one if
    /// `None`.
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

    #[cold]
    pub(crate) fn repeated_entity(entity: RawEntityId, context: &'static str) -> Self {
        let subject = ErrorSubject::Context(context);
        Self::new(ErrorKind::RepeatedEntity, Operation::Access, subject).on(entity)
    }

    #[cold]
    pub(crate) fn does_not_match(entity: RawEntityId, context: &'static str) -> Self {
        let subject = ErrorSubject::Context(context);
        Self::new(ErrorKind::DoesNotMatch, Operation::Access, subject).on(entity)
    }

    /// A relation to a dead target.
    #[cold]
    pub(crate) fn target_not_alive(
        entity: RawEntityId,
        target: RawEntityId,
        component: &'static ComponentNames,
        operation: Operation,
    ) -> Self {
        Self::of_component(ErrorKind::TargetNotAlive, operation, component)
            .on(entity)
            .with(Detail::Target(target))
    }

    /// A relation by which an entity would refer to itself through `target`.
    #[cold]
    pub(crate) fn relation_cycle(
        entity: RawEntityId,
        target: RawEntityId,
        component: &'static ComponentNames,
        operation: Operation,
    ) -> Self {
        Self::of_component(ErrorKind::RelationCycle, operation, component)
            .on(entity)
            .with(Detail::Target(target))
    }

    /// A destroy of an entity that `source` refers to.
    #[cold]
    pub(crate) fn target_in_use(
        entity: RawEntityId,
        source: RawEntityId,
        component: &'static ComponentNames,
    ) -> Self {
        Self::of_component(ErrorKind::TargetInUse, Operation::Destroy, component)
            .on(entity)
            .with(Detail::Source(source))
    }

    /// Two lists of values with different lengths.
    #[cold]
    pub(crate) fn unequal_columns(
        (first, first_len): (&'static ComponentNames, usize),
        (component, len): (&'static ComponentNames, usize),
    ) -> Self {
        Self::of_component(ErrorKind::UnequalColumns, Operation::Create, component)
            .with(Detail::Lengths(first, [first_len, len]))
    }

    #[cold]
    pub(crate) fn too_many_entities(context: &'static str) -> Self {
        let subject = ErrorSubject::Context(context);
        Self::new(ErrorKind::TooManyEntities, Operation::Create, subject)
    }

    #[cold]
    pub(crate) fn being_destroyed(entity: RawEntityId, context: &'static str) -> Self {
        let subject = ErrorSubject::Context(context);
        Self::new(ErrorKind::BeingDestroyed, Operation::Destroy, subject).on(entity)
    }

    #[cold]
    pub(crate) fn not_clone(entity: RawEntityId, component: &'static ComponentNames) -> Self {
        Self::of_component(ErrorKind::NotClone, Operation::Copy, component).on(entity)
    }

    #[cold]
    pub(crate) fn not_an_entry(entity: RawEntityId, component: &'static ComponentNames) -> Self {
        Self::of_component(ErrorKind::NotAnEntry, Operation::Add, component).on(entity)
    }

    #[cold]
    pub(crate) fn descendants_not_copied(entity: RawEntityId, context: &'static str) -> Self {
        let subject = ErrorSubject::Context(context);
        Self::new(ErrorKind::DescendantsNotCopied, Operation::Copy, subject).on(entity)
    }

    /// A component in a tree to be copied that two entities cannot both have.
    #[cold]
    pub(crate) fn only_once(entity: RawEntityId, component: &'static ComponentNames) -> Self {
        Self::of_component(ErrorKind::OnlyOnce, Operation::Copy, component).on(entity)
    }

    #[cold]
    /// A component that has no checksum because of this field; "" if it is not known.
    pub(crate) fn no_checksum(
        entity: Option<RawEntityId>,
        component: &'static ComponentNames,
        field: &'static str,
    ) -> Self {
        Self {
            entity,
            ..Self::of_component(ErrorKind::NoChecksum, Operation::Checksum, component)
        }
        .with(Detail::Field(field))
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
