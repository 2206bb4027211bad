//! What users do about the events of components: listen, and have them delivered.

use core::fmt;

use crate::api::entity::EntityMut;
use crate::api::entity::Handles;
use crate::reactions::event::EventKind;
use crate::reactions::notification::{Observer, of_entities};
use crate::reactions::subscription::Subscription;
use crate::state::{self, HasCore};
use crate::words::component::Component;
use crate::words::demands::ThreadSafe;

/// Listeners to the events of components, and the delivery of events. Returned by
/// [`events`](crate::Context::events).
///
/// Events are gathered, each entity once, and listeners are called when they are *delivered*: by
/// [`deliver`](Self::deliver) or by an
/// [`EventSystems`](crate::EventSystems). So a listener learns, when the program
/// chooses, what is new since the last time, not every step on the way.
///
/// *Set* is delivered if the component was added, replaced or updated, and the entity has
/// it at that moment; *removed*, if it was lost by removal or by the end of the entity,
/// and the entity lacks it or is dead at that moment. What was undone in between is not
/// delivered.
///
/// The order of delivery: events in order of the priority in
/// `event(any | self, set | removed, priority = n)`, lower ones first, 0 if there is
/// none; among equals by index of the component, then those of any entity before those of
/// one, then *set* before *removed*. For each event the entities in the order in which
/// they were first concerned; for each entity the listeners in the order in which they
/// subscribed.
///
/// What a listener changes is delivered in the same delivery if the event comes later in
/// that order, and by the next one otherwise; observers of it are notified when the listener
/// has returned, before the next one is called. A listener that is added by a listener is
/// called in later deliveries; one that is ended is called no more. If a listener
/// panics it stays, and what has not been delivered waits for the next delivery.
///
/// A listener to one entity that is added only when the entity is announced (in a
/// listener to *any* entity) does not learn what happened to that entity before: one
/// that was created and destroyed between two deliveries is announced, and its
/// end is not. Listen to *any* entity if that can happen.
///
/// Listeners are `Send + Sync + 'static`; one that is to reach something else, such as another
/// context or a screen, pushes a closure for the whole world to a [`Deferred`](crate::Deferred), or
/// sends messages through a channel.
///
/// A component that nobody listens to costs nothing.
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
    /// Calls `listener` with every entity to which `T` was added, or of which it was
    /// replaced or updated.
    ///
    /// The listener is handed the entity, alive and with the component; the rest of the
    /// context it reaches by the entity's `context_mut`. It is also notified of the events
    /// that wait already for others who listen to the same. It is not notified of rewinds and
    /// restores; see [who is notified](crate::guide::undo_and_rollback#who-is-notified).
    ///
    /// Events: *group created* if there is no group of the entities with `T` yet.
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
        listener: impl FnMut(C::EntityMut<'_>) + ThreadSafe,
    ) -> Subscription {
        state::listen::<C, T>(self.context, EventKind::Set, None, of_any(listener))
    }

    /// Calls `listener` with every entity that lost `T`, by removal or by its end.
    ///
    /// The listener is handed the entity, without the component, and maybe dead: then
    /// `is_alive` is false, and the id is all that is left of it. Otherwise as
    /// [`on_set`](Self::on_set).
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
        listener: impl FnMut(C::EntityMut<'_>) + ThreadSafe,
    ) -> Subscription {
        state::listen::<C, T>(self.context, EventKind::Removed, None, of_any(listener))
    }

    /// Ends all listeners at once.
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

    /// Returns how many listeners there are. Those of an entity that has ended are counted until
    /// the next delivery, which may have to notify them of that.
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
        self.context.core().observers().listeners()
    }

    /// Calls a listener to *set* with what is there already: with its entity if that
    /// has the component, or with every entity that has it, in ascending order of index.
    /// Returns how many these were.
    ///
    /// It is no event: a listener to *removed* is not called, other listeners hear
    /// nothing, and what waits goes on waiting. A listener cannot do it for itself while
    /// it runs.
    ///
    /// # Panics
    ///
    /// Panics if the listener is one of another context.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many([Health(3), Health(5)]);
    /// let listener = game.events().on_set::<Health>(|entity| println!("{}", entity.health().0));
    /// assert_eq!(game.events().replay(listener), 2);
    /// ```
    #[track_caller]
    pub fn replay(self, listener: Subscription) -> usize {
        state::replay(self.context, listener)
    }

    /// Notifies the listeners of all events since the last delivery; returns how many calls
    /// that took. Inside a listener it does nothing.
    ///
    /// Complexity: linear in the entities concerned, and for each of them and for each
    /// call logarithmic in the listeners.
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

    /// Returns how many events wait to be delivered: entities, counted for each event that is
    /// still true of them and that somebody listens to.
    ///
    /// A program whose listeners are never called finds here that it does not deliver;
    /// if the context is dropped or reset that way, a message on standard error says
    /// so, once (with feature `std`).
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

    /// Says whether the end or the reset of a context whose events waited and were never
    /// delivered is worth a message on standard error. It is, at first.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.events().warn_of_undelivered(false);
    /// game.events().on_set::<Health>(|_| ());
    /// game.create_with(Health(3));
    /// assert_eq!(game.events().undelivered(), 1); // no message at the end
    /// ```
    pub fn warn_of_undelivered(self, warn: bool) {
        state::set_warning(self.context.core_mut(), warn);
    }
}

impl<C: HasCore> fmt::Debug for Events<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listeners = self.context.core().observers().listeners();
        f.debug_struct("Events")
            .field("listeners", &listeners)
            .finish()
    }
}

/// A listener in the form in which listeners are kept.
fn of_any<C: Handles>(mut listener: impl FnMut(C::EntityMut<'_>) + ThreadSafe) -> Observer {
    of_entities(move |context: &mut C, id| listener(EntityMut::new(context, id).into()))
}
