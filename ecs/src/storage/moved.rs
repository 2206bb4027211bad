//! Values moved as bytes to a column, a history or a pool, by code that is compiled once for all
//! components.
//!
//! ```text
//! ValueSlot on the stack of a caller that knows the type  ┐
//! Buffer    on the stack, or a box                        ├─► Moved ─► a place of its type
//! ValueList its first value                               ┘         ─► dropped, if not moved on
//! ```

#![expect(
    unsafe_code,
    reason = "moves values whose type is known only at run time"
)]

use alloc::alloc::{alloc, dealloc, handle_alloc_error};
use alloc::boxed::Box;
use core::alloc::Layout;
use core::marker::PhantomData;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr::NonNull;

#[cfg(feature = "serde")]
use crate::formats::packed::Message;
#[cfg(feature = "serde")]
use crate::formats::source::Source;
use crate::storage::descriptor::{AnyValue, ComponentDescriptor, RequiredPart};

/// A value that is moved as bytes. Dropped unless it is moved on.
///
/// Invariant: **`place` points to an initialized value of the descriptor's type that nothing else
/// owns**, in memory that is borrowed for `'a`.
pub(crate) struct Moved<'a> {
    descriptor: &'static ComponentDescriptor,
    place: NonNull<u8>,
    memory: PhantomData<&'a mut u8>,
}

impl Moved<'_> {
    /// Takes ownership of a value.
    ///
    /// # Safety
    ///
    /// The pointer must point to an initialized value of the descriptor's type that is not used
    /// afterwards, in memory that is not used while this exists.
    #[inline]
    pub(crate) unsafe fn new(descriptor: &'static ComponentDescriptor, place: NonNull<u8>) -> Self {
        let memory = PhantomData;
        Self {
            descriptor,
            place,
            memory,
        }
    }

    pub(crate) fn descriptor(&self) -> &'static ComponentDescriptor {
        self.descriptor
    }

    pub(crate) fn view(&self) -> &AnyValue {
        // SAFETY: `place` points to an initialized value (invariant), borrowed as long as `self`.
        unsafe { self.descriptor.view(self.place).as_ref() }
    }

    pub(crate) fn view_mut(&mut self) -> &mut AnyValue {
        // SAFETY: as in `view`, and `&mut self` excludes every other reference.
        unsafe { self.descriptor.view(self.place).as_mut() }
    }

    /// Returns the pointer. The caller must move the bytes.
    #[inline]
    pub(crate) fn into_place(self) -> NonNull<u8> {
        ManuallyDrop::new(self).place
    }

    /// Moves the value to a place.
    ///
    /// # Safety
    ///
    /// The pointer must point to other, uninitialized memory for a value of the descriptor's type.
    #[inline]
    pub(crate) unsafe fn move_to(self, to: NonNull<u8>) {
        let size = self.descriptor.layout.size();
        // SAFETY: `place` has an initialized value of this size, which is given up; the caller
        // guarantees the memory.
        unsafe { self.into_place().copy_to_nonoverlapping(to, size) };
    }

    /// Swaps the value with another one.
    ///
    /// # Safety
    ///
    /// The pointer must point to another value of the descriptor's type, without references to it.
    pub(crate) unsafe fn swap(&mut self, other: NonNull<u8>) {
        let size = self.descriptor.layout.size();
        // SAFETY: both are initialized values of this size without other references.
        unsafe { core::ptr::swap_nonoverlapping(self.place.as_ptr(), other.as_ptr(), size) };
    }

    /// Moves the value into a box.
    pub(crate) fn into_box(self) -> Box<AnyValue> {
        let descriptor = self.descriptor;
        let memory = allocate(descriptor.layout);
        // SAFETY: the memory is new and has the layout of the value, which is initialized before it
        // is viewed. A box gets its memory from the global allocator with the layout of its type.
        unsafe {
            self.move_to(memory);
            Box::from_raw(descriptor.view(memory).as_ptr())
        }
    }
}

impl Drop for Moved<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the value is initialized and owned by `self` (invariant).
        unsafe { self.descriptor.drop_at(self.place) };
    }
}

/// A value of a known type, to be moved on as bytes. Leaked if it is not moved on.
pub(crate) struct ValueSlot<T> {
    value: MaybeUninit<T>,
    is_there: bool,
}

impl<T: 'static> ValueSlot<T> {
    #[inline]
    pub(crate) fn of(value: T) -> Self {
        Self {
            value: MaybeUninit::new(value),
            is_there: true,
        }
    }

    /// Moves the value on.
    ///
    /// # Panics
    ///
    /// Panics if the descriptor is of another type, or if the value was already moved.
    #[inline]
    pub(crate) fn moved(&mut self, descriptor: &'static ComponentDescriptor) -> Moved<'_> {
        let is_right = self.is_there && descriptor.is_for::<T>();
        assert!(is_right, "a value is moved once, with its own type");
        self.is_there = false;
        // SAFETY: the value is initialized, of the descriptor's type, and given up here.
        unsafe {
            let place = NonNull::new_unchecked((&raw mut self.value).cast::<u8>());
            Moved::new(descriptor, place)
        }
    }
}

