//! The observers and listeners of a context: a list per subject, in order of subscription.
//!
//! ```text
//! lists      number of a subject ─► [Subscribed, …]    ids ascend
//! audiences  Audience { entity, event } ─► the same
//! ```
//!
//! An observer receives the context that owns its list, so it is taken out while it runs and put
//! back afterwards. A removed observer leaves a gap, which is closed when the list is not being
//! iterated.

mod destroyed;
mod guarded;
#[cfg(any(test, feature = "__checks"))]
mod invariants;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::matching::effects::OF_CONTEXT;
use crate::matching::matcher::GroupEvent;
use crate::reactions::handle::HandleWatch;
use crate::reactions::messages::ChannelNumber;
use crate::reactions::notification::Observer;
use crate::reactions::subscription::{Audience, Subject};
use crate::storage::heap::heap;
use crate::words::entity_id::RawEntityId;
use crate::words::limits::FIRST_NUMBER;

struct Subscribed {
    id: u64,
    /// The number of the last change before it subscribed; it is notified of later ones only.
    since: u64,
    /// `None` while it runs, and after it was unsubscribed.
    call: Option<Observer>,
    live: bool,
    /// Internal: stays when all observers of its subject are removed.
    kept: bool,
}

impl Subscribed {
    fn remove(&mut self) -> RemovedObserver {
        self.live = false;
        RemovedObserver {
            _call: self.call.take(),
        }
    }
}

struct ObserverList {
    entries: Vec<Subscribed>,
    live: usize,
}

impl ObserverList {
    const fn new() -> Self {
        Self {
            entries: Vec::new(),
            live: 0,
        }
    }

    fn find(&mut self, id: u64) -> Option<&mut Subscribed> {
        let place = self.entries.binary_search_by_key(&id, |entry| entry.id);
        self.entries.get_mut(place.ok()?)
    }

    /// Closes the gaps once they are half of the list, so that removing all observers one by one
    /// takes linear time.
    fn compact(&mut self) {
        if self.live * 2 <= self.entries.len() {
            self.entries.retain(|entry| entry.live);
        }
    }
}

pub(crate) struct ObserverRegistry {
    lists: Vec<ObserverList>,
    /// A list per audience that has listeners.
    audiences: BTreeMap<Audience, ObserverList>,
    /// A list per message type.
    messages: Vec<ObserverList>,
    last_id: u64,
    /// Whether creating or destroying entities is observed.
    of_lifetimes: bool,
    /// The number of listeners to single entities.
    own: usize,
    /// Observers to remove when a handle is dropped.
    guarded: Vec<(HandleWatch, Subject, u64)>,
    /// Destroyed entities that have listeners of their own.
    destroyed: Vec<RawEntityId>,
    /// How many of them were destroyed before the current or last delivery of events started.
    destroyed_before: usize,
}

impl ObserverRegistry {
    pub(crate) fn new() -> Self {
        let mut lists = Vec::new();
        add_lists(&mut lists, OF_CONTEXT as usize);
        Self {
            lists,
            audiences: BTreeMap::new(),
            messages: Vec::new(),
            last_id: FIRST_NUMBER,
            of_lifetimes: false,
            own: 0,
            guarded: Vec::new(),
            destroyed: Vec::new(),
            destroyed_before: 0,
        }
    }

    /// Adds the lists for a new group.
    pub(crate) fn add_group(&mut self) {
        add_lists(&mut self.lists, GroupEvent::ALL.len());
    }

    #[inline]
    fn list(&self, subject: Subject) -> Option<&ObserverList> {
        match subject {
            Subject::Numbered(number) => self.lists.get(number as usize),
            Subject::Event(audience) => self.listeners_of(&audience),
            Subject::Message(channel) => self.messages.get(channel.0 as usize),
        }
    }

    #[inline]
    fn list_mut(&mut self, subject: Subject) -> Option<&mut ObserverList> {
        match subject {
            Subject::Numbered(number) => self.lists.get_mut(number as usize),
            Subject::Event(audience) => self.listeners_of_mut(&audience),
            Subject::Message(channel) => self.messages.get_mut(channel.0 as usize),
        }
    }

    #[inline(never)] // keeps the path for observers of groups short
    fn listeners_of(&self, audience: &Audience) -> Option<&ObserverList> {
        self.audiences.get(audience)
    }

    #[inline(never)] // keeps the path for observers of groups short
    fn listeners_of_mut(&mut self, audience: &Audience) -> Option<&mut ObserverList> {
        self.audiences.get_mut(audience)
    }

    /// Whether a subject has no observers.
    #[inline]
    pub(crate) fn is_empty(&self, subject: Subject) -> bool {
        self.places(subject) == 0
    }

