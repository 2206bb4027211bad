//! A list that systems write and a test reads.

use std::mem;
use std::sync::{Arc, Mutex};

/// A list that its clones share.
pub struct Notes<T>(Arc<Mutex<Vec<T>>>);

impl<T> Notes<T> {
    /// Writes a note at the end.
    pub fn push(&self, note: T) {
        self.0.lock().unwrap().push(note);
    }

    /// What has been written since the last time.
    pub fn take(&self) -> Vec<T> {
        mem::take(&mut self.0.lock().unwrap())
    }
}

impl<T> Clone for Notes<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for Notes<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}
