//! Creating several entities as one change: all have their values before any of them is visible,
//! and these are checked against each other.

use alloc::vec::Vec;
use core::{mem, slice};

use super::commit::mark::mark;
use super::commit::previous::Previous;
use super::commit::record::record_created;
use super::commit::run::Run;
use super::commit::{commit_recorded, retire_all};
#[cfg(feature = "serde")]
use super::core::Core;
use super::core::HasCore;
use super::entity_indexes::install_indexes_of;
use super::rejection::{Rejection, Turn, rejected};
use super::relation::{SourceOrder, order_sources, orders_of_copies};
use super::steps::relink_kept;
use super::validate::bundle_writer::{BundleWriter, Made};
use super::validate::check_all;
use crate::reactions::subscribers::Subscribers;
use crate::storage::slots::EMPTY_NODE;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::world::World;

/// Entities with values that are in no group yet. They are discarded on drop, also by a panic.
pub(crate) struct PendingEntities<'a, C: HasCore> {
    context: &'a mut C,
    made: Vec<Made>,
    /// The entities in the order in which their slots were taken; the first of them have been made.
    taken: Vec<UntypedId>,
    /// For reserved entities with old ids, the places of their slots on the stack of free ones.
    places: Vec<Option<u32>>,
    /// Whether a writer has the next reserved entity, whose slot it frees on failure.
    is_making: bool,
}

impl<'a, C: HasCore> PendingEntities<'a, C> {
    pub(crate) fn new(context: &'a mut C) -> Self {
        Self::with_ids(context, Vec::new())
    }

    /// Starts with reserved entities, which have slots and nothing else.
    pub(crate) fn with_ids(context: &'a mut C, taken: Vec<UntypedId>) -> Self {
        Self {
            context,
            made: Vec::new(),
            taken,
            places: Vec::new(),
            is_making: false,
        }
    }

    /// Reserves ids for `count` entities before any of them has a value; an error if there cannot
    /// be as many.
    pub(crate) fn reserve(context: &'a mut C, count: usize) -> Result<Self, Error> {
        let mut pending = Self::new(context);
        let slots = &mut pending.context.core_mut().world.slots;
        slots.check_capacity(count)?;
        let ids = (0..count).map(|_| slots.create(EMPTY_NODE).0);
        pending.taken.extend(ids);
        Ok(pending)
    }

    /// Reserves the ids of destroyed entities; new ones for those whose slot has another entity by
    /// now, which come last. An error if there cannot be as many.
    pub(crate) fn reserve_again(context: &'a mut C, ids: &[UntypedId]) -> Result<Self, Error> {
        let mut pending = Self::new(context);
        let slots = &mut pending.context.core_mut().world.slots;
        slots.check_capacity(ids.len())?;
        pending.places = slots.reclaim_all(ids);
        debug_assert!(
            pending.places.is_sorted_by_key(Option::is_none),
            "slots are taken in order"
        );
        for (&id, place) in ids.iter().zip(&pending.places) {
            let new = || slots.create(EMPTY_NODE).0;
            pending.taken.push(place.map_or_else(new, |_| id));
        }
        Ok(pending)
    }

    /// The reserved entities.
    pub(crate) fn reserved(&self) -> &[EntityId<C>] {
        UntypedId::typed_all(&self.taken)
    }

    /// The orders of the entities as sources, if they are copies of `originals`.
    pub(crate) fn orders_of_copies(&self, originals: &[UntypedId]) -> Vec<SourceOrder> {
        orders_of_copies(&self.context.core().subs, originals, &self.taken)
    }

