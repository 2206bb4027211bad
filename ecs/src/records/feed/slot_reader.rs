//! Finding the pending changes of a feed, slot by slot.

use alloc::vec::Vec;
use core::mem;

use super::candidates::{Candidate, candidates};
use super::column::DeltaColumn;
use super::delta::{Delta, FeedKey};
use super::visibility::Visibility;
#[cfg(feature = "serde")]
use crate::reactions::feeds::Images;
use crate::reactions::feeds::{FeedBits, FeedState, Sending, SentSlot};
use crate::state::core::HasCore;
use crate::storage::slots::{NodeIndex, Row, Slot};
use crate::words::entity_id::EntityId;
use crate::words::signature::Bits;

/// Of a component that its entity has lost.
#[cfg(feature = "serde")]
const NO_ROW: Row = Row(u32::MAX);

/// Takes the entries up to a slot, ascending; returns those of the slot.
fn take_until<'e>(entries: &mut &'e [(u32, SentSlot)], slot: u32) -> &'e [(u32, SentSlot)] {
    let earlier = entries.iter().take_while(|it| it.0 < slot).count();
    let same = entries[earlier..]
        .iter()
        .take_while(|it| it.0 == slot)
        .count();
    let (taken, rest) = entries.split_at(earlier + same);
    *entries = rest;
    &taken[earlier..]
}

/// Reads the pending changes of slots, one after the other.
pub(super) struct SlotReader<'a, C: HasCore> {
    context: &'a C,
    place: usize,
    shows: &'a Visibility<C>,
    /// The last node and which of the feed's components it has, a cache.
    last: Option<(NodeIndex, FeedBits)>,
    pub(super) delta: Delta<C>,
    /// The rows of the values, for each column of the delta.
    rows: Vec<Vec<Row>>,
    /// Whether all receivers have had the component, for each value.
    #[cfg(feature = "serde")]
    known: Vec<Vec<bool>>,
    sent: Sending,
    /// What receivers may have instead of what was sent last, by slot.
    before: Vec<(u32, SentSlot)>,
}

impl<'a, C: HasCore> SlotReader<'a, C> {
    pub(super) fn new(
        context: &'a C,
        (place, feed): (usize, FeedKey),
        shows: &'a Visibility<C>,
    ) -> Self {
        let core = context.core();
        let state = core
            .subs
            .feeds
            .get(place)
            .expect("a handle's feed is there");
        let components = core.subs.feeds.components_of(place).into_iter();
        let column = |component| DeltaColumn::new(component, core.world.describe(component));
        let columns: Vec<_> = components.map(column).collect();
        Self {
            context,
            place,
            shows,
            last: None,
            rows: columns.iter().map(|_| Vec::new()).collect(),
            #[cfg(feature = "serde")]
            known: columns.iter().map(|_| Vec::new()).collect(),
            before: state.before(),
            delta: Delta {
                base: state.base(),
                everything: state.sends_everything(),
                columns,
                ..Delta::empty(feed, state.number + 1)
            },
            sent: Sending {
                unlimited: shows.unlimited(),
                ..Sending::default()
            },
        }
    }

