//! Notifying observers: first in, first out, each change once, all state final.
//!
//! The outermost call that has something to notify of becomes the *delivery*: it notifies
//! of its own change first and then, one after the other, of those that observers have
//! queued meanwhile. A call from inside an observer only queues. Listeners are notified by
//! the same delivery; that it is one of events decides *when*.
//!
//! ```text
//! Delivery ── raises the flag ──► notify_next ──► Running ──► user code
//!    │                              one observer    takes it out, puts it back
//!    └─ walks the queue, lowers the flag, puts in order
//! ```

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::mem;
use core::ops::Range;

use super::core::{Core, HasCore};
use super::index::follow;
use super::user_code::Session;
use crate::matching::effects::{Effect, EffectsIndex};
use crate::matching::group::{Group, GroupIndex};
use crate::reactions::change::Change;
use crate::reactions::notification::{Notification, Observer};
use crate::reactions::queue::{QueuedChange, Step};
use crate::reactions::subscription::Subject;
use crate::storage::descriptor::AnyValue;
use crate::storage::registry::numbering;
use crate::storage::slots::Row;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::EntityId;

/// Carries a change on to the groups, the collectors, the entity indexes, and the
/// observers, who are lent the previous value. Returns true if a delivery is under way:
/// then observers have not been notified, and the caller is to queue the change.
#[inline(always)] // into the one function that calls it for a component
pub(super) fn hear<C: HasCore>(
    context: &mut C,
    entity: EntityId<C>,
    row: Row,
    effects: EffectsIndex,
    previous: Option<&dyn Any>,
) -> bool {
    let core = context.core_mut();
    if effects.spreads() {
        core.spread(entity, row, effects);
    }
    if !follow(context, entity, effects) {
        return false;
    }
    let core = context.core_mut();
    let busy = core.is_delivering();
    if let (false, Some(effect)) = (busy, core.one_to_notify(effects)) {
        deliver_one(context, entity, effect, previous);
    } else if !busy {
        deliver(context, entity, effects, previous);
    }
    busy
}

/// Notifies of all that is queued, unless a delivery is under way that will.
pub(super) fn notify_queued<C: HasCore>(context: &mut C) {
    if !context.core_mut().is_delivering() {
        Delivery::start(context).run();
    }
}

/// Notifies of a new group.
pub(crate) fn notify_group_created<C: HasCore>(context: &mut C, group: GroupIndex) {
    let core = context.core_mut();
    if core.observers.is_empty(Subject::GROUP_CREATED) {
        return;
    }
    let nobody = EntityId::from_bits(1 << 32).expect("slot 0, generation 1");
    core.queue_change(nobody, None, None);
    core.queue.steps.push_back(Step::GroupCreated(group));
    notify_queued(context);
}

/// Becomes the delivery: notifies the only observer of the only effect, then of all that it
/// leads to.
#[inline(always)] // into the one function that calls it for a component
fn deliver_one<C: HasCore>(
    context: &mut C,
    entity: EntityId<C>,
    effect: Effect,
    previous: Option<&dyn Any>,
) {
    let mut delivery = Delivery::start(context);
    let change = Change::new(delivery.session.instance, entity, effect, previous);
    let notification = Notification::Change(change);
    // Nobody else is there, so the change needs no number.
    notify_at(
        delivery.context(),
        Subject::of(effect),
        0,
        u64::MAX,
        &notification,
    );
    delivery.run();
}

/// Becomes the delivery: notifies of a change at once, then of all that it leads to.
#[inline(never)] // so that what one observer needs stays short
fn deliver<C: HasCore>(
    context: &mut C,
    entity: EntityId<C>,
    effects: EffectsIndex,
    previous: Option<&dyn Any>,
) {
    let core = context.core_mut();
    let number = core.next_change();
    let to_notify = core.graph.effects().to_notify(effects);
    let mut delivery = Delivery::start(context);
    for place in to_notify {
        let effect = delivery
            .context()
            .core()
            .graph
            .effects()
            .to_notify_at(place);
        delivery.notify_group(entity, number, effect, previous);
    }
    delivery.run();
}

