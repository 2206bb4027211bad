//! The links of a relation: for each target the entities that lead to it.
//!
//! ```text
//! places[source's slot]  { target, at }      lists[target's slot]  [source, source, source]
//!                                  └──────────────────────────────── at ──┘
//! ```
//!
//! An index of the entities that have the component, with the target as the key. Targets are
//! entities, so a bucket is found by a slot: nothing is hashed, and no user code runs. Links lead
//! to living targets alone: when one ends, its list is taken away ([`Links::detach`]).

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::mem;
use core::ops::Range;

use hashbrown::HashMap;

use super::copy::{IndexCopy, LinksCopy};
use super::index::{AnyIndex, Moment};
use super::journal::Journal;
use crate::matching::row_set::RowSet;
use crate::storage::slots::Slots;
use crate::words::component::ComponentIndex;
use crate::words::direction::Direction;
use crate::words::entity_id::UntypedId;
use crate::words::heap_size::heap_size;
use crate::words::relation::OnTargetDestroyed;

/// Where an entity stands among the sources of its target.
struct Place {
    target: Option<UntypedId>,
    at: u32,
}

/// The links of one relation, and its rules.
pub(crate) struct Links {
    pub(crate) component: ComponentIndex,
    pub(crate) on_target_destroyed: OnTargetDestroyed,
    ordered: bool,
    /// By the slots of sources.
    places: Vec<Place>,
    /// The sources, by the slots of their targets.
    lists: Vec<Vec<UntypedId>>,
    /// How often links have changed.
    changes: u64,
    journal: Journal<Step>,
}

/// A step in which links changed.
enum Step {
    Linked(UntypedId, UntypedId),
    /// A source was taken from its place among those of its target.
    Unlinked(UntypedId, UntypedId, usize),
    /// All sources were taken from a target: these, if the step is behind.
    Detached(UntypedId, Vec<UntypedId>),
}

impl Links {
    pub(crate) fn new(
        component: ComponentIndex,
        on_target_destroyed: OnTargetDestroyed,
        ordered: bool,
    ) -> Self {
        Self {
            component,
            on_target_destroyed,
            ordered,
            places: Vec::new(),
            lists: Vec::new(),
            changes: 0,
            journal: Journal::new(),
        }
    }

    /// The entities that lead to one that is alive.
    #[inline]
    pub(crate) fn sources(&self, target: UntypedId) -> &[UntypedId] {
        let list = self.lists.get(target.index() as usize);
        list.map_or(&[], Vec::as_slice)
    }

    /// The target of an entity that is alive, unless it is dead.
    #[inline]
    pub(crate) fn target(&self, source: UntypedId) -> Option<UntypedId> {
        self.places.get(source.index() as usize)?.target
    }

    /// How many entities lead to another one.
    pub(crate) fn len(&self) -> usize {
        self.lists.iter().map(Vec::len).sum()
    }

