//! Systems that receive the old and the new state of a transition.
//!
//! Like the systems for a single state, they compare the state at each execute with the one at the last
//! execute.

use alloc::string::String;
use core::convert::Infallible;
use core::marker::PhantomData;
use core::mem;

use super::reaction::{ChangeSource, Control, React, Reaction};
use super::states::{Collecting, OnTransition};
use crate::api::context::Context;
use crate::systems::contexts::HasContext;
use crate::systems::name;
use crate::systems::outcome::{IntoOutcome, Outcome};
use crate::systems::system::{Sendable, Systems};
use crate::words::component::State;

/// Detects transitions, and keeps both states.
struct TransitionSource<C, S> {
    /// The state before; `None` between two executes.
    from: Option<S>,
    /// The state at the last execute.
    to: Option<S>,
    collecting: Collecting,
    context: PhantomData<fn(&C)>,
}

impl<C: Context, W: HasContext<C>, S: State<C> + Clone> ChangeSource<W> for TransitionSource<C, S> {
    /// There is nothing to filter.
    type Candidate<'a> = Infallible;

    fn drain(&mut self, world: &mut W, _: impl FnMut(Infallible) -> bool) -> usize {
        let now = world.context().unique::<S>().get();
        if now == self.to.as_ref() {
            return 0;
        }
        let now = now.cloned();
        self.from = mem::replace(&mut self.to, now);
        usize::from(self.collecting == Collecting::On)
    }

    fn discard(&mut self) {
        self.from = None;
    }

    fn control(&mut self, world: &mut W, control: Control) {
        self.to = world.context().unique::<S>().get().cloned();
        self.collecting = self.collecting.after(control);
    }
}

impl<W, C, S, F, T, R> React<W, TransitionSource<C, S>, R> for OnTransition<F>
where
    W: HasContext<C>,
    C: Context,
    S: State<C> + Clone,
    F: FnMut(&mut W, Option<&S>, Option<&S>) -> T + Sendable,
    T: IntoOutcome<Outcome = R>,
    R: Outcome,
{
    fn react(&mut self, world: &mut W, states: &TransitionSource<C, S>) -> R {
        (self.0)(world, states.from.as_ref(), states.to.as_ref()).into_outcome()
    }

    fn name(&self) -> String {
        name::of::<F>()
    }
}

impl<W> Systems<W> {
    /// Adds a system that calls `react` at execute if the state has changed since the last execute, with
    /// the old and the new state. `None` means that the state is not set, as at the start.
    ///
    /// As with [`on_enter`](Self::on_enter), states that were set and left in between are not reported.
    ///
    /// # Re-entering a state
    ///
    /// Setting the current state again does not re-enter it. To restart a level, for example, give the
    /// state a field that changes with each attempt:
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// #[derive(Component, Clone, PartialEq)]
    /// #[component(context = Game, unique, state)]
    /// enum Mode { Menu, Playing { attempt: u32 }, Paused }
    ///
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().on_transition(
    ///     |game: &mut Game, from: Option<&Mode>, to: Option<&Mode>| match (from, to) {
    ///         (Some(Mode::Paused), Some(Mode::Playing { .. })) => {} // resumes
    ///         (_, Some(Mode::Playing { .. })) => { game.create_entity(); } // starts
    ///         _ => {}
    ///     },
    /// );
    /// let playing = |attempt| Mode::Playing { attempt };
    /// for mode in [Mode::Menu, playing(1), Mode::Paused, playing(1), playing(2), playing(2)] {
    ///     game.set_mode(mode);
    ///     systems.execute(&mut game);
    /// }
    /// assert_eq!(game.len(), 1 + 2); // two attempts
    /// ```
    #[must_use = "the list is returned"]
    pub fn on_transition<C: Context, S: State<C> + Clone, R: IntoOutcome>(
        self,
        react: impl FnMut(&mut W, Option<&S>, Option<&S>) -> R + Sendable + 'static,
    ) -> Self
    where
        W: HasContext<C>,
    {
        let source = TransitionSource::<C, S> {
            from: None,
            to: None,
            collecting: Collecting::On,
            context: PhantomData,
        };
        self.add(Reaction::new(OnTransition(react), source))
    }
}
