//! Observers of entities and of new groups, and operations on all observers.

use alloc::vec::Vec;
use core::fmt;

use crate::matching::group::Group;
use crate::reactions::entity_change::{EntityChange, of_entity_changes};
use crate::reactions::notification::{of_entities, of_groups};
use crate::reactions::subscription::{Subject, Subscription};
use crate::state::{self, HasCore, subscribe};
use crate::words::demands::{Confined, FitsIn};
use crate::words::entity_id::EntityId;

/// Adds observers of created and destroyed entities, of changes and of new groups, and operates on
/// all observers.
///
/// Returned by [`observers`](crate::Context::observers).
///
/// An observer gets its own context. To change other contexts, it pushes a closure to a
/// [`Deferred`](crate::Deferred).
#[must_use = "the handle does nothing by itself"]
pub struct Observers<'a, C> {
    pub(super) context: &'a mut C,
}

impl<'a, C: HasCore> Observers<'a, C> {
    pub(super) fn new(context: &'a mut C) -> Self {
        Self { context }
    }

    /// Calls `observer` whenever an entity is created.
    ///
    /// An entity made by [`create_with`](crate::Context::create_with) already has its components.
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
    pub fn on_created(self, observer: impl FnMut(&mut C, EntityId<C>) + FitsIn<C>) -> Subscription {
        let core = self.context.core_mut();
        subscribe(
            &mut core.world,
            &mut core.subs,
            Subject::CREATED,
            of_entities(Confined::new::<C>(observer)),
        )
    }

    /// Calls `observer` with each change: every entity created or destroyed, and every component
    /// added, replaced, updated or removed, with its previous value.
    ///
    /// It is called after the observers of the groups concerned. Like them it is not notified of
    /// undo, redo, restores and loads. Without such an observer this costs nothing; with one, every
    /// change in the context costs as much as an observed change.
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
        observer: impl FnMut(&mut C, &EntityChange<'_, C>) + FitsIn<C>,
    ) -> Subscription {
        state::observe_changes(
            self.context,
            None,
            of_entity_changes(Confined::new::<C>(observer)),
        )
    }

    /// Calls `observer` whenever an entity is about to be destroyed: it is alive, complete, and in
    /// its groups.
    ///
    /// This is the only event that precedes its change, so observers are called at once, ahead of
    /// the queue. If the observer panics, the entity stays alive.
    ///
    /// If entities are destroyed together with their targets, a target comes before the entities
    /// that refer to it. Observers may change relations: an entity that gets another target before
    /// its turn stays alive, and one that now refers to a destroyed entity is announced, too.
    ///
    /// Complexity: linear in the destroyed entities and in the links that observers change.
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
        observer: impl FnMut(&mut C, EntityId<C>) + FitsIn<C>,
    ) -> Subscription {
        let core = self.context.core_mut();
        subscribe(
            &mut core.world,
            &mut core.subs,
            Subject::WILL_BE_DESTROYED,
            of_entities(Confined::new::<C>(observer)),
        )
    }

    /// Calls `observer` whenever an entity has been destroyed: its id is dead.
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
        observer: impl FnMut(&mut C, EntityId<C>) + FitsIn<C>,
    ) -> Subscription {
        let core = self.context.core_mut();
        subscribe(
            &mut core.world,
            &mut core.subs,
            Subject::DESTROYED,
            of_entities(Confined::new::<C>(observer)),
        )
    }

    /// Calls `observer` whenever a group is created.
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
    /// game.group(Game::all_of::<Frozen>()); // exists already
    /// assert_eq!(count.load(Ordering::Relaxed), 1);
    /// ```
    pub fn on_group_created(
        self,
        observer: impl FnMut(&mut C, Group<C>) + FitsIn<C>,
    ) -> Subscription {
        let core = self.context.core_mut();
        subscribe(
            &mut core.world,
            &mut core.subs,
            Subject::GROUP_CREATED,
            of_groups(Confined::new::<C>(observer)),
        )
    }

    /// Removes all observers of the context, of its groups and of single entities.
    ///
    /// Listeners, collectors and lists of removed values stay.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let subscription = game.observers().on_created(|_, _| unreachable!());
    /// game.observers().clear();
    /// game.create_entity();
    /// assert!(!game.unsubscribe(subscription)); // already removed
    /// ```
    pub fn clear(self) {
        let observers = self.context.core().subs.observers();
        let subjects: Vec<_> = observers.subjects().chain(observers.changes()).collect();
        state::end_observers(self.context, &subjects);
    }

    /// Sets the maximum number of notifications that one call may cause, where all observers of a
    /// group's event together count once.
    ///
    /// A longer chain counts as endless: the call panics with the name of the group and the
    /// component. The default is one million.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # use std::panic::{AssertUnwindSafe, catch_unwind};
    /// let mut game = Game::new();
    /// game.observers().on_created(|game, _| drop(game.create_entity().id())); // an endless chain
    /// game.observers().set_notification_limit(100);
    /// let endless = catch_unwind(AssertUnwindSafe(|| drop(game.create_entity().id())));
    /// assert!(endless.is_err());
    /// ```
    pub fn set_notification_limit(self, limit: usize) {
        self.context.core_mut().subs.queue.limit = limit;
    }
}

impl<C> fmt::Debug for Observers<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observers").finish_non_exhaustive()
    }
}
