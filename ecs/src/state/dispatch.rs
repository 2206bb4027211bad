//! Notifying observers: first in, first out, each change once, all state final.
//!
//! The outermost call with notifications becomes the *dispatch*: it notifies of its own change
//! first, then, one after the other, of the changes that observers have queued. A call from inside
//! an observer only queues. Listeners use the same dispatch; `EventSystems` only decides *when*.
//!
//! ```text
//! Dispatch ── takes the turn ──► running.rs: takes an observer out, calls it, puts it back
//!    ├─ processes the queue (commit/queue.rs), up to a limit
//!    └─ gives the turn back and cleans up
//! ```

use core::mem;
use core::ops::Range;

use super::core::{Core, HasCore, tidy_graph};
use super::running::{ObserverPlace, Running, notify, run};
use super::user_code::{Session, check_dispatch, is_dispatching};
use crate::matching::effects::{Effect, EffectsIndex, EffectsTable};
use crate::matching::group::{Group, GroupIndex};
use crate::matching::matcher::Matcher;
use crate::reactions::change::Change;
use crate::reactions::notification::Notification;
use crate::reactions::queue::{DispatchRight, QueuedChange, Step};
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;
use crate::storage::descriptor::AnyValue;
use crate::storage::moved::Buffer;
use crate::words::entity_id::UntypedId;
use crate::words::printed::from_fn;
use crate::world::World;

/// Notifies the observers of a marked change of a component with the previous value.
#[inline(always)] // into its only caller
pub(super) fn notify_now<C: HasCore>(
    context: &mut C,
    right: DispatchRight,
    entity: UntypedId,
    effects: EffectsIndex,
    previous: &AnyValue,
) {
    let previous = Some(previous);
    let core = context.core_mut();
    let effect = core
        .world
        .graph
        .effects()
        .of_subscribed(effects)
        .only_to_notify;
    let only = effect.and_then(|it| Some((it, core.subs.observers.take_only(Subject::of(it))?)));
    let instance = core.world.instance;
    let mut dispatch = Dispatch {
        session: Session::of(context, instance),
        right: Some(right),
    };
    let Some((effect, call)) = only else {
        return dispatch.notify_all(entity, effects, previous);
    };
    let change = Change::new(instance, entity.typed(), effect, previous, u64::MAX);
    let notification = Notification::Change(change);
    let at_again = || notification.subject().map(ObserverPlace::first);
    let at = ObserverPlace::first(Subject::of(effect));
    run(
        dispatch.session.reborrow(),
        at,
        at_again,
        call,
        &notification,
    );
    dispatch.finish();
}

/// Notifies of everything queued, unless a running dispatch will do it.
pub(super) fn notify_queued<C: HasCore>(context: &mut C) {
    if !is_dispatching(&context.core().world, &context.core().subs) {
        Dispatch::start(context).run();
    }
}

/// Notifies of a new group.
pub(crate) fn notify_group_created<C: HasCore>(context: &mut C, group: GroupIndex) {
    let core = context.core_mut();
    if core.subs.observers.is_empty(Subject::GROUP_CREATED) {
        return;
    }
    let number = core.subs.queue.next_change();
    core.subs
        .queue
        .steps
        .push_back(Step::GroupCreated(number, group));
    notify_queued(context);
}

/// Makes changes, and notifies observers after all of them, in order. Inside another change, the
/// notifications are queued behind it. Observers of entities that are about to be destroyed are
/// notified immediately.
pub(crate) fn together<C: HasCore, R>(context: &mut C, change: impl FnOnce(&mut C) -> R) -> R {
    let mut dispatch = Dispatch::join(context);
    let result = change(dispatch.context());
    dispatch.deliver();
    result
}

/// A dispatch. It ends when dropped; after a panic the rest of the queue is dropped.
pub(crate) struct Dispatch<'a, C: HasCore> {
    session: Session<'a, C>,
    /// `None` inside another dispatch, which will process the queue.
    right: Option<DispatchRight>,
}

impl<'a, C: HasCore> Dispatch<'a, C> {
    #[inline]
    pub(super) fn start(context: &'a mut C) -> Self {
        let core = context.core_mut();
        let (instance, right) = (core.world.instance, core.subs.queue.turn.take());
        let session = Session::of(context, instance);
        Self { session, right }
    }

    /// Starts a dispatch, or joins the running one.
    pub(crate) fn join(context: &'a mut C) -> Self {
        check_dispatch(&context.core().world, &context.core().subs);
        Self::start(context)
    }

    #[inline]
    pub(crate) fn context(&mut self) -> &mut C {
        self.session.context()
    }

    /// The core of the context, unless it was moved away: for drop guards.
    pub(super) fn core_mut(&mut self) -> Option<&mut Core<C>> {
        self.session.core_mut()
    }

    /// Processes the whole queue.
    #[inline]
    pub(super) fn run(&mut self) {
        self.run_inline(0);
    }

