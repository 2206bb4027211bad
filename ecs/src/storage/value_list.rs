//! A list of values whose type is known at run time alone.
//!
//! ```text
//! memory   ┄┄┄┄┄┄┄│ v │ v │ v │┄┄┄┄┄┄┄
//!                start        end      capacity
//! ```
//!
//! Values are moved in and out as bytes, so one implementation serves all components. They come and
//! go at the end; the first of them go together, and leave room that is used again when there
//! is none at the end.
//!
//! The invariants: **`memory` has room for `capacity` values of the descriptor's type, and those from
//! `start` to `end` are initialized.**

#![expect(
    unsafe_code,
    reason = "owns raw memory, and moves values whose type is known at run time alone"
)]

mod memory;
#[cfg(test)]
mod tests;

use core::any::TypeId;
use core::ptr::NonNull;
use core::slice;

use self::memory::ValueMemory;
use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
#[cfg(feature = "serde")]
use crate::storage::moved::Buffer;
use crate::storage::moved::Moved;
#[cfg(feature = "serde")]
use crate::words::packed::{Message, Packer, Unpacker};
#[cfg(feature = "serde")]
use crate::words::source::Source;

/// How many values the first memory has room for.
const FIRST: usize = 4;

/// A list of values of one component.
pub(crate) struct ValueList {
    descriptor: &'static ComponentDescriptor,
    start: usize,
    end: usize,
    memory: ValueMemory,
}

// SAFETY: a descriptor is one of a type that is `Send` and `Sync` (`ComponentDescriptor::of`), and
// the list owns its values.
unsafe impl Send for ValueList {}
// SAFETY: as above; by a shared reference values are read alone.
unsafe impl Sync for ValueList {}

