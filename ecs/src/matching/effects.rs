//! What changes do beside storing a value: the groups they flip an entity in, the
//! collectors they concern, the observers to notify. Worked out by the signature
//! graph once for each of its edges, and kept here in one table.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use crate::matching::group::{GroupIndex, Groups, IndexNumber, SetFlip, Split, Watch};
use crate::matching::matcher::GroupEvent;
use crate::matching::row_set::Flip;
use crate::words::component::ComponentIndex;
use crate::words::heap_size::heap_size;
use crate::words::signature::Bits;

/// The effects of one kind of change, by their index in the table; with the things
/// that are asked first, so that the answer is there before the table is:
///
/// ```text
/// bit 31     entity indexes or observers are to follow
/// bit 30     groups or collectors are to be changed
/// bit 29     entity indexes are to follow
/// bits 28–0  the index
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EffectsIndex(u32);

impl EffectsIndex {
    /// The change concerns nobody.
    pub(crate) const NONE: Self = Self(0);
    /// Not worked out yet, or forgotten.
    pub(crate) const UNKNOWN: Self = Self(u32::MAX);

    const FOLLOWED: u32 = 1 << 31;
    const SPREADS: u32 = 1 << 30;
    const INDEXED: u32 = 1 << 29;
    const INDEX: u32 = Self::INDEXED - 1;

    /// The index of effects, with what is asked first.
    fn new(index: usize, what: &Effects) -> Self {
        let index = fitting(index);
        assert!(index < Self::INDEX, "fewer than 2^29 effects");
        let mark = |says: bool, bit| if says { bit } else { 0 };
        let marks = mark(what.are_followed(), Self::FOLLOWED)
            | mark(what.spread(), Self::SPREADS)
            | mark(!what.indexed.is_empty(), Self::INDEXED);
        Self(index | marks)
    }

    /// The bits, to be kept with others in a word.
    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// What [`bits`](Self::bits) returned.
    #[inline]
    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    #[inline]
    fn index(self) -> usize {
        (self.0 & Self::INDEX) as usize
    }

    /// Whether groups or collectors are to be changed.
    #[inline]
    pub(crate) fn spreads(self) -> bool {
        self.0 & Self::SPREADS != 0
    }

    /// Whether there is more to do than to notify observers: one test for two questions.
    #[inline]
    pub(crate) fn spreads_or_is_indexed(self) -> bool {
        self.0 & (Self::SPREADS | Self::INDEXED) != 0
    }

    /// Whether entity indexes are to follow, or observers are to be notified.
    #[inline]
    pub(crate) fn is_followed(self) -> bool {
        self.0 & Self::FOLLOWED != 0
    }

    /// Whether entity indexes are to follow.
    #[inline]
    pub(crate) fn is_indexed(self) -> bool {
        self.0 & Self::INDEXED != 0
    }
}

/// How many lists of observers there are before those of groups, which have three each.
pub(crate) const OF_CONTEXT: u32 = 4;

/// What a change does to one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    /// The number of the list of those who observe this event of the group.
    pub(crate) number: u32,
    /// The component through which it happens; none if an entity comes to life
    /// with all its components, or ends without any.
    pub(crate) component: Option<ComponentIndex>,
}

impl Effect {
    pub(crate) fn new(
        group: GroupIndex,
        event: GroupEvent,
        component: Option<ComponentIndex>,
    ) -> Self {
        let number = Self::number_of(group, event);
        Self { number, component }
    }

    /// The number of the list of those who observe an event of a group.
    pub(crate) fn number_of(group: GroupIndex, event: GroupEvent) -> u32 {
        OF_CONTEXT + group.0 * 3 + event as u32
    }

    pub(crate) fn group(self) -> GroupIndex {
        GroupIndex((self.number - OF_CONTEXT) / 3)
    }

    pub(crate) fn event(self) -> GroupEvent {
        GroupEvent::ALL[(self.number - OF_CONTEXT) as usize % 3]
    }

    /// Who waits for the event.
    fn watch<'g, C: 'static>(&self, groups: &'g Groups<C>) -> &'g Watch {
        groups.get(self.group()).watch(self.event())
    }

    /// The flip of the set of the group's members, if the event is one of membership.
    fn flip<C: 'static>(&self, groups: &Groups<C>) -> Option<SetFlip> {
        let way = match self.event() {
            GroupEvent::Entered => Flip::In,
            GroupEvent::Left => Flip::Out,
            GroupEvent::Updated => return None,
        };
        let set = groups.set_of_first(self.group())?;
        Some(SetFlip { set, way })
    }
}

