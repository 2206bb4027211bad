//! The groups of a context: for each matcher the rows that match it.
//!
//! Who is interested in a group (collectors, observers) is noted here as *watch
//! marks*, so that the signature graph can tell in advance whether a change
//! concerns anybody.

mod members;

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use hashbrown::HashMap;

use self::members::Members;
pub(crate) use self::members::SetIndex;
use crate::matching::matcher::{GroupEvent, Matcher};
use crate::matching::row_set::{Flip, RowSet};
use crate::storage::row_words::RowWord;
use crate::storage::slots::{NodeIndex, Row};
use crate::words::heap_size::bytes_of;
use crate::words::signature::{Bits, ComponentSet};

/// A group by its number: groups are numbered in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct GroupIndex(pub(crate) u32);

impl GroupIndex {
    #[inline]
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// An entity index by its number: indexes are numbered in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct IndexNumber(pub(crate) u32);

impl IndexNumber {
    #[inline]
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// The entities of a context that match a [`Matcher`], always up to date.
///
/// A small handle, copied freely, of the context that made it; equal matchers give
/// equal handles. Every method is given that context again and panics where it is
/// handed another one.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Position(f32);
/// # #[derive(Component)] #[component(context = Game)] struct Frozen;
/// let mut game = Game::new();
/// let moving = game.group(Matcher::all_of::<Position>().none_of::<Frozen>());
/// let id = game.create_entity().add_position(1.0).id();
/// assert_eq!(moving.ids(&game), [id]);
/// game.entity_mut(id).add_frozen();
/// assert!(moving.is_empty(&game));
/// ```
pub struct Group<C> {
    pub(crate) instance: u32,
    pub(crate) index: GroupIndex,
    context: PhantomData<fn() -> C>,
}

impl<C> Group<C> {
    pub(crate) fn new(instance: u32, index: GroupIndex) -> Self {
        Self {
            instance,
            index,
            context: PhantomData,
        }
    }
}

/// Who is interested in one event of a group.
#[derive(Default)]
pub(crate) struct Watch {
    /// The collectors, 32 to a word.
    collectors: Vec<u32>,
    observers: usize,
    indexes: Vec<IndexNumber>,
}

impl Watch {
    /// The words of collectors with their position.
    pub(crate) fn collectors(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.collectors
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, word)| *word != 0)
    }

    /// The collectors by their number.
    pub(crate) fn collector_numbers(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.collectors();
        words.flat_map(|(at, word)| Bits(u64::from(word)).map(move |bit| at * 32 + bit as usize))
    }

    /// Whether an observer listens.
    pub(crate) fn is_observed(&self) -> bool {
        self.observers > 0
    }

    /// Whether anybody is interested at all.
    pub(crate) fn is_watched(&self) -> bool {
        self.is_observed() || self.collectors().next().is_some() || !self.indexes.is_empty()
    }

    /// The entity indexes that follow.
    pub(crate) fn indexes(&self) -> &[IndexNumber] {
        &self.indexes
    }

    /// Notes whether an entity index follows.
    pub(crate) fn set_index(&mut self, index: IndexNumber, follows: bool) {
        self.indexes.retain(|other| *other != index);
        if follows {
            self.indexes.push(index);
        }
    }

    /// Notes how many observers listen.
    pub(crate) fn set_observers(&mut self, count: usize) {
        self.observers = count;
    }

    /// Notes whether a collector is interested.
    fn set_collector(&mut self, collector: usize, interested: bool) {
        let (word, bit) = (collector / 32, 1 << (collector % 32));
        if word >= self.collectors.len() {
            self.collectors.resize(word + 1, 0);
        }
        if interested {
            self.collectors[word] |= bit;
        } else {
            self.collectors[word] &= !bit;
        }
    }
}

/// What a change does to the members of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupFlip {
    pub(crate) group: GroupIndex,
    pub(crate) way: Flip,
}

/// What a change does to a set of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SetFlip {
    set: SetIndex,
    way: Flip,
}

