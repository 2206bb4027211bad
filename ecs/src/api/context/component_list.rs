//! What a context knows of its components.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;

use crate::state::HasCore;
use crate::storage::registry::index_of;
use crate::words::component::{Component, ComponentIndex, ComponentInfo};

/// What is known of each component of a context, in order of index: a slice that also finds
/// components by type and by name. Returned by [`components`](crate::Context::components).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
/// let game = Game::new();
/// let components = game.components();
/// let index = components.index_of::<Health>();
/// assert_eq!(components[index.get()].name(), "Health");
/// assert_eq!(components.find("Health").unwrap().index(), index);
/// assert!(components.find("Wealth").is_none());
/// ```
pub struct ComponentList<'a, C> {
    infos: &'a [ComponentInfo],
    context: PhantomData<fn() -> C>,
}

impl<'a, C: HasCore> ComponentList<'a, C> {
    pub(super) fn new(context: &'a C) -> Self {
        Self {
            infos: context.core().columns.infos(),
            context: PhantomData,
        }
    }

    /// Returns the index of the component `T`, which is the same in every run.
    pub fn index_of<T: Component<C>>(self) -> ComponentIndex {
        index_of::<C, T>()
    }

    /// Returns what is known of the component with this name: the full path of its type, or, if no
    /// path is the same, the name of a type. `None` if there is none.
    ///
    /// Complexity: linear in the components.
    pub fn find(self, name: &str) -> Option<&'a ComponentInfo> {
        let by_path = self.infos.iter().find(|info| info.type_name() == name);
        by_path.or_else(|| self.infos.iter().find(|info| info.name() == name))
    }

    /// Returns the components one after the other, in order of index.
    pub fn iter(self) -> core::slice::Iter<'a, ComponentInfo> {
        self.infos.iter()
    }

    /// Returns the slice itself, which lives as long as the context is borrowed.
    pub fn as_slice(self) -> &'a [ComponentInfo] {
        self.infos
    }
}

impl<C> Deref for ComponentList<'_, C> {
    type Target = [ComponentInfo];

    fn deref(&self) -> &[ComponentInfo] {
        self.infos
    }
}

impl<'a, C> IntoIterator for ComponentList<'a, C> {
    type Item = &'a ComponentInfo;
    type IntoIter = core::slice::Iter<'a, ComponentInfo>;

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
