//! Which players of a room are there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The most players that are there.
const MOST: usize = 4_096;
/// A player of which nothing was heard for so many ticks has left.
pub(crate) const GONE: u64 = if cfg!(test) { 30 } else { 1_200 };

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Presence {
    /// Of each player the latest connection, and the last tick before something was heard of it.
    there: BTreeMap<u64, (u64, u64)>,
    /// Of each player who has left lately, the connection that has ended, and the last tick before: programs of earlier
    /// ones may still say that they are there.
    left: BTreeMap<u64, (u64, u64)>,
    /// Who has joined or left since the last tick.
    changes: Vec<(u64, bool)>,
}

impl Presence {
    /// Something was heard of a player.
    pub(crate) fn hear(&mut self, player: u64, connection: u64, tick: u64) {
        if let Some((latest, heard)) = self.there.get_mut(&player) {
            (*latest, *heard) = (connection.max(*latest), tick);
        } else if self.there.len() < MOST
            && (self.left.get(&player)).is_none_or(|(ended, _)| *ended < connection)
        {
            self.there.insert(player, (connection, tick));
            self.left.remove(&player);
            self.changes.push((player, true));
        }
    }

    /// A connection has ended: the player has left unless there is a newer one.
    pub(crate) fn leave(&mut self, player: u64, connection: u64, tick: u64) {
        if (self.there.get(&player)).is_some_and(|(latest, _)| *latest <= connection) {
            self.there.remove(&player);
            self.changes.push((player, false));
            if self.left.len() < MOST {
                self.left.insert(player, (connection, tick));
            }
        }
    }

    /// How many players are there.
    pub(crate) fn len(&self) -> u64 {
        self.there.len() as u64
    }

    /// Returns who has joined or left until a tick.
    pub(crate) fn take(&mut self, tick: u64) -> Vec<(u64, bool)> {
        // A new room does not know the tick before its first one.
        for (player, _) in &self.changes {
            for of in [&mut self.there, &mut self.left] {
                of.entry(*player).and_modify(|of| of.1 = tick);
            }
        }
        let is_gone = |(_, heard): &(u64, u64)| heard + GONE < tick;
        let gone = self.there.iter().filter(|(_, of)| is_gone(of));
        self.changes
            .extend(gone.map(|(player, _)| (*player, false)));
        self.there.retain(|_, of| !is_gone(of));
        self.left.retain(|_, of| !is_gone(of));
        std::mem::take(&mut self.changes)
    }
}

#[cfg(test)]
mod tests {
    use super::{GONE, Presence};

    #[test]
    fn players_that_say_nothing_leave() {
        let mut presence = Presence::default();
        presence.hear(7, 1, 0);
        presence.hear(8, 2, 0);
        assert_eq!(presence.take(50), [(7, true), (8, true)]);
        presence.hear(8, 2, 60);
        assert_eq!(presence.take(50 + GONE), []);
        assert_eq!(presence.take(51 + GONE), [(7, false)]);
        presence.hear(7, 3, 52 + GONE);
        presence.leave(7, 1, 50 + GONE); // of an older connection
        assert_eq!(presence.take(53 + GONE), [(7, true)]);
        presence.leave(7, 3, 53 + GONE);
        assert_eq!(presence.take(54 + GONE), [(7, false)]);
        presence.hear(7, 2, 54 + GONE); // a program that the player has left before
        assert_eq!(presence.take(55 + GONE), []);
        presence.hear(7, 4, 55 + GONE);
        assert_eq!(presence.take(56 + GONE), [(7, true)]);

        let mut presence = Presence::default();
        presence.hear(7, 3, 0); // in a new room
        presence.leave(7, 3, 0);
        assert_eq!(presence.take(2 * GONE), [(7, true), (7, false)]);
        presence.hear(7, 2, 2 * GONE);
        assert_eq!(presence.take(2 * GONE + 1), []);
    }
}
