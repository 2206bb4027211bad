//! Propagating a change to collectors. Groups need no update: their members follow from the
//! components of entities.

use super::core::Registries;
use super::runs::Runs;
use crate::matching::effects::EffectsIndex;
use crate::storage::row_words::RowWord;
use crate::words::entity_id::UntypedId;

impl Registries {
    /// Collects the entity, if any collector is concerned. Nothing else may depend on the change.
    #[inline]
    pub(crate) fn propagate_if_any(&mut self, id: UntypedId, effects: EffectsIndex) {
        if effects != EffectsIndex::NONE {
            self.propagate(id, effects);
        }
    }

    /// Collects the entity.
    #[inline(never)] // keeps changes that concern no collector short
    pub(crate) fn propagate(&mut self, id: UntypedId, effects: EffectsIndex) {
        match effects.direct() {
            Some(collector) => self.collectors.collect(&self.slots, id, collector),
            None => self.propagate_all(id, effects),
        }
    }

    /// Collects the entity in several collectors.
    #[inline(never)]
    fn propagate_all(&mut self, id: UntypedId, effects: EffectsIndex) {
        for collector in self.graph.effects().collectors(effects) {
            self.collectors.collect(&self.slots, id, collector);
        }
    }

    /// Updates collectors after changes of a list of `len` entities.
    pub(super) fn propagate_runs(&mut self, runs: &Runs, len: usize) {
        for (effects, _, rows) in runs.iter(len) {
            self.apply_to_rows(rows, effects);
        }
    }

    /// Updates collectors after an update of these entities.
    pub(super) fn apply_to_updated(&mut self, ids: &[UntypedId], effects: EffectsIndex) {
        for collector in self.graph.effects().collectors(effects) {
            self.collectors.collect_ids(&self.slots, ids, collector);
        }
    }

    /// Updates collectors after a change of the living entities in these rows.
    pub(super) fn apply_to_rows(&mut self, rows: &[RowWord], effects: EffectsIndex) {
        for collector in self.graph.effects().collectors(effects) {
            let rows = rows.iter().copied();
            self.collectors.collect_rows(&self.slots, rows, collector);
        }
    }
}
