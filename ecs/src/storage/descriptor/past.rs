//! The values that a history keeps of a component, their type known at run time alone: those of
//! before, and those of after, as far as the context has been taken back.
//!
//! ```text
//! behind  [v1, v2, v3] ◄── the value before the last change
//!                          the column: the values of the present
//! ahead   [v6, v5]     ◄── the value after the next change, if it is done again
//! ```
//!
//! Each change of a value is one step: a value goes from one stack to the entity, or from the
//! entity to the other stack, or both. So a step back and a step forward are the same, with the
//! stacks exchanged, and a value is moved, never copied.

#![expect(
    unsafe_code,
    reason = "moves values whose type is known at run time alone"
)]

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::any::Any;
use core::mem::needs_drop;
use core::ptr::NonNull;

use crate::words::direction::Direction;

/// The values of one component that a history keeps.
pub(crate) struct Past<T> {
    behind: VecDeque<T>,
    ahead: VecDeque<T>,
    /// What was ahead until something else was changed, to be dropped when no change is under way.
    cut: VecDeque<T>,
}

/// Values moved out to be dropped: user code.
pub(crate) type Spent = Box<dyn Any + Send + Sync>;

impl<T: Any + Send + Sync> Past<T> {
    pub(crate) fn boxed() -> Box<dyn AnyPast> {
        Box::new(Self {
            behind: VecDeque::new(),
            ahead: VecDeque::new(),
            cut: VecDeque::new(),
        })
    }

    /// Keeps the value before a change that is being recorded.
    #[inline]
    pub(crate) fn push(&mut self, value: T) {
        self.behind.push_back(value);
    }

    /// The stack that a step takes a value from, and the one that it puts one on.
    fn stacks(&mut self, direction: Direction) -> (&mut VecDeque<T>, &mut VecDeque<T>) {
        match direction {
            Direction::Back => (&mut self.behind, &mut self.ahead),
            Direction::Forward => (&mut self.ahead, &mut self.behind),
        }
    }
}

/// The values that a history keeps, steps on them taken by pointers to values of entities.
pub(crate) trait AnyPast: Any + Send + Sync {
    /// Has the value of an entity and the next one of the stack change places.
    ///
    /// # Safety
    ///
    /// The pointer leads to an initialized value of the component.
    unsafe fn exchange(&mut self, direction: Direction, value: NonNull<u8>);

    /// Takes the value of an entity to the stack.
    ///
    /// # Safety
    ///
    /// The pointer leads to an initialized value of the component that nobody uses afterwards.
    unsafe fn take(&mut self, direction: Direction, value: NonNull<u8>);

    /// Gives an entity the next value of the stack; returns whether there is one.
    ///
    /// # Safety
    ///
    /// The pointer leads to memory for a value of the component.
    unsafe fn put(&mut self, direction: Direction, value: NonNull<u8>) -> bool;

    /// How many values of before there are.
    fn len(&self) -> usize;

    /// A value of before, the first one first.
    fn get(&self, place: usize) -> Option<&(dyn Any + Send + Sync)>;

    /// Keeps a value that was moved out of the column.
    fn push_boxed(&mut self, value: Box<dyn Any + Send + Sync>);

    /// Takes the first so many values of before out.
    fn forget(&mut self, count: usize) -> Option<Spent>;

    /// Has nothing ahead. Runs no user code.
    fn cut(&mut self);

    /// Drops what has been cut off. It is gone before the first value is dropped.
    fn drop_cut(&mut self);

    /// The bytes held.
    fn bytes(&self) -> usize;
}

impl<T: Any + Send + Sync> AnyPast for Past<T> {
    unsafe fn exchange(&mut self, direction: Direction, value: NonNull<u8>) {
        let (from, to) = self.stacks(direction);
        if let Some(next) = from.pop_back() {
            // SAFETY: an initialized value of this type is there (the caller's promise); one is
            // put in its place.
            to.push_back(unsafe { value.cast::<T>().replace(next) });
        }
    }

    unsafe fn take(&mut self, direction: Direction, value: NonNull<u8>) {
        let (_, to) = self.stacks(direction);
        to.reserve(1); // so that nothing fails once the value is in two places
        // SAFETY: an initialized value of this type is there, and nobody uses it afterwards (the
        // caller's promise).
        to.push_back(unsafe { value.cast::<T>().read() });
    }

    unsafe fn put(&mut self, direction: Direction, value: NonNull<u8>) -> bool {
        let (from, _) = self.stacks(direction);
        let next = from.pop_back();
        let is_there = next.is_some();
        if let Some(next) = next {
            // SAFETY: memory for a value of this type is there (the caller's promise).
            unsafe { value.cast::<T>().write(next) };
        }
        is_there
    }

    fn len(&self) -> usize {
        self.behind.len()
    }

    fn get(&self, place: usize) -> Option<&(dyn Any + Send + Sync)> {
        self.behind.get(place).map(|value| value as _)
    }

    fn push_boxed(&mut self, value: Box<dyn Any + Send + Sync>) {
        let value: Box<dyn Any> = value;
        if let Ok(value) = value.downcast::<T>() {
            self.push(*value);
        }
    }

    fn forget(&mut self, count: usize) -> Option<Spent> {
        let spent = self.behind.drain(..count.min(self.behind.len()));
        needs_drop::<T>().then(|| Box::new(spent.collect::<Vec<T>>()) as Spent)
    }

    fn cut(&mut self) {
        if needs_drop::<T>() {
            self.cut.append(&mut self.ahead);
        } else {
            self.ahead.clear();
        }
    }

    fn drop_cut(&mut self) {
        self.cut.clear();
    }

    fn bytes(&self) -> usize {
        let values = self.behind.capacity() + self.ahead.capacity() + self.cut.capacity();
        size_of::<Self>() + values * size_of::<T>()
    }
}
