//! What a player has sent, until the outcome of each input is known.
//!
//! ```text
//! waiting ──append──► stored ──owner plays or rejects it──► outcome
//!                        └── asks again if nothing is heard
//! ```

use std::collections::{BTreeSet, VecDeque};

use super::roster::{MOST_OPEN, Outcome, Reason};
use super::wire::{self, Ask, Build, Entry, Input, OutcomesOf, PlayerKey};
use crate::error::Error;

/// The most inputs that wait, and the most bytes of one.
const MOST_WAITING: usize = 1_024;
const MOST_BYTES: usize = 65_536;
/// How many times it could ask until it asks whether inputs are lost.
const LOOKS: u32 = 16;

pub(crate) struct Outbox {
    room: String,
    player: u64,
    key: PlayerKey,
    build: Build,
    pub(crate) log: String,
    /// The number of the record that began it; 0 if there is none yet.
    connection: u64,
    /// The number of the last input.
    number: u64,
    waiting: VecDeque<(u64, Vec<u8>)>,
    /// Inputs in the log without an outcome: the connection and the number.
    stored: BTreeSet<(u64, u64)>,
    /// The last of their records.
    record: u64,
    /// What is being appended: the connection and the number of an input, or zeros for the begin of one.
    in_flight: Option<(u64, u64)>,
    /// The last input that was ever appended: the connection and the number. It may be in the log, so no other
    /// connection sends it.
    tried: (u64, u64),
    /// Why nothing is sent any more.
    over: Option<Reason>,
    /// Played inputs that are lost.
    lost: BTreeSet<u64>,
    /// How many times it could have asked.
    looks: u32,
    /// Outcomes to be passed on.
    pub(crate) outcomes: Vec<(u64, Outcome)>,
}

impl Outbox {
    pub(crate) fn new(room: &str, player: u64, key: PlayerKey, build: Build, log: String) -> Self {
        Self {
            room: room.to_owned(),
            player,
            key,
            build,
            log,
            connection: 0,
            number: 0,
            waiting: VecDeque::new(),
            stored: BTreeSet::new(),
            record: 0,
            in_flight: None,
            tried: (0, 0),
            over: None,
            lost: BTreeSet::new(),
            looks: 0,
            outcomes: Vec::new(),
        }
    }

    pub(crate) fn name(&self) -> String {
        format!("Player({:?}, {})", self.room, self.player)
    }

    /// How many inputs have no outcome yet.
    pub(crate) fn open(&self) -> usize {
        self.waiting.len() + self.stored.len()
    }

    /// Takes an input. Returns its number.
    pub(crate) fn push(&mut self, bytes: Vec<u8>) -> Result<u64, Error> {
        let (size, waiting) = (bytes.len(), self.waiting.len());
        let number = self.number + 1;
        if let Some(reason) = self.over {
            return Err(Error::Rejected { number, reason });
        }
        if waiting >= MOST_WAITING || size > MOST_BYTES {
            let limit = format!("an input of {size} bytes, while {waiting} wait");
            return Err(Error::Limit(limit));
        }
        self.number = number;
        self.waiting.push_back((number, bytes));
        Ok(number)
    }

    /// The record that is to be appended next: the same again until it is known to be in the log.
    pub(crate) fn next(&mut self) -> Option<Vec<u8>> {
        let (number, bytes) = self.waiting.front()?;
        if self.in_flight.is_some() || self.stored.len() >= MOST_OPEN {
            return None;
        }
        let (room, player, pass) = (self.room.clone(), self.player, self.key.pass);
        let first = self.stored.first();
        let is_tried = self.tried.1 == *number;
        let entry = if self.connection == 0 && !is_tried {
            self.in_flight = Some((0, 0));
            self.there(true)
        } else {
            if !is_tried {
                self.tried = (self.connection, *number);
            }
            self.in_flight = Some(self.tried);
            Entry::Input(Input {
                room,
                player,
                pass,
                connection: self.tried.0,
                number: *number,
                known: first.map_or(*number, |(_, first)| *first) - 1,
                build: self.build,
                bytes: bytes.clone(),
            })
        };
        Some(wire::seal(&self.key.seal, &self.log, &entry))
    }

    /// Takes the outcome of appending. Returns whether it succeeded.
    pub(crate) fn appended(&mut self, outcome: &Result<u64, Error>) -> bool {
        let of = self.in_flight.take();
        let (Some((connection, number)), Ok(record)) = (of, outcome) else {
            return false;
        };
        let first = self.waiting.front();
        if connection == 0 {
            self.connection = *record;
            self.lost.clear();
        } else if first.is_some_and(|first| first.0 == number) {
            self.waiting.pop_front(); // unless its outcome came first
            self.stored.insert((connection, number));
        }
        self.record = self.record.max(*record);
        true
    }

    /// Takes what the owner has notified.
    pub(crate) fn hear(&mut self, topic: &str, bytes: &[u8]) {
        let outcomes: Option<OutcomesOf> = wire::unseal(&self.key.outcomes, topic, bytes);
        for (connection, number, outcome) in outcomes.unwrap_or_default() {
            let is_first = self.waiting.front().is_some_and(|first| first.0 == number);
            let is_waiting = is_first && (connection, number) == self.tried;
            if is_waiting {
                self.waiting.pop_front(); // the outcome of appending it comes later, or not at all
            }
            let is_lost = outcome == Outcome::Rejected(Reason::Lost);
            let is_lost = is_lost && connection == self.connection && self.lost.insert(number);
            if self.stored.remove(&(connection, number)) || is_waiting || is_lost {
                self.outcomes.push((number, outcome));
                self.end(outcome, connection);
            } else if matches!(outcome, Outcome::Played { .. })
                && connection > self.connection
                && self.connection > 0
            {
                self.end_for(Reason::TakenOver);
            }
        }
    }