impl<C: HasCore> Core<C> {
    /// The effect that observers are to be notified of, if it is one and so are they.
    #[inline]
    fn one_to_notify(&self, effects: EffectsIndex) -> Option<Effect> {
        let effect = self.graph.effects().get(effects).only_to_notify?;
        (self.observers.places(Subject::of(effect)) == 1).then_some(effect)
    }

    /// Whether a delivery is under way, so that notifications have to be queued.
    #[inline]
    pub(crate) fn is_delivering(&mut self) -> bool {
        !self.queue.flag.is_idle() && !self.recover()
    }

    /// Puts in order what a delivery has left that the context was moved away from;
    /// returns whether there was one.
    #[cold]
    #[inline(never)]
    pub(crate) fn recover(&mut self) -> bool {
        let is_abandoned = self.queue.flag.is_abandoned();
        if is_abandoned {
            self.queue.flag.get().lower();
            self.events.delivering = false;
            self.clean_up();
        }
        is_abandoned
    }

    /// Puts observers back that were left by a delivery that lacked the context, closes the
    /// gaps that ended ones have left, and forgets what a panic has left in the queue.
    #[cold]
    #[inline(never)]
    fn clean_up(&mut self) {
        let left = self.put_left_back();
        self.queue.untidy = false;
        self.queue.destroying = None;
        self.queue.pending.clear();
        for subject in core::mem::take(&mut self.queue.gaps) {
            self.observers.compact(subject);
        }
        let steps = (!self.queue.steps.is_empty()).then(|| core::mem::take(&mut self.queue.steps));
        drop((left, steps)); // user code
    }

    /// Returns those that have been ended meanwhile.
    fn put_left_back(&mut self) -> Vec<Observer<C>> {
        let left = self.queue.flag.take_left().into_iter();
        let left = left.filter_map(|left| left.downcast::<Left<C>>().ok());
        left.filter_map(|left| {
            let observers = &mut self.observers;
            observers.put_back(left.subject, left.place, left.call)
        })
        .collect()
    }
}

impl<C: 'static> Core<C> {
    /// A number for a change; observers that subscribe from now on are not notified of it.
    #[inline]
    pub(super) fn next_change(&mut self) -> u64 {
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

    /// Queues a step for each group whose observers are notified of these effects.
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
        let to_notify = table
            .to_notify(effects)
            .map(|place| table.to_notify_at(place));
        self.queue
            .steps
            .extend(to_notify.filter(wanted).map(Step::Group));
    }

    /// Queues a step for the observers of entities coming to life, or of ended ones.
    pub(super) fn queue_entity(&mut self, subject: Subject) {
        if !self.observers.is_empty(subject) {
            self.queue.steps.push_back(Step::Entity(subject));
        }
    }
}

/// The right to deliver. Ends the delivery when it is dropped, also by a panic:
/// then what is still queued is dropped.
pub(super) struct Delivery<'a, C: HasCore> {
    session: Session<'a, C>,
    /// Whether another delivery is under way around this one, which will walk the queue.
    nested: bool,
}

impl<'a, C: HasCore> Delivery<'a, C> {
    #[inline]
    pub(super) fn start(context: &'a mut C) -> Self {
        let session = Session::new(context);
        session.flag.raise();
        Self {
            session,
            nested: false,
        }
    }

    /// Begins a delivery, or takes part in the one under way.
    pub(super) fn join(context: &'a mut C) -> Self {
        if !context.core_mut().is_delivering() {
            return Self::start(context);
        }
        Self {
            session: Session::new(context),
            nested: true,
        }
    }

    #[inline]
    pub(super) fn context(&mut self) -> &mut C {
        self.session.context()
    }

