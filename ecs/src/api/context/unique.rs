//! The verbs for unique components: the context is asked for the value, and finds the
//! entity that has it.

use crate::api::bundle::BundleWriter;
use crate::api::entity::{Entity, EntityMut, indexed};
use crate::state::{self, HasCore, owner_of};
use crate::words::component::UniqueComponent;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation, expect, refuse};

/// What a context does with components that are `unique`: at most one of its entities
/// has one at a time.
///
/// A part of [`Context`](crate::Context), whose structs have each of these methods as
/// their own. The derive also writes methods with the component's name, such as `score`
/// and `set_score`.
///
/// Complexity: all of them find the owner without a search.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game, unique)]
/// struct Score(u32);
///
/// let mut game = Game::new();
/// game.set_score(1);
/// game.update_score(|score| score.0 += 2);
/// assert_eq!(game.score().0, 3);
/// ```
pub trait Uniques: HasCore {
    /// Whether an entity has the component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// assert!(!game.has_unique::<Score>());
    /// game.create_entity().add_score(1);
    /// assert!(game.has_unique::<Score>());
    /// ```
    #[inline]
    fn has_unique<T: UniqueComponent<Self>>(&self) -> bool {
        owner_of::<Self, T>(self).is_some()
    }

    /// The component, or `None` where no entity has it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// assert!(game.unique::<Score>().is_none());
    /// game.set_score(1);
    /// assert_eq!(game.unique::<Score>().unwrap().0, 1);
    /// ```
    #[inline]
    fn unique<T: UniqueComponent<Self>>(&self) -> Option<&T> {
        let core = self.core();
        let slot = core.slots.get(core.owner::<T>()?)?;
        core.columns.of::<T>()?.get(slot.row)
    }

    /// The component.
    ///
    /// # Panics
    ///
    /// Panics where no entity has it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// assert_eq!(game.unique_component::<Score>().0, 1);
    /// ```
    #[inline]
    #[track_caller]
    fn unique_component<T: UniqueComponent<Self>>(&self) -> &T {
        match self.unique() {
            Some(value) => value,
            None => refuse(not_set::<Self, T>(Operation::Read)),
        }
    }

