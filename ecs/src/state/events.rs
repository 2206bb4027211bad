//! Listening to the events of components.
//!
//! A collector gathers whom an event happens to, each entity once, and
//! [`deliver_events`] tells the listeners: event after event in the order of the
//! [`Event`]s, for each entity in the order of collection, each of the listeners in the
//! order of subscription. An event counts if it is still true when it is told.

mod delivery;

use alloc::vec::Vec;

use self::delivery::{Delivery, Running};
use super::core::{Core, HasCore, foreign};
use super::groups::group;
use crate::matching::matcher::{Matcher, Trigger};
use crate::reactions::event::{Event, Happening, Listener, ListenerFn, Scope};
use crate::storage::flag::OwnFlag;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

/// Adds a listener to an event of `T`, of any entity or of one.
pub(crate) fn listen<C: HasCore, T: Component<C>>(
    context: &mut C,
    happening: Happening,
    entity: Option<EntityId<C>>,
    call: ListenerFn<C>,
) -> Listener {
    let scope = entity.map_or(Scope::Any, |_| Scope::Own);
    let event = Event::of::<C, T>(scope, happening);
    // Again, should one who hears of the new group have put another context here.
    while !context.core().events.has_source(event) {
        open::<C, T>(context, event);
    }
    let core = context.core_mut();
    core.watch_end();
    core.events.flag.get_or_insert_with(OwnFlag::take);
    let address = core.events.add(event, entity.map(EntityId::raw), call);
    if let Some(id) = entity
        && core.slots.get(id).is_none()
    {
        core.events.note_end(id); // ended by one who heard of the new group
    }
    Listener {
        instance: core.instance,
        address,
    }
}

/// Has a collector gather the entities that an event happens to.
fn open<C: HasCore, T: Component<C>>(context: &mut C, event: Event) {
    let of_one = Matcher::all_of::<T>();
    let trigger: Trigger<C> = match event.happening {
        Happening::Added => of_one.added(),
        Happening::Removed => of_one.left(),
    };
    let collector = add_collector(context, trigger);
    let core = context.core_mut();
    if !core.events.active {
        core.set_collecting(collector, false);
    }
    if let Err(second) = core.events.open(event, collector) {
        core.release_collector(second);
    }
}

/// Adds a collector that gathers from now on.
pub(crate) fn add_collector<C: HasCore>(context: &mut C, trigger: Trigger<C>) -> usize {
    let parts = trigger.into_parts().into_iter();
    let parts = parts
        .map(|(matcher, events)| (group(context, matcher).index, events))
        .collect();
    let core = context.core_mut();
    core.release_dropped_collectors();
    let index = core.collectors.add(parts);
    core.mark_collector(index, true);
    index
}

/// Ends a listener; tells whether it was still there.
#[track_caller]
pub(crate) fn unlisten<C: HasCore>(context: &mut C, listener: Listener) -> bool {
    check_own(context, listener);
    let core = context.core_mut();
    let removed = core.events.remove(listener.address);
    core.close_idle();
    removed.is_some()
}

/// Ends all listeners.
pub(crate) fn clear_listeners<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    let removed = core.events.remove_all();
    core.close_idle();
    drop(removed);
}

#[track_caller]
fn check_own<C: HasCore>(context: &C, listener: Listener) {
    if listener.instance != context.core().instance {
        foreign::<C>("listener");
    }
}

/// Delivers all events that wait; gives how many calls of listeners that took.
pub(crate) fn deliver_events<C: HasCore>(context: &mut C) -> usize {
    context.core_mut().events.served = true;
    match context.core().events.flag.as_ref().map(OwnFlag::get) {
        Some(flag) if !flag.is_raised() => Delivery::start(context, flag).run(),
        _ => 0,
    }
}

