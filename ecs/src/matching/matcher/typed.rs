//! Matchers: conditions with the type of their context.

#![expect(
    unsafe_code,
    reason = "restores the context type of conditions and sets"
)]

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ptr;
use core::slice;

use super::condition::Condition;
use crate::storage::registry::numbering;
use crate::words::component::typed::ComponentIndex;
use crate::words::component::{self, Components};
use crate::words::component_set::ComponentSet;
use crate::words::signature;

/// A condition on an entity's components: all of these, any of those, none of others.
///
/// Start with a function of the context, such as `Game::all_of::<(A, B)>()`. Each method takes the
/// matcher by value and returns it with one more condition; a second `any_of` adds another set.
/// [`Matcher::default`] matches every entity.
///
/// Order and repetition do not matter: equal matchers hash equally and share a group.
/// `all_of::<A>()` and `any_of::<A>()` are different matchers, although they match the same
/// entities. An empty set, as in `all_of::<()>()`, adds no condition.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let movers = Game::all_of::<(Position, Velocity)>().none_of::<Frozen>();
/// assert_eq!(movers, Game::none_of::<Frozen>().all_of::<(Velocity, Position, Velocity)>());
/// assert_eq!(format!("{movers:?}"), "AllOf(Position, Velocity).NoneOf(Frozen)");
/// ```
#[repr(transparent)]
pub struct Matcher<C> {
    condition: Condition,
    context: PhantomData<fn() -> C>,
}

impl<C> Matcher<C> {
    #[inline(always)]
    const fn new(condition: Condition) -> Self {
        let context = PhantomData;
        Self { condition, context }
    }

    #[inline]
    pub(crate) const fn condition(&self) -> &Condition {
        &self.condition
    }

    #[inline]
    pub(crate) fn into_condition(self) -> Condition {
        self.condition
    }

    /// Wraps a condition on the components of this context.
    pub(crate) const fn of(condition: &Condition) -> &Self {
        // SAFETY: a matcher is `repr(transparent)` over its condition.
        unsafe { &*ptr::from_ref(condition).cast() }
    }
}

