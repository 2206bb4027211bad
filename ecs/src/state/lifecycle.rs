//! How entities come to life and end.

use super::core::{Core, HasCore};
use super::dispatch::{Dispatch, notify_queued};
use super::index::{drop_all_spent, follow};
use super::limit::check_limit;
use super::running::notify;
use super::user_code::Session;
use crate::matching::effects::EffectsIndex;
use crate::reactions::notification::Notification;
use crate::reactions::queue::Step;
use crate::reactions::subscription::Subject;
use crate::storage::slots::{EMPTY_NODE, NodeIndex, Row, Slot};
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};

/// Brings an entity without components to life.
#[inline]
pub(crate) fn create<C: HasCore>(context: &mut C) -> EntityId<C> {
    let (id, row) = context.core_mut().slots.create(EMPTY_NODE);
    arrive(context, id, row, EMPTY_NODE);
    id
}

/// Makes a new entity known, with all components its node stands for.
#[inline]
pub(crate) fn arrive<C: HasCore>(context: &mut C, id: EntityId<C>, row: Row, node: NodeIndex) {
    let core = context.core_mut();
    let effects = core.graph.create(node, &core.groups);
    arrive_as(context, id, row, effects);
}

/// Makes a new entity known whose coming to life has these effects.
#[inline]
pub(crate) fn arrive_as<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    row: Row,
    effects: EffectsIndex,
) {
    if effects != EffectsIndex::NONE || context.core().observers.any_of_lives() {
        arrive_noted(context, id, row, effects);
    }
}

/// Makes a new entity known if a group or a collector takes it in, or somebody is to be notified.
#[inline(never)]
fn arrive_noted<C: HasCore>(context: &mut C, id: EntityId<C>, row: Row, effects: EffectsIndex) {
    let core = context.core_mut();
    if effects.is_followed() || core.observers.any_of_lives() {
        core.apply(id, row, effects);
        follow_created(context, id, effects);
    } else {
        core.spread(id, row, effects);
    }
}

impl<C: 'static> Core<C> {
    /// Has collectors and listeners forget the slot of an entity that ends.
    #[inline]
    pub(super) fn forget_slot(&mut self, id: EntityId<C>, row: Row) {
        self.collectors.forget_slot(&self.slots, id, row);
        self.observers.note_end(id.raw());
    }

    /// Drops the components of an entity whose slot is free already.
    #[inline]
    fn drop_components(&mut self, slot: Slot) {
        let components = self.graph.component_list(slot.node);
        self.columns.drop_left(components, slot.row);
    }

    /// Whether anybody is to be notified when entities end, or has noted some that may end.
    #[inline]
    pub(super) fn anybody_notes_ends(&self) -> bool {
        self.observers.any_of_lives() || self.collectors.any() || self.observers.any_of_one()
    }
}

#[cold]
#[inline(never)]
fn follow_created<C: HasCore>(context: &mut C, id: EntityId<C>, effects: EffectsIndex) {
    let observed = follow(context, id, effects);
    let core = context.core_mut();
    if !observed && core.observers.is_empty(Subject::CREATED) {
        return;
    }
    core.queue_change(id, None, None);
    core.queue_entity(Subject::CREATED);
    core.queue_effects(effects);
    notify_queued(context);
}

/// Ends an entity.
///
/// Asked for by a *will be destroyed* observer, it is carried out right after the
/// destroy that the observer was notified of: such an observer is notified before its
/// change and so cannot wait its turn in the queue, nor run inside itself.
#[inline]
pub(crate) fn destroy<C: HasCore>(context: &mut C, id: EntityId<C>) -> Result<(), Error> {
    let core = context.core_mut();
    let Some(slot) = core.slots.get(id) else {
        return Err(dead(id));
    };
    if let Some(components) = core.graph.ends_alone(slot.node)
        && !core.anybody_notes_ends()
    {
        core.slots.destroy(id);
        core.columns.drop_left(components, slot.row);
        return Ok(());
    }
    destroy_noted(context, id, slot)
}

/// Destroys an entity if somebody is to be notified or notes it, or if nobody has ended in its
/// node yet.
#[inline(never)]
fn destroy_noted<C: HasCore>(context: &mut C, id: EntityId<C>, slot: Slot) -> Result<(), Error> {
    if !context
        .core()
        .observers
        .is_empty(Subject::WILL_BE_DESTROYED)
    {
        return announce_and_end(context, id);
    }
    end(context, id, slot);
    Ok(())
}

#[cold]
pub(super) fn dead<C: HasCore>(id: EntityId<C>) -> Error {
    Error::not_alive(id.raw(), C::NAME, Operation::Destroy)
}