    /// The core of the context, unless it was moved away: for drop guards.
    pub(super) fn core_mut(&mut self) -> Option<&mut Core<C>> {
        self.session.core_mut()
    }

    /// Walks the queue to its end.
    #[inline]
    pub(super) fn run(&mut self) {
        if !self.nested && !self.context().core().queue.steps.is_empty() {
            self.walk();
        }
    }

    #[inline(never)]
    fn walk(&mut self) {
        let mut current = None;
        let mut notified = 0;
        while let Some(step) = self.context().core_mut().queue.steps.pop_front() {
            match (step, &current) {
                (Step::Change(next), _) => self.recycle(current.replace(next)),
                (step, Some(change)) => {
                    notified += 1;
                    check_limit(self.context(), notified, &step);
                    self.notify_of(&step, change);
                }
                (step, None) => unreachable!("{} is about no change", step.name()),
            }
        }
        self.recycle(current);
    }

    fn notify_of(&mut self, step: &Step<C>, change: &QueuedChange<C>) {
        let instance = self.context().core().instance;
        let (subject, notification) = match *step {
            Step::Group(effect) => {
                let previous = change.previous.as_deref().map(|value| value as &dyn Any);
                let change = Change::new(instance, change.entity, effect, previous);
                (Subject::of(effect), Notification::Change(change))
            }
            Step::Entity(subject) => (subject, Notification::Entity(change.entity)),
            Step::GroupCreated(group) => {
                let notification = Notification::GroupCreated(Group::new(instance, group));
                (Subject::GROUP_CREATED, notification)
            }
            Step::Change(_) => return,
        };
        notify(self.context(), subject, change.number, &notification);
    }

    /// Notifies the observers of a group of what a change did to it.
    #[inline(always)] // called for each notification
    pub(super) fn notify_group(
        &mut self,
        entity: EntityId<C>,
        number: u64,
        effect: Effect,
        previous: Option<&dyn Any>,
    ) {
        let instance = self.context().core().instance;
        let change = Change::new(instance, entity, effect, previous);
        let notification = Notification::Change(change);
        notify(self.context(), Subject::of(effect), number, &notification);
    }

    /// Notifies of the same effect on many entities, each with the value it had before, as
    /// long as one observer is all there is and queues nothing; returns of how many it has.
    /// The caller notifies of the others as of any change.
    pub(super) fn notify_each<'p>(
        &mut self,
        to_notify: Range<usize>,
        entities: &[EntityId<C>],
        previous: impl Iterator<Item = Option<&'p dyn Any>>,
    ) -> usize {
        let core = self.context().core_mut();
        let (1, Some(&first)) = (to_notify.len(), entities.first()) else {
            return 0;
        };
        let (effect, instance) = (
            core.graph.effects().to_notify_at(to_notify.start),
            core.instance,
        );
        let subject = Subject::of(effect);
        let quiet = |context: &mut C| context.core().queue.is_quiet();
        if core.observers.places(subject) != 1 || !core.queue.is_quiet() {
            return 0;
        }
        let Some(mut running) = Running::take(self.context(), subject, 0, u64::MAX) else {
            return 0;
        };
        let mut change = Notification::Change(Change::new(instance, first, effect, None));
        let mut notified = 0;
        for (&entity, previous) in entities.iter().zip(previous) {
            notified += 1;
            if let Notification::Change(change) = &mut change {
                (change.entity, change.previous) = (entity, previous);
            }
            running.call(&change);
            if !quiet(running.session.context()) {
                break;
            }
        }
        notified
    }

    /// Puts the previous value of a change that everybody has been notified of on its
    /// pool stack, or drops it.
    fn recycle(&mut self, delivered: Option<QueuedChange<C>>) {
        if let Some(QueuedChange {
            previous: Some(value),
            recycle_to: Some(component),
            ..
        }) = delivered
            && let Some(column) = self.context().core_mut().columns.at_mut(component)
        {
            column.recycle_boxed(value);
        }
    }
}

