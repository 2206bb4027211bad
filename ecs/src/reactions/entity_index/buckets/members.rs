//! The entities of a key, in the order of their slots.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::storage::heap::Heap;
use crate::storage::sorted::{Items, Sorted};
use crate::words::entity_id::UntypedId;

/// The most entities in one list.
const FEW: usize = 256;

/// A set of entities; at most one for each slot.
pub(super) enum Members {
    One(UntypedId),
    Few(Vec<UntypedId>),
    Many(Box<Sorted<UntypedId>>),
}

/// The entities of a set, in order.
#[derive(Clone)]
pub(crate) enum MemberIter<'a> {
    Few(core::slice::Iter<'a, UntypedId>),
    Many(Items<'a, UntypedId>),
}

impl Heap for Members {
    fn bytes(&self) -> usize {
        match self {
            Self::One(_) => 0,
            Self::Few(list) => list.bytes(),
            Self::Many(list) => size_of::<Sorted<UntypedId>>() + list.bytes(),
        }
    }

    fn trim(&mut self) {
        match self {
            Self::One(_) => {}
            Self::Few(list) => list.trim(),
            Self::Many(list) => list.trim(),
        }
    }
}

impl Default for Members {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl Members {
    pub(super) fn is_empty(&self) -> bool {
        self.iter().len() == 0
    }

    #[inline]
    pub(super) fn iter(&self) -> MemberIter<'_> {
        match self {
            Self::One(id) => MemberIter::Few(core::slice::from_ref(id).iter()),
            Self::Few(list) => MemberIter::Few(list.iter()),
            Self::Many(list) => MemberIter::Many(list.iter()),
        }
    }

    /// Adds an entity that is not a member.
    pub(super) fn insert(&mut self, id: UntypedId) {
        match self {
            Self::Few(list) if list.capacity() == 0 => *self = Self::One(id),
            Self::One(other) => {
                let mut list = Vec::with_capacity(4);
                list.push(*other);
                *self = Self::Few(list);
                self.insert(id);
            }
            Self::Few(list) if list.len() < FEW => {
                let at = list.partition_point(|other| other.index() < id.index());
                list.insert(at, id);
            }
            Self::Few(list) => {
                let many = Sorted::of_block(core::mem::take(list));
                *self = Self::Many(Box::new(many));
                self.insert(id);
            }
            Self::Many(list) => {
                let place = list.find(|other| other.index().cmp(&id.index()));
                list.insert(place.unwrap_or_else(|place| place), id);
            }
        }
    }

    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(&self) {
        if let Self::Many(list) = self {
            list.check_invariants();
        }
    }

    /// Removes the member in the slot of `id`.
    pub(super) fn remove(&mut self, id: UntypedId) {
        match self {
            Self::One(_) => *self = Self::default(),
            Self::Few(list) => {
                if let Ok(at) = list.binary_search_by_key(&id.index(), |other| other.index()) {
                    list.remove(at);
                }
            }
            Self::Many(list) => {
                if let Ok(place) = list.find(|other| other.index().cmp(&id.index())) {
                    list.remove(place);
                }
                if list.len() < FEW / 2 {
                    *self = Self::Few(list.iter().copied().collect());
                }
            }
        }
    }
}

impl MemberIter<'_> {
    pub(crate) fn none() -> Self {
        Self::Few([].iter())
    }
}

impl Iterator for MemberIter<'_> {
    type Item = UntypedId;

    #[inline]
    fn next(&mut self) -> Option<UntypedId> {
        match self {
            Self::Few(list) => list.next().copied(),
            Self::Many(list) => list.next().copied(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Few(list) => list.size_hint(),
            Self::Many(list) => list.size_hint(),
        }
    }
}

impl ExactSizeIterator for MemberIter<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(slot: u32) -> UntypedId {
        UntypedId::try_new(slot, 1).unwrap()
    }

    #[test]
    fn members_are_in_order_however_many_there_are() {
        let mut members = Members::default();
        let slots = |count: u32| (0..count).map(move |nth| nth * 7 % count);
        for slot in slots(1000) {
            members.insert(id(slot));
        }
        assert!(matches!(members, Members::Many(_)));
        assert!(members.iter().eq((0..1000).map(id)));
        slots(1000)
            .take(990)
            .for_each(|slot| members.remove(id(slot)));
        let mut rest: Vec<_> = slots(1000).skip(990).map(id).collect();
        rest.sort();
        assert!(members.iter().eq(rest.iter().copied()) && matches!(members, Members::Few(_)));
        rest.into_iter().for_each(|id| members.remove(id));
        assert!(members.is_empty());
        members.insert(id(3));
        members.remove(id(3));
        assert!(members.is_empty() && members.iter().len() == 0);
    }
}
