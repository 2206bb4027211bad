//! What a reactive system finds when it runs: the entities its collector gathered that
//! still count.
//!
//! The list is filled by changing places with the collector's, so neither allocates in
//! the long run. It is empty between two calls; after a panic in the system it is
//! emptied by the next [`fill`](Inbox::fill).

use alloc::vec::Vec;

use crate::api::context::Context;
use crate::api::query::{Query, QueryData};
use crate::matching::group::Group;
use crate::matching::matcher::{StillHolds, Trigger};
use crate::reactions::collector::Collector;
use crate::words::entity_id::EntityId;

/// The collector of a reactive system, and the list that the system is handed.
pub struct Inbox<C> {
    /// `None` once it has been released.
    collector: Option<Collector<C>>,
    /// Who still counts, for each matcher of the trigger.
    parts: Vec<(Group<C>, StillHolds)>,
    wants_dead: bool,
    ids: Vec<EntityId<C>>,
}

impl<C: Context> Inbox<C> {
    /// Gathers from now on.
    pub(super) fn new(context: &mut C, trigger: Trigger<C>, wants_dead: bool) -> Self {
        let parts = trigger.parts_that_hold();
        Self {
            collector: Some(context.collector(trigger)),
            parts: parts
                .map(|(matcher, holds)| (context.group(matcher), holds))
                .collect(),
            wants_dead,
            ids: Vec::new(),
        }
    }

    /// Takes over what has been collected, as far as it still counts and `filter`
    /// agrees.
    #[track_caller]
    pub(super) fn fill(&mut self, context: &mut C, filter: impl Fn(C::Entity<'_>) -> bool) {
        self.ids.clear();
        let Some(collector) = &self.collector else {
            return;
        };
        collector.drain_into(context, &mut self.ids);
        let (parts, wants_dead, context) = (&self.parts, self.wants_dead, &*context);
        self.ids.retain(|&id| match context.get_entity(id) {
            Some(entity) => still_counts(parts, context, id) && filter(entity),
            None => wants_dead,
        });
    }

    /// A query of what has been collected, as far as it still counts; none once the
    /// collector has been released.
    #[track_caller]
    pub(super) fn query<'c, Q: QueryData<C>>(&self, context: &'c mut C) -> Option<Query<'c, C, Q>> {
        let collected = context.query().drained_from(self.collector.as_ref()?);
        Some(collected.still_holding(&self.parts))
    }

    /// What the last [`fill`](Self::fill) took over.
    pub(super) fn ids(&self) -> &[EntityId<C>] {
        &self.ids
    }

    /// Forgets what was taken over.
    pub(super) fn empty(&mut self) {
        self.ids.clear();
    }

    pub(super) fn activate(&self, context: &mut C) {
        if let Some(collector) = &self.collector {
            collector.activate(context);
        }
    }

    pub(super) fn deactivate(&self, context: &mut C) {
        if let Some(collector) = &self.collector {
            collector.deactivate(context);
        }
    }

    pub(super) fn clear(&self, context: &mut C) {
        if let Some(collector) = &self.collector {
            collector.clear(context);
        }
    }

    pub(super) fn release(&mut self, context: &mut C) {
        if let Some(collector) = self.collector.take() {
            collector.release(context);
        }
    }
}

/// What a system whose `inbox` gathers for it, and whose `reactions` are counted, does
/// when it is activated and the like: the same for all of them.
macro_rules! inbox_of_a_system {
    () => {
        fn activate(&mut self, world: &mut W) {
            self.inbox.activate(world.context_mut());
        }

        fn deactivate(&mut self, world: &mut W) {
            self.inbox.deactivate(world.context_mut());
        }

        fn clear(&mut self, world: &mut W) {
            self.inbox.clear(world.context_mut());
        }

        fn release(&mut self, world: &mut W) {
            self.inbox.release(world.context_mut());
        }

        fn reactions(&self) -> Option<Reactions> {
            Some(self.reactions)
        }
    };
}
pub(super) use inbox_of_a_system;

/// Whether what one of the triggers waits for still holds of a living entity.
fn still_counts<C: Context>(
    parts: &[(Group<C>, StillHolds)],
    context: &C,
    id: EntityId<C>,
) -> bool {
    parts
        .iter()
        .any(|(group, holds)| holds.of(group.contains(context, id)))
}
