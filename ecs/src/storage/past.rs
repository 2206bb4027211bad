//! The values that a history keeps of a component: those of before, and those of after, as far as
//! the context has been taken back.
//!
//! ```text
//! behind  [v1, v2, v3] ◄── the value before the last change
//!                          the column: the values of the present
//! ahead   [v6, v5]     ◄── the value after the next change, if it is done again
//! ```
//!
//! Each change of a value is one step: a value goes from one list to the entity, or from the
//! entity to the other list, or both. So a step back and a step forward are the same, with the
//! lists exchanged, and a value is moved, never copied.

#![expect(
    unsafe_code,
    reason = "moves values whose type is known at run time alone"
)]

use alloc::vec::Vec;
use core::mem;
use core::ptr::NonNull;

use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
use crate::storage::moved::Moved;
use crate::storage::value_list::{VacantValue, ValueList};
use crate::words::heap_size::heap_size;

/// The values of one component that a history keeps.
pub(crate) struct Past {
    undo: ValueList,
    redo: ValueList,
    /// What was ahead until something else was changed, to be dropped when no change is under way.
    cut: Vec<ValueList>,
}

impl Past {
    pub(crate) fn new(descriptor: &'static ComponentDescriptor) -> Self {
        Self {
            undo: ValueList::new(descriptor),
            redo: ValueList::new(descriptor),
            cut: Vec::new(),
        }
    }

    /// The list that a step takes a value from, and the one that it puts one on.
    fn lists(&mut self, direction: Direction) -> (&mut ValueList, &mut ValueList) {
        match direction {
            Direction::Back => (&mut self.undo, &mut self.redo),
            Direction::Forward => (&mut self.redo, &mut self.undo),
        }
    }

    /// Has the value of an entity and the next one of the list change places.
    ///
    /// # Safety
    ///
    /// The pointer leads to an initialized value of the component.
    pub(crate) unsafe fn swap(&mut self, direction: Direction, value: NonNull<u8>) {
        let (from, to) = self.lists(direction);
        if !from.is_empty() {
            // SAFETY: an initialized value is there (the caller's promise), and another one takes
            // its place at once.
            unsafe {
                to.push_from(value);
                from.pop_to(value);
            }
        }
    }

    /// Takes the value of an entity to the list.
    ///
    /// # Safety
    ///
    /// The pointer leads to an initialized value of the component that nobody uses afterwards.
    pub(crate) unsafe fn take(&mut self, direction: Direction, value: NonNull<u8>) {
        let (_, to) = self.lists(direction);
        // SAFETY: the caller's promise.
        unsafe { to.push_from(value) };
    }

    /// Gives an entity the next value of the list; returns whether there is one.
    ///
    /// # Safety
    ///
    /// The pointer leads to memory for a value of the component.
    pub(crate) unsafe fn put(&mut self, direction: Direction, value: NonNull<u8>) -> bool {
        let (from, _) = self.lists(direction);
        // SAFETY: the caller's promise.
        unsafe { from.pop_to(value) }
    }

    /// Room for a value before a change, if there is any without further ado.
    ///
    /// # Safety
    ///
    /// `T` is the type of the component.
    #[inline]
    pub(crate) unsafe fn vacancy<T>(&mut self) -> Option<VacantValue<'_, T>> {
        // SAFETY: the caller's promise.
        unsafe { self.undo.vacancy() }
    }

    /// Keeps the value before a change that is being recorded.
    pub(crate) fn push(&mut self, value: Moved<'_>) {
        self.undo.push_moved(value);
    }

    /// Keeps a clone of such a value; returns whether it can be cloned.
    pub(crate) fn push_clone(&mut self, value: &AnyValue) -> bool {
        self.undo.push_clone(value)
    }

    /// How many values of before there are.
    pub(crate) fn len(&self) -> usize {
        self.undo.len()
    }

    /// A value of before, the first one first.
    pub(crate) fn get(&self, place: usize) -> Option<&AnyValue> {
        self.undo.get(place)
    }

    /// Takes the first so many values of before out.
    pub(crate) fn forget(&mut self, count: usize) -> ValueList {
        self.undo.take_first(count)
    }

    /// Has nothing ahead. Runs no user code.
    pub(crate) fn cut(&mut self) {
        if !self.redo.is_empty() && !self.redo.forget_plain() {
            self.cut.push(self.redo.take());
        }
    }

    /// Drops what has been cut off. It is gone before the first value is dropped.
    pub(crate) fn drop_cut(&mut self) {
        drop(mem::take(&mut self.cut));
    }

    /// Gives up the room in which nothing is.
    pub(crate) fn trim(&mut self) {
        self.undo.shrink_to_fit();
        self.redo.shrink_to_fit();
        self.cut.iter_mut().for_each(ValueList::shrink_to_fit);
        self.cut.shrink_to_fit();
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let cut: usize = self.cut.iter().map(ValueList::bytes).sum();
        let lists = self.undo.bytes() + self.redo.bytes() + cut;
        size_of::<Self>() + lists + heap_size(&self.cut)
    }
}

/// The way from one moment of a history to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// To an earlier moment: changes are undone.
    Back,
    /// To a later moment: changes that were undone are done again.
    Forward,
}
