//! Has collectors follow an update of many entities, 64 rows at a time.
//!
//! A collector that waits for *updated* of a group collects every row visited that is in the
//! group and has the component written to. So neither entity nor signature is looked at:
//!
//! ```text
//! visited    0b…1111_1111
//! members    0b…1101_1101    of the group
//! has T      0b…1111_1111    no more than a check, unless the query asks for `Option`
//! written    0b…0000_0101    only where the query asks for `Mut`
//! gathered   0b…0000_0101    AND; by several groups or components: OR of these
//! ```

use alloc::vec::Vec;

use super::changes::Changes;
use super::written_rows::WrittenRows;
use crate::matching::group::Groups;
use crate::matching::matcher::GroupEvent;
use crate::state::core::{Core, HasCore};
use crate::storage::column::Blocks;
use crate::storage::columns::Columns;

impl<C: HasCore> Core<C> {
    /// Has collectors follow these changes.
    pub(super) fn gather_updates(&mut self, changes: &Changes<C>) {
        for gatherer in gatherers(&self.groups, &self.columns, changes) {
            let rows = changes.rows().iter();
            let rows = rows.map(|&(at, bits)| (at, bits & gatherer.rows(at)));
            self.collectors
                .collect_rows(&self.slots, rows, gatherer.collector);
        }
    }
}

/// A collector, with the rows that it collects.
struct Gatherer<'a> {
    collector: usize,
    watched: Vec<Watched<'a>>,
}

/// The members of a group, the rows that have a component it names, and which of these have
/// been written to, if not all.
#[derive(Clone, Copy)]
struct Watched<'a> {
    members: &'a [u64],
    values: Blocks<'a>,
    written: Option<&'a WrittenRows>,
}

impl Watched<'_> {
    fn rows(&self, at: usize) -> u64 {
        let members = self.members.get(at).copied().unwrap_or(0);
        let written = self.written.map_or(u64::MAX, |rows| rows.bits(at));
        members & self.values.occupied(at) & written
    }
}

impl Gatherer<'_> {
    /// The rows of a word that it collects.
    fn rows(&self, at: usize) -> u64 {
        let rows = self.watched.iter().map(|watched| watched.rows(at));
        rows.fold(0, |all, rows| all | rows)
    }
}

/// The collectors that follow these changes.
fn gatherers<'a, C: HasCore>(
    groups: &'a Groups<C>,
    columns: &'a Columns<C>,
    changes: &'a Changes<C>,
) -> Vec<Gatherer<'a>> {
    let mut gatherers = Vec::new();
    for &group in groups.with_collected_updates() {
        let data = groups.get(group);
        for written in changes.written() {
            let component = written.component;
            if data.matcher.watches(component) {
                let watched = Watched {
                    members: groups.members(group).words(),
                    values: columns.at(component).map_or(Blocks::NONE, |c| c.blocks()),
                    written: changes.tracked_rows(written),
                };
                for collector in data.watch(GroupEvent::Updated).collector_numbers() {
                    add(&mut gatherers, collector, watched);
                }
            }
        }
    }
    gatherers
}

fn add<'a>(gatherers: &mut Vec<Gatherer<'a>>, collector: usize, watched: Watched<'a>) {
    let known = gatherers
        .iter_mut()
        .find(|known| known.collector == collector);
    match known {
        Some(known) => known.watched.push(watched),
        None => gatherers.push(Gatherer {
            collector,
            watched: alloc::vec![watched],
        }),
    }
}
