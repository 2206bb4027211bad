//! The flags of terms in a context: on which entities each depends, and which of these have changed.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::mem;

use super::index::AnyIndex;
use crate::matching::group::IndexNumber;
use crate::matching::matcher::Other;
use crate::storage::heap::heap;
#[cfg(any(test, feature = "__checks"))]
use crate::storage::slots::Slots;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;

/// The flag of a term, in a context that keeps it up to date.
#[derive(Clone, Copy)]
pub(crate) struct Flag {
    pub(crate) component: RawComponentIndex,
    pub(crate) relation: RawComponentIndex,
    pub(crate) other: Other,
    /// The number of the [`ChangedMembers`] of the term's condition.
    pub(crate) number: IndexNumber,
}

/// The entities that have started or stopped to fulfill the condition of a term since its flags were
/// updated. An index, so that all changes reach it.
#[derive(Default)]
pub(crate) struct ChangedMembers {
    ids: Vec<UntypedId>,
}

heap!(ChangedMembers: ids);

impl ChangedMembers {
    pub(crate) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub(crate) fn take(&mut self) -> Vec<UntypedId> {
        mem::take(&mut self.ids)
    }
}

impl AnyIndex for ChangedMembers {
    fn follows_values(&self) -> bool {
        false
    }

    fn mark_dirty(&mut self, id: UntypedId) {
        self.ids.push(id);
    }

    fn mark_batch_dirty(&mut self, ids: &mut dyn Iterator<Item = UntypedId>) {
        self.ids.extend(ids);
    }

    fn set_dirty_apart(&mut self) {}

    fn leave(&mut self, id: UntypedId) {
        self.ids.push(id);
    }

    fn set_asking(&mut self, _: bool) {}

    fn settle(&mut self) {}

    fn empty(&mut self) -> Box<dyn Any> {
        self.ids.clear();
        Box::new(())
    }

    fn is_dropped(&self) -> bool {
        false
    }

    #[cfg(any(test, feature = "__checks"))]
    fn check_invariants(&self, _: &Slots, _: &dyn Fn(UntypedId) -> bool) {}
}

/// The links that have changed since flags were updated.
#[derive(Default)]
pub(crate) enum ChangedLinks {
    /// No flag depends on the relation.
    #[default]
    Unwatched,
    /// Sources, each with a target that it had or has got.
    Few(Vec<(UntypedId, UntypedId)>),
    All,
}

impl ChangedLinks {
    #[inline]
    pub(super) fn push(&mut self, source: UntypedId, target: Option<UntypedId>) {
        if let (Self::Few(changed), Some(target)) = (self, target) {
            changed.push((source, target));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Unwatched => true,
            Self::Few(changed) => changed.is_empty(),
            Self::All => false,
        }
    }

    /// Starts watching.
    pub(crate) fn watch(&mut self) {
        if let Self::Unwatched = self {
            *self = Self::Few(Vec::new());
        }
    }

    /// Takes the changes; goes on watching if it did.
    pub(crate) fn take(&mut self) -> Self {
        match self {
            Self::Unwatched => Self::Unwatched,
            _ => mem::replace(self, Self::Few(Vec::new())),
        }
    }

    /// Records that all links have changed.
    pub(super) fn lose(&mut self) {
        if !matches!(self, Self::Unwatched) {
            *self = Self::All;
        }
    }
}
