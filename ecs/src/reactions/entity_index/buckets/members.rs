//! The entities of a key, in the order of their slots.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::storage::heap::{Heap, bytes_of};
use crate::storage::sorted::{Items, Sorted};
use crate::words::entity_id::UntypedId;

/// The most entities in one list.
const FEW: usize = 256;

/// A set of entities, at most one for each slot: the bits of a single id, or one more than the number of a list, which is
/// no id since its upper half is zero.
#[derive(Clone, Copy, Default)]
pub(super) struct Members {
    bits: u64,
}

enum Form {
    Empty,
    One(UntypedId),
    Several(usize),
}

/// Several entities, in order.
enum List {
    Few(Vec<UntypedId>),
    Many(Box<Sorted<UntypedId>>),
}

/// The lists of keys with several entities.
#[derive(Default)]
pub(super) struct Lists {
    lists: Vec<List>,
    /// Those that are empty; they keep their memory.
    free: Vec<u32>,
}

/// The entities of a set, in order.
#[derive(Clone)]
pub(crate) enum MemberIter<'a> {
    One(core::option::IntoIter<UntypedId>),
    Few(core::slice::Iter<'a, UntypedId>),
    Many(Items<'a, UntypedId>),
}

impl Members {
    #[inline]
    fn form(self) -> Form {
        match UntypedId::from_bits(self.bits) {
            Some(id) => Form::One(id),
            None if self.bits == 0 => Form::Empty,
            None => Form::Several(self.bits as usize - 1),
        }
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// The first entity.
    #[inline]
    pub(super) fn first(self, lists: &Lists) -> Option<UntypedId> {
        match UntypedId::from_bits(self.bits) {
            Some(id) => Some(id),
            None => self.iter(lists).next(),
        }
    }

    #[inline]
    pub(super) fn iter(self, lists: &Lists) -> MemberIter<'_> {
        match self.form() {
            Form::Empty => MemberIter::none(),
            Form::One(id) => MemberIter::One(Some(id).into_iter()),
            Form::Several(list) => lists.lists[list].iter(),
        }
    }

    /// Whether the entity in this slot is a member.
    pub(super) fn contains(self, slot: u32, lists: &Lists) -> bool {
        match self.form() {
            Form::Empty => false,
            Form::One(id) => id.index() == slot,
            Form::Several(list) => lists.lists[list].contains(slot),
        }
    }

    /// Adds an entity that is not a member.
    pub(super) fn insert(&mut self, id: UntypedId, lists: &mut Lists) {
        match self.form() {
            Form::Empty => self.bits = id.to_bits(),
            Form::One(other) => {
                let list = lists.take();
                lists.lists[list].insert(other);
                lists.lists[list].insert(id);
                self.bits = list as u64 + 1;
            }
            Form::Several(list) => lists.lists[list].insert(id),
        }
    }

    /// Removes the member in this slot.
    pub(super) fn remove(&mut self, slot: u32, lists: &mut Lists) {
        match self.form() {
            Form::Empty => (),
            Form::One(_) => self.bits = 0,
            Form::Several(list) => {
                lists.lists[list].remove(slot);
                if lists.lists[list].iter().len() == 0 {
                    lists.free.push(list as u32);
                    self.bits = 0;
                }
            }
        }
    }

    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn has_list(self) -> bool {
        matches!(self.form(), Form::Several(_))
    }

    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(self, lists: &Lists) {
        if let Form::Several(list) = self.form() {
            assert!(!lists.free.contains(&(list as u32)), "members: a free list");
            if let List::Many(list) = &lists.lists[list] {
                list.check_invariants();
            }
        }
    }
}

impl Lists {
    /// Takes the list freed last, or a new one; returns its number.
    fn take(&mut self) -> usize {
        self.free.reserve(1); // so that freeing a list does not fail
        self.free.pop().map_or_else(
            || {
                self.lists.push(List::Few(Vec::with_capacity(4)));
                self.lists.len() - 1
            },
            |list| list as usize,
        )
    }

    /// The number of lists in use.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn len(&self) -> usize {
        self.lists.len() - self.free.len()
    }
}

impl Heap for Lists {
    bytes_of!(lists, free; each lists);

    fn trim(&mut self) {
        crate::storage::heap::trim_end(&mut self.lists, |list| list.iter().len() > 0);
        let len = self.lists.len();
        self.free.retain(|&list| (list as usize) < len);
        self.free.trim();
        for list in &mut self.lists {
            match list {
                List::Few(list) => list.trim(),
                List::Many(list) => list.trim(),
            }
        }
    }
}

impl Heap for List {
    fn bytes(&self) -> usize {
        match self {
            Self::Few(list) => list.bytes(),
            Self::Many(list) => size_of::<Sorted<UntypedId>>() + list.bytes(),
        }
    }
}

impl List {
    #[inline]
    fn iter(&self) -> MemberIter<'_> {
        match self {
            Self::Few(list) => MemberIter::Few(list.iter()),
            Self::Many(list) => MemberIter::Many(list.iter()),
        }
    }

    fn contains(&self, slot: u32) -> bool {
        match self {
            Self::Few(list) => list.binary_search_by_key(&slot, |id| id.index()).is_ok(),
            Self::Many(list) => list.find(|id| id.index().cmp(&slot)).is_ok(),
        }
    }

    fn insert(&mut self, id: UntypedId) {
        match self {
            Self::Few(list) if list.len() < FEW => {
                let at = list.partition_point(|other| other.index() < id.index());
                list.insert(at, id);
            }
            Self::Few(list) => {
                let many = Sorted::of(list);
                *self = Self::Many(Box::new(many));
                self.insert(id);
            }
            Self::Many(list) => {
                let place = list.find(|other| other.index().cmp(&id.index()));
                list.insert(place.unwrap_or_else(|place| place), id);
            }
        }
    }

    fn remove(&mut self, slot: u32) {
        match self {
            Self::Few(list) => {
                if let Ok(at) = list.binary_search_by_key(&slot, |id| id.index()) {
                    list.remove(at);
                }
            }
            Self::Many(list) => {
                if let Ok(place) = list.find(|id| id.index().cmp(&slot)) {
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
        Self::One(None.into_iter())
    }
}

impl Iterator for MemberIter<'_> {
    type Item = UntypedId;

    #[inline]
    fn next(&mut self) -> Option<UntypedId> {
        match self {
            Self::One(id) => id.next(),
            Self::Few(list) => list.next().copied(),
            Self::Many(list) => list.next().copied(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::One(id) => id.size_hint(),
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
        let (mut members, mut lists) = (Members::default(), Lists::default());
        let slots = |count: u32| (0..count).map(move |nth| nth * 7 % count);
        for slot in slots(1000) {
            members.insert(id(slot), &mut lists);
        }
        assert!(matches!(lists.lists[..], [List::Many(_)]));
        assert!(members.iter(&lists).eq((0..1000).map(id)));
        slots(1000)
            .take(990)
            .for_each(|slot| members.remove(slot, &mut lists));
        let mut rest: Vec<_> = slots(1000).skip(990).collect();
        rest.sort_unstable();
        assert!(members.iter(&lists).eq(rest.iter().copied().map(id)));
        assert!(matches!(lists.lists[..], [List::Few(_)]));
        rest.into_iter()
            .for_each(|slot| members.remove(slot, &mut lists));
        assert!(members.is_empty() && lists.len() == 0);
        members.insert(id(3), &mut lists);
        assert_eq!(members.first(&lists), Some(id(3)));
        members.remove(3, &mut lists);
        assert!(members.is_empty() && members.iter(&lists).len() == 0);
    }
}
