//! Events of components: which listeners wait to be told that a component was added or
//! removed, and in which order.
//!
//! ```text
//! sources    Event { priority, component, scope, happening } ─► Source { collector, waiting }
//!              │   ordered as events are delivered
//! listeners  Address { event, entity, number } ─► closure       `None` while it runs
//!                      └ that of a listener to one entity; numbers ascend, so the
//!                        listeners of an event follow one another as they subscribed
//! ```
//!
//! The invariant: a source is there exactly while its event has a listener; one that has
//! lost its last stays until [`Events::take_idle`], which no delivery under way can miss.
//! So an event that nobody listens to has no collector and costs nothing.
//!
//! How events are delivered is `state/events.rs`.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Bound;

use crate::storage::flag::OwnFlag;
use crate::storage::registry::index_of;
use crate::words::component::{Component, ComponentIndex};
use crate::words::entity_id::{EntityId, RawEntityId};

/// Who is listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// Every entity.
    Any,
    /// One entity.
    Own,
}

/// What is listened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Happening {
    Added,
    Removed,
}

/// An event of a component. The order of the fields is the order of delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event {
    priority: i32,
    pub(crate) component: ComponentIndex,
    pub(crate) scope: Scope,
    pub(crate) happening: Happening,
}

impl Event {
    /// The event of component `T`, with the priority that it was declared with.
    pub(crate) fn of<C: 'static, T: Component<C>>(scope: Scope, happening: Happening) -> Self {
        Self {
            priority: T::EVENT_PRIORITIES[scope as usize][happening as usize],
            component: index_of::<C, T>(),
            scope,
            happening,
        }
    }

    /// Whose listeners are told of what happened to an entity.
    pub(crate) fn listened<C>(&self, id: EntityId<C>) -> Option<RawEntityId> {
        match self.scope {
            Scope::Any => None,
            Scope::Own => Some(id.raw()),
        }
    }
}

/// Where a listener is found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Address {
    pub(crate) event: Event,
    /// The entity it listens to, if it is one.
    pub(crate) entity: Option<RawEntityId>,
    pub(crate) number: u64,
}

/// The right to end a listener, by [`Listening::unlisten`](crate::Listening::unlisten).
///
/// Dropping it does nothing: the listener goes on for as long as its entity, or else its
/// context, lives.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game, event(any, added))]
/// struct Health(u32);
///
/// let mut game = Game::new();
/// let listener = game.on_any_health_added(|entity| println!("{}", entity.health().0));
/// assert!(game.unlisten(listener));
/// assert!(!game.unlisten(listener));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Listener {
    pub(crate) instance: u32,
    pub(crate) address: Address,
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Listener({})", self.address.number)
    }
}

/// A listener in the form in which it is kept.
pub(crate) type ListenerFn<C> = Box<dyn FnMut(&mut C, EntityId<C>) + Send + Sync>;

/// What is known of an event that is listened to.
pub(crate) struct Source<C> {
    /// Gathers the entities that it happens to.
    pub(crate) collector: usize,
    /// Taken over from the collector, and not delivered yet.
    pub(crate) waiting: VecDeque<EntityId<C>>,
    /// The number of the last listener before the first of these.
    since: u64,
    listeners: usize,
}

/// All listeners of a context.
pub(crate) struct Events<C> {
    sources: BTreeMap<Event, Source<C>>,
    listeners: BTreeMap<Address, Option<ListenerFn<C>>>,
    /// The number of the last listener.
    pub(crate) last: u64,
    /// How many listen to one entity.
    own: usize,
    /// Entities that have ended, with listeners of their own.
    ended: Vec<RawEntityId>,
    /// Whether changes are gathered.
    pub(crate) active: bool,
    /// Whether events have ever been delivered.
    pub(crate) served: bool,
    /// Whether nobody wants to hear that they have not, or somebody has heard.
    pub(crate) quiet: bool,
    /// Raised while events are delivered; taken with the first listener.
    pub(crate) flag: Option<OwnFlag>,
}

impl<C> Events<C> {
    pub(crate) const fn new() -> Self {
        Self {
            sources: BTreeMap::new(),
            listeners: BTreeMap::new(),
            last: 0,
            own: 0,
            ended: Vec::new(),
            active: true,
            served: false,
            quiet: false,
            flag: None,
        }
    }

    /// How many listeners there are.
    pub(crate) fn len(&self) -> usize {
        self.listeners.len()
    }

    /// Whether events are being delivered.
    pub(crate) fn is_delivering(&self) -> bool {
        let flag = self.flag.as_ref();
        flag.is_some_and(|flag| flag.get().is_raised())
    }

    /// Whether the event has a source.
    pub(crate) fn has_source(&self, event: Event) -> bool {
        self.sources.contains_key(&event)
    }

    /// Adds the source of an event; gives the collector back if there is one already.
    pub(crate) fn open(&mut self, event: Event, collector: usize) -> Result<(), usize> {
        if self.has_source(event) {
            return Err(collector);
        }
        let source = Source {
            collector,
            waiting: VecDeque::new(),
            since: self.last,
            listeners: 0,
        };
        self.sources.insert(event, source);
        Ok(())
    }

