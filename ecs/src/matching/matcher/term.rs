//! Terms over relations: conditions on an entity's target, or on the entities that refer to it.
//!
//! Each distinct term is numbered as a component, its *flag*. A context in which a group uses the
//! term gives the flag to the entities that fulfill it (`state/terms.rs`). So for everything that
//! works with components, a term is one more component.

use alloc::boxed::Box;
use alloc::format;
use core::any::Any;

use super::condition::Condition;
use super::typed::Matcher;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::registry::{index_of, numbering};
use crate::words::component::{ComponentNames, RawComponentIndex};
use crate::words::relation::Relation;
use crate::words::term::AnyTerm;

/// The entities on which a term depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Other {
    /// The target of the entity.
    Target,
    /// Those that refer to the entity.
    Sources,
}

/// What a term requires: the target, or one of the sources, in a relation fulfills a condition.
#[derive(Clone)]
pub(crate) struct Term {
    pub(crate) relation: RawComponentIndex,
    pub(crate) other: Other,
    pub(crate) condition: Condition,
}

impl AnyTerm for Term {
    fn is_same(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<Self>().is_some_and(|other| {
            (self.relation, self.other) == (other.relation, other.other)
                && self.condition == other.condition
                && self.condition.has_disabled() == other.condition.has_disabled()
        })
    }
}

impl Term {
    /// The term whose flag has this descriptor, if it is one.
    pub(crate) fn of(descriptor: &'static ComponentDescriptor) -> Option<&'static Self> {
        let term: &dyn Any = descriptor.term?;
        term.downcast_ref()
    }

    /// The flag of this term in contexts of type `C`.
    fn flag<C: 'static>(self) -> RawComponentIndex {
        let numbering = numbering::<C>();
        let is_same =
            |it: &'static ComponentDescriptor| it.term.is_some_and(|term| term.is_same(&self));
        let known = numbering.iter().position(is_same);
        RawComponentIndex::new(known.unwrap_or_else(|| numbering.number(self.descriptor::<C>())))
    }

    /// A new descriptor of the flag. If another thread makes one at the same time, one of them is kept.
    #[cold]
    fn descriptor<C: 'static>(self) -> &'static ComponentDescriptor {
        let relation = numbering::<C>().name(self.relation);
        let other = match self.other {
            Other::Target => "Related",
            Other::Sources => "Referrers",
        };
        let matcher = Matcher::<C>::of(&self.condition);
        let name = format!("{other}<{relation}>({matcher:?})");
        let names = Box::leak(Box::new(ComponentNames {
            context: "",
            component: Box::leak(name.into_boxed_str()),
            accessor: "",
        }));
        let term = Box::leak(Box::new(self));
        Box::leak(Box::new(ComponentDescriptor::of_term(names, term)))
    }
}

fn flag_of<C: 'static, T: Relation<C>>(other: Other, matcher: Matcher<C>) -> RawComponentIndex {
    let term = Term {
        relation: index_of::<C, T>(),
        other,
        condition: matcher.into_condition(),
    };
    term.flag::<C>()
}

/// Terms over relations.
///
/// They are exact at all times: if the component `Burning` is added to a dock, the ships docked there
/// enter the group of `Game::all_of::<Ship>().related::<DockedAt>(Game::all_of::<Burning>())` by the
/// same change. Observers are notified of the dock first, then of the ships, in the order in which they
/// refer to it; *updated* is reported for components of the ship itself alone. Rewinds, restores and
/// loads keep terms exact, too.
///
/// A group, collector or system with a term costs a flag per entity that fulfills it, which is kept as a
/// component without value, and named after the term in [`Matcher::all`] and tools. The flag is not
/// saved, sent, copied or recorded. A change of a target costs each of its sources once; a change of a
/// source, a search for another source that matches. Without such a group, as in
/// [`ids`](Matcher::ids), a term searches all links.
///
/// Each distinct term is numbered once per program and never forgotten; terms cannot depend on values.
impl<C: 'static> Matcher<C> {
    /// Returns a matcher that also requires a target in the relation `T` that `target` matches.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let below_burning = game.group(Game::all_of::<Health>().related::<ChildOf>(Game::all_of::<Burning>()));
    /// let ship = game.create_entity().id();
    /// let sail = game.create_with((Health(3), ChildOf { parent: ship })).id();
    /// assert!(below_burning.is_empty(&game));
    /// game.entity_mut(ship).add_burning();
    /// assert_eq!(below_burning.ids(&game), [sail]);
    /// ```
    #[must_use = "returns a new matcher"]
    pub fn related<T: Relation<C>>(self, target: Self) -> Self {
        self.and_all_flags(flag_of::<C, T>(Other::Target, target))
    }

    /// Returns a matcher that also excludes entities whose target in the relation `T` matches. An entity
    /// without target is not excluded.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let safe = Game::all_of::<Health>().without_related::<ChildOf>(Game::all_of::<Burning>());
    /// let ship = game.create_with((Health(9), Burning)).id();
    /// game.create_with((Health(3), ChildOf { parent: ship }));
    /// assert!(safe.ids(&game).eq([ship]));
    /// ```
    #[must_use = "returns a new matcher"]
    pub fn without_related<T: Relation<C>>(self, target: Self) -> Self {
        self.and_no_flags(flag_of::<C, T>(Other::Target, target))
    }

    /// Returns a matcher that also requires an entity that refers to this one in the relation `T` and
    /// that `source` matches.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let above_burning = Matcher::default().with_referrers::<ChildOf>(Game::all_of::<Burning>());
    /// let above_burning = game.collector(above_burning.any_change());
    /// let ship = game.create_entity().id();
    /// let sail = game.create_with(ChildOf { parent: ship }).id();
    /// game.entity_mut(sail).add_burning();
    /// assert_eq!(above_burning.drain(&mut game), [ship]);
    /// ```
    #[must_use = "returns a new matcher"]
    pub fn with_referrers<T: Relation<C>>(self, source: Self) -> Self {
        self.and_all_flags(flag_of::<C, T>(Other::Sources, source))
    }

    /// Returns a matcher that also excludes entities to which one refers in the relation `T` that
    /// `source` matches.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let leaves = Game::all_of::<ChildOf>().without_referrers::<ChildOf>(Matcher::default());
    /// let ship = game.create_entity().id();
    /// let mast = game.create_with(ChildOf { parent: ship }).id();
    /// let sail = game.create_with(ChildOf { parent: mast }).id();
    /// assert!(leaves.ids(&game).eq([sail]));
    /// ```
    #[must_use = "returns a new matcher"]
    pub fn without_referrers<T: Relation<C>>(self, source: Self) -> Self {
        self.and_no_flags(flag_of::<C, T>(Other::Sources, source))
    }
}
