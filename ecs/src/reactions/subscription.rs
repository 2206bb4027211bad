//! The subjects of observers, and handles to unsubscribe them.

use core::fmt;

use crate::matching::effects::{Effect, OF_CONTEXT};
use crate::matching::group::GroupIndex;
use crate::matching::matcher::GroupEvent;
use crate::reactions::event::Event;
use crate::reactions::handle::{HandleWatch, Watched};
use crate::reactions::messages::ChannelNumber;
use crate::words::entity_id::RawEntityId;

/// What an observer is notified of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// An event of the context or of a group, as the number of its list: four events of the
    /// context, then three per group.
    Numbered(u32),
    /// A component event. Its observers are called listeners; they are notified when events are
    /// delivered.
    Event(Audience),
    /// Messages of one type.
    Message(ChannelNumber),
}

/// The listeners to an event of all entities or of one, or the observers of all changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Audience {
    /// The entity, if it is a single one. The first field, so that audiences of one entity are
    /// adjacent.
    pub(crate) entity: Option<RawEntityId>,
    /// The event; `None` for observers of all changes, which are notified immediately.
    pub(crate) event: Option<Event>,
}

impl Subject {
    pub(crate) const CREATED: Self = Self::Numbered(0);
    pub(crate) const WILL_BE_DESTROYED: Self = Self::Numbered(1);
    pub(crate) const DESTROYED: Self = Self::Numbered(2);
    pub(crate) const GROUP_CREATED: Self = Self::Numbered(3);

    /// All changes of every entity, or of one.
    pub(crate) fn changes(entity: Option<RawEntityId>) -> Self {
        let event = None;
        Self::Event(Audience { entity, event })
    }

    /// Whether this is all changes of every entity, or of one.
    pub(crate) fn is_changes(self) -> bool {
        matches!(self, Self::Event(Audience { event: None, .. }))
    }

    #[inline]
    pub(crate) fn group(group: GroupIndex, event: GroupEvent) -> Self {
        Self::Numbered(Effect::number_of(group, event))
    }

    #[inline]
    pub(crate) fn of(effect: Effect) -> Self {
        Self::Numbered(effect.number)
    }

    /// The group and the event, if this is an event of a group.
    pub(crate) fn as_group(self) -> Option<(GroupIndex, GroupEvent)> {
        let Self::Numbered(number) = self else {
            return None;
        };
        let number = number.checked_sub(OF_CONTEXT)?;
        Some((GroupIndex(number / 3), GroupEvent::ALL[number as usize % 3]))
    }
}

/// Identifies an observer or listener, to remove it with
/// [`Context::unsubscribe`](crate::Context::unsubscribe).
///
/// Dropping it does nothing: an observer stays subscribed until its context is dropped, a listener
/// to one entity until that entity is destroyed. Use a [`SubscriptionGuard`] to unsubscribe
/// together with a value of yours.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let subscription = game.observers().on_created(|_, id| println!("{id:?}"));
/// assert!(game.unsubscribe(subscription));
/// assert!(!game.unsubscribe(subscription));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Subscription {
    pub(crate) instance: u64,
    pub(crate) subject: Subject,
    pub(crate) id: u64,
}

/// Unsubscribes an observer or listener when dropped.
///
/// Created by [`Context::unsubscribe_on_drop`](crate::Context::unsubscribe_on_drop).
#[must_use = "dropping the guard unsubscribes the observer"]
pub struct SubscriptionGuard {
    subscription: Subscription,
    watched: Watched,
}

impl SubscriptionGuard {
    pub(crate) fn new(subscription: Subscription) -> Self {
        let watched = Watched::new();
        Self {
            subscription,
            watched,
        }
    }

    pub(crate) fn watch(&self) -> HandleWatch {
        self.watched.watch()
    }
}

impl fmt::Debug for SubscriptionGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SubscriptionGuard")
            .field(&self.subscription.id)
            .finish()
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Subscription({})", self.id)
    }
}
