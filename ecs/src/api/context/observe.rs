//! Adding observers and ending them, and the methods of a context that do so for its own.

use alloc::vec::Vec;

use crate::matching::group::Group;
use crate::reactions::notification::{of_entities, of_groups};
use crate::reactions::subscription::{Subject, Subscription};
use crate::state::{self, HasCore};
use crate::words::entity_id::EntityId;

/// The methods of a [`Context`](crate::Context) that add and end observers. Those of a group are
/// added by the methods of [`Group`].
///
/// A part of [`Context`](crate::Context), whose structs have each of these methods as their own.
pub trait Observing: HasCore {
    /// Calls `observer` whenever an entity has come to life; one made by
    /// [`create_with`](crate::Lifecycle::create_with) has its components by then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let count = Arc::new(AtomicUsize::new(0));
    /// let counter = count.clone();
    /// game.on_created(move |_, _| drop(counter.fetch_add(1, Ordering::Relaxed)));
    /// game.create_entity();
    /// assert_eq!(count.load(Ordering::Relaxed), 1);
    /// ```
    fn on_created(
        &mut self,
        observer: impl FnMut(&mut Self, EntityId<Self>) + Send + Sync + 'static,
    ) -> Subscription {
        self.core_mut()
            .subscribe(Subject::CREATED, of_entities(observer))
    }

    /// Calls `observer` whenever an entity is about to be destroyed: it is alive,
    /// whole, and in its groups. This is the one event that comes before its change,
    /// so it is told at once, ahead of what is queued.
    ///
    /// A panic in the observer leaves the entity alive.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let last = Arc::new(AtomicUsize::new(0));
    /// let seen = last.clone();
    /// game.on_will_be_destroyed(move |game, id| {
    ///     seen.store(game.entity(id).health().0 as usize, Ordering::Relaxed);
    /// });
    /// let id = game.create_entity().add_health(3).id();
    /// game.destroy(id);
    /// assert_eq!(last.load(Ordering::Relaxed), 3);
    /// ```
    fn on_will_be_destroyed(
        &mut self,
        observer: impl FnMut(&mut Self, EntityId<Self>) + Send + Sync + 'static,
    ) -> Subscription {
        let observer = of_entities(observer);
        self.core_mut()
            .subscribe(Subject::WILL_BE_DESTROYED, observer)
    }

    /// Calls `observer` whenever an entity has been destroyed: the id is dead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
    /// let mut game = Game::new();
    /// let count = Arc::new(AtomicUsize::new(0));
    /// let counter = count.clone();
    /// game.on_destroyed(move |game, id| {
    ///     assert!(!game.contains(id));
    ///     counter.fetch_add(1, Ordering::Relaxed);
    /// });
    /// game.create_entity().destroy();
    /// assert_eq!(count.load(Ordering::Relaxed), 1);
    /// ```
    fn on_destroyed(
        &mut self,
        observer: impl FnMut(&mut Self, EntityId<Self>) + Send + Sync + 'static,
    ) -> Subscription {
        self.core_mut()
            .subscribe(Subject::DESTROYED, of_entities(observer))
    }

    /// Calls `observer` whenever a group has been made.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let count = Arc::new(AtomicUsize::new(0));
    /// let counter = count.clone();
    /// game.on_group_created(move |_, _| drop(counter.fetch_add(1, Ordering::Relaxed)));
    /// game.group(Matcher::all_of::<Frozen>());
    /// game.group(Matcher::all_of::<Frozen>()); // is there already
    /// assert_eq!(count.load(Ordering::Relaxed), 1);
    /// ```
    fn on_group_created(
        &mut self,
        observer: impl FnMut(&mut Self, Group<Self>) + Send + Sync + 'static,
    ) -> Subscription {
        self.core_mut()
            .subscribe(Subject::GROUP_CREATED, of_groups(observer))
    }

    /// Ends an observer or a listener at once, from anywhere, itself included; returns
    /// whether it was still there.
    ///
    /// # Panics
    ///
    /// Panics if the subscription is one of another context.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let subscription = game.on_created(|_, _| unreachable!());
    /// assert!(game.unsubscribe(subscription));
    /// game.create_entity();
    /// ```
    #[track_caller]
    fn unsubscribe(&mut self, subscription: Subscription) -> bool {
        state::unsubscribe(self, subscription)
    }

    /// Ends all observers of the context and of its groups. Listeners, collectors and
    /// lists of removed values are not touched.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let subscription = game.on_created(|_, _| unreachable!());
    /// game.clear_observers();
    /// game.create_entity();
    /// assert!(!game.unsubscribe(subscription)); // it is gone already
    /// ```
    fn clear_observers(&mut self) {
        let subjects: Vec<_> = self.core().observers.subjects().collect();
        state::end_observers(self, &subjects);
    }

    /// Sets how many notifications one call may lead to, counted once for all observers
    /// of a group's event, before it is stopped as an endless chain, with a panic that
    /// names the group and the component. One million at first.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # use std::panic::{AssertUnwindSafe, catch_unwind};
    /// let mut game = Game::new();
    /// game.on_created(|game, _| drop(game.create_entity().id())); // without end
    /// game.set_notification_limit(100);
    /// let endless = catch_unwind(AssertUnwindSafe(|| drop(game.create_entity().id())));
    /// assert!(endless.is_err());
    /// ```
    fn set_notification_limit(&mut self, limit: usize) {
        self.core_mut().queue.limit = limit;
    }
}

impl<C: HasCore> Observing for C {}
