//! Observers and listeners of a single entity.

use crate::api::context::of_any;
use crate::api::entity::{EntityMut, Handles};
use crate::reactions::entity_change::{EntityChange, of_entity_changes};
use crate::reactions::event::EventKind;
use crate::reactions::notification::of_entities;
use crate::reactions::subscription::Subscription;
use crate::state::{self, HasCore};
use crate::words::component::Component;
use crate::words::demands::{Confined, FitsIn};
use crate::words::error::{Error, Operation, reject};

impl<C: HasCore> EntityMut<'_, C> {
    /// Calls `listener` when events are delivered, after `T` was added to this entity, replaced or
    /// updated; see [`Events`](crate::Events).
    ///
    /// The listener gets the entity, which is alive and has the component. It is removed when the
    /// entity is destroyed.
    ///
    /// Events: *group created* if the entities with `T` have no group yet.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// entity.on_set::<Health>(|entity| assert_eq!(entity.health().0, 2));
    /// entity.add_health(3).replace_health(2);
    /// assert_eq!(game.events().deliver(), 1);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead.
    #[track_caller]
    pub fn on_set<T: Component<C>>(
        &mut self,
        listener: impl FnMut(EntityMut<'_, C>) + FitsIn<C>,
    ) -> Subscription {
        self.listen::<T>(EventKind::Set, listener)
    }

    /// Calls `listener` when events are delivered, after this entity lost `T`, because the
    /// component was removed or the entity destroyed; see [`Events`](crate::Events).
    ///
    /// The listener gets the entity, which lacks the component and may be dead. When the entity is
    /// destroyed, the listener is called for that and then removed.
    ///
    /// Events: *group created* if the entities with `T` have no group yet.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// entity.on_removed::<Health>(|entity| assert!(entity.is_alive()));
    /// entity.remove_health();
    /// assert_eq!(game.events().deliver(), 1);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead.
    #[track_caller]
    pub fn on_removed<T: Component<C>>(
        &mut self,
        listener: impl FnMut(EntityMut<'_, C>) + FitsIn<C>,
    ) -> Subscription {
        self.listen::<T>(EventKind::Removed, listener)
    }

    /// Calls `observer` with each change of this entity: each component added, replaced, updated or
    /// removed, with its previous value, and the destruction of the entity, which removes the
    /// observer.
    ///
    /// It is called at once, after the observers of [each change](crate::Observers::on_change).
    /// Like them it is not notified of undo, redo, restores and loads.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// use ecs::ChangeKind;
    /// let mut game = Game::new();
    /// let (boss, log) = (game.create_with(Health(3)).id(), game.create_entity().id());
    /// game.entity_mut(boss).on_change(move |game, change| match change.kind() {
    ///     ChangeKind::Replaced => drop(game.entity_mut(log).set_burning(true)),
    ///     _ => {}
    /// });
    /// game.create_with(Health(1)).replace_health(0); // another entity
    /// assert!(!game.entity(log).is_burning());
    /// game.entity_mut(boss).replace_health(2);
    /// assert!(game.entity(log).is_burning());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead.
    #[track_caller]
    pub fn on_change(
        &mut self,
        observer: impl FnMut(&mut C, &EntityChange<'_, C>) + FitsIn<C>,
    ) -> Subscription {
        self.check_alive();
        state::observe_changes(
            self.context,
            Some(self.id),
            of_entity_changes(Confined::new::<C>(observer)),
        )
    }

    #[track_caller]
    fn check_alive(&self) {
        if !self.is_alive() {
            reject(Error::not_alive(self.id.raw(), C::NAME, Operation::Access));
        }
    }

    #[track_caller]
    fn listen<T: Component<C>>(
        &mut self,
        kind: EventKind,
        listener: impl FnMut(EntityMut<'_, C>) + FitsIn<C>,
    ) -> Subscription {
        self.check_alive();
        let mut listener = Confined::new::<C>(listener);
        let call = of_entities(Confined::shareable(move |context: &mut C, id| {
            listener(EntityMut::new(context, id));
        }));
        state::listen::<C, T>(self.context, kind, Some(self.id), call)
    }
}

impl<C: Handles> EntityMut<'_, C> {
    /// Listens to *set*, or else to *removed*, with the context's own handle. Used by generated code.
    #[doc(hidden)]
    #[track_caller]
    pub fn listen_by_handle<T: Component<C>, const SET: bool>(
        &mut self,
        listener: impl FnMut(C::EntityMut<'_>) + FitsIn<C>,
    ) -> Subscription {
        self.check_alive();
        let kind = if SET {
            EventKind::Set
        } else {
            EventKind::Removed
        };
        state::listen::<C, T>(self.context, kind, Some(self.id), of_any::<C>(listener))
    }
}
