//! The writer that puts the values of one entity in place, before anybody knows of it.

use crate::state::{Core, Made, NewEntity};
use crate::words::component::Component;

/// Receives the values of a [`Bundle`](crate::Bundle) for an entity that is about to come to life.
///
/// Nobody knows of the entity until all values are there. If one cannot be taken,
/// or a panic comes in between, the values are dropped and the slot is free again.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
/// # #[derive(Component)] #[component(context = Game)] struct Frozen;
/// # use ecs::{BundleWriter, ComponentIndex};
/// struct Hero { health: u32 }
/// # impl Components<Game> for Hero {
/// #     fn visit(each: &mut dyn FnMut(ComponentIndex)) { <(Health, Frozen)>::visit(each) }
/// # }
/// impl Bundle<Game> for Hero {
///     fn put(self, writer: &mut BundleWriter<'_, Game>) {
///         writer.put(Health(self.health));
///         writer.put(Frozen);
///     }
/// }
/// let mut game = Game::new();
/// assert!(game.create_with(Hero { health: 3 }).is_frozen());
/// ```
pub struct BundleWriter<'a, C: 'static>(pub(crate) NewEntity<'a, C>);

impl<'a, C: 'static> BundleWriter<'a, C> {
    #[inline(always)] // see `create::with`
    pub(crate) fn start(core: &'a mut Core<C>) -> Self {
        Self(NewEntity::start(core))
    }

    #[inline(always)] // see `create::with`
    pub(crate) fn finish(self) -> Made<C> {
        self.0.finish()
    }

    /// Takes one value.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let id = game.create_with((Health(3), Frozen)).id(); // puts one after the other
    /// assert_eq!(game.entity(id).component_indices().len(), 2);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the bundle has the same component twice, one that is unique and that
    /// another entity has, or a key of a primary index that is another entity's.
    #[inline(always)] // see `create::with`
    #[track_caller]
    pub fn put<T: Component<C>>(&mut self, value: T) {
        self.0.put(value);
    }
}
