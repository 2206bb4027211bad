//! An index of any type, which is found again without a call.

#![expect(unsafe_code, reason = "a cast after a comparison of types")]

use alloc::boxed::Box;
use core::any::TypeId;
use core::ops::{Deref, DerefMut};

use super::index::AnyIndex;
use crate::storage::heap::heap;

/// A boxed index with its type beside it: comparing it in place takes a quarter of the instructions of
/// `dyn Any::downcast_ref`, which calls the index for its type.
pub(crate) struct TypedIndex {
    /// The type of what the box points to.
    ty: TypeId,
    index: Box<dyn AnyIndex>,
}

impl TypedIndex {
    pub(super) fn new<T: AnyIndex>(index: T) -> Self {
        let ty = TypeId::of::<T>();
        let index = Box::new(index);
        Self { ty, index }
    }

    /// The index, if it has this type.
    #[inline]
    pub(super) fn get<T: AnyIndex>(&self) -> Option<&T> {
        let index = &raw const *self.index;
        // SAFETY: the box points to a `T`, whose type `new` has stored; neither field is changed later.
        (self.ty == TypeId::of::<T>()).then(|| unsafe { &*index.cast::<T>() })
    }

    /// The index, if it has this type.
    #[inline]
    pub(super) fn get_mut<T: AnyIndex>(&mut self) -> Option<&mut T> {
        let index = &raw mut *self.index;
        // SAFETY: as in `get`.
        (self.ty == TypeId::of::<T>()).then(|| unsafe { &mut *index.cast::<T>() })
    }
}

heap!(TypedIndex: index);

impl Deref for TypedIndex {
    type Target = dyn AnyIndex;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &*self.index
    }
}

impl DerefMut for TypedIndex {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.index
    }
}
