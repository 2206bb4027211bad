//! Untyped access for tools: components of an entity by index, their values as `dyn Any`.
//!
//! Values are read from the columns and changed by the slow path of the typed methods, so all their
//! rules hold.

use alloc::boxed::Box;
use core::any::{Any, TypeId};
use core::fmt;

use super::entity::{Entity, EntityMut};
use crate::state::{self, Core, HasCore, Rejection, rejected};
use crate::storage::column::Column;
use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
use crate::storage::moved::{Buffer, Moved};
use crate::storage::registry::numbering;
use crate::words::component::typed::ComponentIndex;
use crate::words::component::{self, ComponentInfo, ComponentNames};
use crate::words::demands::SharedContext;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::words::printed::from_fn;

/// Read access to the components of an entity by index, for tools that do not know the types:
/// inspectors, dumps, scripts. An index is valid for every context of its type.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let id = game.create_entity().add_health(3).id();
/// let index = game.components().find("Health").unwrap().index();
/// let entity = game.entity(id).dynamic();
/// assert_eq!(format!("{:?}", entity.debug(index).unwrap()), "Health(3)");
/// assert!(entity.get(index).unwrap().is::<Health>());
/// ```
pub struct DynEntity<'a, C> {
    entity: Entity<'a, C>,
}

impl<'a, C: HasCore> DynEntity<'a, C> {
    pub(super) fn id(self) -> EntityId<C> {
        self.entity.id()
    }

    pub(super) fn core(self) -> &'a Core<C> {
        self.entity.context().core()
    }

    fn value(self, component: ComponentIndex<C>) -> Option<(&'a Column, &'a AnyValue)> {
        let column = self.core().world.columns().at(component.untyped())?;
        Some((column, column.view(self.entity.row())?))
    }

    /// Returns the entity's components, in ascending order of index: the information about each,
    /// and its value.
    ///
    /// # Examples
    ///
    /// Print every entity with all its components:
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # let mut game = Game::new();
    /// # game.create_entity().add_health(3).add_route(vec![80]);
    /// let mut dump = String::new();
    /// for entity in game.entities() {
    ///     dump += &format!("{:?}:", entity.id());
    ///     for (info, _) in entity.dynamic().iter() {
    ///         let value = entity.dynamic().debug(info.index()).unwrap();
    ///         dump += &format!(" {} = {value:?}", info.name());
    ///     }
    /// }
    /// assert_eq!(dump, "0v1: Health = Health(3) Route = sample::Route");
    /// ```
    pub fn iter(self) -> impl Iterator<Item = (&'a ComponentInfo<C>, &'a dyn Any)> {
        let infos = self.entity.context().core().typed().infos();
        let components = self.entity.component_indices().into_iter();
        components.filter_map(move |component| {
            let (_, value) = self.value(component)?;
            Some((infos.get(component.get())?, value as &dyn Any))
        })
    }

    /// Returns whether the entity has the component with this index.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let index = game.components().index_of::<Health>();
    /// let id = game.create_with(Health(3)).id();
    /// assert!(game.entity(id).dynamic().has(index));
    /// ```
    pub fn has(self, component: ComponentIndex<C>) -> bool {
        self.value(component).is_some()
    }

    /// Returns the entity's component with this index, or `None` if the entity lacks it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let index = game.components().index_of::<Health>();
    /// let id = game.create_with(Health(3)).id();
    /// let value = game.entity(id).dynamic().get(index).unwrap();
    /// assert_eq!(value.downcast_ref::<Health>().unwrap().0, 3);
    /// ```
    pub fn get(self, component: ComponentIndex<C>) -> Option<&'a dyn Any> {
        Some(self.value(component)?.1)
    }

    /// Like [`get`](Self::get), but returns an error if the entity lacks the component.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// let index = game.components().index_of::<Health>();
    /// assert!(game.entity(id).dynamic().try_get(index).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent).
    pub fn try_get(self, component: ComponentIndex<C>) -> Result<&'a dyn Any, Error> {
        match self.value(component) {
            Some((_, value)) => Ok(value),
            None => {
                let descriptor = self.core().world.describe(component.untyped());
                Err(lacks(self.core(), self.entity.id(), descriptor))
            }
        }
    }

    /// Returns the entity's component with this index, printed by its `Debug`, or as the full path
    /// of its type if it has none.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let index = game.components().index_of::<Health>();
    /// let id = game.create_with(Health(3)).id();
    /// let value = game.entity(id).dynamic().debug(index).unwrap();
    /// assert_eq!(format!("{value:?}"), "Health(3)");
    /// ```
    pub fn debug(self, component: ComponentIndex<C>) -> Option<impl fmt::Debug + use<'a, C>> {
        let (column, value) = self.value(component)?;
        Some(from_fn(move |f| column.descriptor().debug(value, f)))
    }
}

