//! How the systems of a program find the contexts that they work on.
//!
//! What systems share is called their *world*: one context, or a struct of several with
//! `#[derive(Contexts)]`. Either way [`HasContext`] leads from the world to a context.

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
