//! Systems that react to changes in several contexts.

use alloc::string::String;

use super::inbox::Inbox;
use super::{Reactions, System, name};
use crate::api::context::Context;
use crate::matching::matcher::Trigger;
use crate::systems::contexts::HasContext;
use crate::words::entity_id::EntityId;

/// Logic that reacts to changes in several contexts of a world.
///
/// As [`ReactiveSystem`](super::ReactiveSystem), with a trigger for each context and a
/// list of entities for each: those that are alive and of which it still holds what the
/// trigger waits for. It is called where at least one list has an entity; each list is
/// in the order in which its entities were first concerned. What else is to be asked of
/// an entity is asked in [`react`](Self::react).
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
pub trait MultiReactiveSystem<W> {
    /// The contexts whose entities it waits for: a tuple of two to four.
    type Contexts: ContextTuple<W>;

    /// What it waits for, in each context. Asked for once, when the system is made.
    fn triggers(&self) -> <Self::Contexts as ContextTuple<W>>::Triggers;

    /// Whether it is also to be handed the ids of entities that have died since: no, by
    /// default. Asked for once, when the system is made.
    fn wants_dead(&self) -> bool {
        false
    }

    /// Reacts to the entities concerned, a list for each context.
    fn react(&mut self, world: &mut W, changed: <Self::Contexts as ContextTuple<W>>::Changed<'_>);

    /// Once, before the first execute.
    fn initialize(&mut self, world: &mut W) {
        let _ = world;
    }

    /// In every pass, after all have executed, whether it has reacted or not.
    fn cleanup(&mut self, world: &mut W) {
        let _ = world;
    }

    /// Once, at the end.
    fn tear_down(&mut self, world: &mut W) {
        let _ = world;
    }

    /// What the system is called; see [`System::name`].
    fn name(&self) -> String {
        name::of::<Self>()
    }
}

/// Some contexts of a world, as a tuple of two to four: what a [`MultiReactiveSystem`]
/// waits for.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of contexts of the world `{W}`",
    label = "not a tuple of two to four contexts of `{W}`"
)]
pub trait ContextTuple<W>: private::Inboxes<W> {
    /// A trigger for each context.
    type Triggers;
    /// A list of entities for each context.
    type Changed<'a>;

    /// Has each context gather from now on.
    #[doc(hidden)]
    fn open(world: &mut W, triggers: Self::Triggers, wants_dead: bool) -> Self::Boxes;

    /// What was taken over from each context.
    #[doc(hidden)]
    fn changed(boxes: &Self::Boxes) -> Self::Changed<'_>;
}

/// Keeps how a tuple of contexts is served out of users' reach.
mod private {
    pub trait Inboxes<W> {
        type Boxes;

        /// Takes over what was collected; gives how many entities that are.
        fn fill(boxes: &mut Self::Boxes, world: &mut W) -> usize;
        fn empty(boxes: &mut Self::Boxes);
        fn activate(boxes: &mut Self::Boxes, world: &mut W);
        fn deactivate(boxes: &mut Self::Boxes, world: &mut W);
        fn clear(boxes: &mut Self::Boxes, world: &mut W);
        fn release(boxes: &mut Self::Boxes, world: &mut W);
    }
}

