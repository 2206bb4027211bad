//! Adding observers and ending them.

use alloc::boxed::Box;

use crate::change::{Notice, ObserverFn, Subject, Subscription};
use crate::entity_id::EntityId;
use crate::state::HasCore;

/// Adds an observer, who hears of all later changes.
pub(super) fn subscribe<C: HasCore>(
    context: &mut C,
    subject: Subject,
    observer: ObserverFn<C>,
) -> Subscription {
    let core = context.core_mut();
    let id = core.observers.add(subject, core.queue.changes, observer);
    core.recount_observers(subject);
    Subscription {
        instance: core.instance,
        subject,
        id,
    }
}

/// An observer of entities in the form in which observers are kept.
pub(super) fn of_entity<C: HasCore>(
    mut observer: impl FnMut(&mut C, EntityId<C>) + Send + Sync + 'static,
) -> ObserverFn<C> {
    Box::new(move |context, notice| {
        if let Notice::Entity(id) = *notice {
            observer(context, id);
        }
    })
}

/// Ends all observers of a subject but those that are kept.
pub(super) fn end_observers<C: HasCore>(context: &mut C, subject: Subject) {
    let ended = context.core_mut().observers.end_all(subject);
    close_gaps(context, subject);
    drop(ended);
}

/// Closes the gaps of ended observers, or has the delivery under way do it.
pub(super) fn close_gaps<C: HasCore>(context: &mut C, subject: Subject) {
    let core = context.core_mut();
    if core.is_delivering() {
        core.queue.gaps.push(subject);
        core.queue.untidy = true;
    } else {
        core.observers.compact(subject);
    }
    core.recount_observers(subject);
}
