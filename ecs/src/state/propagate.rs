//! Propagating a change: the groups whose members change, and the collectors concerned.

use super::core::Core;
use crate::matching::effects::{EffectsIndex, Span};
use crate::storage::slots::Row;
use crate::words::entity_id::EntityId;

impl<C: 'static> Core<C> {
    /// Span the membership in the groups concerned and collects the entity; gives
    /// the effects back if entity indexes or observers are to follow
    /// ([`follow`](index::follow)).
    #[inline]
    pub(crate) fn apply(
        &mut self,
        id: EntityId<C>,
        row: Row,
        effects: EffectsIndex,
    ) -> Option<EffectsIndex> {
        if effects.spreads() {
            self.spread(id, row, effects);
        }
        effects.is_followed().then_some(effects)
    }

    /// Span the membership in the groups concerned and collects the entity.
    ///
    /// Most changes concern one group: their way is straight, and every call on it is the
    /// last thing that is done, so that nothing need be kept for afterwards.
    #[inline(never)] // so that changes that concern nobody stay short
    pub(crate) fn spread(&mut self, id: EntityId<C>, row: Row, effects: EffectsIndex) {
        let what = self.graph.effects().get(effects);
        if what.wide {
            if what.has_more_collectors {
                return self.spread_anywhere(id, row, effects);
            }
            return self.spread_wide(id, row, what.flips, what.collectors);
        }
        if let Some(flip) = what.flip
            && !self.groups.flip(flip, row)
        {
            return self.spread_anywhere(id, row, effects);
        }
        if what.collectors != 0 {
            self.collectors
                .collect(&self.slots, id.untyped(), what.collectors);
        }
    }

    /// Flips any number of sets, whether there is room for the row or not, and collects the
    /// entity in some of the first 32 collectors.
    #[inline(never)]
    fn spread_wide(&mut self, id: EntityId<C>, row: Row, flips: Span, collectors: u32) {
        let flips = self.graph.effects().flips(flips);
        self.groups.flip_all(flips, row);
        if collectors != 0 {
            self.collectors
                .collect(&self.slots, id.untyped(), collectors);
        }
    }

    /// Flips any number of sets, and collects the entity in any number of collectors.
    #[inline(never)]
    fn spread_anywhere(&mut self, id: EntityId<C>, row: Row, effects: EffectsIndex) {
        let table = self.graph.effects();
        let what = table.get(effects);
        let (flips, collectors) = (what.flips, what.collectors);
        let more = table.more_collectors(what);
        self.collectors
            .collect_more(&self.slots, id.untyped(), more);
        self.spread_wide(id, row, flips, collectors);
    }
}
