//! Propagating a change to the collectors concerned. Groups need not be told of any: their members
//! follow from the components that entities have.

use super::core::Registries;
use super::runs::Runs;
use crate::matching::effects::EffectsIndex;
use crate::storage::row_words::RowWord;
use crate::words::entity_id::UntypedId;

impl Registries {
    /// Collects the entity. The change has no subscribers other than collectors, or none at all.
    #[inline]
    pub(crate) fn propagate_if_any(&mut self, id: UntypedId, effects: EffectsIndex) {
        if effects != EffectsIndex::NONE {
            self.propagate(id, effects);
        }
    }

    /// Collects the entity.
    #[inline(never)] // so that changes that concern nobody stay short
    pub(crate) fn propagate(&mut self, id: UntypedId, effects: EffectsIndex) {
        match effects.direct() {
            Some(collector) => self.collectors.collect(&self.slots, id, collector),
            None => self.propagate_all(id, effects),
        }
    }

    /// Collects the entity in any number of collectors.
    #[inline(never)]
    fn propagate_all(&mut self, id: UntypedId, effects: EffectsIndex) {
        for collector in self.graph.effects().collectors(effects) {
            self.collectors.collect(&self.slots, id, collector);
        }
    }

    /// Has collectors follow the changes of a list of `len` entities.
    pub(super) fn propagate_runs(&mut self, runs: &Runs, len: usize) {
        for (effects, _, rows) in runs.iter(len) {
            self.apply_to_rows(rows, effects);
        }
    }

    /// Has collectors follow an update of these entities.
    pub(super) fn apply_to_updated(&mut self, ids: &[UntypedId], effects: EffectsIndex) {
        for collector in self.graph.effects().collectors(effects) {
            self.collectors.collect_ids(&self.slots, ids, collector);
        }
    }

    /// Has collectors follow a change of the living entities in these rows.
    pub(super) fn apply_to_rows(&mut self, rows: &[RowWord], effects: EffectsIndex) {
        for collector in self.graph.effects().collectors(effects) {
            let rows = rows.iter().copied();
            self.collectors.collect_rows(&self.slots, rows, collector);
        }
    }
}
