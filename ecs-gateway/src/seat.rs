//! The seat of a user in a room: sends inputs, and keeps their outcomes for the connection, or the next one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime};

use ecs_rooms::{Error, Game, Later, Outcome, Player, PlayerKey, Reason, Session, Store};
use tokio::sync::Notify;

use crate::end::End;
use crate::gateway::lock;
use crate::hooks::User;
use crate::messages::Join;

/// How many times as many outcomes as open inputs may wait for a client that acknowledges nothing.
const UNREAD: usize = 4;

/// An input is accepted once, by its number, whichever connection of the user sends it.
pub(crate) struct Seat<G: Game> {
    pub(crate) room: String,
    pub(crate) connection: u64,
    player: Player<Session<G>>,
    /// Inputs are passed on one after the other.
    passing: Mutex<()>,
    pub(crate) report: Arc<Report>,
    pub(crate) made: Instant,
}

/// What is known of the inputs of a seat.
#[derive(Default)]
pub(crate) struct Report {
    state: Mutex<State>,
    /// There are outcomes.
    pub(crate) changed: Notify,
}

#[derive(Default)]
struct State {
    /// The number of the last input.
    last: u64,
    /// The last one that the client has sent to any gateway before. Some of those up to it do not come again.
    before: u64,
    open: BTreeSet<u64>,
    /// The connection that gets outcomes.
    reader: u64,
    /// What was not sent to it.
    outcomes: VecDeque<(u64, Outcome)>,
    /// In how many messages it got some.
    messages: u64,
    /// What was sent, and perhaps did not arrive: with the number of the message.
    sent: VecDeque<(u64, u64, Outcome)>,
    /// The ticks of inputs after those that were shown.
    played: BTreeMap<u64, u64>,
    /// Up to which number the effects of inputs were shown; 0 if of none that this gateway has got.
    shown: u64,
}

impl<G: Game> Seat<G> {
    /// Blocks while the store answers. The seat is to be used once its connection has [begun](Self::connect).
    pub(crate) fn new(
        store: Arc<dyn Store>,
        secret: &[u8; 32],
        join: &Join,
        user: User,
        expires: SystemTime,
    ) -> Result<Self, Error> {
        let (room, connection) = (join.room.clone(), join.connection);
        let key = PlayerKey::session(secret, &room, user.number, user.epoch, expires);
        let player = Player::new(store, &room, user.number, key)?;
        let report = Arc::new(Report::default());
        let reports = report.clone();
        player.on_outcome(move |number, outcome| reports.add(number, outcome));
        let seat = Self {
            room,
            connection,
            player,
            passing: Mutex::default(),
            report,
            made: Instant::now(),
        };
        seat.resume(join);
        Ok(seat)
    }

    /// Goes on where a client says.
    pub(crate) fn resume(&self, join: &Join) {
        self.player.resume(self.connection, join.known, join.sent);
        let mut state = lock(&self.report.state);
        state.last = state.last.max(join.known);
        state.before = state.before.max(join.sent);
    }

    /// Begins the connection: the player joins the room, or again if it was elsewhere meanwhile.
    pub(crate) fn connect(&self) -> Later<u64> {
        self.player.connect()
    }

    /// Passes an input on. Returns `false` if that was done before.
    pub(crate) fn input(&self, number: u64, bytes: &[u8], most: usize) -> Result<bool, End> {
        let _passing = lock(&self.passing);
        let mut state = lock(&self.report.state);
        if number <= state.last {
            return Ok(false);
        }
        let next = state.last.max(state.before).saturating_add(1);
        if number > next {
            return Err(End::malformed(format!("input {number} instead of {next}")));
        }
        let unread = state.outcomes.len() + state.sent.len();
        if state.open.len() >= most || unread >= UNREAD * most {
            return Err(End::TooManyInputs);
        }
        let input = ecs_rooms::read_input::<G::Input>(bytes);
        let input = input.ok_or_else(|| End::malformed("the bytes are no input of the game"))?;
        state.last = number;
        state.open.insert(number);
        drop(state); // sending may report an outcome
        match self.player.send_as(number, &input) {
            Ok(()) => Ok(true),
            Err(Error::Rejected { reason, .. }) => {
                self.report.add(number, Outcome::Rejected(reason));
                Ok(true)
            }
            Err(_) => Err(End::TooManyInputs),
        }
    }

    /// A connection of the client has got so many messages with outcomes.
    pub(crate) fn acknowledge(&self, connection: u64, heard: u64) {
        let known = self.report.acknowledge(connection, heard);
        self.player.know(known);
    }
}

impl Report {
    fn add(&self, number: u64, outcome: Outcome) {
        let mut state = lock(&self.state);
        state.outcomes.push_back((number, outcome));
        if state.open.remove(&number) {
            let tick = match outcome {
                Outcome::Played { tick } => tick,
                Outcome::Rejected(_) => 0, // each tick is without it
            };
            state.played.insert(number, tick);
        }
        drop(state);
        self.changed.notify_one();
    }

