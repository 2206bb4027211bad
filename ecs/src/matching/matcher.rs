//! Which entities a group is about, and which of its events start a reaction.
//!
//! A [`Matcher`] is three sets of components; a [`Trigger`] is matchers with the
//! events of theirs that count.

mod terms;
mod trigger;

use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;

use crate::words::component::{ComponentIndex, Components};

pub use self::terms::Terms;
pub(crate) use self::trigger::{EventSet, StillHolds};
pub use self::trigger::{GroupEvent, Trigger};

/// A condition on an entity's components: all of these, any of those, none of
/// others.
///
/// Made by [`all_of`](Matcher::all_of), [`any_of`](Matcher::any_of) or
/// [`none_of`](Matcher::none_of) and narrowed by the methods of the same names (see
/// [`Terms`]). Order and repetition of the components do not matter: equal matchers
/// are equal, hash equal, and give the same group. `all_of::<A>()` and
/// `any_of::<A>()` are different matchers, although they match the same entities.
///
/// A matcher whose all-of and any-of sets are empty matches every entity that has
/// nothing of its none-of set; `all_of::<()>()` matches every entity.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Position(f32);
/// # #[derive(Component)] #[component(context = Game)] struct Velocity(f32);
/// # #[derive(Component)] #[component(context = Game)] struct Frozen;
/// let movers = Matcher::<Game>::all_of::<(Position, Velocity)>().none_of::<Frozen>();
/// assert_eq!(movers, Matcher::all_of::<(Velocity, Position, Velocity)>().none_of::<Frozen>());
/// assert_eq!(format!("{movers:?}"), "AllOf(Position, Velocity).NoneOf(Frozen)");
/// ```
pub struct Matcher<C> {
    terms: Terms<C>,
}

impl<C: 'static> Matcher<C> {
    /// Matches entities that have every component of `T`: one component or a tuple.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let id = game.create_with((Health(1), Frozen)).id();
    /// game.create_with(Health(2));
    /// let both = game.group(Matcher::all_of::<(Health, Frozen)>());
    /// assert_eq!(both.ids(&game), [id]);
    /// ```
    pub fn all_of<T: Components<C>>() -> Self {
        Terms::new().all_of::<T>()
    }

    /// Matches entities that have the component with this index.
    pub(crate) fn all_of_index(component: ComponentIndex) -> Self {
        let mut terms = Terms::new();
        terms.all.insert(component);
        terms.into()
    }

    /// Matches entities that have at least one component of `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let ids = [game.create_with(Health(1)).id(), game.create_with(Frozen).id()];
    /// game.create_entity();
    /// let some = game.group(Matcher::any_of::<(Health, Frozen)>());
    /// assert_eq!(some.ids(&game), ids);
    /// ```
    pub fn any_of<T: Components<C>>() -> Self {
        Terms::new().any_of::<T>()
    }

    /// Matches entities that have no component of `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let empty = game.create_entity().id();
    /// game.create_with(Frozen);
    /// let mobile = game.group(Matcher::none_of::<Frozen>());
    /// assert_eq!(mobile.ids(&game), [empty]);
    /// ```
    pub fn none_of<T: Components<C>>() -> Self {
        Terms::new().none_of::<T>()
    }
}

impl<C> Deref for Matcher<C> {
    type Target = Terms<C>;

    fn deref(&self) -> &Terms<C> {
        &self.terms
    }
}

impl<C> From<Terms<C>> for Matcher<C> {
    fn from(terms: Terms<C>) -> Self {
        Self { terms }
    }
}

impl<C> Clone for Matcher<C> {
    fn clone(&self) -> Self {
        Self {
            terms: self.terms.clone(),
        }
    }
}

impl<C> PartialEq for Matcher<C> {
    fn eq(&self, other: &Self) -> bool {
        self.terms == other.terms
    }
}

impl<C> Eq for Matcher<C> {}

impl<C> Hash for Matcher<C> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.terms.hash(state);
    }
}

impl<C: 'static> fmt::Debug for Matcher<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.terms, f)
    }
}
