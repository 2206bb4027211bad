//! Systems that receive the old and the new state of a transition.
//!
//! Like the systems for a single state, they compare the state at each execute with the one at the last
//! execute, which the context keeps.

use alloc::string::String;
use alloc::sync::Arc;
use core::convert::Infallible;
use core::marker::PhantomData;

use super::reaction::{ChangeSource, Control, React, Reaction};
use super::states::{Collecting, OnTransition};
use crate::api::context::Context;
use crate::reactions::entered::{Purpose, Seen, StateReader};
use crate::storage::descriptor::AnyValue;
use crate::storage::registry::index_of;
use crate::systems::contexts::HasContext;
use crate::systems::name;
use crate::systems::outcome::{IntoOutcome, Outcome};
use crate::systems::system::{Sendable, Systems};
use crate::words::component::State;

/// Detects transitions, and keeps both states.
struct TransitionSource<C, S> {
    /// The states before and after; `None` between two executes.
    ends: [Option<Arc<AnyValue>>; 2],
    /// Has seen the state at the last execute.
    reader: StateReader,
    collecting: Collecting,
    context: PhantomData<fn(&C) -> S>,
}

impl<C: Context, S: State<C> + Clone> TransitionSource<C, S> {
    /// What it has seen at the last execute.
    fn seen<'c>(&mut self, context: &'c mut C) -> &'c mut Seen {
        let entered = context.core_mut().subs.entered_mut();
        entered.of(&mut self.reader, None, |_| true)
    }

    /// Records the state. Returns the states before and now if they differ, or if it was restarted.
    fn look(&mut self, context: &mut C) -> Option<[Option<Arc<AnyValue>>; 2]> {
        let seen = self.seen(context);
        let is_restarted = core::mem::take(&mut seen.is_restarted);
        let before = seen.state.clone();
        let now = context.unique::<S>().get();
        if now == of_any::<S>(&before) && !is_restarted {
            return None;
        }
        let now = now.map(|now| Arc::new(now.clone()) as Arc<AnyValue>);
        self.seen(context).state.clone_from(&now); // `before` is dropped later
        Some([before, now])
    }
}

fn of_any<S: 'static>(state: &Option<Arc<AnyValue>>) -> Option<&S> {
    state.as_ref()?.downcast_ref()
}

impl<C: Context, W: HasContext<C>, S: State<C> + Clone> ChangeSource<W> for TransitionSource<C, S> {
    /// There is nothing to filter.
    type Candidate<'a> = Infallible;

    fn drain(&mut self, world: &mut W, _: impl FnMut(Infallible) -> bool) -> usize {
        let Some(ends) = self.look(world.context_mut()) else {
            return 0;
        };
        self.ends = ends;
        usize::from(self.collecting == Collecting::On)
    }

    fn discard(&mut self) {
        self.ends = [None, None];
    }

    fn control(&mut self, world: &mut W, control: Control) {
        match control {
            Control::Attach => _ = self.seen(world.context_mut()),
            Control::Discard => {}
            _ => _ = self.look(world.context_mut()),
        }
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
    fn react(&mut self, world: &mut W, states: &mut TransitionSource<C, S>) -> R {
        let [from, to] = states.ends.each_ref().map(of_any);
        (self.0)(world, from, to).into_outcome()
    }

    fn name(&self) -> String {
        name::of::<F>()
    }
}

impl<W> Systems<W> {
    /// Adds a system that calls `react` at execute if the state has changed since the last execute, with
    /// the old and the new state. `None` means that the state is not set, as at the start.
    ///
    /// As with [`on_enter`](Self::on_enter), states that were set and left in between are not reported, and
    /// the last state is saved and rewound with the context.
    ///
    /// [`restart`](crate::UniqueMut::restart) is a transition from the state to itself.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// #[derive(Component, Clone, PartialEq)]
    /// #[component(context = Game, unique, state)]
    /// enum Mode { Menu, Playing, Paused }
    ///
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().on_transition(
    ///     |game: &mut Game, from: Option<&Mode>, to: Option<&Mode>| match (from, to) {
    ///         (Some(Mode::Paused), Some(Mode::Playing)) => {} // resumes
    ///         (_, Some(Mode::Playing)) => { game.create_entity(); } // starts
    ///         _ => {}
    ///     },
    /// );
    /// for mode in [Mode::Menu, Mode::Playing, Mode::Paused, Mode::Playing] {
    ///     game.set_mode(mode);
    ///     systems.execute(&mut game);
    /// }
    /// assert_eq!(game.len(), 1 + 1); // the entity of the state counts, too
    /// game.unique_mut::<Mode>().restart();
    /// systems.execute(&mut game);
    /// assert_eq!(game.len(), 1 + 2);
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
            ends: [None, None],
            reader: StateReader::new(index_of::<C, S>(), Purpose::Change),
            collecting: Collecting::On,
            context: PhantomData,
        };
        self.add(Reaction::new(OnTransition(react), source))
    }
}
