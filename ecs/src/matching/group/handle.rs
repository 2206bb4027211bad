//! The handle of a group.

use core::fmt;
use core::marker::PhantomData;

use super::numbers::GroupIndex;

/// The entities of a context that match a [`Matcher`](crate::Matcher), always up to date.
///
/// A small `Copy` handle; equal matchers have equal handles. Every method takes the context that
/// created it, and panics if given another one.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let moving = game.group(Game::all_of::<Position>().none_of::<Frozen>());
/// let id = game.create_entity().add_position(1.0).id();
/// assert_eq!(moving.ids(&game), [id]);
/// game.entity_mut(id).add_frozen();
/// assert!(moving.is_empty(&game));
/// ```
pub struct Group<C> {
    pub(crate) instance: u64,
    pub(crate) index: GroupIndex,
    context: PhantomData<fn() -> C>,
}

impl<C> Group<C> {
    pub(crate) fn new(instance: u64, index: GroupIndex) -> Self {
        Self {
            instance,
            index,
            context: PhantomData,
        }
    }
}

// Not derived, because that would require the same of `C`.
impl<C> Clone for Group<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Group<C> {}

impl<C> PartialEq for Group<C> {
    fn eq(&self, other: &Self) -> bool {
        (self.instance, self.index) == (other.instance, other.index)
    }
}

impl<C> Eq for Group<C> {}

impl<C> core::hash::Hash for Group<C> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (self.instance, self.index).hash(state);
    }
}

impl<C> fmt::Debug for Group<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Group({})", self.index.0)
    }
}