// By hand, because a derive would require `C: Clone`.
impl<C> Clone for DynEntity<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for DynEntity<'_, C> {}

/// Prints the entity.
impl<C: HasCore> fmt::Debug for DynEntity<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.entity, f)
    }
}

/// Write access to the components of an entity by index, for tools that do not know the types.
///
/// Each change follows the rules of the typed method with the same name and raises the same events.
/// A rejected value is dropped; to keep it, check [`ComponentInfo::type_id`] and [`has`](Self::has)
/// first.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let index = game.components().find("Health").unwrap().index();
/// let mut entity = game.create_entity();
/// entity.dynamic().try_add(index, Box::new(Health(3))).unwrap();
/// assert_eq!(entity.health().0, 3);
/// assert!(entity.dynamic().try_replace(index, Box::new("three")).is_err());
/// ```
pub struct DynEntityMut<'a, C> {
    entity: EntityMut<'a, C>,
}

impl<C: HasCore> DynEntityMut<'_, C> {
    /// The components of the entity, for reading, if it is alive.
    fn reading(&self) -> Option<DynEntity<'_, C>> {
        let entity = self.entity.get_ref()?;
        Some(DynEntity { entity })
    }

    /// Returns whether the entity has the component with this index.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let index = game.components().index_of::<Health>();
    /// assert!(!game.create_entity().dynamic().has(index));
    /// ```
    pub fn has(&self, component: ComponentIndex<C>) -> bool {
        self.reading().is_some_and(|entity| entity.has(component))
    }

    /// Returns the entity's component with this index, or `None` if the entity lacks it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let index = game.components().index_of::<Health>();
    /// let mut entity = game.create_with(Health(3));
    /// assert!(entity.dynamic().get(index).unwrap().is::<Health>());
    /// ```
    pub fn get(&self, component: ComponentIndex<C>) -> Option<&dyn Any> {
        self.reading()?.get(component)
    }

    fn descriptor(&self, component: ComponentIndex<C>) -> &'static ComponentDescriptor {
        self.entity
            .context()
            .core()
            .world
            .describe(component.untyped())
    }

    #[cold]
    fn rejected(
        &self,
        rejection: Rejection,
        names: &'static ComponentNames,
        operation: Operation,
    ) -> Error {
        let core = self.entity.context().core();
        rejected(&core.world, rejection, self.entity.id(), names, operation)
    }

    /// Passes a value to a change of the component.
    fn change(
        &mut self,
        component: ComponentIndex<C>,
        (operation, value): (Operation, Box<AnyValue>),
        change: ChangeByIndex<C>,
    ) -> Result<&mut Self, Error> {
        let (id, descriptor) = (self.entity.id(), self.descriptor(component));
        let mut buffer = Buffer::new(descriptor);
        let changed = match buffer.unboxed(value) {
            Ok(value) => change(
                self.entity.context_mut(),
                id.untyped(),
                component.untyped(),
                value,
            ),
            Err(other) => {
                let given = names_of::<C>((*other).type_id());
                let names = descriptor.names;
                let error = Error::wrong_type(id.raw(), names, given, operation);
                return Err(self.entity.context().core().world.named(error));
            }
        };
        match changed {
            Ok(()) => Ok(self),
            Err(rejection) => Err(self.rejected(rejection, descriptor.names, operation)),
        }
    }

    /// Adds the component with this index, like [`EntityMut::try_add`](crate::EntityMut::try_add).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let index = game.components().index_of::<Health>();
    /// let mut entity = game.create_entity();
    /// let error = entity.dynamic().try_add(index, Box::new(3)).unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::WrongType));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`WrongType`](crate::ErrorKind::WrongType), or the errors of `try_add`; nothing has
    /// changed then.
    pub fn try_add(
        &mut self,
        component: ComponentIndex<C>,
        value: Box<dyn Any + Send + Sync>,
    ) -> Result<&mut Self, Error> {
        self.change(component, (Operation::Add, value), state::add_moved)
    }

    /// Replaces the component with this index, or adds it, like
    /// [`EntityMut::try_replace`](crate::EntityMut::try_replace).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let index = game.components().index_of::<Health>();
    /// let mut entity = game.create_with(Health(3));
    /// entity.dynamic().try_replace(index, Box::new(Health(4))).unwrap();
    /// assert_eq!(entity.health().0, 4);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`WrongType`](crate::ErrorKind::WrongType), or the errors of `try_replace`; nothing
    /// has changed then.
    pub fn try_replace(
        &mut self,
        component: ComponentIndex<C>,
        value: Box<dyn Any + Send + Sync>,
    ) -> Result<&mut Self, Error> {
        self.change(component, (Operation::Replace, value), state::replace_moved)
    }

    /// Removes the component with this index, like
    /// [`EntityMut::try_remove`](crate::EntityMut::try_remove).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let index = game.components().index_of::<Frozen>();
    /// let mut entity = game.create_with(Frozen);
    /// assert!(entity.dynamic().try_remove(index).is_ok());
    /// assert!(entity.dynamic().try_remove(index).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of `try_remove`; nothing has changed then.
    pub fn try_remove(&mut self, component: ComponentIndex<C>) -> Result<&mut Self, Error> {
        let id = self.entity.id();
        let names = self.descriptor(component).names;
        let removed =
            state::remove_at(self.entity.context_mut(), id.untyped(), component.untyped());
        match removed {
            Ok(()) => Ok(self),
            Err(rejection) => Err(self.rejected(rejection, names, Operation::Remove)),
        }
    }

    /// Removes the component with this index and returns its value, like
    /// [`EntityMut::try_take`](crate::EntityMut::try_take).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let index = game.components().index_of::<Health>();
    /// let mut entity = game.create_with(Health(3));
    /// let value = entity.dynamic().try_take(index).unwrap().unwrap();
    /// assert!(value.is::<Health>() && !entity.has_health());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of `try_take`; nothing has changed then.
    pub fn try_take(
        &mut self,
        component: ComponentIndex<C>,
    ) -> Result<Option<Box<dyn Any + Send + Sync>>, Error>
    where
        C: SharedContext,
    {
        let id = self.entity.id();
        let names = self.descriptor(component).names;
        let taken = state::take_at(self.entity.context_mut(), id, component.untyped());
        taken.map_err(|rejection| self.rejected(rejection, names, Operation::Remove))
    }
}

