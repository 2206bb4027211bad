//! The players of a room: the connection and the last inputs of each.
//!
//! All of it follows from the log, so each replica rejects the same inputs, and the next owner can repeat
//! outcomes that did not arrive.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use thiserror::Error as Describe;

use super::wire::{Input, OutcomesOf, Pass};

/// The most players that a room remembers.
const MOST_PLAYERS: usize = if cfg!(test) { 3 } else { 4_096 };
/// A player that has sent nothing for so many ticks may be forgotten.
const AWAY: u64 = if cfg!(test) { 600 } else { 1_200 };
/// The most inputs of a connection whose outcomes are not known to the player.
pub(crate) const MOST_OPEN: usize = 64;

/// What becomes of an input.
///
/// # Examples
///
/// ```
/// use ecs_rooms::{Outcome, Reason};
///
/// let describe = |outcome| match outcome {
///     Outcome::Played { tick } => format!("played in tick {tick}"),
///     Outcome::Rejected(reason) => reason.to_string(),
/// };
/// assert_eq!(describe(Outcome::Played { tick: 7 }), "played in tick 7");
/// assert_eq!(describe(Outcome::Rejected(Reason::NoRoom)), "there is no such room");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It was played in this tick, which is in the log: each later host plays it there, too.
    Played {
        /// The number of the tick.
        tick: u64,
    },
    /// It is not played, and never will be.
    Rejected(Reason),
}

/// Why an input is not played.
///
/// # Examples
///
/// ```
/// assert_eq!(ecs_rooms::Reason::TakenOver.to_string(), "another connection of the player has taken over");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Describe, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Reason {
    /// There is no such room. If there was one that is closed, it may have played the input before.
    #[error("there is no such room")]
    NoRoom,
    /// The room was closed before the tick in which the input would have been played.
    #[error("the room is closed")]
    Closed,
    /// The room panicked in this tick or before.
    #[error("the room has panicked")]
    Panicked,
    /// The bytes are no input of the game, or are nested too deeply.
    #[error("it is no input of the game")]
    Unreadable,
    /// The room plays another game.
    #[error("the room plays another game")]
    OtherGame,
    /// The room plays another version of the game, which cannot read this input.
    #[error("the room plays another version of the game")]
    OtherVersion,
    /// The room has got too many inputs in this tick.
    #[error("the room has got too many inputs in this tick")]
    TooMany,
    /// The room has too many players.
    #[error("the room has too many players")]
    Full,
    /// A newer connection of the same player has sent inputs.
    #[error("another connection of the player has taken over")]
    TakenOver,
    /// The connection is older than the room, or was away for long, so the room does not know it; whether the
    /// input was played, neither. The next input makes a new connection.
    #[error("the room does not know the connection")]
    Forgotten,
    /// The key of the player has expired.
    #[error("the key has expired")]
    Expired,
    /// The key of the player is revoked.
    #[error("the key is revoked")]
    Revoked,
    /// It was played, but a later host had to continue from a save before that tick.
    #[error("the tick in which it was played is lost")]
    Lost,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Roster {
    players: BTreeMap<u64, Seen>,
    /// The greatest number of a connection that was forgotten, or the record that opened the room: an input that
    /// was rejected because there was no room must not be played if it comes again.
    forgotten: u64,
    /// The latest time of a mark.
    now: u64,
    /// Of players whose keys were revoked, the first epoch that is good.
    revoked: BTreeMap<u64, u64>,
}

/// What is known of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    connection: u64,
    /// The number of its last input, and its tick.
    number: u64,
    tick: u64,
    /// Inputs whose outcomes the player may not know: the connection, the number, and the outcome unless the
    /// input waits for the next tick.
    open: VecDeque<(u64, u64, Option<Outcome>)>,
    /// The last inputs of this connection whose ticks are void, ascending.
    lost: VecDeque<u64>,
}

impl Roster {
    /// Of a room that record `opened` opens.
    pub(crate) fn new(opened: u64) -> Self {
        Self {
            players: BTreeMap::new(),
            forgotten: opened,
            now: 0,
            revoked: BTreeMap::new(),
        }
    }

