//! Creating feeds, and taking their pending changes, which `slot_reader.rs` finds.

use alloc::vec::Vec;

#[cfg(feature = "serde")]
use super::cells;
use super::delta::{Delta, FeedKey};
use super::slot_reader::SlotReader;
use super::visibility::Visibility;
use crate::matching::matcher::Matcher;
use crate::reactions::handle::Watched;
use crate::reactions::subscribers::Subscribers;
use crate::state::collectors::{add_collector, release_collector};
use crate::state::core::HasCore;
use crate::state::matcher_groups::group;
use crate::words::component::RawComponentIndex;
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

/// Moves collected changes of a feed's components to the journals.
fn fill_journals(world: &World, subs: &mut Subscribers, place: usize) {
    let stamp = subs.feeds.next_stamp();
    let journals = subs.feeds.get(place).map(|state| state.journals.clone());
    for at in journals.unwrap_or_default() {
        let journal = &mut subs.feeds.journals[at];
        if let Some(collector) = journal.collector {
            subs.collectors
                .drain_into(&world.slots, collector, &mut subs.scratch);
            #[cfg(feature = "serde")]
            if !subs.scratch.is_empty() && world.describe(journal.component).saving.cells.is_some()
            {
                let stamps = (stamp, subs.feeds.earliest(at));
                let journal = &mut subs.feeds.journals[at];
                cells::record(world, journal, &subs.scratch, stamps);
                continue;
            }
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

/// Records that the receiver of a feed has applied a delta.
pub(crate) fn acknowledge(subs: &mut Subscribers, place: usize, number: u64) {
    if let Some(state) = subs.feeds.get_mut(place) {
        state.acknowledge(number);
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
    let feeds = &mut context.core_mut().subs.feeds;
    let now = feeds.now();
    if let Some(state) = feeds.get_mut(place) {
        state.record(sent, now);
    }
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
    match reader.has_sent_nothing() {
        true => reader.look_at_candidates(),
        false => reader.repeat_sent(),
    }
    reader.find_predecessors();
    reader.finish().0
}