    /// Whether creating or destroying entities is observed: one load instead of three.
    #[inline]
    pub(crate) fn any_of_lifetimes(&self) -> bool {
        self.of_lifetimes
    }

    fn record_any_of_lifetimes(&mut self) {
        let subjects = [
            Subject::CREATED,
            Subject::WILL_BE_DESTROYED,
            Subject::DESTROYED,
        ];
        self.of_lifetimes = subjects.iter().any(|&subject| !self.is_empty(subject));
    }

    /// Whether any group is observed.
    pub(crate) fn any_of_groups(&self) -> bool {
        let lists = self.lists.iter().skip(OF_CONTEXT as usize);
        lists.into_iter().any(|list| !list.entries.is_empty())
    }

    /// The number of observers of a subject.
    pub(crate) fn count(&self, subject: Subject) -> usize {
        self.list(subject).map_or(0, |list| list.live)
    }

    /// Adds an observer of the changes after number `since`; returns its id.
    pub(crate) fn add(&mut self, subject: Subject, since: u64, call: Observer) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        if let Subject::Event(audience) = subject {
            self.audiences
                .entry(audience)
                .or_insert_with(ObserverList::new);
            self.own += usize::from(audience.entity.is_some());
        }
        if let Subject::Message(channel) = subject
            && self.messages.len() <= channel.0 as usize
        {
            let more = channel.0 as usize + 1 - self.messages.len();
            add_lists(&mut self.messages, more);
        }
        if let Some(list) = self.list_mut(subject) {
            list.live += 1;
            list.entries.push(Subscribed {
                id,
                since,
                call: Some(call),
                live: true,
                kept: false,
            });
        }
        self.record_any_of_lifetimes();
        id
    }

    /// Frees the list of an audience without listeners.
    fn close(&mut self, audience: Audience) {
        self.audiences.remove(&audience);
        if self.audiences.is_empty() {
            self.audiences = BTreeMap::new(); // an emptied one keeps a node
        }
    }

    /// Lets an observer stay when all observers of its subject are removed.
    pub(crate) fn keep(&mut self, subject: Subject, id: u64) {
        let list = self.list_mut(subject);
        if let Some(entry) = list.and_then(|list| list.find(id)) {
            entry.kept = true;
        }
    }

    /// Removes an observer; returns it to be dropped, empty if it is running.
    pub(crate) fn remove(&mut self, subject: Subject, id: u64) -> Option<RemovedObserver> {
        let list = self.list_mut(subject)?;
        let destroyed = list.find(id).filter(|entry| entry.live)?.remove();
        list.live -= 1;
        self.forget_own(subject, 1);
        Some(destroyed)
    }

    /// Removes all observers of a subject except the kept ones.
    pub(crate) fn remove_all(&mut self, subject: Subject) -> Vec<RemovedObserver> {
        let Some(list) = self.list_mut(subject) else {
            return Vec::new();
        };
        let entries = list.entries.iter_mut();
        let destroyed: Vec<_> = entries
            .filter(|entry| entry.live && !entry.kept)
            .map(Subscribed::remove)
            .collect();
        list.live -= destroyed.len();
        self.forget_own(subject, destroyed.len());
        destroyed
    }

    fn forget_own(&mut self, subject: Subject, count: usize) {
        if let Subject::Event(Audience {
            entity: Some(_), ..
        }) = subject
        {
            self.own -= count;
            if self.own == 0 {
                self.forget_destroyed();
            }
        }
    }

    /// The length of a subject's list, including gaps.
    #[inline]
    pub(crate) fn places(&self, subject: Subject) -> usize {
        self.list(subject).map_or(0, |list| list.entries.len())
    }

    /// The position of an observer in its subject's list.
    pub(crate) fn place_of(&self, subject: Subject, id: u64) -> Option<usize> {
        let entries = &self.list(subject)?.entries;
        entries.binary_search_by_key(&id, |entry| entry.id).ok()
    }

    /// Takes out an observer to notify of the change with this number.
    #[inline]
    pub(crate) fn take(&mut self, subject: Subject, place: usize, change: u64) -> Option<Observer> {
        let entry = self.list_mut(subject)?.entries.get_mut(place)?;
        if entry.since < change {
            entry.call.take()
        } else {
            None
        }
    }

    /// Takes out the observer of a subject, if there is exactly one.
    #[inline]
    pub(crate) fn take_only(&mut self, subject: Subject) -> Option<Observer> {
        match &mut self.list_mut(subject)?.entries[..] {
            [only] => only.call.take(),
            _ => None,
        }
    }

    /// Puts back an observer that was taken out; returns it, to be dropped, if it has been
    /// unsubscribed in the meantime.
    #[inline]
    pub(crate) fn put_back(
        &mut self,
        subject: Subject,
        place: usize,
        call: Observer,
    ) -> Option<Observer> {
        let list = self.list_mut(subject);
        let entry = list.and_then(|list| list.entries.get_mut(place));
        match entry.filter(|entry| entry.live) {
            Some(entry) => {
                debug_assert!(entry.call.is_none());
                core::mem::forget(entry.call.replace(call)); // nothing to drop
                None
            }
            None => Some(call),
        }
    }

    /// Closes the gaps that removed observers have left in a list.
    pub(crate) fn compact(&mut self, subject: Subject) {
        if let Some(list) = self.list_mut(subject) {
            list.compact();
        }
        if let Subject::Event(audience) = subject
            && self.is_empty(subject)
        {
            self.close(audience);
        }
        self.record_any_of_lifetimes();
    }

    /// All subjects of the context, of its groups and of messages.
    pub(crate) fn subjects(&self) -> impl Iterator<Item = Subject> + use<> {
        let numbered = (0..self.lists.len() as u32).map(Subject::Numbered);
        let messages = (0..self.messages.len() as u32).map(ChannelNumber);
        numbered.chain(messages.map(Subject::Message))
    }

    /// All subjects with listeners.
    pub(crate) fn events(&self) -> Vec<Subject> {
        let subjects = self.audiences.keys().copied().map(Subject::Event);
        subjects.filter(|subject| !subject.is_changes()).collect()
    }

    /// All subjects with observers of all changes.
    pub(crate) fn changes(&self) -> impl Iterator<Item = Subject> + '_ {
        let subjects = self.audiences.keys().copied().map(Subject::Event);
        subjects.filter(|subject| subject.is_changes())
    }

    /// The number of listeners to events.
    pub(crate) fn listeners(&self) -> usize {
        let events = self.audiences.iter();
        let events = events.filter(|(audience, _)| audience.event.is_some());
        events.map(|(_, list)| list.live).sum()
    }

    /// Whether events of a single entity have listeners.
    #[inline]
    pub(crate) fn any_of_one(&self) -> bool {
        self.own > 0
    }
}

