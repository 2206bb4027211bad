//! The events of a group.

use core::fmt;

/// What can happen to an entity with respect to a group.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let frozen = game.group(Game::all_of::<Frozen>());
/// frozen.on_entered(&mut game, |_, change| assert_eq!(change.event(), GroupEvent::Entered));
/// frozen.on_left(&mut game, |_, change| assert_eq!(change.event(), GroupEvent::Left));
/// game.create_entity().add_frozen().remove_frozen();
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupEvent {
    /// The entity started to match.
    Entered,
    /// The entity stopped matching.
    Left,
    /// A component in the group's all-of or any-of set was replaced or updated while the entity was
    /// a member.
    Updated,
}

impl GroupEvent {
    pub(crate) const ALL: [Self; 3] = [Self::Entered, Self::Left, Self::Updated];
}

/// A set of group events.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventSet(pub(super) u8);

impl EventSet {
    pub(super) const ENTERED: u8 = 1 << GroupEvent::Entered as u8;
    pub(super) const LEFT: u8 = 1 << GroupEvent::Left as u8;
    pub(super) const UPDATED: u8 = 1 << GroupEvent::Updated as u8;

    pub(crate) fn contains(self, event: GroupEvent) -> bool {
        self.0 & 1 << event as u8 != 0
    }
}

/// Tests whether the outcome of some events still holds: after *entered* and *updated* the entity
/// matches, after *left* it does not.
#[derive(Clone, Copy)]
pub(crate) struct StillHolds(pub(super) EventSet);

impl StillHolds {
    /// Whether it holds for a living entity that matches, or does not.
    #[inline]
    pub(crate) fn of(self, matches: bool) -> bool {
        let outcome = match matches {
            true => EventSet::ENTERED | EventSet::UPDATED,
            false => EventSet::LEFT,
        };
        self.0.0 & outcome != 0
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
