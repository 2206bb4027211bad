//! Applying a delta that has been checked.
//!
//! ```text
//! remove components, destroy and create entities, refer to them again, set values, order relations, destroy leftovers
//! ```

use alloc::vec::Vec;
use core::cell::Cell;

use super::column::{PendingColumn, map_ids};
use super::delta::Delta;
use super::mapping::{Mapping, id_of_dead};
use super::mirroring::set_mirrored;
use super::order::put_in_order;
use super::plan::Plan;
use crate::state::{self, HasCore};
use crate::storage::value_list::ValueList;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::EntityId;
use crate::words::error::Error;

/// A delta being applied.
pub(super) struct Work<'a, C: HasCore> {
    pub(super) ids: &'a mut Mapping<C>,
    pub(super) context: &'a mut C,
    pub(super) delta: &'a Delta<C>,
    pub(super) columns: Vec<PendingColumn<C>>,
}

/// Also if user code panics.
impl<C: HasCore> Drop for Work<'_, C> {
    fn drop(&mut self) {
        self.context.core_mut().world.is_mirroring = false;
    }
}

impl<C: HasCore> Work<'_, C> {
    pub(super) fn run(&mut self, plan: Plan<C>) -> Result<(), Error> {
        self.context.core_mut().world.is_mirroring = true; // until it is dropped
        self.count_ids(&plan);
        self.remove(&plan.removed);
        let kept = self.vanish(&plan.vanished);
        self.create(&plan.created)?;
        self.refer_again()?;
        self.create_placeholders();
        self.set()?;
        self.remove_surplus(&plan.exact);
        put_in_order(self.context, self.delta, &self.columns, self.ids);
        self.destroy_leftovers(kept);
        Ok(())
    }

    /// Records which ids will be in values.
    fn count_ids(&mut self, plan: &Plan<C>) {
        if self.delta.everything {
            self.ids.forget_all();
        }
        for &(origin, _) in &plan.vanished {
            self.ids.forget(origin, None);
        }
        let columns = self.delta.columns.iter();
        for (column, (removed, referred)) in columns.zip(plan.removed.iter().zip(&plan.referred)) {
            let component = column.component();
            for &origin in removed {
                self.ids.forget(origin, Some(component));
            }
            for (&owner, ids) in column.set.owners.iter().zip(referred) {
                self.ids.refer(owner, component, ids.clone());
            }
        }
        for &origin in &self.delta.dead {
            self.ids.refer_to_dead(origin);
        }
    }

    fn is_alive(&self, local: EntityId<C>) -> bool {
        self.context.core().world.is_alive(local)
    }

    /// The living local entities of some entities of the origin.
    fn locals(&self, origins: &[EntityId<C>]) -> Vec<EntityId<C>> {
        let locals = origins.iter().filter_map(|&origin| self.ids.local(origin));
        locals.filter(|&local| self.is_alive(local)).collect()
    }

    fn remove(&mut self, removed: &[Vec<EntityId<C>>]) {
        for (column, origins) in self.delta.columns.iter().zip(removed) {
            let locals = self.locals(origins);
            self.remove_from(&locals, column.component());
        }
    }

    fn remove_from(&mut self, locals: &[EntityId<C>], component: RawComponentIndex) {
        for &local in locals {
            let _ = state::remove_at(self.context, local.untyped(), component); // it may lack it
        }
    }

    /// Whether a relation or another value needs the local entity of an entity.
    fn is_needed(&self, origin: EntityId<C>, local: EntityId<C>) -> bool {
        let indexes = self.context.core().subs.indexes();
        self.ids.is_referred(origin) || indexes.is_target(local.untyped())
    }

    /// Destroys the entities that vanished. Those that values refer to only lose their components, and
    /// are kept until all values are final.
    fn vanish(&mut self, vanished: &[(EntityId<C>, bool)]) -> Vec<(EntityId<C>, bool)> {
        let mut kept = Vec::new();
        for &(origin, ended) in vanished {
            let Some(local) = self.ids.local(origin).filter(|&local| self.is_alive(local)) else {
                self.ids.unbind(origin);
                continue;
            };
            if self.is_needed(origin, local) {
                let _ = state::remove_all(self.context, local); // it is alive
                kept.push((origin, ended));
            } else {
                self.end(origin);
            }
        }
        kept
    }

    /// Destroys an entity, unless a relation rejects it.
    fn end(&mut self, origin: EntityId<C>) {
        let local = self.ids.local(origin).filter(|&local| self.is_alive(local));
        if local.is_none_or(|local| state::destroy(self.context, local).is_ok()) {
            self.ids.unbind(origin);
        } else {
            self.ids.placeholders.insert(origin);
        }
    }

    /// Creates entities with their components as one change.
    fn create(&mut self, created: &[EntityId<C>]) -> Result<(), Error> {
        for &origin in created {
            self.ids.unbind(origin); // the previous local entity was destroyed
        }
        let mut pending = state::PendingEntities::new(self.context);
        let mut made = Vec::with_capacity(created.len());
        for (place, &origin) in created.iter().enumerate() {
            let columns = self.columns.iter_mut();
            let local = pending.make(|writer| {
                columns.for_each(|column| column.put(place, writer));
            })?;
            made.push((origin, local));
        }
        let checked = pending.check()?;
        for (origin, local) in made {
            self.ids.bind(origin, local);
        }
        checked.arrive(&[]);
        for origin in &self.delta.appeared {
            self.ids.placeholders.remove(origin);
        }
        Ok(())
    }

    /// Gives values the ids of entities that have come back, as by an undo in the origin, which does not change these values.
    fn refer_again(&mut self) -> Result<(), Error> {
        let appeared = &self.delta.appeared;
        let returned = self.ids.returned(appeared);
        if returned.is_empty() {
            return Ok(());
        }
        for (owner, component) in self.ids.referring(appeared) {
            let world = &self.context.core().world;
            let descriptor = world.describe(component);
            let local = self.ids.local(owner);
            let slot = local.and_then(|local| world.slots().get(local));
            let value = slot.and_then(|slot| world.value_in(slot.row, component));
            let Some(value) = value.filter(|_| !descriptor.relation) else {
                continue;
            };
            let (mut values, has_any) = (ValueList::new(descriptor), Cell::new(false));
            values.push_clone(value);
            map_ids::<C>(&mut values, &|id| {
                let new = returned.get(&id);
                has_any.set(has_any.get() || new.is_some());
                new.copied().unwrap_or(id)
            });
            if has_any.get() {
                set_mirrored(self.context, component, &[local], &mut values)?;
            }
        }
        Ok(())
    }

    /// Creates placeholders for ids in values without local entities, and replaces ids by those of
    /// local entities.
    fn create_placeholders(&mut self) {
        for column in &mut self.columns {
            let is_relation = column.is_relation();
            let is_dead = |id| !is_relation && self.delta.dead.binary_search(&id).is_ok();
            let mut unknown = Vec::new();
            column.each_id(&mut |origin| unknown.push(origin));
            unknown.sort_unstable();
            unknown.dedup();
            unknown.retain(|&origin| {
                let local = self.ids.local(origin);
                let local = local.filter(|&local| self.context.core().world.is_alive(local));
                let was_destroyed = !is_relation && self.ids.is_known(origin);
                local.is_none() && !is_dead(origin) && !was_destroyed
            });
            for origin in unknown {
                let local = state::create(self.context);
                self.ids.unbind(origin);
                self.ids.bind(origin, local);
                self.ids.placeholders.insert(origin);
            }
            let locals = &self.ids.locals;
            column.map_ids(&|origin| match is_dead(origin) {
                true => id_of_dead(origin),
                false => locals.get(&origin).copied().unwrap_or(origin),
            });
        }
    }

    fn set(&mut self) -> Result<(), Error> {
        for values in &mut self.columns {
            let local = |origin: &EntityId<C>| self.ids.locals.get(origin).copied();
            values.set(self.context, &local)?;
        }
        Ok(())
    }

    /// Removes required components that the origin does not have.
    fn remove_surplus(&mut self, exact: &[(EntityId<C>, Vec<bool>)]) {
        for (origin, has) in exact {
            let local = self.locals(&[*origin]);
            for (column, _) in self.delta.columns.iter().zip(has).filter(|(_, has)| !**has) {
                self.remove_from(&local, column.component());
            }
        }
    }

    /// Destroys the entities that vanished but were kept, and unreferenced placeholders.
    fn destroy_leftovers(&mut self, kept: Vec<(EntityId<C>, bool)>) {
        for (origin, ended) in kept {
            match ended {
                true => self.end(origin),
                false => _ = self.ids.placeholders.insert(origin),
            }
        }
        for &origin in &self.delta.dead {
            if self.ids.placeholders.contains(&origin) {
                self.end(origin);
            }
        }
        let mut placeholders: Vec<_> = self.ids.placeholders.iter().copied().collect();
        placeholders.sort_unstable();
        for origin in placeholders {
            let local = self.ids.local(origin);
            if local.is_none_or(|local| !self.is_needed(origin, local)) {
                self.end(origin);
            }
        }
    }
}
