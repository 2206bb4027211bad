//! What is borrowed for the time of a call, and reached by those who are called without a lifetime.
//!
//! ```text
//! set(&mut canvas, || systems.execute(&mut world))
//!       │ the pointer is stored                        ▲ removed behind the call, also by a panic
//!       └─► with(|canvas| ..), one at a time ──────────┘
//! ```
//!
//! The invariants the unsafe code rests on:
//!
//! 1. The pointer in a slot comes from the `&mut T` of the one call of `set` that has not returned, or there
//!    is none: `set` is rejected while there is one, and removes its own before that reference ends. It
//!    waits for a `with` of another thread; one of its own thread is inside of the call, so it has returned.
//! 2. Only who has set `busy` looks at the pointer or makes a reference of it, so there is one at a time.

#![expect(unsafe_code, reason = "a reference without its lifetime")]

use alloc::sync::Arc;
use core::cell::UnsafeCell;
use core::fmt;
use core::hint::spin_loop;
use core::ptr::NonNull;

use crate::words::atomic::AtomicUsize;
use crate::words::atomic::Ordering::{Acquire, Relaxed, Release};

/// A value that somebody else owns, for the time of a call: what an engine lends for one frame, such as a
/// canvas, passed to the systems of a world that outlives it.
///
/// A world has it as a field, so that it need have no lifetime. [`set`](Self::set) makes a value
/// available while a closure runs, and [`with`](Self::with) reaches it there. A clone is a handle to the
/// same value.
///
/// It is `Send` and `Sync` if `T` is `Send`. With a `T` that belongs to one thread the world does, too.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// use ecs::Scoped;
///
/// #[derive(Contexts)]
/// struct World {
///     game: Game,
///     #[contexts(skip)]
///     canvas: Scoped<String>,
/// }
///
/// let mut systems = Systems::new().add(|world: &mut World| {
///     let healths = world.game.query::<&Health>();
///     world.canvas.with(|canvas| {
///         for health in &healths {
///             canvas.push_str(&"♥".repeat(health.0 as usize));
///         }
///     });
/// });
///
/// let mut world = World { game: Game::new(), canvas: Scoped::new() };
/// world.game.create_with(Health(3));
/// let mut frame = String::new(); // that of the engine
/// let canvas = world.canvas.clone();
/// canvas.set(&mut frame, || systems.execute(&mut world));
/// assert_eq!(frame, "♥♥♥");
/// ```
///
/// Inspired by `ScopedKey` of the crate `scoped-tls`.
pub struct Scoped<T: ?Sized>(Arc<ScopedSlot<T>>);

struct ScopedSlot<T: ?Sized> {
    /// 1 while somebody looks at the pointer or has its value.
    busy: AtomicUsize,
    value: UnsafeCell<Option<NonNull<T>>>,
}

// SAFETY: the slot owns no value. Who has set `busy` alone looks at the pointer (2), and may have the value
// of another thread, which is `Send`.
unsafe impl<T: ?Sized + Send> Send for ScopedSlot<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send> Sync for ScopedSlot<T> {}

impl<T: ?Sized> Scoped<T> {
    /// Creates a place without a value.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(ScopedSlot {
            busy: AtomicUsize::new(0),
            value: UnsafeCell::new(None),
        }))
    }

    /// Makes a value available to [`with`](Self::with) while `during` runs, and returns what that returns.
    ///
    /// If `during` panics, the value is removed all the same. If another thread is inside of `with` when
    /// `during` returns, it waits for that.
    ///
    /// # Panics
    ///
    /// Panics if a value is set already.
    #[track_caller]
    pub fn set<R>(&self, value: &mut T, during: impl FnOnce() -> R) -> R {
        match self.0.enter() {
            Some(busy) if busy.get().is_none() => busy.replace(Some(NonNull::from(value))),
            _ => panic!(
                "a value is set already; call `set` when the call of `set` before has returned"
            ),
        }
        let _set = Set(&self.0);
        during()
    }

    /// Calls `action` with the value.
    ///
    /// # Panics
    ///
    /// Panics if no value is [set](Self::set), or it is in use: inside of another `with`, also of another
    /// thread.
    ///
    /// # Examples
    ///
    /// ```
    /// let canvas = ecs::Scoped::new();
    /// let mut pixels = [0; 4];
    /// canvas.set(&mut pixels, || canvas.with(|pixels| pixels[1] = 7));
    /// assert_eq!(pixels, [0, 7, 0, 0]);
    /// ```
    #[track_caller]
    pub fn with<R>(&self, action: impl FnOnce(&mut T) -> R) -> R {
        let Some(busy) = self.0.enter() else {
            panic!("the scoped value is in use; leave `with` before it is called again");
        };
        let Some(mut value) = busy.get() else {
            drop(busy);
            panic!(
                "no value is set; call systems that use it inside of `Scoped::set(&mut value, || ..)`"
            );
        };
        // SAFETY: the reference that it comes from lives until `set` returns, which waits while `busy` is
        // set (1), and nobody else makes a reference of it until then (2).
        action(unsafe { value.as_mut() })
    }
}

impl<T: ?Sized> ScopedSlot<T> {
    /// The right to look at the pointer, unless somebody has it.
    fn enter(&self) -> Option<Busy<'_, T>> {
        let entered = self.busy.compare_exchange(0, 1, Acquire, Relaxed);
        entered.ok().map(|_| Busy(self))
    }
}

/// The right to look at the pointer, until it is dropped.
struct Busy<'a, T: ?Sized>(&'a ScopedSlot<T>);

impl<T: ?Sized> Busy<'_, T> {
    fn get(&self) -> Option<NonNull<T>> {
        // SAFETY: `busy` is set by this one alone (2).
        unsafe { *self.0.value.get() }
    }

    fn replace(&self, value: Option<NonNull<T>>) {
        // SAFETY: `busy` is set by this one alone (2).
        unsafe { *self.0.value.get() = value }
    }
}

impl<T: ?Sized> Drop for Busy<'_, T> {
    fn drop(&mut self) {
        self.0.busy.store(0, Release);
    }
}

/// A value that is set until this is dropped.
struct Set<'a, T: ?Sized>(&'a ScopedSlot<T>);

impl<T: ?Sized> Drop for Set<'_, T> {
    fn drop(&mut self) {
        loop {
            if let Some(busy) = self.0.enter() {
                busy.replace(None);
                return;
            }
            spin_loop();
        }
    }
}

impl<T: ?Sized> Default for Scoped<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: ?Sized> Clone for Scoped<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: ?Sized> fmt::Debug for Scoped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scoped").finish_non_exhaustive()
    }
}
