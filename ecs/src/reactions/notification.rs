//! The arguments of observers and listeners, and the form in which these are stored.

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
use crate::storage::heap::Heap;
use crate::words::demands::{Confined, ThreadSafe};
use crate::words::entity_id::EntityId;

/// The argument of an observer.
pub(crate) enum Notification<'a, C> {
    /// A change with respect to a group.
    Change(Change<'a, C>),
    /// A change of an entity or of one of its components.
    Entity(EntityId<C>),
    /// A group was created.
    GroupCreated(Group<C>),
    /// A message was sent; the only one of its batch.
    Message(&'a dyn Any),
}

impl<C> Notification<'_, C> {
    /// The subject whose observers are notified, if the notification determines it.
    pub(crate) fn subject(&self) -> Option<Subject> {
        match self {
            Self::Change(change) => Some(Subject::of(change.effect)),
            Self::Entity(_) | Self::GroupCreated(_) | Self::Message(_) => None,
        }
    }
}

/// An observer or a listener without the type of its context, so that the code that stores it is
/// compiled once.
pub(crate) struct Observer {
    /// Expects a `&mut C` and a `&Notification<'_, C>`, where `C` is the type of its context.
    call: Box<dyn FnMut(NonNull<()>, NonNull<()>) + Send + Sync>,
    /// The type `C`. Kept with debug assertions only, because an observer is moved for each call.
    #[cfg(debug_assertions)]
    context: TypeId,
}

impl Heap for Observer {
    fn bytes(&self) -> usize {
        size_of_val(&*self.call)
    }
}

impl Observer {
    pub(crate) fn new<C: 'static>(
        mut observer: impl FnMut(&mut C, &Notification<'_, C>) + ThreadSafe,
    ) -> Self {
        let call = move |context: NonNull<()>, notification: NonNull<()>| {
            // SAFETY: only `call` below calls this, and passes references to these types.
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
    /// The observer must have been created for contexts of type `C`.
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

    /// The same observer, but it does nothing after the handle is dropped.
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
}

/// Wraps an observer of entities.
pub(crate) fn of_entities<C: 'static>(
    mut observer: Confined<impl FnMut(&mut C, EntityId<C>) + 'static>,
) -> Observer {
    Observer::new(move |context, notification| {
        if let Notification::Entity(id) = *notification {
            observer(context, id);
        }
    })
}

/// Wraps an observer of a group.
pub(crate) fn of_changes<C: 'static>(
    mut observer: Confined<impl FnMut(&mut C, &Change<'_, C>) + 'static>,
) -> Observer {
    Observer::new(move |context, notification| {
        if let Notification::Change(change) = notification {
            observer(context, change);
        }
    })
}

/// Wraps an observer of new groups.
pub(crate) fn of_groups<C: 'static>(
    mut observer: Confined<impl FnMut(&mut C, Group<C>) + 'static>,
) -> Observer {
    Observer::new(move |context, notification| {
        if let Notification::GroupCreated(group) = *notification {
            observer(context, group);
        }
    })
}
