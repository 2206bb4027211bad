//! Information about the components of a context.

use alloc::boxed::Box;
use core::any::Any;
use core::fmt;
use core::ops::Deref;

#[cfg(feature = "serde")]
use serde::de::Deserializer;

use crate::api::dyn_value::DynValue;
#[cfg(feature = "serde")]
use crate::api::dyn_value::read;
use crate::state::{Core, HasCore};
use crate::storage::registry::typed_index_of;
use crate::words::component::typed::ComponentIndex;
use crate::words::component::{Component, ComponentInfo};
use crate::words::demands::SharedContext;

/// The components of a context, in order of index: a slice that also finds components by type and
/// by name.
///
/// Returned by [`components`](crate::Context::components).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let game = Game::new();
/// let components = game.components();
/// let index = components.index_of::<Health>();
/// assert_eq!(components[index.get()].name(), "Health");
/// assert_eq!(components.find("Health").unwrap().index(), index);
/// assert!(components.find("Wealth").is_none());
/// ```
pub struct ComponentList<'a, C: 'static> {
    infos: &'a [ComponentInfo<C>],
    core: &'a Core<C>,
}

impl<'a, C: HasCore> ComponentList<'a, C> {
    pub(super) fn new(context: &'a C) -> Self {
        let core = context.core();
        Self {
            infos: core.typed().infos(),
            core,
        }
    }

    /// Returns the index of the component `T`, which is the same in every run of the program.
    pub fn index_of<T: Component<C>>(self) -> ComponentIndex<C> {
        typed_index_of::<C, T>()
    }

    /// Returns the component with this name: the full path of its type, or, if no path matches, the
    /// name of a type.
    ///
    /// Returns `None` if there is none.
    ///
    /// Complexity: linear in the components.
    pub fn find(self, name: &str) -> Option<&'a ComponentInfo<C>> {
        let components = || self.infos.iter().filter(|info| !info.is_term());
        let by_path = components().find(|info| info.type_name() == name);
        by_path.or_else(|| components().find(|info| info.name() == name))
    }

    /// Returns an iterator of the components, in order of index.
    pub fn iter(self) -> core::slice::Iter<'a, ComponentInfo<C>> {
        self.infos.iter()
    }

    /// Wraps a value of a component, so that it can be printed and serialized without its type.
    ///
    /// Returns `None` if the value has another type.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let hero = game.create_with(Health(3)).id();
    /// let (component, value) = game.entity(hero).dynamic().iter().next().unwrap();
    /// let value = game.components().value(component.index(), value).unwrap();
    /// assert_eq!(format!("{value:?}"), "Health(3)");
    /// ```
    pub fn value(
        self,
        component: ComponentIndex<C>,
        value: &'a dyn Any,
    ) -> Option<DynValue<'a, C>> {
        DynValue::new(self.core.world.describe(component.untyped()), value)
    }

    /// Returns the default value of a component that is known by its index only, to be
    /// [added](crate::DynEntityMut::try_add); that of a flag needs no `Default`.
    ///
    /// Returns `None` if the type has no default.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// #[derive(Component, Default)]
    /// #[component(context = Game)]
    /// struct Route(Vec<u32>);
    ///
    /// # fn main() -> Result<(), ecs::Error> {
    /// let mut game = Game::new();
    /// let route = game.components().find("Route").unwrap().index(); // by its name
    /// let value = game.components().create_default(route).unwrap();
    /// let id = game.create_entity().id();
    /// game.entity_mut(id).dynamic().try_add(route, value)?;
    /// assert!(game.entity(id).route().0.is_empty());
    /// # Ok(()) }
    /// ```
    pub fn create_default(self, component: ComponentIndex<C>) -> Option<Box<dyn Any + Send + Sync>>
    where
        C: SharedContext,
    {
        let descriptor = self.core.world.describe(component.untyped());
        descriptor.create_default()
    }

    /// Returns whether values of a component can be serialized and deserialized: the type is
    /// `Serialize` and `DeserializeOwned`, or a flag, and the component is not `transient`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let components = game.components();
    /// assert!(components.can_be_written(components.index_of::<Frozen>()));
    /// assert!(!components.can_be_written(components.index_of::<Position>()));
    /// ```
    #[cfg(feature = "serde")]
    pub fn can_be_written(self, component: ComponentIndex<C>) -> bool {
        let descriptor = self.core.world.describe(component.untyped());
        descriptor.saving.is_saved()
    }

    /// Deserializes a value of a component from any format, for
    /// [`DynEntityMut::try_replace`](crate::DynEntityMut::try_replace) or
    /// [`try_add`](crate::DynEntityMut::try_add).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut game = Game::new();
    /// let hero = game.create_entity().id();
    /// let components = game.components();
    /// let health = components.index_of::<Health>();
    /// let value = components.read(health, &mut serde_json::Deserializer::from_str("3"))?;
    /// game.entity_mut(hero).dynamic().try_replace(health, value)?;
    /// assert_eq!(game.entity(hero).health().0, 3);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of the format, and an error if values of the component cannot be
    /// [serialized](Self::can_be_written).
    #[cfg(feature = "serde")]
    pub fn read<'de, D: Deserializer<'de>>(
        self,
        component: ComponentIndex<C>,
        deserializer: D,
    ) -> Result<Box<dyn Any + Send + Sync>, D::Error>
    where
        C: SharedContext,
    {
        let descriptor = self.core.world.describe(component.untyped());
        read(descriptor, deserializer)
    }

    /// Returns the slice itself, valid as long as the context is borrowed.
    pub fn as_slice(self) -> &'a [ComponentInfo<C>] {
        self.infos
    }
}

impl<C> Deref for ComponentList<'_, C> {
    type Target = [ComponentInfo<C>];

    fn deref(&self) -> &[ComponentInfo<C>] {
        self.infos
    }
}

impl<'a, C> IntoIterator for ComponentList<'a, C> {
    type Item = &'a ComponentInfo<C>;
    type IntoIter = core::slice::Iter<'a, ComponentInfo<C>>;

    fn into_iter(self) -> Self::IntoIter {
        self.infos.iter()
    }
}

impl<C> Clone for ComponentList<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for ComponentList<'_, C> {}

impl<C> fmt::Debug for ComponentList<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.infos).finish()
    }
}
