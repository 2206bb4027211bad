//! Changing many entities in one call: the edge of the signature graph is looked up
//! once for each run of entities of one signature.
//!
//! ```text
//! ids        a  b  c  d  e  f        node of each: 1 1 1 4 4 1
//! runs       └─ 1 ──┘  └ 4 ┘ └ 1     one look-up each
//! ```
//!
//! 1. Every id is checked and its slot follows the edge. If one cannot take part, all
//!    slots go back: nothing has changed.
//! 2. The values are stored or taken out; then groups and collectors follow, run by
//!    run, 64 rows at a time.
//!
//! Where observers are to be told, each must find the entities whose turn has not
//! come yet as they were. So all goes back then too, and the changes are made one
//! by one; also where entity indexes are to follow, whose key functions are user code
//! like theirs.

mod add;
mod create;
mod destroy;
mod remove;
mod replace;
mod update;

use alloc::vec::Vec;
use core::ops::Range;

use super::core::Core;
use super::write::Refusal;
use crate::matching::effects::EffectsIndex;
use crate::matching::graph::Graph;
use crate::matching::group::Groups;
use crate::storage::column::ColumnOf;
use crate::storage::row_words::{Adding, RowWord, RowWords};
use crate::storage::slots::{NodeIndex, Slots};
use crate::words::component::{Component, ComponentIndex};
use crate::words::entity_id::EntityId;

pub(crate) use self::add::add_many;
pub(crate) use self::create::{Arrivals, BundlePlan, Landing, create_rows};
pub(crate) use self::destroy::destroy_many;
pub(crate) use self::remove::{remove_from, remove_many};
pub(crate) use self::replace::replace_many;
pub(crate) use self::update::update_many;

/// Entities that stand together in a list and are changed alike.
#[derive(Clone, Copy)]
struct Run {
    /// The place of the first of them in the list.
    start: usize,
    /// The place of their first word among the rows of the whole list.
    word: usize,
    effects: EffectsIndex,
}

/// The entities of a list that are changed alike, as runs and as rows.
#[derive(Default)]
struct Runs {
    runs: Vec<Run>,
    rows: RowWords,
}

impl Runs {
    fn start(&mut self, start: usize, effects: EffectsIndex) {
        let word = self.rows.len();
        self.runs.push(Run {
            start,
            word,
            effects,
        });
    }

    /// A way to add rows to the last run.
    fn go_on(&mut self) -> Adding<'_> {
        let first = self.runs.last().map_or(0, |run| run.word);
        self.rows.go_on(first)
    }

    /// Each run with its places in a list of `len`, and with its rows.
    fn iter(&self, len: usize) -> impl Iterator<Item = (EffectsIndex, Range<usize>, &[RowWord])> {
        let words = self.rows.as_slice();
        self.runs.iter().enumerate().map(move |(at, run)| {
            let next = self.runs.get(at + 1);
            let (end, word) = next.map_or((len, words.len()), |next| (next.start, next.word));
            (run.effects, run.start..end, &words[run.word..word])
        })
    }
}

/// Whether a component is added or removed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Toggle {
    Add,
    Remove,
}

/// The edge that toggles one component, walked by the slots of many entities.
struct Edge<'a, C> {
    graph: &'a mut Graph,
    groups: &'a mut Groups<C>,
    slots: &'a mut Slots,
    component: ComponentIndex,
    toggle: Toggle,
    runs: Runs,
}

impl<C: 'static> Edge<'_, C> {
    /// Lets all entities follow the edge, or none: then it says which of them cannot.
    fn walk(&mut self, ids: &[EntityId<C>]) -> Result<(), (EntityId<C>, Refusal)> {
        let mut done = 0;
        while let Some(&id) = ids.get(done) {
            match self.walk_run(&ids[done..], done) {
                Ok(count) => done += count,
                Err(refusal) => {
                    self.go_back(&ids[..done]);
                    return Err((id, refusal));
                }
            }
        }
        Ok(())
    }

