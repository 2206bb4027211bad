//! The triggers that can be made of a matcher.

use super::event::EventSet;
use super::trigger::Trigger;
use super::typed::Matcher;

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
