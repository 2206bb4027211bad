//! Listening to component events, and delivering them.
//!
//! A collector collects the entities of an event, each once, and [`deliver_events`] notifies the
//! listeners: event after event in the order of [`Event`]s, for each entity in the order of
//! collection, each listener in the order of subscription. An event counts only if it is still true
//! when it is delivered.

pub(super) mod delivery;

use alloc::vec::Vec;

use self::delivery::EventDelivery;
use super::collectors::{add_collector, clear_collector, release_collector, set_collecting};
use super::core::{HasCore, check_own};
use super::dispatch::Dispatch;
use super::events::delivery::{current, is_true, watch_destroy};
use super::running::notify_at;
use super::subscribe::{event_collectors, remove_observers, subscribe};
use super::user_code::is_dispatching;
use crate::matching::matcher::{Matcher, Trigger};
use crate::reactions::event::{Event, EventKind, Scope};
use crate::reactions::notification::{Notification, Observer};
use crate::reactions::observers::RemovedObserver;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::{Audience, Subject, Subscription};
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::entity_id::{AnyContext, EntityId, RawEntityId};
use crate::world::World;

/// Adds a listener to an event of `T`, of any entity or of one.
pub(crate) fn listen<C: HasCore, T: Component<C>>(
    context: &mut C,
    kind: EventKind,
    entity: Option<EntityId<C>>,
    call: Observer,
) -> Subscription {
    let scope = entity.map_or(Scope::Any, |_| Scope::Own);
    let event = Event::of::<C, T>(scope, kind);
    if !context.core().subs.events.has_source(event) {
        open::<C, T>(context, event);
    }
    let core = context.core_mut();
    watch_destroy(&mut core.subs);
    if let Some(source) = core.subs.events.source_mut(event) {
        source.listeners += 1;
    }
    let audience = Audience {
        entity: entity.map(EntityId::raw),
        event: Some(event),
    };
    let subscription = subscribe(
        &mut core.world,
        &mut core.subs,
        Subject::Event(audience),
        call,
    );
    if let Some(id) = entity
        && core.world.slots.get(id).is_none()
    {
        core.subs.observers.record_destroy(id.raw()); // destroyed by an observer of the new group
    }
    subscription
}

/// Adds a collector for the entities of an event.
fn open<C: HasCore, T: Component<C>>(context: &mut C, event: Event) {
    let of_one = Matcher::<C>::all_of_index(index_of::<C, T>());
    let trigger: Trigger<C> = match event.kind {
        EventKind::Set => of_one.entered_or_updated(),
        EventKind::Removed => of_one.left(),
    };
    let collector = add_collector(context, trigger);
    let core = context.core_mut();
    if !core.subs.events.active {
        set_collecting(&mut core.world, &mut core.subs, collector, false);
    }
    let since = core.subs.queue.changes;
    let watched = core.subs.collectors.watch(collector);
    if let Err(second) = core.subs.events.open(event, (collector, watched), since) {
        release_collector(&mut core.world, &mut core.subs, second); // added by an observer of the new group
    }
}

/// Removes all listeners.
pub(crate) fn clear_listeners<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    core.subs.observers.take_listeners_of_destroyed();
    let subjects = core.subs.observers.events();
    let ended = remove_observers(&mut core.world, &mut core.subs, &subjects);
    drop(ended);
}

/// Delivers all pending events; returns the number of calls of listeners.
pub(crate) fn deliver_events<C: HasCore>(context: &mut C) -> usize {
    let core = context.core_mut();
    core.subs.events.served = true;
    // No delivery outlives its dispatch, but one may have been unable to reset the flag.
    match is_dispatching(&core.world, &core.subs) && core.subs.events.delivering {
        true => 0,
        false => EventDelivery::start(context).run(),
    }
}

/// Calls a listener to *set* with every entity it listens to that has the component; returns their
/// number.
#[track_caller]
pub(crate) fn replay<C: HasCore>(context: &mut C, subscription: Subscription) -> usize {
    check_own(&context.core().world, subscription.instance, "subscription");
    let Subject::Event(Audience {
        entity,
        event: Some(event),
    }) = subscription.subject
    else {
        return 0;
    };
    let mut dispatch = Dispatch::join(context);
    let mut notified = 0;
    for id in current(&dispatch.context().core().world, entity, event) {
        let core = dispatch.context().core_mut();
        let (subject, number) = (subscription.subject, subscription.id);
        if is_true(&core.world, event, id)
            && let Some(place) = core.subs.observers.place_of(subject, number)
        {
            let (context, of) = (dispatch.context(), Notification::Entity(id.typed()));
            notified += usize::from(notify_at(context, subject, place, u64::MAX, &of));
            dispatch.run();
        }
    }
    notified
}

/// The number of entities with a pending event that is still true and has listeners.
pub(crate) fn undelivered<C: HasCore>(context: &C) -> usize {
    delivery::undelivered(&context.core().world, &context.core().subs)
}

/// Discards pending events.
pub(crate) fn clear_events<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    core.subs.events.clear_waiting();
    for collector in event_collectors(&core.subs) {
        clear_collector(&mut core.subs, collector);
    }
}

/// Sets whether dropping the context warns of pending events.
pub(crate) fn set_warning(subs: &mut Subscribers, warn: bool) {
    subs.events.quiet = !warn;
}

/// Removes the listeners of destroyed entities whose ids are alive or available again after a
/// rewind or restore; returns them to be dropped.
pub(crate) fn remove_outdated_observers(
    world: &mut World,
    subs: &mut Subscribers,
) -> Vec<RemovedObserver> {
    let slots = &world.slots;
    let is_alive = |id| slots.get::<AnyContext>(slots.own(id)).is_some();
    let is_given_again = |id: RawEntityId| slots.is_future(id) || is_alive(id);
    let subjects = subs.observers.take_destroyed_if(is_given_again);
    remove_observers(world, subs, &subjects)
}

/// Removes the listeners and observers of all destroyed entities; returns them to be dropped.
pub(crate) fn remove_observers_of_destroyed(
    world: &mut World,
    subs: &mut Subscribers,
) -> Vec<RemovedObserver> {
    let subjects = subs.observers.take_destroyed();
    remove_observers(world, subs, &subjects)
}

/// Discards pending events, and removes the listeners of destroyed entities. All entities were
/// destroyed, and the collectors are empty.
pub(crate) fn forget_events<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    core.subs.events.clear_waiting();
    let subjects = core.subs.observers.take_listeners_of_destroyed();
    let ended = remove_observers(&mut core.world, &mut core.subs, &subjects);
    drop(ended);
}

/// Sets whether events are collected; pending ones are discarded if that changes.
pub(crate) fn set_events_active<C: HasCore>(context: &mut C, active: bool) {
    let core = context.core_mut();
    if core.subs.events.active != active {
        core.subs.events.active = active;
        core.subs.events.clear_waiting();
        for collector in event_collectors(&core.subs) {
            set_collecting(&mut core.world, &mut core.subs, collector, active);
        }
    }
}