    /// The source of an event.
    pub(crate) fn source_mut(&mut self, event: Event) -> Option<&mut Source<C>> {
        self.sources.get_mut(&event)
    }

    /// All sources in order of delivery.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (&Event, &Source<C>)> {
        self.sources.iter()
    }

    /// The source that is delivered after an event, or first, of those that had
    /// listeners when the listener `newest` was the last.
    pub(crate) fn next_source(&self, after: Option<Event>, newest: u64) -> Option<Event> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let later = self.sources.range((start, Bound::Unbounded));
        later
            .filter(|(_, source)| source.since < newest)
            .map(|(event, _)| *event)
            .next()
    }

    /// Adds a listener to an event that has a source.
    pub(crate) fn add(
        &mut self,
        event: Event,
        entity: Option<RawEntityId>,
        call: ListenerFn<C>,
    ) -> Address {
        self.last += 1;
        let number = self.last;
        let address = Address {
            event,
            entity,
            number,
        };
        self.listeners.insert(address, Some(call));
        self.own += usize::from(entity.is_some());
        if let Some(source) = self.sources.get_mut(&event) {
            source.listeners += 1;
        }
        address
    }

    /// Ends a listener; hands it over to be dropped, unless it is running. `None` where
    /// it has been ended already.
    pub(crate) fn remove(&mut self, address: Address) -> Option<Option<ListenerFn<C>>> {
        let call = self.listeners.remove(&address)?;
        self.own -= usize::from(address.entity.is_some());
        if let Some(source) = self.sources.get_mut(&address.event) {
            source.listeners -= 1;
        }
        Some(call)
    }

    /// Ends all listeners; hands them over to be dropped.
    pub(crate) fn remove_all(&mut self) -> impl Sized + use<C> {
        self.own = 0;
        self.ended.clear();
        for source in self.sources.values_mut() {
            source.listeners = 0;
        }
        core::mem::take(&mut self.listeners)
    }

    /// Takes a listener out to be called.
    pub(crate) fn take(&mut self, address: Address) -> Option<ListenerFn<C>> {
        self.listeners.get_mut(&address)?.take()
    }

    /// Puts a listener back that was taken out; hands it over to be dropped if it has
    /// been ended meanwhile.
    pub(crate) fn put_back(
        &mut self,
        address: Address,
        call: ListenerFn<C>,
    ) -> Option<ListenerFn<C>> {
        match self.listeners.get_mut(&address) {
            Some(place) => {
                *place = Some(call);
                None
            }
            None => Some(call),
        }
    }

    /// The listener to an event, of any entity or of one, with the lowest number above
    /// `after`.
    pub(crate) fn next_listener(
        &self,
        event: Event,
        entity: Option<RawEntityId>,
        after: u64,
    ) -> Option<Address> {
        let at = |number| Address {
            event,
            entity,
            number,
        };
        let range = self.listeners.range(at(after + 1)..=at(u64::MAX));
        range.map(|(address, _)| *address).next()
    }

    /// Takes out the sources that nobody listens to any more; gives their collectors.
    pub(crate) fn take_idle(&mut self) -> Vec<usize> {
        let mut collectors = Vec::new();
        self.sources.retain(|_, source| {
            if source.listeners == 0 {
                collectors.push(source.collector);
            }
            source.listeners > 0
        });
        collectors
    }

    /// Whether anybody listens to events of one entity.
    #[inline]
    pub(crate) fn has_own(&self) -> bool {
        self.own > 0
    }

    /// Notes that an entity has ended. Its listeners stay until
    /// [`remove_ended`](Self::remove_ended), so that they can be told.
    #[inline]
    pub(crate) fn note_end(&mut self, id: EntityId<C>) {
        if self.own > 0 {
            self.note_end_of_listened(id.raw());
        }
    }

    #[cold]
    fn note_end_of_listened(&mut self, id: RawEntityId) {
        if self.own_events().any(|event| self.hears(event, Some(id))) {
            self.ended.push(id);
        }
    }

    fn own_events(&self) -> impl Iterator<Item = Event> + '_ {
        let events = self.sources.keys().copied();
        events.filter(|event| event.scope == Scope::Own)
    }

    /// Whether anybody listens to an event, of any entity or of one.
    pub(crate) fn hears(&self, event: Event, entity: Option<RawEntityId>) -> bool {
        self.next_listener(event, entity, 0).is_some()
    }

    /// How many entities with listeners have ended.
    pub(crate) fn ended(&self) -> usize {
        self.ended.len()
    }

    /// Ends the listeners of the first `count` ended entities; hands them over to be
    /// dropped.
    pub(crate) fn remove_ended(&mut self, count: usize) -> Vec<Option<ListenerFn<C>>> {
        let mut removed = Vec::new();
        let events: Vec<_> = self.own_events().collect();
        let count = count.min(self.ended.len());
        for id in self.ended.drain(..count).collect::<Vec<_>>() {
            for &event in &events {
                while let Some(address) = self.next_listener(event, Some(id), 0) {
                    removed.extend(self.remove(address));
                }
            }
        }
        removed
    }

    /// Forgets what was taken over from the collectors and not delivered.
    pub(crate) fn clear_waiting(&mut self) {
        for source in self.sources.values_mut() {
            source.waiting.clear();
        }
    }
}
