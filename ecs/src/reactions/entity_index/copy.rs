//! What an index holds at one moment, without its keys: these are asked for again, for they need not
//! be `Clone`.

use alloc::vec::Vec;

use crate::words::entity_id::UntypedId;

/// What an index held.
pub(crate) enum IndexCopy {
    Buckets(BucketsCopy),
    Links(LinksCopy),
}

/// The buckets of an index: by number, the members of each, with which of their keys it is.
pub(crate) struct BucketsCopy {
    pub(super) buckets: Vec<Vec<(UntypedId, u32)>>,
    /// The numbers of those that are empty, in the order in which they were freed.
    pub(super) free: Vec<u32>,
    /// Those who are in no bucket, behind a panic: they are to be asked for their keys.
    pub(super) dirty: Vec<UntypedId>,
}

/// The links of a relation: for each target that has any, its sources.
pub(crate) struct LinksCopy {
    pub(super) lists: Vec<(UntypedId, Vec<UntypedId>)>,
}

impl IndexCopy {
    /// The entities that whoever looks a key up asks for theirs.
    pub(crate) fn dirty(&self) -> &[UntypedId] {
        match self {
            Self::Buckets(copy) => &copy.dirty,
            Self::Links(_) => &[],
        }
    }

    /// The entities in the order in which they stand, each with each of its keys, or with its target.
    pub(crate) fn ids(&self) -> impl Iterator<Item = UntypedId> + '_ {
        let (buckets, lists) = match self {
            Self::Buckets(copy) => (copy.buckets.as_slice(), &[][..]),
            Self::Links(copy) => (&[][..], copy.lists.as_slice()),
        };
        let keyed = buckets.iter().flatten().map(|(id, _)| *id);
        keyed.chain(lists.iter().flat_map(|(_, sources)| sources).copied())
    }
}
