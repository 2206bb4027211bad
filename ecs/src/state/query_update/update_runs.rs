//! The runs of an update of many entities, for the history and observers: entities of one node in
//! which the same components count as changed, in the order of rows.
//!
//! ```text
//! visited   a b c d        runs   a b   Position, Velocity
//! Position  x x . x               d     Position
//! Velocity  x x . .               c is in none
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use super::changes::Changes;
use super::node_run::{NodeRun, for_each_run};
use crate::matching::effects::EffectsIndex;
use crate::state::commit::previous::Previous;
use crate::state::commit::run::{Ids, Run};
use crate::storage::slots::NodeIndex;
use crate::storage::value_list::ValueList;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// The runs of an update.
pub(super) struct UpdateRuns {
    ids: Vec<UntypedId>,
    runs: Vec<UpdateRun>,
    /// The previous values that are not in a run yet, by written components.
    before: Vec<Option<ValueList>>,
    /// Previous values of components that do not count as changed; dropped with these: user code.
    unused: Vec<ValueList>,
}

/// Entities of a node.
struct UpdateRun {
    node: NodeIndex,
    ids: Range<usize>,
    terms: Vec<Term>,
}

/// A written component that the entities have.
struct Term {
    /// The index of the component among the written ones.
    written: usize,
    component: RawComponentIndex,
    effects: EffectsIndex,
    /// Whether it counts as changed, and a history or an observer depends on it.
    counts: bool,
    /// The previous values, if they are known.
    values: Option<ValueList>,
}

impl UpdateRuns {
    /// The runs of these changes, with the previous values of visited rows.
    pub(super) fn of(world: &mut World, changes: &Changes, before: Vec<Option<ValueList>>) -> Self {
        let mut runs = Self {
            ids: Vec::with_capacity(changes.visited()),
            runs: Vec::new(),
            before,
            unused: Vec::new(),
        };
        for_each_run(world, changes.rows(), |world, run| {
            runs.add(world, changes, &run);
        });
        runs
    }

    /// Adds adjacent entities of a node.
    fn add(&mut self, world: &mut World, changes: &Changes, run: &NodeRun<'_>) {
        if self.runs.last().is_none_or(|last| last.node != run.node) {
            let terms = terms_of(world, run.node, changes);
            self.start(run.node, terms);
        }
        let (mut ids, mut left) = (run.ids, run.rows.1);
        while left != 0 {
            let (mut same, first) = (left, left.trailing_zeros());
            let last = self.runs.last().expect("a run was started");
            let counts = last.terms.iter().map(|term| {
                let counted = match term.effects {
                    EffectsIndex::NONE => 0,
                    _ => changes.of(&changes.written()[term.written], run.rows).1,
                };
                let counts = counted >> first & 1 != 0;
                same &= if counts { counted } else { !counted };
                counts
            });
            let counts: Vec<bool> = counts.collect();
            let other = left & !same;
            let next = left & !(u64::MAX << (other.trailing_zeros() % 64));
            let these = if other == 0 { left } else { next };
            let (now, rest) = ids.split_at(these.count_ones() as usize);
            self.push(now, &counts);
            (ids, left) = (rest, left & !these);
        }
    }

    /// Starts a run of a node.
    fn start(&mut self, node: NodeIndex, terms: Vec<Term>) {
        let ids = self.ids.len()..self.ids.len();
        self.runs.push(UpdateRun { node, ids, terms });
    }

    /// Adds entities in which these components of the last run count.
    fn push(&mut self, ids: &[UntypedId], counts: &[bool]) {
        let Some(last) = self.runs.last_mut() else {
            return;
        };
        let are_same = last
            .terms
            .iter()
            .map(|term| term.counts)
            .eq(counts.iter().copied());
        if !are_same && !last.ids.is_empty() {
            let terms = last.terms.iter().map(|term| Term {
                values: None,
                ..*term
            });
            let (node, terms) = (last.node, terms.collect());
            self.start(node, terms);
        }
        let last = self.runs.last_mut().expect("there is one");
        for (term, &counts) in last.terms.iter_mut().zip(counts) {
            term.counts = counts;
            let Some(before) = &mut self.before[term.written] else {
                continue;
            };
            if counts {
                let values = &mut term.values;
                let values = values.get_or_insert_with(|| ValueList::new(before.descriptor()));
                values.append_first(before, ids.len());
            } else {
                self.unused.push(before.take_first(ids.len()));
            }
        }
        if counts.contains(&true) {
            self.ids.extend_from_slice(ids);
            last.ids.end = self.ids.len();
        }
    }

    /// The runs to commit; those of the same entities are adjacent. The caller updates indexes.
    pub(super) fn take_runs(&mut self) -> Vec<Run<'_>> {
        let mut runs = Vec::new();
        for run in &mut self.runs {
            let ids = Ids::Many(&self.ids[run.ids.clone()]);
            let terms = run.terms.iter_mut().filter(|term| term.counts);
            runs.extend(terms.map(|term| {
                let previous = Previous::updated(term.component, term.values.take());
                Run::new(ids, term.effects.without_indexes(), previous)
            }));
        }
        runs
    }
}

/// The written components that entities of a node have.
fn terms_of(world: &mut World, node: NodeIndex, changes: &Changes) -> Vec<Term> {
    let mut terms = Vec::new();
    for (nth, written) in changes.written().iter().enumerate() {
        let component = written.component;
        if !world.components(node).contains(component) {
            continue;
        }
        let effects = world.graph.update(node, component, &world.groups);
        let concerns = effects.is_recorded() || world.graph.effects().are_observed(effects);
        terms.push(Term {
            written: nth,
            component,
            effects: if concerns {
                effects
            } else {
                EffectsIndex::NONE
            },
            counts: false,
            values: None,
        });
    }
    terms
}
