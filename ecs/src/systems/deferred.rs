//! Deferred work: how observers and listeners, which receive only their own context, act on the whole
//! world.
//!
//! ```text
//! observer of game ─┐
//! listener of ui  ──┼─ push ─► Queue { unfinished, pushed } ─ execute ─► action(&mut world), …
//! another thread  ──┘
//! ```
//!
//! All handles share one queue, so actions run in the order in which they were pushed, from whatever
//! context.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::{self, Vec};
use core::fmt;

use super::name;
use super::stats::Reactions;
use super::system::System;
use crate::storage::mailbox::Mailbox;

/// An action on a world.
type Action<W> = Box<dyn FnOnce(&mut W) + Send>;

/// A queue of closures that a list of systems calls with the whole world. Observers and listeners push
/// to it to act on other contexts than their own.
///
/// A `Deferred` is both a handle of the queue and the system that runs it: add one clone to the list, and
/// move others into closures. It is `Send + Sync`, so other threads can push too, for example after
/// loading a file.
///
/// # Order
///
/// Each execute runs the closures pushed before it, in the order of pushing, from any context or thread.
/// Closures pushed meanwhile run at the next execute, so a pass always ends. In a list that runs
/// [until it is quiet](crate::Systems::until_quiet), that is in the same pass.
///
/// If a closure panics, the remaining ones run at the next execute, before newer ones. While the system
/// is disabled, closures are kept, unless it [discards](crate::Systems::discard_while_disabled) them.
/// [`clear`](crate::System::clear) drops all pending closures. A queue that is in no list never runs.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// #[derive(Contexts)]
/// struct World { game: Game, ui: Ui }
///
/// let mut world = World { game: Game::new(), ui: Ui::new() };
/// let deferred = Deferred::new();
/// let mut systems = Systems::new().add(deferred.clone());
///
/// let living = world.game.group(Game::all_of::<Health>());
/// living.on_left(&mut world.game, move |_, _| {
///     deferred.push(|world: &mut World| _ = world.ui.create_with(Label("one died".into())));
/// });
///
/// world.game.create_with(Health(1)).destroy();
/// assert!(world.ui.is_empty());
/// systems.execute(&mut world);
/// assert_eq!(world.ui.query::<&Label>().single().unwrap().0, "one died");
/// ```
pub struct Deferred<W> {
    queue: Arc<DeferredQueue<W>>,
    reactions: Reactions,
}

/// The pending actions.
struct DeferredQueue<W> {
    /// Actions after one that panicked; older than those in `pushed`.
    unfinished: Mailbox<Action<W>>,
    pushed: Mailbox<Action<W>>,
}

impl<W> DeferredQueue<W> {
    fn is_empty(&self) -> bool {
        self.unfinished.is_empty() && self.pushed.is_empty()
    }

    fn take(&self) -> Vec<Action<W>> {
        let mut actions = self.unfinished.take();
        actions.append(&mut self.pushed.take());
        actions
    }
}

impl<W> Deferred<W> {
    /// Creates a queue.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let deferred = Deferred::<Game>::new();
    /// assert!(deferred.is_empty());
    /// ```
    pub fn new() -> Self {
        let queue = DeferredQueue {
            unfinished: Mailbox::new(),
            pushed: Mailbox::new(),
        };
        Self {
            queue: Arc::new(queue),
            reactions: Reactions::default(),
        }
    }

    /// Pushes a closure. It is called once, after those pushed before.
    ///
    /// Complexity: constant; two allocations, no lock.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let (mut game, deferred) = (Game::new(), Deferred::new());
    /// let mut systems = Systems::new().add(deferred.clone());
    /// std::thread::spawn(move || {
    ///     let count = 3; // takes a while
    ///     deferred.push(move |game: &mut Game| (0..count).for_each(|_| drop(game.create_entity())));
    /// })
    /// .join()
    /// .unwrap();
    /// systems.execute(&mut game);
    /// assert_eq!(game.len(), 3);
    /// ```
    pub fn push(&self, action: impl FnOnce(&mut W) + Send + 'static) {
        self.queue.pushed.put(Box::new(action));
    }

    /// Returns whether no closure is pending.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut deferred = Deferred::new();
    /// deferred.push(|game: &mut Game| drop(game.create_entity()));
    /// assert!(!deferred.is_empty());
    /// deferred.execute(&mut Game::new());
    /// assert!(deferred.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}

impl<W> System<W> for Deferred<W> {
    /// Calls the pending closures.
    fn execute(&mut self, world: &mut W) {
        let actions = self.queue.take();
        self.reactions.record(actions.len());
        let mut run = DeferredRun {
            queue: &self.queue,
            actions: actions.into_iter(),
        };
        for action in run.actions.by_ref() {
            action(world);
        }
    }

    fn name(&self) -> String {
        name::of::<Self>()
    }

    /// Drops the pending closures.
    fn clear(&mut self, _: &mut W) {
        drop(self.queue.take()); // user code
    }

    /// Returns how many closures it has called.
    fn reactions(&self) -> Option<Reactions> {
        Some(self.reactions)
    }
}

/// The actions of one execute. If one panics, the rest are put back for the next execute.
struct DeferredRun<'a, W> {
    queue: &'a DeferredQueue<W>,
    actions: vec::IntoIter<Action<W>>,
}

impl<W> Drop for DeferredRun<'_, W> {
    fn drop(&mut self) {
        for action in self.actions.by_ref() {
            self.queue.unfinished.put(action);
        }
    }
}

impl<W> Clone for Deferred<W> {
    /// Returns another handle to the same queue.
    fn clone(&self) -> Self {
        Self {
            queue: self.queue.clone(),
            reactions: Reactions::default(),
        }
    }
}

impl<W> Default for Deferred<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W> fmt::Debug for Deferred<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_empty = self.is_empty();
        f.debug_struct("Deferred")
            .field("is_empty", &is_empty)
            .finish()
    }
}
