//! What a lookup has found.

use super::buckets::MemberIter;
use crate::words::entity_id::UntypedId;

/// The result of a lookup: the members of a bucket, or a list if there were dirty entities.
#[derive(Clone)]
pub(crate) enum Found<'a> {
    Members(MemberIter<'a>),
    Asked(alloc::vec::IntoIter<UntypedId>),
}

impl Found<'_> {
    pub(crate) fn none() -> Self {
        Self::Members(MemberIter::none())
    }
}

impl Iterator for Found<'_> {
    type Item = UntypedId;

    #[inline]
    fn next(&mut self) -> Option<UntypedId> {
        match self {
            Self::Members(members) => members.next(),
            Self::Asked(ids) => ids.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Members(members) => members.size_hint(),
            Self::Asked(ids) => ids.size_hint(),
        }
    }
}
