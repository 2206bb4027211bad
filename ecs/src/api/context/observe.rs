//! Adding observers and ending them, and the methods of a context that do so for its own.

use alloc::boxed::Box;

use crate::matching::group::Group;
use crate::reactions::change::{Notice, ObserverFn, Subject, Subscription};
use crate::state::{HasCore, foreign};
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
        subscribe(self, Subject::CREATED, of_entity(observer))
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
        subscribe(self, Subject::WILL_BE_DESTROYED, of_entity(observer))
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
        subscribe(self, Subject::DESTROYED, of_entity(observer))
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
        mut observer: impl FnMut(&mut Self, Group<Self>) + Send + Sync + 'static,
    ) -> Subscription {
        let observer = Box::new(move |context: &mut Self, notice: &Notice<'_, Self>| {
            if let Notice::GroupCreated(group) = *notice {
                observer(context, group);
            }
        });
        subscribe(self, Subject::GROUP_CREATED, observer)
    }

    /// Ends an observer at once, from anywhere, itself included; tells whether it was
    /// still there.
    ///
    /// # Panics
    ///
    /// Panics where the subscription is one of another context.
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
        if subscription.instance != self.core().instance {
            foreign::<Self>("subscription");
        }
        let Subscription { subject, id, .. } = subscription;
        let ended = self.core_mut().observers.end(subject, id);
        close_gaps(self, subject);
        ended.is_some()
    }

    /// Ends all observers of the context and of its groups. Collectors and lists of
    /// removed values are not touched.
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
        for subject in self.core().observers.subjects() {
            end_observers(self, subject);
        }
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

/// Adds an observer, who hears of all later changes.
pub(super) fn subscribe<C: HasCore>(
    context: &mut C,
    subject: Subject,
    observer: ObserverFn<C>,
) -> Subscription {
    let core = context.core_mut();
    let id = core.observers.add(subject, core.queue.changes, observer);
    core.recount_observers(subject);
    Subscription {
        instance: core.instance,
        subject,
        id,
    }
}

/// An observer of entities in the form in which observers are kept.
pub(super) fn of_entity<C: HasCore>(
    mut observer: impl FnMut(&mut C, EntityId<C>) + Send + Sync + 'static,
) -> ObserverFn<C> {
    Box::new(move |context, notice| {
        if let Notice::Entity(id) = *notice {
            observer(context, id);
        }
    })
}

/// Ends all observers of a subject but those that are kept.
pub(super) fn end_observers<C: HasCore>(context: &mut C, subject: Subject) {
    let ended = context.core_mut().observers.end_all(subject);
    close_gaps(context, subject);
    drop(ended);
}

/// Closes the gaps of ended observers, or has the delivery under way do it.
pub(super) fn close_gaps<C: HasCore>(context: &mut C, subject: Subject) {
    let core = context.core_mut();
    if core.is_delivering() {
        core.queue.gaps.push(subject);
        core.queue.untidy = true;
    } else {
        core.observers.compact(subject);
    }
    core.recount_observers(subject);
}
