//! The effects of all edges of a graph.
//!
//! ```text
//! table   { in brief, spans }  { in brief, spans }  { in brief, spans }  …
//!                                            │
//!                                  ┌─────────┴─┐
//! notify  … 4 entered │ 1 left │ 1 left, 3 entered │ 2 entered …
//! ```
//!
//! The lists are those of all effects, one behind the other. So nothing is allocated when effects
//! are written down, and nothing is dropped one by one when they are forgotten: to subscribe to a
//! group takes the same time however many effects are forgotten by that.

#[cfg(any(test, feature = "__checks"))]
mod check;

use alloc::vec::Vec;
use core::ops::Range;

use super::effect::Effect;
use super::index::{EffectsIndex, Subscribers};
use crate::matching::group::{GroupIndex, Groups, IndexNumber};
use crate::matching::matcher::GroupEvent;
use crate::words::component::RawComponentIndex;
use crate::words::heap_size::heap_size;
use crate::words::signature::RawComponentSet;

/// A part of a list.
#[derive(Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    const EMPTY: Self = Self { start: 0, end: 0 };

    /// Appends to a list, and returns where.
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

/// What a change does beside storing a value: in brief, and where the lists have the rest.
///
/// Of a size that is a power of two, so that they are found by a shift.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Effects {
    /// The effect that observers are to be notified of, if it is one.
    pub(crate) only_to_notify: Option<Effect>,
    /// The collectors concerned.
    collectors: Span,
    /// The effects that observers listen to.
    to_notify: Span,
    /// The entity indexes that follow, each with what it has to follow.
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

/// The effects of all edges of a graph.
pub(crate) struct EffectsTable {
    table: Vec<Effects>,
    collectors: Vec<u32>,
    to_notify: Vec<Effect>,
    indexed: Vec<(IndexNumber, GroupEvent)>,
    /// If a history follows: the components that it does not follow.
    recorded: Option<RawComponentSet>,
}

impl EffectsTable {
    /// How many bytes are too many.
    const HEAVY: usize = 4 << 20;

    pub(crate) fn new() -> Self {
        Self {
            table: alloc::vec![Effects::NONE],
            collectors: Vec::new(),
            to_notify: Vec::new(),
            indexed: Vec::new(),
            recorded: None,
        }
    }

    /// Notes whether a history follows, of all components but some. What is known is to be forgotten.
    pub(crate) fn set_recorded(&mut self, recorded: Option<RawComponentSet>) {
        self.recorded = recorded;
    }

    /// Whether a history follows the changes of a component, or those of whole entities.
    fn is_recorded(&self, component: Option<RawComponentIndex>) -> bool {
        let is_excluded = |excluded: &RawComponentSet| {
            component.is_some_and(|component| excluded.contains(component))
        };
        self.recorded
            .as_ref()
            .is_some_and(|excluded| !is_excluded(excluded))
    }

    /// How many effects there are, those included that no edge leads to any more.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether the lists take so much memory that working the effects out anew is better.
    pub(crate) fn are_heavy(&self) -> bool {
        let watched = size_of_val(&*self.collectors) + size_of_val(&*self.indexed);
        watched + size_of_val(&*self.to_notify) > Self::HEAVY
    }

    /// Forgets all effects. While a dispatch is walking through the list of what is
    /// to be notified, that list is kept.
    pub(crate) fn forget(&mut self, keep_to_notify: bool) {
        self.table.truncate(1);
        self.collectors.clear();
        self.indexed.clear();
        if !keep_to_notify {
            self.to_notify.clear();
        }
    }