    /// Some outcomes end a connection.
    fn end(&mut self, outcome: Outcome, connection: u64) {
        match outcome {
            _ if connection != self.connection => {}
            Outcome::Rejected(reason @ (Reason::TakenOver | Reason::Expired | Reason::Revoked)) => {
                self.end_for(reason)
            }
            // A room that is opened later does not know this connection.
            Outcome::Rejected(Reason::Forgotten | Reason::NoRoom | Reason::Closed) => {
                self.connection = 0;
            }
            _ => {}
        }
    }

    /// Nothing is sent any more: what was never sent is rejected.
    fn end_for(&mut self, reason: Reason) {
        self.over = Some(reason);
        let first = self.waiting.front();
        let is_tried = first.is_some_and(|first| first.0 == self.tried.1);
        let never_sent = self.waiting.drain(usize::from(is_tried)..);
        let rejected = Outcome::Rejected(reason);
        self.outcomes
            .extend(never_sent.map(|(number, _)| (number, rejected)));
    }

    /// The record that the program is still there, or ends, if the room may know of it.
    pub(crate) fn presence(&self, is_there: bool) -> Option<Vec<u8>> {
        (self.connection > 0).then(|| wire::seal(&self.key.seal, &self.log, &self.there(is_there)))
    }

    fn there(&self, is_there: bool) -> Entry {
        Entry::Presence {
            room: self.room.clone(),
            player: self.player,
            pass: self.key.pass,
            connection: self.connection,
            is_there,
        }
    }

    /// What the owner is asked over a topic: the outcomes of open inputs unless something was heard lately, and now and
    /// then whether an input that was played is lost.
    pub(crate) fn ask(&mut self, topic: &str, is_active: bool) -> Option<Vec<u8>> {
        self.looks += 1;
        let is_due = self.connection > 0 && self.looks.is_multiple_of(LOOKS);
        let ask = Ask::Outcomes {
            room: self.room.clone(),
            player: self.player,
            pass: self.key.pass,
            record: self.record,
            inputs: self.stored.iter().copied().collect(),
            lost: (self.connection, self.lost.last().copied().unwrap_or(0)),
        };
        let is_needed = is_due || !is_active && !self.stored.is_empty();
        is_needed.then(|| wire::seal(&self.key.seal, topic, &ask))
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::wire::{self, Ask, Build, Entry, OutcomesOf, PlayerKey};
    use super::{Error, Outbox, Outcome};

    const KEY: [u8; 32] = [7; 32];

    fn outbox() -> Outbox {
        let expires = UNIX_EPOCH + Duration::from_secs(1_000);
        let key = PlayerKey::session(&KEY, "a", 1, 1, expires);
        Outbox::new("a", 1, key, Build::default(), wire::log_name(0))
    }

    fn next(outbox: &mut Outbox) -> Option<Entry> {
        let bytes = outbox.next()?;
        wire::read_entry(&KEY, &wire::log_name(0), &bytes)
    }

    fn hear(outbox: &mut Outbox, outcome: (u64, u64, Outcome)) {
        let topic = wire::outcomes_name("a", 1);
        let outcomes: OutcomesOf = vec![outcome];
        let bytes = wire::seal(&outbox.key.outcomes, &topic, &outcomes);
        outbox.hear(&topic, &bytes);
    }

    /// Its record may come later, so that what the room has read does not say that the input is not played.
    #[test]
    fn an_input_that_may_be_in_the_log_is_asked_for_when_it_is_there_also_after_its_connection() {
        let mut outbox = outbox();
        outbox.push(vec![1]).unwrap();
        outbox.push(vec![2]).unwrap();
        assert!(matches!(next(&mut outbox), Some(Entry::Presence { .. })));
        outbox.appended(&Ok(5));
        assert!(matches!(next(&mut outbox), Some(Entry::Input(_))));
        outbox.appended(&Err(Error::Unknown("timeout".to_owned())));
        hear(&mut outbox, (9, 1, Outcome::Played { tick: 3 }));
        assert_eq!(outbox.outcomes.len(), 1, "the second was never sent");

        let asked = |outbox: &mut Outbox| {
            let bytes = outbox.ask("ask", false)?;
            match wire::read_ask(&KEY, "ask", &bytes) {
                Some(Ask::Outcomes { record, inputs, .. }) => Some((record, inputs)),
                ask => panic!("{ask:?}"),
            }
        };
        assert_eq!(asked(&mut outbox), None);
        let Some(Entry::Input(again)) = next(&mut outbox) else {
            panic!("it is sent until it is known to be in the log");
        };
        assert_eq!((again.connection, again.number), (5, 1));
        outbox.appended(&Ok(8));
        assert_eq!(asked(&mut outbox), Some((8, vec![(5, 1)])));
        assert!(next(&mut outbox).is_none());
    }
}