    /// A mark tells the time. It never goes back, so a key that has expired stays so.
    pub(crate) fn tell_time(&mut self, now: u64) {
        self.now = self.now.max(now);
    }

    pub(crate) fn revoke(&mut self, player: u64, epoch: u64) {
        let first = self.revoked.entry(player).or_default();
        *first = epoch.saturating_add(1).max(*first);
    }

    /// Why what a player writes with this pass does not count.
    pub(crate) fn rejects(&self, player: u64, pass: Pass) -> Option<Reason> {
        let first = self.revoked.get(&player).copied().unwrap_or(0);
        if pass.epoch < first {
            return Some(Reason::Revoked);
        }
        pass.is_expired(self.now).then_some(Reason::Expired)
    }

    /// An input may be repeated (`None`), or of a connection that is over.
    fn check_new(&self, player: u64, of: (u64, u64)) -> Result<(), Option<Reason>> {
        let connection = of.0;
        match self.players.get(&player) {
            Some(seen) if connection < seen.connection => {
                let is_repeated = seen.open.iter().any(|open| (open.0, open.1) == of);
                Err((!is_repeated).then_some(self.older(connection)))
            }
            Some(seen) if of <= (seen.connection, seen.number) => Err(None),
            None if connection <= self.forgotten => Err(Some(Reason::Forgotten)),
            _ => Ok(()),
        }
    }

    /// Takes note of an input. It is not played if there is an outcome, nor if it is repeated (`None`).
    pub(crate) fn admit(&mut self, input: &Input, tick: u64) -> Result<(), Option<Reason>> {
        let Input {
            player,
            connection,
            number,
            pass,
            ..
        } = *input;
        self.check_new(player, (connection, number))?;
        if let Some(reason) = self.rejects(player, pass) {
            return Err(Some(reason));
        }
        if !self.players.contains_key(&player) && self.make_room(tick).is_none() {
            // Its record may come again when there is place.
            self.forgotten = self.forgotten.max(connection);
            return Err(Some(Reason::Full));
        }
        let seen = self.players.entry(player).or_insert_with(|| Seen {
            connection,
            number: 0,
            tick,
            open: VecDeque::new(),
            lost: VecDeque::new(),
        });
        let is_known = |open: &(u64, u64, _)| open.0 == connection && open.1 <= input.known;
        seen.open.retain(|open| !is_known(open));
        if seen.open.len() >= 2 * MOST_OPEN {
            seen.open.pop_front();
        }
        seen.open.push_back((connection, number, None));
        if connection > seen.connection {
            seen.lost.clear();
        }
        (seen.connection, seen.number, seen.tick) = (connection, number, tick);
        Ok(())
    }

    /// Why an input of a connection is rejected that another one has followed.
    fn older(&self, connection: u64) -> Reason {
        match connection <= self.forgotten {
            true => Reason::Forgotten,
            false => Reason::TakenOver,
        }
    }

    /// Makes room for another player, if there is one that is away.
    fn make_room(&mut self, tick: u64) -> Option<()> {
        if self.players.len() >= MOST_PLAYERS {
            let oldest = self.players.iter().min_by_key(|(_, seen)| seen.tick)?;
            let (player, seen) = (*oldest.0, oldest.1);
            if seen.tick + AWAY > tick {
                return None;
            }
            self.forgotten = self.forgotten.max(seen.connection);
            self.players.remove(&player);
        }
        Some(())
    }

    /// The inputs without an outcome, with their players.
    pub(crate) fn undecided(&self) -> impl Iterator<Item = (u64, (u64, u64))> {
        let open = |(player, seen): (&u64, &Seen)| {
            let (player, open) = (*player, seen.open.iter());
            let undecided = open.filter(|open| open.2.is_none());
            let of: Vec<_> = undecided.map(|open| (player, (open.0, open.1))).collect();
            of
        };
        self.players.iter().flat_map(open)
    }

