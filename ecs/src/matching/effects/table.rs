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
use super::index::{EffectsIndex, Followers};
use crate::matching::group::{GroupIndex, Groups, IndexNumber};
use crate::matching::matcher::GroupEvent;
use crate::words::component::ComponentIndex;
use crate::words::heap_size::heap_size;
use crate::words::limits::COLLECTORS_A_BANK;
use crate::words::signature::{Bits, ComponentSet};

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
    /// The first 32 collectors concerned.
    pub(crate) collectors: u32,
    /// Whether there are further collectors.
    pub(crate) has_more_collectors: bool,
    /// The effect that observers are to be notified of, if it is one.
    pub(crate) only_to_notify: Option<Effect>,
    /// The collectors concerned but the first 32.
    more_collectors: Span,
    /// The effects that observers listen to.
    to_notify: Span,
    /// The entity indexes that follow, each with what it has to follow.
    indexed: Span,
}

impl Effects {
    const NONE: Self = Self {
        collectors: 0,
        has_more_collectors: false,
        only_to_notify: None,
        more_collectors: Span::EMPTY,
        to_notify: Span::EMPTY,
        indexed: Span::EMPTY,
    };
}

/// The effects of all edges of a graph.
pub(crate) struct EffectsTable {
    table: Vec<Effects>,
    /// Words of collectors, with their position.
    more_collectors: Vec<(u32, u32)>,
    to_notify: Vec<Effect>,
    indexed: Vec<(IndexNumber, GroupEvent)>,
    /// If a history follows: the components that it does not follow.
    recorded: Option<ComponentSet>,
}

impl EffectsTable {
    /// How many bytes are too many.
    const HEAVY: usize = 4 << 20;

    pub(crate) fn new() -> Self {
        Self {
            table: alloc::vec![Effects::NONE],
            more_collectors: Vec::new(),
            to_notify: Vec::new(),
            indexed: Vec::new(),
            recorded: None,
        }
    }

    /// Notes whether a history follows, of all components but some. What is known is to be forgotten.
    pub(crate) fn set_recorded(&mut self, recorded: Option<ComponentSet>) {
        self.recorded = recorded;
    }

    /// Whether a history follows the changes of a component, or those of whole entities.
    fn is_recorded(&self, component: Option<ComponentIndex>) -> bool {
        let is_left_out = |left_out: &ComponentSet| {
            component.is_some_and(|component| left_out.contains(component))
        };
        self.recorded
            .as_ref()
            .is_some_and(|left_out| !is_left_out(left_out))
    }

    /// How many effects there are, those included that no edge leads to any more.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether the lists take so much memory that working the effects out anew is better.
    pub(crate) fn are_heavy(&self) -> bool {
        let watched = size_of_val(&*self.more_collectors) + size_of_val(&*self.indexed);
        watched + size_of_val(&*self.to_notify) > Self::HEAVY
    }

    /// Forgets all effects. While a dispatch is walking through the list of what is
    /// to be notified, that list is kept.
    pub(crate) fn forget(&mut self, keep_to_notify: bool) {
        self.table.truncate(1);
        self.more_collectors.clear();
        self.indexed.clear();
        if !keep_to_notify {
            self.to_notify.clear();
        }
    }

