//! The methods of [`RemovedValues`]: draining, pausing, releasing.

use alloc::vec::Vec;

use crate::reactions::removed::{Log, RemovedValues};
use crate::state::{self, HasCore, check_own};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

impl<C: HasCore, T: Component<C>> RemovedValues<C, T> {
    #[track_caller]
    fn log<'c>(&self, context: &'c C) -> &'c Log<C, T> {
        let core = context.core();
        check_own(&core.world, self.instance, "list of removed values");
        core.subs
            .removed()
            .get(self.log)
            .expect("a handle's log is there until it is released")
    }

    /// Returns the collected values with their former owners, in order of removal.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let lost = game.removed_values::<Health>();
    /// let id = game.create_with(Health(1)).remove_health().id();
    /// assert_eq!(lost.values(&game)[0].0, id);
    /// ```
    #[track_caller]
    pub fn values<'c>(&self, context: &'c C) -> &'c [(EntityId<C>, T)] {
        &self.log(context).values
    }

    /// Returns the number of collected values.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let lost = game.removed_values::<Health>();
    /// game.create_with(Health(1)).remove_health();
    /// assert_eq!(lost.len(&game), 1);
    /// ```
    #[track_caller]
    pub fn len(&self, context: &C) -> usize {
        self.values(context).len()
    }

    /// Returns whether no values are collected.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let lost = game.removed_values::<Health>();
    /// game.create_with(Health(1));
    /// assert!(lost.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn is_empty(&self, context: &C) -> bool {
        self.values(context).is_empty()
    }

    /// Returns the collected values with their former owners, in order of removal, and empties the
    /// list.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let lost = game.removed_values::<Health>();
    /// let id = game.create_with(Health(1)).replace_health(2).remove_health().id();
    /// assert_eq!(lost.drain(&mut game), [(id, Health(2))]);
    /// assert!(lost.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn drain(&self, context: &mut C) -> Vec<(EntityId<C>, T)> {
        let mut values = Vec::new();
        self.drain_into(context, &mut values);
        values
    }

    /// Like [`drain`](Self::drain), but stores the values in `values`, whose contents are dropped.
    ///
    /// The two lists are swapped, so that repeated calls do not allocate.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let lost = game.removed_values::<Health>();
    /// game.create_with(Health(1)).remove_health();
    /// let mut values = Vec::new();
    /// lost.drain_into(&mut game, &mut values);
    /// assert!(values.len() == 1 && lost.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn drain_into(&self, context: &mut C, values: &mut Vec<(EntityId<C>, T)>) {
        self.log(context);
        values.clear();
        let core = context.core_mut();
        state::swap_removed(&mut core.subs, self.log, values);
    }

    /// Drops the collected values.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let lost = game.removed_values::<Health>();
    /// game.create_with(Health(1)).remove_health();
    /// lost.clear(&mut game);
    /// assert!(lost.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn clear(&self, context: &mut C) {
        drop(self.drain(context));
    }

    /// Returns whether the list is active.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let lost = game.removed_values::<Health>();
    /// assert!(lost.is_active(&game));
    /// ```
    #[track_caller]
    pub fn is_active(&self, context: &C) -> bool {
        self.log(context).active
    }

    /// Resumes collecting after [`deactivate`](Self::deactivate); values lost in between are not
    /// collected.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let lost = game.removed_values::<Health>();
    /// lost.deactivate(&mut game);
    /// lost.activate(&mut game);
    /// game.create_with(Health(1)).remove_health();
    /// assert_eq!(lost.len(&game), 1);
    /// ```
    #[track_caller]
    pub fn activate(&self, context: &mut C) {
        self.log(context);
        let core = context.core_mut();
        state::set_keeping_removed::<C, T>(&mut core.subs, self.log, true);
    }

    /// Drops the collected values and stops collecting until [`activate`](Self::activate).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let lost = game.removed_values::<Health>();
    /// lost.deactivate(&mut game);
    /// game.create_with(Health(1)).remove_health();
    /// assert!(lost.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn deactivate(&self, context: &mut C) {
        self.log(context);
        let core = context.core_mut();
        state::set_keeping_removed::<C, T>(&mut core.subs, self.log, false);
        self.clear(context);
    }

    /// Releases the list.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let lost = game.removed_values::<Health>();
    /// lost.release(&mut game);
    /// game.create_with(Health(1)).remove_health();
    /// assert!(game.removed_values::<Health>().is_empty(&game));
    /// ```
    #[track_caller]
    pub fn release(self, context: &mut C) {
        self.log(context);
        state::end_log(context, self.log, self.subscription);
    }
}
