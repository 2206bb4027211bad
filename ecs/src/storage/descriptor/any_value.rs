//! Values of components whose type is known at run time alone.

use alloc::boxed::Box;
use core::any::Any;

/// A value whose type is known at run time alone.
pub(crate) type AnyValue = dyn Any + Send + Sync;

/// The value in a box; the box again if it holds another type.
pub(crate) fn unboxed<T: Any>(value: Box<AnyValue>) -> Result<T, Box<AnyValue>> {
    Ok(*value.downcast()?)
}
