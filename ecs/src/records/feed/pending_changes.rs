//! Creating feeds, and finding their pending changes.

use alloc::vec::Vec;

use super::column::DeltaColumn;
use super::delta::{Delta, FeedKey};
use super::visibility::Visibility;
use crate::matching::matcher::Matcher;
use crate::reactions::feeds::{FeedState, SentSlot};
use crate::reactions::handle::Watched;
use crate::reactions::subscribers::Subscribers;
use crate::state::collectors::{add_collector, release_collector};
use crate::state::core::HasCore;
use crate::state::matcher_groups::group;
use crate::storage::slots::{NodeIndex, Row, Slot};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::signature::Bits;
use crate::world::World;

/// A feed that was created.
pub(crate) struct BegunFeed {
    pub(crate) place: usize,
    /// The number of feeds before it.
    pub(crate) serial: u64,
    /// The feed's own part of the handle, then one part for each component.
    pub(crate) watched: Vec<Watched>,
}

/// Creates a feed of components without duplicates.
pub(crate) fn add_feed<C: HasCore>(context: &mut C, components: &[RawComponentIndex]) -> BegunFeed {
    for &component in components {
        group(context, Matcher::all_of_index(component)); // may notify observers
    }
    let mut watched = Vec::new();
    let mut journals = Vec::new();
    for &component in components {
        let (journal, of_component) = follow(context, component);
        journals.push(journal);
        watched.push(of_component);
    }
    let feeds = &mut context.core_mut().subs.feeds;
    let serial = feeds.made;
    let (place, own) = feeds.add(journals);
    watched.push(own);
    BegunFeed {
        place,
        serial,
        watched,
    }
}

/// Starts to fill the journal of a component; returns its position.
fn follow<C: HasCore>(context: &mut C, component: RawComponentIndex) -> (usize, Watched) {
    let core = context.core_mut();
    let place = core.subs.feeds.journal_of(component);
    let journal = &core.subs.feeds.journals[place];
    if let (Some(_), Some(watched)) = (journal.collector, journal.watch.watched()) {
        return (place, watched);
    }
    let left = core.subs.feeds.journals[place].collector.take();
    if let Some(collector) = left {
        release_collector(&mut core.world, &mut core.subs, collector);
    }
    let trigger = Matcher::<C>::all_of_index(component);
    let trigger = trigger.any_change().with_rewinds();
    let collector = add_collector(context, trigger);
    let core = context.core_mut();
    core.subs.collectors.collect_slots(collector);
    let watched = core.subs.collectors.watch(collector);
    let journal = &mut core.subs.feeds.journals[place];
    journal.collector = Some(collector);
    journal.watch = watched.watch();
    (place, watched)
}

/// Records what a feed has sent with a delta.
fn record_sent<C>(subs: &mut Subscribers, place: usize, delta: &Delta<C>, sent: Sending) {
    let now = subs.feeds.now();
    let Some(state) = subs.feeds.get_mut(place) else {
        return;
    };
    if delta.everything {
        state.sent.clear();
    }
    state.sent.record(sent.listed, &sent.others);
    state.read = now;
    state.number = delta.number;
    state.everything = false;
    state.looks_again = false;
}

/// Moves collected changes of a feed's components to the journals.
fn fill_journals(world: &World, subs: &mut Subscribers, place: usize) {
    let stamp = subs.feeds.next_stamp();
    let journals = subs.feeds.get(place).map(|state| state.journals.clone());
    for at in journals.unwrap_or_default() {
        let journal = &mut subs.feeds.journals[at];
        if let Some(collector) = journal.collector {
            subs.collectors
                .drain_into(&world.slots, collector, &mut subs.scratch);
            for id in &subs.scratch {
                journal.recent.touch(id.index(), stamp);
            }
        }
    }
    subs.scratch.clear();
}

/// Makes the next delta of a feed check all entities.
pub(crate) fn look_again(subs: &mut Subscribers, place: usize) {
    if let Some(state) = subs.feeds.get_mut(place) {
        state.looks_again = true;
    }
}

/// Makes the next delta of a feed contain everything.
pub(crate) fn send_everything(subs: &mut Subscribers, place: usize) {
    if let Some(state) = subs.feeds.get_mut(place) {
        state.everything = true;
    }
}