/// One group: its matcher and who watches it.
pub(crate) struct GroupData<C> {
    pub(crate) matcher: Matcher<C>,
    watches: [Watch; 3],
}

impl<C> GroupData<C> {
    /// Who is interested in `event`.
    pub(crate) fn watch(&self, event: GroupEvent) -> &Watch {
        &self.watches[event as usize]
    }

    /// Who is interested in `event`, to be changed. The signature graph must
    /// forget its effects afterwards.
    pub(crate) fn watch_mut(&mut self, event: GroupEvent) -> &mut Watch {
        &mut self.watches[event as usize]
    }
}

/// All groups of a context, by number and by matcher.
pub(crate) struct Groups<C> {
    groups: Vec<GroupData<C>>,
    members: Members,
    by_matcher: HashMap<Matcher<C>, GroupIndex>,
    /// Those of which some collector gathers the updates.
    with_collected_updates: Vec<GroupIndex>,
}

impl<C: 'static> Groups<C> {
    pub(crate) fn new() -> Self {
        Self {
            groups: Vec::new(),
            members: Members::default(),
            by_matcher: HashMap::new(),
            with_collected_updates: Vec::new(),
        }
    }

    /// The group of a matcher, if it is there.
    pub(crate) fn find(&self, matcher: &Matcher<C>) -> Option<GroupIndex> {
        self.by_matcher.get(matcher).copied()
    }

    /// Adds the group of a matcher that has none, which matches these nodes, ascending. Tells,
    /// too, whether it has its members; else it has none yet.
    pub(crate) fn add(&mut self, matcher: Matcher<C>, nodes: Vec<NodeIndex>) -> (GroupIndex, bool) {
        let index = GroupIndex(u32::try_from(self.groups.len()).expect("fewer than 2^32 groups"));
        self.by_matcher.insert(matcher.clone(), index);
        let watches = Default::default();
        self.groups.push(GroupData { matcher, watches });
        (index, self.members.add(nodes))
    }

    /// Takes a new node into account, which these groups match, ascending, before any entity
    /// is in it. Tells whether some groups have a set of their own from now on: then what
    /// changes do to sets must be worked out anew ([`set_flips`](Self::set_flips)).
    pub(crate) fn meet(&mut self, node: NodeIndex, matching: &[GroupIndex]) -> bool {
        self.members.meet(node, matching)
    }

    /// One group.
    #[inline]
    pub(crate) fn get(&self, group: GroupIndex) -> &GroupData<C> {
        &self.groups[group.get()]
    }

    /// One group, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, group: GroupIndex) -> &mut GroupData<C> {
        &mut self.groups[group.get()]
    }

    /// The rows of a group's members.
    #[inline]
    pub(crate) fn members(&self, group: GroupIndex) -> &RowSet {
        self.members.of(group)
    }

    /// The rows of a group's members, to be changed; none where another group comes first of
    /// those that share them.
    ///
    /// What is done for each of the groups that an entity enters or leaves is done once for
    /// each set so: it enters or leaves all that share one.
    pub(crate) fn first_members_mut(&mut self, group: GroupIndex) -> Option<&mut RowSet> {
        let set = self.members.set(group);
        let is_first = self.members.is_first(group);
        is_first.then(|| &mut self.members.sets()[set.get()])
    }

    /// The rows of all groups' members, to be changed.
    pub(crate) fn all_members_mut(&mut self) -> &mut [RowSet] {
        self.members.sets()
    }

    /// What a change that does this to groups does to the sets of their members.
    pub(crate) fn set_flips<'a>(
        &'a self,
        flips: &'a [GroupFlip],
    ) -> impl Iterator<Item = SetFlip> + 'a {
        let first = flips
            .iter()
            .filter(|flip| self.members.is_first(flip.group));
        first.map(|flip| SetFlip {
            set: self.members.set(flip.group),
            way: flip.way,
        })
    }

    /// The groups of which some collector gathers the updates, in order of creation.
    pub(crate) fn with_collected_updates(&self) -> &[GroupIndex] {
        &self.with_collected_updates
    }

    /// Marks a collector in a group, or unmarks it. The signature graph must forget its
    /// effects afterwards.
    pub(crate) fn set_collector(
        &mut self,
        group: GroupIndex,
        event: GroupEvent,
        collector: usize,
        interested: bool,
    ) {
        let watch = self.get_mut(group).watch_mut(event);
        watch.set_collector(collector, interested);
        if event == GroupEvent::Updated {
            let gathered = watch.collectors().next().is_some();
            let known = self.with_collected_updates.binary_search(&group);
            match (known, gathered) {
                (Err(place), true) => self.with_collected_updates.insert(place, group),
                (Ok(place), false) => _ = self.with_collected_updates.remove(place),
                _ => {}
            }
        }
    }

    /// Flips rows in several sets.
    pub(crate) fn flip_rows(&mut self, flips: &[SetFlip], rows: &[RowWord]) {
        for flip in flips {
            self.members.sets()[flip.set.get()].flip_words(rows);
        }
    }

    /// Has a row enter or leave a set that has room for it; tells whether it has.
    #[inline]
    pub(crate) fn flip(&mut self, flip: SetFlip, row: Row) -> bool {
        let members = self.members.sets().get_mut(flip.set.get());
        members.is_some_and(|members| members.flip_known(row, flip.way))
    }

    /// Has a row enter or leave some sets, up to one that has no other row in its word; gives
    /// how many are left.
    #[inline]
    pub(crate) fn flip_beside(&mut self, flips: &[SetFlip], row: Row) -> usize {
        let sets = self.members.sets();
        let mut flips = flips.iter();
        while let [flip, ..] = flips.as_slice()
            && let Some(members) = sets.get_mut(flip.set.get())
            && members.flip_beside(row, flip.way)
        {
            flips.next();
        }
        flips.len()
    }

    /// Has a row enter or leave some sets.
    #[inline]
    pub(crate) fn flip_all(&mut self, mut flips: &[SetFlip], row: Row) {
        while let Some((&flip, others)) = flips.split_first() {
            if !self.flip(flip, row) {
                return self.make_room_and_flip_all(flips, row);
            }
            flips = others;
        }
    }

    #[cold]
    #[inline(never)]
    fn make_room_and_flip_all(&mut self, flips: &[SetFlip], row: Row) {
        for flip in flips {
            self.members.sets()[flip.set.get()].make_room(row);
        }
        self.flip_all(flips, row);
    }

    /// How many groups there are.
    pub(crate) fn len(&self) -> usize {
        self.groups.len()
    }

    /// The numbers of the groups in order of creation.
    pub(crate) fn indices(&self) -> impl Iterator<Item = GroupIndex> + use<C> {
        (0..self.groups.len() as u32).map(GroupIndex)
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let inside = |group: &GroupData<C>| {
            let watches = group.watches.iter();
            let watches: usize = watches.map(|watch| bytes_of(&watch.collectors)).sum();
            // The matcher is there twice: as the key that leads to the group, too.
            2 * group.matcher.bytes() + watches
        };
        let inside: usize = self.groups.iter().map(inside).sum();
        let tables = bytes_of(&self.groups) + bytes_of(&self.with_collected_updates);
        tables + inside + self.members.bytes() + self.by_matcher.allocation_size()
    }

    /// The groups that an entity with just these components belongs to.
    pub(crate) fn matching(&self, components: &ComponentSet) -> Vec<GroupIndex> {
        self.indices()
            .filter(|group| self.get(*group).matcher.matches(components))
            .collect()
    }
}

// By hand, because a derive would ask the same of `C`.
impl<C> Clone for Group<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Group<C> {}

impl<C> PartialEq for Group<C> {
    fn eq(&self, other: &Self) -> bool {
        (self.instance, self.index) == (other.instance, other.index)
    }
}

impl<C> Eq for Group<C> {}

impl<C> core::hash::Hash for Group<C> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (self.instance, self.index).hash(state);
    }
}

impl<C> fmt::Debug for Group<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Group({})", self.index.0)
    }
}
