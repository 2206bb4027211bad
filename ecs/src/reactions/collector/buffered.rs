//! The contents of a collector at a checkpoint, kept by marks and snapshots.

use alloc::vec::Vec;

use crate::reactions::handle::HandleWatch;
use crate::storage::heap::heap;
use crate::words::entity_id::UntypedId;

/// The contents of a collector at a checkpoint.
pub(crate) struct BufferedIds {
    pub(super) collector: usize,
    pub(super) watch: Option<HandleWatch>,
    pub(super) ids: Vec<UntypedId>,
}

heap!(BufferedIds: ids);
