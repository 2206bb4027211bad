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
        match effects.direct() {
            Some(collector) => self
                .collectors
                .collect(&self.slots, id.untyped(), collector),
            None => self.spread_all(id, effects),
        }
    }

    /// Collects the entity in any number of collectors.
    #[inline(never)]
    fn spread_all(&mut self, id: EntityId<C>, effects: EffectsIndex) {
        for collector in self.graph.effects().collectors(effects) {
            self.collectors
                .collect(&self.slots, id.untyped(), collector);
        }
    }
}
