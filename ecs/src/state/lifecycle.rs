//! How entities come to life and end.

use super::deliver::{Delivery, check_limit, notify, tell_queued};
use super::{Core, HasCore};
use crate::change::{Notice, Step, Subject};
use crate::columns::Columns;
use crate::component::ComponentIndex;
use crate::entity_id::EntityId;
use crate::error::{Error, Operation};
use crate::graph::EffectsIndex;
use crate::signature::ComponentSet;
use crate::slots::{EMPTY_NODE, NodeIndex, Row};

/// Brings an entity without components to life.
#[inline]
pub(crate) fn create<C: HasCore>(context: &mut C) -> EntityId<C> {
    let (id, row) = context.core_mut().slots.create();
    arrive(context, id, row, EMPTY_NODE);
    id
}

/// Makes a new entity known, with all components its node stands for.
#[inline]
pub(crate) fn arrive<C: HasCore>(context: &mut C, id: EntityId<C>, row: Row, node: NodeIndex) {
    if let Some(effects) = context.core_mut().arrive(id, row, node) {
        tell_created(context, id, effects);
    }
}

impl<C: 'static> Core<C> {
    /// Puts a new entity into the groups of its node; gives the effects that
    /// observers are to be told of, if any.
    #[inline]
    fn arrive(&mut self, id: EntityId<C>, row: Row, node: NodeIndex) -> Option<EffectsIndex> {
        let effects = self.graph.create(node, &self.groups);
        let observed = self.apply(id, row, effects);
        observed.or((!self.observers.is_empty(Subject::Created)).then_some(effects))
    }
}

#[cold]
#[inline(never)]
fn tell_created<C: HasCore>(context: &mut C, id: EntityId<C>, effects: EffectsIndex) {
    let core = context.core_mut();
    core.queue_change(id, None, None);
    core.queue_entity(Subject::Created);
    core.queue_effects(effects);
    tell_queued(context);
}

/// Ends an entity.
///
/// Asked for by a *will be destroyed* observer, it is carried out right after the
/// destroy that the observer was told of: such an observer is told before its
/// change and so cannot wait its turn in the queue, nor run inside itself.
#[inline]
pub(crate) fn destroy<C: HasCore>(context: &mut C, id: EntityId<C>) -> Result<(), Error> {
    let core = context.core_mut();
    if core.slots.get(id).is_none() {
        let (entity, operation) = (id.raw(), Operation::Destroy);
        return Err(Error::NotAlive {
            entity,
            context: C::NAME,
            operation,
            component: None,
        });
    }
    if core.observers.is_empty(Subject::WillBeDestroyed) {
        end(context, id);
        return Ok(());
    }
    announce_and_end(context, id)
}

#[cold]
#[inline(never)]
fn announce_and_end<C: HasCore>(context: &mut C, id: EntityId<C>) -> Result<(), Error> {
    let queue = &mut context.core_mut().queue;
    if queue.dying == Some(id) || queue.doomed.contains(&id) {
        return Err(Error::BeingDestroyed {
            entity: id.raw(),
            context: C::NAME,
        });
    }
    if queue.dying.is_some() {
        queue.doomed.push_back(id);
        return Ok(());
    }
    if queue.delivering {
        announce_and_end_all(context, id);
    } else {
        let mut delivery = Delivery::start(context);
        announce_and_end_all(delivery.context(), id);
        delivery.run();
    }
    Ok(())
}

/// Ends an entity and then those whose destroy its observers have asked for.
fn announce_and_end_all<C: HasCore>(context: &mut C, first: EntityId<C>) {
    let mut next = Some(first);
    let mut told = 0;
    while let Some(id) = next {
        told += 1;
        check_limit(context, told, &Step::Entity(Subject::WillBeDestroyed));
        announce(context, id);
        end(context, id);
        next = context.core_mut().queue.doomed.pop_front();
    }
}

/// Tells the *will be destroyed* observers, at once: the entity is whole.
fn announce<C: HasCore>(context: &mut C, id: EntityId<C>) {
    context.core_mut().queue.dying = Some(id);
    let mut announcement = Announcement {
        context,
        done: false,
    };
    let now = u64::MAX; // every observer there is hears of it
    notify(
        announcement.context,
        Subject::WillBeDestroyed,
        now,
        &Notice::Entity(id),
    );
    announcement.done = true;
}

/// An announcement under way. Where an observer panics nothing is destroyed, and
/// what was put off until after the destroy is forgotten.
struct Announcement<'a, C: HasCore> {
    context: &'a mut C,
    done: bool,
}

impl<C: HasCore> Drop for Announcement<'_, C> {
    fn drop(&mut self) {
        let queue = &mut self.context.core_mut().queue;
        queue.dying = None;
        if !self.done {
            queue.doomed.clear();
        }
    }
}

/// Takes a living entity out of all books, then drops its components or, where
/// somebody is to be told, queues them with the news.
fn end<C: HasCore>(context: &mut C, id: EntityId<C>) {
    let core = context.core_mut();
    let Some(slot) = core.slots.get(id) else {
        return;
    };
    let effects = core.graph.destroy(slot.node, &core.groups);
    let observed = core.apply(id, slot.row, effects).is_some();
    core.collectors.forget_slot(id);
    core.slots.destroy(id);
    if observed || !core.observers.is_empty(Subject::Destroyed) {
        queue_end(core, id, slot.row, slot.node, effects);
        tell_queued(context);
    } else {
        let components = core.graph.components(slot.node);
        Discard {
            columns: &mut core.columns,
            components: components.iter(),
            row: slot.row,
        }
        .run();
    }
}

/// Moves the components out and queues one change for each, then the end itself.
#[cold]
fn queue_end<C: HasCore>(
    core: &mut Core<C>,
    id: EntityId<C>,
    row: Row,
    node: NodeIndex,
    effects: EffectsIndex,
) {
    let components: ComponentSet = core.graph.components(node).clone();
    for component in components.iter() {
        let value = core
            .columns
            .at_mut(component)
            .and_then(|column| column.take_boxed(row));
        core.queue_change(id, Some(component), value);
        core.queue_effects_of(effects, Some(component));
    }
    core.queue_change(id, None, None);
    core.queue_effects_of(effects, None);
    core.queue_entity(Subject::Destroyed);
}

/// Drops the values of an ended entity; goes on with the rest when a `drop` panics.
struct Discard<'a, C: 'static, I: Iterator<Item = ComponentIndex>> {
    columns: &'a mut Columns<C>,
    components: I,
    row: Row,
}

impl<C, I: Iterator<Item = ComponentIndex>> Discard<'_, C, I> {
    #[inline]
    fn run(&mut self) {
        for component in self.components.by_ref() {
            if let Some(column) = self.columns.at_mut(component) {
                column.discard(self.row);
            }
        }
    }
}

impl<C, I: Iterator<Item = ComponentIndex>> Drop for Discard<'_, C, I> {
    #[inline]
    fn drop(&mut self) {
        self.run();
    }
}

/// Ends every entity that is alive at the call, in order of index.
pub(crate) fn destroy_all<C: HasCore>(context: &mut C) {
    let ids: alloc::vec::Vec<_> = context.core().slots.iter().map(|(id, _)| id).collect();
    for id in ids {
        // An observer may have ended it already, or be about to.
        let _ = destroy(context, id);
    }
}
