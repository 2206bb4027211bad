//! What happened to a group, as its observers are notified of it.

use core::any::Any;
use core::fmt;

use crate::matching::effects::Effect;
use crate::matching::group::Group;
use crate::matching::matcher::GroupEvent;
use crate::storage::descriptor::AnyValue;
use crate::storage::registry::{index_of, numbering};
use crate::words::component::Component;
use crate::words::component::typed::ComponentIndex;
use crate::words::entity_id::EntityId;

/// A fact that a group's observers are notified of: which entity entered, left or was updated,
/// and through which component.
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
/// let told = log.clone();
/// wounded.on_updated(&mut game, move |game: &mut Game, change: &Change<Game>| {
///     let before = change.previous::<Health>().map(|health| health.0);
///     let now = game.entity(change.entity()).health().0;
///     told.lock().unwrap().push((before, now));
/// });
/// game.create_entity().add_health(3).replace_health(2);
/// assert_eq!(*log.lock().unwrap(), [(Some(3), 2)]);
/// ```
pub struct Change<'a, C> {
    instance: u64,
    pub(crate) effect: Effect,
    pub(crate) entity: EntityId<C>,
    pub(crate) previous: Option<&'a AnyValue>,
    /// The number of the change: those who have begun to observe since are not notified of it.
    pub(crate) number: u64,
}

impl<'a, C> Change<'a, C> {
    /// What a change of an entity did to a group of the context with this number.
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

    /// Returns the entity. It may be dead by now, or changed again: a change says what
    /// happened, the context what is.
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

    /// Returns what happened between the entity and the group.
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

    /// Returns the component that was added, replaced, updated or removed. `None` if the
    /// entity came to life with all its components in one change, or ended while it
    /// had none.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let living = game.group(Game::all_of::<Health>());
    /// living.on_entered(&mut game, move |_, change| assert!(change.component().is_none()));
    /// game.create_with(Health(3)); // alive with all it has
    /// ```
    pub fn component(&self) -> Option<ComponentIndex<C>> {
        self.effect.component.map(ComponentIndex::of)
    }

    /// Returns whether the change was one of component `T`.
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

    /// Returns the name of the component, as in `Position`; see [`component`](Self::component).
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

    /// Returns the value that `T` had before: the one removed or replaced, or a copy of the
    /// one updated.
    ///
    /// `None` if the change was of another component or an addition; if a
    /// component that is not `Clone` was updated in place; and if `take` gave the
    /// value to a caller who was himself an observer.
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

    /// Returns the value that the component had before, its type known at run time alone: that
    /// of [`previous`](Self::previous), for tools.
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
