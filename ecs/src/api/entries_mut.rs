//! Finding and changing the entries of an entity, for the accessors of components with `many`.

use core::marker::PhantomData;

use super::create;
use super::entity::{Entity, EntityMut};
use super::entries::{Entries, EntryOf, ManyComponent};
use super::related::Related;
use crate::state::{self, HasCore};
use crate::words::component::Component;
use crate::words::demands::FitsIn;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};
use crate::words::relation::Relation;

impl<'a, C: HasCore, T: ManyComponent<C> + Relation<C>> Entries<'a, C, T>
where
    EntryOf<C, T>: FitsIn<C>,
{
    /// Returns the entry of an owner that refers to a target.
    ///
    /// Complexity: linear in the entries of the owner or in those that refer to the target, whichever
    /// are fewer; in those of the owner if the target is dead.
    #[doc(hidden)]
    pub fn find(context: &C, owner: EntityId<C>, target: EntityId<C>) -> Option<EntityId<C>> {
        let mut of_owner = Related::<C, EntryOf<C, T>>::new(context, owner).iter();
        let mut of_target = Related::<C, T>::new(context, target).iter();
        if of_target.len() < of_owner.len() && context.core().world.slots().get(target).is_some() {
            let owner_of = |entry| Related::<C, EntryOf<C, T>>::new(context, entry).target();
            return of_target.find(|&entry| owner_of(entry) == Some(owner));
        }
        let value = |entry| Entity::find(context, entry)?.get::<T>();
        of_owner.find(|&entry| value(entry).is_some_and(|value| value.target() == target))
    }

    /// Returns the value of that entry.
    #[doc(hidden)]
    pub fn get(context: &'a C, owner: EntityId<C>, target: EntityId<C>) -> Option<&'a T> {
        Entity::find(context, Self::find(context, owner, target)?)?.get()
    }

    /// Returns the value of that entry, or an error if there is none.
    #[doc(hidden)]
    pub fn try_get(
        context: &'a C,
        owner: EntityId<C>,
        target: EntityId<C>,
    ) -> Result<&'a T, Error> {
        let value = Self::get(context, owner, target);
        value.ok_or_else(|| none::<C, T>(owner, target, Operation::Read))
    }
}

/// The error if `owner` has no entry that refers to `other`, or is it.
#[cold]
fn none<C, T: Component<C>>(owner: EntityId<C>, other: EntityId<C>, operation: Operation) -> Error {
    Error::does_not_have(owner.raw(), T::NAMES, operation).with_entity(other.raw())
}

/// Changes the entries of an entity; called by accessors.
#[doc(hidden)]
pub struct EntriesMut<'a, C, T> {
    context: &'a mut C,
    owner: EntityId<C>,
    component: PhantomData<fn() -> T>,
}

impl<'a, C: HasCore, T: ManyComponent<C>> EntriesMut<'a, C, T>
where
    EntryOf<C, T>: FitsIn<C>,
{
    pub fn new(owner: EntityId<C>, context: &'a mut C) -> Self {
        Self {
            context,
            owner,
            component: PhantomData,
        }
    }

    /// Rejects a change if the owner is dead.
    fn check(&self, operation: Operation) -> Result<(), Error> {
        match self.context.core().world.slots().get(self.owner) {
            Some(_) => Ok(()),
            None => Err(Error::not_alive_for(self.owner.raw(), T::NAMES, operation)),
        }
    }

    pub fn try_add(self, value: T) -> Result<EntityId<C>, Error> {
        self.check(Operation::Add)?;
        let to_owner = EntryOf::<C, T>::new(self.owner);
        create::try_by(self.context, |writer| {
            writer.put(to_owner);
            writer.put(value);
        })
    }

    pub fn try_remove(self, entry: EntityId<C>) -> Result<(), Error> {
        self.check(Operation::Remove)?;
        let related = Related::<C, EntryOf<C, T>>::new(&*self.context, entry);
        match related.target() == Some(self.owner) {
            true => state::destroy(self.context, entry),
            false => Err(none::<C, T>(self.owner, entry, Operation::Remove)),
        }
    }
}

impl<C: HasCore, T: ManyComponent<C> + Relation<C>> EntriesMut<'_, C, T>
where
    EntryOf<C, T>: FitsIn<C>,
{
    fn find(&self, target: EntityId<C>) -> Option<EntityId<C>> {
        Entries::<C, T>::find(self.context, self.owner, target)
    }

    /// The entry that refers to a target; an error if the owner is dead or has none.
    fn entry(&self, target: EntityId<C>, operation: Operation) -> Result<EntityId<C>, Error> {
        self.check(operation)?;
        let entry = self.find(target);
        entry.ok_or_else(|| none::<C, T>(self.owner, target, operation))
    }

    /// Rejects a second entry that refers to a target.
    fn check_vacant(&self, target: EntityId<C>) -> Result<(), Error> {
        match self.find(target) {
            Some(_) => {
                Err(Error::already_has(self.owner.raw(), T::NAMES).with_entity(target.raw()))
            }
            None => Ok(()),
        }
    }

    #[doc(hidden)]
    pub fn try_add_link(self, value: T) -> Result<EntityId<C>, Error> {
        self.check(Operation::Add)?;
        self.check_vacant(value.target())?;
        self.try_add(value)
    }

    #[doc(hidden)]
    pub fn try_replace_link(self, value: T) -> Result<EntityId<C>, Error> {
        match self.find(value.target()) {
            Some(entry) => self.replace(entry, value).map(|()| entry),
            None => self.try_add(value),
        }
    }

    #[doc(hidden)]
    pub fn try_update_link<R>(
        self,
        target: EntityId<C>,
        change: impl FnOnce(&mut T) -> R,
    ) -> Result<R, Error> {
        let entry = self.entry(target, Operation::Update)?;
        let Some(clone) = T::CLONE else {
            unreachable!("a relation is `Clone`");
        };
        let mut value = clone(Entity::alive(&*self.context, entry).component());
        let result = change(&mut value);
        if value.target() != target {
            self.check_vacant(value.target())?;
        }
        self.replace(entry, value).map(|()| result)
    }

    #[doc(hidden)]
    pub fn try_remove_link(self, target: EntityId<C>) -> Result<(), Error> {
        let entry = self.entry(target, Operation::Remove)?;
        state::destroy(self.context, entry)
    }

    fn replace(self, entry: EntityId<C>, value: T) -> Result<(), Error> {
        EntityMut::new(self.context, entry).try_replace(value)?;
        Ok(())
    }
}
