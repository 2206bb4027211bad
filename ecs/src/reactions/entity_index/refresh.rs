//! The functions that update the entity indexes of a context, and know its type.

#![expect(
    unsafe_code,
    reason = "keeps functions without the type of their context"
)]

use alloc::vec::Vec;
use core::any::TypeId;
use core::mem::transmute;

use super::index::Dirty;
use super::indexes::Indexes;
use crate::matching::group::IndexNumber;
use crate::matching::matcher::GroupEvent;
use crate::storage::columns::Columns;
use crate::storage::heap::heap;
use crate::storage::slots::Slots;
use crate::words::entity_id::UntypedId;

/// Functions that update an index by keys, which are computed once all state is final.
#[repr(C)] // the same for all contexts
pub(crate) struct Reindex<C> {
    /// Computes the keys of dirty entities, and moves those whose keys have changed.
    pub(crate) update: fn(&mut C, IndexNumber, Dirty<'_>),
    /// Panics if the index has other keys of one of these entities.
    #[cfg(any(test, feature = "__checks"))]
    pub(crate) check: fn(&C, IndexNumber, &[UntypedId]),
}

impl<C> Clone for Reindex<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Reindex<C> {}

/// The entity that the relation component of an entity refers to, alive or not.
pub(crate) type Link = fn(&Columns, &Slots, UntypedId) -> Option<UntypedId>;

/// How an index is updated.
pub(crate) enum Refresh {
    /// By keys: a `Reindex<C>`, where the id is that of the context type.
    Keys(Reindex<()>, TypeId),
    /// By targets, immediately with each change.
    Links(Link),
    /// It is a list of changed entities for the flags of a term (`state/terms.rs`).
    Flags,
}

impl Refresh {
    /// By keys, in contexts of type `C`.
    pub(crate) fn by_keys<C: 'static>(keys: Reindex<C>) -> Self {
        // SAFETY: `Reindex` is `repr(C)` and consists of function pointers; `keys` below restores
        // the type before any is called.
        let keys = unsafe { transmute::<Reindex<C>, Reindex<()>>(keys) };
        Self::Keys(keys, TypeId::of::<C>())
    }

    /// The functions that update it, unless it is a relation.
    ///
    /// # Safety
    ///
    /// The index must belong to a context of type `C`.
    #[inline]
    pub(crate) unsafe fn keys<C: 'static>(&self) -> Option<Reindex<C>> {
        let Self::Keys(keys, context) = *self else {
            return None;
        };
        debug_assert!(context == TypeId::of::<C>());
        // SAFETY: created from a `Reindex<C>`, as the caller promises.
        Some(unsafe { transmute::<Reindex<()>, Reindex<C>>(keys) })
    }
}

/// How each index is updated, by number.
pub(crate) struct Refreshes {
    of_indexes: Vec<Refresh>,
}

heap!(Refreshes: of_indexes);

impl Refreshes {
    pub(crate) const fn new() -> Self {
        let of_indexes = Vec::new();
        Self { of_indexes }
    }

    /// Records how a new index is updated. It may reuse the number of a removed one.
    pub(crate) fn add(&mut self, number: IndexNumber, refresh: Refresh) {
        match self.of_indexes.get_mut(number.get()) {
            Some(known) => *known = refresh,
            None => self.of_indexes.push(refresh),
        }
    }

    #[inline]
    pub(crate) fn get(&self, number: IndexNumber) -> Option<&Refresh> {
        self.of_indexes.get(number.get())
    }

    /// Updates the links of relations for an entity whose component was added, replaced or removed.
    pub(crate) fn relink(
        &self,
        indexes: &mut Indexes,
        (id, updates): (UntypedId, &[(IndexNumber, GroupEvent)]),
        (columns, slots): (&Columns, &Slots),
    ) {
        for &(number, event) in updates {
            if let Some(Refresh::Links(target_of)) = self.get(number) {
                let target = match event {
                    GroupEvent::Left => None,
                    GroupEvent::Entered | GroupEvent::Updated => target_of(columns, slots, id),
                };
                let alive = target.filter(|target| slots.is_alive(*target));
                indexes.relink(number, id, alive);
            }
        }
    }

    /// Truncates the list to this number of indexes.
    pub(crate) fn truncate(&mut self, indexes: usize) {
        self.of_indexes.truncate(indexes);
    }
}
