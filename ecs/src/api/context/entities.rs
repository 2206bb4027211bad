//! An iterator of the living entities of a context.

use core::fmt;

use crate::api::entity::{Entity, Handles};

/// An iterator of the living entities of a context, read-only.
///
/// See [`Context::entities`](crate::Context::entities).
pub struct Entities<'a, C> {
    context: &'a C,
    next: u32,
    left: usize,
}

impl<'a, C: Handles> Entities<'a, C> {
    pub(super) fn new(context: &'a C) -> Self {
        Self {
            context,
            next: 0,
            left: context.core().world.slots().len(),
        }
    }
}

impl<'a, C: Handles> Iterator for Entities<'a, C> {
    type Item = C::Entity<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        let (id, slot) = self
            .context
            .core()
            .world
            .slots()
            .next_from::<C>(self.next)?;
        (self.next, self.left) = (id.index() + 1, self.left - 1);
        Some(Entity::new(self.context, slot).into())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<C: Handles> ExactSizeIterator for Entities<'_, C> {}

impl<C> Clone for Entities<'_, C> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<C: Handles> fmt::Debug for Entities<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.context.core().world.slots().ids_from(self.next);
        f.debug_list().entries(ids).finish()
    }
}