/// All that a change does beside storing a value.
pub(crate) struct Effects {
    /// The sets of members of the groups entered or left.
    pub(crate) flips: Box<[SetFlip]>,
    /// The first 32 collectors concerned.
    pub(crate) collectors: u32,
    /// The further ones, as words with their position.
    pub(crate) more_collectors: Box<[(u32, u32)]>,
    /// The effects that observers listen to, in the list of all such effects.
    to_notify: Range<u32>,
    /// The entity indexes that follow, each with what it has to follow.
    pub(crate) indexed: Box<[(IndexNumber, GroupEvent)]>,
}

impl Effects {
    /// Flips the sets, too, that have been split off from those that are flipped.
    fn follow_splits(&mut self, splits: &[Split]) {
        let ours = |split: &Split| {
            let flip = self.flips.iter().find(|flip| flip.set == split.from)?;
            Some(SetFlip {
                set: split.own,
                way: flip.way,
            })
        };
        let more: Vec<_> = splits.iter().filter_map(ours).collect();
        if !more.is_empty() {
            self.flips = self.flips.iter().copied().chain(more).collect();
        }
    }

    /// The bytes held beside the fields themselves.
    fn bytes(&self) -> usize {
        size_of_val(&*self.flips)
            + size_of_val(&*self.more_collectors)
            + size_of_val(&*self.indexed)
    }

    /// The collectors concerned, by their number.
    pub(crate) fn collector_numbers(&self) -> impl Iterator<Item = usize> + '_ {
        let words = [(0, self.collectors)].into_iter();
        let words = words.chain(self.more_collectors.iter().copied());
        words.flat_map(|(bank, word)| {
            Bits(u64::from(word)).map(move |bit| bank as usize * 32 + bit as usize)
        })
    }

    /// Whether observers are to be notified of some.
    #[inline]
    pub(crate) fn are_observed(&self) -> bool {
        !self.to_notify.is_empty()
    }

    /// Whether entity indexes are to follow, or observers are to be notified of some.
    #[inline]
    pub(crate) fn are_followed(&self) -> bool {
        self.are_observed() || !self.indexed.is_empty()
    }

    /// Whether groups or collectors are to be changed.
    fn spread(&self) -> bool {
        let collectors = self.collectors != 0 || !self.more_collectors.is_empty();
        collectors || !self.flips.is_empty()
    }
}

/// What is asked of effects at every change.
///
/// Of a size that is a power of two, so that they are found by a shift.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(crate) struct BriefEffects {
    /// The first set of members that is flipped.
    pub(crate) flip: Option<SetFlip>,
    /// The first 32 collectors concerned.
    pub(crate) collectors: u32,
    /// Whether there are several sets, or further collectors: the [`Effects`] have them all.
    pub(crate) wide: bool,
    /// The effect that observers are to be notified of, if it is one.
    pub(crate) only_to_notify: Option<Effect>,
}

impl BriefEffects {
    fn of(effects: &Effects, to_notify: &[Effect]) -> Self {
        let to_notify =
            &to_notify[effects.to_notify.start as usize..effects.to_notify.end as usize];
        Self {
            only_to_notify: if let [only] = to_notify {
                Some(*only)
            } else {
                None
            },
            flip: effects.flips.first().copied(),
            collectors: effects.collectors,
            wide: effects.flips.len() > 1 || !effects.more_collectors.is_empty(),
        }
    }
}

/// The effects of all edges of a graph.
pub(crate) struct EffectsTable {
    table: Vec<Effects>,
    /// What is asked of each of them at every change, apart from what is asked seldom.
    brief: Vec<BriefEffects>,
    to_notify: Vec<Effect>,
    /// The bytes held by the effects in the table beside their fields.
    inside: usize,
}

impl EffectsTable {
    /// How many bytes are too many.
    const HEAVY: usize = 4 << 20;

    pub(crate) fn new() -> Self {
        let none = Effects {
            flips: Box::default(),
            collectors: 0,
            more_collectors: Box::default(),
            to_notify: 0..0,
            indexed: Box::default(),
        };
        Self {
            brief: alloc::vec![BriefEffects::of(&none, &[])],
            table: alloc::vec![none],
            to_notify: Vec::new(),
            inside: 0,
        }
    }

