//! One row that is filled from a bundle, value by value.

use crate::storage::columns::lanes::LaneRow;
use crate::words::component::Component;

/// One row, handed from value to value.
#[doc(hidden)]
pub struct RowWriter<'l, C: 'static>(pub(crate) LaneRow<'l, C>);

impl<C: 'static> RowWriter<'_, C> {
    /// Takes the next value of the row.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)] // see `create::with`
    pub fn put<T: Component<C>>(mut self, value: T) -> Self {
        if !self.0.put(value) {
            does_not_fit::<C, T>();
        }
        self
    }
}

#[cold]
pub(crate) fn does_not_fit<C, T>() -> ! {
    let (context, bundle) = (core::any::type_name::<C>(), core::any::type_name::<T>());
    panic!(
        "cannot put `{bundle}` in a row of context `{context}`: `put_in_row` hands over each \
         component that the bundle names, once and in order; leave it to the library"
    )
}
