//! The nodes in which entities have come to life of late, by a word that says which
//! components they have: one look instead of a walk along an edge for each component.
//!
//! ```text
//! set of components ─► hash ─► place { set, node, what coming to life in it does }
//! ```
//!
//! Each set has one place, where the last one that came stays. A word has room for the
//! first 64 components of a context; for others the edges are walked.

use alloc::boxed::Box;

use crate::component::ComponentIndex;
use crate::effects::EffectsIndex;
use crate::slots::{EMPTY_NODE, NodeIndex};

/// How many places there are, as a power of two.
const PLACES: u32 = 5;

/// Components of an entity that is about to come to life, but for those beyond the
/// first 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FirstComponents(pub(crate) u64);

impl FirstComponents {
    pub(crate) const NONE: Self = Self(0);

    /// The same set and one component more; none where the word has no bit for it.
    #[inline]
    pub(crate) fn with(self, component: ComponentIndex) -> Option<Self> {
        let bit = component.get();
        (bit < 64).then(|| Self(self.0 | 1 << bit))
    }
}

/// A set of components and what is known of entities that come to life with it.
#[derive(Clone, Copy)]
pub(super) struct Recent {
    set: FirstComponents,
    pub(super) node: NodeIndex,
    pub(super) created: EffectsIndex,
}

/// The places.
pub(super) struct RecentNodes {
    places: Box<[Recent; 1 << PLACES]>,
}

impl RecentNodes {
    pub(super) fn new() -> Self {
        let empty = Recent {
            set: FirstComponents::NONE,
            node: EMPTY_NODE,
            created: EffectsIndex::UNKNOWN,
        };
        Self {
            places: Box::new([empty; 1 << PLACES]),
        }
    }

    /// What is known of a set; unknown effects where it has not come of late.
    #[inline]
    pub(super) fn get(&self, set: FirstComponents) -> (NodeIndex, EffectsIndex) {
        let recent = self.places[place(set)];
        if recent.set == set {
            (recent.node, recent.created)
        } else {
            (EMPTY_NODE, EffectsIndex::UNKNOWN)
        }
    }

    pub(super) fn note(&mut self, set: FirstComponents, node: NodeIndex, created: EffectsIndex) {
        self.places[place(set)] = Recent { set, node, created };
    }

    /// Forgets the effects, to be worked out anew.
    pub(super) fn forget_effects(&mut self) {
        for recent in self.places.iter_mut() {
            recent.created = EffectsIndex::UNKNOWN;
        }
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.places)
    }
}

/// The place of a set: the upper bits of a product that all its bits have a part in.
#[inline]
fn place(set: FirstComponents) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15; // 2^64 divided by the golden ratio
    (set.0.wrapping_mul(ODD) >> (64 - PLACES)) as usize
}

#[cfg(test)]
mod tests {
    use super::super::Graph;
    use super::*;
    use crate::group::Groups;

    fn set(bits: u64) -> FirstComponents {
        FirstComponents(bits)
    }

    #[test]
    fn more_sets_than_places_all_lead_to_their_nodes() {
        let groups = Groups::<()>::new();
        let mut graph = Graph::new(8, &groups);
        for _ in 0..3 {
            for bits in 0..200 {
                let (node, effects) = graph.arrival(set(bits), EMPTY_NODE, &groups);
                let components = graph.components(node).iter();
                let found = components.fold(0, |bits, component| bits | 1 << component.get());
                assert_eq!((found, effects), (bits, EffectsIndex::NONE));
            }
        }
    }

    #[test]
    fn components_beyond_the_first_64_are_told_apart() {
        let groups = Groups::<()>::new();
        let mut graph = Graph::new(70, &groups);
        let component = ComponentIndex::new;
        assert_eq!(
            FirstComponents::NONE.with(component(63)),
            Some(set(1 << 63))
        );
        assert_eq!(FirstComponents::NONE.with(component(64)), None);
        let (others, _) = graph.toggle(EMPTY_NODE, component(64), &groups);
        for _ in 0..2 {
            let (all, _) = graph.arrival(set(0b101), others, &groups);
            assert!(graph.components(all).iter().eq([0, 2, 64].map(component)));
            let (first, _) = graph.arrival(set(0b101), EMPTY_NODE, &groups);
            assert!(graph.components(first).iter().eq([0, 2].map(component)));
        }
    }
}
