//! Running an observer: it is taken out of its list, because it gets the context that owns the
//! list, called, and put back, also after a panic.

#![expect(
    unsafe_code,
    reason = "calls observers, which are kept without their type"
)]

use core::mem;

use super::core::HasCore;
use super::user_code::Session;
use crate::reactions::notification::{Notification, Observer};
use crate::reactions::subscribers::Subscribers;
use crate::reactions::subscription::Subject;

/// Notifies the observers of a subject that existed before the change.
#[inline(always)] // makes the kind of the subject a constant
pub(super) fn notify<C: HasCore>(
    context: &mut C,
    subject: Subject,
    change: u64,
    notification: &Notification<'_, C>,
) {
    for place in 0..context.core().subs.observers.places(subject) {
        notify_at(context, subject, place, change, notification);
    }
}

/// Notifies the next observer of a subject, from a position on, that existed before the change;
/// returns whether there was one.
#[inline]
pub(super) fn notify_next<C: HasCore>(
    context: &mut C,
    subject: Subject,
    place: &mut usize,
    change: u64,
    notification: &Notification<'_, C>,
) -> bool {
    while *place < context.core().subs.observers.places(subject) {
        *place += 1;
        if notify_at(context, subject, *place - 1, change, notification) {
            return true;
        }
    }
    false
}

/// Notifies one observer, unless it was removed, is running, or did not exist before the change;
/// returns whether it did.
#[inline(always)] // called for each notification
pub(super) fn notify_at<C: HasCore>(
    context: &mut C,
    subject: Subject,
    place: usize,
    change: u64,
    notification: &Notification<'_, C>,
) -> bool {
    let core = context.core_mut();
    let (instance, taken) = (
        core.world.instance,
        core.subs.observers.take(subject, place, change),
    );
    let has_one = taken.is_some();
    if let Some(call) = taken {
        let (at, session) = (
            ObserverPlace { subject, place },
            Session::of(context, instance),
        );
        run(session, at, || Some(at), call, notification);
    }
    has_one
}

/// Runs an observer that was taken out. After a panic, `at_again` computes its place again: where
/// the notification determines it, nothing is stored in case of a panic.
#[inline(always)] // called for each notification
pub(super) fn run<C: HasCore>(
    session: Session<'_, C>,
    at: ObserverPlace,
    at_again: impl Fn() -> Option<ObserverPlace> + Copy,
    call: Observer,
    notification: &Notification<'_, C>,
) {
    let mut taken = Some(call);
    let mut running = Running::new(session, at_again, &mut taken);
    running.call(notification);
    running.put_back(at);
}

/// Where an observer is put back.
#[derive(Clone, Copy)]
pub(super) struct ObserverPlace {
    subject: Subject,
    place: usize,
}

impl ObserverPlace {
    /// The first place of a list.
    #[inline]
    pub(super) fn first(subject: Subject) -> Self {
        Self { subject, place: 0 }
    }

    /// Puts an observer back; returns it, to be dropped, if it was removed in the meantime.
    #[inline]
    fn put_back(self, subs: &mut Subscribers, call: Observer) -> Option<Observer> {
        subs.observers.put_back(self.subject, self.place, call)
    }
}

/// An observer that was taken out; put back on drop.
///
/// It refers to the observer and computes its place with a function, instead of containing them: so
/// its drop is a single call, and nothing is stored for it unless there is a panic.
pub(super) struct Running<'a, 'c, C: HasCore, A: Fn() -> Option<ObserverPlace> + Copy> {
    session: Session<'a, C>,
    at: A,
    taken: &'c mut Option<Observer>,
}

impl<'a, 'c, C: HasCore, A: Fn() -> Option<ObserverPlace> + Copy> Running<'a, 'c, C, A> {
    #[inline]
    pub(super) fn new(session: Session<'a, C>, at: A, taken: &'c mut Option<Observer>) -> Self {
        Self { session, at, taken }
    }

    /// The context, after the observer has returned.
    #[inline]
    pub(super) fn context(&mut self) -> &mut C {
        self.session.context()
    }

    #[inline]
    pub(super) fn call(&mut self, notification: &Notification<'_, C>) {
        if let Some(observer) = self.taken {
            // SAFETY: it was taken out of the registries of `C` (the invariant of `Core`).
            let call = |context: &mut C| unsafe { observer.call(context, notification) };
            self.session.call(call);
        }
    }

    /// Puts the observer back after it has returned.
    #[inline(always)] // called for each notification
    fn put_back(mut self, at: ObserverPlace) {
        if let Some(core) = self.session.core_mut()
            && let Some(call) = self.taken.take()
        {
            let ended = at.put_back(&mut core.subs, call);
            mem::forget(self); // nothing is left to put back
            drop(ended); // user code
        }
    }
}

impl<C: HasCore, A: Fn() -> Option<ObserverPlace> + Copy> Drop for Running<'_, '_, C, A> {
    #[inline(always)] // otherwise state is stored for it in advance
    fn drop(&mut self) {
        put_back(self.session.reborrow(), self.at, self.taken);
    }
}

#[cold]
#[inline(never)]
fn put_back<C: HasCore>(
    mut session: Session<'_, C>,
    at: impl Fn() -> Option<ObserverPlace>,
    taken: &mut Option<Observer>,
) {
    let (Some(at), Some(call)) = (at(), taken.take()) else {
        return;
    };
    match session.core_mut() {
        Some(core) => drop(at.put_back(&mut core.subs, call)), // user code
        None => drop(call), // user code; its context was moved away
    }
}
