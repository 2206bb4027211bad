//! The one place that calls user code with the context: observers, listeners, closures of loops
//! and of recorded steps. `tests/sources/user_code.rs` lists what takes such code.
//!
//! Such code has `&mut Game`, and could replace the context or move it away. So [`Session::call`]
//! checks afterwards that the context is the same, and panics if it is not. All cleanup during
//! unwinding is done by drop guards, which access the context through a [`Session`], only if it is
//! the same.
//!
//! A context that was moved away during a notification lacks the running observer. It can be read
//! and dropped, but panics at the next notification ([`check_dispatch`]).

use super::core::{Core, HasCore};
use crate::reactions::subscribers::Subscribers;
use crate::world::World;

/// A context while user code may access it.
pub(crate) struct Session<'a, C> {
    context: &'a mut C,
    instance: u64,
}

impl<'a, C: HasCore> Session<'a, C> {
    #[inline]
    pub(crate) fn new(context: &'a mut C) -> Self {
        let instance = context.core().world.instance;
        Self::of(context, instance)
    }

    /// A session of the context whose core has this number: for code that must return something to
    /// the core it was taken from.
    #[inline]
    pub(super) fn of(context: &'a mut C, instance: u64) -> Self {
        Self { context, instance }
    }

    /// Reborrows the session, for a drop guard.
    #[inline(always)] // a guard that is never dropped is never stored
    pub(super) fn reborrow(&mut self) -> Session<'_, C> {
        Session {
            context: self.context,
            instance: self.instance,
        }
    }

    /// The context, in code that runs only if it was not replaced.
    #[inline]
    pub(crate) fn context(&mut self) -> &mut C {
        self.context
    }

    /// The core of the context, unless it was moved away: for drop guards.
    #[inline]
    pub(crate) fn core_mut(&mut self) -> Option<&mut Core<C>> {
        let core = self.context.core_mut();
        (core.world.instance == self.instance).then_some(core)
    }

    /// Calls user code.
    ///
    /// # Panics
    ///
    /// Panics if the code has replaced the context or moved it away.
    #[inline(always)] // called for each notification
    pub(crate) fn call<R>(&mut self, code: impl FnOnce(&mut C) -> R) -> R {
        let result = code(self.context);
        if self.context.core().world.instance != self.instance {
            replaced::<C>();
        }
        result
    }
}

/// Calls user code with a world, during a traversal of one of its contexts.
///
/// # Panics
///
/// Panics if the code has replaced the context or moved it away.
#[inline]
pub(crate) fn call<W, C: HasCore, R>(
    world: &mut W,
    context: impl Fn(&W) -> &C,
    code: impl FnOnce(&mut W) -> R,
) -> R {
    let instance = context(world).core().world.instance;
    let result = code(world);
    if context(world).core().world.instance != instance {
        replaced::<C>();
    }
    result
}

#[cold]
#[inline(never)]
fn replaced<C: HasCore>() -> ! {
    panic!(
        "context `{name}` was replaced or moved away by code that it called during a change; use \
         `reset()` to empty it, or set a flag there and replace the context after the call that made the change has returned",
        name = C::NAME
    )
}

/// Whether a dispatch is running, so that notifications must be queued.
///
/// # Panics
///
/// Panics if the context was moved away from its dispatch.
#[inline]
pub(crate) fn is_dispatching(world: &World, subs: &Subscribers) -> bool {
    check_dispatch(world, subs);
    !subs.queue.turn.is_idle()
}

/// Panics if the context was moved away from its dispatch.
#[inline]
pub(super) fn check_dispatch(world: &World, subs: &Subscribers) {
    if !subs.queue.turn.is_idle() && subs.queue.turn.is_lost() {
        lost(world.name);
    }
}

#[cold]
#[inline(never)]
fn lost(name: &str) -> ! {
    panic!(
        "context `{name}` lost a running observer when it was replaced or moved; create a new context \
         (`reset()` empties one in place)"
    )
}