    /// An input that was admitted has an outcome.
    pub(crate) fn settle(&mut self, player: u64, input: (u64, u64), outcome: Outcome) {
        let open = self.players.get_mut(&player).map(|seen| &mut seen.open);
        let open = open.into_iter().flatten();
        for of in open.filter(|open| (open.0, open.1) == input) {
            of.2 = Some(outcome);
        }
    }

    /// The tick in which an input was played is void. The player may know the outcome already, so it is notified until
    /// it knows better.
    pub(crate) fn lose(&mut self, player: u64, (connection, number): (u64, u64)) {
        let seen = self.players.get_mut(&player);
        if let Some(seen) = seen.filter(|seen| seen.connection == connection) {
            if let Err(at) = seen.lost.binary_search(&number) {
                seen.lost.insert(at, number);
            }
            if seen.lost.len() > 2 * MOST_OPEN {
                seen.lost.pop_front();
            }
        }
    }

    /// The inputs of a connection that are lost, of which those up to a number are known.
    fn lost(&self, player: u64, (connection, known): (u64, u64)) -> OutcomesOf {
        let seen = self.players.get(&player).into_iter();
        let lost = seen.filter(|seen| seen.connection == connection);
        let lost = lost
            .flat_map(|seen| &seen.lost)
            .filter(|number| **number > known);
        let outcome = Outcome::Rejected(Reason::Lost);
        lost.map(|number| (connection, *number, outcome)).collect()
    }

    /// What has become of an input, if that is remembered; if it is lost, together with all others that are: a player
    /// that knows of one knows of those before it.
    pub(crate) fn repeat(&self, player: u64, of: (u64, u64)) -> OutcomesOf {
        let open = self.players.get(&player).into_iter();
        let mut open = open.flat_map(|seen| &seen.open);
        let found = open.find(|open| (open.0, open.1) == of);
        let Some(outcome) = found.and_then(|open| open.2) else {
            return Vec::new();
        };
        let mut all = match outcome {
            Outcome::Rejected(Reason::Lost) => self.lost(player, (of.0, 0)),
            _ => Vec::new(),
        };
        if all.iter().all(|other| other.1 != of.1) {
            all.push((of.0, of.1, outcome));
        }
        all
    }

