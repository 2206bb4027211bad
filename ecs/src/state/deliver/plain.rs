//! The plain case of telling observers, which is nearly every case: nobody is
//! delivering, no entity index follows, one group is told, and it has one observer.
//!
//! ```text
//! hear ── is it plain? ──no──► hear_all     indexes, then the delivery or the queue
//!              │yes
//!              ▼
//!   raise the flag, take the observer out, call it
//!              │
//!              ├─ all is quiet ───────────► put it back, lower the flag
//!              ├─ something is to be done ─► end: put it back, walk the queue, clean up
//!              └─ it panicked ────────────► end: put it back, clean up
//! ```
//!
//! *Quiet* is: the context is the same one, nothing is queued, nobody has come or gone.
//! Then the observer's place in its list is what it was, too. Everything else goes the way
//! of every other delivery, from where it would be by now.

use core::any::Any;
use core::mem::ManuallyDrop;
use core::ops::Range;

use super::super::core::HasCore;
use super::super::index::follow;
use super::{Delivery, Running, deliver};
use crate::matching::effects::EffectsIndex;
use crate::reactions::change::{Change, Notice, ObserverFn, Subject};
use crate::storage::flag::Flag;
use crate::storage::slots::Row;
use crate::words::entity_id::EntityId;

/// Carries a change on to the groups, the collectors, the entity indexes, and the
/// observers, who are lent the previous value. Gives true where a delivery is under way:
/// then observers have not been told, and the caller is to queue the news.
#[inline(always)] // into the one function that calls it for a component
pub(in crate::state) fn hear<C: HasCore>(
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
    if let Some(effect) = core.graph.effects().get(effects).only_told()
        && !core.is_delivering()
        && let subject = Subject::group(effect.group, effect.event)
        && let Some(call) = core.observers.take_only(subject)
    {
        let (instance, flag) = (core.instance, core.queue.flag.get());
        let notice = Notice::Change(Change::new(instance, entity, effect, previous));
        let telling = Telling {
            context,
            instance,
            flag,
            subject,
            call: Some(call),
        };
        tell(telling, &notice);
        return false;
    }
    hear_all(context, entity, effects, previous)
}

#[inline(never)]
fn hear_all<C: HasCore>(
    context: &mut C,
    entity: EntityId<C>,
    effects: EffectsIndex,
    previous: Option<&dyn Any>,
) -> bool {
    if !follow(context, entity, effects) {
        return false;
    }
    let delivering = context.core().is_delivering();
    if !delivering {
        deliver(context, entity, effects, previous);
    }
    delivering
}

/// A delivery of one notification. Where the observer panics, `drop` ends it.
struct Telling<'a, C: HasCore> {
    context: &'a mut C,
    instance: u32,
    flag: &'static Flag,
    subject: Subject,
    call: Option<ObserverFn<C>>,
}

#[inline(always)] // its caller ends in it
fn tell<C: HasCore>(mut telling: Telling<'_, C>, notice: &Notice<'_, C>) {
    telling.flag.raise(true);
    if let Some(call) = &mut telling.call {
        call(telling.context, notice);
    }
    let mut told = ManuallyDrop::new(telling);
    let call = told.call.take();
    let (instance, flag, subject) = (told.instance, told.flag, told.subject);
    let core = told.context.core_mut();
    if core.instance == instance
        && core.queue.is_idle()
        && let Some(call) = call
    {
        core.observers.put_first_back(subject, call);
        flag.raise(false);
    } else {
        end(told.context, instance, flag, subject, call, true);
    }
}

impl<C: HasCore> Drop for Telling<'_, C> {
    #[inline(always)] // passes the fields on in registers: none need be stored before the call
    fn drop(&mut self) {
        let call = self.call.take();
        end(
            self.context,
            self.instance,
            self.flag,
            self.subject,
            call,
            false,
        );
    }
}

impl<C: HasCore> Delivery<'_, C> {
    /// Tells of the same effect on many entities, each with the value it had before, as
    /// long as the case is plain; gives of how many it has told. The caller tells of the
    /// others as of any change.
    pub(in crate::state) fn tell_each<'p>(
        &mut self,
        told: Range<usize>,
        entities: &[EntityId<C>],
        previous: impl Iterator<Item = Option<&'p dyn Any>>,
    ) -> usize {
        let (context, instance) = (&mut *self.context, self.instance);
        let core = context.core_mut();
        if told.len() != 1 || core.instance != instance || !core.queue.is_idle() {
            return 0;
        }
        let effect = core.graph.effects().told_at(told.start);
        let subject = Subject::group(effect.group, effect.event);
        let Some(call) = core.observers.take_only(subject) else {
            return 0;
        };
        let mut running = Running {
            context,
            instance,
            subject,
            place: 0, // the only one of its list
            call: Some(call),
        };
        let Some(&first) = entities.first() else {
            return 0;
        };
        let mut told = 0;
        let mut notice = Notice::Change(Change::new(instance, first, effect, None));
        for (&entity, previous) in entities.iter().zip(previous) {
            told += 1;
            if let Notice::Change(change) = &mut notice {
                (change.entity, change.previous) = (entity, previous);
            }
            if let Some(call) = &mut running.call {
                call(running.context, &notice);
            }
            let core = running.context.core();
            if core.instance != instance || !core.queue.is_idle() {
                break;
            }
        }
        told
    }
}

/// Ends a delivery in which something is left to be done.
#[cold]
#[inline(never)]
fn end<C: HasCore>(
    context: &mut C,
    instance: u32,
    flag: &'static Flag,
    subject: Subject,
    call: Option<ObserverFn<C>>,
    go_on: bool,
) {
    let mut delivery = Delivery {
        context,
        instance,
        flag,
    };
    drop(Running {
        context: delivery.context,
        instance,
        subject,
        place: 0, // the only one of its list
        call,
    });
    if go_on {
        delivery.run();
    }
}
