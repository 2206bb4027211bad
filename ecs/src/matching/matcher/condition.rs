//! Which components an entity must have, and must not have.

use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::mem::ManuallyDrop;

use crate::storage::registry::numbering;
use crate::words::component::{ComponentIndex, Components};
use crate::words::heap_size::heap_size;
use crate::words::signature::ComponentSet;

/// A condition on an entity's components: all of these, any of those, none of others.
///
/// A context starts it, `Game::all_of::<(A, B)>()`, and each of its methods takes it by value and
/// returns it with one more condition; a second `any_of` is a further one, too. Clone a matcher to
/// keep it as it was. [`Matcher::default`] matches every entity. Order and repetition do not matter: equal matchers are equal, hash equal, and have the same group.
/// `all_of::<A>()` and `any_of::<A>()` are different matchers, although they match the same
/// entities. A set without components, as in `all_of::<()>()`, is no condition.
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
pub struct Matcher<C> {
    all: ComponentSet,
    /// Of each of these sets one, none of them empty; in order of their components, each once.
    any: Vec<ComponentSet>,
    none: ComponentSet,
    context: PhantomData<fn() -> C>,
}

impl<C: 'static> Matcher<C> {
    #[inline]
    fn new(all: ComponentSet, any: Vec<ComponentSet>, none: ComponentSet) -> Self {
        let context = PhantomData;
        Self {
            all,
            any,
            none,
            context,
        }
    }

    /// The set of the components of a type, and the matcher.
    ///
    /// If the set panics, because there are too many components, the matcher is not dropped. Else
    /// it would have to lie in memory meanwhile, ready to be dropped, and a processor that loads it
    /// from there waits until it is stored: that doubles the time in which a group is found.
    #[inline(always)]
    fn and_set_of<T: Components<C>>(self) -> (ComponentSet, Self) {
        let before = ManuallyDrop::new(self);
        let set = ComponentSet::of::<C, T>();
        (set, ManuallyDrop::into_inner(before))
    }

    /// Matches entities that have the component with this index.
    pub(crate) fn all_of_index(component: ComponentIndex) -> Self {
        let mut matcher = Self::default();
        matcher.all.insert(component);
        matcher
    }

    /// Returns a matcher that asks also for every component of `T`: one component or a tuple.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let both = Game::all_of::<Health>().all_of::<Frozen>();
    /// assert_eq!(both, Game::all_of::<(Health, Frozen)>());
    /// ```
    #[must_use = "the matcher is returned"]
    #[inline(always)]
    pub fn all_of<T: Components<C>>(self) -> Self {
        let (set, Self { all, any, none, .. }) = self.and_set_of::<T>();
        Self::new(all.union(set), any, none)
    }

    /// Returns a matcher that asks also for at least one component of `T`.
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
    #[must_use = "the matcher is returned"]
    pub fn any_of<T: Components<C>>(self) -> Self {
        self.any_of_set(ComponentSet::of::<C, T>())
    }

    /// Returns a matcher that asks also for at least one of these components, for tools that do not
    /// know the types.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let game = Game::new();
    /// let indices = game.components().iter().map(|info| info.index());
    /// let matcher = Matcher::<Game>::default().any_of_indices(indices);
    /// assert_eq!(matcher, Game::any_of::<(Health, Frozen)>());
    /// ```
    #[must_use = "the matcher is returned"]
    pub fn any_of_indices(self, components: impl IntoIterator<Item = ComponentIndex>) -> Self {
        self.any_of_set(components.into_iter().collect())
    }

    /// Also demands every one of these components, named by their indices: for tools that
    /// choose components at run time.
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
    #[must_use = "the matcher is returned"]
    pub fn all_of_indices(mut self, components: impl IntoIterator<Item = ComponentIndex>) -> Self {
        self.all.extend(components);
        self
    }

    /// Also forbids every one of these components, named by their indices: for tools that choose
    /// components at run time.
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
    #[must_use = "the matcher is returned"]
    pub fn none_of_indices(mut self, components: impl IntoIterator<Item = ComponentIndex>) -> Self {
        self.none.extend(components);
        self
    }

    fn any_of_set(mut self, any: ComponentSet) -> Self {
        let order = |known: &ComponentSet| known.iter().cmp(any.iter());
        if let (Err(at), false) = (self.any.binary_search_by(order), any.is_empty()) {
            self.any.insert(at, any);
        }
        self
    }

    /// Returns a matcher that refuses also entities with a component of `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let matcher = Game::all_of::<Health>().none_of::<Frozen>();
    /// assert_eq!(format!("{matcher:?}"), "AllOf(Health).NoneOf(Frozen)");
    /// ```
    #[must_use = "the matcher is returned"]
    #[inline(always)]
    pub fn none_of<T: Components<C>>(self) -> Self {
        let (set, Self { all, any, none, .. }) = self.and_set_of::<T>();
        Self::new(all, any, none.union(set))
    }

    /// The bytes that the sets hold.
    pub(crate) fn bytes(&self) -> usize {
        let any: usize = self.any.iter().map(ComponentSet::bytes).sum();
        self.all.bytes() + any + heap_size(&self.any) + self.none.bytes()
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
    pub fn all(&self) -> &ComponentSet {
        &self.all
    }

    /// Returns the sets of components of which an entity must have at least one each.
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
    pub fn any(&self) -> &[ComponentSet] {
        &self.any
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
    pub fn none(&self) -> &ComponentSet {
        &self.none
    }

    /// Returns every component that is named, each once, ascending.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let matcher = Game::all_of::<Health>().none_of::<Frozen>();
    /// assert_eq!(matcher.components().len(), 2);
    /// ```
    pub fn components(&self) -> ComponentSet {
        let any = self.any.iter().flat_map(ComponentSet::iter);
        self.all.iter().chain(any).chain(self.none.iter()).collect()
    }

    /// Returns whether an entity with just these components matches.
    ///
    /// Complexity: a few instructions for each 64 components of the context.
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
    pub fn matches(&self, components: &ComponentSet) -> bool {
        components.contains_all(&self.all)
            && self.any.iter().all(|any| components.contains_any(any))
            && !components.contains_any(&self.none)
    }

    /// The components whose updates count as updates of the group.
    pub(crate) fn watched(&self) -> impl Iterator<Item = ComponentIndex> + '_ {
        let components: Vec<_> = self.components().iter().collect();
        let watched = components.into_iter();
        watched.filter(|component| self.watches(*component))
    }

    /// Whether a replaced component counts as an update of the group.
    pub(crate) fn watches(&self, component: ComponentIndex) -> bool {
        self.all.contains(component) || self.any.iter().any(|any| any.contains(component))
    }
}

