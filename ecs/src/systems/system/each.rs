//! The short form of a reactive system: a trigger and a closure for each entity.

use alloc::string::String;

use super::inbox::{Inbox, inbox_of_a_system};
use super::{Reactions, System, name};
use crate::api::context::Context;
use crate::matching::matcher::Trigger;
use crate::systems::contexts::HasContext;
use crate::words::entity_id::EntityId;

/// A closure that is called for each entity that changed. See
/// [`Systems::for_each_changed`](super::Systems::for_each_changed).
pub struct EachChanged<F, C> {
    each: F,
    inbox: Inbox<C>,
    reactions: Reactions,
}

impl<F, C: Context> EachChanged<F, C> {
    /// Gathers from now on the entities that the trigger concerns, and calls `each` with
    /// every one of them at execute. It is for the same entities that a
    /// [`ReactiveSystem`](super::ReactiveSystem) is handed by default.
    ///
    /// An entity that an earlier call has destroyed is passed over; one that only ceased
    /// to match is not.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::{EachChanged, prelude::*};
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let end = |game: &mut Game, id: EntityId<Game>| game.destroy(id);
    /// let mut melt = EachChanged::new(&mut game, Game::all_of::<Frozen>().entered(), end);
    /// game.create_many([Frozen, Frozen]);
    /// melt.execute(&mut game);
    /// assert!(game.is_empty());
    /// ```
    pub fn new<W>(world: &mut W, trigger: Trigger<C>, each: F) -> Self
    where
        W: HasContext<C>,
        F: FnMut(&mut W, EntityId<C>),
    {
        Self {
            each,
            inbox: Inbox::new(world.context_mut(), trigger, false),
            reactions: Reactions::default(),
        }
    }
}

impl<W, F, C> System<W> for EachChanged<F, C>
where
    W: HasContext<C>,
    F: FnMut(&mut W, EntityId<C>),
    C: Context,
{
    fn execute(&mut self, world: &mut W) {
        self.inbox.fill(world.context_mut(), |_| true);
        self.reactions.note(self.inbox.ids().len());
        for &id in self.inbox.ids() {
            if world.context().contains(id) {
                (self.each)(world, id);
            }
        }
        self.inbox.empty();
    }

    fn name(&self) -> String {
        name::of::<F>()
    }

    inbox_of_a_system!();
}