    /// Makes the next reserved entity from the values that `put` writes; an error if a unique
    /// component was rejected. What is compared is checked for all entities at the end.
    pub(crate) fn make_reserved(
        &mut self,
        put: impl FnOnce(&mut BundleWriter<'_, C>),
    ) -> Result<(), Error> {
        let id = self.taken[self.made.len()];
        self.is_making = true;
        let mut writer = BundleWriter::attempt_on(self.context.core_mut(), id);
        put(&mut writer);
        self.made.push(writer.finish_attempt()?);
        self.is_making = false;
        Ok(())
    }

    /// Makes an entity from the values that `put` writes; an error if one was rejected. Later
    /// entities may refer to it.
    pub(crate) fn make(
        &mut self,
        put: impl FnOnce(&mut BundleWriter<'_, C>),
    ) -> Result<EntityId<C>, Error> {
        let mut writer = BundleWriter::attempt(self.context.core_mut(), None)?;
        put(&mut writer);
        let made = writer.finish_attempt()?;
        let id = made.id;
        self.taken.push(id);
        self.made.push(made);
        Ok(id.typed())
    }

    /// The registries and reserved entities, for making the entities in another way.
    #[cfg(feature = "serde")]
    pub(crate) fn parts(&mut self) -> (&mut Core<C>, &[UntypedId]) {
        (self.context.core_mut(), &self.taken)
    }

    /// Checks the keys and targets of all entities, which may be of each other.
    pub(crate) fn check(self) -> Result<CheckedEntities<'a, C>, Error> {
        let core = self.context.core_mut();
        match check_made(&mut core.world, &mut core.subs, &self.made) {
            Ok(()) => Ok(CheckedEntities(self)),
            Err((component, rejection)) => {
                let names = core.world.columns.describe(component).names;
                let first: EntityId<C> = self.made[0].id.typed(); // the rejection has the right one
                Err(rejected(
                    &core.world,
                    rejection,
                    first,
                    names,
                    Operation::Add,
                ))
            }
        }
    }

    /// Commits these entities, which are checked, in this order; `order` runs before any user code.
    /// They are recorded in the order in which their slots were taken: a rewind frees the slots in the
    /// opposite order.
    pub(crate) fn arrive_as(mut self, made: &[Made], order: impl FnOnce(&mut Subscribers)) {
        let taken = mem::take(&mut self.taken);
        let places = mem::take(&mut self.places);
        let core = self.context.core_mut();
        let place = |nth: usize| places.get(nth).copied().flatten();
        let all = made.iter().enumerate();
        let revived = all.filter(|(nth, _)| place(*nth).is_some());
        let revived: Vec<_> = revived.map(|(_, made)| made.id).collect();
        if !revived.is_empty() {
            core.subs.collectors.see_revived(&revived);
        }
        let mut arrived: Vec<_> = made
            .iter()
            .map(|made| arrived(&mut core.world, &mut core.subs, made))
            .collect();
        relink_kept(&core.world, &mut core.subs, &revived);
        order(&mut core.subs);
        record_created(&mut core.world, &mut core.subs, &taken, &places);
        commit_recorded(self.context, &mut arrived);
    }
}

/// Entities that can all be committed.
pub(crate) struct CheckedEntities<'a, C: HasCore>(PendingEntities<'a, C>);

impl<C: HasCore> CheckedEntities<'_, C> {
    /// Commits the entities: collectors and indexes are updated, then observers are notified, in
    /// the order of creation. This is also the order of sources, unless `orders` says otherwise.
    pub(crate) fn arrive(mut self, orders: &[SourceOrder]) {
        let made = mem::take(&mut self.0.made);
        self.0.arrive_as(&made, |subs| order_sources(subs, orders));
    }
}

impl<C: HasCore> Drop for PendingEntities<'_, C> {
    fn drop(&mut self) {
        let core = self.context.core_mut();
        let made = mem::take(&mut self.made);
        let unmade = self.taken.split_off(made.len().min(self.taken.len()));
        if self.is_making {
            core.world.slots.revive(unmade[0], EMPTY_NODE); // takes it again, to free it in order
        }
        let places = mem::take(&mut self.places);
        let mut free = |nth: usize, id| match places.get(nth) {
            Some(&Some(place)) => core.world.slots.revert_reclaim(id, place),
            _ => core.world.slots.give_back(id),
        };
        for (nth, &id) in unmade.iter().enumerate().rev() {
            free(made.len() + nth, id);
        }
        for (nth, made) in made.iter().enumerate().rev() {
            free(nth, made.id);
        }
        let left = made.iter().rev().map(|Made { id, row, plan }| {
            let (node, rows) = (plan.node, slice::from_ref(row));
            Run::of(*id, plan.effects, Previous::Destroyed { node, rows })
        });
        retire_all(&mut core.world, &mut left.collect::<Vec<_>>());
    }
}

/// Rejects values that these entities cannot all have at the same time.
///
/// Complexity: linear in the number of values.
fn check_made(
    world: &mut World,
    subs: &mut Subscribers,
    made: &[Made],
) -> Result<(), (RawComponentIndex, Rejection)> {
    let mut components = Vec::new();
    for made in made.chunk_by(|a, b| a.plan.node == b.plan.node) {
        let all = world.graph.component_list(made[0].plan.node).iter();
        let checked = all.filter(|&&component| world.columns.describe(component).checked);
        components.extend(checked);
    }
    components.sort_unstable();
    components.dedup();
    for component in components {
        install_indexes_of(world, subs, component);
        let column = world.columns.at(component);
        let value = |made: &Made| Some((made.id, column?.view(made.row)?));
        let values: Vec<_> = made.iter().filter_map(value).collect();
        let turn = Turn::Together {
            may_be_dead: subs.indexes.is_restoring(),
        };
        let checked = check_all(world, subs, component, &values, turn);
        checked.map_err(|rejection| (component, rejection))?;
    }
    Ok(())
}

/// Updates collectors and indexes for an entity that was made.
fn arrived(world: &mut World, subs: &mut Subscribers, made: &Made) -> Run<'static> {
    let node = made.plan.node;
    let effects = world.graph.create(node, &world.groups);
    mark(world, subs, made.id, effects);
    Run::of(made.id, effects, Previous::Created)
}
