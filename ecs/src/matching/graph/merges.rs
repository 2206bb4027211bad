//! The edges along which bundles have moved living entities of late: from a node, with the node of
//! the bundle's own components, to the node of both.
//!
//! ```text
//! (node, bundle's node) ─► hash ─► entry { both, target, effects }
//! ```
//!
//! Each pair has one entry, where the last one that came stays.

use alloc::vec::Vec;

use super::edges::Edge;
use crate::storage::slots::NodeIndex;

/// How many pairs are kept, as a power of two.
const LOG2_SIZE: u32 = 6;

/// The edges last walked, by the hash of their two nodes. Takes memory once one is walked.
#[derive(Default)]
pub(super) struct Merges {
    cache: Vec<Option<([NodeIndex; 2], Edge)>>,
}

impl Merges {
    /// The edge from a node by a bundle of another one, if it has been walked of late.
    pub(super) fn get(&self, nodes: [NodeIndex; 2]) -> Option<Edge> {
        let entry = self.cache.get(cache_index(nodes))?.as_ref()?;
        (entry.0 == nodes).then_some(entry.1)
    }

    pub(super) fn note(&mut self, nodes: [NodeIndex; 2], edge: Edge) {
        if self.cache.is_empty() {
            self.cache.resize(1 << LOG2_SIZE, None);
        }
        self.cache[cache_index(nodes)] = Some((nodes, edge));
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.cache = Vec::new();
    }

    /// All edges that are known, with their two nodes.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn iter(&self) -> impl Iterator<Item = &([NodeIndex; 2], Edge)> + '_ {
        self.cache.iter().flatten()
    }

    /// How many edges there are.
    pub(super) fn len(&self) -> usize {
        self.cache.iter().flatten().count()
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        crate::words::heap_size::heap_size(&self.cache)
    }
}

/// The index of a pair: the upper bits of a product that all its bits have a part in.
fn cache_index([from, bundle]: [NodeIndex; 2]) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15; // 2^64 divided by the golden ratio
    let word = u64::from(from.0) << 32 | u64::from(bundle.0);
    (word.wrapping_mul(ODD) >> (u64::BITS - LOG2_SIZE)) as usize
}
