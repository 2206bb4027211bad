//! A value borrowed for the duration of a call, without a lifetime parameter in the code that uses
//! it.
//!
//! ```text
//! set(&mut canvas, || systems.execute(&mut world))
//!       │ the pointer is stored                      ▲ removed after the call, even on panic
//!       └─► with(|canvas| ..), one at a time ────────┘
//! ```
//!
//! Invariants for the unsafe code:
//!
//! 1. A pointer in a slot comes from the `&mut T` of the only call of `set` that has not returned.
//!    `set` panics while there is one, and removes its own before the reference ends. Before that
//!    it waits for a `with` on another thread; one on its own thread is inside the call, so it has
//!    already returned.
//! 2. Only the holder of `busy` reads the pointer or makes a reference from it, so there is at most
//!    one.

#![expect(unsafe_code, reason = "a reference without its lifetime")]

use alloc::sync::Arc;
use core::cell::UnsafeCell;
use core::fmt;
use core::hint::spin_loop;
use core::ptr::NonNull;

use crate::words::atomic::AtomicUsize;
use crate::words::atomic::Ordering::{Acquire, Relaxed, Release};

/// A value borrowed from its owner for the duration of a call, such as a canvas that an engine
/// passes for one frame, available to systems of a world that outlives it.
///
/// Store it in a field of the world, which then needs no lifetime. [`set`](Self::set) makes a value
/// available while a closure runs, and [`with`](Self::with) accesses it. A clone is a handle to the
/// same value.
///
/// It is `Send` and `Sync` if `T` is `Send`. Otherwise the world is bound to one thread too.
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
/// let mut frame = String::new(); // owned by the engine
/// let canvas = world.canvas.clone();
/// canvas.set(&mut frame, || systems.execute(&mut world));
/// assert_eq!(frame, "♥♥♥");
/// ```
///
/// Inspired by `ScopedKey` of the crate `scoped-tls`.
pub struct Scoped<T: ?Sized>(Arc<ScopedSlot<T>>);

struct ScopedSlot<T: ?Sized> {
    /// 1 while the pointer is read or a reference to its value exists.
    busy: AtomicUsize,
    value: UnsafeCell<Option<NonNull<T>>>,
}

// SAFETY: the slot owns no value. Only the holder of `busy` reads the pointer (2), and then may
// access a value from another thread, which is `Send`.
unsafe impl<T: ?Sized + Send> Send for ScopedSlot<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send> Sync for ScopedSlot<T> {}

impl<T: ?Sized> Scoped<T> {
    /// Creates a `Scoped` without a value.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(ScopedSlot {
            busy: AtomicUsize::new(0),
            value: UnsafeCell::new(None),
        }))
    }

    /// Makes a value available to [`with`](Self::with) while `during` runs, and returns its result.
    ///
    /// The value is removed even if `during` panics. If another thread is inside `with` when
    /// `during` returns, waits for it.
    ///
    /// # Panics
    ///
    /// Panics if a value is already set.
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
    /// Panics if no value is [set](Self::set), or if it is in use by another `with`, on this or
    /// another thread.
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
        // SAFETY: the original reference is valid until `set` returns, which waits while `busy` is
        // set (1), and no other reference is made until then (2).
        action(unsafe { value.as_mut() })
    }
}

impl<T: ?Sized> ScopedSlot<T> {
    /// Returns the right to read the pointer, unless it is taken.
    fn enter(&self) -> Option<Busy<'_, T>> {
        let entered = self.busy.compare_exchange(0, 1, Acquire, Relaxed);
        entered.ok().map(|_| Busy(self))
    }
}

/// The right to read the pointer, until dropped.
struct Busy<'a, T: ?Sized>(&'a ScopedSlot<T>);

impl<T: ?Sized> Busy<'_, T> {
    fn get(&self) -> Option<NonNull<T>> {
        // SAFETY: `self` is the only holder of `busy` (2).
        unsafe { *self.0.value.get() }
    }

    fn replace(&self, value: Option<NonNull<T>>) {
        // SAFETY: `self` is the only holder of `busy` (2).
        unsafe { *self.0.value.get() = value }
    }
}

impl<T: ?Sized> Drop for Busy<'_, T> {
    fn drop(&mut self) {
        self.0.busy.store(0, Release);
    }
}

/// Guard of a value that is set.
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
