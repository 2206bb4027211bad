//! Emptying a context.

use crate::state::{self, HasCore};

/// Destroys every entity and empties what has gathered entities; ids begin anew.
pub(super) fn reset<C: HasCore>(context: &mut C) {
    context.core_mut().warn_of_undelivered();
    state::destroy_all(context);
    let core = context.core_mut();
    core.collectors.clear_plain();
    for collector in core.feeds.collectors() {
        core.collectors.clear(collector);
    }
    core.feeds.tell_everything();
    core.slots.sort_free();
    core.forget_history();
    let gathered = (core.removed.empty_all(), core.messages.empty_all());
    state::forget_events(context);
    drop(gathered); // user code
    state::drop_forgotten(context);
}
