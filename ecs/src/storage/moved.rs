//! Values on their way, as bytes: from whoever has made them to a place in a column, in the past or
//! in a pool, by code that is compiled once for all components.
//!
//! ```text
//! Slot<T>   on the stack of a caller that knows the type  ┐
//! Buffer    on the stack, or a box                        ├─► Moved ─► a place of its type
//! ValueList the first of a list                           ┘         ─► dropped, if none takes it
//! ```

#![expect(
    unsafe_code,
    reason = "moves values whose type is known at run time alone"
)]

use alloc::alloc::{alloc, dealloc, handle_alloc_error};
use alloc::boxed::Box;
use core::alloc::Layout;
use core::any::TypeId;
use core::marker::PhantomData;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::num::NonZeroUsize;
use core::ptr::NonNull;

use crate::storage::descriptor::{AnyValue, ComponentDescriptor, RequiredPart};
#[cfg(feature = "serde")]
use crate::words::packed::Message;
#[cfg(feature = "serde")]
use crate::words::source::Source;

/// A value that is moved as bytes: it is dropped unless somebody takes it.
///
/// The invariant: **`place` leads to an initialized value of the descriptor's type that is nobody
/// else's**, in memory that is borrowed for `'a`.
pub(crate) struct Moved<'a> {
    descriptor: &'static ComponentDescriptor,
    place: NonNull<u8>,
    memory: PhantomData<&'a mut u8>,
}

impl Moved<'_> {
    /// Takes over a value.
    ///
    /// # Safety
    ///
    /// The pointer leads to an initialized value of the descriptor's type that nobody uses afterwards,
    /// in memory that nobody else uses as long as this lives.
    #[inline]
    pub(crate) unsafe fn new(descriptor: &'static ComponentDescriptor, place: NonNull<u8>) -> Self {
        let memory = PhantomData;
        Self {
            descriptor,
            place,
            memory,
        }
    }

    /// What the value is.
    pub(crate) fn descriptor(&self) -> &'static ComponentDescriptor {
        self.descriptor
    }

    /// The value.
    pub(crate) fn view(&self) -> &AnyValue {
        // SAFETY: an initialized value is there (see above), borrowed as long as `self` is.
        unsafe { self.descriptor.view(self.place).as_ref() }
    }

    /// The value, to be changed.
    pub(crate) fn view_mut(&mut self) -> &mut AnyValue {
        // SAFETY: as in `view`, and `&mut self` excludes every other reference.
        unsafe { self.descriptor.view(self.place).as_mut() }
    }

    /// Gives the value up to the caller, who moves the bytes.
    #[inline]
    pub(crate) fn into_place(self) -> NonNull<u8> {
        ManuallyDrop::new(self).place
    }

    /// Moves the value to a place.
    ///
    /// # Safety
    ///
    /// The pointer leads to other memory, for a value of the descriptor's type, where none is.
    #[inline]
    pub(crate) unsafe fn move_to(self, to: NonNull<u8>) {
        let size = self.descriptor.layout.size();
        // SAFETY: a value of this size is there, which is given up; there is room for it (the caller's
        // promise).
        unsafe { self.into_place().copy_to_nonoverlapping(to, size) };
    }

    /// Has the value and another one change places.
    ///
    /// # Safety
    ///
    /// The pointer leads to another value of the descriptor's type, of which there is no reference.
    pub(crate) unsafe fn swap(&mut self, other: NonNull<u8>) {
        let size = self.descriptor.layout.size();
        // SAFETY: both are initialized values of this size, and nobody has a reference to either.
        unsafe { core::ptr::swap_nonoverlapping(self.place.as_ptr(), other.as_ptr(), size) };
    }

    /// Moves the value into a box.
    pub(crate) fn into_box(self) -> Box<AnyValue> {
        let descriptor = self.descriptor;
        let memory = allocate(descriptor.layout);
        // SAFETY: the memory is new and of the layout of the value, which is there when it is viewed;
        // a box of a value has its memory from the global allocator, by the layout of its type.
        unsafe {
            self.move_to(memory);
            Box::from_raw(descriptor.view(memory).as_ptr())
        }
    }
}

impl Drop for Moved<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the value is initialized, and nobody else's (see above).
        unsafe { self.descriptor.drop_at(self.place) };
    }
}

/// A value of a known type that is to be moved on as bytes at once: if it is not, it is leaked.
pub(crate) struct Slot<T> {
    value: MaybeUninit<T>,
    is_there: bool,
}

