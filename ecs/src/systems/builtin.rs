//! Systems that clean up and deliver events.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::name;
use super::stats::Reactions;
use super::system::System;
use crate::api::context::{CleanupSystems, Context, Missed};
use crate::state;
use crate::systems::contexts::HasContext;

/// Runs in the cleanup phase.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game, cleanup(destroy))]
/// struct Dead;
///
/// let mut game = Game::new();
/// let mut systems = Systems::new().add(CleanupSystems::new(&mut game));
/// game.create_with(Dead);
/// systems.execute(&mut game);
/// assert_eq!(game.len(), 1);
/// systems.cleanup(&mut game);
/// assert!(game.is_empty());
/// ```
impl<W: HasContext<C>, C: Context> System<W> for CleanupSystems<C> {
    fn cleanup(&mut self, world: &mut W) {
        self.run(world.context_mut());
    }

    fn missed(&self) -> Vec<Missed> {
        self.missed()
    }
}

/// A system that delivers the component events of a context at execute, as
/// [`deliver`](crate::Events::deliver) does. [`Events`](crate::Events) describes their order.
///
/// Add it where the listeners should run, usually after the systems that change the game. Pending events
/// are kept in the context, so any `EventSystems` of that context delivers them.
///
/// While it is deactivated, the context collects no events.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game, event(self(set)))]
/// struct Health(u32);
///
/// let mut game = Game::new();
/// let hero = game.create_with(Health(3)).id();
/// game.entity_mut(hero).on_health_set(|entity| assert_eq!(entity.health().0, 2));
/// let hurt = move |game: &mut Game| { game.entity_mut(hero).update_health(|h| h.0 -= 1); };
/// let mut systems = Systems::new().add(hurt).add(EventSystems::new());
/// systems.execute(&mut game);
/// assert_eq!(game.events().undelivered(), 0);
/// ```
pub struct EventSystems<C> {
    reactions: Reactions,
    context: PhantomData<fn() -> C>,
}

impl<C: Context> EventSystems<C> {
    /// Creates a system that delivers the events of `C`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::{EventSystems, prelude::*};
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.events().on_set::<Frozen>(|entity| entity.destroy());
    /// game.create_with(Frozen);
    /// EventSystems::new().execute(&mut game);
    /// assert!(game.is_empty());
    /// ```
    #[expect(
        clippy::new_without_default,
        reason = "a system for one context, not a default value"
    )]
    pub fn new() -> Self {
        Self {
            reactions: Reactions::default(),
            context: PhantomData,
        }
    }
}

impl<W: HasContext<C>, C: Context> System<W> for EventSystems<C> {
    fn execute(&mut self, world: &mut W) {
        let delivered = state::deliver_events(world.context_mut());
        self.reactions.record(delivered);
    }

    fn name(&self) -> String {
        name::of::<Self>()
    }

    fn activate(&mut self, world: &mut W) {
        state::set_events_active(world.context_mut(), true);
    }

    fn deactivate(&mut self, world: &mut W) {
        state::set_events_active(world.context_mut(), false);
    }

    fn clear(&mut self, world: &mut W) {
        state::clear_events(world.context_mut());
    }

    /// Returns how often listeners were called.
    fn reactions(&self) -> Option<Reactions> {
        Some(self.reactions)
    }
}

impl<C> fmt::Debug for EventSystems<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reactions = &self.reactions;
        f.debug_struct("EventSystems")
            .field("reactions", reactions)
            .finish()
    }
}