    /// Delivers the whole queue. The first `own` notifications belong to the change itself, and do
    /// not count as reactions.
    #[inline]
    pub(crate) fn run_inline(&mut self, own: usize) {
        if self.right.is_some() && !self.context().core().subs.queue.steps.is_empty() {
            deliver_queued(self.context(), own);
        }
    }

    /// Notifies of all changes since the start, which do not count as reactions.
    pub(crate) fn deliver(mut self) {
        let own = self.context().core().subs.queue.steps.len();
        self.run_inline(own);
    }

    /// Notifies all observers of a change of a component with the previous value, and ends.
    #[inline(never)] // keeps the code for a single observer short
    pub(super) fn notify_all(
        mut self,
        entity: UntypedId,
        effects: EffectsIndex,
        previous: Option<&AnyValue>,
    ) {
        let core = self.context().core_mut();
        let number = core.subs.queue.next_change();
        let to_notify = core.world.graph.effects().to_notify(effects);
        self.notify_groups(number, entity, to_notify, previous);
        self.finish();
    }

    /// Notifies the observers of a group of the effect of a change.
    #[inline(always)] // called for each notification
    pub(super) fn notify_group(
        &mut self,
        entity: UntypedId,
        number: u64,
        effect: Effect,
        previous: Option<&AnyValue>,
    ) {
        let instance = self.context().core().world.instance;
        let change = Change::new(instance, entity.typed(), effect, previous, number);
        let notification = Notification::Change(change);
        notify(self.context(), Subject::of(effect), number, &notification);
    }

    /// Notifies the observers of changes of the same kind, each with its previous value.
    pub(super) fn notify_run<'p>(
        &mut self,
        number: u64,
        entities: &[UntypedId],
        to_notify: Range<usize>,
        previous: impl Fn(usize) -> Option<&'p AnyValue>,
    ) {
        let values = (0..entities.len()).map(&previous);
        let done = self.notify_each(number, to_notify.clone(), entities, values);
        for (nth, &entity) in entities.iter().enumerate().skip(done) {
            self.notify_groups(number, entity, to_notify.clone(), previous(nth));
        }
    }

    /// Notifies the observers of all groups of the effects of a change. An observer may cause the effects to be
    /// forgotten, but not the list of those to notify.
    #[inline]
    pub(super) fn notify_groups(
        &mut self,
        number: u64,
        entity: UntypedId,
        to_notify: Range<usize>,
        previous: Option<&AnyValue>,
    ) {
        fn table<C: HasCore>(context: &C) -> &EffectsTable {
            context.core().world.graph.effects()
        }
        for place in to_notify {
            let effect = table(self.context()).to_notify_at(place);
            self.notify_group(entity, number, effect, previous);
        }
    }

    /// Notifies of the same effect on many entities, each with its previous value, as long as there
    /// is a single observer and it queues nothing. Returns the number of entities done; the caller
    /// notifies of the others one by one.
    pub(super) fn notify_each<'p>(
        &mut self,
        number: u64,
        to_notify: Range<usize>,
        entities: &[UntypedId],
        previous: impl Iterator<Item = Option<&'p AnyValue>>,
    ) -> usize {
        let core = self.context().core_mut();
        let (1, Some(&first)) = (to_notify.len(), entities.first()) else {
            return 0;
        };
        let (effect, instance) = (
            core.world.graph.effects().to_notify_at(to_notify.start),
            core.world.instance,
        );
        let subject = Subject::of(effect);
        let is_quiet = core.subs.queue.is_quiet();
        let mut taken = is_quiet
            .then(|| core.subs.observers.take_only(subject))
            .flatten();
        if taken.is_none() {
            return 0;
        }
        let at = || Some(ObserverPlace::first(subject));
        let session = Session::of(self.context(), instance); // of the core that had the observer
        let mut running = Running::new(session, at, &mut taken);
        let change = Change::new(instance, first.typed(), effect, None, number);
        let mut change = Notification::Change(change);
        let mut notified = 0;
        for (&entity, previous) in entities.iter().zip(previous) {
            notified += 1;
            if let Notification::Change(change) = &mut change {
                (change.entity, change.previous) = (entity.typed(), previous);
            }
            running.call(&change);
            if !running.context().core().subs.queue.is_quiet() {
                break;
            }
        }
        notified
    }

    /// Processes the whole queue and ends the dispatch; immediately if there is nothing to do or to
    /// clean up.
    #[inline(always)] // once per change
    fn finish(mut self) {
        let queue = &mut self.session.context().core_mut().subs.queue;
        if queue.is_quiet()
            && let Some(right) = self.right.take()
        {
            queue.turn.give_back(right);
            mem::forget(self); // it has ended
        } else {
            deliver_queued(self.context(), 0);
        }
    }
}

