//! Several entities that come to life as one change: all have their values before anybody knows of
//! one of them.

use alloc::vec::Vec;
use core::mem;

use super::admit::Stored;
use super::admit::bundle_writer::{BundleWriter, Made};
use super::core::{HasCore, Registries};
use super::dispatch::Dispatch;
use super::end::{Remains, leave};
use super::index::settle;
use crate::reactions::subscription::Subject;
use crate::storage::slots::EMPTY_NODE;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::Error;

/// Entities that have their values and are in no group yet. They are taken back when it is dropped,
/// also by a panic.
pub(crate) struct Staged<'a, C: HasCore> {
    context: &'a mut C,
    made: Vec<Made>,
    /// The entities that have their slots from the start; the first of them have been made.
    reserved: Vec<UntypedId>,
    /// Whether a writer has the next one of these, which it gives back if it fails.
    is_making: bool,
}

impl<'a, C: HasCore> Staged<'a, C> {
    pub(crate) fn new(context: &'a mut C) -> Self {
        Self::of(context, Vec::new())
    }

    /// So many entities that have their ids before one of them has a value, or an error if there cannot
    /// be as many.
    pub(crate) fn reserve(context: &'a mut C, count: usize) -> Result<Self, Error> {
        let mut staged = Self::new(context);
        let slots = &mut staged.context.core_mut().slots;
        slots.check_room(count)?;
        let ids = (0..count).map(|_| slots.create(EMPTY_NODE).0);
        staged.reserved.extend(ids);
        Ok(staged)
    }

    /// The entities that have their ids from the start.
    pub(crate) fn reserved(&self) -> &[EntityId<C>] {
        UntypedId::typed_all(&self.reserved)
    }

    /// Makes the next one of them of all that `put` hands to the writer, or returns why a value was
    /// refused.
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

    /// Makes an entity of all that `put` hands to the writer, or returns why a value was refused.
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

    /// Entities that have been made by other ways.
    pub(super) fn of(context: &'a mut C, made: Vec<Made>) -> Self {
        Self {
            context,
            made,
            reserved: Vec::new(),
            is_making: false,
        }
    }

    /// Brings the entities to life: groups, collectors and indexes follow each of them, then
    /// observers are notified, in the order in which they were made.
    pub(crate) fn arrive(self) {
        self.arrive_in_order(|_| ());
    }

    /// Brings them to life; before user code runs, `order` puts what they belong to in order.
    pub(super) fn arrive_in_order(mut self, order: impl FnOnce(&mut Registries)) {
        let made = mem::take(&mut self.made);
        self.reserved.clear();
        let core = self.context.core_mut();
        let arrived: Vec<_> = made
            .iter()
            .map(|made| core.arrive_unnoticed(made))
            .collect();
        order(core);
        let settle_all = |context: &mut C| {
            for Stored { id, effects, .. } in &arrived {
                settle(context, *id, *effects);
            }
        };
        if !core.any_arrival_is_observed(&arrived) {
            return settle_all(self.context);
        }
        let mut dispatch = Dispatch::join(self.context);
        settle_all(dispatch.context());
        let own = dispatch.context().core_mut().queue_arrivals(&arrived);
        dispatch.run_beside(own);
    }
}

impl<C: HasCore> Drop for Staged<'_, C> {
    fn drop(&mut self) {
        let core = self.context.core_mut();
        let made = mem::take(&mut self.made);
        let mut unmade = self.reserved.split_off(made.len().min(self.reserved.len()));
        if self.is_making {
            unmade[0] = core.slots.create(EMPTY_NODE).0; // back again, to be given back in its turn
        }
        unmade.iter().rev().for_each(|&id| core.slots.give_back(id));
        let left = made.into_iter().rev().map(|made| {
            core.slots.give_back(made.id);
            (Remains::Of(made.plan.node), made.row)
        });
        let left = left.collect();
        leave(core, left);
    }
}

impl Registries {
    /// Has collectors and the links of relations take an entity in.
    fn arrive_unnoticed(&mut self, made: &Made) -> Stored {
        let (id, row) = (made.id, made.row);
        let effects = self.graph.create(made.plan.node, &self.groups);
        if effects.is_recorded() {
            self.record_created(id, made.plan.node);
        }
        if self.apply(id, effects).is_some() {
            self.prepare_indexes(id, effects);
        }
        Stored { id, row, effects }
    }

    fn any_arrival_is_observed(&self, arrived: &[Stored]) -> bool {
        let effects = self.graph.effects();
        let mut all = arrived.iter().map(|stored| stored.effects);
        !self.observers.is_empty(Subject::CREATED)
            || all.any(|it| it.is_followed() && effects.are_observed(it))
    }

    /// Queues what observers are notified of; returns how many steps that takes.
    fn queue_arrivals(&mut self, arrived: &[Stored]) -> usize {
        let before = self.queue.steps.len();
        for Stored { id, effects, .. } in arrived {
            self.queue_change(*id, None, None);
            self.queue_entity(Subject::CREATED);
            self.queue_effects(*effects);
        }
        self.queue.steps.len() - before
    }
}
