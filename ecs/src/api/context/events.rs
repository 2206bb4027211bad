//! Listeners to component events, and their delivery.

use core::fmt;

use crate::api::entity::{EntityMut, Handles};
use crate::reactions::event::EventKind;
use crate::reactions::notification::{Observer, of_entities};
use crate::reactions::subscription::Subscription;
use crate::state::{self, HasCore};
use crate::words::component::Component;
use crate::words::demands::{Confined, FitsIn};

/// Listeners to component events, and the delivery of events.
///
/// Returned by [`events`](crate::Context::events).
///
/// Events are collected, once per entity, and listeners are called when they are *delivered*: by
/// [`deliver`](Self::deliver) or by an [`EventSystems`](crate::EventSystems). So a listener learns,
/// at a time that the program chooses, what is new since the last delivery, not every step in
/// between.
///
/// *Set* is delivered if the component was added, replaced or updated, and the entity has it on
/// delivery. *Removed* is delivered if the component was lost by removal or destruction, and the
/// entity lacks it or is dead on delivery. A change that was reversed in between is not delivered.
///
/// The order of delivery: events by their priority in `event(any | self, set | removed, priority =
/// n)`, lower ones first, default 0; with equal priority by index of the component, then those of
/// any entity before those of one, then *set* before *removed*. For each event, entities in the
/// order in which they were first affected; for each entity, listeners in order of subscription.
///
/// A change made by a listener is delivered in the same delivery if its event comes later in that
/// order, otherwise in the next one. Observers of the change are notified after the listener has
/// returned, before the next one is called. A listener added by a listener is called from the next
/// delivery on; a removed one is not called again. If a listener panics it stays subscribed, and
/// the remaining events wait for the next delivery.
///
/// A listener to one entity that is added only when the entity is announced (in a listener to *any*
/// entity) does not learn what happened to that entity before: an entity created and destroyed
/// between two deliveries is announced, but its destruction is not. Listen to *any* entity if that
/// can happen.
///
/// Listeners [fit in](crate::FitsIn) the context. To reach anything else, such as another context or a
/// screen, a listener pushes a closure to a [`Deferred`](crate::Deferred), or sends messages
/// through a channel.
///
/// A component without listeners costs nothing.
#[must_use = "the handle does nothing by itself"]
pub struct Events<'a, C> {
    context: &'a mut C,
}

impl<'a, C: HasCore> Events<'a, C> {
    pub(super) fn new(context: &'a mut C) -> Self {
        Self { context }
    }
}

