//! What changes do beside storing a value: the groups they flip an entity in, the
//! collectors they concern, the observers to be told. Worked out by the signature
//! graph once for each of its edges, and kept here in one table.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use crate::matching::group::{GroupFlip, GroupIndex, Groups, IndexNumber, SetFlip};
use crate::matching::matcher::GroupEvent;
use crate::matching::row_set::Flip;
use crate::words::component::ComponentIndex;
use crate::words::heap_size::bytes_of;
use crate::words::signature::Bits;

/// The effects of one kind of change, by their place in the table; with the things
/// that are asked first, so that the answer is there before the table is:
///
/// ```text
/// bit 31     entity indexes or observers are to follow
/// bit 30     groups or collectors are to be changed
/// bits 29–0  the place
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
    const PLACE: u32 = Self::SPREADS - 1;

    /// The place of effects, with what is asked first.
    fn new(place: usize, what: &Effects) -> Self {
        let place = fitting(place);
        assert!(place < Self::PLACE, "fewer than 2^30 effects");
        let mark = |says: bool, bit| if says { bit } else { 0 };
        let spreads = what.wide || what.first_flip.is_some() || what.collectors != 0;
        Self(place | mark(what.are_followed(), Self::FOLLOWED) | mark(spreads, Self::SPREADS))
    }

    #[inline]
    fn place(self) -> usize {
        (self.0 & Self::PLACE) as usize
    }

    /// Whether groups or collectors are to be changed.
    #[inline]
    pub(crate) fn spreads(self) -> bool {
        self.0 & Self::SPREADS != 0
    }

    /// Whether entity indexes are to follow, or observers are to be told.
    #[inline]
    pub(crate) fn is_followed(self) -> bool {
        self.0 & Self::FOLLOWED != 0
    }
}

/// What a change does to one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    pub(crate) group: GroupIndex,
    pub(crate) event: GroupEvent,
    /// The component through which it happens; none where an entity comes to life
    /// with all its components, or ends without any.
    pub(crate) component: Option<ComponentIndex>,
}

/// All that a change does beside storing a value.
pub(crate) struct Effects {
    /// The groups entered or left.
    crossed: Box<[GroupFlip]>,
    /// The sets of their members.
    pub(crate) flips: Box<[SetFlip]>,
    /// The first one of these.
    pub(crate) first_flip: Option<SetFlip>,
    /// Whether there are several, or further collectors than the first 32.
    pub(crate) wide: bool,
    /// The first 32 collectors concerned.
    pub(crate) collectors: u32,
    /// The further ones, as words with their position.
    pub(crate) more_collectors: Box<[(u32, u32)]>,
    /// The effects that observers listen to, in the list of all told effects.
    told: Range<u32>,
    /// The entity indexes that follow, each with what it has to follow.
    pub(crate) indexed: Box<[(IndexNumber, GroupEvent)]>,
    /// The one effect that is told, where there is one and no entity index follows.
    only_told: Option<Effect>,
}

impl Effects {
    /// Works out which sets are flipped.
    fn resolve<C: 'static>(&mut self, groups: &Groups<C>) {
        self.flips = groups.set_flips(&self.crossed).collect();
        self.first_flip = self.flips.first().copied();
        self.wide = self.flips.len() > 1 || !self.more_collectors.is_empty();
    }

    /// The collectors concerned, by their number.
    pub(crate) fn collector_numbers(&self) -> impl Iterator<Item = usize> + '_ {
        let words = [(0, self.collectors)].into_iter();
        let words = words.chain(self.more_collectors.iter().copied());
        words.flat_map(|(bank, word)| {
            Bits(u64::from(word)).map(move |bit| bank as usize * 32 + bit as usize)
        })
    }

    /// Whether observers are to be told of some.
    #[inline]
    pub(crate) fn are_observed(&self) -> bool {
        !self.told.is_empty()
    }

    /// Whether entity indexes are to follow, or observers are to be told of some.
    #[inline]
    pub(crate) fn are_followed(&self) -> bool {
        self.are_observed() || !self.indexed.is_empty()
    }

    /// The one effect that is told, where there is one and no entity index follows.
    #[inline]
    pub(crate) fn only_told(&self) -> Option<Effect> {
        self.only_told
    }
}