    /// Gives back the memory that is not in use.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.table.shrink_to_fit();
        self.more_collectors.shrink_to_fit();
        self.to_notify.shrink_to_fit();
        self.indexed.shrink_to_fit();
    }

    /// Writes the effects of a kind of change down, of one component or of whole entities, with
    /// those whom they concern: also the indexes of groups that the entity stays in, if the change
    /// may give it other keys there.
    pub(crate) fn note(
        &mut self,
        component: Option<ComponentIndex>,
        effects: &[Effect],
        stays: &[GroupIndex],
        groups: &Groups,
    ) -> EffectsIndex {
        let indexed = indexed(effects, stays, groups);
        let recorded = self.is_recorded(component);
        let is_watched = |effect: &Effect| effect.watch(groups).is_watched();
        if !effects.iter().any(is_watched) && indexed.is_empty() && !recorded {
            return EffectsIndex::NONE;
        }
        let what = self.append(effects, indexed, groups);
        self.push(what, recorded)
    }

    /// Appends what effects do to the lists.
    fn append(
        &mut self,
        effects: &[Effect],
        indexed: Vec<(IndexNumber, GroupEvent)>,
        groups: &Groups,
    ) -> Effects {
        let watches = effects.iter().map(|effect| effect.watch(groups));
        let words = collector_words(watches.flat_map(|watch| watch.collectors()));
        let more = (1..).zip(words.iter().copied().skip(1));
        let more = more.filter(|(_, word)| *word != 0);
        let is_observed = |effect: &&Effect| effect.watch(groups).is_observed();
        let observed = effects.iter().filter(is_observed);
        let more_collectors = Span::append(&mut self.more_collectors, more);
        let to_notify = Span::append(&mut self.to_notify, observed.copied());
        Effects {
            collectors: words.first().copied().unwrap_or(0),
            has_more_collectors: !more_collectors.is_empty(),
            only_to_notify: match to_notify.of(&self.to_notify) {
                [only] => Some(*only),
                _ => None,
            },
            more_collectors,
            to_notify,
            indexed: Span::append(&mut self.indexed, indexed),
        }
    }

    /// Adds effects whose lists have been appended.
    fn push(&mut self, what: Effects, recorded: bool) -> EffectsIndex {
        let spreads = what.collectors != 0 || what.has_more_collectors;
        let followers = Followers {
            indexes: !what.indexed.is_empty(),
            observers: !what.to_notify.is_empty(),
            history: recorded,
        };
        let effects = EffectsIndex::new(self.len(), spreads, followers);
        self.table.push(what);
        effects
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let lists = heap_size(&self.more_collectors);
        let followed = heap_size(&self.to_notify) + heap_size(&self.indexed);
        let left_out = self.recorded.as_ref().map_or(0, ComponentSet::bytes);
        heap_size(&self.table) + lists + followed + left_out
    }

    /// What a kind of change does.
    #[inline]
    pub(crate) fn get(&self, effects: EffectsIndex) -> &Effects {
        &self.table[effects.index()]
    }

    /// The collectors concerned but the first 32, as words with their position.
    pub(crate) fn more_collectors(&self, effects: &Effects) -> &[(u32, u32)] {
        effects.more_collectors.of(&self.more_collectors)
    }

    /// The collectors concerned, by their number.
    pub(crate) fn collector_numbers(
        &self,
        effects: EffectsIndex,
    ) -> impl Iterator<Item = usize> + '_ {
        let effects = self.get(effects);
        let words = [(0, effects.collectors)].into_iter();
        let words = words.chain(self.more_collectors(effects).iter().copied());
        words.flat_map(|(bank, word)| {
            Bits(u64::from(word)).map(move |bit| bank as usize * COLLECTORS_A_BANK + bit as usize)
        })
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

/// The words of all collectors, combined by their position.
fn collector_words(found: impl Iterator<Item = (usize, u32)>) -> Vec<u32> {
    let mut words = Vec::new();
    for (at, word) in found {
        words.resize(words.len().max(at + 1), 0);
        words[at] |= word;
    }
    words
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
        let component = Some(ComponentIndex::new(3));
        Effect::new(GroupIndex(group), GroupEvent::Entered, component)
    }

    #[test]
    fn forgetting_effects_drops_nothing_one_by_one_and_frees_nothing() {
        assert!(!needs_drop::<Effects>() && !needs_drop::<Effect>());
        assert!(!needs_drop::<(IndexNumber, GroupEvent)>());
        let groups = groups(3);
        let mut table = EffectsTable::new();
        for _ in 0..1000 {
            table.note(None, &[entered(0), entered(2)], &[], &groups);
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
            &|table, more| grow(&mut table.more_collectors, (0, 0), more),
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
