//! Conditions on an entity's components, and the group events that start a reaction.
//!
//! A [`Matcher`] is a [`Condition`] with the type of its context; a [`Trigger`] is a list of
//! matchers, each with a set of events.

mod condition;
mod event;
mod term;
mod typed;

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

pub(crate) use self::condition::Condition;
pub use self::event::GroupEvent;
pub(crate) use self::event::{EventSet, StillHolds};
pub(crate) use self::term::{Other, Term};
pub use self::typed::Matcher;

use crate::words::signature::RawComponentSet;

/// The events that a collector or a reactive system waits for, of one or several matchers.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let moved_or_thawed =
///     Game::all_of::<Position>().updated().or(Game::all_of::<Frozen>().left());
/// let collector = game.collector(moved_or_thawed);
/// let id = game.create_entity().add_position(0.0).replace_position(1.0).id();
/// assert_eq!(collector.drain(&mut game), [id]);
/// ```
pub struct Trigger<C> {
    alternatives: Vec<(Matcher<C>, EventSet)>,
    includes_rewinds: bool,
}

impl<C: 'static> Trigger<C> {
    /// A trigger for these events of the matcher's group.
    fn on(matcher: Matcher<C>, events: u8) -> Self {
        Self {
            alternatives: vec![(matcher, EventSet(events))],
            includes_rewinds: false,
        }
    }

    /// Returns a trigger that fires when this one or `other` does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let hurt_or_thawed = Game::all_of::<Health>().updated().or(Game::all_of::<Frozen>().left());
    /// let collector = game.collector(hurt_or_thawed);
    /// let ids = [game.create_with(Frozen).id(), game.create_with(Health(1)).id()];
    /// game.entity_mut(ids[1]).replace_health(2);
    /// game.entity_mut(ids[0]).remove_frozen();
    /// assert_eq!(collector.drain(&mut game), [ids[1], ids[0]]);
    /// ```
    #[must_use = "returns a new trigger"]
    pub fn or(mut self, other: Self) -> Self {
        self.alternatives.extend(other.alternatives);
        self.includes_rewinds |= other.includes_rewinds;
        self
    }

    /// Returns a trigger that also fires when a [history](crate::History) undoes or redoes changes,
    /// and on [`restore`](crate::Context::restore).
    ///
    /// Meant for views, which show the current state. After a rewind, a collector of any other
    /// trigger holds what it held at the mark, so game rules are not notified twice. A collector of
    /// this trigger keeps its entities and continues to collect: an entity that enters, leaves or
    /// is updated because a change is undone counts as for any other change.
    ///
    /// A restore counts as a single change from the current state to the snapshot. The entities
    /// that differ are collected: new ones (*entered*), missing ones (*left*), those with other
    /// components, and those with a different value of a component in the matcher's all-of or
    /// any-of sets (*updated*). Values are compared field by field and
    /// bit by bit; those with a field of a type that the library does not know count as changed.
    /// Missing entities come first, then the others, each
    /// in order of index. If the snapshot is from another context, entities are compared by id.
    ///
    /// After a [`reset`](crate::Context::reset), a collector of this trigger holds the destroyed
    /// entities. The guide lists who is notified of
    /// [each of these operations](crate::guide::undo_and_rollback#who-is-notified).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let moved = game.collector(Game::all_of::<Position>().updated());
    /// let to_draw = game.collector(Game::all_of::<Position>().updated().with_rewinds());
    /// let id = game.create_with(Position(1.0)).id();
    /// let history = game.record();
    /// let start = history.mark(&mut game);
    /// game.entity_mut(id).replace_position(2.0);
    /// assert_eq!((moved.drain(&mut game).len(), to_draw.drain(&mut game).len()), (1, 1));
    /// history.rewind(&mut game, start);
    /// assert_eq!((moved.drain(&mut game).len(), to_draw.drain(&mut game).len()), (0, 1));
    ///
    /// history.release(&mut game);
    /// let mut loaded = Game::new(); // by `Game::load`, say
    /// loaded.create_with(Position(3.0));
    /// game.restore(&loaded.snapshot());
    /// assert_eq!(to_draw.drain(&mut game), [id]);
    /// ```
    #[must_use = "returns a new trigger"]
    pub fn with_rewinds(mut self) -> Self {
        self.includes_rewinds = true;
        self
    }

    /// All components that the matchers name.
    pub(crate) fn components(&self) -> RawComponentSet {
        let mut all = RawComponentSet::new();
        for (matcher, _) in &self.alternatives {
            for component in matcher.condition().components().iter() {
                all.insert(component);
            }
        }
        all
    }

    /// Whether rewinds and restores fire it.
    pub(crate) fn includes_rewinds(&self) -> bool {
        self.includes_rewinds
    }

    /// The matchers, each with a test of whether its events still hold.
    pub(crate) fn alternatives_that_hold(
        &self,
    ) -> impl Iterator<Item = (Matcher<C>, StillHolds)> + use<C> {
        let alternatives = self.alternatives.clone().into_iter();
        alternatives.map(|(matcher, events)| (matcher, StillHolds(events)))
    }

    pub(crate) fn into_alternatives(self) -> Vec<(Matcher<C>, EventSet)> {
        self.alternatives
    }
}

