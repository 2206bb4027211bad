//! A closure for each entity of a group, as a system.

use alloc::string::String;
use alloc::vec::Vec;

use super::contexts::HasContext;
use super::name;
use super::outcome::{AnyError, IntoOutcome, result_for};
use super::system::{Sendable, System, Systems};
use crate::api::context::Context;
use crate::matching::group::Group;
use crate::matching::matcher::Matcher;
use crate::state::user_code;
use crate::words::entity_id::EntityId;

/// Calls a closure for each member of a group.
struct ForEachMember<C, F> {
    group: Group<C>,
    each: F,
    /// Kept to reuse its memory.
    ids: Vec<EntityId<C>>,
}

impl<W, C, F, R> System<W, Result<(), AnyError>> for ForEachMember<C, F>
where
    W: HasContext<C>,
    C: Context,
    F: FnMut(&mut W, EntityId<C>) -> R + Sendable,
    R: IntoOutcome,
{
    fn execute(&mut self, world: &mut W) -> Result<(), AnyError> {
        self.group.collect_into(world.context(), &mut self.ids);
        let each = &mut self.each;
        for &id in &self.ids {
            if world.context().contains(id) {
                let outcome = user_code::call(world, W::context, |world| each(world, id));
                result_for(outcome, id.raw())?;
            }
        }
        Ok(())
    }

    fn name(&self) -> String {
        name::of::<F>()
    }
}

impl<W> Systems<W> {
    /// Adds a system that calls `each` at execute, for each matching entity, in the order of
    /// [`Group::iter`]. Entities destroyed by an earlier call are skipped; those that only stopped
    /// matching are not. If the closure [fails](crate::Systems#systems-that-fail), the remaining entities
    /// are skipped.
    ///
    /// Events: *group created* if the matcher has no group yet.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let poisoned = Game::all_of::<(Health, Poisoned)>();
    /// let mut systems = Systems::new().for_each_in(&mut game, poisoned, |game: &mut Game, id| {
    ///     game.entity_mut(id).update_health(|health| health.0 -= 1);
    /// });
    /// let id = game.create_with((Health(3), Poisoned)).id();
    /// systems.execute(&mut game);
    /// assert_eq!(game.entity(id).health().0, 2);
    /// ```
    #[must_use = "the list is returned"]
    pub fn for_each_in<C: Context, R: IntoOutcome>(
        self,
        world: &mut W,
        matcher: Matcher<C>,
        each: impl FnMut(&mut W, EntityId<C>) -> R + Sendable + 'static,
    ) -> Self
    where
        W: HasContext<C>,
    {
        let group = world.context_mut().group(matcher);
        let ids = Vec::new();
        self.add(ForEachMember { group, each, ids })
    }
}
