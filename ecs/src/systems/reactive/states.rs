//! Systems for the states of a world: for entering one, for leaving one, while in one.
//!
//! They look at the state at each execute and remember nothing but whether the world was in theirs
//! when they last looked. So what they are told holds when they run, and entering and leaving take
//! turns, however often the state is set in between.

use alloc::string::String;
use core::convert::Infallible;
use core::marker::PhantomData;
use core::mem;

use super::reaction::{ChangeSource, Control, React, Reaction};
use crate::api::context::Context;
use crate::systems::contexts::HasContext;
use crate::systems::name;
use crate::systems::outcome::{IntoOutcome, Outcome};
use crate::systems::system::{Sendable, System, Systems};
use crate::words::component::State;

/// Whether a world is in a state, and was when it was last looked at.
struct EnterOrExit<C, S> {
    state: S,
    /// Whether coming to the state counts, or leaving it.
    on_enter: bool,
    was_in: bool,
    watch: TransitionWatch,
    context: PhantomData<fn(&C)>,
}

impl<C, S> EnterOrExit<C, S> {
    fn new(state: S, on_enter: bool) -> Self {
        Self {
            state,
            on_enter,
            was_in: false,
            watch: TransitionWatch::On,
            context: PhantomData,
        }
    }
}

/// Whether transitions count at present.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum TransitionWatch {
    On,
    Off,
    /// For good.
    Released,
}

impl TransitionWatch {
    pub(super) fn after(self, control: Control) -> Self {
        match (self, control) {
            (Self::Released, _) | (_, Control::Release) => Self::Released,
            (_, Control::Activate) => Self::On,
            (_, Control::Deactivate) => Self::Off,
            (watch, Control::Clear) => watch,
        }
    }
}

impl<C: Context, W: HasContext<C>, S: State<C>> ChangeSource<W> for EnterOrExit<C, S> {
    /// There is nothing to choose from.
    type Candidate<'a> = Infallible;

    fn drain(&mut self, world: &mut W, _: impl FnMut(Infallible) -> bool) -> usize {
        let is_in = is_in::<C, S>(world.context(), &self.state);
        let was_in = mem::replace(&mut self.was_in, is_in);
        let counts = self.watch == TransitionWatch::On && is_in != was_in && is_in == self.on_enter;
        usize::from(counts)
    }

    fn forget(&mut self) {}

    fn control(&mut self, world: &mut W, control: Control) {
        self.was_in = is_in::<C, S>(world.context(), &self.state);
        self.watch = self.watch.after(control);
    }
}

/// Whether a context is in a state.
fn is_in<C: Context, S: State<C>>(context: &C, state: &S) -> bool {
    context.unique::<S>().get() == Some(state)
}

/// A closure that is called at a transition.
pub(super) struct AtTransition<F>(pub(super) F);

impl<W, C, S, F, T, R> React<W, EnterOrExit<C, S>, R> for AtTransition<F>
where
    W: HasContext<C>,
    C: Context,
    S: State<C>,
    F: FnMut(&mut W) -> T + Sendable,
    T: IntoOutcome<Outcome = R>,
    R: Outcome,
{
    fn react(&mut self, world: &mut W, _: &EnterOrExit<C, S>) -> R {
        (self.0)(world).into_outcome()
    }

    fn name(&self) -> String {
        name::of::<F>()
    }
}

