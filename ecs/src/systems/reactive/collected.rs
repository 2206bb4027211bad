//! A collector as the source of a reactive system.
//!
//! The list of ids is filled by swapping it with the collector's, so that neither allocates in the long
//! run.

use alloc::vec::Vec;

use super::reaction::{ChangeSource, Control};
use crate::api::context::Context;
use crate::api::query::{QueryData, QueryMut};
use crate::matching::group::Group;
use crate::matching::matcher::{StillHolds, Trigger};
use crate::reactions::actor::{Cause, Drain, is_acting, next_number};
use crate::reactions::collector::Collector;
use crate::reactions::history::Recording;
use crate::systems::contexts::HasContext;
use crate::words::entity_id::EntityId;
use crate::words::signature::RawComponentSet;

/// The collector of a reactive system, and the ids that were drained last.
pub struct CollectorSource<C> {
    /// `None` once it has been released.
    collector: Option<Collector<C>>,
    /// What must still hold for an entity; one condition for each matcher of the trigger.
    conditions: Vec<(Group<C>, StillHolds)>,
    include_destroyed: bool,
    /// The components that the trigger names.
    components: RawComponentSet,
    ids: Vec<EntityId<C>>,
    /// When they were drained, if the system is measured.
    drain: Drain,
}

impl<C: Context> CollectorSource<C> {
    /// Creates a collector, which collects from now on.
    pub(super) fn new(
        context: &mut C,
        trigger: Trigger<C>,
        include_destroyed: bool,
        system: &str,
    ) -> Self {
        let components = trigger.components();
        let conditions = trigger.alternatives_that_hold();
        let collector = context.collector(trigger);
        collector.set_reader(system);
        Self {
            collector: Some(collector),
            conditions: conditions
                .map(|(matcher, holds)| (context.group(matcher), holds))
                .collect(),
            include_destroyed,
            components,
            ids: Vec::new(),
            drain: Drain::default(),
        }
    }

    /// Returns the ids that were drained last.
    pub(super) fn ids(&self) -> &[EntityId<C>] {
        &self.ids
    }

    /// Leaves ids from this place on for the next drain.
    pub(super) fn leave_from(&mut self, context: &mut C, place: usize) {
        if let Some(collector) = &self.collector {
            collector.put_back(context, &self.ids[place..]);
        }
    }

    /// Describes why the system runs: `count` entities changed, `entity` first.
    pub(super) fn cause_by(&self, entity: EntityId<C>, count: usize) -> Cause {
        let components = self.components.clone();
        Cause::new(C::NAME, entity.raw(), count, components, self.drain)
    }

    /// Returns a query that drains the collector; `None` after a release.
    #[track_caller]
    pub(super) fn query<'c, Q: QueryData<C>>(
        &self,
        context: &'c mut C,
    ) -> Option<QueryMut<'c, C, Q>> {
        let collected = context.query_mut().drained_from(self.collector.as_ref()?);
        Some(collected.still_holding(&self.conditions))
    }

    pub(super) fn control(&mut self, context: &mut C, control: Control) {
        let Some(collector) = &self.collector else {
            return;
        };
        match control {
            Control::Attach => {}
            Control::Activate => collector.activate(context),
            Control::Deactivate => collector.deactivate(context),
            Control::Clear | Control::Discard => collector.clear(context),
            Control::Release => self.release(context),
        }
    }

    fn release(&mut self, context: &mut C) {
        if let Some(collector) = self.collector.take() {
            collector.release(context);
        }
    }
}

impl<C: Context, W: HasContext<C>> ChangeSource<W> for CollectorSource<C> {
    type Candidate<'a> = C::Entity<'a>;

    #[track_caller]
    fn drain(&mut self, world: &mut W, mut accept: impl FnMut(C::Entity<'_>) -> bool) -> usize {
        let Some(collector) = &self.collector else {
            return 0;
        };
        collector.drain_into(world.context_mut(), &mut self.ids);
        let (conditions, context) = (&self.conditions, world.context());
        self.ids.retain(|&id| match context.get_entity(id) {
            Some(entity) => still_holds(conditions, context, id) && accept(entity),
            None => self.include_destroyed,
        });
        if is_acting() && !self.ids.is_empty() {
            self.drain = drain_of(world.context());
        }
        self.ids.len()
    }

    fn cause(&self) -> Option<Cause> {
        let first = self.ids.first()?;
        Some(self.cause_by(*first, self.ids.len()))
    }

    fn discard(&mut self) {
        self.ids.clear();
    }

    fn control(&mut self, world: &mut W, control: Control) {
        self.control(world.context_mut(), control);
    }
}

/// A drain of a collector of this context, now.
fn drain_of<C: Context>(context: &C) -> Drain {
    Drain {
        number: next_number(),
        instance: context.core().world.instance(),
        entry: context.core().subs.history().map(Recording::now),
    }
}

/// Whether one of the conditions still holds for a living entity.
fn still_holds<C: Context>(
    conditions: &[(Group<C>, StillHolds)],
    context: &C,
    id: EntityId<C>,
) -> bool {
    let mut conditions = conditions.iter();
    conditions.any(|(group, holds)| holds.of(group.contains(context, id)))
}
