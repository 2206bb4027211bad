//! Observers of each change, of every entity or of one.
//!
//! ```text
//! change ─► group of each component ─► relay ─► observers of every entity
//!           Entered, Left, Updated            └► observers of this entity
//! ```
//!
//! The group is one that no matcher can create ([`Condition::of_each_component`]): in the graph,
//! each change of a component is an event of this group. A relay is an ordinary observer of such an
//! event. It exists only while there are observers of each change, so that others pay nothing.

use super::core::{HasCore, Registries};
use super::running::notify_at;
use crate::matching::matcher::{Condition, GroupEvent};
use crate::reactions::notification::{Notification, Observer};
use crate::reactions::subscription::{Subject, Subscription};
use crate::words::entity_id::EntityId;

/// Adds an observer of each change, of every entity or of one.
pub(crate) fn observe_changes<C: HasCore>(
    context: &mut C,
    entity: Option<EntityId<C>>,
    observer: Observer,
) -> Subscription {
    let core = context.core_mut();
    core.relays.observers += 1;
    if core.relays.subscriptions.is_empty() {
        core.open_relays(|| Observer::new(relay::<C>));
    }
    core.subscribe(Subject::changes(entity.map(EntityId::raw)), observer)
}

/// Passes a change on. The observers are counted first: those added by one of them are notified of
/// later changes only.
fn relay<C: HasCore>(context: &mut C, notification: &Notification<'_, C>) {
    let Notification::Change(change) = notification else {
        return;
    };
    let own = Subject::changes(Some(change.entity.raw()));
    let observers = &context.core().observers;
    let subjects =
        [Subject::changes(None), own].map(|subject| (subject, observers.places(subject)));
    for (subject, places) in subjects {
        for place in 0..places {
            notify_at(context, subject, place, change.number, notification);
        }
    }
    if change.component().is_none() && change.event() == GroupEvent::Left && subjects[1].1 > 0 {
        let ended = context.core_mut().remove_observers(&[own]); // along with the entity
        drop(ended); // user code
    }
}

impl Registries {
    fn open_relays(&mut self, relay: impl Fn() -> Observer) {
        let known = self.groups.of_each_component();
        let group = known.unwrap_or_else(|| self.add_group(Condition::of_each_component()));
        for event in GroupEvent::ALL {
            let subscription = self.subscribe(Subject::group(group, event), relay());
            self.observers.keep(subscription.subject, subscription.id);
            self.relays.subscriptions.push(subscription);
        }
    }
}