impl<C: Handles> Events<'_, C> {
    /// Calls `listener` with every entity to which `T` was added, or whose `T` was replaced or
    /// updated.
    ///
    /// The listener gets the entity, which is alive and has the component; the rest of the context
    /// is available through the entity's `context_mut`. It is also notified of events that already
    /// wait for other listeners to the same event. It is not notified of undo, redo and restores;
    /// see [who is notified](crate::guide::undo_and_rollback#who-is-notified).
    ///
    /// Events: *group created* if the entities with `T` have no group yet.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use std::sync::{Arc, atomic::{AtomicU32, Ordering}};
    /// # use sample::*;
    /// let (mut game, shown) = (Game::new(), Arc::new(AtomicU32::new(0)));
    /// let bar = shown.clone();
    /// game.events().on_set::<Health>(move |entity| bar.store(entity.health().0, Ordering::Relaxed));
    /// game.create_with(Health(3)).replace_health(2);
    /// assert_eq!(game.events().deliver(), 1);
    /// assert_eq!(shown.load(Ordering::Relaxed), 2);
    /// ```
    pub fn on_set<T: Component<C>>(
        self,
        listener: impl FnMut(C::EntityMut<'_>) + FitsIn<C>,
    ) -> Subscription {
        state::listen::<C, T>(self.context, EventKind::Set, None, of_any::<C>(listener))
    }

    /// Calls `listener` with every entity that lost `T`, because the component was removed or the
    /// entity destroyed.
    ///
    /// The listener gets the entity, which lacks the component and may be dead: then `is_alive`
    /// returns false, and only the id is useful. Otherwise as for [`on_set`](Self::on_set).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.events().on_removed::<Health>(|entity| assert!(!entity.is_alive()));
    /// let id = game.create_with(Health(3)).id();
    /// game.destroy(id);
    /// assert_eq!(game.events().deliver(), 1);
    /// ```
    pub fn on_removed<T: Component<C>>(
        self,
        listener: impl FnMut(C::EntityMut<'_>) + FitsIn<C>,
    ) -> Subscription {
        state::listen::<C, T>(
            self.context,
            EventKind::Removed,
            None,
            of_any::<C>(listener),
        )
    }

    /// Removes all listeners at once.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.events().on_set::<Health>(|_| unreachable!());
    /// game.events().clear_listeners();
    /// assert_eq!(game.events().listeners(), 0);
    /// ```
    pub fn clear_listeners(self) {
        state::clear_listeners(self.context);
    }

    /// Returns the number of listeners.
    ///
    /// Those of a destroyed entity count until the next delivery, which may have to notify them.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.events().on_set::<Health>(|_| ());
    /// game.create_entity().on_removed::<Health>(|_| ());
    /// assert_eq!(game.events().listeners(), 2);
    /// ```
    pub fn listeners(self) -> usize {
        self.context.core().subs.observers().listeners()
    }

    /// Calls a listener to *set* with the current state: with its entity if that has the component,
    /// or with every entity that has it, in ascending order of index.
    ///
    /// Returns the number of calls.
    ///
    /// This is not an event: other listeners, including those to *removed*, are not called, and
    /// pending events stay pending. A listener cannot replay itself while it runs.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many([Health(3), Health(5)]);
    /// let listener = game.events().on_set::<Health>(|entity| println!("{}", entity.health().0));
    /// assert_eq!(game.events().replay(listener), 2);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the listener belongs to another context.
    #[track_caller]
    pub fn replay(self, listener: Subscription) -> usize {
        state::replay(self.context, listener)
    }

    /// Calls the listeners of all events since the last delivery; returns the number of calls.
    ///
    /// Does nothing inside a listener.
    ///
    /// Complexity: linear in the entities concerned, and logarithmic in the listeners for each
    /// entity and each call.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.events().on_set::<Health>(|mut entity| { entity.remove_health(); });
    /// game.create_many([Health(3), Health(5)]);
    /// assert_eq!(game.events().deliver(), 2);
    /// assert_eq!(game.events().deliver(), 0);
    /// ```
    pub fn deliver(self) -> usize {
        state::deliver_events(self.context)
    }

    /// Returns the number of pending events: entities, counted for each event that still applies to
    /// them and has a listener.
    ///
    /// If listeners are never called, this shows that the program does not deliver. If the context
    /// is dropped or reset in that state, a message is printed to standard error once (with the
    /// feature `std`).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.events().on_set::<Health>(|_| ());
    /// game.create_many([Health(3), Health(5)]);
    /// assert_eq!(game.events().undelivered(), 2);
    /// # game.events().deliver();
    /// ```
    pub fn undelivered(self) -> usize {
        state::undelivered(self.context)
    }

    /// Enables or disables the message on standard error when a context is dropped or reset whose
    /// events were never delivered.
    ///
    /// Enabled by default.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.events().warn_of_undelivered(false);
    /// game.events().on_set::<Health>(|_| ());
    /// game.create_with(Health(3));
    /// assert_eq!(game.events().undelivered(), 1); // dropped without a message
    /// ```
    pub fn warn_of_undelivered(self, warn: bool) {
        let core = self.context.core_mut();
        state::set_warning(&mut core.subs, warn);
    }
}

impl<C: HasCore> fmt::Debug for Events<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listeners = self.context.core().subs.observers().listeners();
        f.debug_struct("Events")
            .field("listeners", &listeners)
            .finish()
    }
}

/// Wraps a listener in the type in which listeners are stored.
pub(crate) fn of_any<C: Handles>(listener: impl FnMut(C::EntityMut<'_>) + FitsIn<C>) -> Observer {
    let mut listener = Confined::new::<C>(listener);
    of_entities(Confined::shareable(move |context: &mut C, id| {
        listener(EntityMut::new(context, id).into());
    }))
}
