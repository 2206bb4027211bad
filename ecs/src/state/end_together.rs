//! The end of several entities as one change: all state is final before anybody is notified.
//!
//! ```text
//! detach      the links to those that end; who loses the component of a relation by it
//! store       of all that end, then of all that lose a component: slots, groups, collectors, indexes
//! notify      in the same order, for each entity what its own end would report
//! ```

use alloc::vec::Vec;

use super::core::{HasCore, Registries};
use super::dispatch::Dispatch;
use super::end::{Remains, leave, queue_end};
use super::end_plan::EndPlan;
use super::index::{drop_all_spent, settle};
use crate::matching::effects::{EffectsIndex, EffectsTable};
use crate::reactions::history::Kind;
use crate::reactions::subscription::Subject;
use crate::storage::slots::{Row, Slot};
use crate::words::component::ComponentIndex;
use crate::words::entity_id::UntypedId;

/// An entity that has ended. Its values are still in its row.
struct EndedEntity {
    id: UntypedId,
    slot: Slot,
    effects: EffectsIndex,
}

/// An entity that has lost the component of a relation, whose value is still in its row.
struct Stripped {
    id: UntypedId,
    component: ComponentIndex,
    row: Row,
    effects: EffectsIndex,
}

/// All that a change has ended.
#[derive(Default)]
struct EndOutcome {
    ended: Vec<EndedEntity>,
    stripped: Vec<Stripped>,
}

/// Ends all entities of a plan.
pub(super) fn end_together<C: HasCore>(context: &mut C, plan: &EndPlan) {
    let core = context.core_mut();
    core.collect_signatures();
    core.record_together(plan);
    let losses = plan.detach(&mut core.indexes);
    let mut outcome = EndOutcome::default();
    for &id in &plan.ids {
        outcome.ended.extend(core.take_out_whole(id));
    }
    for (id, component) in losses {
        outcome.stripped.extend(core.strip(id, component));
    }
    conclude(context, &outcome);
    drop_all_spent(context);
}

fn conclude<C: HasCore>(context: &mut C, outcome: &EndOutcome) {
    let core = context.core_mut();
    let is_observed = !core.observers.is_empty(Subject::DESTROYED);
    if !is_observed && !outcome.is_observed(core.graph.effects()) {
        core.while_unsettled(|core| leave(core, outcome.left()));
        return outcome.settle(context);
    }
    let mut dispatch = Dispatch::join(context);
    let own = outcome.queue(dispatch.context().core_mut());
    outcome.settle(dispatch.context());
    dispatch.run_beside(own);
}

impl EndOutcome {
    fn is_observed(&self, effects: &EffectsTable) -> bool {
        let ended = self.ended.iter().map(|ended| ended.effects);
        let mut all = ended.chain(self.stripped.iter().map(|stripped| stripped.effects));
        all.any(|it| it.is_followed() && effects.are_observed(it))
    }

    /// Has entity indexes ask those that have lost a component for their keys.
    fn settle<C: HasCore>(&self, context: &mut C) {
        for Stripped { id, effects, .. } in &self.stripped {
            settle(context, *id, *effects);
        }
    }

    /// Queues what observers are notified of; returns how many steps that takes.
    fn queue(&self, core: &mut Registries) -> usize {
        let before = core.queue.steps.len();
        for &EndedEntity { id, slot, effects } in &self.ended {
            queue_end(core, id, slot, effects);
        }
        for stripped in &self.stripped {
            let component = stripped.component;
            let value = core.columns.take_left(component, stripped.row);
            core.queue_change(stripped.id, Some(component), value);
            core.queue_effects(stripped.effects);
        }
        core.queue.steps.len() - before
    }

    /// The values that are still in their rows.
    fn left(&self) -> Vec<(Remains, Row)> {
        let ended = self
            .ended
            .iter()
            .map(|it| (Remains::Of(it.slot.node), it.slot.row));
        let stripped = self.stripped.iter();
        let stripped = stripped.map(|it| (Remains::One([it.component]), it.row));
        ended.chain(stripped).collect()
    }
}

impl Registries {
    /// Hands the change over to the history, with clones of all values: before anything changes, so
    /// that nothing has if one of them panics.
    fn record_together(&mut self, plan: &EndPlan) {
        if self.history.is_none() {
            return;
        }
        let lent = true;
        for (id, component) in plan.losses(&self.indexes) {
            if let Some(slot) = self.slots.get(id) {
                self.record_left(Kind::Removed, id, component, (slot.row, lent));
            }
        }
        for &id in &plan.ids {
            if let Some(slot) = self.slots.get(id) {
                self.record_ended(id, slot.node, (slot.row, lent));
            }
        }
    }

    /// Takes a living entity out of slots, groups, collectors and indexes.
    fn take_out_whole(&mut self, ended: UntypedId) -> Option<EndedEntity> {
        let slot = self.slots.get(ended)?;
        let id = ended;
        let effects = self.graph.destroy(slot.node, &self.groups);
        if self.apply(id, effects).is_some() {
            self.prepare_indexes(id, effects);
        }
        self.forget_slot(id, slot.row);
        self.slots.destroy(id);
        Some(EndedEntity {
            id: ended,
            slot,
            effects,
        })
    }

    /// Takes a component from a living entity.
    fn strip(&mut self, stripped: UntypedId, component: ComponentIndex) -> Option<Stripped> {
        let Slot { row, node } = self.slots.get(stripped)?;
        let id = stripped;
        let (target, effects) = self.graph.toggle(node, component, &self.groups);
        self.slots.set_node(id, target);
        if self.apply(id, effects).is_some() {
            self.prepare_indexes(id, effects);
        }
        Some(Stripped {
            id: stripped,
            component,
            row,
            effects,
        })
    }
}
