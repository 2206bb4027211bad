//! Propagating a change: the groups whose members change, and the collectors concerned.

use super::core::Core;
use crate::matching::effects::EffectsIndex;
use crate::storage::slots::Row;
use crate::words::entity_id::EntityId;

impl<C: 'static> Core<C> {
    /// Flips the membership in the groups concerned and collects the entity; gives
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

    /// Flips the membership in the groups concerned and collects the entity.
    ///
    /// Most changes concern one group: their way is straight, and every call on it is the
    /// last thing that is done, so that nothing need be kept for afterwards.
    #[inline(never)] // so that changes that concern nobody stay short
    pub(crate) fn spread(&mut self, id: EntityId<C>, row: Row, effects: EffectsIndex) {
        let what = self.graph.effects().brief(effects);
        if what.wide {
            return self.spread_wide(id, row, effects);
        }
        if let Some(flip) = what.flip
            && !self.groups.flip(flip, row)
        {
            return self.spread_wide(id, row, effects);
        }
        if what.collectors != 0 {
            self.collectors.collect(&self.slots, id, what.collectors);
        }
    }

    /// Does so for any number of groups and collectors, whether there is room for the row or not.
    #[inline(never)]
    fn spread_wide(&mut self, id: EntityId<C>, row: Row, effects: EffectsIndex) {
        let what = self.graph.effects().get(effects);
        self.groups.flip_all(&what.flips, row);
        if !what.more_collectors.is_empty() {
            self.collectors
                .collect_more(&self.slots, id, &what.more_collectors);
        }
        if what.collectors != 0 {
            self.collectors.collect(&self.slots, id, what.collectors);
        }
    }
}