impl<C: 'static> Matcher<C> {
    /// The set of the components of `T`, and the matcher.
    ///
    /// The matcher is not dropped if the set panics because there are too many components.
    /// Otherwise it would have to be kept in memory, ready to be dropped; loading it again stalls
    /// until the store is complete, which doubles the time to find a group.
    #[inline(always)]
    fn and_set_of<T: Components<C>>(self) -> (signature::RawComponentSet, Self) {
        let before = ManuallyDrop::new(self);
        let set = signature::RawComponentSet::of::<C, T>();
        (set, ManuallyDrop::into_inner(before))
    }

    /// Matches entities that have the component with this index, disabled ones too.
    pub(crate) fn all_of_index(component: component::RawComponentIndex) -> Self {
        let all = Self::default().all_of_indices([ComponentIndex::of(component)]);
        all.with_disabled()
    }

    /// Returns a matcher that also requires every component of `T`: one component or a tuple.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let both = Game::all_of::<Health>().all_of::<Frozen>();
    /// assert_eq!(both, Game::all_of::<(Health, Frozen)>());
    /// ```
    #[must_use = "returns a new matcher"]
    #[inline(always)]
    pub fn all_of<T: Components<C>>(self) -> Self {
        let (set, matcher) = self.and_set_of::<T>();
        Self::new(matcher.condition.and_all(set))
    }

    /// Returns a matcher that also requires at least one component of `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let matcher = Game::any_of::<(Frozen, Burning)>().any_of::<(Health, Wet)>();
    /// assert_eq!(format!("{matcher:?}"), "AnyOf(Burning, Frozen).AnyOf(Health, Wet)");
    /// let mut game = Game::new();
    /// let ids = [game.create_with(Frozen).id(), game.create_with((Frozen, Wet)).id()];
    /// assert_eq!(game.group(matcher).ids(&game), ids[1..]);
    /// ```
    #[must_use = "returns a new matcher"]
    pub fn any_of<T: Components<C>>(self) -> Self {
        let (set, matcher) = self.and_set_of::<T>();
        Self::new(matcher.condition.and_any(set))
    }

    /// Returns a matcher that also requires at least one of these components, for tools that do not
    /// know the types.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let components = game.components();
    /// let indices = ["Health", "Frozen"].map(|name| components.find(name).unwrap().index());
    /// let matcher = Matcher::<Game>::default().any_of_indices(indices);
    /// assert_eq!(matcher, Game::any_of::<(Health, Frozen)>());
    /// ```
    #[must_use = "returns a new matcher"]
    pub fn any_of_indices(self, components: impl IntoIterator<Item = ComponentIndex<C>>) -> Self {
        Self::new(self.condition.and_any(set_of(components)))
    }

    /// Returns a matcher that requires the conditions of both.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let movers = Game::all_of::<(Position, Velocity)>();
    /// let free = Game::any_of::<(Health, Burning)>().none_of::<Frozen>();
    /// assert_eq!(
    ///     movers.and(free),
    ///     Game::all_of::<(Position, Velocity)>().any_of::<(Health, Burning)>().none_of::<Frozen>()
    /// );
    /// ```
    #[must_use = "returns a new matcher"]
    pub fn and(self, other: Self) -> Self {
        Self::new(self.condition.and(other.condition))
    }

    /// Returns a matcher that also requires all of these components, for tools that choose
    /// components at run time.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let health = Game::new().components().index_of::<Health>();
    /// let matcher = Matcher::<Game>::default().all_of_indices([health]);
    /// assert_eq!(matcher, Game::all_of::<Health>());
    /// ```
    #[must_use = "returns a new matcher"]
    pub fn all_of_indices(self, components: impl IntoIterator<Item = ComponentIndex<C>>) -> Self {
        Self::new(self.condition.and_all(set_of(components)))
    }

    /// Returns a matcher that also excludes entities with one of these components, for tools that
    /// choose components at run time.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let frozen = Game::new().components().index_of::<Frozen>();
    /// let matcher = Matcher::<Game>::default().none_of_indices([frozen]);
    /// assert_eq!(matcher, Game::none_of::<Frozen>());
    /// ```
    #[must_use = "returns a new matcher"]
    pub fn none_of_indices(self, components: impl IntoIterator<Item = ComponentIndex<C>>) -> Self {
        Self::new(self.condition.and_none(set_of(components)))
    }

    /// Returns a matcher that also excludes entities with a component of `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let matcher = Game::all_of::<Health>().none_of::<Frozen>();
    /// assert_eq!(format!("{matcher:?}"), "AllOf(Health).NoneOf(Frozen)");
    /// ```
    #[must_use = "returns a new matcher"]
    #[inline(always)]
    pub fn none_of<T: Components<C>>(self) -> Self {
        let (set, matcher) = self.and_set_of::<T>();
        Self::new(matcher.condition.and_none(set))
    }

    /// Returns a matcher that includes [disabled](crate::guide::disabled) entities.
    ///
    /// A disabling component that the matcher names is matched like any other.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// #[derive(Component)]
    /// #[component(context = Game, disables)]
    /// struct Disabled;
    ///
    /// let mut game = Game::new();
    /// game.create_with((Health(1), Disabled));
    /// assert_eq!(Game::all_of::<Health>().ids(&game).count(), 0);
    /// assert_eq!(Game::all_of::<Health>().with_disabled().ids(&game).count(), 1);
    /// assert_eq!(Game::all_of::<(Health, Disabled)>().ids(&game).count(), 1);
    /// ```
    #[must_use = "returns a new matcher"]
    pub fn with_disabled(self) -> Self {
        Self::new(self.condition.with_disabled())
    }

    /// Requires the flag of a term.
    pub(super) fn and_all_flags(self, flag: component::RawComponentIndex) -> Self {
        let set = [flag].into_iter().collect();
        Self::new(self.condition.and_all(set).with_terms())
    }

    /// Excludes entities with the flag of a term.
    pub(super) fn and_no_flags(self, flag: component::RawComponentIndex) -> Self {
        let set = [flag].into_iter().collect();
        Self::new(self.condition.and_none(set).with_terms())
    }

    /// Excludes entities that one of these components disables, except components that the matcher
    /// names.
    pub(crate) fn hiding(self, disabling: &signature::RawComponentSet) -> Self {
        Self::new(self.condition.hiding(disabling))
    }

    /// Returns the components that an entity must all have.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let matcher = Game::all_of::<Frozen>();
    /// assert!(matcher.all().contains(game.components().index_of::<Frozen>()));
    /// ```
    pub fn all(&self) -> &ComponentSet<C> {
        typed(self.condition.all())
    }

    /// Returns the sets of which an entity must have at least one component each.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let matcher = Game::any_of::<Frozen>();
    /// assert!(matcher.any()[0].contains(game.components().index_of::<Frozen>()));
    /// ```
    pub fn any(&self) -> &[ComponentSet<C>] {
        typed_all(self.condition.any())
    }

    /// Returns the components that an entity must not have.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let game = Game::new();
    /// let matcher = Game::none_of::<Frozen>();
    /// assert!(matcher.none().contains(game.components().index_of::<Frozen>()));
    /// ```
    pub fn none(&self) -> &ComponentSet<C> {
        typed(self.condition.none())
    }

    /// Returns all components that the matcher names, in ascending order.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let matcher = Game::all_of::<Health>().none_of::<Frozen>();
    /// assert_eq!(matcher.components().len(), 2);
    /// ```
    pub fn components(&self) -> ComponentSet<C> {
        ComponentSet::of(self.condition.components())
    }

    /// Returns whether an entity with exactly these components matches.
    ///
    /// Complexity: a few instructions for each component of the context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let matcher = Game::all_of::<Health>().none_of::<Frozen>();
    /// let healthy = Game::all_of::<Health>().components();
    /// assert!(matcher.matches(&healthy));
    /// assert!(!matcher.matches(&matcher.components()));
    /// ```
    pub fn matches(&self, components: &ComponentSet<C>) -> bool {
        self.condition.matches(components.untyped()) && !self.hides(components)
    }

    /// Whether an entity with exactly these components is excluded because it is disabled.
    fn hides(&self, components: &ComponentSet<C>) -> bool {
        let mut all = numbering::<C>()
            .iter()
            .zip((0..).map(component::RawComponentIndex::at));
        let named = || self.condition.components();
        !self.condition.has_disabled()
            && all.any(|(descriptor, index)| {
                descriptor.disables
                    && components.untyped().contains(index)
                    && !named().contains(index)
            })
    }
}

