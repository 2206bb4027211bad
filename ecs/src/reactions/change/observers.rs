//! The observers of a context: a list for each subject, in order of subscription.

use alloc::vec::Vec;

use super::{ObserverFn, Subject};
use crate::matching::matcher::GroupEvent;
use crate::words::heap_size::bytes_of;

/// One observer in its list.
struct Entry<C> {
    id: u64,
    /// The number of the last change before it subscribed: it hears later ones.
    since: u64,
    /// Taken out while it runs; also empty once it has been unsubscribed.
    call: Option<ObserverFn<C>>,
    live: bool,
    /// Part of something else: not ended with all observers of its subject.
    kept: bool,
}

/// The observers of one subject, in order of subscription.
struct List<C> {
    entries: Vec<Entry<C>>,
}

impl<C> List<C> {
    const fn new() -> Self {
        Self {
            entries: Vec::new(),
        }
    }

    fn live(&self) -> usize {
        self.entries.iter().filter(|entry| entry.live).count()
    }
}

/// All observers of a context.
pub(crate) struct Observers<C> {
    /// A list for each [`Subject`].
    lists: Vec<List<C>>,
    last_id: u64,
    /// Whether anybody listens to how entities begin and end.
    of_lives: bool,
}

impl<C> Observers<C> {
    pub(crate) fn new() -> Self {
        let lists = (0..Subject::OF_CONTEXT).map(|_| List::new()).collect();
        Self {
            lists,
            last_id: 0,
            of_lives: false,
        }
    }

    /// Makes room for the observers of a new group.
    pub(crate) fn add_group(&mut self) {
        self.lists.extend(GroupEvent::ALL.map(|_| List::new()));
    }

    #[inline]
    fn list(&self, subject: Subject) -> &List<C> {
        &self.lists[subject.0 as usize]
    }

    #[inline]
    fn list_mut(&mut self, subject: Subject) -> &mut List<C> {
        &mut self.lists[subject.0 as usize]
    }

    /// Whether anybody listens.
    #[inline]
    pub(crate) fn is_empty(&self, subject: Subject) -> bool {
        self.list(subject).entries.is_empty()
    }

    /// Whether anybody listens to how entities begin and end: one load for three lists.
    #[inline]
    pub(crate) fn any_of_lives(&self) -> bool {
        self.of_lives
    }

    fn note_any_of_lives(&mut self) {
        let subjects = [
            Subject::CREATED,
            Subject::WILL_BE_DESTROYED,
            Subject::DESTROYED,
        ];
        self.of_lives = subjects.iter().any(|&subject| !self.is_empty(subject));
    }

    /// Whether anybody listens to any group.
    pub(crate) fn any_of_groups(&self) -> bool {
        let lists = self.lists.iter().skip(Subject::OF_CONTEXT as usize);
        lists.into_iter().any(|list| !list.entries.is_empty())
    }

    /// How many listen.
    pub(crate) fn count(&self, subject: Subject) -> usize {
        self.list(subject).live()
    }

