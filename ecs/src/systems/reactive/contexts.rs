//! The contexts of a reactive system: one, or a tuple of them.

use super::collected::CollectorSource;
use super::reaction::{ChangeSource, Control};
use crate::api::context::Context;
use crate::matching::matcher::Trigger;
use crate::reactions::actor::Cause;
use crate::systems::contexts::HasContext;
use crate::words::entity_id::EntityId;

/// What a [`ReactiveSystem`](crate::ReactiveSystem) reacts to: a context, or a tuple of two to four.
pub trait ReactiveContexts {
    /// The trigger; for a tuple, one for each context.
    type Trigger;
    /// An entity; for a tuple, a tuple of `Option`s, of which one is the entity.
    type Entity<'a>;
    /// The ids of the entities that changed; for a tuple, a list for each context.
    type Changed<'a>;
}

/// Contexts of the world `W`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a context of the world `{W}`",
    label = "neither a context of `{W}` nor a tuple of two to four of its contexts",
    note = "a world is the context itself, or a struct with `#[derive(Contexts)]` that has the context as a field"
)]
pub trait ReactiveContextsOf<W>: ReactiveContexts {
    /// The collector; for a tuple, one for each context.
    type Source: for<'a> ChangeSource<W, Candidate<'a> = Self::Entity<'a>> + 'static;

    /// Creates the collectors, which collect from now on.
    fn open(
        world: &mut W,
        trigger: Self::Trigger,
        include_destroyed: bool,
        system: &str,
    ) -> Self::Source;

    /// Returns the ids that were drained last.
    fn changed(source: &Self::Source) -> Self::Changed<'_>;
}

impl<C: Context> ReactiveContexts for C {
    type Trigger = Trigger<C>;
    type Entity<'a> = C::Entity<'a>;
    type Changed<'a> = &'a [EntityId<C>];
}

#[diagnostic::do_not_recommend]
impl<W: HasContext<C>, C: Context> ReactiveContextsOf<W> for C {
    type Source = CollectorSource<C>;

    fn open(
        world: &mut W,
        trigger: Trigger<C>,
        include_destroyed: bool,
        system: &str,
    ) -> CollectorSource<C> {
        CollectorSource::new(world.context_mut(), trigger, include_destroyed, system)
    }

    fn changed(source: &CollectorSource<C>) -> &[EntityId<C>] {
        source.ids()
    }
}

macro_rules! tuples_of_contexts {
    ($(($($name:ident $at:tt),*))*) => { $(
        impl<W $(, $name: Context)*> ChangeSource<W> for ($(CollectorSource<$name>,)*)
        where
            $(W: HasContext<$name>,)*
        {
            type Candidate<'a> = ($(Option<$name::Entity<'a>>,)*);

            #[track_caller]
            fn drain(
                &mut self,
                world: &mut W,
                mut accept: impl FnMut(Self::Candidate<'_>) -> bool,
            ) -> usize {
                0 $(+ self.$at.drain(world, |entity| {
                    let mut candidate = <Self as ChangeSource<W>>::Candidate::<'_>::default();
                    candidate.$at = Some(entity);
                    accept(candidate)
                }))*
            }
            fn cause(&self) -> Option<Cause> {
                None $(.or_else(|| ChangeSource::<W>::cause(&self.$at)))*
            }
            fn discard(&mut self) {
                $(ChangeSource::<W>::discard(&mut self.$at);)*
            }
            fn control(&mut self, world: &mut W, control: Control) {
                $(ChangeSource::<W>::control(&mut self.$at, world, control);)*
            }
        }

        impl<$($name: Context),*> ReactiveContexts for ($($name,)*) {
            type Trigger = ($(Trigger<$name>,)*);
            type Entity<'a> = ($(Option<$name::Entity<'a>>,)*);
            type Changed<'a> = ($(&'a [EntityId<$name>],)*);
        }

        #[diagnostic::do_not_recommend]
        impl<W $(, $name: Context)*> ReactiveContextsOf<W> for ($($name,)*)
        where
            $(W: HasContext<$name>,)*
        {
            type Source = ($(CollectorSource<$name>,)*);

            fn open(
                world: &mut W,
                trigger: Self::Trigger,
                destroyed: bool,
                system: &str,
            ) -> Self::Source {
                ($($name::open(world, trigger.$at, destroyed, system),)*)
            }
            fn changed(source: &Self::Source) -> Self::Changed<'_> {
                ($(source.$at.ids(),)*)
            }
        }
    )* };
}

tuples_of_contexts! {
    (A 0, B 1) (A 0, B 1, D 2) (A 0, B 1, D 2, E 3)
}
