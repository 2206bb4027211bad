//! Why a change of a component is rejected, and how values are checked before they are stored.

use alloc::boxed::Box;
use core::any::TypeId;

use super::core::Registries;
use crate::storage::descriptor::AnyValue;
use crate::words::component::ComponentNames;
use crate::words::entity_id::{EntityId, RawEntityId, UntypedId};
use crate::words::error::{DuplicateKey, Error, Operation, reject};
use crate::words::field_index::IndexedField;

/// Why a change of a component is rejected: an [`Error`] without what the caller knows. It takes no
/// more than two words, which every change returns in registers.
#[derive(Debug)]
pub(crate) enum Rejection {
    /// The entity is dead.
    Dead,
    /// The entity has the component already.
    Present,
    /// The entity lacks the component.
    Absent,
    /// The component is unique, and this entity has it.
    Owned(RawEntityId),
    /// Another entity has a key of the value.
    Taken(Box<TakenKey>),
    /// The value leads the entity to one that is dead.
    DeadTarget(Box<EntityPair>),
    /// The value leads the entity to itself, by way of the other one.
    Cycle(Box<EntityPair>),
}

const _: () = assert!(size_of::<Result<(), Rejection>>() <= 16);

/// The entity that is concerned, which may be one of many, and the other one.
pub(crate) type EntityPair = (RawEntityId, RawEntityId);

impl Rejection {
    /// The error that says what was tried on which entity with which component.
    #[cold]
    pub(crate) fn error<C>(
        self,
        id: EntityId<C>,
        component: &'static ComponentNames,
        operation: Operation,
    ) -> Error {
        let entity = id.raw();
        match self {
            Self::Dead => Error::not_alive_for(entity, component, operation),
            Self::Present => Error::already_has(entity, component),
            Self::Absent => Error::does_not_have(entity, component, operation),
            Self::Owned(owner) => Error::unique_already_set(owner, Some(entity), component),
            Self::Taken(taken) => {
                let TakenKey { entity, owner, key } = *taken;
                Error::duplicate_key(entity, owner, component, operation, key)
            }
            Self::DeadTarget(pair) => {
                let (entity, target) = *pair;
                Error::target_not_alive(entity, target, component, operation)
            }
            Self::Cycle(pair) => {
                let (entity, target) = *pair;
                Error::relation_cycle(entity, target, component, operation)
            }
        }
    }

    /// The error for a component of an entity that is being made.
    #[cold]
    pub(crate) fn error_of_new<C>(
        self,
        id: EntityId<C>,
        component: &'static ComponentNames,
    ) -> Error {
        match self {
            Self::Owned(owner) => Error::unique_already_set(owner, None, component),
            rejection => rejection.error(id, component, Operation::Add),
        }
    }
}

/// A key of a primary index that two entities would share.
#[derive(Debug)]
pub(crate) struct TakenKey {
    /// The entity that cannot have it.
    pub(super) entity: RawEntityId,
    /// The one that has it.
    pub(super) owner: RawEntityId,
    pub(super) key: DuplicateKey,
}

/// How the entities of a list get their values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// One after the other.
    OneByOne,
    /// Those that they have, exchanged in one step.
    Swap,
    /// All at once, as a save has them.
    #[cfg(feature = "serde")]
    Loaded,
}

/// What is done with an indexed field, of whatever component.
pub(super) struct FieldFunctions {
    /// The type of the context that the functions are for.
    pub(super) context: TypeId,
    /// Makes the index.
    pub(super) install: fn(&mut Registries),
    /// Checks values before they are stored.
    pub(super) check: Check,
    /// Has a copy of a value refer to another target, if the field is that of a relation.
    pub(super) map_target: Option<MapField>,
}

/// Checks values for entities: what a component with a primary index or a relation has in its
/// [`IndexedField`](crate::words::field_index::IndexedField).
pub(super) type Check = fn(&Registries, &[(UntypedId, &AnyValue)], Turn) -> Result<(), Rejection>;

/// Which entity a copy leads to, if the original leads to this one.
pub(crate) type MapTarget<'m> = &'m dyn Fn(UntypedId) -> UntypedId;

/// Has a copy of a value lead where the map says.
pub(super) type MapField = fn(&mut AnyValue, MapTarget<'_>);

impl Registries {
    /// The functions of an indexed field; none of one that was declared for another context.
    pub(super) fn functions_of(&self, field: &IndexedField) -> Option<&'static FieldFunctions> {
        let functions = field.functions.downcast_ref::<FieldFunctions>()?;
        (functions.context == self.columns.context()).then_some(functions)
    }

    /// The entity that a value is for: this one, which is being made, or the one that lives.
    #[inline]
    pub(super) fn attempt_on(&self, made: UntypedId) -> UntypedId {
        let attempt = self.attempt.as_ref();
        attempt.and_then(|attempt| attempt.entity).unwrap_or(made)
    }

    /// The error that says what was tried on which entity with which component, and why it was rejected.
    #[cold]
    pub(crate) fn rejected<C>(
        &self,
        rejection: Rejection,
        id: EntityId<C>,
        component: &'static ComponentNames,
        operation: Operation,
    ) -> Error {
        self.named(rejection.error(id, component, operation))
    }

    /// Keeps why a value was rejected, or panics if this is no attempt.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub(super) fn reject_put(
        &mut self,
        made: UntypedId,
        names: &'static ComponentNames,
        rejection: Rejection,
    ) {
        let entity = self.attempt.as_ref().and_then(|attempt| attempt.entity);
        let error = match entity {
            Some(id) => rejection.error(id, names, Operation::Add),
            None => rejection.error_of_new(made, names),
        };
        let error = self.named(error);
        match &mut self.attempt {
            Some(attempt) => _ = attempt.rejected.get_or_insert(error),
            None => reject(error),
        }
    }
}
