//! The nodes in which entities were created recently, by the word of their components in order: a
//! single lookup instead of hashing a component set.
//!
//! ```text
//! steps (a word) ─► hash ─► entry { steps, node, effects of creating }
//! ```
//!
//! Each hash has one entry, which the latest steps replace.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::edges::GraphEdge;
use super::steps::Steps;
use crate::matching::effects::EffectsIndex;
use crate::storage::heap::heap;
use crate::storage::slots::{EMPTY_NODE, NodeIndex};

/// The number of entries, as a power of two.
const LOG2_SIZE: u32 = 5;

/// The result of creating an entity by these steps.
#[derive(Clone, Copy)]
struct Recent {
    steps: Steps,
    node: NodeIndex,
    created: EffectsIndex,
}

impl Recent {
    const NONE: Self = Self {
        steps: Steps::NONE,
        node: EMPTY_NODE,
        created: EffectsIndex::UNKNOWN,
    };
}

/// The nodes reached last, by the hash of the steps.
pub(super) struct RecentNodes {
    cache: Box<[Recent; 1 << LOG2_SIZE]>,
}

impl RecentNodes {
    pub(super) fn new() -> Self {
        Self {
            cache: Box::new([Recent::NONE; 1 << LOG2_SIZE]),
        }
    }

    /// The node of these steps and the effects of creating an entity there, if cached.
    #[inline]
    pub(super) fn get(&self, steps: Steps) -> Option<(NodeIndex, EffectsIndex)> {
        let recent = self.cache[cache_index(steps)];
        let is_known = recent.steps == steps && recent.created != EffectsIndex::UNKNOWN;
        is_known.then_some((recent.node, recent.created))
    }

    pub(super) fn record(&mut self, steps: Steps, node: NodeIndex, created: EffectsIndex) {
        self.cache[cache_index(steps)] = Recent {
            steps,
            node,
            created,
        };
    }

    /// All cached entries.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn iter(&self) -> impl Iterator<Item = (Steps, NodeIndex, EffectsIndex)> + '_ {
        let known = self.cache.iter();
        let known = known.filter(|recent| recent.created != EffectsIndex::UNKNOWN);
        known.map(|recent| (recent.steps, recent.node, recent.created))
    }

    pub(super) fn clear(&mut self) {
        self.cache.fill(Recent::NONE);
    }
}

/// Multiplicative hashing: the upper bits depend on all bits of the word.
#[inline]
fn cache_index(steps: Steps) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15; // 2^64 divided by the golden ratio
    (steps.word().wrapping_mul(ODD) >> (u64::BITS - LOG2_SIZE)) as usize
}

// The edges along which bundles recently moved living entities: from a node, with the node of the
// bundle's own components, to the node of both.
//
// ```text
// (node, bundle's node) ─► hash ─► entry { both, target, effects }
// ```
//
// Each hash has one entry, which the latest pair replaces.

/// The number of entries, as a power of two.
const LOG2_MERGES: u32 = 6;

/// The edges used last, by the hash of both nodes. Allocates on first use.
#[derive(Default)]
pub(super) struct Merges {
    cache: Vec<Option<([NodeIndex; 2], GraphEdge)>>,
}

heap!(RecentNodes: cache);
heap!(Merges: cache);

impl Merges {
    /// The edge from a node by the bundle of another one, if cached.
    pub(super) fn get(&self, nodes: [NodeIndex; 2]) -> Option<GraphEdge> {
        let entry = self.cache.get(merge_index(nodes))?.as_ref()?;
        (entry.0 == nodes).then_some(entry.1)
    }

    pub(super) fn record(&mut self, nodes: [NodeIndex; 2], edge: GraphEdge) {
        if self.cache.is_empty() {
            self.cache.resize(1 << LOG2_MERGES, None);
        }
        self.cache[merge_index(nodes)] = Some((nodes, edge));
    }

    pub(super) fn clear(&mut self) {
        self.cache = Vec::new();
    }

    /// All cached edges, with their two nodes.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn iter(&self) -> impl Iterator<Item = &([NodeIndex; 2], GraphEdge)> + '_ {
        self.cache.iter().flatten()
    }

    pub(super) fn len(&self) -> usize {
        self.cache.iter().flatten().count()
    }
}

/// Multiplicative hashing, as above.
fn merge_index([from, bundle]: [NodeIndex; 2]) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15; // 2^64 divided by the golden ratio
    let word = u64::from(from.0) << 32 | u64::from(bundle.0);
    (word.wrapping_mul(ODD) >> (u64::BITS - LOG2_MERGES)) as usize
}
