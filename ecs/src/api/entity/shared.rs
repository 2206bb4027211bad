//! The handle that reads an entity.

use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::fmt;

use crate::state::HasCore;
use crate::storage::registry::index_of;
use crate::storage::slots::{Row, Slot};
use crate::words::component::typed::ComponentIndex;
use crate::words::component::{Component, Components, RawComponentIndex, indices_of};
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation, reject};
use crate::words::label::EntityName;
use crate::words::printed::from_fn;
use crate::words::signature::RawComponentSet;

/// A handle that reads a living entity; `GameEntity` wraps it.
///
/// It borrows the context, so the entity cannot change while the handle exists.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let id = game.create_with(Frozen).id();
/// let entity: GameEntity<'_> = game.entity(id);
/// let copy = entity;
/// assert!(entity.is_frozen() && copy.id() == id);
/// ```
pub struct Entity<'a, C> {
    context: &'a C,
    row: Row,
}

impl<'a, C: HasCore> Entity<'a, C> {
    #[inline]
    pub(crate) fn new(context: &'a C, slot: Slot) -> Self {
        Self {
            context,
            row: slot.row,
        }
    }

    /// A handle to the entity in a row of a group's members, which are alive.
    #[inline]
    pub(crate) fn in_row(context: &'a C, row: Row) -> Self {
        Self { context, row }
    }

    /// Returns a handle that reads the entity, or `None` if it is dead.
    ///
    /// For code that is generic over contexts; otherwise use
    /// [`get_entity`](crate::Context::get_entity).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::{Entity, prelude::*};
    /// # use sample::*;
    /// fn components<C: Context>(context: &C, id: EntityId<C>) -> usize {
    ///     Entity::find(context, id).map_or(0, |entity| entity.component_indices().len())
    /// }
    /// let mut game = Game::new();
    /// let id = game.create_with(Frozen).id();
    /// assert_eq!(components(&game, id), 1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn find(context: &'a C, id: EntityId<C>) -> Option<Self> {
        let slot = context.core().world.slots().get(id)?;
        Some(Self::new(context, slot))
    }

    /// Returns the entity, or an error if it is dead.
    #[inline]
    #[track_caller]
    pub(crate) fn find_or_error(context: &'a C, id: EntityId<C>) -> Result<Self, Error> {
        Self::find(context, id).ok_or_else(|| not_alive(id))
    }

    /// Returns the entity, which must be alive.
    #[inline]
    #[track_caller]
    pub(crate) fn alive(context: &'a C, id: EntityId<C>) -> Self {
        match Self::find(context, id) {
            Some(entity) => entity,
            None => reject_dead(id),
        }
    }

    /// The row of the entity's values.
    #[inline]
    pub(crate) fn row(self) -> Row {
        self.row
    }

    /// Returns the entity's id.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert_eq!(game.entity(id).id(), id);
    /// ```
    #[inline]
    pub fn id(self) -> EntityId<C> {
        self.context
            .core()
            .world
            .slots()
            .id_in(self.row)
            .expect("a handle's entity is alive")
    }

    /// Returns the context of the entity.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert_eq!(game.entity(id).context().len(), 1);
    /// ```
    #[inline]
    pub fn context(self) -> &'a C {
        self.context
    }

    /// Returns whether the entity has component `T`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Frozen).id();
    /// assert!(game.entity(id).has::<Frozen>());
    /// ```
    #[inline]
    pub fn has<T: Component<C>>(self) -> bool {
        match self.context.core().world.columns().at(index_of::<C, T>()) {
            Some(column) => column.contains(self.row),
            None => false,
        }
    }

    /// Returns whether the entity has every component of `T`: one component or a tuple.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Frozen).id();
    /// assert!(!game.entity(id).has_all::<(Frozen, Health)>());
    /// ```
    pub fn has_all<T: Components<C>>(self) -> bool {
        let mut components = indices_of::<C, T>().into_iter();
        components.all(|component| self.contains(component))
    }

    /// Returns whether the entity has at least one component of `T`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Frozen).id();
    /// assert!(game.entity(id).has_any::<(Frozen, Health)>());
    /// ```
    pub fn has_any<T: Components<C>>(self) -> bool {
        let mut components = indices_of::<C, T>().into_iter();
        components.any(|component| self.contains(component))
    }

    /// Returns the entity's component `T`, or `None` if it lacks it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// let health = game.entity(id).get::<Health>();
    /// assert_eq!(health.map(|health| health.0), Some(3));
    /// ```
    #[inline]
    pub fn get<T: Component<C>>(self) -> Option<&'a T> {
        match self.context.core().typed().of::<T>() {
            Some(column) => column.get(self.row),
            None => None,
        }
    }

    /// Returns the entity's component `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// assert_eq!(game.entity(id).component::<Health>().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity lacks it.
    #[inline]
    #[track_caller]
    pub fn component<T: Component<C>>(self) -> &'a T {
        if let Some(column) = self.context.core().typed().of_known::<T>()
            && let Some(value) = column.get(self.row)
        {
            return value;
        }
        reject_lacking::<C, T>(self)
    }

    /// Returns the indices of the entity's components, in ascending order.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// let indices = game.entity(id).component_indices();
    /// assert_eq!(indices, [game.components().index_of::<Health>()]);
    /// ```
    pub fn component_indices(self) -> Vec<ComponentIndex<C>> {
        self.own_components()
            .iter()
            .map(ComponentIndex::of)
            .collect()
    }

    /// Returns whether the entity has no components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert!(game.entity(id).is_empty());
    /// ```
    pub fn is_empty(self) -> bool {
        self.own_components().is_empty()
    }

    /// The components without flags of terms.
    fn own_components(self) -> RawComponentSet {
        let components = self.context.core().world.own_components_of(self.id());
        components.expect("a handle's entity is alive")
    }

    fn contains(self, component: RawComponentIndex) -> bool {
        self.context.core().world.columns().check_read(component);
        self.signature().contains(component)
    }

    fn signature(self) -> &'a RawComponentSet {
        let components = self.context.core().world.components_of(self.id());
        components.expect("a handle's entity is alive")
    }
}