    /// Repeats outcomes, and which inputs of a connection are lost after the last one that is known to be. An input that
    /// is not known, of which the room has read the record, was not admitted.
    pub(crate) fn answer(
        &self,
        (player, pass): (u64, Pass),
        inputs: &[(u64, u64)],
        lost: (u64, u64),
    ) -> OutcomesOf {
        let seen = self.players.get(&player);
        let unknown = self.rejects(player, pass).map(Outcome::Rejected);
        let outcome = |&(connection, number): &(u64, u64)| {
            let rejected = |reason| Some(Outcome::Rejected(reason));
            let outcome = match seen {
                Some(seen) => {
                    let of = (connection, number);
                    let is_it = |open: &&(u64, u64, _)| (open.0, open.1) == of;
                    match seen.open.iter().find(is_it) {
                        Some(open) => open.2,
                        None if connection < seen.connection => rejected(self.older(connection)),
                        None if of > (seen.connection, seen.number) => unknown,
                        None => rejected(Reason::Forgotten),
                    }
                }
                None if connection <= self.forgotten => rejected(Reason::Forgotten),
                None => unknown.or(rejected(Reason::Full)),
            };
            outcome.map(|outcome| (connection, number, outcome))
        };
        let lost = self.lost(player, lost).into_iter();
        lost.chain(inputs.iter().filter_map(outcome)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{AWAY, Input, Outcome, Reason, Roster};
    use crate::core::wire::{Build, Pass};

    fn input(player: u64, connection: u64, number: u64) -> Input {
        Input {
            room: "a".to_owned(),
            player,
            pass: Pass::default(),
            connection,
            number,
            known: 0,
            build: Build::default(),
            bytes: Vec::new(),
        }
    }

    #[test]
    fn players_that_are_away_make_room_for_others() {
        let mut roster = Roster::new(0);
        for player in 0..1_000 {
            let connection = 10 + player;
            let input = input(player, connection, 1);
            assert_eq!(roster.admit(&input, player * AWAY), Ok(()));
            assert_eq!(roster.admit(&input, player * AWAY), Err(None), "repeated");
        }
        assert_eq!(roster.players.len(), 3);
        let late = roster.admit(&input(0, 10, 1), 1_000 * AWAY);
        assert_eq!(
            late,
            Err(Some(Reason::Forgotten)),
            "it would be played twice"
        );
        assert_eq!(roster.admit(&input(0, 2_000, 1), 1_000 * AWAY), Ok(()));
    }

    #[test]
    fn players_that_are_there_are_not_forgotten() {
        let mut roster = Roster::new(0);
        for player in 0..3 {
            assert_eq!(roster.admit(&input(player, 1, 1), AWAY), Ok(()));
        }
        let fourth = roster.admit(&input(3, 1, 1), 2 * AWAY - 1);
        assert_eq!(fourth, Err(Some(Reason::Full)));
        let again = roster.admit(&input(3, 1, 1), 3 * AWAY);
        assert_eq!(again, Err(Some(Reason::Forgotten)), "it was rejected");
    }

    #[test]
    fn an_input_of_an_expired_key_is_rejected_for_that_also_if_an_older_connection_sent_more() {
        let mut roster = Roster::new(0);
        assert_eq!(roster.admit(&input(1, 5, 3), 1), Ok(()));
        roster.tell_time(100);
        let (epoch, until) = (0, 50);
        let pass = Pass { epoch, until };
        let expired = Outcome::Rejected(Reason::Expired);
        assert_eq!(
            roster.answer((1, pass), &[(9, 1)], (9, 0)),
            [(9, 1, expired)]
        );
    }

    #[test]
    fn exactly_those_inputs_are_lost_whose_ticks_are_void() {
        let mut roster = Roster::new(0);
        for number in [2, 3, 8, u64::MAX] {
            assert_eq!(roster.admit(&input(1, 5, number), 1), Ok(()));
        }
        for number in [8, 2, u64::MAX, 8] {
            roster.lose(1, (5, number));
        }
        let lost = |known| -> Vec<u64> {
            let outcomes = roster.answer((1, Pass::default()), &[], (5, known));
            outcomes.iter().map(|it| it.1).collect()
        };
        assert_eq!(
            (lost(0), lost(2)),
            (vec![2, 8, u64::MAX], vec![8, u64::MAX])
        );
        assert_eq!(lost(u64::MAX), [0; 0]);
    }

    #[test]
    fn the_newest_connection_wins() {
        let mut roster = Roster::new(0);
        assert_eq!(roster.admit(&input(1, 5, 1), 1), Ok(()));
        assert_eq!(roster.admit(&input(1, 9, 1), 1), Ok(()));
        roster.settle(1, (5, 1), Outcome::Played { tick: 2 });
        assert_eq!(roster.admit(&input(1, 5, 1), 2), Err(None), "it was played");
        assert_eq!(
            roster.admit(&input(1, 5, 2), 2),
            Err(Some(Reason::TakenOver))
        );
        let outcomes = roster.answer(
            (1, Pass::default()),
            &[(5, 1), (5, 2), (9, 1), (9, 2)],
            (9, 0),
        );
        let taken_over = Outcome::Rejected(Reason::TakenOver);
        assert_eq!(
            outcomes,
            [(5, 1, Outcome::Played { tick: 2 }), (5, 2, taken_over)]
        );
        let last = Input {
            known: 1,
            ..input(1, 9, 2)
        };
        assert_eq!(roster.admit(&last, 3), Ok(()));
        let forgotten = (9, 1, Outcome::Rejected(Reason::Forgotten));
        let outcomes = roster.answer((1, Pass::default()), &[(9, 1)], (9, 0));
        assert_eq!(outcomes, [forgotten], "its outcome was known");
    }
}
