//! Entity indexes: for each key the entities that have it.
//!
//! An index follows one group. It remembers the buckets of each entity ([`buckets`]), so an
//! entity that leaves the group is taken out without being asked for its keys, which it may
//! not have any more.
//!
//! Keys come from the user's code, which may panic at any time. So an entity that has
//! entered or changed is first put in the *dirty set*, and leaves it when its new keys are in
//! the buckets. After a panic in between it stays there, and lookups ask it for its keys as
//! they are: the answer is right all the same.
//!
//! Who has indexes follow a change is [`state`](crate::state); what users do with them
//! stands in [`context`](crate::Context).

mod ages;
mod buckets;
mod circle;
mod dirty_set;
mod field;
mod index;
mod indexes;
mod journal;
mod links;
mod refresh;

use core::fmt;
use core::marker::PhantomData;

use crate::matching::group::IndexNumber;
use crate::reactions::handle::Watched;

pub(crate) use self::field::DebugKey;
pub use self::field::{Elements, HasElements, IndexKey, Indexed};
pub(crate) use self::index::{Found, Index, KeysOf};
pub(crate) use self::indexes::{IndexCheckpoint, IndexState, Indexes};
pub(crate) use self::journal::IndexCopy;
pub(crate) use self::links::Links;
pub(crate) use self::refresh::{Refresh, Refreshes, Reindex};

/// The entities of a context by a key that a function of your own returns.
///
/// A handle of the context that made it, by [`entity_index`](crate::Context::entity_index) or, for
/// several keys an entity, by [`with_keys`](crate::EntityIndex::with_keys). Every method is given
/// that context again and panics if it is another one. Clones are handles of the same index.
///
/// Dropping the last of them ends the index: it asks no entity for its keys any more, and what it
/// holds is given back when the context makes another index or
/// [shrinks](crate::StorageMut::shrink_to_fit).
///
/// An index is up to date whenever user code runs, observers included: it follows the
/// entities of its matcher as they enter and leave, and moves an entity to its new keys whenever a
/// component in the matcher's all-of or any-of set is added, removed, replaced or updated. The key
/// function should read only these; other components are not watched.
///
/// Entities of one key come in the order in which they came to it; if one leaves,
/// the last one takes its place.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let pieces = Game::all_of::<Cell>().none_of::<Dead>();
/// let cells = game.entity_index(pieces, |e| (e.cell().0, e.cell().1));
/// let id = game.create_with(Cell(3, 4)).id();
/// assert_eq!(cells.single(&game, &(3, 4)).unwrap().id(), id);
/// game.entity_mut(id).update_cell(|cell| cell.0 += 1);
/// assert!(cells.contains(&game, &(4, 4)) && !cells.contains(&game, &(3, 4)));
/// ```
#[must_use = "an index ends when its last handle is dropped"]
pub struct EntityIndex<C, K> {
    pub(crate) instance: u64,
    pub(crate) number: IndexNumber,
    watched: Watched,
    marker: PhantomData<fn() -> (C, K)>,
}

impl<C, K> EntityIndex<C, K> {
    pub(crate) fn new(instance: u64, number: IndexNumber, watched: Watched) -> Self {
        Self {
            instance,
            number,
            watched,
            marker: PhantomData,
        }
    }
}

// By hand, because a derive would ask the same of `C` and `K`.
impl<C, K> Clone for EntityIndex<C, K> {
    fn clone(&self) -> Self {
        Self::new(self.instance, self.number, self.watched.clone())
    }
}

impl<C, K> PartialEq for EntityIndex<C, K> {
    fn eq(&self, other: &Self) -> bool {
        (self.instance, self.number) == (other.instance, other.number)
    }
}

impl<C, K> Eq for EntityIndex<C, K> {}

impl<C, K> core::hash::Hash for EntityIndex<C, K> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (self.instance, self.number).hash(state);
    }
}

impl<C, K> fmt::Debug for EntityIndex<C, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EntityIndex({})", self.number.0)
    }
}
