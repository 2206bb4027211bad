//! A copy of what the context holds besides entities: the contents of collectors, inboxes and lists
//! of removed values, pending events, and the positions of links in their journals.
//!
//! It is small, because handles are read often. So it is copied, while entities are not.

use alloc::vec::Vec;

use crate::matching::group::IndexNumber;
use crate::reactions::collector::Collectors;
use crate::reactions::collector::rewinds::BufferedIds;
use crate::reactions::entered::Entered;
use crate::reactions::entity_index::{Indexes, LinksCheckpoint};
use crate::reactions::events::{ListenedEvents, WaitingCopy};
use crate::reactions::messages::{Channels, UnreadCopy};
use crate::reactions::removed::{LogCopy, Logs};
use crate::storage::heap::heap;
use crate::storage::slots::Slots;
use crate::storage::slots::progress::Progress;
use crate::words::signature::RawComponentSet;

/// The contents at one checkpoint, without empty ones.
pub(crate) struct BufferedCopy {
    collectors: Vec<BufferedIds>,
    /// For listeners, left by one that panicked.
    waiting: Vec<WaitingCopy>,
    removed: Vec<LogCopy>,
    messages: Vec<UnreadCopy>,
    pub(crate) indexes: Vec<LinksCheckpoint>,
    entered: Entered,
    /// The progress of moving entities together.
    progress: Progress,
}

heap!(
    BufferedCopy: collectors, waiting, removed, messages, indexes, entered, progress;
    each collectors, waiting, removed, messages
);

/// The registries that hold the contents.
pub(crate) struct Holders<'a> {
    pub(crate) slots: &'a mut Slots,
    pub(crate) collectors: &'a mut Collectors,
    pub(crate) events: &'a mut ListenedEvents,
    pub(crate) removed: &'a mut Logs,
    pub(crate) messages: &'a mut Channels,
    pub(crate) indexes: &'a mut Indexes,
    pub(crate) entered: &'a mut Entered,
}

impl BufferedCopy {
    /// Copies the contents.
    pub(crate) fn copy(holders: Holders<'_>) -> Self {
        Self {
            collectors: holders.collectors.copy_all(holders.slots),
            waiting: holders.events.copy_waiting(),
            removed: holders.removed.copy_all(),
            messages: holders.messages.copy_all(),
            indexes: holders.indexes.checkpoints(),
            entered: holders.entered.clone(),
            progress: holders.slots.progress().clone(),
        }
    }

    /// Restores the contents, with these clones, except what was seen of excluded states; returns the relations whose links could not be restored,
    /// and the old contents, to be dropped. Runs no user code.
    pub(crate) fn put_back(
        &self,
        values: Vec<LogCopy>,
        holders: Holders<'_>,
        excluded: &RawComponentSet,
    ) -> (Vec<IndexNumber>, impl Sized + use<>) {
        let lost = holders.indexes.seek(&self.indexes);
        holders.slots.progress_mut().clone_from(&self.progress);
        let entered = holders.entered.put_back(&self.entered, excluded);
        (lost, (entered, self.put_collected_back(values, holders)))
    }

    /// Clones the removed values, which runs user code.
    pub(crate) fn clone_values(&self, removed: &Logs) -> Vec<LogCopy> {
        removed.clones_of(&self.removed)
    }

    /// Restores all contents except the indexes, with these clones; returns the old contents, to be
    /// dropped. Runs no user code.
    pub(crate) fn put_collected_back(
        &self,
        values: Vec<LogCopy>,
        holders: Holders<'_>,
    ) -> impl Sized + use<> {
        holders.collectors.put_back(holders.slots, &self.collectors);
        holders.events.put_waiting_back(&self.waiting);
        let removed = holders.removed.put_back(values);
        (removed, holders.messages.put_back(&self.messages))
    }
}
