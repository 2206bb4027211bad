//! The contents of a collector at a checkpoint, kept by marks and snapshots.

use alloc::vec::Vec;

use crate::reactions::handle::HandleWatch;
use crate::words::entity_id::UntypedId;
use crate::words::heap_size::heap_size;

/// The contents of a collector at a checkpoint.
pub(crate) struct BufferedIds {
    pub(super) collector: usize,
    pub(super) watch: Option<HandleWatch>,
    pub(super) ids: Vec<UntypedId>,
}

impl BufferedIds {
    pub(crate) fn bytes(&self) -> usize {
        heap_size(&self.ids)
    }
}
