//! Listeners to component events: pending events, and the delivery.

use std::collections::VecDeque;
use std::mem;

use super::{Does, Gatherer, Id, Observer, Oracle, Subject, name};
use crate::op::{Events, Kind, Listen, Op, Sets, Switch};

/// An event of any entity, or of an entity with its own listeners. The order of the fields is the
/// order of delivery.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Event {
    priority: i32,
    kind: Kind,
    own: bool,
    removed: bool,
}

impl Event {
    fn new(kind: Kind, own: bool, removed: bool) -> Self {
        let priority = match (kind, own, removed) {
            (Kind::A, false, false) => 1,
            (Kind::D, false, false) => -1,
            (Kind::D, true, true) => 2,
            _ => 0,
        };
        Self {
            priority,
            kind,
            own,
            removed,
        }
    }

    /// The subject of listeners to this event.
    fn subject(self, id: Id) -> Subject {
        Subject::Event(self, self.own.then_some(id))
    }
}

/// The entities with a pending event that has listeners.
pub(super) struct Source {
    pub(super) happened: Gatherer,
    /// The entities pending when its delivery started.
    waiting: VecDeque<Id>,
    /// The number of the last change before the first listener.
    since: u64,
}

impl Source {
    fn clear(&mut self) {
        self.waiting.clear();
        self.happened.ids.clear();
    }
}

impl Oracle {
    /// Adds a listener, unless its entity is dead.
    pub(super) fn listen(&mut self, listen: Listen, script: &[Op], it: Option<Id>) {
        let (kind, removed, on) = listen
            .event()
            .expect("others are subscribed by `subscribe`");
        let id = on.and_then(|on| self.target(on, it));
        let id = id.filter(|id| self.entities.contains_key(id));
        if on.is_some() && id.is_none() {
            return self.answer("dead");
        }
        self.listened += 1;
        let number = self.listened;
        let event = Event::new(kind, on.is_some(), removed);
        self.open(event);
        self.subscriptions.push(self.observers.len());
        self.listeners.push(self.observers.len());
        let does = Does::Script(number, script.to_vec());
        self.observe(Subject::Event(event, id), does);
        if let Some(id) = id.filter(|id| !self.entities.contains_key(id)) {
            self.note_end(id); // destroyed by an observer of the new group
        }
    }

    /// Collects the entities of an event from now on.
    fn open(&mut self, event: Event) {
        if self.sources.contains_key(&event) {
            return;
        }
        let events = if event.removed {
            Events::Left
        } else {
            Events::Added
        };
        let mut happened = self.gatherer(&[(Sets::of(event.kind), events)]);
        happened.active = !self.events_off;
        let since = self.changes;
        self.sources.entry(event).or_insert(Source {
            happened,
            waiting: VecDeque::new(),
            since,
        });
    }

    /// Stops collecting events without listeners, unless they are being delivered.
    pub(super) fn close_idle(&mut self) {
        if self.delivering_events {
            return;
        }
        let observers = &self.observers;
        let listens = |one: &Observer, event: Event| {
            one.live && matches!(one.subject, Subject::Event(of, _) if of == event)
        };
        self.sources
            .retain(|event, _| observers.iter().any(|one| listens(one, *event)));
    }

    /// Whether an event of an entity is still true; a dead entity has lost all components.
    fn is_true(&self, event: Event, id: Id) -> bool {
        self.value(id, event.kind).is_some() != event.removed
    }

    fn listens(&self, subject: Subject) -> bool {
        let mut observers = self.observers.iter();
        observers.any(|one| one.live && one.subject == subject)
    }

    pub(super) fn run_events(&mut self, op: &Op) {
        match *op {
            Op::Deliver(_) => {
                let waiting = self.undelivered();
                let calls = self.deliver_events();
                let listeners = self.live_listeners();
                self.answer(format!(
                    "{calls} calls, {waiting} waited, {listeners} listeners"
                ));
            }
            Op::Replay(n) => {
                let at = usize::from(n).checked_rem(self.listeners.len());
                let calls = at.map(|at| self.replay(self.listeners[at]));
                self.answer(format!("{calls:?}"));
            }
            Op::SwitchEvents(switch) => self.switch_events(switch),
            _ => unreachable!("run by `run_observing`"),
        }
    }

    fn live_listeners(&self) -> usize {
        let live = self.observers.iter().filter(|one| one.live);
        live.filter(|one| matches!(one.subject, Subject::Event(..)))
            .count()
    }

    fn undelivered(&self) -> usize {
        let waiting = |(event, source): (&Event, &Source)| {
            let ids = source.waiting.iter().chain(&source.happened.ids);
            let heard = |id: &&Id| self.is_true(*event, **id) && self.listens(event.subject(**id));
            ids.filter(heard).count()
        };
        self.sources.iter().map(waiting).sum()
    }

    /// Delivers pending events, one event type after the other; events that occur meanwhile are
    /// delivered only if the turn of their type is still to come.
    fn deliver_events(&mut self) -> usize {
        if mem::replace(&mut self.delivering_events, true) {
            return 0;
        }
        self.changes += 1;
        let number = self.changes;
        let outermost = !mem::replace(&mut self.delivering, true);
        let (mut last, mut calls) = (None, 0);
        while let Some(event) = self.next_event(last, number) {
            self.take_over(event);
            while let Some(id) = self.next_waiting(event) {
                calls += self.tell_listeners(event, id, number, outermost);
            }
            last = Some(event);
        }
        self.remove_listeners_of_destroyed(number);
        self.delivering_events = false;
        self.close_idle();
        self.delivering = !outermost;
        calls
    }

