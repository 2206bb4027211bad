//! The edge of the signature graph for one component, traversed by many entities.

use super::Rejection;
use crate::matching::graph::Graph;
use crate::matching::group::Groups;
use crate::reactions::subscribers::Subscribers;
use crate::state::core::Core;
use crate::state::groups::collect_signatures;
use crate::state::runs::Runs;
use crate::storage::column::ColumnOf;
use crate::storage::slots::{NodeIndex, Slots};
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::world::World;

/// Whether a component is added or removed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EdgeKind {
    Add,
    Remove,
}

/// The edge for adding or removing one component, traversed by the slots of many entities.
pub(crate) struct Edge<'a> {
    pub(crate) graph: &'a mut Graph,
    pub(crate) groups: &'a Groups,
    pub(crate) slots: &'a mut Slots,
    pub(crate) component: RawComponentIndex,
    kind: EdgeKind,
    pub(crate) runs: Runs,
}

impl<'a> Edge<'a> {
    /// The edge of the component with this index.
    pub(crate) fn of(
        world: &'a mut World,
        subs: &Subscribers,
        component: RawComponentIndex,
        kind: EdgeKind,
    ) -> Self {
        collect_signatures(world, subs);
        Self {
            graph: &mut world.graph,
            groups: &world.groups,
            slots: &mut world.slots,
            component,
            kind,
            runs: Runs::default(),
        }
    }

    /// Moves all entities along the edge, or none.
    ///
    /// # Errors
    ///
    /// Returns the first entity that cannot be moved, and why.
    pub(crate) fn traverse<C>(
        &mut self,
        ids: &[EntityId<C>],
    ) -> Result<(), (UntypedId, Rejection)> {
        let mut done = 0;
        while let Some(&id) = ids.get(done) {
            match self.traverse_run(&ids[done..], done) {
                Ok(count) => done += count,
                Err(rejection) => {
                    self.go_back(&ids[..done]);
                    return Err((id.untyped(), rejection));
                }
            }
        }
        Ok(())
    }

    /// Moves the leading entities of a list that share a node; returns their number.
    pub(crate) fn traverse_run<C>(
        &mut self,
        ids: &[EntityId<C>],
        start: usize,
    ) -> Result<usize, Rejection> {
        let node = self.slots.get(ids[0]).ok_or(Rejection::Dead)?.node;
        let has = self.graph.components(node).contains(self.component);
        match self.kind {
            EdgeKind::Add if has => return Err(Rejection::Present), // also if it is repeated
            EdgeKind::Remove if !has => return Err(Rejection::Absent),
            _ => {}
        }
        let (target, effects) = self.graph.edge(node, self.component, self.groups);
        self.runs.start(start, effects);
        Ok(self.move_run(ids, node, target))
    }

    /// Moves the slots of the leading entities of a list that are in node `from`.
    pub(crate) fn move_run<C>(
        &mut self,
        ids: &[EntityId<C>],
        from: NodeIndex,
        target: NodeIndex,
    ) -> usize {
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

    /// Moves entities back that were moved along the edge.
    pub(crate) fn go_back<C>(&mut self, ids: &[EntityId<C>]) {
        for &id in ids {
            if let Some((_, node)) = self.slots.get_mut(id) {
                (*node, _) = self.graph.edge(*node, self.component, self.groups);
            }
        }
    }
}

impl<C: 'static> Core<C> {
    /// The edge of component `T`, and its column.
    pub(crate) fn edge<T: Component<C>>(&mut self, kind: EdgeKind) -> (Edge<'_>, &mut ColumnOf<T>) {
        collect_signatures(&mut self.world, &self.subs);
        let parts = self.parts();
        let (component, column) = parts.columns.with_index::<T>();
        let edge = Edge {
            graph: parts.graph,
            groups: parts.groups,
            slots: parts.slots,
            component,
            kind,
            runs: Runs::default(),
        };
        (edge, column)
    }
}
