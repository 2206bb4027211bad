//! Telling observers: first in, first out, each change once, all state final.
//!
//! The outermost call that has something to tell becomes the *delivery*: it tells
//! its own change first and then, one after the other, those that observers have
//! queued meanwhile. A call from inside an observer only queues.
//!
//! An observer may put another context in the place of the one it was called with.
//! Then the delivery is over: what was still to be told went with the old one.

mod plain;

use alloc::boxed::Box;
use core::any::Any;

use super::core::{Core, HasCore};
use crate::matching::effects::{Effect, EffectsIndex};
use crate::matching::group::{Group, GroupIndex};
use crate::matching::matcher::GroupEvent;
use crate::reactions::change::{Change, Notice, ObserverFn, QueuedChange, Step, Subject};
use crate::storage::descriptor::AnyValue;
use crate::storage::flag::Flag;
use crate::storage::registry::numbering;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::EntityId;

pub(super) use self::plain::hear;

/// Tells all that is queued, unless a delivery is under way that will.
pub(super) fn tell_queued<C: HasCore>(context: &mut C) {
    if !context.core().is_delivering() {
        Delivery::start(context).run();
    }
}

/// Queues the news of a group and tells it.
pub(crate) fn tell_group_created<C: HasCore>(context: &mut C, group: GroupIndex) {
    let core = context.core_mut();
    if core.observers.is_empty(Subject::GROUP_CREATED) {
        return;
    }
    let nobody = EntityId::from_bits(1 << 32).expect("slot 0, generation 1");
    core.queue_change(nobody, None, None);
    core.queue.steps.push_back(Step::GroupCreated(group));
    tell_queued(context);
}

/// Becomes the delivery: tells a change at once, then all that it leads to.
fn deliver<C: HasCore>(
    context: &mut C,
    entity: EntityId<C>,
    effects: EffectsIndex,
    previous: Option<&dyn Any>,
) {
    let core = context.core_mut();
    let number = core.next_change();
    let told = core.graph.effects().told(effects);
    let mut delivery = Delivery::start(context);
    for place in told {
        if delivery.is_over() {
            return;
        }
        let effect = delivery.context.core().graph.effects().told_at(place);
        delivery.tell_group(entity, number, effect, previous);
    }
    delivery.run();
}

impl<C: 'static> Core<C> {
    /// A number for a change; observers that subscribe from now on do not hear it.
    #[inline]
    fn next_change(&mut self) -> u64 {
        self.queue.changes += 1;
        self.queue.changes
    }

    /// Opens a change in the queue: the steps queued after it are about it. Its
    /// previous value goes on the pool stack of `recycle_to` afterwards, or is dropped.
    pub(super) fn queue_change(
        &mut self,
        entity: EntityId<C>,
        recycle_to: Option<ComponentIndex>,
        previous: Option<Box<AnyValue>>,
    ) {
        let number = self.next_change();
        let change = QueuedChange {
            number,
            entity,
            previous,
            recycle_to,
        };
        self.queue.steps.push_back(Step::Change(change));
    }

    /// Queues a step for each group whose observers hear of these effects.
    pub(super) fn queue_effects(&mut self, effects: EffectsIndex) {
        self.queue_effects_where(effects, |_| true);
    }

    /// Queues a step for each observed group that is left through `component`, at a
    /// destroy.
    pub(super) fn queue_effects_of(
        &mut self,
        effects: EffectsIndex,
        component: Option<ComponentIndex>,
    ) {
        self.queue_effects_where(effects, |effect| effect.component == component);
    }

    fn queue_effects_where(&mut self, effects: EffectsIndex, wanted: impl Fn(&Effect) -> bool) {
        let table = self.graph.effects();
        let told = table.told(effects).map(|place| table.told_at(place));
        self.queue
            .steps
            .extend(told.filter(wanted).map(Step::Group));
    }

    /// Queues a step for the observers of entities coming to life, or of ended ones.
    pub(super) fn queue_entity(&mut self, subject: Subject) {
        if !self.observers.is_empty(subject) {
            self.queue.steps.push_back(Step::Entity(subject));
        }
    }
}

/// The right to deliver. Ends the delivery when it is dropped, also by a panic:
/// then what is still queued is dropped untold.
pub(super) struct Delivery<'a, C: HasCore> {
    context: &'a mut C,
    instance: u32,
    flag: &'static Flag,
}

impl<'a, C: HasCore> Delivery<'a, C> {
    #[inline]
    pub(super) fn start(context: &'a mut C) -> Self {
        let core = context.core();
        let (instance, flag) = (core.instance, core.queue.flag.get());
        flag.raise(true);
        Self {
            context,
            instance,
            flag,
        }
    }

    pub(super) fn context(&mut self) -> &mut C {
        self.context
    }

