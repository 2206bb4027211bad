//! Unique components: at most one entity of a context has one at a time.
//!
//! Nothing in here runs for other components: every call stands behind `T::UNIQUE`,
//! which is known at compile time.

use super::core::{Core, HasCore};
use super::write::{Refusal, add};
use crate::storage::registry::{index_of, numbering};
use crate::words::component::{Component, ComponentIndex};
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation, refuse};
use crate::words::signature::ComponentSet;

impl<C: 'static> Core<C> {
    /// The entity that has a unique component.
    #[inline]
    pub(crate) fn owner<T: Component<C>>(&self) -> Option<EntityId<C>> {
        let last = self.owners.last(index_of::<C, T>())?;
        let row = self.slots.get(last)?.row;
        self.columns.of::<T>()?.contains(row).then_some(last)
    }

    /// Refuses to add a unique component where an entity has it; otherwise notes the
    /// entity that is about to have it.
    #[inline]
    pub(super) fn claim<T: Component<C>>(&mut self, id: EntityId<C>) -> Result<(), Refusal> {
        self.slots.get(id).ok_or(Refusal::Dead)?;
        if self.owner::<T>().is_some() {
            return Err(Refusal::Present);
        }
        self.owners.note(index_of::<C, T>(), id);
        Ok(())
    }

    /// The same for an entity that is being made: panics where another one has the
    /// component. That a bundle has it twice is found out later.
    #[inline]
    #[track_caller]
    pub(crate) fn claim_for_new<T: Component<C>>(&mut self, id: EntityId<C>) {
        match self.owner::<T>() {
            Some(owner) if owner != id => refuse(already_set::<C, T>(owner, None)),
            _ => self.owners.note(index_of::<C, T>(), id),
        }
    }

    /// Whether some component of a set is unique.
    pub(super) fn any_is_unique(&self, components: &ComponentSet) -> bool {
        let kinds = (0..).map(ComponentIndex::new).zip(numbering::<C>().kinds());
        kinds
            .filter(|(_, kind)| kind.unique)
            .any(|(index, _)| components.contains(index))
    }
}

/// The entity that has a unique component; no entity where it is not unique.
#[inline]
pub(crate) fn owner_of<C: HasCore, T: Component<C>>(context: &C) -> Option<EntityId<C>> {
    context.core().owner::<T>()
}

fn already_set<C, T: Component<C>>(owner: EntityId<C>, entity: Option<EntityId<C>>) -> Error {
    Error::unique_already_set(owner.raw(), entity.map(EntityId::raw), T::NAMES)
}

/// Why a component cannot be added to an entity, or to a new one, for the sake of another
/// entity that has it.
pub(crate) fn refusal_to_add<C: HasCore, T: Component<C>>(
    context: &C,
    id: Option<EntityId<C>>,
) -> Option<Error> {
    let owner = owner_of::<C, T>(context).filter(|&owner| Some(owner) != id)?;
    Some(already_set::<C, T>(owner, id))
}

/// Adds a unique component to all entities of a list: to one at most.
pub(super) fn add_unique_to<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    mut value: impl FnMut(EntityId<C>) -> T,
) -> Result<(), Error> {
    let Some((&first, others)) = ids.split_first() else {
        return Ok(());
    };
    check_first::<C, T>(context, first)?;
    if let Some(&second) = others.first() {
        return Err(second_owner::<C, T>(context, first, second));
    }
    add(context, first, value(first)).map_err(|why| why.error::<C, T>(first, Operation::Add))
}

fn check_first<C: HasCore, T: Component<C>>(context: &C, id: EntityId<C>) -> Result<(), Error> {
    if context.core().slots.get(id).is_none() {
        return Err(Refusal::Dead.error::<C, T>(id, Operation::Add));
    }
    match owner_of::<C, T>(context) {
        None => Ok(()),
        Some(owner) if owner == id => Err(Refusal::Present.error::<C, T>(id, Operation::Add)),
        Some(owner) => Err(already_set::<C, T>(owner, Some(id))),
    }
}

/// Refuses to give a unique component to the entities of a list where another one has it,
/// or where they are several.
pub(super) fn check_one_owner<C: HasCore, T: Component<C>>(
    context: &C,
    ids: &[EntityId<C>],
) -> Result<(), Error> {
    let (true, Some((&first, others))) = (T::UNIQUE, ids.split_first()) else {
        return Ok(());
    };
    if let Some(error) = refusal_to_add::<C, T>(context, Some(first)) {
        return Err(error);
    }
    let second = others.iter().find(|&&id| id != first);
    second.map_or(Ok(()), |&second| {
        Err(already_set::<C, T>(first, Some(second)))
    })
}

/// Why the second entity of a list cannot have what the first is to have.
#[cold]
fn second_owner<C: HasCore, T: Component<C>>(
    context: &C,
    first: EntityId<C>,
    second: EntityId<C>,
) -> Error {
    match context.core().slots.get(second) {
        None => Refusal::Dead.error::<C, T>(second, Operation::Add),
        Some(_) if first == second => Refusal::Present.error::<C, T>(second, Operation::Add),
        Some(_) => already_set::<C, T>(first, Some(second)),
    }
}
