//! What can happen between an entity and a group.

use core::fmt;

/// What can happen between an entity and a group.
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
pub(crate) struct EventSet(pub(super) u8);

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
pub(crate) struct StillHolds(pub(super) EventSet);

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
