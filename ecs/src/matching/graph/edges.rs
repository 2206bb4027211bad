//! The edges that have been walked, one table for each component: an edge takes memory once
//! it is known, not before.
//!
//! ```text
//! component 3 ─► table    place      0     1     2     3
//!                         edge of    –     n1    n6    –        n % 4, where that is free
//! ```
//!
//! An edge stands at the place that the number of its node says, where only one look is taken
//! ([`at_hand`](EdgeTable::at_hand)). If another edge is there, a hash says where to go on. A
//! table of few nodes grows until each edge is at hand.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::matching::effects::EffectsIndex;
use crate::storage::slots::NodeIndex;
use crate::words::component::ComponentIndex;
use crate::words::heap_size::bytes_of;

/// The node of a place that holds no edge.
const NOWHERE: NodeIndex = NodeIndex(u32::MAX);

/// An edge: from which node it leads where, and what walking it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) from: NodeIndex,
    pub(super) target: NodeIndex,
    pub(super) effects: EffectsIndex,
}

impl Edge {
    const NONE: Self = Self {
        from: NOWHERE,
        target: NOWHERE,
        effects: EffectsIndex::UNKNOWN,
    };
}

/// The known edges of one component.
#[derive(Default)]
struct EdgeTable {
    /// None, or a power of two of them.
    places: Box<[Edge]>,
    len: usize,
}

impl EdgeTable {
    /// The fewest places there are, and how many a table of few nodes may grow to.
    const LEAST: usize = 4;
    const FEW: usize = 64;

    #[inline]
    fn mask(&self) -> usize {
        self.places.len().wrapping_sub(1)
    }

    /// The edge of a node, if it is where it is looked for first.
    #[inline]
    fn at_hand(&self, from: NodeIndex) -> Option<Edge> {
        let edge = self.places.get(from.0 as usize & self.mask())?;
        (edge.from == from).then_some(*edge)
    }

    /// The edge of a node, if it is known.
    fn get(&self, from: NodeIndex) -> Option<Edge> {
        self.at_hand(from).or_else(|| {
            let mut edges = self.detour(from).map(|place| self.places[place]);
            edges
                .find(|edge| edge.from == from || edge.from == NOWHERE)
                .filter(|edge| edge.from == from)
        })
    }

    /// The places of an edge that is not at hand.
    fn detour(&self, from: NodeIndex) -> impl Iterator<Item = usize> + use<> {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15; // 2^64 divided by the golden ratio
        let start = u64::from(from.0).wrapping_mul(ODD) >> 32;
        let (start, mask, places) = (start as usize, self.mask(), self.places.len());
        (0..places).map(move |step| (start + step) & mask)
    }

    /// Takes in an edge that is not known yet.
    fn insert(&mut self, edge: Edge) {
        while self.is_too_small_for(edge) {
            let size = (2 * self.places.len()).max(Self::LEAST);
            let larger = alloc::vec![Edge::NONE; size].into();
            let edges = core::mem::replace(&mut self.places, larger);
            edges
                .into_iter()
                .filter(|edge| edge.from != NOWHERE)
                .for_each(|edge| self.put(edge));
        }
        self.put(edge);
        self.len += 1;
    }

    /// Whether half of the places are taken, or the edge would not be at hand in a table that
    /// may grow for that.
    fn is_too_small_for(&self, edge: Edge) -> bool {
        let size = self.places.len();
        let first = self.places.get(edge.from.0 as usize & self.mask());
        let is_free = first.is_some_and(|first| first.from == NOWHERE);
        2 * self.len >= size || !is_free && size < Self::FEW.max(4 * self.len)
    }

    fn put(&mut self, edge: Edge) {
        let first = edge.from.0 as usize & self.mask();
        let mut places = core::iter::once(first).chain(self.detour(edge.from));
        let free = places.find(|&place| self.places[place].from == NOWHERE);
        self.places[free.expect("half of the places are free")] = edge;
    }
}

/// The known edges of all components.
#[derive(Default)]
pub(super) struct Edges {
    tables: Vec<EdgeTable>,
    len: usize,
}

impl Edges {
    /// An edge that is known and at hand.
    #[inline]
    pub(super) fn at_hand(&self, from: NodeIndex, component: ComponentIndex) -> Option<Edge> {
        self.tables.get(component.get())?.at_hand(from)
    }

    /// An edge, if it is known.
    pub(super) fn get(&self, from: NodeIndex, component: ComponentIndex) -> Option<Edge> {
        self.tables.get(component.get())?.get(from)
    }

    /// Takes in an edge that is not known yet.
    pub(super) fn insert(&mut self, component: ComponentIndex, edge: Edge) {
        if component.get() >= self.tables.len() {
            self.tables
                .resize_with(component.get() + 1, EdgeTable::default);
        }
        self.tables[component.get()].insert(edge);
        self.len += 1;
    }

    /// Forgets the edges of a component.
    pub(super) fn forget(&mut self, component: ComponentIndex) {
        if let Some(table) = self.tables.get_mut(component.get()) {
            self.len -= core::mem::take(table).len;
        }
    }

    /// How many edges are known.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        let tables = self.tables.iter().map(|table| size_of_val(&*table.places));
        bytes_of(&self.tables) + tables.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: u32) -> Edge {
        Edge {
            from: NodeIndex(from),
            target: NodeIndex(from + 1),
            effects: EffectsIndex::NONE,
        }
    }

    #[test]
    fn edges_of_few_nodes_are_all_at_hand() {
        let mut table = EdgeTable::default();
        for from in [63, 31, 0, 8, 16, 7, 40] {
            table.insert(edge(from));
        }
        for from in [63, 31, 0, 8, 16, 7, 40] {
            assert_eq!(table.at_hand(NodeIndex(from)), Some(edge(from)));
        }
        assert_eq!(table.get(NodeIndex(15)), None);
    }

    #[test]
    fn edges_of_many_nodes_are_all_known_in_little_memory() {
        let mut edges = Edges::default();
        let component = ComponentIndex::new(2);
        let nodes = || (0..4000u32).map(|n| n * 4096 + n / 7);
        for from in nodes() {
            assert_eq!(edges.get(NodeIndex(from), component), None);
            edges.insert(component, edge(from));
        }
        for from in nodes() {
            assert_eq!(edges.get(NodeIndex(from), component), Some(edge(from)));
            assert_eq!(edges.get(NodeIndex(from + 3), component), None);
        }
        assert!(edges.bytes() <= edges.len() * 8 * size_of::<Edge>() + 1000);
        edges.forget(component);
        assert_eq!((edges.len(), edges.get(NodeIndex(0), component)), (0, None));
    }
}
