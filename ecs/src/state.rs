//! The registries a context is made of, the one step in which they change together,
//! and the verbs on top of that step: how entities begin and end, how components are
//! written, how observers are told.

mod bulk;
mod capacity;
mod defragment;
mod deliver;
mod events;
mod fragmentation;
mod index;
mod layout;
mod lifecycle;
mod swap;
mod sweep;
mod unique;
mod update_each;
mod write;

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::matching::effects::EffectsIndex;
use crate::matching::graph::Graph;
use crate::matching::group::{Group, GroupIndex, Groups};
use crate::matching::matcher::{GroupEvent, Matcher};
use crate::reactions::change::{Observers, Queue, Subject};
use crate::reactions::collector::Collectors;
use crate::reactions::entity_index::Indexes;
use crate::reactions::event::Events;
use crate::reactions::removed::Logs;
use crate::storage::columns::Columns;
use crate::storage::owners::Owners;
use crate::storage::slots::{Row, Slot, Slots};
use crate::words::component::ComponentIndex;
use crate::words::entity_id::EntityId;

use self::sweep::Sweep;

pub use self::fragmentation::Fragmentation;

pub(crate) use self::bulk::{
    Arrivals, Landing, add_many, can_create_rows, create_rows, destroy_many, remove_from,
    remove_many, replace_many, update_many,
};
pub(crate) use self::capacity::{reserve, reserve_entities};
pub(crate) use self::deliver::tell_group_created;
pub(crate) use self::events::{
    add_collector, clear_events, clear_listeners, deliver_events, forget_events, listen,
    set_events_active, tell_current, undelivered, unlisten,
};
pub use self::index::field_index;
pub(crate) use self::index::{activate_index, add_index, check_keys, deactivate_index};
pub(crate) use self::lifecycle::{arrive_as, create, destroy, destroy_all};
pub(crate) use self::swap::swap;
pub(crate) use self::unique::{owner_of, refusal_to_add};
pub(crate) use self::update_each::{UpdateEach, Written};
pub(crate) use self::write::{
    Refusal, add, filled, remove, remove_all, remove_at, replace, take, update_checked,
};

/// A type that owns a [`Core`]: the part of a [`Context`](crate::Context) that the
/// library works with. Implemented by `#[ecs::context]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a context",
    label = "not a context",
    note = "write `#[ecs::context] pub struct {Self};`"
)]
pub trait HasCore: Sized + Send + Sync + 'static {
    /// What the context is called in messages.
    const NAME: &'static str;

    /// What the context is made of.
    #[doc(hidden)]
    fn core(&self) -> &Core<Self>;

    /// What the context is made of, to be changed.
    #[doc(hidden)]
    fn core_mut(&mut self) -> &mut Core<Self>;
}

/// All that a context of type `C` owns.
///
/// Held by the struct that `#[ecs::context]` writes; of no use by itself.
pub struct Core<C> {
    /// Tells the handles of this context from those of another one.
    pub(crate) instance: u32,
    pub(crate) slots: Slots,
    pub(crate) columns: Columns<C>,
    pub(crate) graph: Graph,
    pub(crate) groups: Groups<C>,
    pub(crate) owners: Owners<C>,
    pub(crate) indexes: Indexes<C>,
    pub(crate) collectors: Collectors<C>,
    pub(crate) observers: Observers<C>,
    pub(crate) queue: Queue<C>,
    /// The values that entities have lost, for those who gather them.
    pub(crate) removed: Logs,
    pub(crate) events: Events<C>,
    /// What is done when the context ends, once there is a listener.
    at_end: Option<fn(&mut Self)>,
    /// The list of ids that `for_each` walks, kept to be used again.
    pub(crate) scratch: Vec<EntityId<C>>,
    /// How far moving entities together in small steps has come.
    sweep: Sweep,
}

