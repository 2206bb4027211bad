//! Notifying listeners of pending events, and the warning if that never happens.

use alloc::vec::Vec;

use crate::reactions::event::{Event, EventKind};
use crate::reactions::events::EventSource;
use crate::reactions::notification::Notification;
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::{Audience, Subject};
use crate::state::core::{Core, HasCore};
use crate::state::dispatch::Dispatch;
use crate::state::running::notify_next;
use crate::state::subscribe::{close_idle, remove_observers};
use crate::words::entity_id::{RawEntityId, UntypedId};
use crate::world::World;

/// A delivery of events. There is only one at a time: a delivery requested by a listener does
/// nothing.
///
/// If a listener panics, undelivered events stay pending.
pub(super) struct EventDelivery<'a, C: HasCore> {
    dispatch: Dispatch<'a, C>,
    /// The number of the delivery among the changes: listeners added later wait for the next
    /// delivery.
    number: u64,
    notified: usize,
}

impl<'a, C: HasCore> EventDelivery<'a, C> {
    pub(super) fn start(context: &'a mut C) -> Self {
        let core = context.core_mut();
        core.subs.events.delivering = true;
        let number = core.subs.queue.next_change();
        Self {
            dispatch: Dispatch::join(context),
            number,
            notified: 0,
        }
    }

    /// Delivers all events; returns the number of calls of listeners.
    pub(super) fn run(mut self) -> usize {
        self.core().subs.observers.begin_delivery();
        let (mut last, number) = (None, self.number);
        while let Some(event) = self.core().subs.events.next_source(last, number) {
            let core = self.core();
            take_over(&core.world, &mut core.subs, event);
            while let Some(id) = {
                let core = self.core();
                next_waiting(&core.world, &mut core.subs, event)
            } {
                self.notify(event, id);
            }
            last = Some(event);
        }
        let core = self.core();
        let subjects = core.subs.observers.take_destroyed_before();
        let removed = remove_observers(&mut core.world, &mut core.subs, &subjects);
        let notified = self.notified;
        drop(self);
        drop(removed); // user code
        notified
    }

    fn core(&mut self) -> &mut Core<C> {
        self.dispatch.context().core_mut()
    }

    /// Notifies the listeners of one entity while the event is true, and after each of them the
    /// observers of its changes.
    fn notify(&mut self, event: Event, id: UntypedId) {
        let entity = event.entity(id);
        let subject = Subject::Event(Audience {
            entity,
            event: Some(event),
        });
        let (of, number, mut place) = (Notification::Entity(id.typed()), self.number, 0);
        while is_true(&self.core().world, event, id)
            && notify_next(self.dispatch.context(), subject, &mut place, number, &of)
        {
            self.notified += 1;
            self.dispatch.run();
        }
    }
}

impl<C: HasCore> Drop for EventDelivery<'_, C> {
    fn drop(&mut self) {
        if let Some(core) = self.dispatch.core_mut() {
            core.subs.events.delivering = false;
            close_idle(&mut core.world, &mut core.subs);
        }
    }
}

/// Whether an event of an entity is true at present. A destroyed entity has lost all its
/// components.
pub(super) fn is_true(world: &World, event: Event, id: UntypedId) -> bool {
    let slot = world.slots.get(id);
    let column = world.columns.at(event.component);
    let is_present = slot
        .zip(column)
        .is_some_and(|(slot, column)| column.contains(slot.row));
    is_present == (event.kind == EventKind::Set)
}

/// The entities that a listener can be notified of without an event: those with the component,
/// in ascending order of index.
pub(super) fn current(world: &World, entity: Option<RawEntityId>, event: Event) -> Vec<UntypedId> {
    if event.kind == EventKind::Removed {
        return Vec::new();
    }
    let alive = world.slots.iter().map(|(id, _)| id.typed());
    let listened = alive.filter(|id| entity.is_none_or(|entity| entity == id.raw()));
    listened.filter(|&id| is_true(world, event, id)).collect()
}

fn has_listeners(subs: &Subscribers, event: Event, id: UntypedId) -> bool {
    let entity = event.entity(id);
    let event = Some(event);
    let subject = Subject::Event(Audience { entity, event });
    subs.observers.count(subject) > 0
}

/// Moves the contents of an event's collector to its pending entities.
fn take_over(world: &World, subs: &mut Subscribers, event: Event) {
    if let Some(source) = subs.events.source_mut(event) {
        let collected = subs.collectors.ids(&world.slots, source.collector);
        source.wait(collected.iter().map(|id| id.raw()));
        subs.collectors.clear(source.collector);
    }
}

fn next_waiting(world: &World, subs: &mut Subscribers, event: Event) -> Option<UntypedId> {
    let waiting = &mut subs.events.source_mut(event)?.waiting;
    let id = waiting.pop_front()?;
    Some(world.slots.own(id))
}

/// The number of pending events that are still true and have listeners.
pub(super) fn undelivered(world: &World, subs: &Subscribers) -> usize {
    let waiting = |(&event, source): (&Event, &EventSource)| {
        let is_due = |id| is_true(world, event, id) && has_listeners(subs, event, id);
        let mut waiting = source.waiting_set();
        let collected = subs.collectors.ids(&world.slots, source.collector);
        waiting.extend(collected.iter().map(|id| id.raw()));
        let waiting = waiting.into_iter().map(|id| world.slots.own(id));
        waiting.filter(|&id| is_due(id)).count()
    };
    subs.events.sources().map(waiting).sum()
}

/// Makes the drop of the context warn if events were never delivered.
pub(super) fn watch_destroy(subs: &mut Subscribers) {
    subs.at_end = Some(warn_of_undelivered);
}

/// Warns once, on standard error, if there are pending events and none was ever delivered.
pub(crate) fn warn_of_undelivered(world: &mut World, subs: &mut Subscribers) {
    let events = &subs.events;
    if events.served || events.quiet || subs.observers.listeners() == 0 {
        return;
    }
    let waiting = undelivered(world, subs);
    if waiting > 0 {
        subs.events.quiet = true;
        #[cfg(feature = "std")]
        warn(world.name, waiting, subs.observers.listeners());
    }
}

#[cfg(feature = "std")]
fn warn(context: &str, waiting: usize, listeners: usize) {
    use std::io::Write as _;

    if !std::thread::panicking() {
        // Failing to write the warning is not worth a panic.
        let _ = writeln!(
            std::io::stderr(),
            "context `{context}` has listeners ({listeners}) and events for them ({waiting}), but \
             none was ever delivered: add `EventSystems` to its systems or call \
             `events().deliver()`; `events().warn_of_undelivered(false)` silences this"
        );
    }
}

impl<C> Drop for Core<C> {
    fn drop(&mut self) {
        if let Some(at_end) = self.subs.at_end {
            at_end(&mut self.world, &mut self.subs);
        }
    }
}
