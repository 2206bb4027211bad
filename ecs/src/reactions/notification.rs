//! What observers and listeners are called with, and the form in which they are kept.

use alloc::boxed::Box;
use core::any::Any;

use crate::matching::group::Group;
use crate::reactions::change::Change;
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

/// An observer or a listener as it is kept.
pub(crate) type Observer<C> = Box<dyn FnMut(&mut C, &Notification<'_, C>) + Send + Sync>;

/// An observer of entities in the form in which observers are kept.
pub(crate) fn of_entities<C: 'static>(
    mut observer: impl FnMut(&mut C, EntityId<C>) + ThreadSafe,
) -> Observer<C> {
    Box::new(move |context, notification| {
        if let Notification::Entity(id) = *notification {
            observer(context, id);
        }
    })
}

/// An observer of a group in the form in which observers are kept.
pub(crate) fn of_changes<C: 'static>(
    mut observer: impl FnMut(&mut C, &Change<'_, C>) + ThreadSafe,
) -> Observer<C> {
    Box::new(move |context, notification| {
        if let Notification::Change(change) = notification {
            observer(context, change);
        }
    })
}

/// An observer of new groups in the form in which observers are kept.
pub(crate) fn of_groups<C: 'static>(
    mut observer: impl FnMut(&mut C, Group<C>) + ThreadSafe,
) -> Observer<C> {
    Box::new(move |context, notification| {
        if let Notification::GroupCreated(group) = *notification {
            observer(context, group);
        }
    })
}
