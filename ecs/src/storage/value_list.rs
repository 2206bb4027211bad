//! A list of values whose type is known only at run time.
//!
//! ```text
//! memory   ┄┄┄┄┄┄┄│ v │ v │ v │┄┄┄┄┄┄┄
//!                start        end      capacity
//! ```
//!
//! Values are moved in and out as bytes, so one implementation serves all components. Values are
//! pushed and popped at the end. Values at the start are removed in batches; their space is reused
//! when there is none at the end.
//!
//! Invariants: **`memory` has capacity for `capacity` values of the descriptor's type, and those
//! from `start` to `end` are initialized.**

#![expect(
    unsafe_code,
    reason = "owns raw memory, and moves values whose type is known only at run time"
)]

mod memory;
mod moving;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;
use core::slice;

use self::memory::ValueMemory;
#[cfg(feature = "serde")]
use crate::formats::packed::{Message, Packer, Unpacker};
#[cfg(feature = "serde")]
use crate::formats::source::{Source, packed};
use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
use crate::storage::heap::Heap;
#[cfg(feature = "serde")]
use crate::storage::moved::Buffer;
use crate::storage::moved::Moved;
use crate::words::component::Component;
#[cfg(feature = "serde")]
use crate::words::saving::CAUTIOUS;

/// The initial capacity.
const FIRST: usize = 4;

/// A list of values of one component.
pub(crate) struct ValueList {
    descriptor: &'static ComponentDescriptor,
    start: usize,
    end: usize,
    memory: ValueMemory,
}

impl Heap for ValueList {
    fn bytes(&self) -> usize {
        self.memory.layout().size()
    }

    fn trim(&mut self) {
        let len = self.len();
        if len < self.memory.capacity {
            self.memory.resize(self.start..self.end, len);
            (self.start, self.end) = (0, len);
        }
    }
}

// SAFETY: the list owns its values, which are `Send + Sync`, or it stays on one thread (1 and 2 in
// `words/demands.rs`).
unsafe impl Send for ValueList {}
// SAFETY: as above; a shared reference gives only read access to values.
unsafe impl Sync for ValueList {}

