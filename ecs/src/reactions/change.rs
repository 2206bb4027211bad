//! The changes that observers of groups are notified of.

use core::any::Any;
use core::fmt;

use crate::matching::effects::Effect;
use crate::matching::group::Group;
use crate::matching::matcher::GroupEvent;
use crate::storage::descriptor::AnyValue;
use crate::storage::registry::{index_of, numbering};
use crate::words::component::Component;
use crate::words::component::typed::ComponentIndex;
use crate::words::demands::Holds;
use crate::words::entity_id::EntityId;

/// A notification to a group's observers: which entity entered, left or was updated, and through
/// which component.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// # use std::sync::{Arc, Mutex};
/// let mut game = Game::new();
/// let wounded = game.group(Game::all_of::<Health>());
/// let log = Arc::new(Mutex::new(Vec::new()));
/// let changes = log.clone();
/// wounded.on_updated(&mut game, move |game: &mut Game, change: &Change<Game>| {
///     let before = change.previous::<Health>().map(|health| health.0);
///     let now = game.entity(change.entity()).health().0;
///     changes.lock().unwrap().push((before, now));
/// });
/// game.create_entity().add_health(3).replace_health(2);
/// assert_eq!(*log.lock().unwrap(), [(Some(3), 2)]);
/// ```
pub struct Change<'a, C> {
    instance: u64,
    pub(crate) effect: Effect,
    pub(crate) entity: EntityId<C>,
    pub(crate) previous: Option<&'a AnyValue>,
    /// The number of the change; observers that subscribed later are not notified of it.
    pub(crate) number: u64,
    _holds: Holds<C>,
}

impl<'a, C> Change<'a, C> {
    /// A change of an entity, seen by a group of the context with this instance number.
    #[inline(always)] // stored where the observer finds it
    pub(crate) fn new(
        instance: u64,
        entity: EntityId<C>,
        effect: Effect,
        previous: Option<&'a AnyValue>,
        number: u64,
    ) -> Self {
        Self {
            instance,
            effect,
            entity,
            previous,
            number,
            _holds: Holds::NEW,
        }
    }
}

impl<C: 'static> Change<'_, C> {
    /// Returns the group.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let living = game.group(Game::all_of::<Health>());
    /// living.on_entered(&mut game, move |_, change| assert!(change.group() == living));
    /// game.create_entity().add_health(3);
    /// ```
    pub fn group(&self) -> Group<C> {
        Group::new(self.instance, self.effect.group())
    }

    /// Returns the entity. It may have been changed again or destroyed since: a change describes
    /// what happened, the context holds the current state.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let living = game.group(Game::all_of::<Health>());
    /// living.on_entered(&mut game, |game: &mut Game, change: &Change<Game>| {
    ///     assert_eq!(game.entity(change.entity()).health().0, 3);
    /// });
    /// game.create_entity().add_health(3);
    /// ```
    pub fn entity(&self) -> EntityId<C> {
        self.entity
    }

    /// Returns what happened to the entity with respect to the group.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let living = game.group(Game::all_of::<Health>());
    /// living.on_left(&mut game, move |_, change| assert!(change.event() == GroupEvent::Left));
    /// game.create_entity().add_health(3).remove_health();
    /// ```
    pub fn event(&self) -> GroupEvent {
        self.effect.event()
    }

    /// Returns the component that was added, replaced, updated or removed. `None` if the entity was
    /// created with all its components in one change, or destroyed without having any.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let living = game.group(Game::all_of::<Health>());
    /// living.on_entered(&mut game, move |_, change| assert!(change.component().is_none()));
    /// game.create_with(Health(3)); // created with all its components
    /// ```
    pub fn component(&self) -> Option<ComponentIndex<C>> {
        self.effect.component.map(ComponentIndex::of)
    }

    /// Returns whether the change was to component `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let living = game.group(Game::all_of::<Health>());
    /// living.on_entered(&mut game, move |_, change| assert!(change.is::<Health>()));
    /// game.create_entity().add_health(3);
    /// ```
    pub fn is<T: Component<C>>(&self) -> bool {
        self.effect.component == Some(index_of::<C, T>())
    }

    /// Returns the name of the component, such as `Position`; see [`component`](Self::component).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let frozen = game.group(Game::all_of::<Frozen>());
    /// frozen.on_entered(&mut game, |_, change| {
    ///     assert_eq!(change.component_name(), Some("Frozen"));
    /// });
    /// game.create_entity().add_frozen();
    /// ```
    pub fn component_name(&self) -> Option<&'static str> {
        Some(numbering::<C>().name(self.effect.component?))
    }

    /// Returns the previous value of `T`: the one that was removed or replaced, or a copy of the
    /// one that was updated.
    ///
    /// `None` if another component was changed, if `T` was added, if it was updated in place and is
    /// not `Clone`, or if an observer obtained the value itself by `take`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let living = game.group(Game::all_of::<Health>());
    /// living.on_left(&mut game, move |_, change| assert!(change.previous::<Health>().is_some_and(|health| health.0 == 3)));
    /// game.create_entity().add_health(3).remove_health();
    /// ```
    pub fn previous<T: Component<C>>(&self) -> Option<&T> {
        self.previous.and_then(<AnyValue>::downcast_ref)
    }

    /// Returns the previous value of the component as `dyn Any`, for tools. See
    /// [`previous`](Self::previous).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let living = game.group(Game::all_of::<Health>());
    /// living.on_left(&mut game, |_, change| {
    ///     assert!(change.previous_any().is_some_and(|value| value.is::<Health>()));
    /// });
    /// game.create_entity().add_health(3).remove_health();
    /// ```
    pub fn previous_any(&self) -> Option<&dyn Any> {
        Some(self.previous?)
    }
}

impl<C: 'static> fmt::Debug for Change<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Change")
            .field("group", &self.group())
            .field("entity", &self.entity)
            .field("event", &self.event())
            .field("component", &self.component_name())
            .finish_non_exhaustive()
    }
}
