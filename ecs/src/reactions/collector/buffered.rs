//! What a collector held at some moment, kept by marks and snapshots.

use alloc::vec::Vec;

use crate::reactions::handle::HandleWatch;
use crate::words::entity_id::UntypedId;
use crate::words::heap_size::heap_size;

/// What a collector held at some moment.
pub(crate) struct BufferedIds {
    pub(super) collector: usize,
    pub(super) watch: Option<HandleWatch>,
    pub(super) ids: Vec<UntypedId>,
}

impl BufferedIds {
    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        heap_size(&self.ids)
    }
}
