//! The plan of how a mirror applies a delta, checked before anything changes.

use alloc::vec::Vec;

use hashbrown::HashSet;

use super::column::{DeltaColumn, PendingColumn};
use super::delta::Delta;
use super::mapping::{Mapping, id_of_dead};
use crate::state::{Core, HasCore};
use crate::words::apply_error::ApplyError;
use crate::words::entity_id::EntityId;

/// What to do, in ids of the origin.
pub(super) struct Plan<C> {
    /// The entities that vanish, and whether they were destroyed.
    pub(super) vanished: Vec<(EntityId<C>, bool)>,
    /// The entities to create, ascending.
    pub(super) created: Vec<EntityId<C>>,
    /// The entities that lose a component, by component.
    pub(super) removed: Vec<Vec<EntityId<C>>>,
    /// The final components of entities that may get required components: one flag for each
    /// component of the feed.
    pub(super) exact: Vec<(EntityId<C>, Vec<bool>)>,
    /// The ids in the values, by component: those of each entity that is set.
    pub(super) referred: Vec<Vec<Vec<EntityId<C>>>>,
}

impl<C: HasCore> Plan<C> {
    pub(super) fn new(core: &mut Core<C>, plan: &Planner<'_, C>) -> Result<Self, ApplyError> {
        let (delta, ids) = (plan.delta, plan.ids);
        plan.check_lists()?;
        plan.check_ids(core)?;
        let mut plan = Self {
            vanished: plan.vanished(),
            created: plan.created(core),
            removed: plan.removed(core),
            exact: Vec::new(),
            referred: delta.columns.iter().map(DeltaColumn::referred).collect(),
        };
        plan.check_capacity(core, ids)?;
        plan.check_values(core, delta, ids)?;
        plan.record_exact(core, delta, ids);
        Ok(plan)
    }

    /// Rejects exceeding the maximum number of entities, counting those that vanish as destroyed.
    fn check_capacity(&self, core: &Core<C>, mapping: &Mapping<C>) -> Result<(), ApplyError> {
        let vanished = self
            .vanished
            .iter()
            .filter_map(|(id, _)| mapping.local(*id));
        let ended = vanished.filter(|&local| core.world.is_alive(local));
        let more = self.created.len().saturating_sub(ended.count());
        let checked = core.world.slots().check_capacity(more);
        checked.map_err(ApplyError::Rejected)
    }

    /// Rejects values that conflict with entities that are not the mirror's, or that keep their
    /// value.
    fn check_values(
        &self,
        core: &mut Core<C>,
        delta: &Delta<C>,
        mapping: &Mapping<C>,
    ) -> Result<(), ApplyError> {
        let vanished = self
            .vanished
            .iter()
            .filter_map(|(id, _)| mapping.local(*id));
        let vanished: HashSet<_> = vanished.collect();
        let columns = delta.columns.iter().zip(&self.removed);
        for (column, removed) in columns.filter(|(column, _)| column.descriptor().is_compared()) {
            let local = |id: &EntityId<C>| mapping.local(*id);
            let ids = column
                .set
                .owners
                .iter()
                .map(|id| local(id).unwrap_or(EntityId::PLACEHOLDER));
            let ids: Vec<_> = ids.collect();
            let losing: HashSet<_> = removed.iter().filter_map(local).collect();
            let receiving: HashSet<_> = ids.iter().copied().collect();
            let keeps = |id| {
                ![&vanished, &losing, &receiving]
                    .iter()
                    .any(|set| set.contains(&id))
            };
            let map = |id| mapped(delta, id, mapping.local(id));
            let checked = column.check(core, &ids, &keeps, &map);
            let new = EntityId::<C>::PLACEHOLDER.raw();
            checked.map_err(|error| ApplyError::Rejected(error.of_new(new)))?;
        }
        Ok(())
    }

    /// Records the final components of entities that may get required components.
    fn record_exact(&mut self, core: &Core<C>, delta: &Delta<C>, mapping: &Mapping<C>) {
        let requiring = delta.columns.iter().filter(|column| column.requires());
        let mut ids: Vec<_> = requiring
            .flat_map(|column| &column.set.owners)
            .copied()
            .collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            let columns = delta.columns.iter().zip(&self.removed);
            let has = columns.map(|(column, removed)| {
                let had = column.is_on(core, mapping.local(id));
                had && removed.binary_search(&id).is_err()
                    || column.set.owners.binary_search(&id).is_ok()
            });
            self.exact.push((id, has.collect()));
        }
    }
}

/// What replaces an id in a value, before the delta is applied.
fn mapped<C: HasCore>(
    delta: &Delta<C>,
    id: EntityId<C>,
    local: Option<EntityId<C>>,
) -> EntityId<C> {
    match delta.dead.binary_search(&id) {
        Ok(_) => id_of_dead(id),
        Err(_) => local.unwrap_or(EntityId::PLACEHOLDER),
    }
}

/// The delta to apply, and the present local entities.
pub(super) struct Planner<'a, C: 'static> {
    delta: &'a Delta<C>,
    ids: &'a Mapping<C>,
}

impl<'a, C: HasCore> Planner<'a, C> {
    pub(super) fn new(delta: &'a Delta<C>, ids: &'a Mapping<C>) -> Self {
        Self { delta, ids }
    }

