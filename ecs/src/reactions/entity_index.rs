//! Entity indexes: the entities of each key.
//!
//! An index subscribes to one group. Its [`structure`] stores the keys of each entity, so an
//! entity that leaves the group is removed without computing its keys, which it may no longer have.
//! What is found depends on the present keys alone, so nothing is recorded to undo it: a rewind updates the entities
//! that it has changed. Only the [`links`] of relations have an order of their own.
//!
//! Keys are computed by user code, which may panic at any time. So an entity that entered or
//! changed is first put in the *dirty set*, and leaves it when its new keys are in the structure.
//! After a panic it stays there, and lookups compute its current keys. So the result is correct in
//! any case.
//!
//! [`state`](crate::state) calls indexes when entities change; the methods for users are in
//! [`context`](crate::Context).

mod ages;
mod buckets;
mod circle;
mod dirty_set;
mod field;
mod flags;
mod found;
mod index;
mod indexes;
mod journal;
mod kept;
mod links;
mod refresh;
mod structure;
mod typed;

use core::fmt;
use core::marker::PhantomData;

use crate::matching::group::IndexNumber;
use crate::reactions::handle::Watched;

pub(crate) use self::buckets::Buckets;
pub(crate) use self::field::DebugKey;
pub use self::field::{Elements, HasElements, IndexKey, Indexed, Structured};
pub(crate) use self::flags::{ChangedLinks, ChangedMembers, Flag};
pub(crate) use self::found::Found;
pub(crate) use self::index::{AnyIndex, Dirty, KeyIndex, KeysOf};
pub(crate) use self::indexes::{IndexState, Indexes, LinksCheckpoint};
pub(crate) use self::journal::LinksCopy;
pub use self::kept::Index;
pub(crate) use self::kept::Kept;
pub(crate) use self::links::{LinkMove, Links, MovesStart};
pub(crate) use self::refresh::{Refresh, Refreshes, Reindex};
pub(crate) use self::structure::Structure;

/// The entities of a context by a key that a function of yours returns.
///
/// A handle of the context that created it, by [`entity_index`](crate::Context::entity_index) or,
/// with several keys per entity, by [`with_keys`](crate::EntityIndex::with_keys). Every method
/// takes that context and panics if given another one. Clones are handles of the same index.
///
/// Dropping the last handle ends the index: it computes no more keys, and its memory is freed when
/// the context creates another index or [shrinks](crate::StorageMut::shrink_to_fit).
///
/// An index is up to date whenever user code runs, including observers: it contains the entities of
/// its matcher, and updates the keys of an entity when a component in the matcher's all-of or
/// any-of set is added, removed, replaced or updated. The key function must read only these components of this entity:
/// the index does not notice changes of others. In builds with debug assertions it panics if it reads another component,
/// unique ones included; to make a key of a component that an entity may lack, name it as in
/// `Game::all_of::<Cell>().any_of::<(Cell, Team)>()`.
///
/// Entities with the same key are in ascending order of their ids' [`index`](crate::EntityId::index), whatever
/// happened before; so a context that was loaded or rewound finds them in the same order.
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
#[must_use = "the index is removed when its last handle is dropped"]
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

// Not derived, because that would require the same of `C` and `K`.
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

/// A structure that a context keeps up to date, by [`index_with`](crate::Context::index_with).
///
/// A handle of the context that created it; clones are handles of the same structure. Dropping the last one ends the
/// updates; the structure is dropped when the context creates another index or
/// [shrinks](crate::StorageMut::shrink_to_fit).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let ranking = game.index_with(Game::all_of::<Health>(), |e| e.health().0, ecs::Ordered::new());
/// let ids = game.create_many([Health(5), Health(9), Health(7)]);
/// assert!(ranking.get(&game).iter().map(|(_, id)| id).eq([ids[0], ids[2], ids[1]]));
/// ```
#[must_use = "the index is removed when its last handle is dropped"]
pub struct IndexHandle<C, I> {
    pub(crate) instance: u64,
    pub(crate) number: IndexNumber,
    watched: Watched,
    marker: PhantomData<fn() -> (C, I)>,
}

impl<C, I> IndexHandle<C, I> {
    pub(crate) fn new(instance: u64, number: IndexNumber, watched: Watched) -> Self {
        Self {
            instance,
            number,
            watched,
            marker: PhantomData,
        }
    }
}

// Not derived, because that would require the same of `C` and `I`.
impl<C, I> Clone for IndexHandle<C, I> {
    fn clone(&self) -> Self {
        Self::new(self.instance, self.number, self.watched.clone())
    }
}

impl<C, I> fmt::Debug for IndexHandle<C, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IndexHandle({})", self.number.0)
    }
}
