//! Changing many entities in one call: the edge of the signature graph is looked up
//! once for each run of entities of one signature.
//!
//! ```text
//! ids        a  b  c  d  e  f        node of each: 1 1 1 4 4 1
//! runs       └─ 1 ──┘  └ 4 ┘ └ 1     one look-up each
//! ```
//!
//! 1. Every id is checked as its value is stored or taken out and its slot follows
//!    the edge. If one cannot take part, all goes back: nothing has changed.
//! 2. Then groups and collectors follow, run by run.
//!
//! Where observers are to be told, each must find the entities whose turn has not
//! come yet as they were. So all goes back then too, and the changes are made one
//! by one.

mod add;
mod create;
mod destroy;
mod remove;

use alloc::vec::Vec;

use super::Core;
use crate::component::ComponentIndex;
use crate::effects::EffectsIndex;
use crate::entity_id::EntityId;
use crate::graph::Graph;
use crate::group::Groups;
use crate::row_set::RowWords;
use crate::slots::{NodeIndex, Row, Slot, Slots};

pub(crate) use self::add::add_many;
pub(crate) use self::create::{Arrivals, can_create_rows, create_rows};
pub(crate) use self::destroy::destroy_many;
pub(crate) use self::remove::{remove_from, remove_many};

/// Entities that stand together in a list and are changed alike.
#[derive(Clone, Copy)]
struct Run {
    /// The place of the first of them in the list.
    start: usize,
    effects: EffectsIndex,
}

/// The edge that toggles one component, walked by many entities.
struct Edge<'a, C> {
    graph: &'a mut Graph,
    groups: &'a Groups<C>,
    component: ComponentIndex,
    from: NodeIndex,
    to: NodeIndex,
    runs: Vec<Run>,
}

impl<'a, C: 'static> Edge<'a, C> {
    fn new(graph: &'a mut Graph, groups: &'a Groups<C>, component: ComponentIndex) -> Self {
        let nowhere = NodeIndex(u32::MAX);
        Self {
            graph,
            groups,
            component,
            from: nowhere,
            to: nowhere,
            runs: Vec::new(),
        }
    }

    /// Lets the entity at a place of the list follow the edge.
    #[inline]
    fn follow(&mut self, place: usize, slot: &mut Slot) {
        if slot.node != self.from {
            self.start_run(place, slot.node);
        }
        slot.node = self.to;
    }

    #[cold]
    fn start_run(&mut self, start: usize, node: NodeIndex) {
        let (target, effects) = self.graph.toggle(node, self.component, self.groups);
        (self.from, self.to) = (node, target);
        self.runs.push(Run { start, effects });
    }

    /// Lets an entity that has followed the edge go back.
    fn go_back(&mut self, slot: &mut Slot) {
        (slot.node, _) = self.graph.toggle(slot.node, self.component, self.groups);
    }
}

impl<C: 'static> Core<C> {
    /// Whether somebody is to be told of the change of some entity.
    fn any_is_observed(&mut self, ids: &[EntityId<C>], component: ComponentIndex) -> bool {
        if !self.observers.any_of_groups() {
            return false;
        }
        ids.iter().any(|&id| {
            let Some(slot) = self.slots.get(id) else {
                return false; // refused later
            };
            let (_, effects) = self.graph.toggle(slot.node, component, &self.groups);
            self.graph.effects().get(effects).are_observed()
        })
    }

    /// Lets groups and collectors follow entities whose slots have been changed;
    /// `row` gives the row of the entity at a place of the list.
    fn settle(&mut self, ids: &[EntityId<C>], runs: &[Run], row: impl Fn(&Slots, usize) -> Row) {
        let mut rows = RowWords::default();
        for (at, run) in runs.iter().enumerate() {
            if run.effects == EffectsIndex::NONE {
                continue;
            }
            let end = runs.get(at + 1).map_or(ids.len(), |next| next.start);
            rows.clear();
            (run.start..end).for_each(|place| rows.push(row(&self.slots, place)));
            self.apply_to_run(&ids[run.start..end], &rows, run.effects);
        }
    }

    /// Does what [`apply`](Self::apply) does for each entity of a run.
    fn apply_to_run(&mut self, run: &[EntityId<C>], rows: &RowWords, effects: EffectsIndex) {
        let what = self.graph.effects().get(effects);
        for &group in &what.flips {
            self.groups.members_mut(group).flip_words(rows);
        }
        self.collectors
            .collect_run(run, what.collectors, &what.more_collectors);
    }
}
