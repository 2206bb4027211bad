//! Which entities a group is about, and which of its events start a reaction.
//!
//! A [`Matcher`] is three sets of components; a [`Trigger`] is matchers with the
//! events of theirs that count.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::ops::Deref;

use crate::component::{ComponentIndex, Components, indices_of};
use crate::registry::numbering;
use crate::signature::ComponentSet;

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
    pub fn all_of<T: Components<C>>() -> Self {
        Terms {
            all: set_of::<C, T>(),
            ..Terms::new()
        }
        .into()
    }

    /// Matches entities that have the component with this index.
    pub(crate) fn all_of_index(component: ComponentIndex) -> Self {
        let mut terms = Terms::new();
        terms.all.insert(component);
        terms.into()
    }

    /// Matches entities that have at least one component of `T`.
    pub fn any_of<T: Components<C>>() -> Self {
        Terms {
            any: set_of::<C, T>(),
            ..Terms::new()
        }
        .into()
    }

    /// Matches entities that have no component of `T`.
    pub fn none_of<T: Components<C>>() -> Self {
        Terms {
            none: set_of::<C, T>(),
            ..Terms::new()
        }
        .into()
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

/// The three sets of a [`Matcher`], and the methods of a matcher that is there
/// already: narrowing it and making a [`Trigger`] of it.
///
/// A matcher derefs to its terms; users never name this type. (A type cannot have
/// both a function `none_of` that starts a matcher and a method `none_of` that
/// narrows one.)
pub struct Terms<C> {
    all: ComponentSet,
    any: ComponentSet,
    none: ComponentSet,
    context: PhantomData<fn() -> C>,
}

impl<C: 'static> Terms<C> {
    const fn new() -> Self {
        Self {
            all: ComponentSet::new(),
            any: ComponentSet::new(),
            none: ComponentSet::new(),
            context: PhantomData,
        }
    }

    /// The same matcher, asking also for every component of `T`.
    #[must_use = "a matcher is not changed but made anew"]
    pub fn all_of<T: Components<C>>(&self) -> Matcher<C> {
        let all = with::<C, T>(&self.all);
        Self {
            all,
            ..self.clone()
        }
        .into()
    }

    /// The same matcher, asking also for some component of `T` (or of those its
    /// any-of set has already).
    #[must_use = "a matcher is not changed but made anew"]
    pub fn any_of<T: Components<C>>(&self) -> Matcher<C> {
        let any = with::<C, T>(&self.any);
        Self {
            any,
            ..self.clone()
        }
        .into()
    }

    /// The same matcher, refusing also entities with a component of `T`.
    #[must_use = "a matcher is not changed but made anew"]
    pub fn none_of<T: Components<C>>(&self) -> Matcher<C> {
        let none = with::<C, T>(&self.none);
        Self {
            none,
            ..self.clone()
        }
        .into()
    }

    /// The bytes held beside the terms themselves.
    pub(crate) fn bytes(&self) -> usize {
        self.all.bytes() + self.any.bytes() + self.none.bytes()
    }

    /// The components an entity must all have.
    pub fn all(&self) -> &ComponentSet {
        &self.all
    }

    /// The components of which an entity must have at least one.
    pub fn any(&self) -> &ComponentSet {
        &self.any
    }

    /// The components an entity must not have.
    pub fn none(&self) -> &ComponentSet {
        &self.none
    }

    /// Every component that is named, each once, ascending.
    pub fn components(&self) -> ComponentSet {
        self.all
            .iter()
            .chain(self.any.iter())
            .chain(self.none.iter())
            .collect()
    }

    /// Whether an entity with just these components matches.
    ///
    /// Complexity: a few instructions for each 64 components of the context.
    pub fn matches(&self, components: &ComponentSet) -> bool {
        components.contains_all(&self.all)
            && (self.any.is_empty() || components.contains_any(&self.any))
            && !components.contains_any(&self.none)
    }

    /// Whether a replaced component counts as an update of the group.
    pub(crate) fn watches(&self, component: ComponentIndex) -> bool {
        self.all.contains(component) || self.any.contains(component)
    }

    /// Entities that begin to match, or are updated while they do: what Entitas
    /// calls *added*.
    pub fn added(&self) -> Trigger<C> {
        self.on(EventSet::ENTERED | EventSet::UPDATED)
    }

    /// Entities that cease to match, or are updated while they do: what Entitas
    /// calls *removed*.
    pub fn removed(&self) -> Trigger<C> {
        self.on(EventSet::LEFT | EventSet::UPDATED)
    }

    /// Entities that begin or cease to match, or are updated.
    pub fn added_or_removed(&self) -> Trigger<C> {
        self.on(EventSet::ENTERED | EventSet::LEFT | EventSet::UPDATED)
    }

    /// Entities that begin to match.
    pub fn entered(&self) -> Trigger<C> {
        self.on(EventSet::ENTERED)
    }

    /// Entities that cease to match.
    pub fn left(&self) -> Trigger<C> {
        self.on(EventSet::LEFT)
    }

    /// Entities of which a component named in the all-of or any-of set is replaced
    /// or updated while they match.
    pub fn updated(&self) -> Trigger<C> {
        self.on(EventSet::UPDATED)
    }

    fn on(&self, events: u8) -> Trigger<C> {
        Trigger {
            parts: vec![(self.clone().into(), EventSet(events))],
        }
    }
}

