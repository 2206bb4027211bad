//! Work that is put off until a list of systems comes to it: how observers and listeners, which are
//! handed their own context, reach the whole world.
//!
//! ```text
//! observer of game ─┐
//! listener of ui  ──┼─ push ─► Queue { left, pushed } ─ execute ─► action(&mut world), …
//! another thread  ──┘
//! ```
//!
//! There is one queue for all who push, so the order is that of all pushes, whichever contexts they
//! come from.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::{self, Vec};
use core::fmt;

use super::name;
use super::stats::Reactions;
use super::system::System;
use crate::storage::mailbox::Mailbox;

/// Something to be done with a world.
type Action<W> = Box<dyn FnOnce(&mut W) + Send>;

/// A queue of closures that a list of systems calls with the whole world: what observers and
/// listeners push to act on contexts other than their own.
///
/// A value is a handle of the queue and also the system that runs it: add a clone to the list, give
/// others to whoever has something to put off. It is `Send + Sync`, so another thread can push, too:
/// one that has loaded a file, for example.
///
/// # Order
///
/// The system calls what has been pushed before its turn, in the order of all pushes, whichever
/// context or thread they come from. What is pushed while it does so waits for its next turn, so no
/// chain of actions goes on for ever within a pass; a list that runs [until it is
/// quiet](crate::Systems::until_quiet) gives it further turns in the same pass.
///
/// If an action panics, those behind it are called at the next turn, before what has been pushed
/// since. What is pushed while the system is disabled waits, unless its list [discards
/// that](crate::Systems::discard_while_disabled);
/// [`clear`](crate::System::clear) drops all that waits. If no list has the system nothing is ever
/// called.
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
///     deferred.push(|world: &mut World| _ = world.ui.create_with(Label("one has died".into())));
/// });
///
/// world.game.create_with(Health(1)).destroy();
/// assert!(world.ui.is_empty());
/// systems.execute(&mut world);
/// assert_eq!(world.ui.query::<&Label>().single().unwrap().0, "one has died");
/// ```
pub struct Deferred<W> {
    queue: Arc<DeferredQueue<W>>,
    reactions: Reactions,
}

/// What waits.
struct DeferredQueue<W> {
    /// What a panic has left of a turn: older than all that has been pushed since.
    left: Mailbox<Action<W>>,
    pushed: Mailbox<Action<W>>,
}

impl<W> DeferredQueue<W> {
    fn is_empty(&self) -> bool {
        self.left.is_empty() && self.pushed.is_empty()
    }

    fn take(&self) -> Vec<Action<W>> {
        let mut actions = self.left.take();
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
            left: Mailbox::new(),
            pushed: Mailbox::new(),
        };
        Self {
            queue: Arc::new(queue),
            reactions: Reactions::default(),
        }
    }

    /// Has the list of systems call `action` with the world, once, after all that has been pushed
    /// before.
    ///
    /// Complexity: constant; two allocations, and no lock.
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

    /// Returns whether nothing waits to be called.
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
    /// Calls what has been pushed so far.
    fn execute(&mut self, world: &mut W) {
        let actions = self.queue.take();
        self.reactions.note(actions.len());
        let mut turn = DeferredTurn {
            queue: &self.queue,
            actions: actions.into_iter(),
        };
        for action in turn.actions.by_ref() {
            action(world);
        }
    }

    fn name(&self) -> String {
        name::of::<Self>()
    }

    /// Drops what has been pushed so far.
    fn clear(&mut self, _: &mut W) {
        drop(self.queue.take()); // user code
    }

    /// How many actions it has come to.
    fn reactions(&self) -> Option<Reactions> {
        Some(self.reactions)
    }
}

/// The actions of one turn. If one of them panics, the others wait for the next turn.
struct DeferredTurn<'a, W> {
    queue: &'a DeferredQueue<W>,
    actions: vec::IntoIter<Action<W>>,
}

impl<W> Drop for DeferredTurn<'_, W> {
    fn drop(&mut self) {
        for action in self.actions.by_ref() {
            self.queue.left.put(action);
        }
    }
}

impl<W> Clone for Deferred<W> {
    /// Returns another handle of the same queue.
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