    /// Whether an observer has put another context in the place of its own.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.context.core().instance != self.instance
    }

    /// Walks the queue to its end.
    #[inline]
    pub(super) fn run(&mut self) {
        if !self.context.core().queue.steps.is_empty() {
            self.walk();
        }
    }

    #[inline(never)]
    fn walk(&mut self) {
        let mut current = None;
        let mut told = 0;
        while !self.is_over()
            && let Some(step) = self.context.core_mut().queue.steps.pop_front()
        {
            match (step, &current) {
                (Step::Change(next), _) => self.recycle(current.replace(next)),
                (step, Some(change)) => {
                    told += 1;
                    check_limit(self.context, told, &step);
                    self.tell(&step, change);
                }
                (step, None) => unreachable!("{} is about no change", step.name()),
            }
        }
        self.recycle(current);
    }

    fn tell(&mut self, step: &Step<C>, change: &QueuedChange<C>) {
        let (entity, number) = (change.entity, change.number);
        match *step {
            Step::Group(effect) => {
                let previous = change.previous.as_deref().map(|value| value as &dyn Any);
                self.tell_group(entity, number, effect, previous);
            }
            Step::Entity(subject) => {
                notify(self.context, subject, number, &Notice::Entity(entity));
            }
            Step::GroupCreated(group) => {
                let notice = Notice::GroupCreated(Group::new(self.instance, group));
                notify(self.context, Subject::GROUP_CREATED, number, &notice);
            }
            Step::Change(_) => {}
        }
    }

    /// Tells the observers of a group what a change did to it.
    #[inline]
    pub(super) fn tell_group(
        &mut self,
        entity: EntityId<C>,
        number: u64,
        effect: Effect,
        previous: Option<&dyn Any>,
    ) {
        let subject = Subject::group(effect.group, effect.event);
        let change = Change::new(self.instance, entity, effect, previous);
        notify(self.context, subject, number, &Notice::Change(change));
    }

    /// Puts the previous value of a change that everybody has been told of on its
    /// pool stack, or drops it.
    fn recycle(&mut self, told: Option<QueuedChange<C>>) {
        if let Some(QueuedChange {
            previous: Some(value),
            recycle_to: Some(component),
            ..
        }) = told
            && let Some(column) = self.context.core_mut().columns.at_mut(component)
        {
            column.recycle_boxed(value);
        }
    }
}

impl<C: HasCore> Drop for Delivery<'_, C> {
    #[inline]
    fn drop(&mut self) {
        self.flag.raise(false);
        if !self.is_over() && !self.context.core().queue.is_idle() {
            clean_up(self.context.core_mut());
        }
    }
}

/// Closes the gaps that ended observers have left, and forgets what a panic has left
/// untold.
#[cold]
#[inline(never)]
fn clean_up<C: 'static>(core: &mut Core<C>) {
    core.queue.untidy = false;
    core.queue.dying = None;
    core.queue.doomed.clear();
    for subject in core::mem::take(&mut core.queue.gaps) {
        core.observers.compact(subject);
    }
    if !core.queue.steps.is_empty() {
        drop(core::mem::take(&mut core.queue.steps));
    }
}

/// Calls the observers of a subject that were there before the change.
#[inline(always)] // as above
pub(super) fn notify<C: HasCore>(
    context: &mut C,
    subject: Subject,
    change: u64,
    notice: &Notice<'_, C>,
) {
    let core = context.core();
    let (instance, places) = (core.instance, core.observers.places(subject));
    for place in 0..places {
        let core = context.core_mut();
        if core.instance != instance {
            return;
        }
        if let Some(call) = core.observers.take(subject, place, change) {
            Running {
                context,
                instance,
                subject,
                place,
                call: Some(call),
            }
            .run(notice);
        }
    }
}

/// An observer that is running: put back when it is done, also by a panic.
struct Running<'a, C: HasCore> {
    context: &'a mut C,
    instance: u32,
    subject: Subject,
    place: usize,
    call: Option<ObserverFn<C>>,
}

impl<C: HasCore> Running<'_, C> {
    #[inline(always)] // as above
    fn run(mut self, notice: &Notice<'_, C>) {
        if let Some(call) = &mut self.call {
            call(self.context, notice);
        }
        self.put_back();
        core::mem::forget(self); // nothing is left for `drop` to do
    }

    #[inline(always)] // as above
    fn put_back(&mut self) {
        let core = self.context.core_mut();
        if let Some(call) = self.call.take()
            && core.instance == self.instance
        {
            let ended = core.observers.put_back(self.subject, self.place, call);
            drop(ended);
        }
    }
}

impl<C: HasCore> Drop for Running<'_, C> {
    #[cold]
    fn drop(&mut self) {
        self.put_back();
    }
}

/// Stops a chain of reactions that has become too long to be meant.
#[inline]
pub(super) fn check_limit<C: HasCore>(context: &C, told: usize, step: &Step<C>) {
    if told > context.core().queue.limit {
        endless(context, step);
    }
}

#[cold]
fn endless<C: HasCore>(context: &C, step: &Step<C>) -> ! {
    let limit = context.core().queue.limit;
    let (context_name, name) = (C::NAME, step.name());
    match *step {
        Step::Group(Effect {
            group, component, ..
        }) => panic!(
            "observers of context `{context_name}` react to each other without end: stopped after \
             {limit} notifications at {name} of {:?} through component `{}`; let them change \
             only what is not yet as it should be, or raise the limit with \
             `set_notification_limit`",
            context.core().groups.get(group).matcher,
            component.map_or("none", |component| numbering::<C>().name(component)),
        ),
        _ => panic!(
            "observers of context `{context_name}` react to each other without end: stopped after \
             {limit} notifications at {name}; raise the limit with `set_notification_limit` \
             if that many are meant"
        ),
    }
}

impl<C> Step<C> {
    /// What the step is called in messages.
    fn name(&self) -> &'static str {
        match *self {
            Self::Group(effect) => match effect.event {
                GroupEvent::Entered => "an entity that entered the group",
                GroupEvent::Left => "an entity that left the group",
                GroupEvent::Updated => "an update in the group",
            },
            Self::Entity(Subject::CREATED) => "an entity that was created",
            Self::Entity(Subject::WILL_BE_DESTROYED) => "an entity that is about to be destroyed",
            Self::Entity(_) => "an entity that was destroyed",
            Self::GroupCreated(_) => "a group that was created",
            Self::Change(_) => "a change",
        }
    }
}