/// Calls a listener to *added* with every entity it listens to that has the component;
/// gives how many these were.
#[track_caller]
pub(crate) fn tell_current<C: HasCore>(context: &mut C, listener: Listener) -> usize {
    check_own(context, listener);
    let address = listener.address;
    let mut told = 0;
    for id in context.core().current(listener) {
        let core = context.core();
        if core.instance != listener.instance {
            break; // the listener has put another context in the place of its own
        }
        if core.is_true(address.event, id) {
            told += usize::from(Running::call(context, address, id));
        }
    }
    told
}

/// How many entities wait for their listeners to be told of an event that is still true.
pub(crate) fn undelivered<C: HasCore>(context: &C) -> usize {
    context.core().undelivered()
}

/// Forgets the events that wait.
pub(crate) fn clear_events<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    core.events.clear_waiting();
    for collector in core.event_collectors() {
        core.collectors.clear(collector);
    }
}

/// Forgets the events that wait, and ends the listeners of ended entities: all entities
/// have ended, and the collectors are empty.
pub(crate) fn forget_events<C: HasCore>(context: &mut C) {
    let core = context.core_mut();
    core.events.clear_waiting();
    let removed = core.events.remove_ended(usize::MAX);
    core.close_idle();
    drop(removed);
}

/// Has events be gathered, or not; what waits is forgotten where that changes.
pub(crate) fn set_events_active<C: HasCore>(context: &mut C, active: bool) {
    let core = context.core_mut();
    if core.events.active != active {
        core.events.active = active;
        core.events.clear_waiting();
        for collector in core.event_collectors() {
            core.set_collecting(collector, active);
        }
    }
}

impl<C: 'static> Core<C> {
    /// Whether an event of an entity is true at present. Who has ended has lost all its
    /// components.
    fn is_true(&self, event: Event, id: EntityId<C>) -> bool {
        let slot = self.slots.get(id);
        let column = self.columns.at(event.component);
        let is_present = slot
            .zip(column)
            .is_some_and(|(slot, column)| column.contains(slot.row));
        is_present == (event.happening == Happening::Added)
    }

    /// The entities that a listener can be told of without an event: with the component,
    /// in ascending order of index.
    fn current(&self, listener: Listener) -> Vec<EntityId<C>> {
        let (event, entity) = (listener.address.event, listener.address.entity);
        if event.happening == Happening::Removed {
            return Vec::new();
        }
        let alive = self.slots.iter::<C>().map(|(id, _)| id);
        let listened = alive.filter(|id| entity.is_none_or(|entity| entity == id.raw()));
        listened.filter(|&id| self.is_true(event, id)).collect()
    }

    fn undelivered(&self) -> usize {
        let waiting = |(&event, source): (&Event, &crate::reactions::event::Source<C>)| {
            let ids = self.collectors.ids(&self.slots, source.collector);
            let ids = source.waiting.iter().chain(ids);
            ids.filter(|&&id| self.is_true(event, id))
                .filter(|&&id| self.events.hears(event, event.listened(id)))
                .count()
        };
        self.events.sources().map(waiting).sum()
    }

    fn event_collectors(&self) -> Vec<usize> {
        let sources = self.events.sources();
        sources.map(|(_, source)| source.collector).collect()
    }

    /// Releases the collectors of events that nobody listens to any more, unless a
    /// delivery is under way, which will.
    fn close_idle(&mut self) {
        if !self.events.is_delivering() {
            for collector in self.events.take_idle() {
                self.release_collector(collector);
            }
        }
    }

    /// Ends a collector.
    pub(crate) fn release_collector(&mut self, collector: usize) {
        self.mark_collector(collector, false);
        self.collectors.release(collector);
    }

    /// Ends the collectors whose handles have been dropped.
    pub(crate) fn release_dropped_collectors(&mut self) {
        while let Some(collector) = self.collectors.first_dropped() {
            self.release_collector(collector);
        }
    }

    /// Has a collector gather, or not; empties it where that changes.
    pub(crate) fn set_collecting(&mut self, collector: usize, active: bool) {
        if self.collectors.is_active(collector) != active {
            self.collectors.clear(collector);
            self.collectors.set_active(collector, active);
            self.mark_collector(collector, active);
        }
    }
}
