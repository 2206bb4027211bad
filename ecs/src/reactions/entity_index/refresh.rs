//! How the entity indexes of a context are brought up to date: by functions that know its type.

#![expect(
    unsafe_code,
    reason = "keeps functions without the type of their context"
)]

use alloc::vec::Vec;
use core::any::TypeId;
use core::mem::transmute;

use super::indexes::Indexes;
use crate::matching::group::IndexNumber;
use crate::matching::matcher::GroupEvent;
use crate::storage::columns::Columns;
use crate::storage::slots::Slots;
use crate::words::entity_id::UntypedId;
use crate::words::heap_size::heap_size;

/// How an index is brought up to date by keys, which are asked for when all state is final.
#[repr(C)] // for all contexts alike
pub(crate) struct Reindex<C> {
    /// Asks an entity that has entered or changed for its keys, and moves it to their buckets.
    pub(crate) one: fn(&mut C, IndexNumber, UntypedId),
    /// Asks the entities of a batch for their keys, and moves those that have changed.
    pub(crate) batch: fn(&mut C, IndexNumber),
    /// Panics if an index holds one of these entities elsewhere than its keys say.
    #[cfg(any(test, feature = "__checks"))]
    pub(crate) check: fn(&C, IndexNumber, &[UntypedId]),
}

impl<C> Clone for Reindex<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Reindex<C> {}

/// The target that an entity refers to by the component of a relation, whether that is alive or not.
pub(crate) type Link = fn(&Columns, &Slots, UntypedId) -> Option<UntypedId>;

/// How one index is brought up to date.
pub(crate) enum Refresh {
    /// By keys, as a `Reindex<C>` for contexts of the type that the id names.
    Keys(Reindex<()>, TypeId),
    /// By targets, which are followed by the way.
    Links(Link),
}

impl Refresh {
    /// By keys, in contexts of type `C`.
    pub(crate) fn by_keys<C: 'static>(keys: Reindex<C>) -> Self {
        // SAFETY: function pointers of one size; `keys` below gives them their type back before one
        // is called.
        let keys = unsafe { transmute::<Reindex<C>, Reindex<()>>(keys) };
        Self::Keys(keys, TypeId::of::<C>())
    }

    /// The functions by which it is brought up to date, unless it is a relation.
    ///
    /// # Safety
    ///
    /// The index is one of a context of type `C`.
    #[inline]
    pub(crate) unsafe fn keys<C: 'static>(&self) -> Option<Reindex<C>> {
        let Self::Keys(keys, context) = *self else {
            return None;
        };
        debug_assert!(context == TypeId::of::<C>());
        // SAFETY: they were made of a `Reindex<C>`, as the caller promises.
        Some(unsafe { transmute::<Reindex<()>, Reindex<C>>(keys) })
    }
}

/// How each index is brought up to date, by number.
pub(crate) struct Refreshes {
    of_indexes: Vec<Refresh>,
}

impl Refreshes {
    pub(crate) const fn new() -> Self {
        let of_indexes = Vec::new();
        Self { of_indexes }
    }

    /// Notes how a new index is brought up to date: the last one of all, or one in the place of another
    /// that has ended.
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

    /// Has the links of relations follow an entity that has got a component, or another value, or
    /// has lost it.
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

    /// Gives up what is known of indexes behind so many.
    pub(crate) fn trim(&mut self, indexes: usize) {
        self.of_indexes.truncate(indexes);
        self.of_indexes.shrink_to_fit();
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        heap_size(&self.of_indexes)
    }
}
