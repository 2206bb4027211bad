//! Creating many entities.

use alloc::vec::Vec;

use crate::matching::effects::EffectsIndex;
use crate::state::bundle_plan::BundlePlan;
use crate::state::commit::commit_rows;
use crate::state::core::{Core, HasCore};
use crate::state::lifecycle::arrive;
use crate::state::user_code::Session;
use crate::state::validate::new_rows::{NewRows, NewValues};
use crate::storage::row_words::RowWords;
use crate::storage::slots::{NodeIndex, Row};
use crate::words::entity_id::EntityId;
use crate::words::signature::RawComponentSet;
use crate::world::World;

/// A creation of many entities. Their values are stored immediately; collectors are updated run by
/// run: when the node changes, and when the creation ends or panics.
pub(crate) struct Creation<'a, C: HasCore> {
    session: Session<'a, C>,
    ids: Vec<EntityId<C>>,
    /// The plan of the current run.
    plan: BundlePlan,
    /// Whether the entities of the current run are committed one by one.
    is_observed: bool,
    /// The rows of the current run, for collectors.
    rows: RowWords,
}

impl<'a, C: HasCore> Creation<'a, C> {
    /// Creates about `expected` entities with these components.
    pub(crate) fn new(context: &'a mut C, expected: usize, components: &RawComponentSet) -> Self {
        reserve(&mut context.core_mut().world, components, expected);
        Self {
            session: Session::new(context),
            ids: Vec::with_capacity(expected),
            plan: BundlePlan::NONE,
            is_observed: false,
            rows: RowWords::default(),
        }
    }

    pub(crate) fn core(&mut self) -> &mut Core<C> {
        self.session.context().core_mut()
    }

    /// Adds an entity whose slot is in `node` and whose values are in `row`.
    #[inline(always)] // called once per entity
    pub(crate) fn push(&mut self, id: EntityId<C>, row: Row, node: NodeIndex) {
        if node != self.plan.node || self.is_observed {
            self.start_run(node);
        }
        self.ids.push(id);
        if self.is_observed {
            arrive(self.session.context(), id.untyped(), node);
        } else if self.plan.effects != EffectsIndex::NONE {
            self.rows.push(row);
        }
    }

    /// New rows for entities of a plan without observers, and the columns.
    pub(crate) fn new_rows(&mut self, plan: BundlePlan) -> (NewValues<'_, C>, NewRows<'_, C>) {
        if plan.node != self.plan.node {
            self.start_run(plan.node);
        }
        let core = self.session.context().core_mut();
        core.new_rows(plan.node, &mut self.ids, &mut self.rows)
    }

    /// Finishes the creation; returns the entities.
    pub(crate) fn finish(mut self) -> Vec<EntityId<C>> {
        self.flush();
        core::mem::take(&mut self.ids)
    }

    #[cold]
    fn start_run(&mut self, node: NodeIndex) {
        self.flush();
        let core = self.session.context().core_mut();
        self.plan = BundlePlan::of_node(&mut core.world, node);
        self.is_observed = self.plan.is_observed(&core.subs);
    }

    /// Commits the run. Not retried if it fails: this may be a drop.
    fn flush(&mut self) {
        let rows = core::mem::take(&mut self.rows);
        if !rows.as_slice().is_empty()
            && self.plan.effects != EffectsIndex::NONE
            && let Some(core) = self.session.core_mut()
        {
            // Looked up again: signatures may have been freed in the meantime.
            let effects = BundlePlan::of_node(&mut core.world, self.plan.node).effects;
            commit_rows(&core.world, &mut core.subs, rows.as_slice(), effects);
        }
        self.rows = rows;
        self.rows.clear();
    }
}

impl<C: HasCore> Drop for Creation<'_, C> {
    fn drop(&mut self) {
        self.flush();
    }
}

/// Reserves memory for `entities` entities with these components.
pub(crate) fn reserve(world: &mut World, components: &RawComponentSet, entities: usize) {
    let new = entities.saturating_sub(world.slots.recyclable());
    world.slots.reserve(entities);
    world.columns.reserve(components, world.slots.rows(), new);
}
