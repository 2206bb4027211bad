//! The links of a relation: for each target its sources, the entities that refer to it.
//!
//! ```text
//! places[source's slot]  { target, at }      lists[target's slot]  [source, source, source]
//!                                  └──────────────────────────────── at ──┘
//! ```
//!
//! An index of the entities with the component, whose key is the target. Targets are entities, so
//! buckets are found by slot: nothing is hashed, and no user code runs. Links refer to living
//! targets only: when a target is destroyed, its list is removed ([`Links::detach`]).
//!
//! When a source is removed from the middle of a long list of an `ordered` relation, the list
//! becomes a linked chain ([`sources`]), so the cost of a change does not depend on the number of
//! sources.

mod link_move;
mod moves;
mod seek;
mod sources;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

use hashbrown::HashMap;

pub(crate) use self::link_move::{LinkMove, MovesStart};
use self::sources::{Sources, Tables, entry};
use super::flags::ChangedLinks;
use super::index::AnyIndex;
use super::journal::{IndexJournal, LinksCopy};
use crate::storage::heap::{Heap, bytes_of, trim_end};
#[cfg(any(test, feature = "__checks"))]
use crate::storage::slots::Slots;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::relation::OnTargetDestroyed;
use crate::words::signature::RawComponentSet;

/// The links of a relation, and its rules.
pub(crate) struct Links {
    pub(crate) component: RawComponentIndex,
    pub(crate) on_target_destroyed: OnTargetDestroyed,
    ordered: bool,
    /// The places of sources, by slot.
    tables: Tables,
    /// The sources, by the slots of their targets.
    lists: Vec<Sources>,
    watch: SourceWatch,
    /// The moves of sources of an ordered relation, while they are recorded.
    moves: Option<Vec<LinkMove>>,
    /// The source that is linked next, if it gets a certain place among those of its target.
    placed_next: Option<(UntypedId, usize)>,
    journal: IndexJournal<LinkStep>,
    /// The position in the journal at its start.
    start: u64,
}

impl Heap for Links {
    bytes_of!(tables, lists, moves, journal; each lists);

    fn trim(&mut self) {
        for list in &mut self.lists {
            list.trim(&mut self.tables);
        }
        self.tables.trim();
        trim_end(&mut self.lists, |list| list.len() != 0);
        self.journal.trim();
    }
}

/// The sources whose target changed while they are watched.
#[derive(Default)]
enum SourceWatch {
    #[default]
    None,
    Changed(Vec<UntypedId>),
    /// Many changed at once.
    Lost,
}

impl Links {
    pub(crate) fn new(
        component: RawComponentIndex,
        on_target_destroyed: OnTargetDestroyed,
        ordered: bool,
    ) -> Self {
        Self {
            component,
            on_target_destroyed,
            ordered,
            tables: Tables::default(),
            lists: Vec::new(),
            watch: SourceWatch::None,
            moves: None,
            placed_next: None,
            journal: IndexJournal::new(),
            start: 0,
        }
    }

    /// The sources of a living target, as a slice.
    ///
    /// Complexity: constant; linear in their number on the first call after a change in the middle
    /// of a long ordered list.
    #[inline]
    pub(crate) fn sources(&self, target: UntypedId) -> &[UntypedId] {
        let list = self.lists.get(target.index() as usize);
        list.map_or(&[], |list| list.as_slice(&self.tables))
    }

