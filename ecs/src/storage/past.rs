//! The values of a component that a history keeps: those before each change, for undo, and those
//! after each undone change, for redo.
//!
//! ```text
//! undo  [v1, v2, v3] ◄── the value before the last change
//!                        the column: current values
//! redo  [v6, v5]     ◄── the value after the next change to redo
//! ```
//!
//! Each step moves a value from one list to the entity, from the entity to the other list, or both.
//! So undo and redo are the same with the lists swapped, and no value is cloned.

#![expect(
    unsafe_code,
    reason = "moves values whose type is known only at run time"
)]

use alloc::vec::Vec;
use core::mem;
use core::ptr::NonNull;

use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
use crate::storage::heap::heap;
use crate::storage::moved::Moved;
use crate::storage::value_list::{VacantValue, ValueList};

/// The values of one component kept by a history.
pub(crate) struct Past {
    undo: ValueList,
    redo: ValueList,
    /// Former redo lists, discarded by a new change; dropped when no change is in progress.
    cut: Vec<ValueList>,
}

heap!(Past: undo, redo, cut; each cut);

impl Past {
    pub(crate) fn new(descriptor: &'static ComponentDescriptor) -> Self {
        Self {
            undo: ValueList::new(descriptor),
            redo: ValueList::new(descriptor),
            cut: Vec::new(),
        }
    }

    /// Returns the list that a step takes a value from, and the list that it adds one to.
    fn lists(&mut self, direction: Direction) -> (&mut ValueList, &mut ValueList) {
        match direction {
            Direction::Back => (&mut self.undo, &mut self.redo),
            Direction::Forward => (&mut self.redo, &mut self.undo),
        }
    }

    /// Swaps the value of an entity with the next one of the list.
    ///
    /// # Safety
    ///
    /// The pointer must point to an initialized value of the component.
    pub(crate) unsafe fn swap(&mut self, direction: Direction, value: NonNull<u8>) {
        let (from, to) = self.lists(direction);
        if !from.is_empty() {
            // SAFETY: the caller guarantees an initialized value, and another one immediately
            // replaces it.
            unsafe {
                to.push_from(value);
                from.pop_to(value);
            }
        }
    }

    /// Moves the value of an entity to the list.
    ///
    /// # Safety
    ///
    /// The pointer must point to an initialized value of the component that is not used afterwards.
    pub(crate) unsafe fn take(&mut self, direction: Direction, value: NonNull<u8>) {
        let (_, to) = self.lists(direction);
        // SAFETY: guaranteed by the caller.
        unsafe { to.push_from(value) };
    }

    /// Moves the next value of the list to an entity. Returns whether there was one.
    ///
    /// # Safety
    ///
    /// The pointer must point to memory for a value of the component.
    pub(crate) unsafe fn put(&mut self, direction: Direction, value: NonNull<u8>) -> bool {
        let (from, _) = self.lists(direction);
        // SAFETY: guaranteed by the caller.
        unsafe { from.pop_to(value) }
    }

    /// Returns space for a value before a change, if available without allocating.
    ///
    /// # Safety
    ///
    /// `T` must be the type of the component.
    #[inline]
    pub(crate) unsafe fn vacancy<T>(&mut self) -> Option<VacantValue<'_, T>> {
        // SAFETY: guaranteed by the caller.
        unsafe { self.undo.vacancy() }
    }

    /// Records the value before a change.
    pub(crate) fn push(&mut self, value: Moved<'_>) {
        self.undo.push_moved(value);
    }

    /// Records the values before several changes, in order.
    pub(crate) fn push_all(&mut self, values: ValueList) {
        self.undo.append_list(values);
    }

    /// Takes the values for undo out, to be put back with others at the end.
    pub(crate) fn take_undo(&mut self) -> ValueList {
        self.undo.take()
    }

    /// Puts the values for undo back.
    pub(crate) fn put_undo(&mut self, values: ValueList) {
        self.undo = values;
    }

    /// Returns the number of values for undo.
    pub(crate) fn len(&self) -> usize {
        self.undo.len()
    }

    /// Returns a value for undo, oldest first.
    pub(crate) fn get(&self, place: usize) -> Option<&AnyValue> {
        self.undo.get(place)
    }

    /// Removes and returns the oldest `count` values for undo.
    pub(crate) fn forget(&mut self, count: usize) -> ValueList {
        self.undo.take_first(count)
    }

    /// Discards the values for redo. Runs no user code.
    pub(crate) fn cut(&mut self) {
        if !self.redo.is_empty() && !self.redo.forget_plain() {
            self.cut.push(self.redo.take());
        }
    }

    /// Drops the discarded values. They are removed before the first one is dropped.
    pub(crate) fn drop_cut(&mut self) {
        drop(mem::take(&mut self.cut));
    }
}

/// A direction in a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Undo.
    Back,
    /// Redo.
    Forward,
}
