//! A system of one context in a list of a world of several.

use core::convert::identity;
use core::marker::PhantomData;

use super::contexts::HasContext;
use super::forward::forward_system;
use super::outcome::Outcome;
use super::system::{Sendable, System, Systems};
use crate::api::context::Context;

/// Runs a system on one context of the world.
struct OnContext<C, S, R> {
    system: S,
    types: PhantomData<fn(&C) -> R>,
}

impl<W, C, S, R> System<W, R> for OnContext<C, S, R>
where
    W: HasContext<C>,
    C: Context,
    S: System<C, R>,
    R: Outcome,
{
    forward_system!(
        this => this.system, world => world.context_mut(),
        System<C, R>, identity => R
    );
}

impl<W> Systems<W> {
    /// Adds a system or a list that works on one context, to a list of a world that has it. All phases run, and
    /// the [report](Self::report) shows the systems of a list like those of any nested list.
    ///
    /// So the rules of a game can be a `Systems<Game>` which tests run on a `Game` alone, and which knows nothing
    /// of the program's other contexts.
    ///
    /// [`stage`](Self::stage) does not find lists inside this one, whose world is another type.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// #[derive(Contexts)]
    /// struct World { game: Game, ui: Ui }
    ///
    /// fn rules() -> Systems<Game> {
    ///     Systems::with_name("Rules")
    ///         .on(Phase::Initialize, |game: &mut Game| drop(game.create_with(Health(1))))
    ///         .add(|game: &mut Game| game.query_mut::<&mut Health>().for_each(|health| health.0 += 1))
    /// }
    ///
    /// let mut world = World { game: Game::new(), ui: Ui::new() };
    /// let mut systems = Systems::<World>::new()
    ///     .add_on_context(rules())
    ///     .add(|world: &mut World| {
    ///         let health = world.game.query::<&Health>().single().unwrap().0;
    ///         world.ui.create_with(Label(health.to_string()));
    ///     });
    /// systems.initialize(&mut world);
    /// systems.execute(&mut world);
    /// assert_eq!(world.ui.query::<&Label>().single().unwrap().0, "2");
    /// ```
    #[must_use = "the list is returned"]
    #[expect(
        clippy::implied_bounds_in_impls,
        reason = "`Sendable` comes first, so that an error about `Send` stands alone"
    )]
    pub fn add_on_context<C: Context, R: Outcome>(
        self,
        system: impl Sendable + System<C, R> + 'static,
    ) -> Self
    where
        W: HasContext<C>,
    {
        let types = PhantomData;
        self.add(OnContext { system, types })
    }
}
