//! Counted values whose `Clone`, `Drop`, `Eq` and `Hash` panic on request.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::panic::resume_unwind;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use support::attempt;

thread_local! {
    /// How many calls of user code are left until one panics.
    static LEFT: Cell<Option<u8>> = const { Cell::new(None) };
    /// How many values are still to be cloned until a clone panics.
    static CLONES: Cell<Option<u8>> = const { Cell::new(None) };
    static ALIVE: Cell<i64> = const { Cell::new(0) };
}

/// Runs `act`, in which the call of user code with this number panics, counted from 0.
pub fn with_fault<R>(at: u8, act: impl FnOnce() -> R) -> R {
    LEFT.set(Some(at));
    let result = act();
    LEFT.set(None);
    result
}

/// Runs `act`, in which the clone of a value with this number panics, counted from 0; returns
/// whether it has come to that.
pub fn is_clone_too_many(at: u8, act: impl FnOnce()) -> bool {
    CLONES.set(Some(at));
    let panicked = attempt(act);
    CLONES.set(None);
    assert!(panicked.is_none() || panicked.as_deref() == Some("clone"));
    panicked.is_some()
}

/// Whether user code is going to panic.
pub(crate) fn is_armed() -> bool {
    LEFT.get().is_some()
}

/// Has user code panic no more.
pub fn disarm() {
    LEFT.set(None);
}

/// What all user code of a program calls.
pub(crate) fn user_code() {
    match LEFT.get() {
        Some(_) if std::thread::panicking() => {}
        Some(0) => {
            LEFT.set(None);
            resume_unwind(Box::new("user code")); // not by `panic!`, which would print each of them
        }
        Some(left) => LEFT.set(Some(left - 1)),
        None => {}
    }
}

/// How many values there are on this thread.
#[must_use]
pub fn values_alive() -> i64 {
    ALIVE.get()
}

/// A number whose life is counted.
#[derive(Debug)]
pub struct Val(u8);

impl Val {
    #[must_use]
    pub fn new(number: u8) -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self(number)
    }

    #[must_use]
    pub fn get(&self) -> u8 {
        self.0
    }
}

impl Default for Val {
    fn default() -> Self {
        Self::new(0)
    }
}

impl Clone for Val {
    fn clone(&self) -> Self {
        match CLONES.get() {
            Some(0) => resume_unwind(Box::new("clone")),
            left => CLONES.set(left.map(|left| left - 1)),
        }
        user_code();
        Self::new(self.0)
    }
}

impl Drop for Val {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
        user_code();
    }
}

impl PartialEq for Val {
    fn eq(&self, other: &Self) -> bool {
        user_code();
        self.0 == other.0
    }
}

impl Eq for Val {}

impl Hash for Val {
    fn hash<H: Hasher>(&self, state: &mut H) {
        user_code();
        self.0.hash(state);
    }
}

impl Serialize for Val {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Val {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u8::deserialize(deserializer).map(Self::new)
    }
}