impl<W> Systems<W> {
    /// Adds a closure that is called at execute when the world has come to a state: if it is in it
    /// and was not when the closure's turn came last. The first time, it counts as entered if the
    /// world is in it.
    ///
    /// So when the closure is called, the world is in the state. A state that was set and left
    /// again between two executes is not entered, and one that was left and set again has not been
    /// left; who needs each step follows the component:
    /// `Game::all_of::<Mode>().entered_or_updated()`, or observers, who are lent the previous state.
    /// Setting the present state again does nothing. See [`on_transition`](Self::on_transition) for both ends
    /// of a transition, and for re-entering a state.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let monsters = game.group(Game::all_of::<Monster>());
    /// let mut systems = Systems::new()
    ///     .on_exit(Mode::Playing, move |game| _ = monsters.destroy_all(game))
    ///     .on_enter(Mode::Playing, |game: &mut Game| { game.create_with(Monster); });
    /// game.set_mode(Mode::Playing);
    /// systems.execute(&mut game);
    /// systems.execute(&mut game);
    /// assert_eq!(monsters.len(&game), 1);
    ///
    /// game.set_mode(Mode::Menu);
    /// systems.execute(&mut game);
    /// assert!(monsters.is_empty(&game));
    /// ```
    #[must_use = "the list is returned"]
    pub fn on_enter<C: Context, S: State<C>, R: IntoOutcome>(
        self,
        state: S,
        react: impl FnMut(&mut W) -> R + Sendable + 'static,
    ) -> Self
    where
        W: HasContext<C>,
    {
        self.add(Reaction::new(
            AtTransition(react),
            EnterOrExit::new(state, true),
        ))
    }

    /// Adds a closure that is called at execute when the world has left a state: if it is not in it
    /// and was when the closure's turn came last. See [`on_enter`](Self::on_enter) for what counts.
    ///
    /// The systems of a list run in their order; those for leaving are best listed before those for
    /// entering.
    ///
    /// To destroy the entities that belong to a state when it is left, a menu's buttons for example, give
    /// them a component with that state. One system then does it for all states:
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone, PartialEq)]
    /// # #[component(context = Game, unique, state)]
    /// # enum Stage { Menu, Playing }
    /// #[derive(Component)]
    /// #[component(context = Game)]
    /// struct Only(Stage);
    ///
    /// let mut game = Game::new();
    /// let mut systems = Systems::new()
    ///     .add(Expire::destroy(|game: &Game, only: &Only| game.get_stage() != Some(&only.0)));
    /// game.set_stage(Stage::Menu);
    /// let button = game.create_with(Only(Stage::Menu)).id();
    /// systems.execute(&mut game);
    /// assert!(game.contains(button));
    /// game.set_stage(Stage::Playing);
    /// systems.execute(&mut game);
    /// assert!(!game.contains(button));
    /// ```
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let buttons = game.group(Game::all_of::<Button>());
    /// let mut systems = Systems::<Game>::new()
    ///     .on_exit(Mode::Menu, move |game| _ = buttons.destroy_all(game));
    /// game.set_mode(Mode::Menu);
    /// game.create_with(Button);
    /// systems.execute(&mut game);
    /// game.set_mode(Mode::Playing);
    /// systems.execute(&mut game);
    /// assert!(buttons.is_empty(&game));
    /// ```
    #[must_use = "the list is returned"]
    pub fn on_exit<C: Context, S: State<C>, R: IntoOutcome>(
        self,
        state: S,
        react: impl FnMut(&mut W) -> R + Sendable + 'static,
    ) -> Self
    where
        W: HasContext<C>,
    {
        self.add(Reaction::new(
            AtTransition(react),
            EnterOrExit::new(state, false),
        ))
    }

    /// Adds a system, or a list of them, that takes part only while the world is in a state: it is
    /// [`add_if`](Self::add_if) with that as the condition.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.set_time(0);
    /// let mut systems = Systems::new().while_in(Mode::Playing, |game: &mut Game| {
    ///     game.update_time(|time| time.0 += 1);
    /// });
    /// for mode in [Mode::Menu, Mode::Playing, Mode::Playing, Mode::Menu] {
    ///     game.set_mode(mode);
    ///     systems.execute(&mut game);
    /// }
    /// assert_eq!(game.time().0, 2);
    /// ```
    #[must_use = "the list is returned"]
    #[expect(
        clippy::implied_bounds_in_impls,
        reason = "comes first, so that what is not `Send` is told just that"
    )]
    pub fn while_in<C: Context, S: State<C>, R: Outcome>(
        self,
        state: S,
        system: impl Sendable + System<W, R> + 'static,
    ) -> Self
    where
        W: HasContext<C>,
    {
        let condition = move |world: &W| is_in::<C, S>(world.context(), &state);
        self.add_if(condition, system)
    }
}
