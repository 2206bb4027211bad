//! Reactive systems that receive removed values.

use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;

use super::reaction::{ChangeSource, Control, React, Reaction};
use crate::api::context::Context;
use crate::reactions::removed::RemovedValues;
use crate::systems::contexts::HasContext;
use crate::systems::name;
use crate::systems::outcome::{IntoOutcome, Outcome};
use crate::systems::system::{Sendable, Systems};
use crate::words::component::Component;
use crate::words::demands::ThreadSafe;
use crate::words::entity_id::EntityId;

/// A log of removed values, and those that were drained last.
struct RemovedSource<C, T> {
    /// `None` after a release.
    log: Option<RemovedValues<C, T>>,
    values: Vec<(EntityId<C>, T)>,
}

impl<C: Context, W: HasContext<C>, T: Component<C> + ThreadSafe> ChangeSource<W>
    for RemovedSource<C, T>
{
    /// Values are not filtered.
    type Candidate<'a> = Infallible;

    #[track_caller]
    fn drain(&mut self, world: &mut W, _: impl FnMut(Infallible) -> bool) -> usize {
        self.values.clear();
        if let Some(log) = &self.log {
            log.drain_into(world.context_mut(), &mut self.values);
        }
        self.values.len()
    }

    fn discard(&mut self) {
        self.values.clear();
    }

    fn control(&mut self, world: &mut W, control: Control) {
        let (Some(log), context) = (&self.log, world.context_mut()) else {
            return;
        };
        match control {
            Control::Attach => {}
            Control::Activate => log.activate(context),
            Control::Deactivate => log.deactivate(context),
            Control::Clear | Control::Discard => log.clear(context),
            Control::Release => self
                .log
                .take()
                .into_iter()
                .for_each(|log| log.release(context)),
        }
    }
}

/// Calls a closure with all values.
struct WithRemoved<F>(F);

impl<W, C, T, F, O, R> React<W, RemovedSource<C, T>, R> for WithRemoved<F>
where
    W: HasContext<C>,
    C: Context,
    T: Component<C> + ThreadSafe,
    F: FnMut(&mut W, &[(EntityId<C>, T)]) -> O + Sendable,
    O: IntoOutcome<Outcome = R>,
    R: Outcome,
{
    fn react(&mut self, world: &mut W, removed: &mut RemovedSource<C, T>) -> R {
        (self.0)(world, &removed.values).into_outcome()
    }

    fn name(&self) -> String {
        name::of::<F>()
    }
}

impl<W> Systems<W> {
    /// Adds a system that calls `react` at execute with the values of `T` that entities have lost since the
    /// last execute, in order, including those of destroyed entities. It is not called if there are none.
    ///
    /// See [`RemovedValues`](crate::RemovedValues) for what counts as lost.
    ///
    /// Events: *group created* if there is no group of the entities with `T` yet.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().on_removed(&mut game, |game, lost: &[(_, Cargo)]| {
    ///     for (_, cargo) in lost { game.create_with(Debris(cargo.0)); }
    /// });
    /// let ship = game.create_with(Cargo(7)).id();
    /// game.destroy(ship);
    /// systems.execute(&mut game);
    /// assert_eq!(game.entities().next().unwrap().debris().0, 7);
    /// ```
    #[must_use = "the list is returned"]
    pub fn on_removed<C: Context, T: Component<C> + Clone + ThreadSafe, R: IntoOutcome>(
        self,
        world: &mut W,
        react: impl FnMut(&mut W, &[(EntityId<C>, T)]) -> R + Sendable + 'static,
    ) -> Self
    where
        W: HasContext<C>,
    {
        let log = world.context_mut().removed_values();
        log.set_reader(&name::of_value(&react));
        let removed = RemovedSource {
            log: Some(log),
            values: Vec::new(),
        };
        self.add(Reaction::new(WithRemoved(react), removed))
    }
}
