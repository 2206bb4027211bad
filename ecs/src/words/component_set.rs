//! A set of components, with the type of their context.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use crate::words::component::typed::ComponentIndex;
use crate::words::signature;

/// A set of components of contexts of type `C`.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let matcher = Game::all_of::<Health>();
/// assert_eq!(matcher.all().len(), 1);
/// assert!(matcher.any().is_empty());
/// ```
#[repr(transparent)] // a set can be borrowed with the type of its context
pub struct ComponentSet<C> {
    set: signature::RawComponentSet,
    context: PhantomData<fn() -> C>,
}

impl<C> ComponentSet<C> {
    /// Gives the set the type of its context, which the caller knows.
    pub(crate) const fn of(set: signature::RawComponentSet) -> Self {
        let context = PhantomData;
        Self { set, context }
    }

    /// Returns the set without the type of its context.
    pub(crate) const fn untyped(&self) -> &signature::RawComponentSet {
        &self.set
    }

    /// Returns the empty set.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert!(ecs::ComponentSet::<Game>::new().is_empty());
    /// ```
    pub const fn new() -> Self {
        Self::of(signature::RawComponentSet::new())
    }

    /// Returns whether the component is in the set.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let matcher = Game::all_of::<Health>();
    /// assert!(matcher.all().contains(game.components().index_of::<Health>()));
    /// ```
    #[inline]
    pub fn contains(&self, component: ComponentIndex<C>) -> bool {
        self.set.contains(component.untyped())
    }

    /// Returns whether every component of `other` is in this set.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let both = Game::all_of::<(Health, Frozen)>();
    /// let frozen = Game::all_of::<Frozen>();
    /// assert!(both.all().contains_all(frozen.all()));
    /// ```
    pub fn contains_all(&self, other: &Self) -> bool {
        self.set.contains_all(&other.set)
    }

    /// Returns whether at least one component of `other` is in this set.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let both = Game::all_of::<(Health, Frozen)>();
    /// let frozen = Game::all_of::<Frozen>();
    /// assert!(frozen.all().contains_any(both.all()));
    /// ```
    pub fn contains_any(&self, other: &Self) -> bool {
        self.set.contains_any(&other.set)
    }

    /// Returns the number of components in the set.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let matcher = Game::all_of::<(Health, Frozen)>();
    /// assert_eq!(matcher.all().len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// Returns whether the set is empty.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert!(Game::all_of::<Frozen>().any().is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Returns the components in ascending order of index.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let matcher = Game::all_of::<Health>();
    /// assert!(matcher.all().iter().eq([game.components().index_of::<Health>()]));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = ComponentIndex<C>> + '_ {
        self.set.iter().map(ComponentIndex::of)
    }
}

// By hand, because a derive would add a bound on `C`.
impl<C> Clone for ComponentSet<C> {
    fn clone(&self) -> Self {
        Self::of(self.set.clone())
    }
}

impl<C> Default for ComponentSet<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C> PartialEq for ComponentSet<C> {
    fn eq(&self, other: &Self) -> bool {
        self.set == other.set
    }
}

impl<C> Eq for ComponentSet<C> {}

impl<C> Hash for ComponentSet<C> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.set.hash(state);
    }
}

/// Prints the indices, such as `{0, 5}`.
impl<C> fmt::Debug for ComponentSet<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.set, f)
    }
}

impl<C> FromIterator<ComponentIndex<C>> for ComponentSet<C> {
    fn from_iter<I: IntoIterator<Item = ComponentIndex<C>>>(components: I) -> Self {
        Self::of(
            components
                .into_iter()
                .map(ComponentIndex::untyped)
                .collect(),
        )
    }
}

impl<C> Extend<ComponentIndex<C>> for ComponentSet<C> {
    fn extend<I: IntoIterator<Item = ComponentIndex<C>>>(&mut self, components: I) {
        self.set
            .extend(components.into_iter().map(ComponentIndex::untyped));
    }
}
