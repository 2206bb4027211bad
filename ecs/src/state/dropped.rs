//! The end of what was made for a handle: collectors, feeds, lists of removed values, entity
//! indexes and inboxes end when theirs has been dropped.

use super::core::{HasCore, Registries};
use super::index::deactivate_index;
use super::recording::end as end_history;
use super::removed::end_log;
use crate::matching::group::IndexNumber;

/// Of so many handles one may be dropped and not noticed when another one is made.
const SPARE: usize = 16;

/// Ends what was made for handles that have been dropped, before another one is made. Where there
/// are many, they are looked at once in a while, so that to make n of them takes about n looks.
pub(crate) fn look_for_dropped<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    if let Some(unnoticed) = core.unnoticed.checked_sub(1) {
        core.unnoticed = unnoticed;
        return;
    }
    end_dropped(context);
    let core = context.core_mut();
    let handles = core.collectors.len() + core.removed.len() + core.indexes.len();
    let handles = handles + core.messages.inboxes();
    core.unnoticed = handles / SPARE;
}

/// Ends what was made for handles that have been dropped.
pub(crate) fn end_dropped<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    if core.history.as_ref().is_some_and(|it| it.is_dropped()) {
        end_history(context);
    }
    let core = context.core_mut();
    core.end_dropped_feeds(); // with their collectors, which would end twice behind the others
    for collector in core.collectors.dropped() {
        core.release_collector(collector);
    }
    for (log, subscription) in core.removed.dropped() {
        end_log(context, log, subscription);
    }
    for index in context.core().indexes.dropped() {
        end_index(context, index);
    }
    context.core_mut().messages.end_dropped();
}

impl Registries {
    /// Ends the feeds whose handles have been dropped.
    pub(crate) fn end_dropped_feeds(&mut self) {
        self.feeds.release_dropped();
        for collector in self.feeds.take_idle() {
            self.release_collector(collector);
        }
    }
}

/// Ends an index.
fn end_index<C: HasCore>(context: &mut C, number: IndexNumber) {
    deactivate_index(context, number);
    let ended = context.core_mut().indexes.release(number);
    drop(ended); // a key function: user code
}
