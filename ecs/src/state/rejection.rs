//! Rejections of changes of components, and the functions that check values before they are stored.

use alloc::boxed::Box;
use core::any::TypeId;

use crate::reactions::subscribers::Subscribers;
use crate::storage::descriptor::AnyValue;
use crate::words::component::ComponentNames;
use crate::words::entity_id::{EntityId, RawEntityId, UntypedId};
use crate::words::error::{DuplicateKey, Error, Operation, reject};
use crate::words::field_index::IndexedField;
use crate::world::World;

/// Why a change of a component is rejected: an [`Error`] without what the caller knows. At most two
/// words, which every change returns in registers.
#[derive(Debug)]
pub(crate) enum Rejection {
    /// The entity is dead.
    Dead,
    /// The entity has the component already.
    Present,
    /// The entity does not have the component.
    Absent,
    /// The component is unique, and this entity has it.
    Owned(RawEntityId),
    /// Another entity has a key of the value.
    Taken(Box<TakenKey>),
    /// The target of the relation is dead.
    DeadTarget(Box<EntityPair>),
    /// The relation would refer back to the entity.
    Cycle(Box<EntityPair>),
    /// The component is one of entries, and the entity is none.
    NotAnEntry,
}

const _: () = assert!(size_of::<Result<(), Rejection>>() <= 16);

/// The entity concerned, which may be one of many, and the other one.
pub(crate) type EntityPair = (RawEntityId, RawEntityId);

impl Rejection {
    /// Creates the error for an entity, component and operation.
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
            Self::NotAnEntry => Error::not_an_entry(entity, component),
        }
    }

    /// Creates the error for a component of a new entity.
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
    /// The entity that has it.
    pub(crate) owner: RawEntityId,
    pub(super) key: DuplicateKey,
}

/// How the entities of a list get their values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// One after the other.
    OneByOne,
    /// All at once, by swapping present values.
    Swap,
    /// All at once, as new entities that may refer to each other.
    Together {
        /// Whether kept targets may be dead, as in a save.
        may_be_dead: bool,
    },
}

/// The functions of an indexed field of any component.
pub(super) struct FieldFunctions {
    /// The type of the context that the functions are for.
    pub(super) context: fn() -> TypeId,
    /// Creates the index.
    pub(super) install: fn(&mut World, &mut Subscribers),
    /// Checks values before they are stored.
    pub(super) check: Check,
    /// Changes the target of a value, if the field is a relation.
    pub(super) map_target: Option<MapField>,
}

/// Checks values for entities: a function of a component with a primary index or a relation, stored
/// in its [`IndexedField`].
pub(super) type Check =
    fn(&World, &Subscribers, &[(UntypedId, &AnyValue)], Turn) -> Result<(), Rejection>;

/// Maps a target to that of a copy.
pub(crate) type MapTarget<'m> = &'m dyn Fn(UntypedId) -> UntypedId;

/// Maps the target of a copied value.
pub(super) type MapField = fn(&mut AnyValue, MapTarget<'_>);

/// The functions of an indexed field; `None` if it was declared for another context.
pub(super) fn functions_of(world: &World, field: &IndexedField) -> Option<&'static FieldFunctions> {
    let functions = field.functions.downcast_ref::<FieldFunctions>()?;
    ((functions.context)() == world.columns.context()).then_some(functions)
}

/// The entity that a value is for: the one of the attempt, or else this new one.
#[inline]
pub(super) fn attempt_on(world: &World, made: UntypedId) -> UntypedId {
    let attempt = world.attempt.as_ref();
    attempt.and_then(|attempt| attempt.entity).unwrap_or(made)
}

/// Whether the current attempt is to make one of several entities.
pub(super) fn is_together(world: &World) -> bool {
    let attempt = world.attempt.as_ref();
    attempt.is_some_and(|attempt| attempt.is_together)
}

/// Creates the error for a rejection, with labels of entities.
#[cold]
pub(crate) fn rejected<C>(
    world: &World,
    rejection: Rejection,
    id: EntityId<C>,
    component: &'static ComponentNames,
    operation: Operation,
) -> Error {
    world.named(rejection.error(id, component, operation))
}

/// Records why a value was rejected, or panics if this is not an attempt.
#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn reject_put(
    world: &mut World,
    made: UntypedId,
    names: &'static ComponentNames,
    rejection: Rejection,
) {
    let entity = world.attempt.as_ref().and_then(|attempt| attempt.entity);
    let error = match entity {
        Some(id) => rejection.error(id, names, Operation::Add),
        None => rejection.error_of_new(made, names),
    };
    let error = world.named(error);
    match &mut world.attempt {
        Some(attempt) => _ = attempt.rejected.get_or_insert(error),
        None => reject(error),
    }
}