    /// Gives back the memory that is not in use.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.table.shrink_to_fit();
        self.collectors.shrink_to_fit();
        self.to_notify.shrink_to_fit();
        self.indexed.shrink_to_fit();
    }

    /// Writes the effects of a kind of change down, of one component or of whole entities, with
    /// those whom they concern: also the indexes of groups that the entity stays in, if the change
    /// may give it other keys there.
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
        let subscribers = Subscribers {
            indexes: !indexed.is_empty(),
            observers: !observed.is_empty(),
            history: self.is_recorded(component),
        };
        match *collectors {
            [] if !subscribers.are_any() => return EffectsIndex::NONE,
            [only] if !subscribers.are_any() => return EffectsIndex::of_collector(only),
            _ => {}
        }
        let index = EffectsIndex::new(self.len(), !collectors.is_empty(), subscribers);
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

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let lists = heap_size(&self.collectors);
        let observed = heap_size(&self.to_notify) + heap_size(&self.indexed);
        let excluded = self.recorded.as_ref().map_or(0, RawComponentSet::bytes);
        heap_size(&self.table) + lists + observed + excluded
    }

    /// What a kind of change does.
    #[inline]
    pub(crate) fn get(&self, effects: EffectsIndex) -> &Effects {
        &self.table[effects.index()]
    }

    /// The effects of a change that has followers.
    #[inline]
    pub(crate) fn of_observed(&self, effects: EffectsIndex) -> &Effects {
        &self.table[effects.of_observed()]
    }

    /// The collectors concerned, by their number.
    pub(crate) fn collectors(&self, effects: EffectsIndex) -> impl Iterator<Item = usize> + '_ {
        let listed = self.get(effects).collectors.of(&self.collectors);
        let listed = listed.iter().map(|&collector| collector as usize);
        effects.direct().into_iter().chain(listed)
    }

    /// The entity indexes that follow, each with what it has to follow.
    #[inline]
    pub(crate) fn indexed(&self, effects: EffectsIndex) -> &[(IndexNumber, GroupEvent)] {
        self.get(effects).indexed.of(&self.indexed)
    }

    /// Whether observers are to be notified.
    #[inline]
    pub(crate) fn are_observed(&self, effects: EffectsIndex) -> bool {
        !self.get(effects).to_notify.is_empty()
    }

    /// Where the effects that observers listen to stand, in the order in which they
    /// are notified.
    #[inline]
    pub(crate) fn to_notify(&self, effects: EffectsIndex) -> Range<usize> {
        self.get(effects).to_notify.range()
    }

    /// One effect that observers listen to.
    #[inline]
    pub(crate) fn to_notify_at(&self, at: usize) -> Effect {
        self.to_notify[at]
    }
}

/// The collectors that gather one of these effects, ascending, each once.
fn collectors(effects: &[Effect], groups: &Groups) -> Vec<u32> {
    let watches = effects.iter().map(|effect| effect.watch(groups));
    let collectors = watches.flat_map(|watch| watch.collectors());
    let mut collectors: Vec<_> = collectors.map(|collector| collector as u32).collect();
    collectors.sort_unstable();
    collectors.dedup();
    collectors
}

/// The entity indexes concerned, by number. Each follows one group, to which
/// a change does one thing.
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
    indexed.dedup(); // a group that is updated by several components
    indexed
}

#[cfg(test)]
mod tests {
    use core::mem::needs_drop;

    use super::*;
    use crate::matching::matcher::Condition;

    /// Groups, each of which matches every entity, with an observer who listens to who enters.
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
    fn forgetting_effects_drops_nothing_one_by_one_and_frees_nothing() {
        assert!(!needs_drop::<Effects>() && !needs_drop::<Effect>());
        assert!(!needs_drop::<(IndexNumber, GroupEvent)>());
        let groups = groups(3);
        let mut table = EffectsTable::new();
        for _ in 0..1000 {
            table.record(None, &[entered(0), entered(2)], &[], &groups);
        }
        let bytes = table.bytes();
        assert!(bytes > 1000 * size_of::<Effects>());
        table.forget(false);
        assert_eq!(
            (table.len(), table.to_notify.len(), table.bytes()),
            (1, 0, bytes)
        );
        table.shrink_to_fit();
        assert_eq!(table.bytes(), size_of::<Effects>());
    }

    #[test]
    fn effects_are_heavy_by_any_of_their_lists() {
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
