//! The three sets of a matcher, and what can be made of a matcher that is there.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use super::{EventSet, Matcher, Trigger};
use crate::storage::registry::numbering;
use crate::words::component::{ComponentIndex, Components, indices_of};
use crate::words::signature::ComponentSet;

/// The three sets of a [`Matcher`], and the methods of a matcher that is there
/// already: narrowing it and making a [`Trigger`] of it.
///
/// A matcher derefs to its terms; users never name this type. (A type cannot have
/// both a function `none_of` that starts a matcher and a method `none_of` that
/// narrows one.)
pub struct Terms<C> {
    pub(super) all: ComponentSet,
    any: ComponentSet,
    none: ComponentSet,
    context: PhantomData<fn() -> C>,
}

impl<C: 'static> Terms<C> {
    pub(super) const fn new() -> Self {
        Self {
            all: ComponentSet::new(),
            any: ComponentSet::new(),
            none: ComponentSet::new(),
            context: PhantomData,
        }
    }

    /// The same matcher, asking also for every component of `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let both = Matcher::<Game>::all_of::<Health>().all_of::<Frozen>();
    /// assert_eq!(both, Matcher::all_of::<(Health, Frozen)>());
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// # #[derive(Component)] #[component(context = Game)] struct Burning;
    /// let matcher = Matcher::<Game>::all_of::<Health>().any_of::<(Frozen, Burning)>();
    /// assert_eq!(format!("{matcher:?}"), "AllOf(Health).AnyOf(Burning, Frozen)");
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let matcher = Matcher::<Game>::all_of::<Health>().none_of::<Frozen>();
    /// assert_eq!(format!("{matcher:?}"), "AllOf(Health).NoneOf(Frozen)");
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let game = Game::new();
    /// let matcher = Matcher::all_of::<Frozen>();
    /// assert!(matcher.all().contains(game.component_index::<Frozen>()));
    /// ```
    pub fn all(&self) -> &ComponentSet {
        &self.all
    }

    /// The components of which an entity must have at least one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let game = Game::new();
    /// let matcher = Matcher::any_of::<Frozen>();
    /// assert!(matcher.any().contains(game.component_index::<Frozen>()));
    /// ```
    pub fn any(&self) -> &ComponentSet {
        &self.any
    }

    /// The components an entity must not have.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let game = Game::new();
    /// let matcher = Matcher::none_of::<Frozen>();
    /// assert!(matcher.none().contains(game.component_index::<Frozen>()));
    /// ```
    pub fn none(&self) -> &ComponentSet {
        &self.none
    }

    /// Every component that is named, each once, ascending.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let matcher = Matcher::<Game>::all_of::<Health>().none_of::<Frozen>();
    /// assert_eq!(matcher.components().len(), 2);
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let matcher = Matcher::<Game>::all_of::<Health>().none_of::<Frozen>();
    /// let healthy = Matcher::<Game>::all_of::<Health>().components();
    /// assert!(matcher.matches(&healthy));
    /// assert!(!matcher.matches(&matcher.components()));
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let collector = game.collector(Matcher::all_of::<Health>().added());
    /// let id = game.create_with(Health(1)).id();
    /// game.entity_mut(id).replace_health(2);
    /// assert_eq!(collector.drain(&mut game), [id]);
    /// ```
    pub fn added(&self) -> Trigger<C> {
        self.on(EventSet::ENTERED | EventSet::UPDATED)
    }

    /// Entities that cease to match, or are updated while they do: what Entitas
    /// calls *removed*.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let collector = game.collector(Matcher::all_of::<Health>().removed());
    /// let id = game.create_with(Health(1)).id();
    /// game.entity_mut(id).remove_health();
    /// assert_eq!(collector.drain(&mut game), [id]);
    /// ```
    pub fn removed(&self) -> Trigger<C> {
        self.on(EventSet::LEFT | EventSet::UPDATED)
    }

    /// Entities that begin or cease to match, or are updated.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let collector = game.collector(Matcher::all_of::<Health>().added_or_removed());
    /// let id = game.create_with(Health(1)).id();
    /// let other = game.create_entity().id(); // no health, no matter
    /// game.destroy(other);
    /// assert_eq!(collector.drain(&mut game), [id]);
    /// ```
    pub fn added_or_removed(&self) -> Trigger<C> {
        self.on(EventSet::ENTERED | EventSet::LEFT | EventSet::UPDATED)
    }

    /// Entities that begin to match.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let collector = game.collector(Matcher::all_of::<Health>().entered());
    /// let id = game.create_with(Health(1)).id();
    /// let other = game.create_with(Health(2)).id();
    /// assert_eq!(collector.drain(&mut game), [id, other]);
    /// ```
    pub fn entered(&self) -> Trigger<C> {
        self.on(EventSet::ENTERED)
    }

    /// Entities that cease to match.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let collector = game.collector(Matcher::all_of::<Health>().left());
    /// let id = game.create_with(Health(1)).id();
    /// let other = game.create_with(Health(2)).id();
    /// game.destroy(other);
    /// assert_eq!(collector.drain(&mut game), [other]);
    /// ```
    pub fn left(&self) -> Trigger<C> {
        self.on(EventSet::LEFT)
    }

    /// Entities of which a component named in the all-of or any-of set is replaced
    /// or updated while they match.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let collector = game.collector(Matcher::all_of::<Health>().updated());
    /// let id = game.create_with(Health(1)).id();
    /// let other = game.create_with(Health(2)).replace_health(3).id();
    /// assert_eq!(collector.drain(&mut game), [other]);
    /// ```
    pub fn updated(&self) -> Trigger<C> {
        self.on(EventSet::UPDATED)
    }

    fn on(&self, events: u8) -> Trigger<C> {
        Trigger::on(self.clone().into(), events)
    }
}

fn with<C: 'static, T: Components<C>>(set: &ComponentSet) -> ComponentSet {
    set.iter().chain(indices_of::<C, T>()).collect()
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
