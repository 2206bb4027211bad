//! The history of a context: every change since it is recorded, in order.
//!
//! ```text
//! entries  [ added Position to 3v1 │ replaced Health of 3v1 │ … │ ended 7v2 │ … ]
//!            ▲ first                          present ─► ▲          ahead: undone, can be done again
//! marks      │ mark 1                 │ mark 2                     │ mark 3
//! values     in the columns, a stack of those before and one of those after for each component
//! ```
//!
//! An entry says what changed, and the columns keep the value: the entries of a component and the
//! values that it keeps are in one order. A mark names a moment between two entries, and holds
//! what is no matter of entities: what collectors, inboxes and lists of removed values held.

mod actors;
pub(crate) mod held;

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::any::Any;
use core::cmp::Ordering;
use core::mem;

use self::actors::Actors;
use self::held::Held;
use crate::reactions::handle::{Watch, Watched};
use crate::words::component::ComponentIndex;
use crate::words::direction::Direction;
use crate::words::entity_id::EntityId;
use crate::words::signature::ComponentSet;

/// What one entry says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An entity came to life in a slot that had been there.
    Created,
    /// An entity came to life in a new slot.
    CreatedAnew,
    /// The entity of the next entry of another kind came to life with this component.
    CreatedWith,
    /// An entity ended.
    Ended,
    /// The entity of the next entry of another kind ended with this component.
    EndedWith,
    Added,
    Removed,
    /// It got another value, or its value was changed in place.
    Replaced,
    /// A slot came to be without an entity that anybody saw.
    Spare,
}

impl Kind {
    /// Whether the value before was kept when it was recorded.
    pub(crate) fn keeps_value(self) -> bool {
        matches!(self, Self::EndedWith | Self::Removed | Self::Replaced)
    }
}

/// One change.
#[derive(Debug)]
pub(crate) struct Entry<C> {
    pub(crate) id: EntityId<C>,
    /// The component; of no meaning if the whole entity is concerned.
    pub(crate) component: ComponentIndex,
    pub(crate) kind: Kind,
    /// The number of the system that did it; 0 if that is not known.
    by: u16,
}

impl<C> Clone for Entry<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Entry<C> {}

impl<C> Entry<C> {
    /// An entry of a component.
    #[inline]
    pub(crate) fn of(kind: Kind, id: EntityId<C>, component: ComponentIndex) -> Self {
        let by = 0; // until it is appended
        Self {
            id,
            component,
            kind,
            by,
        }
    }

    /// An entry of a whole entity.
    pub(crate) fn whole(kind: Kind, id: EntityId<C>) -> Self {
        Self::of(kind, id, ComponentIndex::at(0))
    }
}

/// A moment that can become the present again.
struct Moment<C> {
    mark: u64,
    /// The number of the entry that comes next.
    at: u64,
    held: Held<C>,
}

/// What forgotten marks have held, to be dropped: user code.
pub(crate) struct Forgotten<C> {
    _moments: Vec<Moment<C>>,
}

/// All that is recorded of a context, but for the values.
pub(crate) struct Recording<C> {
    entries: VecDeque<Entry<C>>,
    /// The number of the first entry.
    first: u64,
    /// How many entries are behind the present.
    present: usize,
    moments: VecDeque<Moment<C>>,
    last_mark: u64,
    /// The checksums of moments, with the number of the entry that came next.
    sums: VecDeque<(u64, u64)>,
    actors: Actors,
    /// How many slots the entries account for.
    pub(crate) slots: usize,
    /// Values that have been forgotten in the middle of a change, to be dropped behind it.
    pub(crate) spent: Vec<Box<dyn Any + Send + Sync>>,
    /// The components of which nothing is recorded.
    pub(crate) left_out: ComponentSet,
    watch: Watch,
}

