//! The changes that observers of entities are notified of.

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
use crate::words::demands::Confined;
use crate::words::entity_id::EntityId;

/// Passes changes on to the observers of all changes.
#[derive(Default)]
pub(crate) struct Relays {
    pub(crate) subscriptions: Vec<Subscription>,
    /// The number of these observers.
    pub(crate) observers: usize,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The entity was created.
    Created,
    /// The entity was destroyed.
    Destroyed,
    /// The component was added. For a new entity this comes before `Created`.
    Added,
    /// The component was removed. For a destroyed entity this comes before `Destroyed`.
    Removed,
    /// The component was replaced or updated in place.
    Replaced,
}

/// A change of an entity, as passed to observers of [all changes](crate::Observers::on_change) and
/// of [all changes of one entity](crate::EntityMut::on_change).
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
    /// Returns the entity. It may have been changed again or destroyed since: a change describes
    /// what happened, the context holds the current state.
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

    /// Returns the component that was added, removed or replaced; `None` if the whole entity was
    /// created or destroyed.
    pub fn component(&self) -> Option<ComponentIndex<C>> {
        self.0.component()
    }

    /// Returns the name of the component, such as `Position`; see [`component`](Self::component).
    pub fn component_name(&self) -> Option<&'static str> {
        self.0.component_name()
    }

    /// Returns whether the change was to component `T`.
    pub fn is<T: Component<C>>(&self) -> bool {
        self.0.is::<T>()
    }

    /// Returns the previous value of `T`; see [`Change::previous`].
    pub fn previous<T: Component<C>>(&self) -> Option<&T> {
        self.0.previous()
    }

    /// The previous value of the component.
    pub(crate) fn previous_value(&self) -> Option<&AnyValue> {
        self.0.previous
    }

    /// Returns the previous value of the component as `dyn Any`, for tools.
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

/// Wraps an observer of all changes.
pub(crate) fn of_entity_changes<C: 'static>(
    mut observer: Confined<impl FnMut(&mut C, &EntityChange<'_, C>) + 'static>,
) -> Observer {
    Observer::new(move |context, notification| {
        if let Notification::Change(change) = notification {
            observer(context, &EntityChange(change));
        }
    })
}