#[cold]
#[inline(never)]
fn announce_and_end<C: HasCore>(context: &mut C, id: EntityId<C>) -> Result<(), Error> {
    let core = context.core_mut();
    if !core.is_dispatching() {
        let mut dispatch = Dispatch::start(context);
        announce_and_end_all(dispatch.context(), id);
        dispatch.run();
        return Ok(());
    }
    let queue = &mut core.queue;
    if queue.destroying == Some(id) || queue.pending.contains(&id) {
        return Err(Error::being_destroyed(id.raw(), C::NAME));
    }
    if queue.destroying.is_some() {
        queue.pending.push_back(id);
    } else {
        announce_and_end_all(context, id);
    }
    Ok(())
}

/// Ends an entity and then those whose destroy its observers have asked for.
fn announce_and_end_all<C: HasCore>(context: &mut C, first: EntityId<C>) {
    let mut next = Some(first);
    let mut notified = 0;
    while let Some(id) = next {
        notified += 1;
        check_limit(context, notified, &Step::Entity(Subject::WILL_BE_DESTROYED));
        announce(context, id);
        if let Some(slot) = context.core().slots.get(id) {
            end(context, id, slot);
        }
        next = context.core_mut().queue.pending.pop_front();
    }
}

/// Notifies the *will be destroyed* observers, at once: the entity is whole.
fn announce<C: HasCore>(context: &mut C, id: EntityId<C>) {
    let queue = &mut context.core_mut().queue;
    (queue.destroying, queue.untidy) = (Some(id), true);
    let mut announcement = Announcement {
        session: Session::new(context),
        done: false,
    };
    let now = u64::MAX; // all observers there are
    let (subject, of) = (Subject::WILL_BE_DESTROYED, Notification::Entity(id));
    notify(announcement.session.context(), subject, now, &of);
    announcement.done = true;
}

/// An announcement under way. If an observer panics, nothing is destroyed, and
/// what was put off until after the destroy is forgotten.
struct Announcement<'a, C: HasCore> {
    session: Session<'a, C>,
    done: bool,
}

impl<C: HasCore> Drop for Announcement<'_, C> {
    fn drop(&mut self) {
        let Some(core) = self.session.core_mut() else {
            return; // it recovers later
        };
        core.queue.destroying = None;
        if !self.done {
            core.queue.pending.clear();
        }
    }
}

/// Ends an entity: its effects are those of its node. It is propagated before it is stored,
/// because collectors find the entity by its slot.
#[inline]
fn end<C: HasCore>(context: &mut C, id: EntityId<C>, slot: Slot) {
    let core = context.core_mut();
    let effects = core.graph.destroy(slot.node, &core.groups);
    core.apply(id, slot.row, effects);
    core.forget_slot(id, slot.row);
    core.slots.destroy(id);
    if effects.is_followed() || core.observers.any_of_lives() {
        conclude_followed(context, id, slot, effects);
    } else {
        core.drop_components(slot);
    }
}

/// Has entity indexes follow the end of an entity, then notifies of it, and of each component
/// that has gone, or drops the components if there is nobody to notify.
#[inline(never)]
fn conclude_followed<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    slot: Slot,
    effects: EffectsIndex,
) {
    let core = context.core_mut();
    if effects.is_indexed() {
        core.prepare_indexes(id, effects);
    }
    if core.graph.effects().are_observed(effects) || !core.observers.is_empty(Subject::DESTROYED) {
        queue_end(core, id, slot, effects);
        notify_queued(context);
    } else {
        core.drop_components(slot);
    }
    if effects.is_indexed() {
        drop_all_spent(context); // an observer may have changed which indexes are concerned
    }
}

/// Moves the components out and queues one change for each, then the end itself.
#[cold]
#[inline(never)]
fn queue_end<C: HasCore>(core: &mut Core<C>, id: EntityId<C>, slot: Slot, effects: EffectsIndex) {
    for place in 0..core.graph.component_list(slot.node).len() {
        let component = core.graph.component_list(slot.node)[place];
        let value = core.columns.take_left(component, slot.row);
        core.queue_change(id, Some(component), value);
        core.queue_effects_of(effects, Some(component));
    }
    core.queue_change(id, None, None);
    core.queue_effects_of(effects, None);
    core.queue_entity(Subject::DESTROYED);
}

/// Ends every entity that is alive at the call, in order of index.
pub(crate) fn destroy_all<C: HasCore>(context: &mut C) {
    let ids: alloc::vec::Vec<_> = context.core().slots.iter().map(|(id, _)| id).collect();
    for id in ids {
        // An observer may have ended it already, or be about to.
        let _ = destroy(context, id);
    }
}