    /// The number of the last input.
    pub(crate) fn last(&self) -> u64 {
        lock(&self.state).last
    }

    pub(crate) fn has_open(&self) -> bool {
        let state = lock(&self.state);
        !state.open.is_empty()
    }

    /// Another connection gets outcomes, first those that perhaps did not arrive.
    pub(crate) fn begin(&self, connection: u64) {
        let state = &mut *lock(&self.state);
        (state.reader, state.messages) = (connection, 0);
        for (_, number, outcome) in state.sent.drain(..).rev() {
            state.outcomes.push_front((number, outcome));
        }
    }

    /// Takes what a connection is to send, and why no more inputs are accepted.
    pub(crate) fn take(&self, connection: u64) -> (Vec<(u64, Outcome)>, Option<Reason>) {
        let state = &mut *lock(&self.state);
        if state.reader != connection {
            return (Vec::new(), None);
        }
        let mut outcomes: Vec<_> = state.outcomes.drain(..).collect();
        let over = outcomes.iter().find_map(|(_, outcome)| match outcome {
            Outcome::Rejected(reason) if ends(*reason) => Some(*reason),
            _ => None,
        });
        // The room does not know whether it has played these before.
        let is_known = |outcome: &Outcome| {
            !matches!(
                outcome,
                Outcome::Rejected(Reason::Forgotten | Reason::NoRoom)
            )
        };
        outcomes.retain(|(_, outcome)| is_known(outcome));
        state.messages += u64::from(!outcomes.is_empty());
        let sent = outcomes.iter().map(|of| (state.messages, of.0, of.1));
        state.sent.extend(sent);
        (outcomes, over)
    }

    /// A connection has got so many messages with outcomes. Returns up to which number the client knows all outcomes.
    fn acknowledge(&self, connection: u64, heard: u64) -> u64 {
        let state = &mut *lock(&self.state);
        let has_arrived = |message: u64| state.reader == connection && message <= heard;
        while state.sent.front().is_some_and(|of| has_arrived(of.0)) {
            state.sent.pop_front();
        }
        let sent = state.sent.iter().map(|of| of.1);
        let outcomes = state.outcomes.iter().map(|of| of.0);
        let unknown = state.open.first().copied().into_iter();
        let first = unknown.chain(sent).chain(outcomes).min();
        first.map_or(state.last, |first| first - 1)
    }

    /// The last input whose effects are in the state after a tick, as those of all before it.
    pub(crate) fn shown(&self, tick: u64) -> u64 {
        let state = &mut *lock(&self.state);
        let open = state.open.first().copied().unwrap_or(u64::MAX);
        while let Some(first) = state.played.first_entry()
            && *first.key() < open
            && *first.get() <= tick
        {
            state.shown = *first.key();
            first.remove();
        }
        state.shown
    }
}

/// Whether no more inputs are accepted after one that was rejected for this.
fn ends(reason: Reason) -> bool {
    let of_player = matches!(
        reason,
        Reason::TakenOver | Reason::Expired | Reason::Revoked
    );
    of_player || matches!(reason, Reason::Forgotten) || is_of_room(reason)
}

/// Whether the player has to leave the room then.
pub(crate) fn is_of_room(reason: Reason) -> bool {
    matches!(reason, Reason::NoRoom | Reason::Closed | Reason::Full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_shown_in_order_of_their_numbers_and_with_their_ticks() {
        let report = Report::default();
        lock(&report.state).open.extend([1, 2, 3, 4]);
        report.add(1, Outcome::Played { tick: 5 });
        report.add(3, Outcome::Rejected(Reason::TooMany));
        assert_eq!((report.shown(4), report.shown(5)), (0, 1));
        report.add(2, Outcome::Played { tick: 6 });
        assert_eq!((report.shown(5), report.shown(6)), (1, 3));
        report.add(2, Outcome::Rejected(Reason::Lost)); // later
        report.add(4, Outcome::Played { tick: 6 });
        assert_eq!(report.shown(6), 4);
        assert_eq!(report.take(0).0.len(), 5);
    }

    #[test]
    fn outcomes_are_sent_until_the_client_has_got_them() {
        let report = Report::default();
        let numbers = |connection| -> Vec<u64> {
            let outcomes = report.take(connection).0.into_iter();
            outcomes.map(|(number, _)| number).collect()
        };
        report.begin(7);
        let played = Outcome::Played { tick: 5 };
        (1..=2).for_each(|number| report.add(number, played));
        assert_eq!((numbers(7), numbers(7)), (vec![1, 2], vec![]));
        report.add(3, played);
        assert_eq!(numbers(7), [3]);
        report.acknowledge(7, 1);
        report.add(4, played);
        report.begin(8);
        assert_eq!(numbers(7), [0; 0], "another connection gets them");
        assert_eq!(numbers(8), [3, 4]);
        report.add(5, played);
        assert_eq!(numbers(8), [5]);
        report.acknowledge(7, 10);
        report.acknowledge(8, 1);
        report.begin(9);
        assert_eq!(numbers(9), [5]);
    }
}