    /// The sources of a living target.
    pub(crate) fn each_source(&self, target: UntypedId) -> impl Iterator<Item = UntypedId> + '_ {
        let list = self.lists.get(target.index() as usize);
        list.into_iter().flat_map(|list| list.iter(&self.tables))
    }

    /// Whether a living target has sources.
    #[inline]
    pub(crate) fn has_sources(&self, target: UntypedId) -> bool {
        let list = self.lists.get(target.index() as usize);
        list.is_some_and(|list| list.len() != 0)
    }

    /// The target of a living source; `None` if the target is dead.
    #[inline]
    pub(crate) fn target(&self, source: UntypedId) -> Option<UntypedId> {
        self.tables.target(source)
    }

    /// The number of links.
    #[cfg(any(test, feature = "__checks"))]
    pub(crate) fn len(&self) -> usize {
        self.lists.iter().map(Sources::len).sum()
    }

    /// The links that have changed since flags of terms were updated.
    pub(crate) fn changed(&self) -> &ChangedLinks {
        &self.tables.changed
    }

    /// Takes the changed links.
    pub(crate) fn take_changed(&mut self) -> ChangedLinks {
        self.tables.changed.take()
    }

    /// Starts watching for changed links.
    pub(super) fn watch_changed(&mut self) {
        self.tables.changed.watch();
    }

    /// The targets with sources, and these.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (UntypedId, &[UntypedId])> + '_ {
        let lists = self.lists.iter().filter(|list| list.len() != 0);
        lists.filter_map(|list| {
            let sources = list.as_slice(&self.tables);
            Some((self.target(*sources.first()?)?, sources))
        })
    }

    /// The next entity of a depth-first traversal of all that refer to `top`.
    pub(crate) fn next_below(&self, top: UntypedId, id: UntypedId) -> Option<UntypedId> {
        if let Some(first) = self.each_source(id).next() {
            return Some(first);
        }
        let mut id = id;
        while id != top {
            let target = self.target(id)?;
            let list = &self.lists[target.index() as usize];
            if let Some(next) = list.next(id, &self.tables) {
                return Some(next);
            }
            id = target;
        }
        None
    }

    /// The first source of a living target.
    pub(crate) fn first_source(&self, target: UntypedId) -> Option<UntypedId> {
        self.each_source(target).next()
    }

    /// The number of sources of a living target.
    pub(crate) fn source_count(&self, target: UntypedId) -> usize {
        let list = self.lists.get(target.index() as usize);
        list.map_or(0, Sources::len)
    }

    /// The next source of the same target.
    pub(crate) fn next(&self, source: UntypedId) -> Option<UntypedId> {
        let target = self.target(source)?;
        self.lists[target.index() as usize].next(source, &self.tables)
    }

    /// The number of sources with a living target.
    pub(crate) fn linked(&self) -> usize {
        self.tables.linked()
    }

    /// The previous source of the same target.
    pub(crate) fn previous(&self, source: UntypedId) -> Option<UntypedId> {
        let target = self.target(source)?;
        self.lists[target.index() as usize].previous(source, &self.tables)
    }

    /// The last source of a living target.
    pub(crate) fn last_source(&self, target: UntypedId) -> Option<UntypedId> {
        self.lists.get(target.index() as usize)?.last()
    }

    /// Starts to watch for sources whose target changes.
    pub(crate) fn watch(&mut self) {
        self.watch = SourceWatch::Changed(Vec::new());
    }

    /// Stops watching; returns the changed sources, or `None` if many changed at once.
    pub(crate) fn watched(&mut self) -> Option<Vec<UntypedId>> {
        match core::mem::take(&mut self.watch) {
            SourceWatch::None => Some(Vec::new()),
            SourceWatch::Changed(sources) => Some(sources),
            SourceWatch::Lost => None,
        }
    }

    #[inline]
    fn record_changed(&mut self, source: UntypedId) {
        if let SourceWatch::Changed(sources) = &mut self.watch {
            sources.push(source);
        }
    }

    fn record_many_changed(&mut self) {
        if !matches!(self.watch, SourceWatch::None) {
            self.watch = SourceWatch::Lost;
        }
    }

    /// Sets the target of a source to a living entity.
    pub(crate) fn link(&mut self, source: UntypedId, target: UntypedId) {
        if self.target(source) != Some(target) {
            self.unlink(source);
            self.append(source, target);
            self.record(|| LinkStep::Linked(source, target));
        }
        if let Some((_, place)) = self.placed_next.take_if(|(placed, _)| *placed == source) {
            let before = self.before_place(source, target, place);
            self.place_after(source, target, before);
        }
    }

    /// Appends a source without a target to those of `target`.
    fn append(&mut self, source: UntypedId, target: UntypedId) {
        entry(&mut self.lists, target, Sources::default).push(source, &mut self.tables);
        self.tables.set_target(source, Some(target));
        self.record_changed(source);
        self.record_move(LinkMove::Linked { source, target });
    }

    /// Reorders the sources of a target: first those in `listed`, in that order. Ignores sources of
    /// an earlier entity in the target's slot, whatever a save contains.
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

    /// The sources before this one, nearest first; none if it has no target.
    pub(crate) fn before(&self, source: UntypedId) -> impl Iterator<Item = UntypedId> + '_ {
        core::iter::successors(self.previous(source), |&source| self.previous(source))
    }

    /// Whether sources are in the order in which they were linked.
    pub(crate) fn are_ordered(&self) -> bool {
        self.ordered
    }

    /// The targets with several sources, and these, in order of slots.
    #[cfg(feature = "serde")]
    pub(crate) fn targets_of_many(&self) -> impl Iterator<Item = (UntypedId, &[UntypedId])> {
        self.listed().filter(|(_, sources)| sources.len() > 1)
    }

    /// Removes the target of a source.
    pub(crate) fn unlink(&mut self, source: UntypedId) {
        if let Some(step) = self.take_out(source) {
            self.record(|| step);
        }
    }

    /// Removes a source from those of its target; returns the step.
    fn take_out(&mut self, source: UntypedId) -> Option<LinkStep> {
        let target = self.target(source)?;
        let list = self.lists.get_mut(target.index() as usize)?;
        let step = if self.ordered {
            let before = list.take(source, &mut self.tables);
            self.record_move(LinkMove::Unlinked {
                source,
                target,
                before,
            });
            LinkStep::UnlinkedAfter(source, target, before)
        } else {
            let at = list.swap_take(source, &mut self.tables);
            LinkStep::Unlinked(source, target, at)
        };
        self.tables.set_target(source, None);
        self.record_changed(source);
        Some(step)
    }

    /// Removes the links to a target that is destroyed; returns its sources.
    pub(crate) fn detach(&mut self, target: UntypedId) -> Vec<UntypedId> {
        let sources = self.take_all(target);
        if !sources.is_empty() {
            self.record(|| LinkStep::Detached(target, sources.clone()));
        }
        sources
    }

    fn take_all(&mut self, target: UntypedId) -> Vec<UntypedId> {
        let list = self.lists.get_mut(target.index() as usize);
        let list = list.map(core::mem::take).unwrap_or_default();
        let sources = list.into_vec(&self.tables);
        for source in &sources {
            self.tables.set_target(*source, None);
        }
        if !sources.is_empty() {
            self.record_many_changed();
            self.record_all_unlinked(target, &sources);
        }
        sources
    }

    /// A copy of the sources of each target that has any.
    pub(crate) fn copied(&self) -> LinksCopy {
        let lists = self.listed();
        let lists = lists.map(|(target, sources)| (target, sources.to_vec()));
        LinksCopy(lists.collect())
    }

    /// Restores the links of a copy.
    pub(crate) fn restore(&mut self, copy: &LinksCopy) {
        drop(self.empty()); // no user code
        for (target, sources) in &copy.0 {
            sources
                .iter()
                .for_each(|&source| self.append(source, *target));
        }
    }

    /// Starts recording steps for undo if there are excluded components and its own is none of them; else stops it.
    pub(super) fn record_unless(&mut self, excluded: Option<&RawComponentSet>) {
        let recording = excluded.is_some_and(|excluded| !excluded.contains(self.component));
        drop(self.journal.restart(recording));
        self.start = self.journal.position();
    }

    pub(super) fn is_recording(&self) -> bool {
        self.journal.is_recording()
    }

    /// The present position in the journal.
    pub(super) fn position(&self) -> u64 {
        self.journal.position()
    }

    /// Forgets the steps before a position.
    pub(super) fn forget_before(&mut self, position: u64) {
        self.journal.forget_before(position);
    }

    #[inline]
    fn record(&mut self, step: impl FnOnce() -> LinkStep) {
        if self.journal.is_recording() {
            self.journal.push(step());
        }
    }
}

