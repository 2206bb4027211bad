//! The short form of a reactive system: a trigger and a closure for each entity.

use alloc::string::String;

use super::collected::Collected;
use super::reaction::{React, Reaction};
use crate::api::context::Context;
use crate::matching::matcher::Trigger;
use crate::state::user_code;
use crate::systems::contexts::HasContext;
use crate::systems::name;
use crate::systems::outcome::{IntoOutcome, Outcome, first_failure};
use crate::systems::system::{Sendable, Systems};
use crate::words::actor::{Waking, is_acting};
use crate::words::entity_id::EntityId;

/// A closure that is called for one entity after the other.
struct ForEach<F>(F);

impl<W, F, C, T, R> React<W, Collected<C>, R> for ForEach<F>
where
    W: HasContext<C>,
    F: FnMut(&mut W, EntityId<C>) -> T + Sendable,
    C: Context,
    T: IntoOutcome<Outcome = R>,
    R: Outcome,
{
    fn react(&mut self, world: &mut W, collected: &Collected<C>) -> R {
        let is_acting = is_acting();
        first_failure(collected.ids().iter().filter_map(|&id| {
            let lives = world.context().contains(id);
            let wake = || Some(collected.wake_of(id, 1));
            let _waking = (is_acting && lives).then(|| Waking::start(wake));
            lives.then(|| user_code::call(world, W::context, |world| (self.0)(world, id)))
        }))
    }

    fn name(&self) -> String {
        name::of::<F>()
    }
}

impl<W> Systems<W> {
    /// Adds a closure that is called for each entity that a trigger concerned since the
    /// last execute, in the order in which they were first concerned.
    ///
    /// It is called for the entities that a [`ReactiveSystem`](crate::ReactiveSystem) is handed by
    /// default. An entity that an earlier call has destroyed is skipped. A closure that
    /// [fails](crate::Systems#systems-that-fail) is not called for the entities behind, then or later.
    ///
    /// Events: *group created* for the groups that the trigger is the first to need.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().for_each_changed(
    ///     &mut game,
    ///     Game::all_of::<Health>().updated(),
    ///     |game, id| game.destroy(id),
    /// );
    /// game.create_with(Health(1)).replace_health(2);
    /// systems.execute(&mut game);
    /// assert!(game.is_empty());
    /// ```
    #[must_use = "the list is returned"]
    pub fn for_each_changed<C: Context, R: IntoOutcome>(
        self,
        world: &mut W,
        trigger: Trigger<C>,
        each: impl FnMut(&mut W, EntityId<C>) -> R + Sendable + 'static,
    ) -> Self
    where
        W: HasContext<C>,
    {
        let name = name::of_value(&each);
        let collected = Collected::new(world.context_mut(), trigger, false, &name);
        self.add(Reaction::new(ForEach(each), collected))
    }
}
