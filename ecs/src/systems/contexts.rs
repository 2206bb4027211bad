//! How the systems of a program find the contexts that they work on.
//!
//! What systems share is called their *world*: one context, or a struct of several with
//! `#[derive(Contexts)]`. Either way [`HasContext`] leads from the world to a context, and
//! [`HasContexts`] to two of several.

use crate::api::context::Context;

/// A world that has a context of type `C`: the context itself, or a struct with
/// `#[derive(Contexts)]` that has it as a field.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[ecs::context] pub struct Input;
/// #[derive(Contexts)]
/// struct World { game: Game, input: Input }
///
/// fn count<W: HasContext<Game>>(world: &W) -> usize { world.context().len() }
/// let mut world = World { game: Game::new(), input: Input::new() };
/// world.game.create_entity();
/// assert_eq!((count(&world), count(&world.game)), (1, 1));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no context `{C}`",
    label = "no field of type `{C}`",
    note = "a world is the context itself, or a struct with `#[derive(Contexts)]` that has the context as a field"
)]
pub trait HasContext<C> {
    /// Returns the context.
    fn context(&self) -> &C;

    /// Returns the context, to be changed.
    fn context_mut(&mut self) -> &mut C;
}

impl<C: Context> HasContext<C> for C {
    #[inline]
    fn context(&self) -> &C {
        self
    }

    #[inline]
    fn context_mut(&mut self) -> &mut C {
        self
    }
}

/// A world that has two contexts, which can be borrowed at once.
///
/// `#[derive(Contexts)]` implements it for any two contexts of the world, in both orders. It is for
/// code that is generic over the world; if the type of the world is known, take it apart by its
/// fields: `let World { game, ui, .. } = world;`.
///
/// # Examples
///
/// A plug-in for every program that has a game and a user interface:
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[ecs::context] pub struct Ui;
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Health(u32);
///
/// #[derive(Component)]
/// #[component(context = Ui)]
/// struct Label(String);
///
/// fn label_all<W: HasContexts<Game, Ui>>(world: &mut W) {
///     let (game, ui) = world.contexts_mut();
///     for health in game.query::<&Health>() {
///         ui.create_with(Label(format!("{} left", health.0)));
///     }
/// }
///
/// #[derive(Contexts)]
/// struct World { ui: Ui, game: Game }
///
/// let mut world = World { ui: Ui::new(), game: Game::new() };
/// world.game.create_with(Health(3));
/// Systems::new().add(label_all).execute(&mut world);
/// assert_eq!(world.ui.query::<&Label>().single().unwrap().0, "3 left");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no two contexts `{A}` and `{B}`",
    label = "not a world of `{A}` and `{B}`",
    note = "a world of several contexts is a struct with `#[derive(Contexts)]` that has each of them as a field"
)]
pub trait HasContexts<A, B>: HasContext<A> + HasContext<B> {
    /// Returns both contexts, to be changed.
    fn contexts_mut(&mut self) -> (&mut A, &mut B);
}

/// The type of a field of which `#[derive(Contexts)]` knows nothing.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the field's type `{Self}` is not a context",
    label = "not a context",
    note = "write `#[contexts(skip)]` above a field that is no context"
)]
pub trait ContextField {}

impl<C: Context> ContextField for C {}

/// Compiles if `C` is a context.
#[doc(hidden)]
pub const fn field_is_a_context<C: ContextField>() {}