/// The maximum size in words of a value on the stack.
const SMALL: usize = 8;

/// Memory for one value whose type is known only at run time. On the stack if the value is small.
pub(crate) struct Buffer {
    descriptor: &'static ComponentDescriptor,
    small: MaybeUninit<[u64; SMALL]>,
    large: Option<Heap>,
}

/// Heap memory with its layout.
struct Heap {
    first: NonNull<u8>,
    layout: Layout,
}

impl Drop for Heap {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, unless the size is zero.
        unsafe { free(self.first, self.layout) };
    }
}

impl Buffer {
    /// Creates memory for a value of a component.
    #[inline]
    pub(crate) fn new(descriptor: &'static ComponentDescriptor) -> Self {
        Self {
            descriptor,
            small: MaybeUninit::uninit(),
            large: None,
        }
    }

    /// Returns the memory.
    fn place(&mut self) -> NonNull<u8> {
        let layout = self.descriptor.layout;
        if layout.size() <= size_of_val(&self.small) && layout.align() <= align_of_val(&self.small)
        {
            return NonNull::from(&mut self.small).cast();
        }
        let large = self.large.get_or_insert_with(|| Heap {
            first: allocate(layout),
            layout,
        });
        large.first
    }

    /// Moves a value into the memory, which must be empty.
    ///
    /// # Panics
    ///
    /// Panics if the value is of another component.
    pub(crate) fn fill(&mut self, value: Moved<'_>) -> Moved<'_> {
        assert!(
            value.descriptor() == self.descriptor,
            "the memory is for the value"
        );
        let to = self.place();
        // SAFETY: the memory is large enough for a value of the descriptor's type, and only used
        // here.
        unsafe {
            value.move_to(to);
            Moved::new(self.descriptor, to)
        }
    }

    /// Takes over the memory of a box and returns the value in it, or returns the box if it is of
    /// another component.
    pub(crate) fn unboxed(&mut self, value: Box<AnyValue>) -> Result<Moved<'_>, Box<AnyValue>> {
        if !self.descriptor.is_of(&*value) {
            return Err(value);
        }
        let layout = Layout::for_value(&*value);
        let first = NonNull::from(Box::leak(value)).cast();
        self.large = Some(Heap { first, layout });
        // SAFETY: the value is of the descriptor's type, and the box was leaked.
        Ok(unsafe { Moved::new(self.descriptor, first) })
    }

    /// Reads a value of a version. Runs user code.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn read(
        &mut self,
        version: u32,
        from: &mut dyn Source,
    ) -> Result<Moved<'_>, Message> {
        let descriptor = self.descriptor;
        let read = descriptor.saving.reader(descriptor.names, version)?;
        let to = self.place();
        // SAFETY: the memory is large enough for a value of the descriptor's type. On success it
        // has been written.
        unsafe {
            read(to, from)?;
            Ok(Moved::new(self.descriptor, to))
        }
    }

    /// Clones a value of the component, if it can be cloned.
    pub(crate) fn clone_of(&mut self, value: &AnyValue) -> Option<Moved<'_>> {
        let is_of = self.descriptor.is_of(value);
        let clone = self.descriptor.clone_values.filter(|_| is_of)?;
        let (from, to) = (core::ptr::from_ref(value).cast::<u8>(), self.place());
        // SAFETY: only the bit of the first place is set; the value is of the descriptor's type,
        // and the memory is large enough for another one.
        unsafe { clone(from, to.as_ptr(), 1, &mut 0) };
        // SAFETY: the clone has been written to the memory.
        Some(unsafe { Moved::new(self.descriptor, to) })
    }
}

impl RequiredPart {
    /// Makes a value of the component and passes it to `put`. Runs user code.
    pub(crate) fn make(&self, put: &mut dyn FnMut(Moved<'_>)) {
        let descriptor = self.descriptor;
        // SAFETY: a part passes on values of its descriptor's type, and gives them up.
        self.hand_over(&mut |value| put(unsafe { Moved::new(descriptor, value) }));
    }
}

/// Returns a dangling pointer that is aligned for a layout.
pub(crate) fn dangling(layout: Layout) -> NonNull<u8> {
    let place = core::ptr::without_provenance_mut(layout.align());
    NonNull::new(place).expect("an alignment is never zero")
}

/// Allocates memory, or returns a dangling pointer for a layout of size zero.
pub(crate) fn allocate(layout: Layout) -> NonNull<u8> {
    if layout.size() == 0 {
        return dangling(layout);
    }
    // SAFETY: the size is not zero.
    let memory = unsafe { alloc(layout) };
    NonNull::new(memory).unwrap_or_else(|| handle_alloc_error(layout))
}

/// # Safety
///
/// The memory must have been allocated with this layout, unless its size is zero, and must not be
/// used afterwards.
pub(crate) unsafe fn free(memory: NonNull<u8>, layout: Layout) {
    if layout.size() > 0 {
        // SAFETY: guaranteed by the caller.
        unsafe { dealloc(memory.as_ptr(), layout) };
    }
}
