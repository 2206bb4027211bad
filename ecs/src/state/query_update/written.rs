//! The components that a query writes.

use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::registry::index_of;
use crate::words::component::{Component, RawComponentIndex};

/// A component that a query writes.
#[doc(hidden)]
pub struct Written {
    pub(super) component: RawComponentIndex,
    pub(super) descriptor: &'static ComponentDescriptor,
    /// The index of its [`WrittenRows`](super::WrittenRows), if only entities that were written to
    /// count as updated; otherwise all visited ones do.
    pub(super) tracked: Option<usize>,
}

impl Written {
    /// The component `T`, updated in all visited entities.
    pub(crate) fn of<C: 'static, T: Component<C>>() -> Self {
        Self {
            component: index_of::<C, T>(),
            descriptor: const { ComponentDescriptor::of::<C, T>() },
            tracked: None,
        }
    }

    /// Whether only entities that were written to count as updated.
    pub(crate) fn is_tracked(&self) -> bool {
        self.tracked.is_some()
    }

    /// The component `T`, updated in the entities written to; it is the `nth` tracked one of the
    /// query.
    pub(crate) fn tracked<C: 'static, T: Component<C>>(nth: usize) -> Self {
        let tracked = Some(nth);
        Self {
            tracked,
            ..Self::of::<C, T>()
        }
    }
}
