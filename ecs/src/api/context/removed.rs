//! What users do with [`RemovedValues`]: drain them, pause them, release them.

use alloc::vec::Vec;

use crate::matching::matcher::{GroupEvent, Matcher};
use crate::reactions::change::Change;
use crate::reactions::notification::of_changes;
use crate::reactions::removed::{Log, RemovedValues};
use crate::reactions::subscription::Subject;
use crate::state::{self, HasCore, foreign};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

/// Gathers the values of `T` that are lost from now on.
pub(super) fn create<C: HasCore, T: Component<C> + Clone>(context: &mut C) -> RemovedValues<C, T> {
    state::look_for_dropped(context);
    let group = state::group(context, Matcher::default().all_of::<T>());
    let log = context.core_mut().removed.add::<C, T>();
    let observer = of_changes(move |context: &mut C, change: &Change<'_, C>| {
        if let Some(value) = change.previous::<T>() {
            append(context, log, change.entity(), value);
        }
    });
    let subject = Subject::group(group.index, GroupEvent::Left);
    let core = context.core_mut();
    let subscription = core.subscribe(subject, observer);
    core.observers.keep(subject, subscription.id);
    let watched = match core.removed.get_mut::<C, T>(log) {
        Some(log) => log.watch(subscription),
        None => unreachable!("the log has just been added"),
    };
    RemovedValues::new(core.instance, log, subscription, watched)
}

/// Copies a value before the log is touched: to copy it is the user's own code.
fn append<C: HasCore, T: Component<C> + Clone>(
    context: &mut C,
    log: usize,
    entity: EntityId<C>,
    value: &T,
) {
    let Some(known) = context.core().removed.get::<C, T>(log) else {
        return;
    };
    if let Some(subscription) = known.left_by() {
        return state::end_log(context, log, subscription);
    }
    if !known.active {
        return;
    }
    let value = value.clone();
    if let Some(log) = context.core_mut().removed.get_mut::<C, T>(log) {
        log.values.push((entity, value));
    }
}

impl<C: HasCore, T: Component<C>> RemovedValues<C, T> {
    #[track_caller]
    fn log<'c>(&self, context: &'c C) -> &'c Log<C, T> {
        let core = context.core();
        if core.instance != self.instance {
            foreign::<C>("list of removed values");
        }
        core.removed
            .get(self.log)
            .expect("a handle's log is there until it is released")
    }

    #[track_caller]
    fn log_mut<'c>(&self, context: &'c mut C) -> &'c mut Log<C, T> {
        self.log(context);
        context
            .core_mut()
            .removed
            .get_mut(self.log)
            .expect("a handle's log is there until it is released")
    }

    /// Returns the values gathered, with who lost them, in order of removal.
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

    /// Returns how many values there are.
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

    /// Returns whether there is no value.
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

    /// Hands over the values gathered, with who lost them, in order of removal, and is
    /// empty.
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
        core::mem::take(&mut self.log_mut(context).values)
    }

    /// Like [`drain`](Self::drain), into a list that is emptied first: the two lists
    /// change places, so that nothing is allocated in the long run.
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
        values.clear();
        core::mem::swap(values, &mut self.log_mut(context).values);
    }

    /// Forgets the values gathered.
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

    /// Returns whether it gathers at present.
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

    /// Goes on gathering after [`deactivate`](Self::deactivate); what was lost in
    /// between is not there.
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
        self.log_mut(context).active = true;
    }

    /// Forgets the values gathered and gathers none until [`activate`](Self::activate).
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
        self.log_mut(context).active = false;
        self.clear(context);
    }

    /// Ends the gathering.
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