/// Prints the entity, or the id and `dead`.
impl<C: HasCore> fmt::Debug for DynEntityMut<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.entity, f)
    }
}

impl<'a, C: HasCore> Entity<'a, C> {
    /// Returns untyped read access to the components, for tools that do not know the types.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_health(3).id();
    /// let index = game.entity(id).component_indices()[0];
    /// let value = game.entity(id).dynamic().get(index).unwrap();
    /// assert!(value.is::<Health>());
    /// ```
    pub fn dynamic(self) -> DynEntity<'a, C> {
        DynEntity { entity: self }
    }
}

impl<C: HasCore> EntityMut<'_, C> {
    /// Returns untyped write access to the components, for tools that do not know the types.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let index = game.components().index_of::<Frozen>();
    /// let mut entity = game.create_entity();
    /// entity.dynamic().try_add(index, Box::new(Frozen)).unwrap();
    /// assert!(entity.is_frozen());
    /// ```
    pub fn dynamic(&mut self) -> DynEntityMut<'_, C> {
        let id = self.id();
        let entity = EntityMut::new(self.context_mut(), id);
        DynEntityMut { entity }
    }
}

#[cold]
fn lacks<C>(core: &Core<C>, id: EntityId<C>, descriptor: &ComponentDescriptor) -> Error {
    let error = Error::does_not_have(id.raw(), descriptor.names, Operation::Read);
    core.world.named(error)
}

/// A change that stores a component, given by index, in an entity.
type ChangeByIndex<C> =
    fn(&mut C, UntypedId, component::RawComponentIndex, Moved<'_>) -> Result<(), Rejection>;

/// The names of the component with this type, if there is one in this context.
fn names_of<C: 'static>(type_id: TypeId) -> Option<&'static ComponentNames> {
    Some(numbering::<C>().of_type(type_id)?.names)
}
