//! The living entities of a context, one after the other.

use core::fmt;

use super::Context;
use crate::api::entity::Entity;

/// The living entities of a context, for reading. See [`LookUp::entities`](crate::LookUp::entities).
pub struct Entities<'a, C> {
    context: &'a C,
    next: u32,
    left: usize,
}

impl<'a, C: Context> Entities<'a, C> {
    pub(super) fn new(context: &'a C) -> Self {
        Self {
            context,
            next: 0,
            left: context.len(),
        }
    }
}

impl<'a, C: Context> Iterator for Entities<'a, C> {
    type Item = C::Entity<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        let (id, slot) = self.context.core().slots.next_from::<C>(self.next)?;
        (self.next, self.left) = (id.index() + 1, self.left - 1);
        Some(Entity::new(self.context, slot).into())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<C: Context> ExactSizeIterator for Entities<'_, C> {}

impl<C> Clone for Entities<'_, C> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<C: Context> fmt::Debug for Entities<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.context.core().slots.iter::<C>().map(|(id, _)| id);
        f.debug_list()
            .entries(ids.filter(|id| id.index() >= self.next))
            .finish()
    }
}
