//! The effects of all edges of a graph.
//!
//! ```text
//! table   { in brief, spans }  { in brief, spans }  { in brief, spans }  …
//!                                            │
//!                                  ┌─────────┴─┐
//! notify  … 4 entered │ 1 left │ 1 left, 3 entered │ 2 entered …
//! ```
//!
//! All effects share the lists. So recording effects does not allocate for each, and forgetting
//! them drops nothing one by one: subscribing to a group takes the same time no matter how many
//! effects it invalidates.

#[cfg(any(test, feature = "__checks"))]
mod invariants;

use alloc::vec::Vec;
use core::ops::Range;

use super::effect::Effect;
use super::index::{Concerned, EffectsIndex};
use crate::matching::group::{GroupIndex, Groups, IndexNumber};
use crate::matching::matcher::GroupEvent;
use crate::storage::heap::heap;
use crate::words::component::RawComponentIndex;
use crate::words::signature::RawComponentSet;

#[derive(Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    const EMPTY: Self = Self { start: 0, end: 0 };

    /// Appends to a list, and returns the range.
    fn append<T>(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Self {
        let fitting = |len| u32::try_from(len).expect("fewer than 2^32 effects");
        let start = fitting(list.len());
        list.extend(items);
        let end = fitting(list.len());
        Self { start, end }
    }

    #[inline]
    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.start == self.end
    }

    #[inline]
    fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.range()]
    }
}

/// What a change does apart from storing a value: in brief, and as ranges in the lists.
///
/// Its size is a power of two, so that indexing is a shift.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Effects {
    /// The effect to notify observers of, if there is exactly one.
    pub(crate) only_to_notify: Option<Effect>,
    collectors: Span,
    /// The effects that have observers.
    to_notify: Span,
    /// The entity indexes concerned, each with its event.
    indexed: Span,
}

impl Effects {
    const NONE: Self = Self {
        only_to_notify: None,
        collectors: Span::EMPTY,
        to_notify: Span::EMPTY,
        indexed: Span::EMPTY,
    };
}

pub(crate) struct EffectsTable {
    table: Vec<Effects>,
    collectors: Vec<u32>,
    to_notify: Vec<Effect>,
    indexed: Vec<(IndexNumber, GroupEvent)>,
    /// Whether `to_notify` has effects that were forgotten during a dispatch.
    keeps_forgotten: bool,
    /// If a history is active: the components that it excludes.
    recorded: Option<RawComponentSet>,
}

heap!(EffectsTable: table, collectors, to_notify, indexed, recorded);

impl EffectsTable {
    /// The limit, in bytes; small under Miri, where tests that reach it would take minutes.
    const HEAVY: usize = if cfg!(miri) { 4 << 10 } else { 4 << 20 };

    pub(crate) fn new() -> Self {
        Self {
            table: alloc::vec![Effects::NONE],
            collectors: Vec::new(),
            to_notify: Vec::new(),
            indexed: Vec::new(),
            keeps_forgotten: false,
            recorded: None,
        }
    }

    /// Sets the components that the active history excludes, if there is one. All effects must be
    /// forgotten afterwards.
    pub(crate) fn set_recorded(&mut self, recorded: Option<RawComponentSet>) {
        self.recorded = recorded;
    }

    /// Whether the history records changes of a component, or of whole entities.
    fn is_recorded(&self, component: Option<RawComponentIndex>) -> bool {
        let is_excluded = |excluded: &RawComponentSet| {
            component.is_some_and(|component| excluded.contains(component))
        };
        self.recorded
            .as_ref()
            .is_some_and(|excluded| !is_excluded(excluded))
    }

    /// The number of effects, including those that no edge refers to any more.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether the lists take so much memory that computing the effects again is better.
    pub(crate) fn are_heavy(&self) -> bool {
        let watched = size_of_val(&*self.collectors) + size_of_val(&*self.indexed);
        watched + size_of_val(&*self.to_notify) > Self::HEAVY
    }

    /// Forgets all effects. Keeps the list of effects to notify while a dispatch iterates over it.
    pub(crate) fn forget(&mut self, keep_to_notify: bool) {
        self.table.truncate(1);
        self.collectors.clear();
        self.indexed.clear();
        if !keep_to_notify {
            self.to_notify.clear();
        }
        self.keeps_forgotten = !self.to_notify.is_empty();
    }

    /// Whether the list of effects to notify was kept when they were forgotten.
    pub(crate) fn keeps_forgotten(&self) -> bool {
        self.keeps_forgotten
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.table.shrink_to_fit();
        self.collectors.shrink_to_fit();
        self.to_notify.shrink_to_fit();
        self.indexed.shrink_to_fit();
    }

    /// Records the effects of a change of one component or of whole entities. `stays` are the
    /// groups in which the entity remains; their indexes are concerned if the change may give it
    /// other keys.
    pub(crate) fn record(
        &mut self,
        component: Option<RawComponentIndex>,
        effects: &[Effect],
        stays: &[GroupIndex],
        groups: &Groups,
    ) -> EffectsIndex {
        let collectors = collectors(effects, groups);
        let is_observed = |effect: &&Effect| effect.watch(groups).is_observed();
        let observed: Vec<_> = effects.iter().filter(is_observed).copied().collect();
        let indexed = indexed(effects, stays, groups);
        let concerned = Concerned {
            indexes: !indexed.is_empty(),
            observers: !observed.is_empty(),
            history: self.is_recorded(component),
        };
        match *collectors {
            [] if !concerned.are_any() => return EffectsIndex::NONE,
            [only] if !concerned.are_any() => return EffectsIndex::of_collector(only as usize),
            _ => {}
        }
        let index = EffectsIndex::new(self.len(), !collectors.is_empty(), concerned);
        self.table.push(Effects {
            only_to_notify: match *observed {
                [only] => Some(only),
                _ => None,
            },
            collectors: Span::append(&mut self.collectors, collectors),
            to_notify: Span::append(&mut self.to_notify, observed),
            indexed: Span::append(&mut self.indexed, indexed),
        });
        index
    }

