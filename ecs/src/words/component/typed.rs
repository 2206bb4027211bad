//! The dense index of a component, with the type of its context.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use super::index::RawComponentIndex as Untyped;

/// The dense index of a component in a context of type `C`: 0, 1, 2, … in the order of the components'
/// names, whatever modules they are in; those of one name are ordered by their full paths.
///
/// It is good for every context of this type, in every run. One of another context type does not
/// compile.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let entity = game.create_entity().add_health(3).id();
/// let indices: Vec<ecs::ComponentIndex<Game>> = game.entity(entity).component_indices();
/// assert_eq!(game.components()[indices[0].get()].name(), "Health");
/// ```
#[repr(transparent)]
pub struct ComponentIndex<C> {
    index: Untyped,
    context: PhantomData<fn() -> C>,
}

impl<C> ComponentIndex<C> {
    /// The index with the type of its context, which whoever kept it knows.
    #[inline]
    pub(crate) const fn of(index: Untyped) -> Self {
        let context = PhantomData;
        Self { index, context }
    }

    /// The index without the type of its context.
    #[inline]
    pub(crate) const fn untyped(self) -> Untyped {
        self.index
    }

    /// Returns the index as a number, fit for [`Context::components`](crate::Context::components).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let index = game.components().index_of::<Health>();
    /// assert_eq!(game.components()[index.get()].name(), "Health");
    /// ```
    #[inline]
    pub const fn get(self) -> usize {
        self.index.get()
    }
}

// By hand, because a derive would ask the same of `C`.
impl<C> Clone for ComponentIndex<C> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for ComponentIndex<C> {}

impl<C> PartialEq for ComponentIndex<C> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<C> Eq for ComponentIndex<C> {}

impl<C> PartialOrd for ComponentIndex<C> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<C> Ord for ComponentIndex<C> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.index.cmp(&other.index)
    }
}

impl<C> Hash for ComponentIndex<C> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

impl<C> fmt::Debug for ComponentIndex<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.index, f)
    }
}
