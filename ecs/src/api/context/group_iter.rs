//! A read-only iterator of the members of a group.

use core::fmt;

use crate::api::entity::{Entity, Handles};
use crate::matching::group::Group;
use crate::matching::members::Rows;

/// The members of a group, read-only. Returned by [`Group::iter`](crate::Group::iter).
pub struct GroupIter<'a, C> {
    rows: Rows<'a>,
    context: &'a C,
}

impl<'a, C> GroupIter<'a, C> {
    #[inline]
    pub(super) fn new(rows: Rows<'a>, context: &'a C) -> Self {
        Self { rows, context }
    }
}

impl<'a, C: Handles> Iterator for GroupIter<'a, C> {
    type Item = C::Entity<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.next()?;
        Some(Entity::in_row(self.context, row).into())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }
}

impl<C: Handles> ExactSizeIterator for GroupIter<'_, C> {}

impl<C> Clone for GroupIter<'_, C> {
    fn clone(&self) -> Self {
        Self {
            rows: self.rows.clone(),
            context: self.context,
        }
    }
}

impl<C: Handles> fmt::Debug for GroupIter<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = self.context.core().world.slots();
        f.debug_list()
            .entries(self.rows.clone().filter_map(|row| slots.id_in::<C>(row)))
            .finish()
    }
}

/// Implemented by no type: a group contains no entities, its context does.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a group is no iterator: its entities are in the context",
    label = "call `iter` with the context",
    note = "write `for entity in group.iter(&game)`, or `group.for_each(&mut game, |entity| ..)` to change them"
)]
pub trait GroupInLoop {}

/// Makes a `for` loop over the group an error that says what to write instead.
#[doc(hidden)]
impl<C: Handles + GroupInLoop> Iterator for Group<C> {
    type Item = C::Entity<'static>;

    fn next(&mut self) -> Option<Self::Item> {
        None
    }
}

/// Makes a `for` loop over the group an error that says what to write instead.
#[doc(hidden)]
impl<C: Handles + GroupInLoop> Iterator for &Group<C> {
    type Item = C::Entity<'static>;

    fn next(&mut self) -> Option<Self::Item> {
        None
    }
}
