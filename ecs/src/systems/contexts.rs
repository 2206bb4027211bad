//! How systems find the contexts that they work on.
//!
//! Systems share a *world*: one context, or a struct of several with `#[derive(Contexts)]`.
//! [`HasContext`] returns one context of a world, [`HasContexts`] two at once. Tools that know none of
//! the types use [`VisitContexts`].

use crate::api::context::Context;
use crate::words::demands::{ByThreads, SharedContext, Threads as _};

/// A world that has a context of type `C`: the context itself, or a struct with
/// `#[derive(Contexts)]` that has it as a field.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// #[derive(Contexts)]
/// struct World { game: Game, ui: Ui }
///
/// fn count<W: HasContext<Game>>(world: &W) -> usize { world.context().len() }
/// let mut world = World { game: Game::new(), ui: Ui::new() };
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

    /// Returns the context for writing.
    fn context_mut(&mut self) -> &mut C;
}

/// A context that no world has. It gives [`HasContext`] a second generic implementation. With only one,
/// the compiler would infer that a type that is not a world is itself the requested context.
#[doc(hidden)]
#[derive(Debug)]
pub enum NoContext {}

/// Never implemented.
#[doc(hidden)]
pub trait HasNoContext {}

#[doc(hidden)]
impl<W: HasNoContext> HasContext<NoContext> for W {
    fn context(&self) -> &NoContext {
        unreachable!("nothing has no context")
    }

    fn context_mut(&mut self) -> &mut NoContext {
        unreachable!("nothing has no context")
    }
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
/// `#[derive(Contexts)]` implements it for any two contexts of the world, in both orders. Use it in code
/// that is generic over the world. If you know the world's type, borrow its fields:
/// `let World { game, ui, .. } = world;`.
///
/// # Examples
///
/// A plug-in for any program with a game and a user interface:
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
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
    /// Returns both contexts for writing.
    fn contexts_mut(&mut self) -> (&mut A, &mut B);
}

/// Visits each context of a world, whatever its type. See [`VisitContexts`].
pub trait ContextVisitor {
    /// Visits one context.
    fn visit<C: Context>(&mut self, context: &mut C);

    /// Visits a context that other threads may use, whose observers can be `Send + Sync` closures; the default
    /// is [`visit`](Self::visit), which gets the [local](crate::guide::systems_and_worlds#local-contexts) ones.
    fn visit_shared<C: Context + SharedContext>(&mut self, context: &mut C) {
        self.visit(context);
    }
}

/// A world whose contexts can be visited: a context, or a struct with `#[derive(Contexts)]`.
///
/// It is for tools that work with any program: they display, measure or save all contexts.
///
/// # Examples
///
/// ```
/// # use ecs::{ContextVisitor, VisitContexts, prelude::*};
/// # use sample::*;
/// struct Count(usize);
///
/// impl ContextVisitor for Count {
///     fn visit<C: Context>(&mut self, context: &mut C) { self.0 += context.len(); }
/// }
///
/// #[derive(Contexts)]
/// struct World { game: Game, ui: Ui }
///
/// let mut world = World { game: Game::new(), ui: Ui::new() };
/// world.game.create_entity();
/// world.ui.create_entity();
/// let mut count = Count(0);
/// world.visit_contexts(&mut count);
/// assert_eq!(count.0, 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a world",
    label = "neither a context nor a struct of contexts",
    note = "a world is a context, or a struct with `#[derive(Contexts)]`",
    note = "a type that implements `HasContext` by hand implements `VisitContexts` too: it passes each of its contexts to the visitor"
)]
pub trait VisitContexts {
    /// Passes each context to the visitor; the contexts of a struct in the order of its fields.
    fn visit_contexts<V: ContextVisitor>(&mut self, visitor: &mut V);
}

struct VisitWith<'v, V>(&'v mut V);

impl<C: Context, V: ContextVisitor> ByThreads<C> for VisitWith<'_, V> {
    #[inline]
    fn shared(self, context: &mut C)
    where
        C: SharedContext,
    {
        self.0.visit_shared(context);
    }

    #[inline]
    fn local(self, context: &mut C) {
        self.0.visit(context);
    }
}

impl<C: Context> VisitContexts for C {
    #[inline]
    fn visit_contexts<V: ContextVisitor>(&mut self, visitor: &mut V) {
        C::Threads::call(self, VisitWith(visitor));
    }
}

/// Checks that a field of a struct with `#[derive(Contexts)]` is a context.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the field's type `{Self}` is not a context",
    label = "not a context",
    note = "write `#[contexts(skip)]` above a field that is not a context"
)]
pub trait ContextField: Context {}

impl<C: Context> ContextField for C {}

/// Passes a field to a visitor. It compiles only if the field is a context.
#[doc(hidden)]
#[inline]
pub fn visit_field<C: ContextField, V: ContextVisitor>(field: &mut C, visitor: &mut V) {
    field.visit_contexts(visitor);
}
