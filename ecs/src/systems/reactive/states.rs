//! Systems that run when a state is entered or left, or while it is set.
//!
//! They compare the state at each execute with the one at the last execute, which the context keeps. So
//! the world is in the state when *enter* runs, *enter* and *exit* alternate, however often the state is
//! set in between, and a loaded context continues as the saved one.

use alloc::string::String;
use alloc::sync::Arc;
use core::convert::Infallible;
use core::marker::PhantomData;
use core::mem;

use super::reaction::{ChangeSource, Control, React, Reaction};
use crate::api::context::Context;
use crate::reactions::entered::{Purpose, Seen, StateReader};
use crate::storage::descriptor::AnyValue;
use crate::storage::registry::index_of;
use crate::systems::contexts::HasContext;
use crate::systems::name;
use crate::systems::outcome::{IntoOutcome, Outcome};
use crate::systems::system::{Sendable, System, Systems};
use crate::words::component::State;

/// Detects when a state is entered or left.
struct StateSource<C, S> {
    state: Arc<S>,
    /// Whether to react to entering or to leaving.
    on_enter: bool,
    /// Whether the world was in the state at the last execute is kept by the context, for this reader.
    reader: StateReader,
    collecting: Collecting,
    context: PhantomData<fn(&C)>,
}

impl<C: Context, S: State<C>> StateSource<C, S> {
    fn new(state: S, on_enter: bool) -> Self {
        let purpose = match on_enter {
            true => Purpose::Enter,
            false => Purpose::Exit,
        };
        Self {
            state: Arc::new(state),
            on_enter,
            reader: StateReader::new(index_of::<C, S>(), purpose),
            collecting: Collecting::On,
            context: PhantomData,
        }
    }

    /// What it has seen at the last execute.
    fn seen<'c>(&mut self, context: &'c mut C) -> &'c mut Seen {
        let state = self.state.clone() as Arc<AnyValue>;
        let is_own = |seen: Option<&AnyValue>| {
            seen.and_then(|seen| seen.downcast_ref::<S>()) == Some(&*self.state)
        };
        let entered = context.core_mut().subs.entered_mut();
        entered.of(&mut self.reader, Some(&state), is_own)
    }

    /// Records whether the world is in the state; returns whether it was entered or left, whichever is
    /// waited for.
    fn look(&mut self, context: &mut C) -> bool {
        let (is_in, on_enter) = (is_in::<C, S>(context, &self.state), self.on_enter);
        let seen = self.seen(context);
        let was_in = mem::replace(&mut seen.is_in, is_in);
        let is_restarted = mem::take(&mut seen.is_restarted) && was_in;
        match on_enter {
            true => is_in && (!was_in || is_restarted),
            false => was_in && (!is_in || is_restarted),
        }
    }
}

/// Whether transitions count.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Collecting {
    On,
    Off,
    /// Permanently off.
    Released,
}

impl Collecting {
    pub(super) fn after(self, control: Control) -> Self {
        match (self, control) {
            (Self::Released, _) | (_, Control::Release) => Self::Released,
            (_, Control::Activate) => Self::On,
            (_, Control::Deactivate) => Self::Off,
            (collecting, Control::Attach | Control::Clear | Control::Discard) => collecting,
        }
    }
}

impl<C: Context, W: HasContext<C>, S: State<C>> ChangeSource<W> for StateSource<C, S> {
    /// There is nothing to filter.
    type Candidate<'a> = Infallible;

    fn drain(&mut self, world: &mut W, _: impl FnMut(Infallible) -> bool) -> usize {
        let counts = self.look(world.context_mut());
        usize::from(counts && self.collecting == Collecting::On)
    }

    fn discard(&mut self) {}

    fn control(&mut self, world: &mut W, control: Control) {
        match control {
            Control::Attach => _ = self.seen(world.context_mut()),
            Control::Discard => {}
            _ => _ = self.look(world.context_mut()),
        }
        self.collecting = self.collecting.after(control);
    }
}

/// Returns whether a context is in a state.
fn is_in<C: Context, S: State<C>>(context: &C, state: &S) -> bool {
    context.unique::<S>().get() == Some(state)
}

/// Calls a closure at a transition.
pub(super) struct OnTransition<F>(pub(super) F);

impl<W, C, S, F, T, R> React<W, StateSource<C, S>, R> for OnTransition<F>
where
    W: HasContext<C>,
    C: Context,
    S: State<C>,
    F: FnMut(&mut W) -> T + Sendable,
    T: IntoOutcome<Outcome = R>,
    R: Outcome,
{
    fn react(&mut self, world: &mut W, _: &mut StateSource<C, S>) -> R {
        (self.0)(world).into_outcome()
    }

    fn name(&self) -> String {
        name::of::<F>()
    }
}

impl<W> Systems<W> {
    /// Adds a system that calls `react` at execute if the world is in the state and was not at the last
    /// execute. At the first execute, a state that is already set counts as entered, unless it was entered
    /// before by a system like this one that is gone.
    ///
    /// So the world is in the state when `react` runs. A state that was set and left between two
    /// executes is not entered, one that was left and set again is not left, and setting the current state
    /// again has no effect ([`restart`](crate::UniqueMut::restart) leaves and enters it). To see
    /// each step, react to the component,
    /// `Game::all_of::<Mode>().entered_or_updated()`, or observe it, which passes the previous state.
    ///
    /// # Saves and rewinds
    ///
    /// What has been entered belongs to the context, not to the list: it is saved, rewound, restored and
    /// forked with it. So after loading, a new list runs neither the *enter* of the saved state again nor
    /// misses its *exit*, and after a rewind a list continues as it did then. A
    /// [`reset`](crate::Context::reset) forgets it. What is outside the context, such as music, or a view
    /// in another context, is not loaded with it: set it up with [`while_in`](Self::while_in), or react to
    /// the state [with rewinds](crate::Trigger::with_rewinds).
    ///
    /// A new system takes over from the first one before it that entered or left the same state, in the
    /// order of the list.
    ///
    /// [`on_transition`](Self::on_transition) passes the old and the new state.
    ///
    /// # While it is skipped
    ///
    /// The next execute compares the states before and after: what was entered meanwhile is entered then, also in
    /// a list that [discards](Self::discard_while_disabled) changes while it is disabled. Only
    /// [`clear`](System::clear) forgets what happened until then.
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
            OnTransition(react),
            StateSource::new(state, true),
        ))
    }

    /// Adds a system that calls `react` at execute if the world is not in the state and was at the last
    /// execute. See [`on_enter`](Self::on_enter) for the details.
    ///
    /// Systems run in the order of the list; add those for leaving before those for entering.
    ///
    /// To destroy the entities that belong to a state when it is left, such as the buttons of a menu, give
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
            OnTransition(react),
            StateSource::new(state, false),
        ))
    }

    /// Adds a system or a list that runs only while the world is in a state: [`add_if`](Self::add_if) with
    /// that condition.
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
        reason = "`Sendable` comes first, so that an error about `Send` stands alone"
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