impl<T: 'static> Slot<T> {
    #[inline]
    pub(crate) fn of(value: T) -> Self {
        Self {
            value: MaybeUninit::new(value),
            is_there: true,
        }
    }

    /// The value, to be moved on.
    ///
    /// # Panics
    ///
    /// Panics if the descriptor is that of another type, or the value has been moved on.
    #[inline]
    pub(crate) fn moved(&mut self, descriptor: &'static ComponentDescriptor) -> Moved<'_> {
        let is_right = self.is_there && descriptor.type_id == const { TypeId::of::<T>() };
        assert!(is_right, "a value is moved on once, as what it is");
        self.is_there = false;
        // SAFETY: the value is there, is of the descriptor's type, and is given up here.
        unsafe {
            let place = NonNull::new_unchecked((&raw mut self.value).cast::<u8>());
            Moved::new(descriptor, place)
        }
    }
}

/// How many words a value has at most that is kept on the stack.
const SMALL: usize = 8;

/// Memory for one value whose type is known at run time alone: on the stack, if the value is small.
pub(crate) struct Buffer {
    descriptor: &'static ComponentDescriptor,
    small: MaybeUninit<[u64; SMALL]>,
    large: Option<Heap>,
}

/// Memory of a layout.
struct Heap {
    first: NonNull<u8>,
    layout: Layout,
}

impl Drop for Heap {
    fn drop(&mut self) {
        // SAFETY: it was allocated by this layout, if it has a size.
        unsafe { free(self.first, self.layout) };
    }
}

impl Buffer {
    /// Memory for a value of a component.
    #[inline]
    pub(crate) fn new(descriptor: &'static ComponentDescriptor) -> Self {
        Self {
            descriptor,
            small: MaybeUninit::uninit(),
            large: None,
        }
    }

    /// The memory.
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

    /// Moves a value into the memory, where there must be none.
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
        // SAFETY: the memory has room for a value of the descriptor's type, and is this one's alone.
        unsafe {
            value.move_to(to);
            Moved::new(self.descriptor, to)
        }
    }

    /// The value in a box, whose memory is this from now on. Nothing if it is of another component,
    /// whose box comes back.
    pub(crate) fn unboxed(&mut self, value: Box<AnyValue>) -> Result<Moved<'_>, Box<AnyValue>> {
        if !self.descriptor.is_of(&*value) {
            return Err(value);
        }
        let layout = Layout::for_value(&*value);
        let first = NonNull::from(Box::leak(value)).cast();
        self.large = Some(Heap { first, layout });
        // SAFETY: the value is of the descriptor's type, and given up by its box.
        Ok(unsafe { Moved::new(self.descriptor, first) })
    }

    /// A value of a version, which is read: user code.
    #[cfg(feature = "serde")]
    pub(crate) fn read(
        &mut self,
        version: u32,
        from: &mut dyn Source,
    ) -> Result<Moved<'_>, Message> {
        let to = self.place();
        // SAFETY: there is memory for a value of the descriptor's type. If none is returned as an error
        // it has been written there.
        unsafe {
            (self.descriptor.saving.read)(to, version, from)?;
            Ok(Moved::new(self.descriptor, to))
        }
    }

    /// A clone of a value of the component, if that can be cloned.
    pub(crate) fn clone_of(&mut self, value: &AnyValue) -> Option<Moved<'_>> {
        let is_of = self.descriptor.is_of(value);
        let clone = self.descriptor.clone_values.filter(|_| is_of)?;
        let (from, to) = (core::ptr::from_ref(value).cast::<u8>(), self.place());
        // SAFETY: the only bit is that of a block's first value; the value is one of the descriptor's
        // type, and the memory has room for another one.
        unsafe { clone(from, to.as_ptr(), 1, &mut 0) };
        // SAFETY: the clone has been written there.
        Some(unsafe { Moved::new(self.descriptor, to) })
    }
}

impl RequiredPart {
    /// Makes a value of the component, and hands it over: user code.
    pub(crate) fn make(&self, put: &mut dyn FnMut(Moved<'_>)) {
        let descriptor = self.descriptor;
        // SAFETY: a part hands over values of its descriptor's type, and leaves them to us.
        self.hand_over(&mut |value| put(unsafe { Moved::new(descriptor, value) }));
    }
}

/// Some place that is aligned for a layout.
pub(crate) fn dangling(layout: Layout) -> NonNull<u8> {
    let align = NonZeroUsize::new(layout.align()).expect("an alignment is a power of two");
    NonNull::without_provenance(align)
}

/// Memory of a layout; if it has no size, some place that is aligned for it.
pub(crate) fn allocate(layout: Layout) -> NonNull<u8> {
    if layout.size() == 0 {
        return dangling(layout);
    }
    // SAFETY: the layout has a size.
    let memory = unsafe { alloc(layout) };
    NonNull::new(memory).unwrap_or_else(|| handle_alloc_error(layout))
}

/// # Safety
///
/// The memory was allocated by this layout, if that has a size, and nobody uses it afterwards.
pub(crate) unsafe fn free(memory: NonNull<u8>, layout: Layout) {
    if layout.size() > 0 {
        // SAFETY: the caller's promise.
        unsafe { dealloc(memory.as_ptr(), layout) };
    }
}
