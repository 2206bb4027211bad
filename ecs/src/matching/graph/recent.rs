//! The nodes in which entities have come to life of late, by a word that says which
//! components they were given in which order: one look instead of a walk along an edge for
//! each component.
//!
//! ```text
//! steps (a word) ─► hash ─► place { steps, node, what coming to life in it does }
//! ```
//!
//! Each word has one place, where the last one that came stays. For those who have not come
//! of late the edges are walked, in the order of the steps: so signatures come up in the
//! same order whatever is known here.

use alloc::boxed::Box;

use crate::matching::effects::EffectsIndex;
use crate::storage::slots::{EMPTY_NODE, NodeIndex};
use crate::words::component::ComponentIndex;

/// How many places there are, as a power of two.
const PLACES: u32 = 5;

/// Bits of one step: enough for one of the first 64 components.
const STEP: u32 = 6;

/// Up to ten of the first 64 components of a context, in the order in which an entity gets
/// them.
///
/// ```text
/// 0…0 1 │ first │ … │ last      six bits each; the bit above the first says where they begin
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Steps(u64);

impl Steps {
    pub(crate) const NONE: Self = Self(1);

    /// The same and one component more; none where the word has no room for it.
    #[inline]
    pub(crate) fn with(self, component: ComponentIndex) -> Option<Self> {
        let step = component.get() as u64;
        let has_room = step >> STEP == 0 && self.0 >> (u64::BITS - STEP) == 0;
        has_room.then_some(Self(self.0 << STEP | step))
    }

    /// The components in their order.
    pub(crate) fn iter(self) -> impl Iterator<Item = ComponentIndex> {
        let count = self.0.ilog2() / STEP;
        let step = move |nth: u32| self.0 >> (nth * STEP) & ((1 << STEP) - 1);
        (0..count)
            .rev()
            .map(move |nth| ComponentIndex::new(step(nth) as usize))
    }
}

/// What is known of entities that come to life by these steps.
#[derive(Clone, Copy)]
pub(super) struct Recent {
    steps: Steps,
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
            steps: Steps::NONE,
            node: EMPTY_NODE,
            created: EffectsIndex::UNKNOWN,
        };
        Self {
            places: Box::new([empty; 1 << PLACES]),
        }
    }

    /// Where the steps lead from the empty node; unknown effects where they have not come
    /// of late.
    #[inline]
    pub(super) fn get(&self, steps: Steps) -> (NodeIndex, EffectsIndex) {
        let recent = self.places[place(steps)];
        if recent.steps == steps {
            (recent.node, recent.created)
        } else {
            (EMPTY_NODE, EffectsIndex::UNKNOWN)
        }
    }

    pub(super) fn note(&mut self, steps: Steps, node: NodeIndex, created: EffectsIndex) {
        self.places[place(steps)] = Recent {
            steps,
            node,
            created,
        };
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

/// The place of a word: the upper bits of a product that all its bits have a part in.
#[inline]
fn place(steps: Steps) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15; // 2^64 divided by the golden ratio
    (steps.0.wrapping_mul(ODD) >> (u64::BITS - PLACES)) as usize
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::Graph;
    use super::*;
    use crate::matching::group::Groups;

    fn index(component: usize) -> ComponentIndex {
        ComponentIndex::new(component)
    }

    fn steps(components: &[usize]) -> Steps {
        let step = |steps: Steps, &component: &usize| steps.with(index(component)).unwrap();
        components.iter().fold(Steps::NONE, step)
    }

    #[test]
    fn steps_keep_their_order_up_to_ten_of_the_first_64() {
        let ten = [63, 0, 62, 1, 0, 31, 32, 33, 63, 5];
        for len in 0..=10 {
            let found: Vec<_> = steps(&ten[..len]).iter().map(ComponentIndex::get).collect();
            assert_eq!(found, ten[..len]);
        }
        assert_eq!(steps(&ten).with(index(0)), None);
        assert_eq!(Steps::NONE.with(index(64)), None);
    }

    #[test]
    fn more_ways_than_places_all_lead_to_their_nodes() {
        let mut groups = Groups::<()>::new();
        let mut graph = Graph::new(8, &mut groups);
        for _ in 0..3 {
            for (a, b) in (0..200).map(|n| (n % 15, n / 15 + 20)) {
                let (node, effects) = graph.arrival(EMPTY_NODE, steps(&[b, a]), &mut groups);
                assert!(graph.components(node).iter().eq([a, b].map(index)));
                assert_eq!(effects, EffectsIndex::NONE);
            }
        }
    }

    #[test]
    fn signatures_come_up_in_the_order_of_the_steps() {
        let mut groups = Groups::<()>::new();
        let mut graph = Graph::new(70, &mut groups);
        let (start, _) = graph.toggle(EMPTY_NODE, index(64), &mut groups);
        for _ in 0..2 {
            let (all, _) = graph.arrival(start, steps(&[2, 0]), &mut groups);
            assert!(graph.components(all).iter().eq([0, 2, 64].map(index)));
            let (two, _) = graph.arrival(EMPTY_NODE, steps(&[2, 0]), &mut groups);
            assert!(graph.components(two).iter().eq([0, 2].map(index)));
        }
        let (sole, _) = graph.toggle(EMPTY_NODE, index(2), &mut groups);
        assert_eq!((start.0, sole.0, graph.len()), (1, 4, 6));
    }
}