    /// The event after another one, of those that had listeners before the delivery.
    fn next_event(&self, last: Option<Event>, number: u64) -> Option<Event> {
        let mut events = self.sources.iter();
        let next = events.find(|(event, source)| {
            last.is_none_or(|last| **event > last) && source.since < number
        });
        next.map(|(event, _)| *event)
    }

    fn take_over(&mut self, event: Event) {
        if let Some(source) = self.sources.get_mut(&event) {
            source.waiting.extend(source.happened.ids.drain(..));
        }
    }

    fn next_waiting(&mut self, event: Event) -> Option<Id> {
        self.sources.get_mut(&event)?.waiting.pop_front()
    }

    /// Calls the listeners in turn while the event is true, and after each of them the observers of
    /// its changes.
    fn tell_listeners(&mut self, event: Event, id: Id, number: u64, outermost: bool) -> usize {
        let mut calls = 0;
        for at in 0..self.observers.len() {
            if !self.is_true(event, id) {
                break;
            }
            let Observer { subject, since, .. } = self.observers[at];
            if subject == event.subject(id) && since < number && self.call_listener(at, id) {
                calls += 1;
                if outermost {
                    self.tell_queued();
                }
            }
        }
        calls
    }

    /// Calls a listener, unless it was removed or is running; returns whether it was called.
    fn call_listener(&mut self, at: usize, id: Id) -> bool {
        let one = &mut self.observers[at];
        let (Subject::Event(event, _), Does::Script(number, script)) =
            (one.subject, one.does.clone())
        else {
            return false;
        };
        if !one.live || mem::replace(&mut one.is_running, true) {
            return false;
        }
        let what = if event.removed { "removed" } else { "set" };
        let (kind, id_name, now) = (event.kind, name(id), self.present(id));
        self.log.push(format!(
            "listener {number}: {id_name} {kind:?} {what}; now {now}"
        ));
        self.run_script(&script, Some(id));
        self.observers[at].is_running = false;
        true
    }

    /// Calls a listener to *set* with all entities that have the component.
    fn replay(&mut self, at: usize) -> usize {
        let Subject::Event(event, entity) = self.observers[at].subject else {
            return 0;
        };
        if event.removed {
            return 0;
        }
        let outermost = !mem::replace(&mut self.delivering, true);
        let heard = |id: &Id| entity.is_none_or(|entity| entity == *id) && self.is_true(event, *id);
        let present: Vec<Id> = self.entities.keys().copied().filter(heard).collect();
        let mut calls = 0;
        for id in present {
            calls += usize::from(self.is_true(event, id) && self.call_listener(at, id));
            if outermost {
                self.tell_queued();
            }
        }
        self.delivering = !outermost;
        calls
    }

    // Removing listeners.

    /// Records the destroy of an entity with listeners: they are notified before they end with it.
    pub(super) fn note_end(&mut self, id: Id) {
        let has_listeners = self
            .observers
            .iter()
            .any(|one| one.live && matches!(one.subject, Subject::Event(_, Some(of)) if of == id));
        if has_listeners {
            self.ended.push((id, self.changes));
        }
    }

    /// Removes the listeners of entities destroyed before a change.
    fn remove_listeners_of_destroyed(&mut self, number: u64) {
        let ended = mem::take(&mut self.ended).into_iter();
        let (before, later): (Vec<_>, Vec<_>) = ended.partition(|(_, since)| *since < number);
        self.ended = later;
        for one in &mut self.observers {
            let ends = |id: Id| before.iter().any(|(ended, _)| *ended == id);
            one.live &= !matches!(one.subject, Subject::Event(_, Some(id)) if ends(id));
        }
        self.close_idle();
    }

    /// Removes all listeners.
    fn clear_listeners(&mut self) {
        self.ended.clear();
        for one in &mut self.observers {
            one.live &= !matches!(one.subject, Subject::Event(..));
        }
        self.close_idle();
    }

    fn switch_events(&mut self, switch: Switch) {
        match switch {
            Switch::Activate => self.set_events_off(false),
            Switch::Deactivate => self.set_events_off(true),
            Switch::Clear => self.sources.values_mut().for_each(Source::clear),
            Switch::Release => self.clear_listeners(),
        }
    }

    fn set_events_off(&mut self, off: bool) {
        if mem::replace(&mut self.events_off, off) != off {
            for source in self.sources.values_mut() {
                source.clear();
                source.happened.active = !off;
            }
        }
    }

    /// Discards pending events, and removes listeners of destroyed entities.
    pub(super) fn forget_events(&mut self) {
        self.sources.values_mut().for_each(Source::clear);
        self.remove_listeners_of_destroyed(u64::MAX);
    }

    /// Removes all listeners, as after a panic.
    pub(super) fn restart_events(&mut self) {
        (self.delivering_events, self.events_off) = (false, false);
        self.clear_listeners();
    }
}