impl ValueList {
    pub(crate) fn descriptor(&self) -> &'static ComponentDescriptor {
        self.descriptor
    }

    /// Creates an empty list. Does not allocate.
    pub(crate) fn new(descriptor: &'static ComponentDescriptor) -> Self {
        Self {
            descriptor,
            start: 0,
            end: 0,
            memory: ValueMemory::none(descriptor.layout),
        }
    }

    /// Takes over these values of a component, with their memory.
    pub(crate) fn of<C: 'static, T: Component<C>>(values: Vec<T>) -> Self {
        let mut values = ManuallyDrop::new(values);
        let mut list = Self::new(const { ComponentDescriptor::of::<C, T>() });
        if size_of::<T>() > 0 && values.capacity() > 0 {
            list.memory.first = NonNull::from(values.as_mut_slice()).cast();
            list.memory.capacity = values.capacity();
        }
        list.end = values.len();
        list
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.end - self.start
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn get(&self, at: usize) -> Option<&AnyValue> {
        if at >= self.len() {
            return None;
        }
        let value = self.memory.at(self.start + at);
        // SAFETY: the place is below `end`, so it has an initialized value of the descriptor's
        // type, borrowed as long as `self`.
        Some(unsafe { self.descriptor.view(value).as_ref() })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &AnyValue> {
        self.iter_from(0)
    }

    /// Iterates over the values starting at `at`.
    pub(crate) fn iter_from(&self, at: usize) -> impl Iterator<Item = &AnyValue> {
        let (size, count) = (self.descriptor.layout.size(), self.len().saturating_sub(at));
        // SAFETY: the place is in the memory or at its end. If it has no value it is not read.
        let first = unsafe { self.descriptor.view(self.memory.at(self.end - count)) }.as_ptr();
        // SAFETY: `count` consecutive initialized values of the descriptor's type start there,
        // borrowed as long as `self`.
        (0..count).map(move |nth| unsafe { &*first.byte_add(nth * size) })
    }

    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut AnyValue> {
        if at >= self.len() {
            return None;
        }
        let value = self.memory.at(self.start + at);
        // SAFETY: as in `get`, and `&mut self` excludes other references.
        Some(unsafe { self.descriptor.view(value).as_mut() })
    }

    /// Returns all values, if they are of this type.
    pub(crate) fn as_slice<T: 'static>(&self) -> Option<&[T]> {
        if !self.descriptor.is_for::<T>() {
            return None;
        }
        let first = self.memory.at(self.start).cast::<T>();
        // SAFETY: consecutive initialized values of the descriptor's type, which is `T`, are
        // between `start` and `end`, borrowed as long as `self`.
        Some(unsafe { slice::from_raw_parts(first.as_ptr(), self.len()) })
    }

    /// Reads a value of a version and appends it.
    #[cfg(feature = "serde")]
    pub(crate) fn read(&mut self, version: u32, from: &mut dyn Source) -> Result<(), Message> {
        let mut buffer = Buffer::new(self.descriptor); // reading runs user code, which may panic
        self.push_moved(buffer.read(version, from)?);
        Ok(())
    }

    /// Reads `count` values of a version and appends them. An error includes the position of the
    /// invalid value.
    #[cfg(feature = "serde")]
    pub(crate) fn unpack(
        &mut self,
        version: u32,
        from: &mut Unpacker<'_>,
        count: usize,
    ) -> Result<(), (usize, Message)> {
        let descriptor = self.descriptor;
        let Some(unpack) = descriptor.saving.unpack else {
            return self.unpack_each(version, from, count);
        };
        unpack(version, from, count, &mut |first, end, capacity| {
            let mut memory = ValueMemory::none(descriptor.layout);
            if memory.value.size() > 0 && capacity > 0 {
                (memory.first, memory.capacity) = (first, capacity);
            }
            // The memory comes from a list of values of the descriptor's type, `end` of them
            // initialized, and is owned here.
            self.append_list(Self {
                descriptor,
                start: 0,
                end,
                memory,
            });
        })
    }

    /// Does the same value by value.
    #[cfg(feature = "serde")]
    fn unpack_each(
        &mut self,
        version: u32,
        from: &mut Unpacker<'_>,
        count: usize,
    ) -> Result<(), (usize, Message)> {
        let descriptor = self.descriptor;
        let reader = descriptor.saving.reader(descriptor.names, version);
        reader.map_err(|error| (0, error))?;
        let mut values = Self::new(self.descriptor);
        let bytes = from.left().saturating_mul(CAUTIOUS[0]) + CAUTIOUS[1];
        values.reserve(count.min(bytes / self.descriptor.layout.size().max(1)));
        for at in 0..count {
            let read = values.read(version, &mut packed(from));
            read.map_err(|error| (at, error))?;
        }
        self.append_list(values);
        Ok(())
    }

    /// Appends all values to a column being written.
    #[cfg(feature = "serde")]
    pub(crate) fn pack(&self, to: &mut Packer) -> Result<(), Message> {
        let values: Vec<_> = (self.start..self.end)
            .map(|at| self.memory.at(at))
            .collect();
        // SAFETY: these places have initialized values of the descriptor's type.
        unsafe { self.descriptor.pack(&values, to) }
    }

    /// Appends a clone of a value. Returns `false` if the value is of another type or cannot be
    /// cloned. If the clone panics, nothing is appended.
    pub(crate) fn push_clone(&mut self, value: &AnyValue) -> bool {
        let fits = self.descriptor.is_of(value) && self.descriptor.clone_values.is_some();
        if fits {
            // SAFETY: this is a value of the descriptor's type, in other memory.
            unsafe { self.push_clones(NonNull::from(value).cast(), 1) };
        }
        fits
    }

    /// Appends clones of up to 64 consecutive values. If a clone panics, the previous ones are
    /// kept.
    ///
    /// # Safety
    ///
    /// The pointer must point to `count` initialized values of the descriptor's type, in other
    /// memory.
    pub(crate) unsafe fn push_clones(&mut self, from: NonNull<u8>, count: u32) {
        /// Counts the written values, even if a clone panics.
        struct Writing<'a> {
            list: &'a mut ValueList,
            written: u64,
        }
        impl Drop for Writing<'_> {
            fn drop(&mut self) {
                self.list.end += self.written.count_ones() as usize;
            }
        }
        let Some(clone) = self.descriptor.clone_values else {
            return;
        };
        self.reserve(count as usize);
        let (list, written) = (self, 0);
        let mut writing = Writing { list, written };
        let to = writing.list.memory.at(writing.list.end);
        let places = u64::MAX >> (64 - count);
        // SAFETY: the caller guarantees values at that many places, and space for as many was
        // reserved at the end.
        unsafe { clone(from.as_ptr(), to.as_ptr(), places, &mut writing.written) };
    }

    /// Returns space for another value at the end, if available without allocating.
    ///
    /// # Safety
    ///
    /// `T` must be the type of the descriptor.
    #[inline]
    pub(crate) unsafe fn vacancy<T>(&mut self) -> Option<VacantValue<'_, T>> {
        let fits = self.end < self.memory.capacity;
        let place = self.memory.at(self.end).cast();
        let end = &mut self.end;
        fits.then_some(VacantValue { place, end })
    }

    /// Appends a value by moving its bytes.
    ///
    /// # Safety
    ///
    /// The pointer must point to an initialized value of the descriptor's type that is not used
    /// afterwards.
    pub(crate) unsafe fn push_from(&mut self, value: NonNull<u8>) {
        let place = self.place();
        // SAFETY: the caller guarantees a value, and the place has memory for it that only the list
        // uses.
        unsafe { value.copy_to_nonoverlapping(place, self.descriptor.layout.size()) };
        self.end += 1;
    }

    /// Appends a value, if it is of the descriptor's type.
    pub(crate) fn push_moved(&mut self, value: Moved<'_>) {
        if value.descriptor() == self.descriptor {
            // SAFETY: the value is of the descriptor's type, and given up.
            unsafe { self.push_from(value.into_place()) };
        }
    }

    /// Moves the last value to a place. Returns whether there was one.
    ///
    /// # Safety
    ///
    /// The pointer must point to memory for a value of the descriptor's type.
    pub(crate) unsafe fn pop_to(&mut self, place: NonNull<u8>) -> bool {
        if self.is_empty() {
            return false;
        }
        self.end -= 1;
        let value = self.memory.at(self.end);
        // SAFETY: the place has an initialized value that the list no longer owns; the caller
        // guarantees memory for it.
        unsafe { value.copy_to_nonoverlapping(place, self.descriptor.layout.size()) };
        true
    }

    /// Removes and returns the last value.
    pub(crate) fn pop(&mut self) -> Option<Moved<'_>> {
        if self.is_empty() {
            return None;
        }
        self.end -= 1;
        // SAFETY: the place has an initialized value that the list, which stays borrowed, no longer
        // owns.
        Some(unsafe { Moved::new(self.descriptor, self.memory.at(self.end)) })
    }

    /// Removes and returns the first value.
    pub(crate) fn pop_first(&mut self) -> Option<Moved<'_>> {
        if self.is_empty() {
            return None;
        }
        self.start += 1;
        // SAFETY: the place has an initialized value that the list, which stays borrowed, no longer
        // owns.
        Some(unsafe { Moved::new(self.descriptor, self.memory.at(self.start - 1)) })
    }

    /// Removes all values if they need no drop. Returns whether it did.
    pub(crate) fn forget_plain(&mut self) -> bool {
        if !self.descriptor.needs_drop {
            (self.start, self.end) = (0, 0);
        }
        !self.descriptor.needs_drop
    }

    /// Reserves capacity for more values at the end. At least doubles the number of values, so that
    /// many small reservations take linear time.
    pub(crate) fn reserve(&mut self, more: usize) {
        let (len, free) = (self.len(), self.memory.capacity - self.end);
        if free < more {
            let capacity = len.saturating_add(more.max(len));
            self.memory.resize(self.start..self.end, capacity);
            (self.start, self.end) = (0, len);
        }
    }

    /// Returns the place after the last value.
    #[inline]
    fn place(&mut self) -> NonNull<u8> {
        if self.end == self.memory.capacity {
            self.grow();
        }
        self.memory.at(self.end)
    }

    /// Makes space for another value at the end: in new memory, or where the first values were.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let len = self.len();
        if self.start > len {
            let (first, to) = (self.memory.at(self.start), self.memory.at(0));
            // SAFETY: there are `len` values, and as many empty places before them, which do not
            // overlap them.
            unsafe { first.copy_to_nonoverlapping(to, len * self.descriptor.layout.size()) };
        } else {
            let capacity = len.saturating_mul(2).max(FIRST);
            self.memory.resize(self.start..self.end, capacity);
        }
        (self.start, self.end) = (0, len);
    }

    /// Drops the first value. Returns whether there was one.
    fn drop_first(&mut self) -> bool {
        if self.is_empty() {
            return false;
        }
        self.start += 1;
        let value = self.memory.at(self.start - 1);
        // SAFETY: the place has an initialized value that the list no longer owns.
        unsafe { self.descriptor.drop_at(value) };
        true
    }
}

/// Space for a value at the end of a borrowed list.
pub(crate) struct VacantValue<'a, T> {
    place: NonNull<T>,
    end: &'a mut usize,
}

impl<T> VacantValue<'_, T> {
    #[inline]
    pub(crate) fn fill(self, value: T) {
        // SAFETY: only `ValueList::vacancy` makes these, with a place below the capacity and the
        // descriptor's type; the list is borrowed, so it has not changed.
        unsafe { self.place.write(value) };
        *self.end += 1;
    }
}

impl Drop for ValueList {
    fn drop(&mut self) {
        /// Drops the rest, even if a `drop` panics.
        struct Rest<'a>(&'a mut ValueList);
        impl Drop for Rest<'_> {
            fn drop(&mut self) {
                while self.0.drop_first() {}
            }
        }
        if self.descriptor.needs_drop {
            let rest = Rest(self);
            while rest.0.drop_first() {}
        }
    }
}
