//! Counted values whose `Clone`, `Drop`, `Eq`, `Ord` and `Hash` panic on request.

use std::cell::Cell;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::panic::resume_unwind;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use support::attempt;

thread_local! {
    /// The number of calls of user code left until one panics.
    static LEFT: Cell<Option<u8>> = const { Cell::new(None) };
    /// The number of clones left until one panics.
    static CLONES: Cell<Option<u8>> = const { Cell::new(None) };
    static ALIVE: Cell<i64> = const { Cell::new(0) };
}

/// Runs `act`; its call of user code number `at`, counted from 0, panics.
pub fn with_fault<R>(at: u8, act: impl FnOnce() -> R) -> R {
    LEFT.set(Some(at));
    let result = act();
    LEFT.set(None);
    result
}

/// Runs `act`; its clone of a value number `at`, counted from 0, panics. Returns whether that clone
/// was reached.
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

/// Stops panics of user code.
pub fn disarm() {
    LEFT.set(None);
}

/// Called by all user code of a program.
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

/// The number of values alive on this thread.
#[must_use]
pub fn values_alive() -> i64 {
    ALIVE.get()
}

/// A number whose instances are counted.
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

impl PartialOrd for Val {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Val {
    fn cmp(&self, other: &Self) -> Ordering {
        user_code();
        self.0.cmp(&other.0)
    }
}

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