    /// Clones the values, of everything only those that differ. Rejects relations to a known entity
    /// whose local one was destroyed by other code; destroyed placeholders are created again.
    pub(super) fn stage(
        &self,
        core: &Core<C>,
        created: &[EntityId<C>],
    ) -> Result<Vec<PendingColumn<C>>, ApplyError> {
        let local = |id: &EntityId<C>| self.local(core, *id);
        let columns = self.delta.columns.iter().map(|column| {
            let unchanged = match self.delta.may_repeat() {
                true => column.unchanged(core, &local, &|id| mapped(self.delta, id, local(&id))),
                false => Vec::new(),
            };
            column.stage(created, &unchanged)
        });
        let mut columns: Vec<_> = columns.collect();
        let mut lost = None;
        for column in &mut columns {
            column.each_target(&mut |target| {
                let is_lost = lost.is_none() && self.has_lost(core, target);
                lost = lost.or(is_lost.then_some(target));
            });
        }
        match lost {
            Some(id) => Err(ApplyError::Destroyed { entity: id.raw() }),
            None => Ok(columns),
        }
    }

    /// Rejects lists that are not in ascending order, which no feed makes.
    fn check_lists(&self) -> Result<(), ApplyError> {
        let vanished: Vec<_> = self.delta.vanished().collect();
        let of_columns = self.delta.columns.iter();
        let of_columns = of_columns.flat_map(|column| [&column.set.owners[..], &column.removed]);
        let mut lists = of_columns.chain([&self.delta.appeared[..], &vanished]);
        match lists.all(|list| list.is_sorted_by(|a, b| a < b)) {
            true => Ok(()),
            false => Err(ApplyError::Malformed),
        }
    }

    /// Rejects unknown entities, and those whose local entity was destroyed by other code.
    fn check_ids(&self, core: &Core<C>) -> Result<(), ApplyError> {
        let columns = self.delta.columns.iter();
        let ids = columns.flat_map(|column| column.set.owners.iter().chain(&column.removed));
        for id in ids.filter(|id| self.delta.appeared.binary_search(id).is_err()) {
            self.check_known(*id, self.delta.everything)?;
            self.check_alive(core, *id)?;
        }
        let appeared = &self.delta.appeared;
        for id in self.delta.vanished() {
            match self.delta.is_cumulative() {
                true if appeared.binary_search(&id).is_ok() => return Err(ApplyError::Malformed),
                true => {} // it may have come and gone since
                false => self.check_known(id, self.delta.everything)?,
            }
        }
        let known = |id: &EntityId<C>| self.ids.is_known(*id) && !self.delta.may_repeat();
        match appeared.iter().any(known) {
            true => Err(ApplyError::Malformed),
            false => Ok(()),
        }
    }

    fn check_known(&self, id: EntityId<C>, everything: bool) -> Result<(), ApplyError> {
        match self.ids.is_known(id) && !everything {
            true => Ok(()),
            false => Err(ApplyError::Malformed),
        }
    }

    fn check_alive(&self, core: &Core<C>, id: EntityId<C>) -> Result<(), ApplyError> {
        match self.is_alive(core, id) {
            true => Ok(()),
            false => Err(ApplyError::Destroyed { entity: id.raw() }),
        }
    }

    /// Whether the local entity of a known entity, which does not vanish, was destroyed.
    fn has_lost(&self, core: &Core<C>, id: EntityId<C>) -> bool {
        let is_sent = self.ids.is_known(id) && !self.delta.everything;
        let Delta {
            vanished, appeared, ..
        } = self.delta;
        let stays = || {
            let vanishes = vanished.binary_search_by_key(&id, |(id, _)| *id).is_ok();
            !vanishes && appeared.binary_search(&id).is_err()
        };
        is_sent && !self.is_alive(core, id) && stays()
    }

    /// The local entity of an entity, if it is alive.
    fn local(&self, core: &Core<C>, id: EntityId<C>) -> Option<EntityId<C>> {
        self.ids
            .local(id)
            .filter(|&local| core.world.is_alive(local))
    }

    fn is_alive(&self, core: &Core<C>, id: EntityId<C>) -> bool {
        self.local(core, id).is_some()
    }

    fn vanished(&self) -> Vec<(EntityId<C>, bool)> {
        if self.delta.is_cumulative() {
            let vanished = self.delta.vanished.iter().copied();
            return vanished
                .filter(|(id, _)| self.ids.local(*id).is_some())
                .collect();
        }
        if !self.delta.everything {
            return self.delta.vanished.clone();
        }
        let known = self.ids.locals.keys().copied();
        let appeared = &self.delta.appeared;
        let gone = known.filter(|id| self.ids.is_known(*id) && appeared.binary_search(id).is_err());
        let mut gone: Vec<_> = gone.map(|id| (id, false)).collect();
        gone.sort_unstable();
        gone
    }

    fn created(&self, core: &Core<C>) -> Vec<EntityId<C>> {
        let appeared = self.delta.appeared.iter().copied();
        appeared.filter(|id| !self.is_alive(core, *id)).collect()
    }

    /// The entities that lose a component, by component. If a mirror may have appeared ones, these are
    /// also those of them that have it here and not in the origin.
    fn removed(&self, core: &Core<C>) -> Vec<Vec<EntityId<C>>> {
        let columns = self.delta.columns.iter();
        let removed = columns.map(|column| {
            if !self.delta.may_repeat() {
                return column.removed.to_vec();
            }
            let appeared = self.delta.appeared.iter().copied();
            let lacks = appeared.filter(|id| column.set.owners.binary_search(id).is_err());
            let lacks = lacks.filter(|id| column.is_on(core, self.ids.local(*id)));
            let mut removed: Vec<_> = column.removed.iter().copied().chain(lacks).collect();
            removed.sort(); // finds presorted runs
            removed
        });
        removed.collect()
    }
}
