//! The observers of entities and groups that come and go, and all observers as a whole.

use alloc::vec::Vec;
use core::fmt;

use crate::matching::group::Group;
use crate::reactions::entity_change::{EntityChange, of_entity_changes};
use crate::reactions::notification::{of_entities, of_groups};
use crate::reactions::subscription::{Subject, Subscription};
use crate::state::{self, HasCore};
use crate::words::demands::ThreadSafe;
use crate::words::entity_id::EntityId;

/// What is called whenever an entity or a group comes or goes, and what concerns all observers.
/// Returned by
/// [`observers`](crate::Context::observers).
///
/// An observer is handed its own context. What is to happen in others it pushes to a
/// [`Deferred`](crate::Deferred).
#[must_use = "the handle does nothing by itself"]
pub struct Observers<'a, C> {
    pub(super) context: &'a mut C,
}

impl<'a, C: HasCore> Observers<'a, C> {
    pub(super) fn new(context: &'a mut C) -> Self {
        Self { context }
    }

    /// Calls `observer` whenever an entity has come to life.
    ///
    /// An entity made by [`create_with`](crate::Context::create_with) has its components by then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.observers().on_created(|game, id| {
    ///     game.entity_mut(id).update_health(|health| health.0 += 1);
    /// });
    /// assert_eq!(game.create_with(Health(3)).health().0, 4);
    /// ```
    pub fn on_created(
        self,
        observer: impl FnMut(&mut C, EntityId<C>) + ThreadSafe,
    ) -> Subscription {
        self.context
            .core_mut()
            .subscribe(Subject::CREATED, of_entities(observer))
    }

    /// Calls `observer` with each change: every entity that is created or destroyed, and every component
    /// that is added, replaced, updated or removed, with the value before.
    ///
    /// It is notified behind the observers of the groups that the change concerns. Like them it is not
    /// notified of rewinds, restores and loads. Without such an observer this costs nothing; with one,
    /// every change in the context costs as much as an observed change.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
    /// let mut game = Game::new();
    /// let count = Arc::new(AtomicUsize::new(0));
    /// let counter = count.clone();
    /// game.observers().on_change(move |game, change| {
    ///     assert!(game.contains(change.entity()));
    ///     counter.fetch_add(1, Ordering::Relaxed);
    /// });
    /// let hero = game.create_with(Health(3)).id(); // added, created
    /// game.entity_mut(hero).update_health(|health| health.0 -= 1); // replaced
    /// assert_eq!(count.load(Ordering::Relaxed), 3);
    /// ```
    pub fn on_change(
        self,
        observer: impl FnMut(&mut C, &EntityChange<'_, C>) + ThreadSafe,
    ) -> Subscription {
        state::observe_changes(self.context, None, of_entity_changes(observer))
    }

    /// Calls `observer` whenever an entity is about to be destroyed: it is alive, whole, and in its
    /// groups.
    ///
    /// This is the one event that comes before its change, so observers are called at once, ahead of what
    /// is queued. A panic in the observer leaves the entity alive.
    ///
    /// If entities end with their targets, a target comes before its sources. What observers do to
    /// relations counts: an entity that leads elsewhere before its turn stays alive, and one that comes
    /// to lead to an entity that ends is told too.
    ///
    /// Complexity: linear in the entities that end and in the links that observers change.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
    /// let mut game = Game::new();
    /// let count = Arc::new(AtomicUsize::new(0));
    /// let counter = count.clone();
    /// game.observers().on_will_be_destroyed(move |game, id| {
    ///     assert!(game.contains(id));
    ///     counter.fetch_add(1, Ordering::Relaxed);
    /// });
    /// game.create_entity().destroy();
    /// assert_eq!(count.load(Ordering::Relaxed), 1);
    /// ```
    pub fn on_will_be_destroyed(
        self,
        observer: impl FnMut(&mut C, EntityId<C>) + ThreadSafe,
    ) -> Subscription {
        self.context
            .core_mut()
            .subscribe(Subject::WILL_BE_DESTROYED, of_entities(observer))
    }

    /// Calls `observer` whenever an entity has been destroyed: the id is dead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.observers().on_destroyed(|game, id| {
    ///     assert!(!game.contains(id));
    ///     game.create_with(Frozen);
    /// });
    /// game.create_entity().destroy();
    /// assert_eq!(game.len(), 1);
    /// ```
    pub fn on_destroyed(
        self,
        observer: impl FnMut(&mut C, EntityId<C>) + ThreadSafe,
    ) -> Subscription {
        self.context
            .core_mut()
            .subscribe(Subject::DESTROYED, of_entities(observer))
    }

    /// Calls `observer` whenever a group has been made.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
    /// let mut game = Game::new();
    /// let count = Arc::new(AtomicUsize::new(0));
    /// let counter = count.clone();
    /// game.observers().on_group_created(move |_, _| drop(counter.fetch_add(1, Ordering::Relaxed)));
    /// game.group(Game::all_of::<Frozen>());
    /// game.group(Game::all_of::<Frozen>()); // is there already
    /// assert_eq!(count.load(Ordering::Relaxed), 1);
    /// ```
    pub fn on_group_created(
        self,
        observer: impl FnMut(&mut C, Group<C>) + ThreadSafe,
    ) -> Subscription {
        self.context
            .core_mut()
            .subscribe(Subject::GROUP_CREATED, of_groups(observer))
    }

    /// Ends all observers of the context, of its groups and of single entities. Listeners, collectors and
    /// lists of removed values are not touched.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let subscription = game.observers().on_created(|_, _| unreachable!());
    /// game.observers().clear();
    /// game.create_entity();
    /// assert!(!game.unsubscribe(subscription)); // it is gone already
    /// ```
    pub fn clear(self) {
        let observers = self.context.core().observers();
        let subjects: Vec<_> = observers.subjects().chain(observers.changes()).collect();
        state::end_observers(self.context, &subjects);
    }

    /// Sets how many notifications one call may lead to, counted once for all observers
    /// of a group's event, before it is stopped as an endless chain, with a panic that
    /// names the group and the component. One million at first.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # use std::panic::{AssertUnwindSafe, catch_unwind};
    /// let mut game = Game::new();
    /// game.observers().on_created(|game, _| drop(game.create_entity().id())); // without end
    /// game.observers().set_notification_limit(100);
    /// let endless = catch_unwind(AssertUnwindSafe(|| drop(game.create_entity().id())));
    /// assert!(endless.is_err());
    /// ```
    pub fn set_notification_limit(self, limit: usize) {
        state::limit_notifications(self.context.core_mut(), limit);
    }
}

impl<C> fmt::Debug for Observers<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observers").finish_non_exhaustive()
    }
}
