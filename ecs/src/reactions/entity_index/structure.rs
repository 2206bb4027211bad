//! What an index keeps of its entities by their keys.

use crate::storage::heap::Heap;
use crate::words::entity_id::UntypedId;

/// A structure of entities by key. An entity has the keys that it was given last, so it can be removed without
/// computing them.
///
/// No function but [`insert`](Self::insert) and [`settle`](Self::settle) runs user code.
pub(crate) trait Structure: Heap + Send + Sync + 'static {
    type Key: PartialEq + Send + Sync + 'static;

    /// The keys of an entity, in the order in which they were given.
    fn keys_of(&self, id: UntypedId) -> impl Iterator<Item = &Self::Key>;

    /// Whether an entity has exactly these keys, in this order.
    fn has_keys(&self, id: UntypedId, keys: &[Self::Key]) -> bool {
        self.keys_of(id).eq(keys)
    }

    /// Whether it cannot be given keys now, so that changed entities stay dirty.
    fn is_taken(&self) -> bool {
        false
    }

    /// Gives an entity exactly these keys. If comparing or hashing them panics, nothing has changed.
    fn insert(&mut self, id: UntypedId, keys: impl Iterator<Item = Self::Key>);

    /// Removes an entity.
    fn remove(&mut self, id: UntypedId);

    /// Empties it; returns what is to be dropped.
    fn empty(&mut self) -> impl Sized + 'static + use<Self>;

    /// Drops keys that are no longer used, and does all other work left for when all state is final.
    fn settle(&mut self);

    /// Panics if it is inconsistent, or contains an entity that is not a member of the group.
    #[cfg(any(test, feature = "__checks"))]
    fn check_invariants(&self, is_member: &dyn Fn(UntypedId) -> bool);
}