impl<C: 'static> Core<C> {
    /// An empty core.
    #[expect(clippy::new_without_default, reason = "called by generated code alone")]
    pub fn new() -> Self {
        static INSTANCES: AtomicU32 = AtomicU32::new(0);
        let (columns, mut groups) = (Columns::new(), Groups::new());
        let mut core = Self {
            instance: INSTANCES.fetch_add(1, Ordering::Relaxed),
            slots: Slots::default(),
            graph: Graph::new(columns.len(), &mut groups),
            columns,
            groups,
            owners: Owners::new(),
            indexes: Indexes::new(),
            collectors: Collectors::new(),
            observers: Observers::new(),
            queue: Queue::new(),
            removed: Logs::default(),
            events: Events::new(),
            at_end: None,
            scratch: Vec::new(),
            sweep: Sweep::default(),
        };
        core.install_indexes();
        core
    }

    /// Adds to an entity's signature a component it lacks, or takes out one it has,
    /// after its value has been stored or moved out: node, groups, collectors.
    ///
    /// Gives the effects that entity indexes and observers are to follow, if any.
    pub(crate) fn toggle(
        &mut self,
        id: EntityId<C>,
        slot: Slot,
        component: ComponentIndex,
    ) -> Option<EffectsIndex> {
        let (target, effects) = self.graph.toggle(slot.node, component, &mut self.groups);
        self.slots.set_node(id, target);
        self.apply(id, slot.row, effects)
    }

    /// Flips the membership in the groups concerned and collects the entity; gives
    /// the effects back if entity indexes or observers are to follow
    /// ([`follow`](index::follow)).
    #[inline]
    pub(crate) fn apply(
        &mut self,
        id: EntityId<C>,
        row: Row,
        effects: EffectsIndex,
    ) -> Option<EffectsIndex> {
        if effects.spreads() {
            self.spread(id, row, effects);
        }
        effects.is_followed().then_some(effects)
    }

    /// Flips the membership in the groups concerned and collects the entity.
    ///
    /// Most changes concern one group: their way is straight, and every call on it is the
    /// last thing that is done, so that nothing need be kept for afterwards.
    #[inline(never)] // so that changes that concern nobody stay short
    pub(crate) fn spread(&mut self, id: EntityId<C>, row: Row, effects: EffectsIndex) {
        let what = self.graph.effects().get(effects);
        if what.wide {
            return self.spread_wide(id, row, effects);
        }
        if let Some(flip) = what.first_flip
            && !self.groups.flip(flip, row)
        {
            return self.spread_slowly(id, row, effects, 1);
        }
        if what.collectors != 0 {
            self.collectors.collect(&self.slots, id, what.collectors);
        }
    }

    /// The same where there are several groups: as long as each has other members near the
    /// row.
    #[inline(never)]
    fn spread_wide(&mut self, id: EntityId<C>, row: Row, effects: EffectsIndex) {
        let what = self.graph.effects().get(effects);
        let left = self.groups.flip_beside(&what.flips, row);
        if left > 0 || !what.more_collectors.is_empty() {
            return self.spread_slowly(id, row, effects, left);
        }
        if what.collectors != 0 {
            self.collectors.collect(&self.slots, id, what.collectors);
        }
    }

    /// The same where any number of groups is left to be changed, the last ones, in any way, or
    /// there are more than 32 collectors.
    #[inline(never)]
    fn spread_slowly(&mut self, id: EntityId<C>, row: Row, effects: EffectsIndex, left: usize) {
        let what = self.graph.effects().get(effects);
        self.groups
            .flip_all(&what.flips[what.flips.len() - left..], row);
        if what.collectors != 0 {
            self.collectors.collect(&self.slots, id, what.collectors);
        }
        if !what.more_collectors.is_empty() {
            self.collectors
                .collect_more(&self.slots, id, &what.more_collectors);
        }
    }

    /// Whether an outermost call is delivering, so that news has to be queued.
    #[inline]
    pub(crate) fn is_delivering(&self) -> bool {
        self.queue.flag.get().is_raised()
    }

    /// Has the graph work out all effects anew.
    fn forget_effects(&mut self) {
        let delivering = self.is_delivering();
        self.queue.kept_told |= delivering;
        self.queue.untidy |= delivering;
        self.graph.forget_effects(delivering);
    }

    /// Makes the group of a matcher that has none yet, with all that match already.
    pub(crate) fn add_group(&mut self, matcher: Matcher<C>) -> GroupIndex {
        let nodes = self.graph.matching(&matcher);
        let (group, is_filled) = self.groups.add(matcher, nodes);
        self.observers.add_group();
        self.graph.add_group(group, &self.groups.get(group).matcher);
        self.forget_effects();
        if !is_filled {
            self.fill_group(group);
        }
        group
    }

    /// Takes all that match into a new group.
    fn fill_group(&mut self, group: GroupIndex) {
        for (_, slot) in self.slots.iter::<C>() {
            if self.graph.groups(slot.node).last() == Some(&group)
                && let Some(members) = self.groups.first_members_mut(group)
            {
                members.flip(slot.row);
            }
        }
    }

    /// Tells the groups and the graph how many observers a subject has now.
    pub(crate) fn recount_observers(&mut self, subject: Subject) {
        if let Some((group, event)) = subject.as_group() {
            let count = self.observers.count(subject);
            self.groups
                .get_mut(group)
                .watch_mut(event)
                .set_observers(count);
            self.forget_effects();
        }
    }

    /// Marks a collector in the groups it waits for, or unmarks it.
    pub(crate) fn mark_collector(&mut self, collector: usize, interested: bool) {
        for &(group, events) in self.collectors.parts(collector) {
            for event in GroupEvent::ALL {
                if events.contains(event) {
                    let groups = &mut self.groups;
                    groups.set_collector(group, event, collector, interested);
                }
            }
        }
        self.forget_effects();
    }
}

/// The group of a matcher, made where there is none yet.
pub(crate) fn group<C: HasCore>(context: &mut C, matcher: Matcher<C>) -> Group<C> {
    let core = context.core_mut();
    let instance = core.instance;
    if let Some(known) = core.groups.find(&matcher) {
        return Group::new(instance, known);
    }
    let new = core.add_group(matcher);
    tell_group_created(context, new);
    Group::new(instance, new)
}

/// Refuses a handle of another context.
#[cold]
#[track_caller]
pub(crate) fn foreign<C: HasCore>(handle: &str) -> ! {
    panic!(
        "this {handle} belongs to another `{}`; a {handle} is good for the one context that \
         made it",
        C::NAME
    )
}