    /// The state of the feed.
    fn state(&self) -> &'a FeedState {
        let state = self.context.core().subs.feeds.get(self.place);
        state.expect("a handle's feed is there")
    }

    /// The components of an entity whose present values are not those of their last images.
    fn differing(&self, id: EntityId<C>, at: Slot) -> FeedBits {
        #[cfg(feature = "serde")]
        {
            let (world, mut present) = (&self.context.core().world, Vec::new());
            let columns = self.delta.columns.iter().enumerate();
            let differing = columns.filter(|&(bit, column)| {
                let of = self.images(bit).and_then(|it| it.of(id.untyped()));
                let value = world.value_in(at.row, column.component());
                of.zip(value).is_some_and(|(of, value)| {
                    column.descriptor().divide(value, &mut present) && present != of.last()
                })
            });
            differing.fold(0, |bits, (bit, _)| bits | 1 << bit)
        }
        #[cfg(not(feature = "serde"))]
        {
            let _ = (id, at);
            0
        }
    }

    /// The images of a component.
    #[cfg(feature = "serde")]
    fn images(&self, bit: usize) -> Option<&'a Images> {
        let journal = *self.state().journals.get(bit)?;
        Some(&self.context.core().subs.feeds.journals[journal].images)
    }

    /// Whether receivers have nothing that the next delta relies on.
    pub(super) fn has_sent_nothing(&self) -> bool {
        self.state().everything
    }

    pub(super) fn look_at_candidates(&mut self) {
        let (core, of) = (self.context.core(), (self.state(), self.shows));
        let candidates = candidates(core, of, self.delta.everything, &self.before);
        self.reserve(candidates.len());
        #[cfg(feature = "serde")]
        self.find_known();
        let before = mem::take(&mut self.before);
        let (mut before, mut listed) = (&before[..], self.state().sent.entries());
        for candidate in candidates {
            let earlier = take_until(&mut before, candidate.slot);
            let sent = take_until(&mut listed, candidate.slot).last();
            self.look_at(&candidate, earlier, sent.map(|it| it.1));
        }
    }

    /// Reserves memory for a few changes, so that lists need not grow step by step.
    fn reserve(&mut self, candidates: usize) {
        let expected = candidates.min(64);
        for (bit, column) in self.delta.columns.iter_mut().enumerate() {
            column.set.owners.reserve(expected);
            self.rows[bit].reserve(expected);
            #[cfg(feature = "serde")]
            self.known[bit].reserve(expected);
        }
    }

    /// Finds the entities that all receivers have, if the feed has been asked to show all that it has sent.
    #[cfg(feature = "serde")]
    fn find_known(&mut self) {
        let state = self.state();
        if self.delta.everything || state.unlimited != 0 {
            return;
        }
        let slots = &self.context.core().world.slots;
        let entries = state.sent.entries().iter();
        let same = entries.filter(|(slot, _)| {
            let before = self.before.binary_search_by_key(slot, |&(slot, _)| slot);
            before.is_err()
        });
        let known = same.map(|(slot, sent)| slots.id_of_generation(*slot, sent.generation));
        self.delta.known.reserve(state.sent.entries().len());
        self.delta.known.extend(known);
    }

    /// Repeats what was sent, with present values. Components that are gone are left to the next delta, which
    /// mentions them. Those that deltas divide are as they were sent, since the next one may have differences to that,
    /// or nothing if they are the same again by then.
    pub(super) fn repeat_sent(&mut self) {
        self.delta.everything = true;
        let core = self.context.core();
        for (slot, sent) in self.state().sent.all() {
            let id = core
                .world
                .slots
                .id_of_generation::<C>(slot, sent.generation);
            self.delta.appeared.push(id);
            let alive = core.world.slots.alive_in::<C>(slot);
            let present = alive.filter(|(alive, _)| *alive == id);
            let has = present.map_or(0, |(id, at)| {
                sent.has & self.components_of(at.node) & !self.differing(id, at)
            });
            if let Some((_, at)) = present {
                let entry = self.send(id, at, has, FeedBits::MAX, (0, 0));
                self.sent.others.push((slot, entry));
            }
            #[cfg(feature = "serde")]
            for bit in Bits(sent.has & !has) {
                if self
                    .images(bit as usize)
                    .and_then(|it| it.of(id.untyped()))
                    .is_some()
                {
                    self.delta.columns[bit as usize].set.owners.push(id);
                    self.rows[bit as usize].push(NO_ROW);
                    self.known[bit as usize].push(false);
                }
            }
        }
    }

    /// Adds the changes of a slot to the delta. A receiver has what was sent last for it, which is in pages if it is
    /// not `listed`, or any of what was sent `earlier`.
    fn look_at(
        &mut self,
        candidate: &Candidate,
        earlier: &[(u32, SentSlot)],
        listed: Option<SentSlot>,
    ) {
        let &Candidate { slot, visible, .. } = candidate;
        let alive = self.context.core().world.slots.alive_in::<C>(slot);
        let shown = self.sent.unlimited | visible;
        let present = alive.map(|(id, at)| (id, at, self.components_of(at.node) & shown));
        let sees = |id| self.shows.sees(self.context, id);
        let present = present.filter(|&(id, _, has)| has != 0 && sees(id));
        let sent = match self.delta.everything {
            true => SentSlot::NOTHING,
            false => listed.unwrap_or_else(|| self.sent_in_pages(slot)),
        };
        let received = || earlier.iter().map(|it| it.1).chain([sent]);
        let generation = present.map_or(0, |(id, ..)| id.generation());
        self.mention_gone(slot, received(), generation);
        let entry = match present {
            Some((id, at, has)) if received().all(|it| it.generation == generation) => {
                let had = received().fold((FeedBits::MAX, 0), |(all, any), it| {
                    (all & it.has, any | it.has)
                });
                self.send(id, at, has, self.changed(candidate), had)
            }
            Some((id, at, has)) => {
                self.delta.appeared.push(id);
                self.send(id, at, has, FeedBits::MAX, (0, 0))
            }
            None => SentSlot::NOTHING,
        };
        if visible != 0 && !entry.is_nothing() {
            self.sent.listed.push((slot, entry));
        } else if entry != self.sent_in_pages(slot) {
            self.sent.others.push((slot, entry));
        }
        if entry != sent {
            self.sent.before.push((slot, sent));
        }
    }

    /// Adds the entities of a slot that vanish: those that receivers may have, except for the
    /// present one.
    fn mention_gone(&mut self, slot: u32, received: impl Iterator<Item = SentSlot>, present: u32) {
        let gone = received.filter(|it| !it.is_nothing() && it.generation != present);
        let mut gone: Vec<u32> = gone.map(|it| it.generation).collect();
        gone.sort_unstable();
        gone.dedup();
        let slots = &self.context.core().world.slots;
        let gone = gone.into_iter().map(|generation| {
            let id = slots.id_of_generation(slot, generation);
            (id, slots.get(id).is_none())
        });
        self.delta.vanished.extend(gone);
    }

    /// The components of a candidate that have changed.
    fn changed(&self, candidate: &Candidate) -> FeedBits {
        let (journals, state) = (&self.context.core().subs.feeds.journals, self.state());
        let limited = candidate.visible & !self.sent.unlimited;
        Bits(limited).fold(candidate.changed, |bits, bit| {
            let journal = &journals[state.journals[bit as usize]];
            let is_changed = journal.recent.is_later(candidate.slot, state.read);
            bits | FeedBits::from(is_changed) << bit
        })
    }

    /// What has been sent of a slot, unless it was listed.
    fn sent_in_pages(&self, slot: u32) -> SentSlot {
        match self.delta.everything {
            true => SentSlot::NOTHING,
            false => self.state().sent.in_pages(slot),
        }
    }

    /// Whether the feed will have sent this component of an entity.
    fn will_have_sent(&self, id: EntityId<C>, bit: usize) -> bool {
        let Sending { listed, others, .. } = &self.sent;
        let mut entries = [listed, others].into_iter().filter_map(|entries| {
            let at = entries.binary_search_by_key(&id.index(), |&(slot, _)| slot);
            at.ok().map(|at| entries[at].1)
        });
        let entry = entries.next();
        let entry = entry.unwrap_or_else(|| self.sent_in_pages(id.index()));
        entry.generation == id.generation() && entry.has >> bit & 1 != 0
    }

    /// Finds the predecessors of the sources in the delta.
    ///
    /// Complexity: linear in the sources in the delta, and in those between them that the feed
    /// excludes.
    pub(super) fn find_predecessors(&mut self) {
        for bit in 0..self.rows.len() {
            let column = &self.delta.columns[bit];
            let indexes = &self.context.core().subs.indexes;
            let Some(links) = indexes.ordered_links(column.component()) else {
                continue;
            };
            let predecessors = column.set.owners.iter().map(|source| {
                let mut before = links.before(source.untyped()).map(|id| id.typed());
                before.find(|&id| self.will_have_sent(id, bit))
            });
            self.delta.columns[bit].predecessors = predecessors.collect();
        }
    }

    /// Adds the changed components of an entity to the delta, those that some receivers lack (of `all`
    /// and `any` that they have had), and those that it has lost.
    fn send(
        &mut self,
        id: EntityId<C>,
        at: Slot,
        has: FeedBits,
        changed: FeedBits,
        (all, any): (FeedBits, FeedBits),
    ) -> SentSlot {
        for bit in Bits(has & (changed | !all)) {
            self.delta.columns[bit as usize].set.owners.push(id);
            self.rows[bit as usize].push(at.row);
            #[cfg(feature = "serde")]
            self.known[bit as usize].push(all >> bit & 1 != 0);
        }
        for bit in Bits(any & !has) {
            self.delta.columns[bit as usize].removed.push(id);
        }
        let generation = id.generation();
        SentSlot { generation, has }
    }

    /// Which components of the feed the entities of a node have.
    fn components_of(&mut self, node: NodeIndex) -> FeedBits {
        if let Some((last, has)) = self.last
            && last == node
        {
            return has;
        }
        let signature = self.context.core().world.graph.components(node);
        let columns = self.delta.columns.iter().enumerate();
        let has = columns.filter(|(_, column)| signature.contains(column.component()));
        let has = has.fold(0, |bits, (bit, _)| bits | 1 << bit);
        self.last = Some((node, has));
        has
    }

    /// Clones the values.
    pub(super) fn finish(mut self) -> (Delta<C>, Sending) {
        let core = self.context.core();
        #[cfg(feature = "serde")]
        let state = self.state();
        let dead = &mut self.delta.dead;
        #[cfg(feature = "serde")]
        let journals = &core.subs.feeds.journals;
        for (bit, column) in self.delta.columns.iter_mut().enumerate() {
            #[cfg(feature = "serde")]
            let images = state.journals.get(bit).map(|&at| &journals[at].images);
            column.fill(
                core,
                &self.rows[bit],
                #[cfg(feature = "serde")]
                images,
            );
            #[cfg(feature = "serde")]
            if let Some(images) = images {
                column.divide(images, (&self.known[bit], state.read));
            }
            column.each_id(&mut |id| {
                if !core.world.is_alive(id) {
                    dead.push(id);
                }
            });
        }
        dead.sort_unstable();
        dead.dedup();
        (self.delta, self.sent)
    }
}
