//! Which step each undo stack has done last in the present state of a context.
//!
//! ```text
//! root 3    [ stack A, step 9 │ stack B, step 7 ]    a stack that is not listed has done none since the root
//! ```
//!
//! It is rewound, restored and copied with the context, so a stack notices that the state is not the one
//! that it has left: another of its steps was the last, or none of them. Numbers are never given twice; a
//! context that is created, loaded or reset has a new root.

use alloc::sync::{Arc, Weak};
use alloc::vec::Vec;

use crate::words::atomic::{AtomicU64, Ordering};

#[derive(Clone)]
pub(crate) struct Edits {
    root: u64,
    last: Vec<(Weak<()>, u64)>,
}

/// A number that was never given before.
pub(crate) fn next_number() -> u64 {
    static NUMBERS: AtomicU64 = AtomicU64::new(0); // 64 bits never wrap around
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

impl Default for Edits {
    fn default() -> Self {
        Self {
            root: next_number(),
            last: Vec::new(),
        }
    }
}

impl Edits {
    /// The number of the step that a stack has done last, or the root.
    pub(crate) fn last_of(&self, stack: &Arc<()>) -> u64 {
        let mut last = self.last.iter();
        let of_stack = last.find(|(it, _)| it.as_ptr() == Arc::as_ptr(stack));
        of_stack.map_or(self.root, |&(_, number)| number)
    }

    /// A stack has done a step, or undone those behind it.
    pub(crate) fn set_last(&mut self, stack: &Arc<()>, number: u64) {
        self.last
            .retain(|(it, _)| it.strong_count() > 0 && it.as_ptr() != Arc::as_ptr(stack));
        self.last.push((Arc::downgrade(stack), number));
    }
}