    /// Lets the entities at the head of a list follow that are in one node; gives
    /// their number.
    fn walk_run(&mut self, ids: &[EntityId<C>], start: usize) -> Result<usize, Refusal> {
        let node = self.slots.get(ids[0]).ok_or(Refusal::Dead)?.node;
        let has = self.graph.components(node).contains(self.component);
        match self.toggle {
            Toggle::Add if has => return Err(Refusal::Present), // also where it is there twice
            Toggle::Remove if !has => return Err(Refusal::Absent),
            _ => {}
        }
        let (target, effects) = self.graph.toggle(node, self.component, self.groups);
        self.runs.start(start, effects);
        Ok(self.move_run(ids, node, target))
    }

    /// Moves the slots of those at the head of a list that are in node `from`.
    fn move_run(&mut self, ids: &[EntityId<C>], from: NodeIndex, target: NodeIndex) -> usize {
        let (slots, runs) = (&mut *self.slots, &mut self.runs);
        let mut left = ids;
        loop {
            let before = left.len();
            let mut rows = runs.go_on();
            left = slots.move_scattered(left, from, target, move |row| rows.push(row));
            let mut rows = runs.go_on();
            left = slots.move_neighbours(left, from, target, |row, len| rows.push_run(row, len));
            if left.len() == before {
                return ids.len() - before;
            }
        }
    }

    /// Lets entities that have followed the edge go back.
    fn go_back(&mut self, ids: &[EntityId<C>]) {
        for &id in ids {
            if let Some((_, node)) = self.slots.get_mut(id) {
                (*node, _) = self.graph.toggle(*node, self.component, self.groups);
            }
        }
    }
}

impl<C: 'static> Core<C> {
    /// The edge of component `T`, and the column.
    fn edge<T: Component<C>>(&mut self, toggle: Toggle) -> (Edge<'_, C>, &mut ColumnOf<T>) {
        self.collect_signatures();
        let (component, column) = self.columns.with_index::<T>();
        let edge = Edge {
            graph: &mut self.graph,
            groups: &mut self.groups,
            slots: &mut self.slots,
            component,
            toggle,
            runs: Runs::default(),
        };
        (edge, column)
    }

    /// Whether entity indexes or observers are to follow the change of some entity.
    fn any_is_followed(&mut self, ids: &[EntityId<C>], component: ComponentIndex) -> bool {
        if !self.observers.any_of_groups() && self.indexes.is_empty() {
            return false;
        }
        ids.iter().any(|&id| {
            let Some(slot) = self.slots.get(id) else {
                return false; // refused later
            };
            let (_, effects) = self.graph.toggle(slot.node, component, &mut self.groups);
            self.graph.effects().get(effects).are_followed()
        })
    }

    /// Lets groups and collectors follow entities whose slots have been changed.
    fn settle(&mut self, ids: &[EntityId<C>], runs: &Runs) {
        for (effects, _, rows) in runs.iter(ids.len()) {
            self.apply_to_rows(rows, effects);
        }
    }

    /// Lets collectors follow an update of these entities.
    fn apply_to_updated(&mut self, ids: &[EntityId<C>], effects: EffectsIndex) {
        let what = self.graph.effects().get(effects);
        for collector in what.collector_numbers() {
            self.collectors.collect_ids(&self.slots, ids, collector);
        }
    }

    /// Does what [`apply`](Self::apply) does for each entity in these rows, all of them
    /// alive.
    fn apply_to_rows(&mut self, rows: &[RowWord], effects: EffectsIndex) {
        let what = self.graph.effects().get(effects);
        self.groups.flip_rows(&what.flips, rows);
        for collector in what.collector_numbers() {
            let rows = rows.iter().copied();
            self.collectors.collect_rows(&self.slots, rows, collector);
        }
    }
}