    /// The effects of a change.
    #[inline]
    pub(crate) fn get(&self, effects: EffectsIndex) -> &Effects {
        &self.table[effects.index()]
    }

    /// The effects of a change that has subscribers.
    #[inline]
    pub(crate) fn of_subscribed(&self, effects: EffectsIndex) -> &Effects {
        &self.table[effects.of_subscribed()]
    }

    /// The numbers of the collectors concerned.
    pub(crate) fn collectors(&self, effects: EffectsIndex) -> impl Iterator<Item = usize> + '_ {
        let listed = self.get(effects).collectors.of(&self.collectors);
        let listed = listed.iter().map(|&collector| collector as usize);
        effects.direct().into_iter().chain(listed)
    }

    /// The entity indexes concerned, each with its event.
    #[inline]
    pub(crate) fn indexed(&self, effects: EffectsIndex) -> &[(IndexNumber, GroupEvent)] {
        self.get(effects).indexed.of(&self.indexed)
    }

    /// Whether observers are concerned.
    #[inline]
    pub(crate) fn are_observed(&self, effects: EffectsIndex) -> bool {
        !self.get(effects).to_notify.is_empty()
    }

    /// The range of the effects that have observers, in the order of notification.
    #[inline]
    pub(crate) fn to_notify(&self, effects: EffectsIndex) -> Range<usize> {
        self.get(effects).to_notify.range()
    }

    #[inline]
    pub(crate) fn to_notify_at(&self, at: usize) -> Effect {
        self.to_notify[at]
    }
}

/// The collectors of these effects, ascending, without duplicates.
fn collectors(effects: &[Effect], groups: &Groups) -> Vec<u32> {
    let watches = effects.iter().map(|effect| effect.watch(groups));
    let collectors = watches.flat_map(|watch| watch.collectors());
    let mut collectors: Vec<_> = collectors.map(|collector| collector as u32).collect();
    collectors.sort_unstable();
    collectors.dedup();
    collectors
}

/// The entity indexes concerned, by number. Each subscribes to one group, to which a change does
/// one thing.
fn indexed(
    effects: &[Effect],
    stays: &[GroupIndex],
    groups: &Groups,
) -> Vec<(IndexNumber, GroupEvent)> {
    let mut indexed = Vec::new();
    let mut add = |group, event| {
        for index in groups.get(group).watch(event).indexes() {
            indexed.push((index, event));
        }
    };
    for effect in effects {
        add(effect.group(), effect.event());
    }
    for &group in stays {
        add(group, GroupEvent::Updated);
    }
    in_order(indexed)
}

fn in_order(mut indexed: Vec<(IndexNumber, GroupEvent)>) -> Vec<(IndexNumber, GroupEvent)> {
    indexed.sort_by_key(|(index, _)| *index);
    indexed.dedup(); // several components may update the same group
    indexed
}

#[cfg(test)]
mod tests {
    use core::mem::needs_drop;

    use super::*;
    use crate::matching::matcher::Condition;
    use crate::storage::heap::Heap;

    /// Groups that match every entity, each with an observer of *entered*.
    fn groups(count: usize) -> Groups {
        let mut groups = Groups::new();
        for _ in 0..count {
            let group = groups.add(Condition::default());
            groups.change_watch(group, GroupEvent::Entered, |watch| watch.set_observers(1));
        }
        groups
    }

    fn entered(group: u32) -> Effect {
        let component = Some(RawComponentIndex::new(3));
        Effect::new(GroupIndex(group), GroupEvent::Entered, component)
    }

    #[test]
    fn forgetting_effects_neither_drops_nor_frees() {
        assert!(!needs_drop::<Effects>() && !needs_drop::<Effect>());
        assert!(!needs_drop::<(IndexNumber, GroupEvent)>());
        let groups = groups(3);
        let mut table = EffectsTable::new();
        let count = if cfg!(miri) { 20 } else { 1_000 };
        for _ in 0..count {
            table.record(None, &[entered(0), entered(2)], &[], &groups);
        }
        let bytes = table.bytes();
        assert!(bytes > count * size_of::<Effects>());
        table.forget(false);
        assert_eq!(
            (table.len(), table.to_notify.len(), table.bytes()),
            (1, 0, bytes)
        );
        table.shrink_to_fit();
        assert_eq!(table.bytes(), size_of::<Effects>());
    }

    #[test]
    fn any_long_list_makes_effects_heavy() {
        fn grow<T: Clone>(list: &mut Vec<T>, new: T, more: usize) {
            list.resize(EffectsTable::HEAVY / size_of::<T>() + more, new);
        }
        let indexed = (IndexNumber(0), GroupEvent::Left);
        type Grow<'a> = &'a dyn Fn(&mut EffectsTable, usize);
        let each: [Grow<'_>; 3] = [
            &|table, more| grow(&mut table.collectors, 0, more),
            &|table, more| grow(&mut table.to_notify, entered(0), more),
            &|table, more| grow(&mut table.indexed, indexed, more),
        ];
        for grow in each {
            let mut table = EffectsTable::new();
            grow(&mut table, 0);
            assert!(!table.are_heavy());
            grow(&mut table, 1);
            assert!(table.are_heavy());
        }
    }
}
