//! Which events of a matcher's group start a reaction.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::Matcher;

/// What can happen between an entity and a group.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Frozen;
/// let mut game = Game::new();
/// let frozen = game.group(Matcher::all_of::<Frozen>());
/// frozen.on_entered(&mut game, |_, change| assert_eq!(change.event(), GroupEvent::Entered));
/// frozen.on_left(&mut game, |_, change| assert_eq!(change.event(), GroupEvent::Left));
/// game.create_entity().add_frozen().remove_frozen();
/// ```
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
    pub(super) const ENTERED: u8 = 1 << GroupEvent::Entered as u8;
    pub(super) const LEFT: u8 = 1 << GroupEvent::Left as u8;
    pub(super) const UPDATED: u8 = 1 << GroupEvent::Updated as u8;

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
    /// These events of the matcher's group.
    pub(super) fn on(matcher: Matcher<C>, events: u8) -> Self {
        Self {
            parts: vec![(matcher, EventSet(events))],
        }
    }

    /// This trigger and another one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let hurt_or_thawed = Matcher::all_of::<Health>().updated().or(Matcher::all_of::<Frozen>().left());
    /// let collector = game.collector(hurt_or_thawed);
    /// let ids = [game.create_with(Frozen).id(), game.create_with(Health(1)).id()];
    /// game.entity_mut(ids[1]).replace_health(2);
    /// game.entity_mut(ids[0]).remove_frozen();
    /// assert_eq!(collector.drain(&mut game), [ids[1], ids[0]]);
    /// ```
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
