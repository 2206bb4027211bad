//! Giving back the signatures that no entity has any more.

use super::core::Core;
use crate::storage::slots::EMPTY_NODE;

impl<C: 'static> Core<C> {
    /// Gives back the signatures that no entity has, if there are many of them.
    ///
    /// To be called before a change, while nobody holds effects or a signature that no entity
    /// has.
    #[inline]
    pub(crate) fn collect_signatures(&mut self) {
        if self.graph.is_large(self.slots.rows()) {
            self.give_back_signatures();
        }
    }

    /// Gives back the signatures that no entity has.
    #[cold]
    #[inline(never)]
    pub(super) fn give_back_signatures(&mut self) {
        let mut in_use = alloc::vec![false; self.graph.bound()];
        in_use[EMPTY_NODE.0 as usize] = true;
        for (_, slot) in self.slots.iter() {
            in_use[slot.node.0 as usize] = true;
        }
        self.graph.retain(&in_use, !self.queue.turn.is_idle());
    }
}
