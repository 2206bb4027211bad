//! Systems that react to changes in several contexts.

use alloc::string::String;
use core::convert::Infallible;

use super::collected::Collected;
use super::reaction::{ChangeSource, Control, React, Reaction};
use crate::api::context::Context;
use crate::matching::matcher::Trigger;
use crate::systems::contexts::HasContext;
use crate::systems::forward::{forward_phases, forward_to};
use crate::systems::name;
use crate::systems::outcome::Outcome;
use crate::systems::system::{Sendable, System, Systems};
use crate::words::actor::Wake;
use crate::words::entity_id::EntityId;

/// Logic that reacts to changes in several contexts of a world.
///
/// It has a trigger and a list of entities for each context. A list has the entities that are
/// alive and for which what the trigger waits for still holds, in the order in which they were
/// first concerned. The system is called if at least one list has an entity. There is no filter:
/// what else matters about an entity is asked in [`react`](Self::react).
///
/// In everything else it is like a [`ReactiveSystem`](crate::ReactiveSystem).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[ecs::context] pub struct Ui;
/// # #[derive(Contexts)] struct World { game: Game, ui: Ui }
/// #[derive(Component)]
/// #[component(context(Game, Ui))]
/// struct Doomed;
///
/// struct End;
/// impl MultiReactiveSystem<World> for End {
///     type Contexts = (Game, Ui);
///     fn triggers(&self) -> (Trigger<Game>, Trigger<Ui>) {
///         (Game::all_of::<Doomed>().entered(), Ui::all_of::<Doomed>().entered())
///     }
///     fn react(&mut self, world: &mut World, (game, ui): (&[EntityId<Game>], &[EntityId<Ui>])) {
///         game.iter().for_each(|&id| world.game.destroy(id));
///         ui.iter().for_each(|&id| world.ui.destroy(id));
///     }
/// }
/// let mut world = World { game: Game::new(), ui: Ui::new() };
/// let mut systems = Systems::new().add_multi_reactive(&mut world, End);
/// world.ui.create_with(Doomed);
/// systems.execute(&mut world);
/// assert!(world.ui.is_empty());
/// ```
pub trait MultiReactiveSystem<W, R: Outcome = ()>: Sendable {
    /// The contexts whose entities it waits for: a tuple of two to four.
    type Contexts: ContextTuple<W>;

    /// Returns what it waits for in each context. Asked for once, when the system is added.
    fn triggers(&self) -> <Self::Contexts as ContextTuple<W>>::Triggers;

    /// Whether the ids of entities that have died since are handed over, too: by default they are
    /// not. Asked for once, when the system is added.
    fn include_destroyed(&self) -> bool {
        false
    }

    /// Reacts to the entities concerned, a list for each context.
    fn react(
        &mut self,
        world: &mut W,
        changed: <Self::Contexts as ContextTuple<W>>::Changed<'_>,
    ) -> R;

    /// Runs once, before the first execute.
    fn initialize(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }

    /// Runs in every pass, after all systems have executed, whether it has reacted or not.
    fn cleanup(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }

    /// Runs once, at the end.
    fn tear_down(&mut self, world: &mut W) -> R {
        let _ = world;
        R::done()
    }

    /// The name of the system; see [`System::name`].
    fn name(&self) -> String {
        name::of::<Self>()
    }
}

/// Several contexts of a world, as a tuple of two to four: what a [`MultiReactiveSystem`]
/// waits for.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of contexts of the world `{W}`",
    label = "not a tuple of two to four contexts of `{W}`"
)]
pub trait ContextTuple<W> {
    /// A trigger for each context.
    type Triggers;
    /// A list of entities for each context.
    type Changed<'a>;
    /// A collector for each context.
    #[doc(hidden)]
    type Sources: ChangeSource<W>;

    /// Makes the collectors, which gather from now on.
    #[doc(hidden)]
    fn open(
        world: &mut W,
        triggers: Self::Triggers,
        include_destroyed: bool,
        system: &str,
    ) -> Self::Sources;

    /// The ids that were drained last.
    #[doc(hidden)]
    fn changed(sources: &Self::Sources) -> Self::Changed<'_>;
}

