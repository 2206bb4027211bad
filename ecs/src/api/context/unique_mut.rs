//! Setting, changing and removing a unique component.

use core::fmt;
use core::marker::PhantomData;

use super::unique::{Unique, not_set};
use crate::api::create;
use crate::api::entity::{EntityMut, Handles};
use crate::state::{self, HasCore, owner_of, rejected};
use crate::storage::registry::index_of;
use crate::words::component::{State, UniqueComponent};
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation, expect};

/// Sets, changes and removes the unique component `T` of a context.
///
/// Returned by [`unique_mut`](crate::Context::unique_mut).
///
/// The derive also adds methods with the component's name to the context, such as `set_score`.
#[must_use = "the handle does nothing by itself"]
pub struct UniqueMut<'a, C, T> {
    context: &'a mut C,
    component: PhantomData<fn() -> T>,
}

impl<'a, C: Handles, T: UniqueComponent<C>> UniqueMut<'a, C, T> {
    #[inline]
    pub(super) fn new(context: &'a mut C) -> Self {
        let component = PhantomData;
        Self { context, component }
    }

    /// Returns a handle that changes the entity that has the component, or `None` if there is none.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// if let Some(mut entity) = game.unique_mut::<Score>().entity() {
    ///     entity.add_name("Ann");
    /// }
    /// assert_eq!(game.score_entity().unwrap().name().0, "Ann");
    /// ```
    #[inline]
    pub fn entity(self) -> Option<C::EntityMut<'a>> {
        let owner = owner_of::<C, T>(self.context)?;
        Some(EntityMut::new(self.context, owner).into())
    }

    /// Sets the component. If no entity has it, an entity is created with it, in one change.
    ///
    /// To reject a second value instead, use [`create_with`](crate::Context::create_with).
    ///
    /// Events: as for [`EntityMut::replace`] or [`create_with`](crate::Context::create_with).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let first = game.unique_mut::<Score>().set(Score(1)).id();
    /// let second = game.unique_mut::<Score>().set(Score(2)).id();
    /// assert_eq!((first, game.score().0), (second, 2));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`try_set`](Self::try_set) would return an error.
    #[inline]
    #[track_caller]
    pub fn set(self, value: T) -> C::EntityMut<'a> {
        expect(self.try_set(value))
    }

    /// Like [`set`](Self::set), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`TooManyEntities`](crate::ErrorKind::TooManyEntities) if the context is full, or
    /// the errors of [`EntityMut::try_replace`] for a component with a key or a target; nothing has
    /// changed then.
    #[inline]
    pub fn try_set(self, value: T) -> Result<C::EntityMut<'a>, Error> {
        let id = match owner_of::<C, T>(self.context) {
            Some(owner) => {
                EntityMut::new(self.context, owner).try_replace(value)?;
                owner
            }
            None => create::try_by(self.context, |writer| writer.put(value))?,
        };
        Ok(EntityMut::new(self.context, id).into())
    }

    /// Changes the component in place, then reports an update. Returns what `change` returns.
    ///
    /// Events: as for [`EntityMut::update`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// game.unique_mut::<Score>().update(|score| score.0 += 1);
    /// assert_eq!(game.score().0, 2);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if no entity has the component; `change` is not called then.
    #[inline]
    #[track_caller]
    pub fn update<R>(self, change: impl FnOnce(&mut T) -> R) -> R {
        expect(self.try_update(change))
    }

    /// Like [`update`](Self::update), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`UniqueNotSet`](crate::ErrorKind::UniqueNotSet) if no entity has the component;
    /// `change` is not called then.
    #[inline]
    pub fn try_update<R>(self, change: impl FnOnce(&mut T) -> R) -> Result<R, Error> {
        let owner = owner::<C, T>(self.context, Operation::Update)?;
        EntityMut::new(self.context, owner).try_update(change)
    }

    /// Returns a mutable reference to the component **without reporting the change**: no group,
    /// collector or observer is notified.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// game.unique_mut::<Score>().mut_untracked().0 = 2;
    /// assert_eq!(game.score().0, 2);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if no entity has it, or if an entity index depends on the component, because the
    /// index would become wrong.
    #[inline]
    #[track_caller]
    pub fn mut_untracked(self) -> &'a mut T {
        state::check_untracked::<C, T>(self.context);
        let owner = expect(owner::<C, T>(self.context, Operation::Access));
        let row = self
            .context
            .core()
            .world
            .slots()
            .get(owner)
            .map(|slot| slot.row);
        let values = self.context.core_mut().typed_mut();
        row.and_then(|row| values.untracked::<T>(row))
            .expect("the owner has the component")
    }

    /// Removes the component from its owner. An owner without other components is destroyed.
    ///
    /// Events: as for [`EntityMut::remove`] if the entity has other components, otherwise as for
    /// [`destroy`](crate::Context::destroy).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let player = game.create_entity().add_name("Ann").add_score(1).id();
    /// game.unique_mut::<Score>().remove();
    /// assert!(game.contains(player) && !game.has_score());
    ///
    /// let nameless = game.set_score(1).id();
    /// game.unique_mut::<Score>().remove();
    /// assert!(!game.contains(nameless));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if no entity has the component, or if its owner would have to be destroyed and is
    /// already being destroyed.
    #[inline]
    #[track_caller]
    pub fn remove(self) {
        expect(self.try_remove());
    }

    /// Like [`remove`](Self::remove), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`UniqueNotSet`](crate::ErrorKind::UniqueNotSet) if no entity has the component, or
    /// [`BeingDestroyed`](crate::ErrorKind::BeingDestroyed) if its owner would have to be destroyed
    /// and is already being destroyed.
    #[inline]
    pub fn try_remove(self) -> Result<(), Error> {
        let owner = owner::<C, T>(self.context, Operation::Remove)?;
        remove_from::<C, T>(self.context, owner)
    }

    /// Destroys the entity that has the component, with all its other components.
    ///
    /// Events: as for [`destroy`](crate::Context::destroy).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity().add_name("Ann").add_score(1);
    /// game.unique_mut::<Score>().destroy_entity();
    /// assert!(game.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if no entity has the component, or its owner is already being destroyed.
    #[inline]
    #[track_caller]
    pub fn destroy_entity(self) {
        expect(self.try_destroy_entity());
    }

    /// Like [`destroy_entity`](Self::destroy_entity), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`UniqueNotSet`](crate::ErrorKind::UniqueNotSet) if no entity has the component, or
    /// [`BeingDestroyed`](crate::ErrorKind::BeingDestroyed).
    #[inline]
    pub fn try_destroy_entity(self) -> Result<(), Error> {
        let owner = owner::<C, T>(self.context, Operation::Destroy)?;
        state::destroy(self.context, owner)
    }

    /// Sets the component if `on` is true, and removes it otherwise: creates an entity with
    /// `value`, or removes the component from its owner, which is destroyed if it has no other
    /// components.
    ///
    /// Returns the entity that has the component now.
    ///
    /// Events: none if nothing has to change; otherwise as for [`set`](Self::set) or
    /// [`remove`](Self::remove).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.unique_mut::<Paused>().set_flag(Paused, true).unwrap().id();
    /// assert_eq!(game.unique_mut::<Paused>().set_flag(Paused, true).unwrap().id(), id);
    /// assert!(game.unique_mut::<Paused>().set_flag(Paused, false).is_none());
    /// assert!(game.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity would have to be destroyed and is already being destroyed.
    #[inline]
    #[track_caller]
    pub fn set_flag(self, value: T, on: bool) -> Option<C::EntityMut<'a>> {
        match (on, owner_of::<C, T>(self.context)) {
            (true, Some(owner)) => return Some(EntityMut::new(self.context, owner).into()),
            (true, None) => return Some(self.set(value)),
            (false, Some(owner)) => expect(remove_from::<C, T>(self.context, owner)),
            (false, None) => {}
        }
        None
    }
}