impl<C> Default for Matcher<C> {
    /// Returns the matcher of all entities.
    fn default() -> Self {
        Self {
            all: ComponentSet::new(),
            any: Vec::new(),
            none: ComponentSet::new(),
            context: PhantomData,
        }
    }
}

// By hand, because a derive would ask the same of `C`.
impl<C> Clone for Matcher<C> {
    fn clone(&self) -> Self {
        Self {
            all: self.all.clone(),
            any: self.any.clone(),
            none: self.none.clone(),
            context: PhantomData,
        }
    }
}

impl<C> PartialEq for Matcher<C> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let has_no_any = self.any.is_empty() && other.any.is_empty();
        self.all == other.all && self.none == other.none && (has_no_any || self.any == other.any)
    }
}

impl<C> Eq for Matcher<C> {}

impl<C> Matcher<C> {
    /// A number that is the same for equal matchers, and seldom for others.
    #[inline]
    pub(crate) fn mixed(&self) -> u64 {
        let both = self.all.mixed() ^ self.none.mixed().rotate_left(7);
        let any = self.any.iter().map(ComponentSet::mixed);
        let mixed = any.fold(both, |mixed, any| mixed.rotate_left(9) ^ any);
        mixed ^ mixed >> 29 // high bits depend on all, low bits alone do not
    }
}

impl<C> Hash for Matcher<C> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.mixed());
    }
}

impl<C: 'static> fmt::Debug for Matcher<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [("AllOf", &self.all)].into_iter();
        let any = self.any.iter().map(|any| ("AnyOf", any));
        let parts = all.chain(any).chain([("NoneOf", &self.none)]);
        let mut dot = "";
        for (part, set) in parts.filter(|(_, set)| !set.is_empty()) {
            write!(f, "{dot}{part}(")?;
            write_names::<C>(f, set)?;
            f.write_str(")")?;
            dot = ".";
        }
        match dot {
            "" => f.write_str("AllOf()"),
            _ => Ok(()),
        }
    }
}

/// Writes the names of components, with commas.
fn write_names<C: 'static>(f: &mut fmt::Formatter<'_>, set: &ComponentSet) -> fmt::Result {
    for (at, component) in set.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        write!(f, "{comma}{}", numbering::<C>().name(component))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_named_by_indices_are_all_asked_for_or_all_refused() {
        let set = |indices: &[usize]| indices.iter().map(|&at| ComponentIndex::at(at)).collect();
        let both = [1, 300].map(ComponentIndex::at);
        let has = Matcher::<()>::default().all_of_indices(both);
        assert!(has.matches(&set(&[1, 2, 300])));
        assert!(!has.matches(&set(&[1])) && !has.matches(&set(&[300])));
        let lacks = Matcher::<()>::default().none_of_indices(both);
        assert!(lacks.matches(&set(&[2])));
        assert!(!lacks.matches(&set(&[1])) && !lacks.matches(&set(&[300])));
        assert!(has != lacks && has.bytes() > 1 && lacks.bytes() == has.bytes());
        let some = Matcher::<()>::default().any_of_indices(both);
        let list = some.any.capacity() * size_of::<ComponentSet>();
        assert_eq!(some.bytes(), has.bytes() + list);
    }
}
