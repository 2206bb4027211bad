//! A list that systems write and a test reads.

use std::mem;
use std::sync::{Arc, Mutex};

/// A list shared by its clones.
pub struct Notes<T>(Arc<Mutex<Vec<T>>>);

impl<T> Notes<T> {
    /// Appends a note.
    pub fn push(&self, note: T) {
        self.0.lock().unwrap().push(note);
    }

    /// Takes the notes written since the last call.
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