    /// The targets that have sources, with these.
    fn listed(&self) -> impl Iterator<Item = (UntypedId, Vec<UntypedId>)> + '_ {
        let lists = self.lists.iter();
        lists.filter_map(|sources| {
            let first = sources.first()?;
            Some((self.target(*first)?, sources.clone()))
        })
    }

    /// The next entity of a walk along the relation, depth first, through all that lead to `top`.
    pub(crate) fn next_below(&self, top: UntypedId, id: UntypedId) -> Option<UntypedId> {
        if let Some(&first) = self.sources(id).first() {
            return Some(first);
        }
        let mut id = id;
        while id != top {
            let place = self.places.get(id.index() as usize)?;
            let target = place.target?;
            if let Some(&next) = self.sources(target).get(place.at as usize + 1) {
                return Some(next);
            }
            id = target;
        }
        None
    }

    /// How often links have changed.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Has an entity lead to a living target, and to no other one.
    pub(crate) fn link(&mut self, source: UntypedId, target: UntypedId) {
        if self.target(source) == Some(target) {
            return;
        }
        self.unlink(source);
        self.append(source, target);
        self.note(|| Step::Linked(source, target));
    }

    /// Adds a source that leads nowhere behind the others of a target.
    fn append(&mut self, source: UntypedId, target: UntypedId) {
        let list = entry(&mut self.lists, target, Vec::new);
        let at = u32::try_from(list.len()).expect("fewer than 2^32 entities");
        list.push(source);
        let target = Some(target);
        *entry(&mut self.places, source, Place::none) = Place { target, at };
        self.changes += 1;
    }

    /// Puts the sources of a target in order: first those that are listed, as they are listed. An entity
    /// of before in the target's slot has none, whatever a file says.
    pub(crate) fn order(&mut self, target: UntypedId, listed: &[UntypedId]) {
        let nth: HashMap<_, _> = listed.iter().map(|id| id.raw()).zip(0..).collect();
        let mut sources = self.sources(target).to_vec();
        sources.retain(|&source| self.target(source) == Some(target));
        for &source in sources.iter().rev() {
            self.unlink(source);
        }
        sources.sort_by_key(|source| nth.get(&source.raw()).copied().unwrap_or(usize::MAX));
        for source in sources {
            self.link(source, target);
        }
    }

    /// The sources that stand before one among those of its target, the nearest first; none if it leads
    /// nowhere.
    pub(crate) fn before(&self, source: UntypedId) -> impl Iterator<Item = UntypedId> + '_ {
        let place = self.places.get(source.index() as usize);
        let before =
            place.and_then(|place| Some(&self.sources(place.target?)[..place.at as usize]));
        before.unwrap_or_default().iter().rev().copied()
    }

    /// Whether sources stand in the order in which they came to lead to their target.
    pub(crate) fn are_ordered(&self) -> bool {
        self.ordered
    }

    /// The targets that several lead to, with those that do, in the order of the slots.
    #[cfg(feature = "serde")]
    pub(crate) fn targets_of_many(&self) -> impl Iterator<Item = (UntypedId, &[UntypedId])> {
        let many = self.lists.iter().filter(|list| list.len() > 1);
        many.filter_map(|list| Some((self.target(*list.first()?)?, list.as_slice())))
    }

    /// Has an entity lead nowhere.
    ///
    /// Complexity: constant; linear in the sources of the target if they are ordered.
    pub(crate) fn unlink(&mut self, source: UntypedId) {
        if let Some((target, at)) = self.take_out(source) {
            self.note(|| Step::Unlinked(source, target, at));
        }
    }

    /// Takes a source from its place among those of its target, which is returned.
    fn take_out(&mut self, source: UntypedId) -> Option<(UntypedId, usize)> {
        let place = self.places.get_mut(source.index() as usize)?;
        let Place { target, at } = mem::replace(place, Place::none());
        let (target, at) = (target?, at as usize);
        let list = self.lists.get_mut(target.index() as usize)?;
        let moved = match self.ordered {
            true => {
                list.remove(at);
                at..list.len()
            }
            false => {
                list.swap_remove(at);
                at..list.len().min(at + 1)
            }
        };
        self.note_places(target, moved);
        self.changes += 1;
        Some((target, at))
    }

    /// Puts a source back where [`take_out`](Self::take_out) took it from.
    fn put_back(&mut self, source: UntypedId, target: UntypedId, at: usize) {
        self.append(source, target);
        let list = &mut self.lists[target.index() as usize];
        match self.ordered {
            true => list[at..].rotate_right(1),
            false => {
                let last = list.len() - 1;
                list.swap(at, last);
            }
        }
        let moved = at..list.len();
        self.note_places(target, moved);
    }

    /// Notes where the sources of a target stand.
    fn note_places(&mut self, target: UntypedId, moved: Range<usize>) {
        let list = &self.lists[target.index() as usize];
        for (source, at) in list[moved.clone()].iter().zip(moved) {
            self.places[source.index() as usize].at = at as u32; // as many as there were
        }
    }

    /// Has all sources of a target that ends lead nowhere; returns them.
    pub(crate) fn detach(&mut self, target: UntypedId) -> Vec<UntypedId> {
        let sources = self.take_all(target);
        if !sources.is_empty() {
            self.note(|| Step::Detached(target, sources.clone()));
        }
        sources
    }

    fn take_all(&mut self, target: UntypedId) -> Vec<UntypedId> {
        let list = self.lists.get_mut(target.index() as usize);
        let sources = list.map(mem::take).unwrap_or_default();
        for source in &sources {
            self.places[source.index() as usize] = Place::none();
        }
        self.changes += u64::from(!sources.is_empty());
        sources
    }

    #[inline]
    fn note(&mut self, step: impl FnOnce() -> Step) {
        if self.journal.is_recording() {
            self.journal.push(step());
        }
    }

    /// Takes a step back; returns it as one that is ahead.
    fn take_back(&mut self, step: Step) -> Step {
        match step {
            Step::Linked(source, _) => _ = self.take_out(source),
            Step::Unlinked(source, target, at) => self.put_back(source, target, at),
            Step::Detached(target, sources) => {
                sources
                    .iter()
                    .for_each(|&source| self.append(source, target));
                return Step::Detached(target, Vec::new());
            }
        }
        step
    }

    /// Takes a step again; returns it as one that is behind.
    fn take_again(&mut self, step: Step) -> Step {
        match step {
            Step::Linked(source, target) => self.append(source, target),
            Step::Unlinked(source, ..) => _ = self.take_out(source),
            Step::Detached(target, _) => return Step::Detached(target, self.take_all(target)),
        }
        step
    }
}