fn set_of<C: 'static, T: Components<C>>() -> ComponentSet {
    indices_of::<C, T>().into_iter().collect()
}

fn with<C: 'static, T: Components<C>>(set: &ComponentSet) -> ComponentSet {
    set.iter().chain(indices_of::<C, T>()).collect()
}

/// What can happen between an entity and a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupEvent {
    /// The entity began to match.
    Entered,
    /// The entity ceased to match.
    Left,
    /// A component named in the group's all-of or any-of set was replaced or
    /// updated while the entity was a member.
    Updated,
}

impl GroupEvent {
    pub(crate) const ALL: [Self; 3] = [Self::Entered, Self::Left, Self::Updated];
}

/// Some of the events of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventSet(u8);

impl EventSet {
    const ENTERED: u8 = 1 << GroupEvent::Entered as u8;
    const LEFT: u8 = 1 << GroupEvent::Left as u8;
    const UPDATED: u8 = 1 << GroupEvent::Updated as u8;

    pub(crate) fn contains(self, event: GroupEvent) -> bool {
        self.0 & 1 << event as u8 != 0
    }
}

/// Whether the state that some events lead to holds: *entered* and *updated* lead to an
/// entity that matches, *left* to one that does not.
#[derive(Clone, Copy)]
pub(crate) struct StillHolds(EventSet);

impl StillHolds {
    /// Whether it holds of a living entity that matches, or does not.
    #[inline]
    pub(crate) fn of(self, matches: bool) -> bool {
        let leading = match matches {
            true => EventSet::ENTERED | EventSet::UPDATED,
            false => EventSet::LEFT,
        };
        self.0.0 & leading != 0
    }
}

/// What a collector or a reactive system waits for: events of one matcher's group
/// or of several.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Position(f32);
/// # #[derive(Component)] #[component(context = Game)] struct Frozen;
/// let mut game = Game::new();
/// let moved_or_thawed =
///     Game::all_of::<Position>().updated().or(Game::all_of::<Frozen>().left());
/// let collector = game.collector(moved_or_thawed);
/// let id = game.create_entity().add_position(0.0).replace_position(1.0).id();
/// assert_eq!(collector.drain(&mut game), [id]);
/// ```
pub struct Trigger<C> {
    parts: Vec<(Matcher<C>, EventSet)>,
}

impl<C: 'static> Trigger<C> {
    /// This trigger and another one.
    #[must_use = "a trigger is not changed but made anew"]
    pub fn or(mut self, other: Self) -> Self {
        self.parts.extend(other.parts);
        self
    }

    /// The matchers, each with which of an entity's states its events lead to.
    pub(crate) fn parts_that_hold(
        &self,
    ) -> impl Iterator<Item = (Matcher<C>, StillHolds)> + use<C> {
        let parts = self.parts.clone().into_iter();
        parts.map(|(matcher, events)| (matcher, StillHolds(events)))
    }

    /// The matchers and the events of each.
    pub(crate) fn into_parts(self) -> Vec<(Matcher<C>, EventSet)> {
        self.parts
    }
}

// By hand, because a derive would ask the same of `C`.
impl<C> Clone for Terms<C> {
    fn clone(&self) -> Self {
        let (all, any, none) = (self.all.clone(), self.any.clone(), self.none.clone());
        Self {
            all,
            any,
            none,
            context: PhantomData,
        }
    }
}

impl<C> PartialEq for Terms<C> {
    fn eq(&self, other: &Self) -> bool {
        (&self.all, &self.any, &self.none) == (&other.all, &other.any, &other.none)
    }
}

impl<C> Eq for Terms<C> {}

impl<C> Hash for Terms<C> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.all, &self.any, &self.none).hash(state);
    }
}

impl<C: 'static> fmt::Debug for Terms<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbering = numbering::<C>();
        let parts = [
            ("AllOf", &self.all),
            ("AnyOf", &self.any),
            ("NoneOf", &self.none),
        ];
        let mut dot = "";
        for (part, set) in parts.into_iter().filter(|(_, set)| !set.is_empty()) {
            write!(f, "{dot}{part}(")?;
            for (at, component) in set.iter().enumerate() {
                let comma = if at == 0 { "" } else { ", " };
                write!(f, "{comma}{}", numbering.name(component))?;
            }
            f.write_str(")")?;
            dot = ".";
        }
        if dot.is_empty() {
            f.write_str("AllOf()")
        } else {
            Ok(())
        }
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

impl<C> Clone for Trigger<C> {
    fn clone(&self) -> Self {
        Self {
            parts: self.parts.clone(),
        }
    }
}

impl<C: 'static> fmt::Debug for Trigger<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (matcher, events)) in self.parts.iter().enumerate() {
            let or = if at == 0 { "" } else { " or " };
            write!(f, "{or}{matcher:?} {events:?}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for EventSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(
                GroupEvent::ALL
                    .iter()
                    .filter(|event| self.contains(**event)),
            )
            .finish()
    }
}