/// Appends empty lists.
fn add_lists(lists: &mut Vec<ObserverList>, count: usize) {
    for _ in 0..count {
        lists.push(ObserverList::new());
    }
}

/// A removed observer, to be dropped once all state is final.
pub(crate) struct RemovedObserver {
    _call: Option<Observer>,
}

heap!(Subscribed: call);
heap!(ObserverList: entries; each entries);
heap!(ObserverRegistry: lists, audiences, messages, guarded, destroyed; each lists, messages);

#[cfg(test)]
mod tests {
    use super::*;

    /// F28: the last ids and change numbers work like the first.
    #[test]
    fn the_last_numbers_work_like_the_first() {
        let mut observers = ObserverRegistry::new();
        observers.last_id = u64::MAX - 3;
        let subject = Subject::CREATED;
        let mut add = |since| observers.add(subject, since, Observer::new(|_: &mut (), _| {}));
        let ids = [u64::MAX - 3, u64::MAX - 2, u64::MAX - 1].map(&mut add);
        assert_eq!(ids, [u64::MAX - 2, u64::MAX - 1, u64::MAX]);
        let mut is_notified = |place, change| {
            let call = observers.take(subject, place, change);
            call.map(|call| observers.put_back(subject, place, call).is_none())
        };
        assert_eq!(
            [0, 1, 2].map(|place| is_notified(place, u64::MAX)),
            [Some(true); 3]
        );
        let last = [0, 1, 2].map(|place| is_notified(place, u64::MAX - 1));
        assert_eq!(last, [Some(true), Some(true), None]);
        assert!(observers.remove(subject, ids[1]).is_some());
        assert!(observers.remove(subject, ids[1]).is_none());
        assert_eq!(observers.count(subject), 2);
    }

    #[test]
    fn remove_all_keeps_kept_observers() {
        let mut observers = ObserverRegistry::new();
        let subject = Subject::CREATED;
        let ids = [(); 4].map(|()| observers.add(subject, 0, Observer::new(|_: &mut (), _| {})));
        observers.keep(subject, ids[3]);
        let running = observers.take(subject, 0, 1).expect("it is there");
        assert!(observers.remove(subject, ids[0]).is_some()); // leaves a gap until it has run
        assert_eq!(observers.remove_all(subject).len(), 2);
        assert_eq!(
            (observers.count(subject), observers.places(subject)),
            (1, 4)
        );
        assert!(
            observers.put_back(subject, 0, running).is_some(),
            "it was removed"
        );
        assert!(
            observers.take_only(subject).is_none(),
            "there are four places"
        );
        observers.compact(subject);
        assert_eq!(observers.places(subject), 1);
        assert!(observers.take_only(subject).is_some());
    }
}
