//! Which step each undo stack has done last in the present state of a context.
//!
//! ```text
//! root 3    [ stack A: step 9, stamp 12 │ stack B: step 7, stamp 8 ]    one that is not listed has done none
//! ```
//!
//! It is rewound, restored and copied with the context, so a stack notices that the state is not the one
//! that it has left: it has another stamp. Numbers are never given twice; a context that is created, loaded or
//! reset has a new root.

use alloc::sync::{Arc, Weak};
use alloc::vec::Vec;

use crate::words::atomic::{AtomicU64, Ordering};

#[derive(Clone)]
pub(crate) struct Edits {
    root: u64,
    reached: Vec<(Weak<()>, Reached)>,
}

/// A state that a stack has reached by a step, an undo or a redo.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reached {
    /// The step that is done last; 0 before the first one.
    pub(crate) step: u64,
    /// Distinguishes states after the same step; ascends.
    pub(crate) stamp: u64,
}

/// A number that is greater than all before it.
pub(crate) fn next_number() -> u64 {
    static NUMBERS: AtomicU64 = AtomicU64::new(1); // 64 bits never wrap around
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

impl Default for Edits {
    fn default() -> Self {
        Self {
            root: next_number(),
            reached: Vec::new(),
        }
    }
}

impl Edits {
    /// The number of the context, and of those that it was copied from.
    pub(crate) fn root(&self) -> u64 {
        self.root
    }

    /// The state that a stack has reached last.
    pub(crate) fn reached(&self, stack: &Arc<()>) -> Reached {
        let mut reached = self.reached.iter();
        let of_stack = reached.find(|(it, _)| it.as_ptr() == Arc::as_ptr(stack));
        of_stack.map_or(Reached::default(), |&(_, reached)| reached)
    }

    /// A stack has reached a state.
    pub(crate) fn set_reached(&mut self, stack: &Arc<()>, state: Reached) {
        self.reached
            .retain(|(it, _)| it.strong_count() > 0 && it.as_ptr() != Arc::as_ptr(stack));
        self.reached.push((Arc::downgrade(stack), state));
    }
}
