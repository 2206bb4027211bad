//! A run: entities that change in the same way.
//!
//! ```text
//! list of a caller   a b c │ d e │ f    runs: the same edge of the signature graph
//! ```

use core::ops::Range;
use core::{ptr, slice};

use super::previous::Previous;
use crate::matching::effects::EffectsIndex;
use crate::words::entity_id::UntypedId;

/// Entities whose change is stored and marked. A change of one entity is a run of one.
pub(crate) struct Run<'a> {
    pub(crate) ids: Ids<'a>,
    pub(crate) effects: EffectsIndex,
    /// The state before the change.
    pub(crate) previous: Previous<'a>,
    /// The list of effects to notify observers of. It stays valid if an observer causes the effects
    /// to be forgotten.
    pub(super) to_notify: Range<usize>,
}

/// The entities of a run, in the order of the caller.
#[derive(Clone, Copy)]
pub(crate) enum Ids<'a> {
    One(UntypedId),
    Many(&'a [UntypedId]),
}

impl Ids<'_> {
    #[inline]
    pub(crate) fn as_slice(&self) -> &[UntypedId] {
        match self {
            Self::One(id) => slice::from_ref(id),
            Self::Many(ids) => ids,
        }
    }
}

impl<'a> Run<'a> {
    /// Whether both are changes of the same entities: observers are notified of both for one entity
    /// before the next.
    pub(crate) fn is_of_same(&self, other: &Self) -> bool {
        match (self.ids, other.ids) {
            (Ids::Many(a), Ids::Many(b)) => ptr::eq(a, b),
            _ => false,
        }
    }

    /// A change of one entity.
    pub(crate) fn of(id: UntypedId, effects: EffectsIndex, previous: Previous<'a>) -> Self {
        Self::new(Ids::One(id), effects, previous)
    }

    /// Takes the run; nothing remains to be done for it.
    pub(super) fn take(&mut self) -> Self {
        Self::new(self.ids, self.effects, self.previous.take())
    }

    /// A change of these entities.
    pub(crate) fn new(ids: Ids<'a>, effects: EffectsIndex, previous: Previous<'a>) -> Self {
        Self {
            ids,
            effects,
            previous,
            to_notify: 0..0,
        }
    }
}