    /// Appends an observer that hears the changes after number `since`; gives its id.
    pub(crate) fn add(&mut self, subject: Subject, since: u64, call: ObserverFn<C>) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        self.list_mut(subject).entries.push(Entry {
            id,
            since,
            call: Some(call),
            live: true,
            kept: false,
        });
        self.note_any_of_lives();
        id
    }

    /// Has an observer stay when all observers of its subject are ended.
    pub(crate) fn keep(&mut self, subject: Subject, id: u64) {
        let entries = &mut self.list_mut(subject).entries;
        if let Some(entry) = entries.iter_mut().find(|entry| entry.id == id) {
            entry.kept = true;
        }
    }

    /// Ends an observer; hands it over to be dropped, unless it is running.
    pub(crate) fn end(&mut self, subject: Subject, id: u64) -> Option<Ended<C>> {
        let entries = &mut self.list_mut(subject).entries;
        let entry = entries
            .iter_mut()
            .find(|entry| entry.id == id && entry.live)?;
        entry.live = false;
        Some(Ended {
            _call: entry.call.take(),
        })
    }

    /// Ends every observer of a subject but those that are kept.
    pub(crate) fn end_all(&mut self, subject: Subject) -> Vec<Ended<C>> {
        let end = |entry: &mut Entry<C>| {
            entry.live = false;
            Ended {
                _call: entry.call.take(),
            }
        };
        self.list_mut(subject)
            .entries
            .iter_mut()
            .filter(|entry| entry.live && !entry.kept)
            .map(end)
            .collect()
    }

    /// How many places a subject's list has, those of ended observers included.
    #[inline]
    pub(crate) fn places(&self, subject: Subject) -> usize {
        self.list(subject).entries.len()
    }

    /// Takes the observer out that is to hear of the change with this number.
    #[inline]
    pub(crate) fn take(
        &mut self,
        subject: Subject,
        place: usize,
        change: u64,
    ) -> Option<ObserverFn<C>> {
        let entry = &mut self.list_mut(subject).entries[place];
        if entry.since < change {
            entry.call.take()
        } else {
            None
        }
    }

    /// Puts an observer back that was taken out; hands it over to be dropped if it
    /// has been unsubscribed meanwhile.
    #[inline]
    pub(crate) fn put_back(
        &mut self,
        subject: Subject,
        place: usize,
        call: ObserverFn<C>,
    ) -> Option<ObserverFn<C>> {
        let entry = &mut self.list_mut(subject).entries[place];
        if !entry.live {
            return Some(call);
        }
        entry.call = Some(call);
        None
    }

    /// Takes the observer of a subject out that has no other one, nor ended ones.
    #[inline]
    pub(crate) fn take_only(&mut self, subject: Subject) -> Option<ObserverFn<C>> {
        match &mut self.lists.get_mut(subject.0 as usize)?.entries[..] {
            [only] => only.call.take(),
            _ => None,
        }
    }

    /// Puts the observer back that [`take_only`](Self::take_only) gave, where none of the
    /// subject has been ended since.
    #[inline]
    pub(crate) fn put_first_back(&mut self, subject: Subject, call: ObserverFn<C>) {
        if let Some(list) = self.lists.get_mut(subject.0 as usize)
            && let Some(first) = list.entries.first_mut()
        {
            debug_assert!(first.live && first.call.is_none());
            core::mem::forget(first.call.replace(call)); // there is none to be dropped
        }
    }

    /// Closes the gaps that ended observers have left in a list.
    pub(crate) fn compact(&mut self, subject: Subject) {
        self.list_mut(subject).entries.retain(|entry| entry.live);
        self.note_any_of_lives();
    }

    /// The bytes held, observers included, but for what they have put elsewhere.
    pub(crate) fn bytes(&self) -> usize {
        let observer = |entry: &Entry<C>| entry.call.as_deref().map_or(0, size_of_val);
        let list = |list: &List<C>| {
            bytes_of(&list.entries) + list.entries.iter().map(observer).sum::<usize>()
        };
        bytes_of(&self.lists) + self.lists.iter().map(list).sum::<usize>()
    }

    /// Every subject there is at present.
    pub(crate) fn subjects(&self) -> impl Iterator<Item = Subject> + use<C> {
        (0..self.lists.len() as u32).map(Subject)
    }
}

/// An observer that has been ended: to be dropped once all state is final.
pub(crate) struct Ended<C> {
    _call: Option<ObserverFn<C>>,
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;

    use super::*;

    /// F28: observers and changes are numbered; the last numbers are as good as the
    /// first.
    #[test]
    fn the_last_numbers_are_as_good_as_the_first() {
        let mut observers = Observers::<()>::new();
        observers.last_id = u64::MAX - 3;
        let subject = Subject::CREATED;
        let mut add = |since| observers.add(subject, since, Box::new(|_, _| {}));
        let ids = [u64::MAX - 3, u64::MAX - 2, u64::MAX - 1].map(&mut add);
        assert_eq!(ids, [u64::MAX - 2, u64::MAX - 1, u64::MAX]);
        let mut hears = |place, change| {
            let call = observers.take(subject, place, change);
            call.map(|call| observers.put_back(subject, place, call).is_none())
        };
        assert_eq!(
            [0, 1, 2].map(|place| hears(place, u64::MAX)),
            [Some(true); 3]
        );
        let last = [0, 1, 2].map(|place| hears(place, u64::MAX - 1));
        assert_eq!(last, [Some(true), Some(true), None]);
        assert!(observers.end(subject, ids[1]).is_some());
        assert!(observers.end(subject, ids[1]).is_none());
        assert_eq!(observers.count(subject), 2);
    }
}