    /// How many effects there are, those included that no edge leads to any more.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether the effects take so much memory that working them out anew is better.
    pub(crate) fn are_heavy(&self) -> bool {
        self.inside + heap_size(&self.to_notify) > Self::HEAVY
    }

    /// Forgets all effects. While a delivery is walking through the list of what is
    /// to be notified, that list is kept.
    pub(crate) fn forget(&mut self, keep_to_notify: bool) {
        self.table.truncate(1);
        self.brief.truncate(1);
        self.inside = 0;
        if !keep_to_notify {
            self.to_notify.clear();
        }
    }

    /// Has what flips a set flip those, too, that have been split off from it.
    pub(crate) fn follow_splits(&mut self, splits: &[Split]) {
        if splits.is_empty() {
            return;
        }
        for (effects, brief) in self.table.iter_mut().zip(&mut self.brief) {
            self.inside -= effects.bytes();
            effects.follow_splits(splits);
            *brief = BriefEffects::of(effects, &self.to_notify);
            self.inside += effects.bytes();
        }
    }

    /// Writes the effects of a kind of change down, with those whom they concern: also the
    /// indexes of groups that the entity stays in, if the change may give it other keys there.
    pub(crate) fn note<C: 'static>(
        &mut self,
        effects: &[Effect],
        stays: &[GroupIndex],
        groups: &Groups<C>,
    ) -> EffectsIndex {
        let indexed = indexed(effects, stays, groups);
        if effects.is_empty() && indexed.is_empty() {
            return EffectsIndex::NONE;
        }
        let watches = effects.iter().map(|effect| effect.watch(groups));
        let words = collector_words(watches.flat_map(|watch| watch.collectors()));
        let more = (1..).zip(words.iter().copied().skip(1));
        let what = Effects {
            flips: effects
                .iter()
                .filter_map(|effect| effect.flip(groups))
                .collect(),
            to_notify: self.note_to_notify(effects, groups),
            indexed,
            collectors: words.first().copied().unwrap_or(0),
            more_collectors: more.filter(|(_, word)| *word != 0).collect(),
        };
        self.inside += what.bytes();
        let effects = EffectsIndex::new(self.table.len(), &what);
        self.brief.push(BriefEffects::of(&what, &self.to_notify));
        self.table.push(what);
        effects
    }

    /// Writes down which of these effects observers are notified of; returns where they stand.
    fn note_to_notify<C: 'static>(&mut self, effects: &[Effect], groups: &Groups<C>) -> Range<u32> {
        let start = fitting(self.to_notify.len());
        let observed = effects
            .iter()
            .filter(|effect| effect.watch(groups).is_observed());
        self.to_notify.extend(observed.copied());
        start..fitting(self.to_notify.len())
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        heap_size(&self.table) + heap_size(&self.brief) + heap_size(&self.to_notify) + self.inside
    }

    /// The effects of a kind of change.
    #[inline]
    pub(crate) fn get(&self, effects: EffectsIndex) -> &Effects {
        &self.table[effects.index()]
    }

    /// What a kind of change does, in brief.
    #[inline]
    pub(crate) fn brief(&self, effects: EffectsIndex) -> &BriefEffects {
        &self.brief[effects.index()]
    }

    /// Where the effects that observers listen to stand, in the order in which they
    /// are notified.
    #[inline]
    pub(crate) fn to_notify(&self, effects: EffectsIndex) -> Range<usize> {
        let to_notify = &self.table[effects.index()].to_notify;
        to_notify.start as usize..to_notify.end as usize
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

/// The entity indexes concerned, in order of creation. Each follows one group, to which
/// a change does one thing.
fn indexed<C: 'static>(
    effects: &[Effect],
    stays: &[GroupIndex],
    groups: &Groups<C>,
) -> Box<[(IndexNumber, GroupEvent)]> {
    let crossed = effects
        .iter()
        .map(|effect| (effect.group(), effect.event()));
    let stays = stays.iter().map(|&group| (group, GroupEvent::Updated));
    let indexes = |(group, event)| {
        let indexes = groups.get(group).watch(event).indexes();
        indexes.iter().map(move |&index| (index, event))
    };
    let mut indexed: Vec<_> = crossed.chain(stays).flat_map(indexes).collect();
    indexed.sort_by_key(|(index, _)| *index);
    indexed.dedup(); // a group that is updated by several components
    indexed.into()
}

fn fitting(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 effects")
}