/// The effects of all edges of a graph.
pub(crate) struct EffectsTable {
    table: Vec<Effects>,
    told: Vec<Effect>,
}

impl EffectsTable {
    pub(crate) fn new() -> Self {
        let none = Effects {
            crossed: Box::default(),
            flips: Box::default(),
            first_flip: None,
            wide: false,
            collectors: 0,
            more_collectors: Box::default(),
            told: 0..0,
            indexed: Box::default(),
            only_told: None,
        };
        Self {
            table: alloc::vec![none],
            told: Vec::new(),
        }
    }

    /// Forgets all effects. While a delivery is walking through the list of what is
    /// to be told, that list is kept.
    pub(crate) fn forget(&mut self, keep_told: bool) {
        self.table.truncate(1);
        if !keep_told {
            self.told.clear();
        }
    }

    /// Works out anew which sets are flipped, some groups having got a set of their own.
    pub(crate) fn resolve<C: 'static>(&mut self, groups: &Groups<C>) {
        for effects in &mut self.table {
            effects.resolve(groups);
        }
    }

    /// Writes the effects of a kind of change down, with those whom they concern.
    pub(crate) fn note<C: 'static>(
        &mut self,
        effects: &[Effect],
        groups: &Groups<C>,
    ) -> EffectsIndex {
        if effects.is_empty() {
            return EffectsIndex::NONE;
        }
        let watch = |effect: &Effect| groups.get(effect.group).watch(effect.event);
        let words = collector_words(
            effects
                .iter()
                .map(watch)
                .flat_map(|watch| watch.collectors()),
        );
        let flip = |effect: &Effect| {
            let group = effect.group;
            let way = match effect.event {
                GroupEvent::Entered => Flip::In,
                GroupEvent::Left => Flip::Out,
                GroupEvent::Updated => return None,
            };
            Some(GroupFlip { group, way })
        };
        let told = effects
            .iter()
            .filter(|effect| watch(effect).is_observed())
            .copied();
        let more = (1..)
            .zip(words.iter().copied().skip(1))
            .filter(|(_, word)| *word != 0);
        let start = fitting(self.told.len());
        self.told.extend(told);
        let only_told = match self.told[start as usize..] {
            [only] => Some(only),
            _ => None,
        };
        let indexed = indexed(effects, groups);
        let mut what = Effects {
            crossed: effects.iter().filter_map(flip).collect(),
            flips: Box::default(),
            first_flip: None,
            wide: false,
            told: start..fitting(self.told.len()),
            only_told: only_told.filter(|_| indexed.is_empty()),
            indexed,
            collectors: words.first().copied().unwrap_or(0),
            more_collectors: more.collect(),
        };
        what.resolve(groups);
        let effects = EffectsIndex::new(self.table.len(), &what);
        self.table.push(what);
        effects
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let inside = |effects: &Effects| {
            let flips = size_of_val(&*effects.flips) + size_of_val(&*effects.crossed);
            flips + size_of_val(&*effects.more_collectors)
        };
        let inside: usize = self.table.iter().map(inside).sum();
        bytes_of(&self.table) + bytes_of(&self.told) + inside
    }

    /// The effects of a kind of change.
    #[inline]
    pub(crate) fn get(&self, effects: EffectsIndex) -> &Effects {
        &self.table[effects.place()]
    }

    /// Where the effects that observers listen to stand, in the order in which they
    /// are told.
    #[inline]
    pub(crate) fn told(&self, effects: EffectsIndex) -> Range<usize> {
        let told = &self.table[effects.place()].told;
        told.start as usize..told.end as usize
    }

    /// One effect that observers listen to.
    #[inline]
    pub(crate) fn told_at(&self, place: usize) -> Effect {
        self.told[place]
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
fn indexed<C: 'static>(effects: &[Effect], groups: &Groups<C>) -> Box<[(IndexNumber, GroupEvent)]> {
    let of_effect = |effect: &Effect| {
        let event = effect.event;
        let indexes = groups.get(effect.group).watch(event).indexes();
        indexes.iter().map(move |&index| (index, event))
    };
    let mut indexed: Vec<_> = effects.iter().flat_map(of_effect).collect();
    indexed.sort_by_key(|(index, _)| *index);
    indexed.into()
}

fn fitting(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 effects")
}
