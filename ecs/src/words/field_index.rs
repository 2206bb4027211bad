//! What a component says of its indexed fields.

use core::any::Any;
use core::marker::PhantomData;

/// One indexed field of component `T`.
///
/// Made by [`field_index`](crate::__private::field_index) alone.
#[doc(hidden)]
pub struct FieldIndex<T> {
    pub(crate) primary: bool,
    /// How the index is made: a function of the layer that makes indexes, which alone knows
    /// its type.
    pub(crate) install: &'static (dyn Any + Send + Sync),
    /// How a key that is taken is found: likewise.
    pub(crate) find_taken: &'static (dyn Any + Send + Sync),
    pub(crate) component: PhantomData<fn(T) -> T>,
}

/// Whether one of the indexes is a primary one.
pub(crate) const fn has_primary<T>(indexes: &[FieldIndex<T>]) -> bool {
    let mut at = 0;
    while at < indexes.len() {
        if indexes[at].primary {
            return true;
        }
        at += 1;
    }
    false
}
