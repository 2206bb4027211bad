//! Propagating a change to the collectors concerned. Groups need not be told of any: their members
//! follow from the components that entities have.

use super::core::Core;
use crate::matching::effects::EffectsIndex;
use crate::words::entity_id::EntityId;

impl<C: 'static> Core<C> {
    /// Collects the entity; gives the effects back if entity indexes or observers are to
    /// follow.
    #[inline]
    pub(crate) fn apply(&mut self, id: EntityId<C>, effects: EffectsIndex) -> Option<EffectsIndex> {
        if effects.spreads() {
            self.spread(id, effects);
        }
        effects.is_followed().then_some(effects)
    }

    /// Collects the entity.
    #[inline(never)] // so that changes that concern nobody stay short
    pub(crate) fn spread(&mut self, id: EntityId<C>, effects: EffectsIndex) {
        let what = self.graph.effects().get(effects);
        if what.has_more_collectors {
            return self.spread_anywhere(id, effects);
        }
        if what.collectors != 0 {
            self.collectors
                .collect(&self.slots, id.untyped(), what.collectors);
        }
    }

    /// Collects the entity in any number of collectors.
    #[inline(never)]
    fn spread_anywhere(&mut self, id: EntityId<C>, effects: EffectsIndex) {
        let table = self.graph.effects();
        let what = table.get(effects);
        let more = table.more_collectors(what);
        self.collectors
            .collect_more(&self.slots, id.untyped(), more);
        if what.collectors != 0 {
            self.collectors
                .collect(&self.slots, id.untyped(), what.collectors);
        }
    }
}
