//! The dense index of a component.

use core::fmt;

/// The dense index of a component in its context: 0, 1, 2, … in the order of the components'
/// names, whatever modules they are in; those of one name are ordered by their full paths.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let entity = game.create_entity().add_health(3).id();
/// let indices = game.entity(entity).component_indices();
/// assert_eq!(game.components()[indices[0].get()].name(), "Health");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentIndex(u32);

impl ComponentIndex {
    /// The index of the `index`-th component.
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 components"))
    }

    /// The index of a column there is.
    #[inline]
    pub(crate) fn at(index: usize) -> Self {
        Self(index as u32) // there are fewer than 2^32
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
        self.0 as usize
    }
}

impl fmt::Debug for ComponentIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
