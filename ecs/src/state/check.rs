//! Internal invariants of a context between two changes, for tests. Each registry checks itself;
//! this file checks them against each other.
//!
//! While observers are notified, only invariants that always hold are checked.

use super::core::{HasCore, Registries};
use crate::matching::group::GroupIndex;
use crate::matching::matcher::GroupEvent;
use crate::reactions::entity_index::Refresh;
use crate::reactions::subscription::Subject;
use crate::storage::column::Column;
use crate::storage::past::Past;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::EntityId;

/// Panics if any two structures of a context disagree. Computes the keys of all indexed entities:
/// user code.
pub(crate) fn check_invariants<C: HasCore>(context: &C) {
    let core = context.core();
    core.check_invariants();
    let is_at_rest = core.queue.turn.is_idle();
    for (number, state) in core.indexes.active().filter(|_| is_at_rest) {
        if let Some(reindex) = core.reindex(number) {
            (reindex.check)(context, number, &core.member_ids(state.group));
        }
    }
}

impl Registries {
    /// Panics if any two structures disagree.
    fn check_invariants(&self) {
        self.slots.check_invariants();
        self.groups.check_invariants();
        self.graph.check_invariants(&self.groups);
        self.collectors.check_invariants(&self.slots, &self.groups);
        let is_member = |group, id| self.is_member(group, id);
        self.indexes
            .check_invariants(&self.slots, &self.groups, is_member);
        self.feeds.check_invariants();
        self.removed.check_invariants();
        self.check_members();
        if self.queue.turn.is_idle() {
            self.check_at_rest();
        }
    }

    /// Checks what holds while no observer is running.
    fn check_at_rest(&self) {
        self.queue.check_invariants();
        self.observers.check_invariants();
        self.check_owners();
        self.check_links();
        self.check_observed();
        self.check_listened();
        let is_between = self.attempt.is_none() && self.required.is_empty();
        assert!(is_between, "a bundle has been left half-way");
        if let Some(recording) = self.history.as_deref() {
            let columns = &self.columns;
            recording.check_invariants(|component| {
                columns
                    .at(component)
                    .and_then(Column::past)
                    .map_or(0, Past::len)
            });
        }
    }

    /// An entity is a member of exactly the groups of its node.
    fn check_members(&self) {
        for group in self.groups.indices() {
            let is_member = |node| self.graph.groups(node).contains(group);
            let members = self.slots.iter().map(|(_, slot)| slot);
            let members = members.filter(|slot| is_member(slot.node)).count();
            let rows = self.members(group);
            assert_eq!(self.group_len(group), members, "how many are in {group:?}");
            assert_eq!(rows.iter().len(), members, "members of {group:?}");
            for row in rows.iter() {
                let node = self.slots.node_in(row);
                let is_member = node.is_some_and(is_member);
                assert!(is_member, "{row:?} is in {group:?}, of node {node:?}");
            }
        }
    }

    /// An entity has values of exactly the components of its node, and free rows have none.
    fn check_owners(&self) {
        for (at, column) in self.columns.iter().enumerate() {
            column.check_invariants();
            let component = RawComponentIndex::at(at);
            let has = |node| self.graph.components(node).contains(component);
            let entities = self.slots.iter().map(|(_, slot)| slot);
            let owners = entities.filter(|slot| has(slot.node)).count();
            assert_eq!(column.rows().count(), owners, "values of {component:?}");
            for row in column.rows() {
                let node = self.slots.node_in(row);
                assert!(
                    node.is_some_and(has),
                    "{row:?} has a value of {component:?}"
                );
            }
            let is_unique = column.descriptor().unique;
            assert!(
                !is_unique || owners <= 1,
                "{owners} entities have {component:?}"
            );
            if is_unique && let Some(row) = column.rows().next() {
                let (owner, recorded) = (self.slots.id_in(row), self.owners.last(component));
                assert_eq!(recorded, owner, "the owner of {component:?}");
            }
        }
    }

    /// Links match the targets of values, if these are alive; relations to dead targets exist only
    /// if they are kept.
    fn check_links(&self) {
        for (number, state) in self.indexes.active() {
            let links = self.indexes.links(number);
            let (Some(links), Some(Refresh::Links(target_of))) =
                (links, self.refreshes.get(number))
            else {
                continue;
            };
            let mut count = 0;
            for id in self.member_ids(state.group) {
                let target = target_of(&self.columns, &self.slots, id);
                let is_fine = target.is_some_and(|target| self.may_point_to(links, target));
                assert!(is_fine, "{id} has a relation to {target:?}");
                let alive = target.filter(|target| self.slots.is_alive(*target));
                count += usize::from(alive.is_some());
                assert_eq!(links.target(id), alive.map(EntityId::untyped), "{id}");
            }
            assert_eq!(links.len(), count, "links of {:?}", links.component);
        }
    }

    /// Groups have the right numbers of observers.
    fn check_observed(&self) {
        for group in self.groups.indices() {
            for event in GroupEvent::ALL {
                let count = self.observers.count(Subject::group(group, event));
                let recorded = self.groups.get(group).watch(event).observers();
                assert_eq!(recorded, count, "observers of {event:?} of {group:?}");
            }
        }
        let next = GroupIndex(self.groups.len() as u32);
        let beyond = self
            .observers
            .count(Subject::group(next, GroupEvent::Entered));
        assert_eq!(beyond, 0, "observers of a group that is not there");
    }

    /// An event has a source exactly while it has listeners, and each source has its own collector.
    fn check_listened(&self) {
        for (&event, source) in self.events.sources() {
            let listeners = self.observers.listeners_to(event);
            assert_eq!(source.listeners, listeners, "listeners to {event:?}");
            assert!(listeners > 0, "no listener of {event:?}");
            let collects = self.collectors.is_active(source.collector);
            assert_eq!(collects, self.events.active, "what collects {event:?}");
            let mut waiting = source.waiting.iter();
            assert!(
                waiting.all(|id| self.events.active && !self.slots.is_future(*id)),
                "who waits for {event:?}"
            );
        }
        let sources = self.events.sources();
        let mut collectors: alloc::vec::Vec<_> = sources.map(|it| it.1.collector).collect();
        collectors.extend(self.feeds.collectors());
        collectors.sort_unstable();
        assert!(
            collectors.is_sorted_by(|a, b| a < b),
            "a collector is used twice"
        );
    }
}
