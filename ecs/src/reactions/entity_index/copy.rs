//! What an index holds at one moment, without its keys: these are asked for again, for they need not
//! be `Clone`.

use alloc::vec::Vec;

use crate::words::entity_id::EntityId;

/// What an index held.
pub(crate) enum IndexCopy<C> {
    Buckets(BucketsCopy<C>),
    Links(LinksCopy<C>),
}

/// The buckets of an index: by number, the members of each, with which of their keys it is.
pub(crate) struct BucketsCopy<C> {
    pub(super) buckets: Vec<Vec<(EntityId<C>, u32)>>,
    /// The numbers of those that are empty, in the order in which they were freed.
    pub(super) free: Vec<u32>,
}

/// The links of a relation: for each target that has any, its sources.
pub(crate) struct LinksCopy<C> {
    pub(super) lists: Vec<(EntityId<C>, Vec<EntityId<C>>)>,
}

impl<C> IndexCopy<C> {
    /// The entities in the order in which they stand, each with each of its keys. None of links.
    pub(crate) fn ids(&self) -> impl Iterator<Item = EntityId<C>> + '_ {
        let buckets = match self {
            Self::Buckets(copy) => copy.buckets.as_slice(),
            Self::Links(_) => &[],
        };
        buckets.iter().flatten().map(|(id, _)| *id)
    }
}
