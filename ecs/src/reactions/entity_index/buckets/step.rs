//! One step in which buckets change, as the journal keeps it.

use super::positions::Positions;
use crate::words::entity_id::UntypedId;

/// One step.
pub(super) enum Step<K> {
    /// An entity was put behind the others of its buckets: these, if the step is ahead.
    PutIn(UntypedId, Positions),
    /// An entity was taken out of its buckets: these, if the step is behind.
    TakenOut(UntypedId, Positions),
    /// A bucket was made for a key: this one, if the step is ahead.
    Made {
        bucket: u32,
        is_new: bool,
        key: Option<(u64, K)>,
    },
    /// A bucket was left empty, and had this key, if the step is behind.
    Freed { bucket: u32, key: Option<(u64, K)> },
}

impl<K> Step<K> {
    /// The key that is kept for the step.
    pub(super) fn into_key(self) -> Option<K> {
        match self {
            Self::Made { key, .. } | Self::Freed { key, .. } => key.map(|(_, key)| key),
            Self::PutIn(..) | Self::TakenOut(..) => None,
        }
    }
}
