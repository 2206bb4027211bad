//! Has collectors follow an update of many entities, 64 rows at a time.
//!
//! A collector that waits for *updated* of a group collects every row visited that is in the
//! group and has the component written to. So neither entity nor signature is looked at:
//!
//! ```text
//! visited    0b…1111_1111
//! members    0b…1101_1101    of the group
//! has T      0b…1111_1111    no more than a check, unless the query asks for `Option`
//! gathered   0b…1101_1101    AND; by several groups or components: OR of these
//! ```

use alloc::vec::Vec;

use super::copies::Written;
use crate::matching::group::Groups;
use crate::matching::matcher::GroupEvent;
use crate::state::core::{Core, HasCore};
use crate::storage::column::Blocks;
use crate::storage::columns::Columns;
use crate::storage::row_words::RowWord;

impl<C: HasCore> Core<C> {
    /// Has collectors follow the update of these rows.
    pub(super) fn gather_updates(&mut self, rows: &[RowWord], written: &[Written<C>]) {
        for gatherer in gatherers(&self.groups, &self.columns, written) {
            let rows = rows
                .iter()
                .map(|&(at, bits)| (at, bits & gatherer.rows(at)));
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

/// The members of a group, and the rows that have a component it names.
#[derive(Clone, Copy)]
struct Watched<'a> {
    members: &'a [u64],
    values: Blocks<'a>,
}

impl Gatherer<'_> {
    /// The rows of a word that it collects.
    fn rows(&self, at: usize) -> u64 {
        let rows = |watched: &Watched<'_>| {
            watched
                .members
                .get(at)
                .map(|row| row & watched.values.occupied(at))
        };
        self.watched
            .iter()
            .filter_map(rows)
            .fold(0, |all, rows| all | rows)
    }
}

/// The collectors that follow an update of these components.
fn gatherers<'a, C: HasCore>(
    groups: &'a Groups<C>,
    columns: &'a Columns<C>,
    written: &[Written<C>],
) -> Vec<Gatherer<'a>> {
    let mut gatherers = Vec::new();
    for &group in groups.with_collected_updates() {
        let data = groups.get(group);
        for component in written.iter().map(|written| written.component) {
            if data.matcher.watches(component) {
                let watched = Watched {
                    members: groups.members(group).words(),
                    values: columns.at(component).map_or(Blocks::NONE, |c| c.blocks()),
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
