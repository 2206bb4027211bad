//! Whether a context notifies, as a flag that both the context and the dispatch reach,
//! wherever the context is moved meanwhile; and what a dispatch leaves for a context
//! that was moved away from it.
//!
//! ```text
//! Free ──take──► Idle ──raise──► Busy ──abandon──► Abandoned     the context was moved away:
//!   ▲             │ ▲             │ │                  │          it finds here what it lacks
//!   └───drop──────┘ └────lower────┘ └─drop─► Orphaned  └─lower─► Idle
//!                                            └─abandon─► Free      the context is gone
//! ```
//!
//! Flags are lent by a [`Reserve`], which grows with the number of contexts that are there at
//! once, and used again.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::sync::atomic::AtomicU8;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::storage::mailbox::Mailbox;
use crate::storage::reserve::Reserve;

static FLAGS: Reserve<Flag> = Reserve::new();

/// Nobody has the flag.
const FREE: u8 = 0;
/// A context has the flag and does not notify.
const IDLE: u8 = 1;
/// A dispatch of the context is under way.
const BUSY: u8 = 2;
/// The dispatch has ended without its context.
const ABANDONED: u8 = 3;
/// A dispatch is under way whose context has been dropped.
const ORPHANED: u8 = 4;

/// What dispatches have left for a context.
pub(crate) type Left = Vec<Box<dyn Any + Send>>;

/// A flag in the reserve.
pub(crate) struct Flag {
    state: AtomicU8,
    left: Mailbox<Box<dyn Any + Send>>,
    /// Its place in the reserve.
    place: u32,
}

impl Flag {
    const fn new(place: u32) -> Self {
        Self {
            state: AtomicU8::new(FREE),
            left: Mailbox::new(),
            place,
        }
    }

    /// Begins a dispatch. Only the owner of the context does so; hence no ordering is
    /// asked for, here and in [`lower`](Self::lower).
    #[inline]
    pub(crate) fn raise(&self) {
        self.state.store(BUSY, Relaxed);
    }

    /// Ends a dispatch whose context is where it was, or has put in order what is left.
    #[inline]
    pub(crate) fn lower(&self) {
        self.state.store(IDLE, Relaxed);
    }

    /// Whether something is left.
    #[inline]
    pub(crate) fn has_left(&self) -> bool {
        !self.left.is_empty()
    }

    /// Leaves something for a context that was moved away from a dispatch under way.
    #[cold]
    pub(crate) fn leave(&self, value: Box<dyn Any + Send>) {
        self.left.put(value);
    }

    /// Ends a dispatch whose context was moved away or dropped.
    #[cold]
    pub(crate) fn abandon(&self) {
        let ended = self
            .state
            .compare_exchange(BUSY, ABANDONED, AcqRel, Acquire);
        if ended.is_err() {
            self.give_back();
        }
    }

    /// Drops what is left, nobody being there to take it, and offers the flag to others.
    fn give_back(&self) {
        let left = self.left.take();
        if self.state.swap(FREE, AcqRel) != FREE {
            FLAGS.give_back(self.place);
        }
        drop(left); // user code
    }
}

/// The flag of one context, given back when that is dropped.
pub(crate) struct OwnFlag(&'static Flag);

impl OwnFlag {
    /// Takes a flag that nobody has.
    pub(crate) fn take() -> Self {
        let flag = FLAGS.take(Flag::new);
        flag.state.store(IDLE, Relaxed);
        Self(flag)
    }

    /// The flag, for a dispatch that may outlive the context.
    #[inline]
    pub(crate) fn get(&self) -> &'static Flag {
        self.0
    }

    /// Whether no dispatch is under way or has been abandoned.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.0.state.load(Relaxed) == IDLE
    }

    /// Whether a dispatch was abandoned; what it has left is there then.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.0.state.load(Acquire) == ABANDONED
    }

    /// Takes what is left.
    pub(crate) fn take_left(&self) -> Left {
        self.0.left.take()
    }
}

impl Drop for OwnFlag {
    fn drop(&mut self) {
        let orphaned = self
            .0
            .state
            .compare_exchange(BUSY, ORPHANED, AcqRel, Acquire);
        if orphaned.is_err() {
            self.0.give_back();
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::sync::Arc;

    use super::*;

    #[test]
    fn a_flag_in_the_hands_of_a_dispatch_is_not_used_again() {
        let (first, second) = (OwnFlag::take(), OwnFlag::take());
        assert!(!core::ptr::eq(first.get(), second.get()));
        let dispatch = first.get();
        dispatch.raise();
        drop(first);
        let third = OwnFlag::take();
        assert!(!core::ptr::eq(third.get(), dispatch) && third.is_idle());
        let left = Arc::new(());
        dispatch.leave(Box::new(left.clone()));
        dispatch.abandon();
        assert_eq!(Arc::strong_count(&left), 1);
    }

    #[test]
    #[cfg_attr(miri, ignore = "measures time")]
    #[cfg(feature = "std")]
    fn to_take_a_flag_costs_the_same_however_many_are_taken() {
        use std::time::Instant;
        let time = || {
            let start = Instant::now();
            let taken: Vec<_> = (0..1_000).map(|_| OwnFlag::take()).collect();
            (start.elapsed(), taken)
        };
        let quickest = || (0..5).map(|_| time().0).min().unwrap();
        let alone = quickest();
        let others: Vec<_> = (0..30_000).map(|_| OwnFlag::take()).collect();
        let beside = quickest();
        assert!(
            beside < 20 * alone,
            "{beside:?} beside {}, {alone:?} alone",
            others.len()
        );
    }

    #[test]
    fn a_context_finds_what_an_abandoned_dispatch_has_left() {
        let own = OwnFlag::take();
        own.get().raise();
        own.get().leave(Box::new(1_u32));
        own.get().leave(Box::new(2_u32));
        assert!(!own.is_idle() && !own.is_abandoned());
        own.get().abandon();
        assert!(own.is_abandoned());
        assert!(own.get().has_left());
        let left = own.take_left();
        let left: Vec<u32> = left
            .into_iter()
            .map(|one| *one.downcast().unwrap())
            .collect();
        assert_eq!(left, [1, 2]);
        own.get().lower();
        assert!(own.is_idle() && own.take_left().is_empty());
    }
}