/// Takes the pending changes of what the feed shows. If a clone or the closure of the feed panics,
/// nothing is taken.
pub(super) fn take<C: HasCore>(
    context: &mut C,
    (place, feed): (usize, FeedKey),
    shows: &Visibility<C>,
) -> Delta<C> {
    let core = context.core_mut();
    fill_journals(&core.world, &mut core.subs, place);
    let mut reader = SlotReader::new(context, (place, feed), shows);
    reader.look_at_candidates();
    reader.find_predecessors();
    let (delta, sent) = reader.finish();
    record_sent(&mut context.core_mut().subs, place, &delta, sent);
    delta
}

/// Returns what the feed has sent, with present values and the number of its last delta; all that it
/// shows, if the next delta will contain everything. Takes nothing.
///
/// The next delta still has what has changed since the last one. So entities and components
/// are those of the last delta: others might be gone by the next one, which would not mention them.
pub(super) fn everything<C: HasCore>(
    context: &C,
    feed: (usize, FeedKey),
    shows: &Visibility<C>,
) -> Delta<C> {
    let mut reader = SlotReader::new(context, feed, shows);
    reader.delta.number -= 1;
    match reader.delta.everything {
        true => reader.look_at_candidates(),
        false => reader.repeat_sent(),
    }
    reader.find_predecessors();
    reader.finish().0
}

/// What a feed will have sent, by slot, ascending.
#[derive(Default)]
struct Sending {
    /// That of all entities that it was asked to show.
    listed: Vec<(u32, SentSlot)>,
    /// That of others for which it differs from before.
    others: Vec<(u32, SentSlot)>,
}

/// A slot that may have to be mentioned.
struct Candidate {
    slot: u32,
    /// The components that have changed, as bits.
    changed: u32,
    /// The components that are visible because its entity is in a set, as bits.
    visible: u32,
}

/// Reads the pending changes of slots, one after the other.
struct SlotReader<'a, C: HasCore> {
    context: &'a C,
    place: usize,
    shows: &'a Visibility<C>,
    unlimited: u32,
    /// The last node and which of the feed's components it has, a cache.
    last: Option<(NodeIndex, u32)>,
    delta: Delta<C>,
    /// The rows of the values, for each column of the delta.
    rows: Vec<Vec<Row>>,
    sent: Sending,
}