impl<'a, C: Handles, T: State<C>> UniqueMut<'a, C, T> {
    /// Switches to a state: replaces the current one, or creates an entity with it.
    ///
    /// Does nothing if it is already the current state.
    ///
    /// Events: none if it is already the current state; otherwise as for [`set`](Self::set).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let modes = game.collector(Game::all_of::<Mode>().updated());
    /// game.unique_mut::<Mode>().set_state(Mode::Menu);
    /// game.unique_mut::<Mode>().set_state(Mode::Menu);
    /// assert!(modes.is_empty(&game));
    /// game.unique_mut::<Mode>().set_state(Mode::Playing);
    /// assert_eq!((game.mode(), modes.len(&game)), (&Mode::Playing, 1));
    /// ```
    #[inline]
    #[track_caller]
    pub fn set_state(self, state: T) -> C::EntityMut<'a> {
        let is_state = Unique::new(&*self.context).get() == Some(&state);
        match owner_of::<C, T>(self.context) {
            Some(owner) if is_state => EntityMut::new(self.context, owner).into(),
            _ => self.set(state),
        }
    }

    /// Restarts the present state: systems that run when it is [entered](crate::Systems::on_enter) or
    /// [left](crate::Systems::on_exit) run when their list reaches them next, as if the state had been left
    /// and entered in between. [`on_transition`](crate::Systems::on_transition) gets it as the old and the
    /// new state.
    ///
    /// The component is not changed, so observers, groups and collectors are not notified. Two restarts
    /// before the systems run are one. If another state is set before they run, they see that transition
    /// alone. A restart that they have not seen yet is saved and rewound with the context, and
    /// stays if the state is destroyed and set again meanwhile.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let monsters = game.group(Game::all_of::<Monster>());
    /// let mut systems = Systems::new()
    ///     .on_exit(Mode::Playing, move |game| _ = monsters.destroy_all(game))
    ///     .on_enter(Mode::Playing, |game: &mut Game| { game.create_with(Monster); });
    /// game.set_mode(Mode::Playing);
    /// systems.execute(&mut game);
    /// let first = monsters.iter(&game).next().unwrap().id();
    ///
    /// game.unique_mut::<Mode>().restart();
    /// systems.execute(&mut game);
    /// assert!(!game.contains(first) && monsters.len(&game) == 1);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the state is not set.
    #[track_caller]
    pub fn restart(self) {
        let present = Unique::<C, T>::new(&*self.context).component();
        let entered = &self.context.core().subs.entered;
        let seen = entered.places(index_of::<C, T>(), |state| {
            state.downcast_ref() == Some(present) // user code
        });
        self.context.core_mut().subs.entered_mut().restart(&seen);
    }
}

impl<C, T> fmt::Debug for UniqueMut<'_, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UniqueMut").finish_non_exhaustive()
    }
}

/// Removes a unique component from its owner, or destroys the owner if it has no other components.
fn remove_from<C: HasCore, T: UniqueComponent<C>>(
    context: &mut C,
    owner: EntityId<C>,
) -> Result<(), Error> {
    match context.core().world.own_components_of(owner) {
        Some(components) if components.len() == 1 => state::destroy(context, owner),
        _ => state::remove::<C, T>(context, owner).map_err(|rejection| {
            let core = context.core();
            rejected(&core.world, rejection, owner, T::NAMES, Operation::Remove)
        }),
    }
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
