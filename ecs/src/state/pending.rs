//! Several entities that come to life as one change: all have their values before anybody knows of
//! one of them.

use alloc::vec::Vec;
use core::mem;

use super::commit::{Transition, commit, retire_all};
use super::core::{HasCore, Registries};
use super::previous::Previous;
use super::relation::SourceOrder;
use super::validate::bundle_writer::{BundleWriter, Made};
use crate::storage::slots::{EMPTY_NODE, Slot};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::Error;

/// Entities that have their values and are in no group yet. They are taken back when it is dropped,
/// also by a panic.
pub(crate) struct PendingEntities<'a, C: HasCore> {
    context: &'a mut C,
    made: Vec<Made>,
    /// The entities that have their slots from the start; the first of them have been made.
    reserved: Vec<UntypedId>,
    /// Whether a writer has the next one of these, which it gives back if it fails.
    is_making: bool,
}

impl<'a, C: HasCore> PendingEntities<'a, C> {
    pub(crate) fn new(context: &'a mut C) -> Self {
        Self::with_ids(context, Vec::new())
    }

    /// With these entities, which have their slots and nothing else.
    pub(super) fn with_ids(context: &'a mut C, reserved: Vec<UntypedId>) -> Self {
        Self {
            context,
            made: Vec::new(),
            reserved,
            is_making: false,
        }
    }

    /// So many entities that have their ids before one of them has a value, or an error if there cannot
    /// be as many.
    pub(crate) fn reserve(context: &'a mut C, count: usize) -> Result<Self, Error> {
        let mut pending = Self::new(context);
        let slots = &mut pending.context.core_mut().slots;
        slots.check_capacity(count)?;
        let ids = (0..count).map(|_| slots.create(EMPTY_NODE).0);
        pending.reserved.extend(ids);
        Ok(pending)
    }

    /// The entities that have their ids from the start.
    pub(crate) fn reserved(&self) -> &[EntityId<C>] {
        UntypedId::typed_all(&self.reserved)
    }

    /// The orders in which they, as copies of other entities, are to lead to their targets.
    pub(crate) fn orders_of_copies(&self, originals: &[UntypedId]) -> Vec<SourceOrder> {
        self.context
            .core()
            .orders_of_copies(originals, &self.reserved)
    }

    /// Makes the next one of them of all that `put` hands to the writer, or returns why a value was
    /// rejected.
    pub(crate) fn make_reserved(
        &mut self,
        put: impl FnOnce(&mut BundleWriter<'_, C>),
    ) -> Result<(), Error> {
        let id = self.reserved[self.made.len()];
        self.is_making = true;
        let mut writer = BundleWriter::attempt_on(self.context.core_mut(), id);
        put(&mut writer);
        self.made.push(writer.finish_attempt()?);
        self.is_making = false;
        Ok(())
    }

    /// Makes an entity of all that `put` hands to the writer, or returns why a value was rejected.
    /// Other entities may lead to it from now on.
    pub(crate) fn make(
        &mut self,
        put: impl FnOnce(&mut BundleWriter<'_, C>),
    ) -> Result<EntityId<C>, Error> {
        let mut writer = BundleWriter::attempt(self.context.core_mut(), None)?;
        put(&mut writer);
        let made = writer.finish_attempt()?;
        let id = made.id;
        self.made.push(made);
        Ok(id.typed())
    }

    /// What those need who make the entities that have their ids by other ways.
    #[cfg(feature = "serde")]
    pub(super) fn parts(&mut self) -> (&mut Registries, &[UntypedId]) {
        (self.context.core_mut(), &self.reserved)
    }

    /// Brings the entities to life: groups, collectors and indexes follow each of them, then
    /// observers are notified, in the order in which they were made. They lead to their targets in that
    /// order too, unless another one is given.
    pub(crate) fn arrive(mut self, orders: &[SourceOrder]) {
        let made = mem::take(&mut self.made);
        self.arrive_as(&made, |core| core.order_sources(orders));
    }

    /// Brings these to life; before user code runs, `order` puts what they belong to in order.
    pub(super) fn arrive_as(mut self, made: &[Made], order: impl FnOnce(&mut Registries)) {
        self.reserved.clear();
        let core: &mut Registries = self.context.core_mut();
        let mut arrived: Vec<_> = made.iter().map(|made| core.arrived(made)).collect();
        order(core);
        commit(self.context, &mut arrived);
    }
}

impl<C: HasCore> Drop for PendingEntities<'_, C> {
    fn drop(&mut self) {
        let core = self.context.core_mut();
        let made = mem::take(&mut self.made);
        let mut unmade = self.reserved.split_off(made.len().min(self.reserved.len()));
        if self.is_making {
            unmade[0] = core.slots.create(EMPTY_NODE).0; // back again, to be given back in its turn
        }
        unmade.iter().rev().for_each(|&id| core.slots.give_back(id));
        let mut left = Vec::with_capacity(made.len());
        for Made { id, row, plan } in made.into_iter().rev() {
            core.slots.give_back(id);
            let node = plan.node;
            left.push(Transition {
                id,
                effects: plan.effects,
                previous: Previous::Destroyed(Slot { node, row }),
            });
        }
        retire_all(core, &mut left);
    }
}

impl Registries {
    /// Has collectors and indexes follow an entity that has been made.
    fn arrived(&mut self, made: &Made) -> Transition<'static> {
        let effects = self.graph.create(made.plan.node, &self.groups);
        self.mark(made.id, effects);
        Transition {
            id: made.id,
            effects,
            previous: Previous::Created(made.plan.node),
        }
    }
}
