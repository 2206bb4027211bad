//! A run: entities that change in the same way.
//!
//! ```text
//! list of a caller   a b c │ d e │ f    runs: the same edge of the signature graph
//! ```

use core::slice;

use super::previous::Previous;
use crate::matching::effects::EffectsIndex;
use crate::words::entity_id::UntypedId;

/// Entities whose change is stored and marked. A change of one entity is a run of one.
pub(super) struct Run<'a> {
    pub(super) ids: Ids<'a>,
    pub(super) effects: EffectsIndex,
    /// The state before the change.
    pub(super) previous: Previous<'a>,
}

/// The entities of a run, in the order of the caller.
#[derive(Clone, Copy)]
pub(super) enum Ids<'a> {
    One(UntypedId),
    Many(&'a [UntypedId]),
}

impl Ids<'_> {
    #[inline]
    pub(super) fn as_slice(&self) -> &[UntypedId] {
        match self {
            Self::One(id) => slice::from_ref(id),
            Self::Many(ids) => ids,
        }
    }
}

impl<'a> Run<'a> {
    /// A change of one entity.
    pub(super) fn of(id: UntypedId, effects: EffectsIndex, previous: Previous<'a>) -> Self {
        Self {
            ids: Ids::One(id),
            effects,
            previous,
        }
    }
}