/// Panics with the reason why an entity's component cannot be read.
///
/// Outlined and diverging, so that a loop that reads need not save registers for it.
#[cold]
#[inline(never)]
#[track_caller]
fn reject_lacking<C: HasCore, T: Component<C>>(entity: Entity<'_, C>) -> ! {
    assert!(
        !entity.has::<T>(),
        "`cell` of component `{}` gives another cell at every call",
        T::NAMES.component
    );
    reject(lacks::<C, T>(entity.context, entity.id()))
}

#[cold]
fn lacks<C: HasCore, T: Component<C>>(context: &C, id: EntityId<C>) -> Error {
    let error = Error::does_not_have(id.raw(), T::NAMES, Operation::Read);
    context.core().world.named(error)
}

// By hand, because a derive would require `C: Clone`.
impl<C> Clone for Entity<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Entity<'_, C> {}

/// Prints the id, the label if there is one, and the components: `12v3 "Hero"(Position { x: 1.0, y:
/// 2.0 }, Name("Hero"))`. A component without `Debug` is shown as the full path of its type.
impl<C: HasCore> fmt::Debug for Entity<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = EntityName::new(
            self.id().raw(),
            self.context.core().world.label_in(self.row),
        );
        let mut tuple = f.debug_tuple(&name.to_string());
        for component in self.own_components().iter() {
            let core = self.context.core();
            if let Some(value) = core.world.value_in(self.row, component) {
                tuple.field(&from_fn(|f| core.world.describe(component).debug(value, f)));
            }
        }
        tuple.finish()
    }
}

#[cold]
#[inline(never)] // so that callers need not save registers for it
#[track_caller]
fn reject_dead<C: HasCore>(id: EntityId<C>) -> ! {
    reject(not_alive(id))
}

#[cold]
fn not_alive<C: HasCore>(id: EntityId<C>) -> Error {
    Error::not_alive(id.raw(), C::NAME, Operation::Access)
}
