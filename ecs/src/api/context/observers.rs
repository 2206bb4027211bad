//! The observers of a context as a whole.

use alloc::vec::Vec;
use core::fmt;

use crate::matching::group::Group;
use crate::reactions::notification::of_groups;
use crate::reactions::subscription::{Subject, Subscription};
use crate::state::{self, HasCore};
use crate::words::thread_safe::ThreadSafe;

/// The observers of a context as a whole. Returned by
/// [`observers`](crate::Context::observers).
#[must_use = "the handle does nothing by itself"]
pub struct Observers<'a, C> {
    context: &'a mut C,
}

impl<'a, C: HasCore> Observers<'a, C> {
    pub(super) fn new(context: &'a mut C) -> Self {
        Self { context }
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

    /// Ends all observers of the context and of its groups. Listeners, collectors and
    /// lists of removed values are not touched.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let subscription = game.on_created(|_, _| unreachable!());
    /// game.observers().clear();
    /// game.create_entity();
    /// assert!(!game.unsubscribe(subscription)); // it is gone already
    /// ```
    pub fn clear(self) {
        let subjects: Vec<_> = self.context.core().observers.subjects().collect();
        state::end_observers(self.context, &subjects);
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
    /// game.observers().set_notification_limit(100);
    /// let endless = catch_unwind(AssertUnwindSafe(|| drop(game.create_entity().id())));
    /// assert!(endless.is_err());
    /// ```
    pub fn set_notification_limit(self, limit: usize) {
        self.context.core_mut().queue.limit = limit;
    }
}

impl<C> fmt::Debug for Observers<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observers").finish_non_exhaustive()
    }
}
