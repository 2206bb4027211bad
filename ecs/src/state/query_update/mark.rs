//! Marking an update of many entities in collectors and indexes, 64 rows at a time.
//!
//! A collector of *updated* of a group collects every visited row that is in the group and has the
//! written component. So neither entities nor signatures are read:
//!
//! ```text
//! visited    0b…1111_1111
//! members    0b…1101_1101    of the group
//! has T      0b…1111_1111    always set, unless the query asks for `Option`
//! written    0b…0000_0101    only if the query asks for `Mut`
//! collected  0b…0000_0101    AND; for several groups or components: OR of these
//! ```

use alloc::vec::Vec;

use super::changes::{Changes, Written, WrittenRows};
use crate::matching::group::{GroupIndex, Groups};
use crate::matching::matcher::GroupEvent;
use crate::matching::members::Members;
use crate::reactions::subscribers::Subscribers;
use crate::storage::column::Blocks;
use crate::storage::columns::Columns;
use crate::storage::row_words::RowWord;
use crate::storage::slots::{Row, Slots};
use crate::words::entity_id::UntypedId;
use crate::words::limits::ROWS;
use crate::words::signature::Bits;
use crate::world::World;

/// Marks these changes in collectors and indexes. Reads only rows and groups, so it cannot panic
/// during unwinding.
pub(super) fn mark_updates(world: &World, subs: &mut Subscribers, changes: &Changes) {
    mark_collectors(world, subs, changes);
    if !subs.indexes.is_empty() {
        mark_indexes(world, subs, changes);
    }
}

fn mark_collectors(world: &World, subs: &mut Subscribers, changes: &Changes) {
    let of = (&world.groups, &world.columns, &world.slots);
    for collector in update_collectors(of, changes) {
        let rows = changes.rows().iter();
        let rows = rows.map(|&(at, bits)| (at, bits & rows_of(&collector.watched, at)));
        subs.collectors
            .collect_rows(&world.slots, rows, collector.collector);
    }
}

/// Marks the changed entities in the indexes concerned as a dirty batch.
fn mark_indexes(world: &World, subs: &mut Subscribers, changes: &Changes) {
    let slots = &world.slots;
    let from = (&world.groups, &world.columns, slots);
    for state in subs.indexes.following_values_mut() {
        let written = changes.written().iter();
        let of = |written| WatchedGroup::new(from, changes, (state.group, written));
        let watched: Vec<_> = written.filter_map(of).collect();
        if !watched.is_empty() {
            let rows = changes.rows().iter();
            let rows = rows.map(|&(at, bits)| (at, bits & rows_of(&watched, at)));
            state
                .index
                .mark_batch_dirty(&mut ids_in(slots, rows).into_iter());
        }
    }
}

/// The entities in these rows.
fn ids_in(slots: &Slots, rows: impl Iterator<Item = RowWord>) -> Vec<UntypedId> {
    let mut ids = Vec::new();
    for (at, bits) in rows {
        ids.reserve(ROWS);
        let rows = Bits(bits).map(|place| Row((at * ROWS) as u32 + place));
        ids.extend(rows.filter_map(|row| slots.id_in(row)));
    }
    ids
}

/// A collector, and the groups that determine the rows it collects.
struct UpdateCollector<'a> {
    collector: usize,
    watched: Vec<WatchedGroup<'a>>,
}

/// The members of a group, the rows with a component it watches, and which of these were written
/// to, unless all count.
#[derive(Clone, Copy)]
struct WatchedGroup<'a> {
    members: Members<'a>,
    values: Blocks<'a>,
    written: Option<&'a WrittenRows>,
}

impl<'a> WatchedGroup<'a> {
    /// Creates it if the group watches the written component.
    fn new(
        (groups, columns, slots): (&'a Groups, &'a Columns, &'a Slots),
        changes: &'a Changes,
        (group, written): (GroupIndex, &Written),
    ) -> Option<Self> {
        let component = written.component;
        let watches = groups.get(group).condition.watches(component);
        watches.then(|| Self {
            members: groups.members(group, columns.all(), slots),
            values: columns.at(component).map_or(Blocks::NONE, |c| c.blocks()),
            written: changes.tracked_rows(written),
        })
    }

    fn rows(&self, at: usize) -> u64 {
        let written = self.written.map_or(u64::MAX, |rows| rows.bits(at));
        self.members.word(at) & self.values.occupied(at) & written
    }
}

/// The rows of a word that are watched for any component.
fn rows_of(watched: &[WatchedGroup<'_>], at: usize) -> u64 {
    let rows = watched.iter().map(|watched| watched.rows(at));
    rows.fold(0, |all, rows| all | rows)
}

/// The collectors concerned by these changes.
fn update_collectors<'a>(
    of: (&'a Groups, &'a Columns, &'a Slots),
    changes: &'a Changes,
) -> Vec<UpdateCollector<'a>> {
    let mut all = Vec::new();
    let (groups, ..) = of;
    for &group in groups.with_collected_updates() {
        let data = groups.get(group);
        for written in changes.written() {
            if let Some(watched) = WatchedGroup::new(of, changes, (group, written)) {
                for collector in data.watch(GroupEvent::Updated).collectors() {
                    add(&mut all, collector, watched);
                }
            }
        }
    }
    all
}

fn add<'a>(all: &mut Vec<UpdateCollector<'a>>, collector: usize, watched: WatchedGroup<'a>) {
    let known = all.iter_mut().find(|known| known.collector == collector);
    match known {
        Some(known) => known.watched.push(watched),
        None => all.push(UpdateCollector {
            collector,
            watched: alloc::vec![watched],
        }),
    }
}