macro_rules! tuples_of_contexts {
    ($(($($name:ident $at:tt),*))*) => { $(
        impl<W $(, $name: Context)*> ChangeSource<W> for ($(Collected<$name>,)*)
        where
            $(W: HasContext<$name>,)*
        {
            /// All entities count.
            type Candidate<'a> = Infallible;

            #[track_caller]
            fn drain(&mut self, world: &mut W, _: impl FnMut(Infallible) -> bool) -> usize {
                0 $(+ ChangeSource::<W>::drain(&mut self.$at, world, |_| true))*
            }
            fn wake(&self) -> Option<Wake> {
                None $(.or_else(|| ChangeSource::<W>::wake(&self.$at)))*
            }
            fn forget(&mut self) {
                $(ChangeSource::<W>::forget(&mut self.$at);)*
            }
            fn control(&mut self, world: &mut W, control: Control) {
                $(ChangeSource::<W>::control(&mut self.$at, world, control);)*
            }
        }

        impl<W $(, $name: Context)*> ContextTuple<W> for ($($name,)*)
        where
            $(W: HasContext<$name>,)*
        {
            type Triggers = ($(Trigger<$name>,)*);
            type Changed<'a> = ($(&'a [EntityId<$name>],)*);
            type Sources = ($(Collected<$name>,)*);

            fn open(
                world: &mut W,
                triggers: Self::Triggers,
                destroyed: bool,
                system: &str,
            ) -> Self::Sources {
                ($(Collected::<$name>::new(world.context_mut(), triggers.$at, destroyed, system),)*)
            }
            fn changed(sources: &Self::Sources) -> Self::Changed<'_> {
                ($(sources.$at.ids(),)*)
            }
        }
    )* };
}

tuples_of_contexts! {
    (A 0, B 1) (A 0, B 1, D 2) (A 0, B 1, D 2, E 3)
}

/// A [`MultiReactiveSystem`] with its collectors: a [`System`] like any other.
///
/// [`Systems::add_multi_reactive`] makes one. It can also be used on its own.
pub struct MultiReactive<S: MultiReactiveSystem<W, R>, W, R: Outcome = ()>(
    Reaction<Multi<S>, CollectedFrom<S, W, R>>,
);

type CollectedFrom<S, W, R> =
    <<S as MultiReactiveSystem<W, R>>::Contexts as ContextTuple<W>>::Sources;

impl<S: MultiReactiveSystem<W, R>, W, R: Outcome> MultiReactive<S, W, R> {
    /// Makes a system of `system` that gathers changes from now on.
    ///
    /// Events: *group created* for the groups that its triggers are the first to need.
    pub fn new(world: &mut W, system: S) -> Self {
        let (triggers, include_destroyed) = (system.triggers(), system.include_destroyed());
        let sources = S::Contexts::open(world, triggers, include_destroyed, &system.name());
        Self(Reaction::new(Multi(system), sources))
    }

    /// Returns the system.
    pub fn system(&self) -> &S {
        &self.0.logic.0
    }

    /// Returns the system, to be changed.
    pub fn system_mut(&mut self) -> &mut S {
        &mut self.0.logic.0
    }
}

/// A system that reacts to several contexts.
struct Multi<S>(S);

impl<S, W, R> React<W, CollectedFrom<S, W, R>, R> for Multi<S>
where
    S: MultiReactiveSystem<W, R>,
    R: Outcome,
{
    forward_phases!(this => this.0, MultiReactiveSystem<W, R>, R);

    fn react(&mut self, world: &mut W, sources: &CollectedFrom<S, W, R>) -> R {
        self.0.react(world, S::Contexts::changed(sources))
    }
}

impl<S: MultiReactiveSystem<W, R>, W, R: Outcome> System<W, R> for MultiReactive<S, W, R> {
    forward_to!(this => this.0, R);
}

impl<W> Systems<W> {
    /// Adds a system that reacts to changes in several contexts, which are gathered from now on.
    /// See [`MultiReactiveSystem`] for an example.
    ///
    /// Events: *group created* for the groups that its triggers are the first to need.
    #[must_use = "the list is returned"]
    pub fn add_multi_reactive<S, R: Outcome>(self, world: &mut W, system: S) -> Self
    where
        S: MultiReactiveSystem<W, R> + 'static,
        W: 'static,
    {
        let system = MultiReactive::new(world, system);
        self.add(system)
    }
}
