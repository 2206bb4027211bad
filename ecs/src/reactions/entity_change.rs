//! What happened to an entity, as the observers of each change are notified of it.

use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use crate::matching::matcher::GroupEvent;
use crate::reactions::change::Change;
use crate::reactions::notification::{Notification, Observer};
use crate::reactions::subscription::Subscription;
use crate::storage::descriptor::AnyValue;
use crate::words::component::Component;
use crate::words::component::typed::ComponentIndex;
use crate::words::demands::ThreadSafe;
use crate::words::entity_id::EntityId;

/// What hands changes on to those who observe each of them.
#[derive(Default)]
pub(crate) struct Relays {
    pub(crate) subscriptions: Vec<Subscription>,
    /// How many observe each change.
    pub(crate) observers: usize,
}

/// What a change was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The entity came to life.
    Created,
    /// The entity ended.
    Destroyed,
    /// It got the component: one that it came to life with is told before it is `Created`.
    Added,
    /// It lost the component: one that it ended with is told before it is `Destroyed`.
    Removed,
    /// The component got another value, or was changed in place.
    Replaced,
}

/// A change of an entity: what an observer of [each change](crate::Observers::on_change), or of
/// [each change of one entity](crate::EntityMut::on_change), is called with.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// # use std::sync::{Arc, Mutex};
/// let mut game = Game::new();
/// let log = Arc::new(Mutex::new(Vec::new()));
/// let lines = log.clone();
/// game.observers().on_change(move |_, change| {
///     let before = change.previous::<Health>().map(|health| health.0);
///     lines.lock().unwrap().push((change.kind(), change.component_name(), before));
/// });
/// let hero = game.create_with(Health(3)).replace_health(2).id();
/// game.destroy(hero);
/// use ecs::ChangeKind::*;
/// assert_eq!(*log.lock().unwrap(), [
///     (Added, Some("Health"), None),
///     (Created, None, None),
///     (Replaced, Some("Health"), Some(3)),
///     (Removed, Some("Health"), Some(2)),
///     (Destroyed, None, None),
/// ]);
/// ```
pub struct EntityChange<'a, C>(&'a Change<'a, C>);

impl<C: 'static> EntityChange<'_, C> {
    /// Returns the entity. It may be dead by now, or changed again: a change says what happened, the
    /// context what is.
    pub fn entity(&self) -> EntityId<C> {
        self.0.entity
    }

    /// Returns what happened.
    pub fn kind(&self) -> ChangeKind {
        match (self.0.component(), self.0.event()) {
            (None, GroupEvent::Left) => ChangeKind::Destroyed,
            (None, _) => ChangeKind::Created,
            (Some(_), GroupEvent::Entered) => ChangeKind::Added,
            (Some(_), GroupEvent::Left) => ChangeKind::Removed,
            (Some(_), GroupEvent::Updated) => ChangeKind::Replaced,
        }
    }

    /// Returns the component that was added, removed or replaced; `None` if the whole entity was created
    /// or destroyed.
    pub fn component(&self) -> Option<ComponentIndex<C>> {
        self.0.component()
    }

    /// Returns the name of the component, as in `Position`; see [`component`](Self::component).
    pub fn component_name(&self) -> Option<&'static str> {
        self.0.component_name()
    }

    /// Returns whether the change was one of component `T`.
    pub fn is<T: Component<C>>(&self) -> bool {
        self.0.is::<T>()
    }

    /// Returns the value that `T` had before, as [`Change::previous`] does.
    pub fn previous<T: Component<C>>(&self) -> Option<&T> {
        self.0.previous()
    }

    /// The value that the component had before.
    pub(crate) fn previous_value(&self) -> Option<&AnyValue> {
        self.0.previous
    }

    /// Returns the value that the component had before, its type known at run time alone, for tools.
    pub fn previous_any(&self) -> Option<&dyn Any> {
        Some(self.0.previous?)
    }
}

impl<C: 'static> fmt::Debug for EntityChange<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntityChange")
            .field("entity", &self.entity())
            .field("kind", &self.kind())
            .field("component", &self.component_name())
            .finish_non_exhaustive()
    }
}

/// An observer of each change in the form in which observers are kept.
pub(crate) fn of_entity_changes<C: 'static>(
    mut observer: impl FnMut(&mut C, &EntityChange<'_, C>) + ThreadSafe,
) -> Observer {
    Observer::new(move |context, notification| {
        if let Notification::Change(change) = notification {
            observer(context, &EntityChange(change));
        }
    })
}
