//! Propagating a change: the groups whose members change, and the collectors concerned.

use super::core::Core;
use crate::matching::effects::EffectsIndex;
use crate::storage::slots::{Row, Slot};
use crate::words::component::ComponentIndex;
use crate::words::entity_id::EntityId;

impl<C: 'static> Core<C> {
    /// Adds to an entity's signature a component it lacks, or takes out one it has,
    /// after its value has been stored or moved out: node, groups, collectors.
    ///
    /// Gives the effects that entity indexes and observers are to follow, if any.
    pub(crate) fn toggle(
        &mut self,
        id: EntityId<C>,
        slot: Slot,
        component: ComponentIndex,
    ) -> Option<EffectsIndex> {
        self.collect_signatures();
        let (target, effects) = self.graph.toggle(slot.node, component, &mut self.groups);
        self.slots.set_node(id, target);
        self.apply(id, slot.row, effects)
    }

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
        let what = self.graph.effects().get(effects);
        if what.wide {
            return self.spread_wide(id, row, effects);
        }
        if let Some(flip) = what.first_flip
            && !self.groups.flip(flip, row)
        {
            return self.spread_slowly(id, row, effects, 1);
        }
        if what.collectors != 0 {
            self.collectors.collect(&self.slots, id, what.collectors);
        }
    }

    /// The same where there are several groups: as long as each has other members near the
    /// row.
    #[inline(never)]
    fn spread_wide(&mut self, id: EntityId<C>, row: Row, effects: EffectsIndex) {
        let what = self.graph.effects().get(effects);
        let left = self.groups.flip_beside(&what.flips, row);
        if left > 0 || !what.more_collectors.is_empty() {
            return self.spread_slowly(id, row, effects, left);
        }
        if what.collectors != 0 {
            self.collectors.collect(&self.slots, id, what.collectors);
        }
    }

    /// The same where any number of groups is left to be changed, the last ones, in any way, or
    /// there are more than 32 collectors.
    #[inline(never)]
    fn spread_slowly(&mut self, id: EntityId<C>, row: Row, effects: EffectsIndex, left: usize) {
        let what = self.graph.effects().get(effects);
        self.groups
            .flip_all(&what.flips[what.flips.len() - left..], row);
        if what.collectors != 0 {
            self.collectors.collect(&self.slots, id, what.collectors);
        }
        if !what.more_collectors.is_empty() {
            self.collectors
                .collect_more(&self.slots, id, &what.more_collectors);
        }
    }
}