impl Place {
    const fn none() -> Self {
        let (target, at) = (None, 0);
        Self { target, at }
    }
}

/// What a table has for the slot of an entity; it grows if it ends before.
fn entry<T>(table: &mut Vec<T>, id: UntypedId, empty: fn() -> T) -> &mut T {
    let at = id.index() as usize;
    if at >= table.len() {
        table.resize_with(at + 1, empty);
    }
    &mut table[at]
}

/// Links are changed as soon as a change is stored, so none of them is ever to be asked for again.
impl AnyIndex for Links {
    fn mark_dirty(&mut self, _: UntypedId) {}

    fn mark_batch_dirty(&mut self, _: Vec<UntypedId>) {}

    fn set_dirty_apart(&mut self) {}

    fn leave(&mut self, _: UntypedId) {} // `relink` unlinks it

    fn set_asking(&mut self, _: bool) {}

    fn drop_spent(&mut self) {}

    fn empty(&mut self) -> Box<dyn Any> {
        (self.places, self.lists) = (Vec::new(), Vec::new());
        self.journal = self.journal.after();
        self.changes += 1;
        Box::new(())
    }

    fn is_dropped(&self) -> bool {
        false
    }

    fn copy(&self) -> IndexCopy {
        IndexCopy::Links(LinksCopy {
            lists: self.listed().collect(),
        })
    }

    fn arrange(&mut self, copy: &IndexCopy) {
        if let IndexCopy::Links(copy) = copy {
            drop(self.empty()); // no user code
            for (target, sources) in &copy.lists {
                sources
                    .iter()
                    .for_each(|&source| self.append(source, *target));
            }
        }
    }

    fn check_invariants(&self, slots: &Slots, _: &RowSet) {
        for (slot, list) in self.lists.iter().enumerate() {
            for (at, source) in list.iter().enumerate() {
                let place = &self.places[source.index() as usize];
                let target = place.target.map(|target| target.index() as usize);
                let noted = (target, place.at as usize);
                assert_eq!(noted, (Some(slot), at), "links: the place of {source}");
            }
        }
        let linked = self.places.iter().filter_map(|place| place.target);
        assert_eq!(
            linked.clone().count(),
            self.len(),
            "links: how many there are"
        );
        for target in linked {
            assert!(slots.get(target).is_some(), "links: {target} has ended");
        }
    }

    fn bytes(&self) -> usize {
        let lists: usize = self.lists.iter().map(heap_size).sum();
        let tables = heap_size(&self.places) + heap_size(&self.lists);
        size_of::<Self>() + tables + lists + self.journal.bytes()
    }

    fn trim(&mut self) {
        let last = self.places.iter().rposition(|place| place.target.is_some());
        self.places.truncate(last.map_or(0, |last| last + 1));
        self.places.shrink_to_fit();
        let last = self.lists.iter().rposition(|list| !list.is_empty());
        self.lists.truncate(last.map_or(0, |last| last + 1));
        self.lists.iter_mut().for_each(Vec::shrink_to_fit);
        self.lists.shrink_to_fit();
        self.journal.trim();
    }

    fn record(&mut self, recording: bool) {
        drop(self.journal.restart(recording));
    }

    fn moment(&self) -> Moment {
        Moment {
            position: self.journal.position(),
            dirty: Vec::new(),
            handle: None,
        }
    }

    fn travel(&mut self, &Moment { position, .. }: &Moment) -> bool {
        if !self.journal.reaches(position) {
            return false;
        }
        while let Some((direction, step)) = self.journal.next(position) {
            let opposite = match direction {
                Direction::Back => self.take_back(step),
                Direction::Forward => self.take_again(step),
            };
            self.journal.put(direction, opposite);
        }
        true
    }

    fn forget_before(&mut self, moment: &Moment) {
        self.journal.forget_before(moment.position);
    }
}
