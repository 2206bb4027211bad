//! How the entity indexes of a context are brought up to date: by functions that know its type.

use alloc::vec::Vec;

use super::indexes::Indexes;
use crate::matching::group::IndexNumber;
use crate::matching::matcher::GroupEvent;
use crate::storage::columns::Columns;
use crate::storage::slots::Slots;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::heap_size::heap_size;

/// Asks an entity that has entered or changed for its keys, and moves it to their buckets.
pub(crate) type Reindex<C> = fn(&mut C, IndexNumber, UntypedId);

/// Asks the entities of a batch for their keys, and moves those that have changed.
pub(crate) type ReindexBatch<C> = fn(&mut C, IndexNumber);

/// Panics if an index holds one of these entities elsewhere than its keys say.
#[cfg(any(test, feature = "__checks"))]
pub(crate) type CheckKeys<C> = fn(&C, IndexNumber, &[UntypedId]);

/// The target that an entity leads to by the component of a relation, whether that is alive or not.
pub(crate) type Link<C> = fn(&Columns<C>, &Slots, UntypedId) -> Option<EntityId<C>>;

/// How one index is brought up to date.
pub(crate) enum Refresh<C> {
    /// By keys, which are asked for when all state is final.
    Keys {
        one: Reindex<C>,
        batch: ReindexBatch<C>,
        #[cfg(any(test, feature = "__checks"))]
        check: CheckKeys<C>,
    },
    /// By targets, which are followed by the way.
    Links(Link<C>),
}

/// How each index is brought up to date, by number.
pub(crate) struct Refreshes<C> {
    of_indexes: Vec<Refresh<C>>,
}

impl<C: 'static> Refreshes<C> {
    pub(crate) const fn new() -> Self {
        let of_indexes = Vec::new();
        Self { of_indexes }
    }

    /// Notes how a new index is brought up to date: the last one of all, or one in the place of another
    /// that has ended.
    pub(crate) fn add(&mut self, number: IndexNumber, refresh: Refresh<C>) {
        match self.of_indexes.get_mut(number.get()) {
            Some(known) => *known = refresh,
            None => self.of_indexes.push(refresh),
        }
    }

    #[inline]
    pub(crate) fn get(&self, number: IndexNumber) -> Option<&Refresh<C>> {
        self.of_indexes.get(number.get())
    }

    /// Has the links of relations follow an entity that has got a component, or another value, or
    /// has lost it.
    pub(crate) fn relink(
        &self,
        indexes: &mut Indexes,
        (id, follow): (UntypedId, &[(IndexNumber, GroupEvent)]),
        (columns, slots): (&Columns<C>, &Slots),
    ) {
        for &(number, event) in follow {
            if let Some(Refresh::Links(target_of)) = self.get(number) {
                let target = match event {
                    GroupEvent::Left => None,
                    GroupEvent::Entered | GroupEvent::Updated => target_of(columns, slots, id),
                };
                let living = target.filter(|target| slots.lives(*target));
                indexes.relink(number, id, living.map(EntityId::untyped));
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
