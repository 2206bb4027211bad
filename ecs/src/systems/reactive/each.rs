//! Reactive systems as a trigger and a closure for each entity.

use alloc::string::String;

use super::collected::CollectorSource;
use super::reaction::{React, Reaction};
use crate::api::context::Context;
use crate::matching::matcher::Trigger;
use crate::reactions::actor::{Causing, is_acting};
use crate::state::user_code;
use crate::systems::contexts::HasContext;
use crate::systems::name;
use crate::systems::outcome::{AnyError, IntoOutcome, result_for};
use crate::systems::system::{Sendable, Systems};
use crate::words::entity_id::EntityId;

/// Calls a closure for each entity.
struct ForEachId<F>(F);

impl<W, F, C, R> React<W, CollectorSource<C>, Result<(), AnyError>> for ForEachId<F>
where
    W: HasContext<C>,
    F: FnMut(&mut W, EntityId<C>) -> R + Sendable,
    C: Context,
    R: IntoOutcome,
{
    fn react(&mut self, world: &mut W, collected: &mut CollectorSource<C>) -> Result<(), AnyError> {
        let is_acting = is_acting();
        for (at, &id) in collected.ids().iter().enumerate() {
            if !world.context().contains(id) {
                continue;
            }
            let cause = || Some(collected.cause_by(id, 1));
            let _causing = is_acting.then(|| Causing::start(cause));
            let outcome = user_code::call(world, W::context, |world| (self.0)(world, id));
            if let Err(error) = result_for(outcome, id.raw()) {
                collected.leave_from(world.context_mut(), at + 1);
                return Err(error);
            }
        }
        Ok(())
    }

    fn name(&self) -> String {
        name::of::<F>()
    }
}

impl<W> Systems<W> {
    /// Adds a system that calls `each` at execute, for each entity that the trigger has collected since
    /// the last execute, in the order of first changes. These are the entities that a
    /// [`ReactiveSystem`](crate::ReactiveSystem) receives by default.
    ///
    /// Dead entities are skipped: those destroyed by an earlier call, and with a trigger *left* those
    /// that left by being destroyed. To react to these too, use [`on_removed`](Self::on_removed), or a
    /// reactive system that [includes them](crate::ReactiveSystem::include_destroyed). If the closure
    /// [fails](crate::Systems#systems-that-fail), the error names the entity, and the entities behind it
    /// wait for the next execute.
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
        let collected = CollectorSource::new(world.context_mut(), trigger, false, &name);
        self.add(Reaction::new(ForEachId(each), collected))
    }
}
