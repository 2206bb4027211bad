//! Listening to the events of one entity.

use super::EntityMut;
use crate::reactions::event::EventKind;
use crate::reactions::notification::of_entities;
use crate::reactions::subscription::Subscription;
use crate::state::{self, HasCore};
use crate::words::component::Component;
use crate::words::error::{Error, Operation, refuse};
use crate::words::thread_safe::ThreadSafe;

impl<C: HasCore> EntityMut<'_, C> {
    /// Calls `listener` with the entity after `T` was added to it, replaced or updated,
    /// when events are delivered; see [`Events`](crate::Events).
    ///
    /// The listener is handed the entity, alive and with the component. It ends with the
    /// entity.
    ///
    /// Events: *group created* if there is no group of the entities with `T` yet.
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// entity.on_set::<Health>(|entity| assert_eq!(entity.health().0, 2));
    /// entity.add_health(3).replace_health(2);
    /// assert_eq!(game.events().deliver(), 1);
    /// ```
    #[track_caller]
    pub fn on_set<T: Component<C>>(
        &mut self,
        listener: impl FnMut(EntityMut<'_, C>) + ThreadSafe,
    ) -> Subscription {
        self.listen::<T>(EventKind::Set, listener)
    }

    /// Calls `listener` with the entity after it lost `T`, by removal or by its end, when
    /// events are delivered; see [`Events`](crate::Events).
    ///
    /// The listener is handed the entity, without the component, and maybe dead. It ends
    /// with the entity, after it has been told so.
    ///
    /// Events: *group created* if there is no group of the entities with `T` yet.
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// entity.on_removed::<Health>(|entity| assert!(entity.is_alive()));
    /// entity.remove_health();
    /// assert_eq!(game.events().deliver(), 1);
    /// ```
    #[track_caller]
    pub fn on_removed<T: Component<C>>(
        &mut self,
        listener: impl FnMut(EntityMut<'_, C>) + ThreadSafe,
    ) -> Subscription {
        self.listen::<T>(EventKind::Removed, listener)
    }

    #[track_caller]
    fn listen<T: Component<C>>(
        &mut self,
        kind: EventKind,
        mut listener: impl FnMut(EntityMut<'_, C>) + ThreadSafe,
    ) -> Subscription {
        if !self.is_alive() {
            refuse(Error::not_alive(self.id.raw(), C::NAME, Operation::Access));
        }
        let call = of_entities(move |context, id| listener(EntityMut::new(context, id)));
        state::listen::<C, T>(self.context, kind, Some(self.id), call)
    }
}