fn set_of<C>(
    components: impl IntoIterator<Item = ComponentIndex<C>>,
) -> signature::RawComponentSet {
    components
        .into_iter()
        .map(ComponentIndex::untyped)
        .collect()
}

/// Restores the type of the context.
const fn typed<C>(set: &signature::RawComponentSet) -> &ComponentSet<C> {
    // SAFETY: `ComponentSet` is `repr(transparent)` over `RawComponentSet`.
    unsafe { &*ptr::from_ref(set).cast() }
}

/// Restores the type of the context.
const fn typed_all<C>(sets: &[signature::RawComponentSet]) -> &[ComponentSet<C>] {
    // SAFETY: `ComponentSet` is `repr(transparent)` over `RawComponentSet`, so slices of both have
    // the same layout.
    unsafe { slice::from_raw_parts(sets.as_ptr().cast(), sets.len()) }
}

impl<C> Default for Matcher<C> {
    /// Returns the matcher of all entities.
    fn default() -> Self {
        Self::new(Condition::default())
    }
}

// Not derived, because that would require the same of `C`.
impl<C> Clone for Matcher<C> {
    fn clone(&self) -> Self {
        Self::new(self.condition.clone())
    }
}

impl<C> PartialEq for Matcher<C> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.condition == other.condition
    }
}

impl<C> Eq for Matcher<C> {}

impl<C> Hash for Matcher<C> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.condition.mixed());
    }
}

impl<C: 'static> fmt::Debug for Matcher<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.condition.write(f, numbering::<C>())
    }
}
