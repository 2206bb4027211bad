//! The known edges, one table per component. An edge takes memory only once it is known.
//!
//! ```text
//! component 3 ─► near    edges of the first nodes, by the number of the node
//!            └─► far     those of later nodes, by a hash of the number
//! ```
//!
//! Most contexts have few signatures at a time, and numbers are reused, so most edges are near: a
//! single load returns the effects of a change. With many signatures, most nodes have few edges, so
//! near tables would be mostly empty.

use alloc::boxed::Box;
use alloc::vec::Vec;

use hashbrown::HashMap;

use crate::matching::effects::EffectsIndex;
use crate::storage::heap::heap;
use crate::storage::slots::NodeIndex;
use crate::words::component::RawComponentIndex;

const FAR: usize = 1024;

/// The target and effects of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GraphEdge {
    pub(super) target: NodeIndex,
    pub(super) effects: EffectsIndex,
}

impl GraphEdge {
    const UNKNOWN: Self = Self {
        target: NodeIndex(u32::MAX),
        effects: EffectsIndex::UNKNOWN,
    };
}

#[derive(Default)]
pub(super) struct Edges {
    /// By component and node. Separate, because every change looks here.
    near: Vec<Box<[GraphEdge]>>,
    far: Vec<HashMap<NodeIndex, GraphEdge>>,
    /// The number of known edges of each component.
    known: Vec<usize>,
    len: usize,
}

heap!(Edges: near, far, known; each near, far);

impl Edges {
    /// A near edge; its effects may be unknown.
    #[inline]
    pub(super) fn at(&self, from: NodeIndex, component: RawComponentIndex) -> Option<GraphEdge> {
        let edge = self.near.get(component.get())?.get(from.0 as usize)?;
        Some(*edge)
    }

    /// A near edge, if it is known.
    #[inline]
    pub(super) fn near(&self, from: NodeIndex, component: RawComponentIndex) -> Option<GraphEdge> {
        let edge = self.at(from, component)?;
        edge.effects.are_known().then_some(edge)
    }

    /// An edge, if it is known.
    pub(super) fn get(&self, from: NodeIndex, component: RawComponentIndex) -> Option<GraphEdge> {
        match self.near(from, component) {
            Some(near) => Some(near),
            None => self.far.get(component.get())?.get(&from).copied(),
        }
    }

    /// Inserts an edge that is not known yet.
    pub(super) fn insert(
        &mut self,
        from: NodeIndex,
        component: RawComponentIndex,
        edge: GraphEdge,
    ) {
        self.cover(component);
        if from.0 as usize >= FAR {
            self.far[component.get()].insert(from, edge);
        } else {
            let near = &mut self.near[component.get()];
            if from.0 as usize >= near.len() {
                *near = grown(near, from);
            }
            near[from.0 as usize] = edge;
        }
        self.known[component.get()] += 1;
        self.len += 1;
    }

    /// Makes room for the table of a component.
    fn cover(&mut self, component: RawComponentIndex) {
        let count = self.known.len().max(component.get() + 1);
        self.near.resize_with(count, Box::default);
        self.far.resize_with(count, HashMap::new);
        self.known.resize(count, 0);
    }

    /// Forgets the edges of a component.
    pub(super) fn forget(&mut self, component: RawComponentIndex) {
        let at = component.get();
        if self.known.get(at).is_some_and(|&known| known > 0) {
            self.near[at] = Box::default();
            self.far[at] = HashMap::new();
            self.len -= core::mem::take(&mut self.known[at]);
        }
    }

    /// The number of known edges.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// All known edges, by component and node.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn iter(
        &self,
    ) -> impl Iterator<Item = (RawComponentIndex, NodeIndex, GraphEdge)> + '_ {
        let tables = self.near.iter().zip(&self.far).enumerate();
        tables.flat_map(|(at, (near, far))| {
            let near = (0..).map(NodeIndex).zip(near.iter().copied());
            let known = near.filter(|(_, edge)| edge.effects != EffectsIndex::UNKNOWN);
            let far = far.iter().map(|(node, edge)| (*node, *edge));
            let edges = known.chain(far);
            edges.map(move |(node, edge)| (RawComponentIndex::at(at), node, edge))
        })
    }

    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(&self) {
        let known: usize = self.known.iter().sum();
        assert_eq!(
            (self.len, self.iter().count()),
            (known, known),
            "edges: the count"
        );
        for (at, known) in self.known.iter().enumerate() {
            let count = self.iter().filter(|edge| edge.0.get() == at).count();
            assert_eq!(count, *known, "edges: the count of component {at}");
        }
    }
}

/// A larger table with a place for this node.
fn grown(near: &[GraphEdge], node: NodeIndex) -> Box<[GraphEdge]> {
    let mut larger = alloc::vec![GraphEdge::UNKNOWN; (node.0 as usize + 1).next_power_of_two()];
    larger[..near.len()].copy_from_slice(near);
    larger.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(target: u32) -> GraphEdge {
        GraphEdge {
            target: NodeIndex(target),
            effects: EffectsIndex::NONE,
        }
    }

    #[test]
    fn edges_are_found_until_they_are_forgotten() {
        let mut edges = Edges::default();
        let nodes = || (0..400u32).map(|n| NodeIndex(n * 7));
        let [one, other] = [2, 300].map(RawComponentIndex::new);
        for from in nodes() {
            assert_eq!(edges.get(from, one), None);
            edges.insert(from, one, edge(from.0));
            edges.insert(from, other, edge(from.0 + 1));
        }
        for from in nodes() {
            assert_eq!(edges.get(from, one), Some(edge(from.0)));
            assert_eq!(edges.near(from, one).is_some(), from.0 < 1024);
            assert_eq!(edges.get(NodeIndex(from.0 + 3), one), None);
        }
        edges.forget(one);
        assert_eq!((edges.len(), edges.get(NodeIndex(7), one)), (400, None));
        assert_eq!(edges.get(NodeIndex(2_107), one), None);
        assert_eq!(edges.get(NodeIndex(2_107), other), Some(edge(2_108)));
    }
}