impl<C: HasCore> Drop for Dispatch<'_, C> {
    #[inline(always)] // otherwise state is stored for it in advance
    fn drop(&mut self) {
        if let Some(right) = self.right.take() {
            end(self.session.reborrow(), right);
        }
    }
}

/// Ends a dispatch. If its context was moved away, the turn is lost, which the context detects
/// later.
#[cold]
#[inline(never)]
fn end<C: HasCore>(mut session: Session<'_, C>, right: DispatchRight) {
    if let Some(core) = session.core_mut() {
        core.subs.queue.turn.give_back(right);
        if !core.subs.queue.is_quiet() {
            clean_up(&mut core.world, &mut core.subs);
        }
    }
}

/// Removes the gaps of removed observers, effects that were forgotten, and what a panic has left in
/// the queue.
fn clean_up(world: &mut World, subs: &mut Subscribers) {
    subs.queue.untidy = false;
    subs.queue.destroying = None;
    subs.queue.pending.clear();
    drop(subs.indexes.watched_destroys());
    for subject in mem::take(&mut subs.queue.gaps) {
        subs.observers.compact(subject);
    }
    tidy_graph(world, subs);
    let steps = (!subs.queue.steps.is_empty()).then(|| mem::take(&mut subs.queue.steps));
    drop(steps); // user code
}

/// Delivers the whole queue. The first `own` notifications belong to the change itself.
#[inline(never)] // keeps the code for a single observer short
fn deliver_queued<C: HasCore>(context: &mut C, own: usize) {
    let mut current = None;
    let mut notified = 0_usize;
    while let Some(step) = context.core_mut().subs.queue.steps.pop_front() {
        match step {
            Step::Change(next) => {
                recycle(context, current.replace(next));
                continue;
            }
            Step::Message(_) | Step::GroupCreated(..) => recycle(context, current.take()),
            Step::Group(_) | Step::Entity(_) => {}
        }
        notified += 1;
        check_limit(context, notified.saturating_sub(own), &step);
        notify_step(context, &step, current.as_ref());
    }
    recycle(context, current);
}

fn notify_step<C: HasCore>(context: &mut C, step: &Step, change: Option<&QueuedChange>) {
    let instance = context.core().world.instance;
    let (subject, number, notification) = match (step, change) {
        (&Step::Group(effect), Some(change)) => {
            let previous = change.previous.as_deref();
            let notified = Change::new(
                instance,
                change.entity.typed(),
                effect,
                previous,
                change.number,
            );
            let notification = Notification::Change(notified);
            (Subject::of(effect), change.number, notification)
        }
        (&Step::Entity(subject), Some(change)) => {
            let notification = Notification::Entity(change.entity.typed());
            (subject, change.number, notification)
        }
        (&Step::GroupCreated(number, group), _) => {
            let notification = Notification::GroupCreated(Group::new(instance, group));
            (Subject::GROUP_CREATED, number, notification)
        }
        (Step::Message(queued), _) => {
            let notification = Notification::Message(&*queued.message);
            (
                Subject::Message(queued.channel),
                queued.number,
                notification,
            )
        }
        _ => unreachable!("{} is about no change", step.name()),
    };
    notify(context, subject, number, &notification);
}

/// Pools or drops the previous value of a change after all its notifications.
fn recycle<C: HasCore>(context: &mut C, done: Option<QueuedChange>) {
    if let Some(QueuedChange {
        previous: Some(value),
        recycle_to: Some(component),
        ..
    }) = done
    {
        let core = context.core_mut();
        let descriptor = core.world.columns.describe(component);
        if !descriptor.pools() {
            return drop(value); // user code
        }
        let mut buffer = Buffer::new(descriptor);
        if let Ok(value) = buffer.unboxed(value) {
            core.world.columns.recycle_moved(component, value);
        }
    }
}

/// Stops an endless chain of reactions.
#[inline]
pub(super) fn check_limit<C: HasCore>(context: &C, notified: usize, step: &Step) {
    if notified > context.core().subs.queue.limit {
        endless(context, step);
    }
}

#[cold]
fn endless<C: HasCore>(context: &C, step: &Step) -> ! {
    let limit = context.core().subs.queue.limit;
    let (context_name, name) = (C::NAME, step.name());
    match *step {
        Step::Group(effect) => panic!(
            "observers of context `{context_name}` react to each other without end: stopped after \
             {limit} notifications at {name} of {:?}{}; have them check the value before they \
             change it, or raise the limit with `set_notification_limit`",
            Matcher::<C>::of(&context.core().world.groups.get(effect.group()).condition),
            from_fn(|f| match effect.component {
                Some(it) => write!(
                    f,
                    " through component `{}`",
                    context.core().world.columns.numbering().name(it)
                ),
                None => Ok(()), // the entity was created or destroyed
            }),
        ),
        _ => panic!(
            "observers of context `{context_name}` react to each other without end: stopped after \
             {limit} notifications at {name}; raise the limit with `set_notification_limit` \
             if that many are expected"
        ),
    }
}