impl<C: HasCore> Drop for Delivery<'_, C> {
    #[inline]
    fn drop(&mut self) {
        if self.nested {
            return;
        }
        let flag = self.session.flag;
        match self.session.core_mut() {
            Some(core) => {
                flag.lower();
                if !core.queue.is_quiet() || flag.has_left() {
                    core.clean_up();
                }
            }
            None => flag.abandon(),
        }
    }
}

/// Notifies the observers of a subject that were there before the change.
#[inline(always)] // so that the kind of the subject is known
pub(super) fn notify<C: HasCore>(
    context: &mut C,
    subject: Subject,
    change: u64,
    notification: &Notification<'_, C>,
) {
    for place in 0..context.core().observers.places(subject) {
        notify_at(context, subject, place, change, notification);
    }
}

/// Notifies the next one of the observers of a subject, from a place on, that were there
/// before the change; returns whether there was one.
#[inline]
pub(super) fn notify_next<C: HasCore>(
    context: &mut C,
    subject: Subject,
    place: &mut usize,
    change: u64,
    notification: &Notification<'_, C>,
) -> bool {
    while *place < context.core().observers.places(subject) {
        *place += 1;
        if notify_at(context, subject, *place - 1, change, notification) {
            return true;
        }
    }
    false
}

/// Notifies one observer, unless it has been ended, is running, or was not there before the
/// change; returns whether it did.
#[inline(always)] // called for each notification
pub(super) fn notify_at<C: HasCore>(
    context: &mut C,
    subject: Subject,
    place: usize,
    change: u64,
    notification: &Notification<'_, C>,
) -> bool {
    let running = Running::take(context, subject, place, change);
    running
        .map(|running| running.call_once(notification))
        .is_some()
}

/// An observer that is running: put back when it is done, also by a panic.
struct Running<'a, C: HasCore> {
    session: Session<'a, C>,
    subject: Subject,
    place: usize,
    call: Option<Observer<C>>,
}

/// An observer whose context was moved away while it ran.
struct Left<C> {
    subject: Subject,
    place: usize,
    call: Observer<C>,
}

impl<'a, C: HasCore> Running<'a, C> {
    /// Takes an observer out, if it is to be notified of the change with this number.
    #[inline]
    fn take(context: &'a mut C, subject: Subject, place: usize, change: u64) -> Option<Self> {
        let mut session = Session::new(context);
        let call = session.core_mut()?.observers.take(subject, place, change)?;
        Some(Self {
            session,
            subject,
            place,
            call: Some(call),
        })
    }

    #[inline]
    fn call(&mut self, notification: &Notification<'_, C>) {
        if let Some(call) = &mut self.call {
            self.session.call(|context| call(context, notification));
        }
    }

    /// Calls the observer and puts it back at once: what a drop does stays out of the way.
    #[inline(always)] // called for each notification
    fn call_once(mut self, notification: &Notification<'_, C>) {
        self.call(notification);
        self.put_back();
        mem::forget(self); // it holds nothing any more
    }

    #[inline(always)] // called for each notification
    fn put_back(&mut self) {
        let Some(call) = self.call.take() else {
            return;
        };
        let (subject, place) = (self.subject, self.place);
        match self.session.core_mut() {
            Some(core) => {
                let ended = core.observers.put_back(subject, place, call);
                drop(ended);
            }
            None => self.session.flag.leave(Box::new(Left {
                subject,
                place,
                call,
            })),
        }
    }
}

impl<C: HasCore> Drop for Running<'_, C> {
    fn drop(&mut self) {
        self.put_back();
    }
}

/// Stops a chain of reactions that has become too long to be meant.
#[inline]
pub(super) fn check_limit<C: HasCore>(context: &C, notified: usize, step: &Step<C>) {
    if notified > context.core().queue.limit {
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