    /// The entity that has the component, or `None` where there is none.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_score(1).id();
    /// assert_eq!(game.unique_entity::<Score>().map(|entity| entity.id()), Some(id));
    /// ```
    #[inline]
    fn unique_entity<T: UniqueComponent<Self>>(&self) -> Option<Entity<'_, Self>> {
        let slot = self.core().slots.get(owner_of::<Self, T>(self)?)?;
        Some(Entity::new(self, slot))
    }

    /// Creates an entity with the component, in one change.
    ///
    /// Events: as for [`create_with`](crate::Lifecycle::create_with).
    ///
    /// # Panics
    ///
    /// Panics where an entity has the component already; nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// let id = game.set_unique(Score(1)).id();
    /// assert_eq!(game.entity(id).score().0, 1);
    /// ```
    #[inline]
    #[track_caller]
    fn set_unique<T: UniqueComponent<Self>>(&mut self, value: T) -> EntityMut<'_, Self> {
        expect(self.try_set_unique(value))
    }

    /// Creates an entity with the component; see [`set_unique`](Self::set_unique).
    ///
    /// # Errors
    ///
    /// [`UniqueAlreadySet`](crate::ErrorKind::UniqueAlreadySet) where an entity has it already; nothing has changed
    /// then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// assert!(matches!(game.try_set_unique(Score(2)), Err(error) if error.kind() == ErrorKind::UniqueAlreadySet));
    /// assert_eq!((game.score().0, game.len()), (1, 1));
    /// ```
    #[inline]
    fn try_set_unique<T: UniqueComponent<Self>>(
        &mut self,
        value: T,
    ) -> Result<EntityMut<'_, Self>, Error> {
        match owner_of::<Self, T>(self) {
            Some(owner) => Err(Error::unique_already_set(owner.raw(), None, T::NAMES)),
            None => Ok(create(self, value)),
        }
    }

    /// Replaces the component where an entity has it, or creates an entity with it.
    ///
    /// Events: as for [`EntityMut::replace`] or for [`set_unique`](Self::set_unique).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// let first = game.replace_unique(Score(1)).id();
    /// let second = game.replace_unique(Score(2)).id();
    /// assert_eq!((first, game.score().0), (second, 2));
    /// ```
    #[inline]
    #[track_caller]
    fn replace_unique<T: UniqueComponent<Self>>(&mut self, value: T) -> EntityMut<'_, Self> {
        match owner_of::<Self, T>(self) {
            Some(owner) => {
                let mut entity = EntityMut::new(self, owner);
                entity.replace(value);
                entity
            }
            None => create(self, value),
        }
    }

    /// Changes the component in place, then reports an update.
    ///
    /// Events: as for [`EntityMut::update`].
    ///
    /// # Panics
    ///
    /// Panics where no entity has the component; `change` is not called then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// game.update_unique::<Score>(|score| score.0 += 1);
    /// assert_eq!(game.score().0, 2);
    /// ```
    #[inline]
    #[track_caller]
    fn update_unique<T: UniqueComponent<Self>>(
        &mut self,
        change: impl FnOnce(&mut T),
    ) -> EntityMut<'_, Self> {
        expect(self.try_update_unique(change))
    }

    /// Changes the component in place; see [`update_unique`](Self::update_unique).
    ///
    /// # Errors
    ///
    /// [`UniqueNotSet`](crate::ErrorKind::UniqueNotSet) where no entity has the component; `change` is not called
    /// then.
    #[inline]
    fn try_update_unique<T: UniqueComponent<Self>>(
        &mut self,
        change: impl FnOnce(&mut T),
    ) -> Result<EntityMut<'_, Self>, Error> {
        let owner = owner::<Self, T>(self, Operation::Update)?;
        let mut entity = EntityMut::new(self, owner);
        entity.try_update(change)?;
        Ok(entity)
    }

    /// The component, to be written to **without reporting it**: no group, collector or
    /// observer hears of the change.
    ///
    /// # Panics
    ///
    /// Panics where no entity has it, and where the component has indexed fields: their
    /// index would not follow.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// game.unique_mut_untracked::<Score>().0 = 2;
    /// assert_eq!(game.score().0, 2);
    /// ```
    #[inline]
    #[track_caller]
    fn unique_mut_untracked<T: UniqueComponent<Self>>(&mut self) -> &mut T {
        if !T::INDEXES.is_empty() {
            indexed::<Self, T>();
        }
        let owner = expect(owner::<Self, T>(self, Operation::Access));
        let row = self.core().slots.get(owner).map(|slot| slot.row);
        let column = self.core_mut().columns.of_mut::<T>();
        row.and_then(|row| column.get_mut(row))
            .expect("the owner has the component")
    }

    /// **Destroys the entity** that has the component, with all its other components.
    ///
    /// To take the component alone, remove it from the entity.
    ///
    /// Events: as for [`Context::destroy`](crate::Lifecycle::destroy).
    ///
    /// # Panics
    ///
    /// Panics where no entity has the component, or it is being destroyed already.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// game.remove_unique::<Score>();
    /// assert!(game.is_empty());
    /// ```
    #[inline]
    #[track_caller]
    fn remove_unique<T: UniqueComponent<Self>>(&mut self) {
        expect(self.try_remove_unique::<T>());
    }

    /// **Destroys the entity** that has the component; see
    /// [`remove_unique`](Self::remove_unique).
    ///
    /// # Errors
    ///
    /// [`UniqueNotSet`](crate::ErrorKind::UniqueNotSet) where no entity has it, [`BeingDestroyed`](crate::ErrorKind::BeingDestroyed).
    #[inline]
    fn try_remove_unique<T: UniqueComponent<Self>>(&mut self) -> Result<(), Error> {
        let owner = owner::<Self, T>(self, Operation::Remove)?;
        state::destroy(self, owner)
    }

    /// Has an entity with the component where `on` says so, and none otherwise: creates
    /// it with `value`, or **destroys it** with all its other components. The entity, if
    /// there is one now.
    ///
    /// Events: none where all is as wanted already; otherwise as for
    /// [`set_unique`](Self::set_unique) or [`remove_unique`](Self::remove_unique).
    ///
    /// # Panics
    ///
    /// Panics where the entity is to be destroyed and is being destroyed already.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Paused;
    /// let mut game = Game::new();
    /// let id = game.set_unique_flag(Paused, true).unwrap().id();
    /// assert_eq!(game.set_unique_flag(Paused, true).unwrap().id(), id);
    /// assert!(game.set_unique_flag(Paused, false).is_none());
    /// assert!(game.is_empty());
    /// ```
    #[inline]
    #[track_caller]
    fn set_unique_flag<T: UniqueComponent<Self>>(
        &mut self,
        value: T,
        on: bool,
    ) -> Option<EntityMut<'_, Self>> {
        match (on, owner_of::<Self, T>(self)) {
            (true, Some(owner)) => return Some(EntityMut::new(self, owner)),
            (true, None) => return Some(create(self, value)),
            (false, Some(owner)) => expect(state::destroy(self, owner)),
            (false, None) => {}
        }
        None
    }
}

impl<C: HasCore> Uniques for C {}

/// Creates an entity with a unique component that no entity has.
#[track_caller]
fn create<C: HasCore, T: UniqueComponent<C>>(context: &mut C, value: T) -> EntityMut<'_, C> {
    let mut writer = BundleWriter::start(context.core_mut());
    writer.put(value);
    let made = writer.finish();
    let id = made.id;
    state::arrive_as(context, id, made.row, made.effects);
    EntityMut::new(context, id)
}

/// The entity that has a unique component.
#[inline]
fn owner<C: HasCore, T: UniqueComponent<C>>(
    context: &C,
    operation: Operation,
) -> Result<EntityId<C>, Error> {
    match owner_of::<C, T>(context) {
        Some(owner) => Ok(owner),
        None => Err(not_set::<C, T>(operation)),
    }
}

#[cold]
fn not_set<C, T: UniqueComponent<C>>(operation: Operation) -> Error {
    Error::unique_not_set(T::NAMES, operation)
}
