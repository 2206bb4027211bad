//! The one place that calls user code which is handed the context: observers, listeners,
//! the closures of loops.
//!
//! Such code has `&mut Game` and could put another context in the place of its own, or move
//! it away. So as soon as it returns, [`Session::call`] looks whether the context is still
//! the one it was, and panics if it is not. Nobody else need know: everything on the way
//! out that has something to put in order is a drop guard, which holds a [`Session`] and
//! is handed the context by it only if that is its own.
//!
//! A context that was moved away lacks the observer that ran, and has the queue of the
//! dispatch. Both wait for it in its [flag](crate::storage::flag) and are put in order by
//! [`Core::recover`](super::Core::recover).

use super::core::{Core, HasCore};
use crate::storage::flag::Flag;

/// What tells a context from every other one: its number, and the flag that no other has
/// meanwhile.
pub(super) type Identity = (u64, &'static Flag);

impl<C: 'static> Core<C> {
    #[inline]
    pub(super) fn identity(&self) -> Identity {
        (self.instance, self.queue.flag.get())
    }
}

/// A context, for the time in which user code may have it.
pub(crate) struct Session<'a, C> {
    context: &'a mut C,
    pub(super) instance: u64,
    /// That of the context, wherever it is.
    pub(super) flag: &'static Flag,
}

impl<'a, C: HasCore> Session<'a, C> {
    #[inline]
    pub(crate) fn new(context: &'a mut C) -> Self {
        let identity = context.core().identity();
        Self::of(context, identity)
    }

    /// A session of the context whose core has this identity: for those who have taken
    /// something out of that core which is to be put back there.
    #[inline]
    pub(super) fn of(context: &'a mut C, (instance, flag): Identity) -> Self {
        Self {
            context,
            instance,
            flag,
        }
    }

    /// Lends the session to whoever ends it when a drop guard is dropped.
    #[inline(always)] // so that a guard that is never dropped is never stored
    pub(super) fn reborrow(&mut self) -> Session<'_, C> {
        Session {
            context: self.context,
            instance: self.instance,
            flag: self.flag,
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
