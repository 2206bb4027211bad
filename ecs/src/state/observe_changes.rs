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

use super::core::HasCore;
use super::groups::add_group;
use super::running::notify_at;
use super::subscribe::{remove_observers, subscribe};
use crate::matching::matcher::{Condition, GroupEvent};
use crate::reactions::notification::{Notification, Observer};
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::{Subject, Subscription};
use crate::words::entity_id::EntityId;
use crate::world::World;

/// Adds an observer of each change, of every entity or of one.
pub(crate) fn observe_changes<C: HasCore>(
    context: &mut C,
    entity: Option<EntityId<C>>,
    observer: Observer,
) -> Subscription {
    let core = context.core_mut();
    core.subs.relays.observers += 1;
    if core.subs.relays.subscriptions.is_empty() {
        open_relays(&mut core.world, &mut core.subs, || {
            Observer::new(relay::<C>)
        });
    }
    subscribe(
        &mut core.world,
        &mut core.subs,
        Subject::changes(entity.map(EntityId::raw)),
        observer,
    )
}

/// Passes a change on. The observers are counted first: those added by one of them are notified of
/// later changes only.
fn relay<C: HasCore>(context: &mut C, notification: &Notification<'_, C>) {
    let Notification::Change(change) = notification else {
        return;
    };
    let own = Subject::changes(Some(change.entity.raw()));
    let observers = &context.core().subs.observers;
    let subjects =
        [Subject::changes(None), own].map(|subject| (subject, observers.places(subject)));
    for (subject, places) in subjects {
        for place in 0..places {
            notify_at(context, subject, place, change.number, notification);
        }
    }
    if change.component().is_none() && change.event() == GroupEvent::Left && subjects[1].1 > 0 {
        let ended = {
            let core = context.core_mut();
            remove_observers(&mut core.world, &mut core.subs, &[own])
        }; // along with the entity
        drop(ended); // user code
    }
}

fn open_relays(world: &mut World, subs: &mut Subscribers, relay: impl Fn() -> Observer) {
    let known = world.groups.of_each_component();
    let group = known.unwrap_or_else(|| add_group(world, subs, Condition::of_each_component()));
    for event in GroupEvent::ALL {
        let subscription = subscribe(world, subs, Subject::group(group, event), relay());
        subs.observers.keep(subscription.subject, subscription.id);
        subs.relays.subscriptions.push(subscription);
    }
}
