//! Which entities a group is about, and which of its events start a reaction.
//!
//! A [`Matcher`] is sets of components, a [`Condition`] that knows its context; a [`Trigger`] is
//! matchers with the events of theirs that count.

mod condition;
mod event;
mod typed;

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

pub(crate) use self::condition::Condition;
pub use self::event::GroupEvent;
pub(crate) use self::event::{EventSet, StillHolds};
pub use self::typed::Matcher;

use crate::words::signature::RawComponentSet;

/// What a collector or a reactive system waits for: events of one matcher's group
/// or of several.
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
    /// These events of the matcher's group.
    fn on(matcher: Matcher<C>, events: u8) -> Self {
        Self {
            alternatives: vec![(matcher, EventSet(events))],
            includes_rewinds: false,
        }
    }

    /// This trigger and another one.
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
    #[must_use = "a trigger is not changed but made anew"]
    pub fn or(mut self, other: Self) -> Self {
        self.alternatives.extend(other.alternatives);
        self.includes_rewinds |= other.includes_rewinds;
        self
    }

    /// This trigger, fired also when a [history](crate::History) undoes or redoes changes, and by
    /// [`restore`](crate::Context::restore): for views, which show the present state.
    ///
    /// A collector of any other trigger holds after a rewind what it held at the mark, so the rules of
    /// a game are not told twice. A collector of this trigger keeps what it holds and keeps collecting:
    /// an entity that enters, leaves or is updated by a change that is undone counts as for any change.
    ///
    /// A restore is one change, from what was there to what the snapshot has. So the entities that
    /// differ are collected: new ones (*entered*), missing ones (*left*), those with other components,
    /// and those with another value of a component in the matcher's all-of or any-of sets (*updated*).
    /// Values are compared by their [checksum](crate::Checksum); those of a component that has none
    /// count as changed. Missing entities come first, then the others, each in order of index. If the
    /// snapshot is of another context, entities are compared with those that have the same id.
    ///
    /// A [`reset`](crate::Context::reset) leaves a collector of this trigger the entities that it has
    /// destroyed. The guide lists who is notified of [every such operation](crate::guide::undo_and_rollback#who-is-notified).
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
    #[must_use = "a trigger is not changed but made anew"]
    pub fn with_rewinds(mut self) -> Self {
        self.includes_rewinds = true;
        self
    }

    /// The components that it names.
    pub(crate) fn components(&self) -> RawComponentSet {
        let mut all = RawComponentSet::new();
        for (matcher, _) in &self.alternatives {
            for component in matcher.condition().components().iter() {
                all.insert(component);
            }
        }
        all
    }

    /// Whether it is fired by rewinds and restores.
    pub(crate) fn includes_rewinds(&self) -> bool {
        self.includes_rewinds
    }

    /// The matchers, each with which of an entity's states its events lead to.
    pub(crate) fn alternatives_that_hold(
        &self,
    ) -> impl Iterator<Item = (Matcher<C>, StillHolds)> + use<C> {
        let alternatives = self.alternatives.clone().into_iter();
        alternatives.map(|(matcher, events)| (matcher, StillHolds(events)))
    }

    /// The matchers and the events of each.
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
    /// Entities that begin to match, or are updated while they do: what Entitas
    /// calls *added*.
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

    /// Entities that cease to match, or are updated while they do: what Entitas
    /// calls *removed*.
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

    /// Entities that begin or cease to match, or are updated.
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

    /// Entities that begin to match.
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

    /// Entities that cease to match.
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

    /// Entities of which a component named in the all-of or any-of set is replaced
    /// or updated while they match.
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
    fn alternatives_of_which_one_follows_rewinds_do() {
        let plain = || Matcher::<()>::default().entered();
        assert!(plain().or(plain().with_rewinds()).includes_rewinds);
        assert!(plain().with_rewinds().or(plain()).includes_rewinds);
        assert!(!plain().or(plain()).includes_rewinds);
    }
}
