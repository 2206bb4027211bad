//! The end of several entities as one change: all state is final before anybody is notified.
//!
//! ```text
//! detach      the links to those that end; who loses the component of a relation by it
//! store       of all that end, then of all that lose a component: slots, groups, collectors, indexes
//! notify      in the same order, for each entity what its own end would report
//! ```

use alloc::vec::Vec;

use super::core::{Core, HasCore};
use super::dispatch::Dispatch;
use super::end::queue_end;
use super::end_plan::EndPlan;
use super::index::{drop_all_spent, settle};
use super::leaving::{Left, leave};
use crate::matching::effects::EffectsIndex;
use crate::reactions::history::Kind;
use crate::reactions::subscription::Subject;
use crate::storage::slots::{Row, Slot};
use crate::words::component::ComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::relation::OnTargetDestroyed;

/// An entity that has ended. Its values are still in its row.
struct Ended<C> {
    id: EntityId<C>,
    slot: Slot,
    effects: EffectsIndex,
}

/// An entity that has lost the component of a relation, whose value is still in its row.
struct Stripped<C> {
    id: EntityId<C>,
    component: ComponentIndex,
    row: Row,
    effects: EffectsIndex,
}

/// All that a change has ended.
struct Outcome<C> {
    ended: Vec<Ended<C>>,
    stripped: Vec<Stripped<C>>,
}

/// Ends all entities of a plan.
pub(super) fn end_together<C: HasCore>(context: &mut C, plan: &EndPlan<C>) {
    let core = context.core_mut();
    core.collect_signatures();
    core.record_together(plan);
    let losses = core.detach(plan);
    let ended = plan.ids.iter().filter_map(|&id| core.take_out_whole(id));
    let ended = ended.collect();
    let stripped = losses.into_iter();
    let stripped = stripped.filter_map(|(id, component)| core.strip(id, component));
    let outcome = Outcome {
        stripped: stripped.collect(),
        ended,
    };
    conclude(context, outcome);
    drop_all_spent(context);
}

fn conclude<C: HasCore>(context: &mut C, outcome: Outcome<C>) {
    if !outcome.is_observed(context.core()) {
        outcome.drop_values(context.core_mut());
        return outcome.settle(context);
    }
    let mut dispatch = Dispatch::join(context);
    let own = outcome.queue(dispatch.context().core_mut());
    outcome.settle(dispatch.context());
    dispatch.run_beside(own);
}

impl<C: HasCore> Outcome<C> {
    fn is_observed(&self, core: &Core<C>) -> bool {
        let ended = self.ended.iter().map(|ended| ended.effects);
        let mut all = ended.chain(self.stripped.iter().map(|stripped| stripped.effects));
        let effects = core.graph.effects();
        !core.observers.is_empty(Subject::DESTROYED)
            || all.any(|it| it.is_followed() && effects.are_observed(it))
    }

    /// Has entity indexes ask those that have lost a component for their keys.
    fn settle(&self, context: &mut C) {
        for Stripped { id, effects, .. } in &self.stripped {
            settle(context, *id, *effects);
        }
    }

    /// Queues what observers are notified of; returns how many steps that takes.
    fn queue(&self, core: &mut Core<C>) -> usize {
        let before = core.queue.steps.len();
        for &Ended { id, slot, effects } in &self.ended {
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

    /// Drops the values that nobody is to be lent.
    fn drop_values(&self, core: &mut Core<C>) {
        let ended = self
            .ended
            .iter()
            .map(|it| (Left::Of(it.slot.node), it.slot.row));
        let stripped = self.stripped.iter();
        let stripped = stripped.map(|it| (Left::One([it.component]), it.row));
        leave(core, ended.chain(stripped).collect());
    }
}

impl<C: 'static> Core<C> {
    /// Hands the change over to the history, with clones of all values: before anything changes, so
    /// that nothing has if one of them panics.
    fn record_together(&mut self, plan: &EndPlan<C>) {
        if self.history.is_none() {
            return;
        }
        let lent = true;
        for (id, component) in self.losses(plan) {
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

    /// Who is going to lose a component by the end of the entities of a plan, and which.
    fn losses(&self, plan: &EndPlan<C>) -> Vec<(EntityId<C>, ComponentIndex)> {
        let losing = self.indexes.relations();
        let losing = losing.filter(|links| links.on_target_destroyed == OnTargetDestroyed::Remove);
        let losses = losing.flat_map(|links| {
            let sources = plan.ids.iter().flat_map(|&id| links.sources(id.untyped()));
            let left = sources.filter(|&&source| !plan.contains(source.typed()));
            left.map(|source| (source.typed(), links.component))
        });
        losses.collect()
    }

    /// Ends the links to entities of a plan; returns who loses a component by it, and which.
    fn detach(&mut self, plan: &EndPlan<C>) -> Vec<(EntityId<C>, ComponentIndex)> {
        let mut losses = Vec::new();
        self.indexes.change_relations(|links| {
            for &id in &plan.ids {
                let sources = links.detach(id.untyped()).into_iter();
                if links.on_target_destroyed == OnTargetDestroyed::Remove {
                    let left = sources.filter(|&source| !plan.contains(source.typed()));
                    losses.extend(left.map(|source| (source.typed(), links.component)));
                }
            }
        });
        losses
    }

    /// Takes a living entity out of slots, groups, collectors and indexes.
    fn take_out_whole(&mut self, id: EntityId<C>) -> Option<Ended<C>> {
        let slot = self.slots.get(id)?;
        let effects = self.graph.destroy(slot.node, &self.groups);
        if self.apply(id, slot.row, effects).is_some() {
            self.prepare_indexes(id, effects);
        }
        self.forget_slot(id, slot.row);
        self.slots.destroy(id);
        Some(Ended { id, slot, effects })
    }

    /// Takes a component from a living entity.
    fn strip(&mut self, id: EntityId<C>, component: ComponentIndex) -> Option<Stripped<C>> {
        let Slot { row, node } = self.slots.get(id)?;
        let (target, effects) = self.graph.toggle(node, component, &mut self.groups);
        self.slots.set_node(id, target);
        if self.apply(id, row, effects).is_some() {
            self.prepare_indexes(id, effects);
        }
        Some(Stripped {
            id,
            component,
            row,
            effects,
        })
    }
}
