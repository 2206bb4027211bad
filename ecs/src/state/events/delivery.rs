//! Telling listeners, and what is said where nobody ever does.

use crate::reactions::event::{Address, Event, ListenerFn};
use crate::state::core::{Core, HasCore};
use crate::storage::flag::Flag;
use crate::words::entity_id::EntityId;

/// The right to deliver events. Only one at a time has it: a delivery asked for by a
/// listener does nothing.
///
/// Where a listener panics, what has not been told yet waits for the next delivery.
pub(super) struct Delivery<'a, C: HasCore> {
    context: &'a mut C,
    instance: u32,
    flag: &'static Flag,
    /// The last listener of before the delivery: later ones hear later deliveries.
    newest: u64,
    told: usize,
}

impl<'a, C: HasCore> Delivery<'a, C> {
    pub(super) fn start(context: &'a mut C, flag: &'static Flag) -> Self {
        flag.raise(true);
        let core = context.core();
        Self {
            instance: core.instance,
            newest: core.events.last,
            context,
            flag,
            told: 0,
        }
    }

    /// Delivers all events; gives how many calls of listeners that took.
    pub(super) fn run(mut self) -> usize {
        let context = &mut *self.context;
        let ended = context.core().events.ended();
        let mut last = None;
        while let Some(event) = self.next_event(last) {
            self.context.core_mut().take_over(event);
            while let Some(id) = self.next_waiting(event) {
                self.tell(event, id);
            }
            last = Some(event);
        }
        self.finish(ended)
    }

    /// Whether a listener has put another context in the place of its own. Then the
    /// delivery is over.
    fn is_over(&self) -> bool {
        self.context.core().instance != self.instance
    }

    fn next_event(&self, last: Option<Event>) -> Option<Event> {
        let events = &self.context.core().events;
        match self.is_over() {
            true => None,
            false => events.next_source(last, self.newest),
        }
    }

    fn next_waiting(&mut self, event: Event) -> Option<EntityId<C>> {
        if self.is_over() {
            return None;
        }
        let source = self.context.core_mut().events.source_mut(event)?;
        source.waiting.pop_front()
    }

    /// Tells the listeners of one entity, for as long as the event is true.
    fn tell(&mut self, event: Event, id: EntityId<C>) {
        let mut last = 0;
        while !self.is_over() {
            let core = self.context.core();
            let next = core.events.next_listener(event, event.listened(id), last);
            let Some(address) = next.filter(|next| next.number <= self.newest) else {
                return;
            };
            if !core.is_true(event, id) {
                return;
            }
            self.told += usize::from(Running::call(self.context, address, id));
            last = address.number;
        }
    }

    /// Ends the delivery, and the listeners of the entities that had ended before it.
    fn finish(self, ended: usize) -> usize {
        let told = self.told;
        if self.is_over() {
            return told;
        }
        let removed = self.context.core_mut().events.remove_ended(ended);
        self.flag.raise(false);
        self.context.core_mut().close_idle();
        drop(self);
        drop(removed);
        told
    }
}

impl<C: HasCore> Drop for Delivery<'_, C> {
    fn drop(&mut self) {
        self.flag.raise(false);
    }
}

impl<C: 'static> Core<C> {
    /// Takes over from the collector of an event.
    fn take_over(&mut self, event: Event) {
        if let Some(source) = self.events.source_mut(event) {
            let collected = self.collectors.ids(&self.slots, source.collector);
            source.waiting.extend(collected);
            self.collectors.clear(source.collector);
        }
    }
}

/// A listener that is running: put back when it is done, also by a panic.
pub(super) struct Running<'a, C: HasCore> {
    context: &'a mut C,
    instance: u32,
    address: Address,
    call: Option<ListenerFn<C>>,
}

impl<'a, C: HasCore> Running<'a, C> {
    /// Calls a listener, unless it has been ended or is running; tells whether it did.
    pub(super) fn call(context: &'a mut C, address: Address, id: EntityId<C>) -> bool {
        let core = context.core_mut();
        let (instance, call) = (core.instance, core.events.take(address));
        let mut running = Self {
            context,
            instance,
            address,
            call,
        };
        match &mut running.call {
            Some(call) => call(running.context, id),
            None => return false,
        }
        true
    }
}

impl<C: HasCore> Drop for Running<'_, C> {
    fn drop(&mut self) {
        let core = self.context.core_mut();
        if let Some(call) = self.call.take()
            && core.instance == self.instance
        {
            let ended = core.events.put_back(self.address, call);
            drop(ended);
        }
    }
}

impl<C: HasCore> Core<C> {
    /// Has it be said at the end of the context that events were never delivered.
    pub(super) fn watch_end(&mut self) {
        self.at_end = Some(Self::warn_of_undelivered);
    }

    /// Says once, on standard error, that events wait and nobody has ever delivered any.
    pub(crate) fn warn_of_undelivered(&mut self) {
        let events = &self.events;
        if events.served || events.quiet || events.len() == 0 {
            return;
        }
        let waiting = self.undelivered();
        if waiting > 0 {
            self.events.quiet = true;
            #[cfg(feature = "std")]
            warn(C::NAME, waiting, self.events.len());
        }
    }
}

#[cfg(feature = "std")]
fn warn(context: &str, waiting: usize, listeners: usize) {
    if !std::thread::panicking() {
        std::eprintln!(
            "context `{context}` has listeners ({listeners}) and events for them ({waiting}), but \
             none was ever delivered: add `event_systems()` to its systems or call \
             `deliver_events`; `warn_of_undelivered_events(false)` silences this"
        );
    }
}

impl<C> Drop for Core<C> {
    fn drop(&mut self) {
        if let Some(at_end) = self.at_end {
            at_end(self);
        }
    }
}