impl<C> Clone for Trigger<C> {
    fn clone(&self) -> Self {
        Self {
            alternatives: self.alternatives.clone(),
            includes_rewinds: self.includes_rewinds,
        }
    }
}

impl<C: 'static> fmt::Debug for Trigger<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (matcher, events)) in self.alternatives.iter().enumerate() {
            let or = if at == 0 { "" } else { " or " };
            write!(f, "{or}{matcher:?} {events:?}")?;
        }
        if self.includes_rewinds {
            f.write_str(" with rewinds")?;
        }
        Ok(())
    }
}

impl<C: 'static> Matcher<C> {
    /// Entities that start to match, or are updated while they match. Entitas calls this *added*.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Health>().entered_or_updated());
    /// let id = game.create_with(Health(1)).id();
    /// game.entity_mut(id).replace_health(2);
    /// assert_eq!(collector.drain(&mut game), [id]);
    /// ```
    #[doc(alias = "added")]
    pub fn entered_or_updated(&self) -> Trigger<C> {
        self.on(EventSet::ENTERED | EventSet::UPDATED)
    }

    /// Entities that stop matching, or are updated while they match. Entitas calls this *removed*.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Health>().left_or_updated());
    /// let id = game.create_with(Health(1)).id();
    /// game.entity_mut(id).remove_health();
    /// assert_eq!(collector.drain(&mut game), [id]);
    /// ```
    #[doc(alias = "removed")]
    pub fn left_or_updated(&self) -> Trigger<C> {
        self.on(EventSet::LEFT | EventSet::UPDATED)
    }

    /// Entities that start or stop matching, or are updated while they match.
    ///
    /// Not those that only get or lose another component of an any-of set: see [`updated`](Self::updated).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Health>().any_change());
    /// let id = game.create_with(Health(1)).id();
    /// let other = game.create_entity().id(); // no health, no matter
    /// game.destroy(other);
    /// assert_eq!(collector.drain(&mut game), [id]);
    /// ```
    #[doc(alias = "added_or_removed")]
    pub fn any_change(&self) -> Trigger<C> {
        self.on(EventSet::ENTERED | EventSet::LEFT | EventSet::UPDATED)
    }

    /// Entities that start to match.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Health>().entered());
    /// let id = game.create_with(Health(1)).id();
    /// let other = game.create_with(Health(2)).id();
    /// assert_eq!(collector.drain(&mut game), [id, other]);
    /// ```
    pub fn entered(&self) -> Trigger<C> {
        self.on(EventSet::ENTERED)
    }

    /// Entities that stop matching.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Health>().left());
    /// let id = game.create_with(Health(1)).id();
    /// let other = game.create_with(Health(2)).id();
    /// game.destroy(other);
    /// assert_eq!(collector.drain(&mut game), [other]);
    /// ```
    pub fn left(&self) -> Trigger<C> {
        self.on(EventSet::LEFT)
    }

    /// Entities of which a component in the all-of or any-of set is replaced or updated while they
    /// match. As in Entitas, that does not include another component of an any-of set which is added
    /// or removed while they match: watch that component, [too](Trigger::or).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let collector = game.collector(Game::all_of::<Health>().updated());
    /// let id = game.create_with(Health(1)).id();
    /// let other = game.create_with(Health(2)).replace_health(3).id();
    /// assert_eq!(collector.drain(&mut game), [other]);
    /// ```
    pub fn updated(&self) -> Trigger<C> {
        self.on(EventSet::UPDATED)
    }

    fn on(&self, events: u8) -> Trigger<C> {
        Trigger::on(self.clone(), events)
    }
}

#[cfg(test)]
mod tests {
    use crate::matching::matcher::Matcher;

    #[test]
    fn alternatives_include_rewinds_if_one_does() {
        let plain = || Matcher::<()>::default().entered();
        assert!(plain().or(plain().with_rewinds()).includes_rewinds);
        assert!(plain().with_rewinds().or(plain()).includes_rewinds);
        assert!(!plain().or(plain()).includes_rewinds);
    }
}