impl ValueList {
    /// What the values are.
    pub(crate) fn descriptor(&self) -> &'static ComponentDescriptor {
        self.descriptor
    }

    /// An empty list. It takes no memory.
    pub(crate) fn new(descriptor: &'static ComponentDescriptor) -> Self {
        Self {
            descriptor,
            start: 0,
            end: 0,
            memory: ValueMemory::none(descriptor.layout),
        }
    }

    /// How many values there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.memory.layout().size()
    }

    /// A value, the first one at 0.
    pub(crate) fn get(&self, at: usize) -> Option<&AnyValue> {
        if at >= self.len() {
            return None;
        }
        let value = self.memory.at(self.start + at);
        // SAFETY: the place is below `end`, so an initialized value of the descriptor's type is
        // there; it is borrowed as long as `self` is.
        Some(unsafe { self.descriptor.view(value).as_ref() })
    }

    /// All values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &AnyValue> {
        self.iter_from(0)
    }

    /// The values from one on.
    pub(crate) fn iter_from(&self, at: usize) -> impl Iterator<Item = &AnyValue> {
        let (size, count) = (self.descriptor.layout.size(), self.len().saturating_sub(at));
        // SAFETY: the place is in the memory or ends it. Without a value there it is not looked at.
        let first = unsafe { self.descriptor.view(self.memory.at(self.end - count)) }.as_ptr();
        // SAFETY: so many initialized values of the descriptor's type stand one behind the other from
        // there on; they are borrowed as long as `self` is.
        (0..count).map(move |nth| unsafe { &*first.byte_add(nth * size) })
    }

    /// A value, to be changed.
    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut AnyValue> {
        if at >= self.len() {
            return None;
        }
        let value = self.memory.at(self.start + at);
        // SAFETY: as in `get`, and `&mut self` excludes every other reference.
        Some(unsafe { self.descriptor.view(value).as_mut() })
    }

    /// Whether the values are of this type.
    fn is_of<T: 'static>(&self) -> bool {
        self.descriptor.type_id == TypeId::of::<T>()
    }

    /// All values, if they are of this type.
    pub(crate) fn as_slice<T: 'static>(&self) -> Option<&[T]> {
        if !self.is_of::<T>() {
            return None;
        }
        let first = self.memory.at(self.start).cast::<T>();
        // SAFETY: initialized values of the descriptor's type, which is `T`, stand one behind the
        // other from `start` to `end`; they are borrowed as long as `self` is.
        Some(unsafe { slice::from_raw_parts(first.as_ptr(), self.len()) })
    }

    /// Reads a value of a version, and appends it.
    #[cfg(feature = "serde")]
    pub(crate) fn read(&mut self, version: u32, from: &mut dyn Source) -> Result<(), Message> {
        let mut buffer = Buffer::new(self.descriptor); // user code reads, and may panic
        self.push_moved(buffer.read(version, from)?);
        Ok(())
    }

    /// Reads so many values of a version, and appends them; or returns which is wrong.
    #[cfg(feature = "serde")]
    pub(crate) fn unpack(
        &mut self,
        version: u32,
        from: &mut Unpacker<'_>,
        count: usize,
    ) -> Result<(), (usize, Message)> {
        let descriptor = self.descriptor;
        (descriptor.saving.unpack)(version, from, count, &mut |first, end, capacity| {
            let mut memory = ValueMemory::none(descriptor.layout);
            if memory.value.size() > 0 && capacity > 0 {
                (memory.first, memory.capacity) = (first, capacity);
            }
            // The memory is that of a list of values of the descriptor's type, `end` of them
            // initialized, which is ours.
            self.append_list(Self {
                descriptor,
                start: 0,
                end,
                memory,
            });
        })
    }

    /// Appends all values to a column that is being written.
    #[cfg(feature = "serde")]
    pub(crate) fn pack(&self, to: &mut Packer) -> Result<(), Message> {
        let values: Vec<_> = (self.start..self.end)
            .map(|at| self.memory.at(at))
            .collect();
        // SAFETY: initialized values of the descriptor's type are there.
        unsafe { self.descriptor.pack(&values, to) }
    }

    /// Appends the values of another list of the same type: an empty list takes over its memory.
    #[cfg(feature = "serde")]
    fn append_list(&mut self, mut other: Self) {
        if self.is_empty() {
            return *self = other;
        }
        let more = other.len();
        self.reserve(more);
        // SAFETY: room has been made behind the last value for so many of the same type.
        unsafe { other.move_first(more, self.memory.at(self.end)) };
        self.end += more;
    }

    /// Appends a clone of a value, if it is of the descriptor's type and that is `Clone`; returns
    /// whether it is. If the clone panics nothing is appended.
    pub(crate) fn push_clone(&mut self, value: &AnyValue) -> bool {
        let is_of = self.descriptor.is_of(value);
        let Some(clone) = self.descriptor.clone_values.filter(|_| is_of) else {
            return false;
        };
        let (from, place) = (core::ptr::from_ref(value).cast::<u8>(), self.place());
        let mut written = 0;
        // SAFETY: the only bit is that of a block's first value, and the value is one of the
        // descriptor's type; the place has memory for it.
        unsafe { clone(from, place.as_ptr(), 1, &mut written) };
        self.end += written.count_ones() as usize;
        true
    }

    /// Appends clones of values that stand one behind the other, at most 64. If a clone panics, those made
    /// before are there.
    ///
    /// # Safety
    ///
    /// The pointer leads to so many initialized values of the descriptor's type, in other memory.
    pub(crate) unsafe fn push_clones(&mut self, from: NonNull<u8>, count: u32) {
        /// Counts what has been written, also if a clone panics.
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
        // SAFETY: values are at so many places (the caller's promise), and room has been made for as
        // many behind the last one of the list.
        unsafe { clone(from.as_ptr(), to.as_ptr(), places, &mut writing.written) };
    }

    /// Room for another value at the end, if there is any without further ado.
    ///
    /// # Safety
    ///
    /// `T` is the type of the descriptor.
    #[inline]
    pub(crate) unsafe fn vacancy<T>(&mut self) -> Option<VacantValue<'_, T>> {
        let fits = self.end < self.memory.capacity;
        let place = self.memory.at(self.end).cast();
        let end = &mut self.end;
        fits.then_some(VacantValue { place, end })
    }

    /// Appends a value that is moved there as bytes.
    ///
    /// # Safety
    ///
    /// The pointer leads to an initialized value of the descriptor's type that nobody uses
    /// afterwards.
    pub(crate) unsafe fn push_from(&mut self, value: NonNull<u8>) {
        let place = self.place();
        // SAFETY: a value is there (the caller's promise), and the place has memory for it, which
        // is the list's alone.
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

    /// Moves the last value to a place; returns whether there is one.
    ///
    /// # Safety
    ///
    /// The pointer leads to memory for a value of the descriptor's type.
    pub(crate) unsafe fn pop_to(&mut self, place: NonNull<u8>) -> bool {
        if self.is_empty() {
            return false;
        }
        self.end -= 1;
        let value = self.memory.at(self.end);
        // SAFETY: an initialized value was at `end`, and is no longer the list's; the place has
        // memory for it (the caller's promise).
        unsafe { value.copy_to_nonoverlapping(place, self.descriptor.layout.size()) };
        true
    }

    /// The last value, which is the list's no longer.
    pub(crate) fn pop(&mut self) -> Option<Moved<'_>> {
        if self.is_empty() {
            return None;
        }
        self.end -= 1;
        // SAFETY: an initialized value was at `end`, and is no longer the list's, which is borrowed.
        Some(unsafe { Moved::new(self.descriptor, self.memory.at(self.end)) })
    }

    /// The first value, which is the list's no longer.
    pub(crate) fn pop_first(&mut self) -> Option<Moved<'_>> {
        if self.is_empty() {
            return None;
        }
        self.start += 1;
        // SAFETY: an initialized value was at `start`, and is no longer the list's, which is borrowed.
        Some(unsafe { Moved::new(self.descriptor, self.memory.at(self.start - 1)) })
    }

    /// Moves the first values to a place: as many as asked for, or all.
    ///
    /// # Safety
    ///
    /// The pointer leads to other memory, for so many values of the descriptor's type.
    pub(crate) unsafe fn move_first(&mut self, count: usize, place: NonNull<u8>) {
        let count = count.min(self.len());
        let values = self.memory.at(self.start);
        self.start += count;
        // SAFETY: initialized values are there, `count` of them, no longer the list's; there is room
        // for them at the place (the caller's promise).
        unsafe { values.copy_to_nonoverlapping(place, count * self.descriptor.layout.size()) };
    }

    /// Moves the first values out: as many as asked for, or all.
    pub(crate) fn take_first(&mut self, count: usize) -> Self {
        let mut first = Self::new(self.descriptor);
        let count = count.min(self.len());
        first.memory.resize(0..0, count);
        // SAFETY: the other memory has room for `count` values.
        unsafe { self.move_first(count, first.memory.at(0)) };
        first.end = count;
        first
    }

    /// Takes all values out, with their memory.
    pub(crate) fn take(&mut self) -> Self {
        core::mem::replace(self, Self::new(self.descriptor))
    }

    /// Forgets all values if that is all there is to do; returns whether it was.
    pub(crate) fn forget_plain(&mut self) -> bool {
        if !self.descriptor.needs_drop {
            (self.start, self.end) = (0, 0);
        }
        !self.descriptor.needs_drop
    }

    /// Makes room for more values at the end.
    pub(crate) fn reserve(&mut self, more: usize) {
        let (len, free) = (self.len(), self.memory.capacity - self.end);
        if free < more {
            let capacity = len.saturating_add(more);
            self.memory.resize(self.start..self.end, capacity);
            (self.start, self.end) = (0, len);
        }
    }

    /// Gives up the room in which nothing is.
    pub(crate) fn shrink_to_fit(&mut self) {
        let len = self.len();
        if len < self.memory.capacity {
            self.memory.resize(self.start..self.end, len);
            (self.start, self.end) = (0, len);
        }
    }

    /// The place behind the last value.
    #[inline]
    fn place(&mut self) -> NonNull<u8> {
        if self.end == self.memory.capacity {
            self.grow();
        }
        self.memory.at(self.end)
    }

    /// Has room for another value at the end: in other memory, or where the first values were.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let len = self.len();
        if self.start > len {
            let (first, to) = (self.memory.at(self.start), self.memory.at(0));
            // SAFETY: values are there, `len` of them, and as many places before them hold nothing
            // and end before the first.
            unsafe { first.copy_to_nonoverlapping(to, len * self.descriptor.layout.size()) };
        } else {
            let capacity = len.saturating_mul(2).max(FIRST);
            self.memory.resize(self.start..self.end, capacity);
        }
        (self.start, self.end) = (0, len);
    }

    /// Drops the first value; returns whether there was one.
    fn drop_first(&mut self) -> bool {
        if self.is_empty() {
            return false;
        }
        self.start += 1;
        let value = self.memory.at(self.start - 1);
        // SAFETY: an initialized value was at `start`, and is no longer the list's.
        unsafe { self.descriptor.drop_at(value) };
        true
    }
}

/// Memory for a value of the list's type at its end, which is borrowed.
pub(crate) struct VacantValue<'a, T> {
    place: NonNull<T>,
    end: &'a mut usize,
}

impl<T> VacantValue<'_, T> {
    /// Appends the value.
    #[inline]
    pub(crate) fn fill(self, value: T) {
        // SAFETY: `ValueList::vacancy` makes rooms alone, of places that are below the capacity and of the
        // descriptor's type; nobody has changed the list, which is borrowed.
        unsafe { self.place.write(value) };
        *self.end += 1;
    }
}

impl Drop for ValueList {
    fn drop(&mut self) {
        /// Drops what is left, also if a `drop` panics.
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