impl<C: 'static> Recording<C> {
    /// A recording of what happens from now on, and the part of the handle that it is watched by.
    pub(crate) fn new(slots: usize, left_out: ComponentSet) -> (Self, Watched) {
        let watched = Watched::new();
        let recording = Self {
            entries: VecDeque::new(),
            first: 0,
            present: 0,
            moments: VecDeque::new(),
            last_mark: 0,
            sums: VecDeque::new(),
            actors: Actors::default(),
            slots,
            spent: Vec::new(),
            left_out,
            watch: watched.watch(),
        };
        (recording, watched)
    }

    /// Whether the handle has been dropped.
    pub(crate) fn is_dropped(&self) -> bool {
        self.watch.is_dropped()
    }

    /// Whether there is no room for another entry, or there are changes that have been undone and
    /// could be done again.
    #[inline]
    pub(crate) fn is_full_or_has_future(&self) -> bool {
        let entries = self.entries.len();
        self.present < entries || entries == self.entries.capacity()
    }

    /// Whether the handle is still there. If not, all entries are forgotten, and there is no room for
    /// others.
    pub(crate) fn goes_on(&mut self) -> bool {
        let goes_on = !self.is_dropped();
        if !goes_on {
            (self.entries, self.present) = (VecDeque::new(), 0);
        }
        goes_on
    }

    /// Appends a change; nothing may be ahead.
    #[inline]
    pub(crate) fn push(&mut self, mut entry: Entry<C>) {
        entry.by = self.actors.current();
        self.entries.push_back(entry);
        self.present += 1;
    }

    /// Forgets what is ahead, marks included.
    pub(crate) fn cut(&mut self) {
        self.entries.truncate(self.present);
        let now = self.now();
        while self.moments.back().is_some_and(|moment| moment.at > now) {
            self.moments.pop_back();
        }
        while self.sums.back().is_some_and(|(at, _)| *at > now) {
            self.sums.pop_back();
        }
    }

    /// Forgets all that is recorded, marks included; what marks held is to be dropped.
    pub(crate) fn restart(&mut self, slots: usize) -> Forgotten<C> {
        self.first = self.now();
        (self.present, self.slots) = (0, slots);
        self.entries.clear();
        self.sums.clear();
        let _moments = mem::take(&mut self.moments).into();
        Forgotten { _moments }
    }

    /// The number of the entry that comes next.
    fn now(&self) -> u64 {
        self.first + self.present as u64
    }

    /// The last checksum behind the present, and when that was.
    pub(crate) fn last_sum(&self) -> Option<(u64, u64)> {
        let mut sums = self.sums.iter().rev().copied();
        sums.find(|(at, _)| (self.first..=self.now()).contains(at))
    }

    /// Notes the checksum of the present.
    pub(crate) fn note_sum(&mut self, sum: u64) {
        let now = self.now();
        let place = self.sums.partition_point(|(at, _)| *at < now);
        if self.sums.get(place).is_none_or(|(at, _)| *at != now) {
            self.sums.insert(place, (now, sum));
        }
    }

    /// The entries behind the present from the one with this number on.
    pub(crate) fn since(&self, at: u64) -> impl Iterator<Item = &Entry<C>> + '_ {
        self.entries.range((at - self.first) as usize..self.present)
    }

    /// The entries behind the present, the first one first.
    pub(crate) fn behind(&self) -> impl DoubleEndedIterator<Item = &Entry<C>> + '_ {
        self.entries.range(..self.present)
    }

    /// The name of the system that made a change, if it is known.
    pub(crate) fn actor(&self, entry: &Entry<C>) -> Option<&str> {
        self.actors.name(entry.by)
    }

    /// How many entries there are behind the present.
    pub(crate) fn len(&self) -> usize {
        self.present
    }

    /// Names the present moment.
    pub(crate) fn mark(&mut self, held: Held<C>) -> u64 {
        self.last_mark += 1;
        self.moments.push_back(Moment {
            mark: self.last_mark,
            at: self.now(),
            held,
        });
        self.last_mark
    }

    fn place_of(&self, mark: u64) -> Option<usize> {
        let marks = self.moments.binary_search_by_key(&mark, |it| it.mark);
        marks.ok()
    }

    /// What was held at a mark; `None` if it is not known any more.
    pub(crate) fn held_at(&self, mark: u64) -> Option<&Held<C>> {
        Some(&self.moments[self.place_of(mark)?].held)
    }

    /// Where a mark is, seen from the present, if it is known.
    pub(crate) fn seen_from_present(&self, mark: u64) -> Option<Ordering> {
        Some(self.moments[self.place_of(mark)?].at.cmp(&self.now()))
    }

    /// Takes a step on the way to a mark: returns the entry to be undone or done again, and its
    /// place among the entries.
    pub(crate) fn step(&mut self, mark: u64, direction: Direction) -> Option<(usize, Entry<C>)> {
        let at = self.moments[self.place_of(mark)?].at;
        let now = self.now();
        let place = match direction {
            Direction::Back if now > at => {
                self.present -= 1;
                self.present
            }
            Direction::Forward if now < at => {
                self.present += 1;
                self.present - 1
            }
            _ => return None,
        };
        Some((place, self.entries[place]))
    }

    /// The components that stand before the entry of a whole entity.
    pub(crate) fn components_before(
        &self,
        place: usize,
    ) -> impl Iterator<Item = ComponentIndex> + '_ {
        let with = self.entries.range(..place).rev();
        let with =
            with.take_while(|entry| matches!(entry.kind, Kind::CreatedWith | Kind::EndedWith));
        with.map(|entry| entry.component)
    }

    /// Forgets all that came before a mark, if that is known; hands each of these entries to `each`
    /// for which a value is kept. Returns what the marks held that are forgotten, to be dropped.
    pub(crate) fn forget_before(
        &mut self,
        mark: u64,
        each: impl FnMut(&Entry<C>),
    ) -> Option<Forgotten<C>> {
        let place = self.place_of(mark)?;
        let at = self.moments[place].at;
        let count = ((at - self.first) as usize).min(self.present);
        let forgotten = self.entries.range(..count);
        forgotten
            .filter(|entry| entry.kind.keeps_value())
            .for_each(each);
        self.entries.drain(..count);
        self.first += count as u64;
        self.present -= count;
        let mut forgotten = Vec::new();
        while self.moments.front().is_some_and(|moment| moment.at < at) {
            forgotten.extend(self.moments.pop_front());
        }
        while self.sums.front().is_some_and(|(sum_at, _)| *sum_at < at) {
            self.sums.pop_front();
        }
        Some(Forgotten {
            _moments: forgotten,
        })
    }

    /// Gives up the room in which nothing is.
    pub(crate) fn trim(&mut self) {
        self.entries.shrink_to_fit();
        self.moments.shrink_to_fit();
        self.sums.shrink_to_fit();
    }

    /// The bytes held, but for what values and marks hold elsewhere.
    pub(crate) fn bytes(&self) -> usize {
        let entries = self.entries.capacity() * size_of::<Entry<C>>();
        let held = self.moments.iter().map(|moment| moment.held.bytes());
        size_of::<Self>()
            + entries
            + self.sums.capacity() * size_of::<(u64, u64)>()
            + self.moments.capacity() * size_of::<Moment<C>>()
            + held.sum::<usize>()
    }
}
