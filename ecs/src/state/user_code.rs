//! The one place that calls user code which is handed the context: observers, listeners,
//! the closures of loops.
//!
//! Such code has `&mut Game` and could put another context in the place of its own, or move
//! it away. So as soon as it returns, [`Session::call`] checks that the context is still
//! the one it was, and panics if it is not. Everything on the way out that has something to
//! put in order is a drop guard, which holds a [`Session`] and gets the context from it only
//! if that is its own.
//!
//! A context that was moved away while it notified lacks the observer that ran. It can be read and
//! dropped, but panics when it is to notify again ([`Registries::is_dispatching`]).

use super::core::{Core, HasCore, Registries};

/// A context, for the time in which user code may have it.
pub(crate) struct Session<'a, C> {
    context: &'a mut C,
    instance: u64,
}

impl<'a, C: HasCore> Session<'a, C> {
    #[inline]
    pub(crate) fn new(context: &'a mut C) -> Self {
        let instance = context.core().instance;
        Self::of(context, instance)
    }

    /// A session of the context whose core has this number: for code that has taken something out of
    /// that core which is to be put back there.
    #[inline]
    pub(super) fn of(context: &'a mut C, instance: u64) -> Self {
        Self { context, instance }
    }

    /// Lends the session to whoever ends it when a drop guard is dropped.
    #[inline(always)] // so that a guard that is never dropped is never stored
    pub(super) fn reborrow(&mut self) -> Session<'_, C> {
        Session {
            context: self.context,
            instance: self.instance,
        }
    }

    /// The context, in code that runs only if it has not been replaced.
    #[inline]
    pub(crate) fn context(&mut self) -> &mut C {
        self.context
    }

    /// The core of the context, unless it was moved away: for drop guards.
    #[inline]
    pub(crate) fn core_mut(&mut self) -> Option<&mut Core<C>> {
        let core = self.context.core_mut();
        (core.instance == self.instance).then_some(core)
    }

    /// Calls user code.
    ///
    /// # Panics
    ///
    /// Panics if the code has replaced the context or moved it away.
    #[inline(always)] // called for each notification
    pub(crate) fn call<R>(&mut self, code: impl FnOnce(&mut C) -> R) -> R {
        let result = code(self.context);
        if self.context.core().instance != self.instance {
            replaced::<C>();
        }
        result
    }
}

/// Calls user code that is handed a world, one context of which is being walked.
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
    let instance = context(world).core().instance;
    let result = code(world);
    if context(world).core().instance != instance {
        replaced::<C>();
    }
    result
}

#[cold]
#[inline(never)]
fn replaced<C: HasCore>() -> ! {
    panic!(
        "context `{name}` was replaced or moved away by code that it called during a change; use \
         `reset()` to empty it, or set a flag there and replace the context when the call that \
         led to the change has returned",
        name = C::NAME
    )
}

impl Registries {
    /// Whether a dispatch is under way, so that notifications have to be queued.
    ///
    /// # Panics
    ///
    /// Panics if the context was moved away from its dispatch.
    #[inline]
    pub(crate) fn is_dispatching(&self) -> bool {
        if self.queue.turn.is_idle() {
            return false;
        }
        if self.queue.turn.is_lost() {
            lost(self.name);
        }
        true
    }
}

#[cold]
#[inline(never)]
fn lost(name: &str) -> ! {
    panic!(
        "context `{name}` cannot notify any more: it was replaced or moved away by an observer, \
         which is lost; create another context, and use `reset()` to empty one there"
    )
}
