//! What observers and listeners are called with, and the form in which they are kept.

#![expect(
    unsafe_code,
    reason = "keeps observers without the type of their context"
)]

use alloc::boxed::Box;
use core::any::Any;
#[cfg(debug_assertions)]
use core::any::TypeId;
use core::ptr::NonNull;

use crate::matching::group::Group;
use crate::reactions::change::Change;
use crate::reactions::handle::HandleWatch;
use crate::reactions::subscription::Subject;
use crate::words::demands::ThreadSafe;
use crate::words::entity_id::EntityId;

/// What an observer is called with.
pub(crate) enum Notification<'a, C> {
    /// Something happened to a group.
    Change(Change<'a, C>),
    /// Something happened to an entity, or to a component of it.
    Entity(EntityId<C>),
    /// A group was made.
    GroupCreated(Group<C>),
    /// A message was sent: the one message of a batch.
    Message(&'a dyn Any),
}

impl<C> Notification<'_, C> {
    /// Those who are notified of a change of a group; nothing else says who they are.
    pub(crate) fn subject(&self) -> Option<Subject> {
        match self {
            Self::Change(change) => Some(Subject::of(change.effect)),
            Self::Entity(_) | Self::GroupCreated(_) | Self::Message(_) => None,
        }
    }
}

/// An observer or a listener as it is kept: without the type of its context, so that what keeps it is
/// compiled once.
pub(crate) struct Observer {
    /// Expects a `&mut C` and a `&Notification<'_, C>`, where `C` is the type of its contexts.
    call: Box<dyn FnMut(NonNull<()>, NonNull<()>) + Send + Sync>,
    /// Which one that is. Without debug assertions it is not kept: an observer is moved for each call.
    #[cfg(debug_assertions)]
    context: TypeId,
}

impl Observer {
    /// An observer of a context of type `C`.
    pub(crate) fn new<C: 'static>(
        mut observer: impl FnMut(&mut C, &Notification<'_, C>) + ThreadSafe,
    ) -> Self {
        let call = move |context: NonNull<()>, notification: NonNull<()>| {
            // SAFETY: `call` below is the only caller, and passes what it has borrowed.
            let context = unsafe { context.cast::<C>().as_mut() };
            // SAFETY: as above.
            let notification = unsafe { notification.cast::<Notification<'_, C>>().as_ref() };
            observer(context, notification);
        };
        Self {
            call: Box::new(call),
            #[cfg(debug_assertions)]
            context: TypeId::of::<C>(),
        }
    }

    /// Calls the observer.
    ///
    /// # Safety
    ///
    /// The observer was made for contexts of type `C`.
    #[inline]
    pub(crate) unsafe fn call<C: 'static>(
        &mut self,
        context: &mut C,
        notification: &Notification<'_, C>,
    ) {
        #[cfg(debug_assertions)]
        assert!(self.context == TypeId::of::<C>(), "the observer's context");
        (self.call)(
            NonNull::from(context).cast(),
            NonNull::from(notification).cast(),
        );
    }

    /// The same observer, which does nothing once a handle has been dropped.
    pub(crate) fn only_while(self, handle: HandleWatch) -> Self {
        let mut call = self.call;
        Self {
            call: Box::new(move |context, notification| {
                if !handle.is_dropped() {
                    call(context, notification);
                }
            }),
            #[cfg(debug_assertions)]
            context: self.context,
        }
    }

    /// The bytes of its captures.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.call)
    }
}

/// An observer of entities in the form in which observers are kept.
pub(crate) fn of_entities<C: 'static>(
    mut observer: impl FnMut(&mut C, EntityId<C>) + ThreadSafe,
) -> Observer {
    Observer::new(move |context, notification| {
        if let Notification::Entity(id) = *notification {
            observer(context, id);
        }
    })
}

/// An observer of a group in the form in which observers are kept.
pub(crate) fn of_changes<C: 'static>(
    mut observer: impl FnMut(&mut C, &Change<'_, C>) + ThreadSafe,
) -> Observer {
    Observer::new(move |context, notification| {
        if let Notification::Change(change) = notification {
            observer(context, change);
        }
    })
}

/// An observer of new groups in the form in which observers are kept.
pub(crate) fn of_groups<C: 'static>(
    mut observer: impl FnMut(&mut C, Group<C>) + ThreadSafe,
) -> Observer {
    Observer::new(move |context, notification| {
        if let Notification::GroupCreated(group) = *notification {
            observer(context, group);
        }
    })
}