impl<'a, C: HasCore> SlotReader<'a, C> {
    fn new(context: &'a C, (place, feed): (usize, FeedKey), shows: &'a Visibility<C>) -> Self {
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
            unlimited: shows.unlimited(),
            last: None,
            rows: columns.iter().map(|_| Vec::new()).collect(),
            delta: Delta {
                everything: state.everything,
                columns,
                ..Delta::empty(feed, state.number + 1)
            },
            sent: Sending::default(),
        }
    }

    /// The state of the feed.
    fn state(&self) -> &'a FeedState {
        let state = self.context.core().subs.feeds.get(self.place);
        state.expect("a handle's feed is there")
    }

    /// The slots to look at, ascending.
    fn candidates(&self) -> Vec<Candidate> {
        let (core, state) = (self.context.core(), self.state());
        let of = |slot, changed, visible| Candidate {
            slot,
            changed,
            visible,
        };
        let mut slots = Vec::new();
        if (state.everything || state.looks_again) && self.unlimited != 0 {
            let alive = core.world.slots.iter();
            slots.extend(alive.map(|(id, _)| of(id.index(), 0, 0)));
        }
        if !state.everything {
            for bit in Bits(self.shows.decisive().into()) {
                let Some(&journal) = state.journals.get(bit as usize) else {
                    break;
                };
                let recent = core.subs.feeds.journals[journal].recent.since(state.read);
                slots.extend(recent.map(|slot| of(slot, 1 << bit, 0)));
            }
            slots.extend(state.sent.listed().map(|slot| of(slot, 0, 0)));
        }
        let listed = self.shows.listed();
        let listed = listed.filter(|(id, _)| core.world.is_alive(*id));
        slots.extend(listed.map(|(id, visible)| of(id.index(), 0, visible)));
        slots.sort_by_key(|candidate| candidate.slot); // finds presorted runs
        slots.dedup_by(|next, candidate| {
            let is_same = next.slot == candidate.slot;
            if is_same {
                candidate.changed |= next.changed;
                candidate.visible |= next.visible;
            }
            is_same
        });
        slots
    }

    fn look_at_candidates(&mut self) {
        for candidate in self.candidates() {
            self.look_at(&candidate);
        }
    }

    /// Repeats what was sent, with present values. Entities that no longer exist, which the next
    /// delta will mention, have no components.
    fn repeat_sent(&mut self) {
        self.delta.everything = true;
        let core = self.context.core();
        for (slot, sent) in self.state().sent.all() {
            let id = core
                .world
                .slots
                .id_of_generation::<C>(slot, sent.generation);
            self.delta.appeared.push(id);
            let alive = core.world.slots.alive_in::<C>(slot);
            if let Some((_, at)) = alive.filter(|(alive, _)| *alive == id) {
                let has = sent.has & self.components_of(at.node);
                let entry = self.send(id, at, has, u32::MAX, 0);
                self.sent.others.push((slot, entry));
            }
        }
    }

    fn look_at(&mut self, candidate: &Candidate) {
        let &Candidate { slot, visible, .. } = candidate;
        let core = self.context.core();
        let alive = core.world.slots.alive_in::<C>(slot);
        let shown = self.unlimited | visible;
        let present = alive.map(|(id, at)| (id, at, self.components_of(at.node) & shown));
        let sees = |id| self.shows.sees(self.context, id);
        let present = present.filter(|&(id, _, has)| has != 0 && sees(id));
        let sent = self.sent(slot);
        let stays = present.is_some_and(|(id, ..)| id.generation() == sent.generation);
        if !sent.is_nothing() && !stays {
            let id = core.world.slots.id_of_generation(slot, sent.generation);
            let ended = alive.is_none_or(|(alive, _)| alive != id);
            self.delta.vanished.push((id, ended));
        }
        let entry = match present {
            Some((id, at, has)) if stays => {
                let fresh = self.changed(candidate) | !sent.has;
                self.send(id, at, has, fresh, sent.has)
            }
            Some((id, at, has)) => {
                self.delta.appeared.push(id);
                self.send(id, at, has, u32::MAX, 0)
            }
            None => SentSlot::NOTHING,
        };
        if visible != 0 && !entry.is_nothing() {
            self.sent.listed.push((slot, entry));
        } else if entry != self.sent_in_pages(slot) {
            self.sent.others.push((slot, entry));
        }
    }

    /// The components of a candidate that have changed, as bits.
    fn changed(&self, candidate: &Candidate) -> u32 {
        let (journals, state) = (&self.context.core().subs.feeds.journals, self.state());
        let limited = candidate.visible & !self.unlimited;
        Bits(limited.into()).fold(candidate.changed, |bits, bit| {
            let journal = &journals[state.journals[bit as usize]];
            let is_changed = journal.recent.is_later(candidate.slot, state.read);
            bits | u32::from(is_changed) << bit
        })
    }

    /// What has been sent of a slot.
    fn sent(&self, slot: u32) -> SentSlot {
        match self.delta.everything {
            true => SentSlot::NOTHING,
            false => self.state().sent.get(slot),
        }
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
        let Sending { listed, others } = &self.sent;
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
    fn find_predecessors(&mut self) {
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

    /// Adds the `fresh` ones of an entity's components to the delta, and those that it has lost.
    fn send(&mut self, id: EntityId<C>, at: Slot, has: u32, fresh: u32, had: u32) -> SentSlot {
        for bit in Bits(u64::from(has & fresh)) {
            self.delta.columns[bit as usize].set.owners.push(id);
            self.rows[bit as usize].push(at.row);
        }
        for bit in Bits(u64::from(had & !has)) {
            self.delta.columns[bit as usize].removed.push(id);
        }
        let generation = id.generation();
        SentSlot { generation, has }
    }

    /// Which components of the feed the entities of a node have, as bits.
    fn components_of(&mut self, node: NodeIndex) -> u32 {
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
    fn finish(mut self) -> (Delta<C>, Sending) {
        let core = self.context.core();
        let dead = &mut self.delta.dead;
        for (column, rows) in self.delta.columns.iter_mut().zip(&self.rows) {
            column.fill(core, rows);
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