/// Links are updated as soon as a change is stored, so none is ever dirty.
impl AnyIndex for Links {
    fn mark_dirty(&mut self, _: UntypedId) {}

    fn mark_batch_dirty(&mut self, _: &mut dyn Iterator<Item = UntypedId>) {}

    fn set_dirty_apart(&mut self) {}

    fn leave(&mut self, _: UntypedId) {} // `relink` unlinks it

    fn set_asking(&mut self, _: bool) {}

    fn settle(&mut self) {}

    fn empty(&mut self) -> Box<dyn Any> {
        let mut changed = self.tables.changed.take();
        changed.lose();
        (self.tables, self.lists) = (Tables::default(), Vec::new());
        self.tables.changed = changed;
        self.journal = self.journal.after();
        self.record_many_changed();
        Box::new(())
    }

    fn is_dropped(&self) -> bool {
        false
    }

    #[cfg(any(test, feature = "__checks"))]
    fn check_invariants(&self, slots: &Slots, _: &dyn Fn(UntypedId) -> bool) {
        for (slot, list) in self.lists.iter().enumerate() {
            list.check_invariants(&self.tables);
            for source in list.iter(&self.tables) {
                let target = self.target(source).map(|target| target.index() as usize);
                assert_eq!(target, Some(slot), "links: the target of {source}");
            }
        }
        let linked = self.tables.targets();
        assert_eq!(
            linked.clone().count(),
            self.len(),
            "links: how many there are"
        );
        for target in linked {
            assert!(slots.get(target).is_some(), "links: {target} is dead");
        }
    }
}

/// A recorded step.
enum LinkStep {
    /// A source was appended to those of a target.
    Linked(UntypedId, UntypedId),
    /// A source was inserted after this one, or as the first.
    LinkedAfter(UntypedId, UntypedId, Option<UntypedId>),
    /// A source was removed from this place, which the last source took.
    Unlinked(UntypedId, UntypedId, usize),
    /// A source was removed that came after this one, or was the first.
    UnlinkedAfter(UntypedId, UntypedId, Option<UntypedId>),
    /// All sources of a target were removed: these, if the step is to be undone.
    Detached(UntypedId, Vec<UntypedId>),
}