macro_rules! tuples_of_contexts {
    ($(($($name:ident $at:tt),*))*) => { $(
        impl<W $(, $name: Context)*> private::Inboxes<W> for ($($name,)*)
        where
            $(W: HasContext<$name>,)*
        {
            type Boxes = ($(Inbox<$name>,)*);

            #[track_caller]
            fn fill(boxes: &mut Self::Boxes, world: &mut W) -> usize {
                $(boxes.$at.fill(HasContext::<$name>::context_mut(world), |_| true);)*
                0 $(+ boxes.$at.ids().len())*
            }
            fn empty(boxes: &mut Self::Boxes) {
                $(boxes.$at.empty();)*
            }
            fn activate(boxes: &mut Self::Boxes, world: &mut W) {
                $(boxes.$at.activate(HasContext::<$name>::context_mut(world));)*
            }
            fn deactivate(boxes: &mut Self::Boxes, world: &mut W) {
                $(boxes.$at.deactivate(HasContext::<$name>::context_mut(world));)*
            }
            fn clear(boxes: &mut Self::Boxes, world: &mut W) {
                $(boxes.$at.clear(HasContext::<$name>::context_mut(world));)*
            }
            fn release(boxes: &mut Self::Boxes, world: &mut W) {
                $(boxes.$at.release(HasContext::<$name>::context_mut(world));)*
            }
        }

        impl<W $(, $name: Context)*> ContextTuple<W> for ($($name,)*)
        where
            $(W: HasContext<$name>,)*
        {
            type Triggers = ($(Trigger<$name>,)*);
            type Changed<'a> = ($(&'a [EntityId<$name>],)*);

            fn open(world: &mut W, triggers: Self::Triggers, wants_dead: bool) -> Self::Boxes {
                ($(
                    Inbox::new(HasContext::<$name>::context_mut(world), triggers.$at, wants_dead),
                )*)
            }
            fn changed(boxes: &Self::Boxes) -> Self::Changed<'_> {
                ($(boxes.$at.ids(),)*)
            }
        }
    )* };
}

tuples_of_contexts! {
    (A 0, B 1) (A 0, B 1, D 2) (A 0, B 1, D 2, E 3)
}

/// A [`MultiReactiveSystem`] with its collectors: a [`System`] like any other.
///
/// [`Systems::add_multi_reactive`](super::Systems::add_multi_reactive) makes one; it can
/// also be used on its own.
pub struct MultiReactive<S: MultiReactiveSystem<W>, W> {
    system: S,
    boxes: BoxesOf<S, W>,
    reactions: Reactions,
}

type BoxesOf<S, W> = <<S as MultiReactiveSystem<W>>::Contexts as private::Inboxes<W>>::Boxes;

impl<S: MultiReactiveSystem<W>, W> MultiReactive<S, W> {
    /// Has a system gather changes from now on.
    ///
    /// Events: *group created* for the groups that its triggers are the first to need.
    pub fn new(world: &mut W, system: S) -> Self {
        let (triggers, wants_dead) = (system.triggers(), system.wants_dead());
        Self {
            system,
            boxes: S::Contexts::open(world, triggers, wants_dead),
            reactions: Reactions::default(),
        }
    }

    /// The system.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// The system, to be changed.
    pub fn system_mut(&mut self) -> &mut S {
        &mut self.system
    }
}

impl<S: MultiReactiveSystem<W>, W> System<W> for MultiReactive<S, W> {
    fn initialize(&mut self, world: &mut W) {
        self.system.initialize(world);
    }

    fn execute(&mut self, world: &mut W) {
        use private::Inboxes as _;
        let changes = S::Contexts::fill(&mut self.boxes, world);
        self.reactions.note(changes);
        if changes > 0 {
            self.system.react(world, S::Contexts::changed(&self.boxes));
            S::Contexts::empty(&mut self.boxes);
        }
    }

    fn cleanup(&mut self, world: &mut W) {
        self.system.cleanup(world);
    }

    fn tear_down(&mut self, world: &mut W) {
        self.system.tear_down(world);
    }

    fn name(&self) -> String {
        self.system.name()
    }

    fn activate(&mut self, world: &mut W) {
        <S::Contexts as private::Inboxes<W>>::activate(&mut self.boxes, world);
    }

    fn deactivate(&mut self, world: &mut W) {
        <S::Contexts as private::Inboxes<W>>::deactivate(&mut self.boxes, world);
    }

    fn clear(&mut self, world: &mut W) {
        <S::Contexts as private::Inboxes<W>>::clear(&mut self.boxes, world);
    }

    fn release(&mut self, world: &mut W) {
        <S::Contexts as private::Inboxes<W>>::release(&mut self.boxes, world);
    }

    fn reactions(&self) -> Option<Reactions> {
        Some(self.reactions)
    }
}
