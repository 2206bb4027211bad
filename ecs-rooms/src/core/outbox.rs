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
    /// The record in which this program has said that it is there; 0 if there is none yet.
    began: u64,
    /// The connection of its inputs: the record that began it, which may be of another program; 0 if there is none yet.
    connection: u64,
    /// Whether it begins before there is an input.
    begins: bool,
    /// The number of the last input.
    number: u64,
    /// Of a connection that continues: up to which number the sender knows all outcomes. It never becomes another one.
    known: Option<u64>,
    /// Up to which number another program may have appended inputs.
    sent: u64,
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
    /// The first input without an outcome at the last look.
    stuck: Option<(u64, u64)>,
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
            began: 0,
            connection: 0,
            begins: false,
            number: 0,
            known: None,
            sent: 0,
            waiting: VecDeque::new(),
            stored: BTreeSet::new(),
            record: 0,
            in_flight: None,
            tried: (0, 0),
            over: None,
            lost: BTreeSet::new(),
            looks: 0,
            stuck: None,
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

    /// Continues a connection (0: a new one) after an input, up to which all outcomes are known. Inputs up to `sent` may
    /// be in the log. The sender may come back, and say so again.
    pub(crate) fn resume(&mut self, connection: u64, known: u64, sent: u64) {
        if self.connection == 0 {
            self.connection = connection;
        }
        (self.number, self.sent) = (self.number.max(known), self.sent.max(sent));
        self.know(known);
    }

    /// The sender knows all outcomes up to this number.
    pub(crate) fn know(&mut self, number: u64) {
        self.known = self.known.max(Some(number));
    }

    /// Begins before there is an input; or again, because its player was elsewhere meanwhile.
    pub(crate) fn begin(&mut self) {
        self.begins = true;
    }

    /// The connection of its inputs, and whether this program has begun.
    pub(crate) fn connection(&self) -> (u64, bool) {
        (self.connection, self.began > 0 && !self.begins)
    }

    /// The number of the next input.
    pub(crate) fn following(&self) -> u64 {
        self.number.max(self.sent).saturating_add(1)
    }

    /// Whether there are inputs that are not in the log.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Takes an input with a number that is greater than the ones before.
    pub(crate) fn push(&mut self, number: u64, bytes: Vec<u8>) -> Result<(), Error> {
        let (size, waiting) = (bytes.len(), self.waiting.len());
        if let Some(reason) = self.over.filter(|_| number > self.sent) {
            return Err(Error::Rejected { number, reason });
        }
        if waiting >= MOST_WAITING || size > MOST_BYTES {
            let limit = format!("an input of {size} bytes, while {waiting} wait");
            return Err(Error::Limit(limit));
        }
        if number <= self.number {
            let last = self.number;
            return Err(Error::Limit(format!("input {number} after input {last}")));
        }
        self.number = number;
        self.waiting.push_back((number, bytes));
        Ok(())
    }

    /// The record that is to be appended next: the same again until it is known to be in the log.
    pub(crate) fn next(&mut self) -> Option<Vec<u8>> {
        if self.in_flight.is_some() || self.stored.len() >= MOST_OPEN {
            return None;
        }
        let front = self.waiting.front();
        let is_tried = front.is_some_and(|(number, _)| self.tried.1 == *number);
        let begins = self.begins || self.began == 0 && front.is_some() && !is_tried;
        let entry = if begins {
            self.in_flight = Some((0, 0));
            self.there(0, true)
        } else {
            let (number, bytes) = front?;
            let (room, player, pass) = (self.room.clone(), self.player, self.key.pass);
            let first = self.stored.first();
            let known = first.map_or(*number, |(_, first)| *first) - 1;
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
                known: self.known.unwrap_or(known),
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
            (self.began, self.begins) = (*record, false);
            if self.connection == 0 {
                self.connection = *record;
                self.lost.clear();
            }
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
            let of_other = connection == self.connection && number <= self.sent;
            let is_sent = of_other || (connection, number) == self.tried;
            let at = self
                .waiting
                .binary_search_by_key(&number, |waiting| waiting.0);
            // The outcome of appending it comes later, or not at all.
            let waiting = at
                .ok()
                .filter(|_| is_sent)
                .and_then(|at| self.waiting.remove(at));
            let is_waiting = waiting.is_some();
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
            Outcome::Rejected(reason) if connection == self.connection => match reason {
                Reason::TakenOver | Reason::Expired | Reason::Revoked => self.end_for(reason),
                // A room that is opened later does not know this connection.
                Reason::Forgotten | Reason::Full | Reason::NoRoom | Reason::Closed => {
                    match self.known {
                        Some(_) => self.end_for(reason),
                        None => (self.began, self.connection) = (0, 0),
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// Nothing is sent any more: what was never sent is rejected.
    fn end_for(&mut self, reason: Reason) {
        self.over = Some(reason);
        let sent = self.sent.max(self.tried.1);
        let tried = self.waiting.partition_point(|(number, _)| *number <= sent);
        let never_sent = self.waiting.drain(tried..);
        let rejected = Outcome::Rejected(reason);
        self.outcomes
            .extend(never_sent.map(|(number, _)| (number, rejected)));
    }

    /// The record that the program is still there, or ends, if the room may know of it.
    pub(crate) fn presence(&self, is_there: bool) -> Option<Vec<u8>> {
        let there = || self.there(self.began, is_there);
        (self.began > 0).then(|| wire::seal(&self.key.seal, &self.log, &there()))
    }

    fn there(&self, connection: u64, is_there: bool) -> Entry {
        Entry::Presence {
            room: self.room.clone(),
            player: self.player,
            pass: self.key.pass,
            connection,
            is_there,
        }
    }

    /// What the owner is asked over a topic at a look: the outcomes of open inputs, unless something was heard since the
    /// last look and the first of them is new; and now and then whether an input that was played is lost.
    pub(crate) fn ask(&mut self, topic: &str, is_active: bool) -> Option<Vec<u8>> {
        self.looks += 1;
        let is_due = self.connection > 0 && self.looks.is_multiple_of(LOOKS);
        let first = self.stored.first().copied();
        let is_stuck = first.is_some() && first == std::mem::replace(&mut self.stuck, first);
        let is_needed = is_due || is_stuck || !is_active && !self.stored.is_empty();
        let ask = Ask::Outcomes {
            room: self.room.clone(),
            player: self.player,
            pass: self.key.pass,
            record: self.record,
            inputs: self.stored.iter().copied().collect(),
            lost: (self.connection, self.lost.last().copied().unwrap_or(0)),
        };
        is_needed.then(|| wire::seal(&self.key.seal, topic, &ask))
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::wire::{self, Ask, Build, Entry, OutcomesOf, PlayerKey};
    use super::{Error, Outbox, Outcome, Reason};

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

    #[test]
    fn what_another_gateway_has_sent_has_its_outcome_also_before_it_is_sent_again() {
        let mut outbox = outbox();
        outbox.resume(5, 2, 4);
        for number in [3, 4, 5] {
            outbox.push(number, vec![0]).unwrap();
        }
        hear(&mut outbox, (5, 4, Outcome::Played { tick: 6 }));
        assert_eq!(outbox.outcomes, [(4, Outcome::Played { tick: 6 })]);
        hear(&mut outbox, (9, 1, Outcome::Played { tick: 7 }));
        let taken_over = Outcome::Rejected(Reason::TakenOver);
        assert_eq!(outbox.outcomes[1..], [(5, taken_over)], "it was never sent");
        assert!(matches!(next(&mut outbox), Some(Entry::Presence { .. })));
        outbox.appended(&Ok(8));
        let Some(Entry::Input(input)) = next(&mut outbox) else {
            panic!("the first one may not be in the log");
        };
        assert_eq!((input.connection, input.number, input.known), (5, 3, 2));
    }

    /// Its record may come later, so that what the room has read does not say that the input is not played.
    #[test]
    fn an_input_that_may_be_in_the_log_is_asked_for_when_it_is_there_also_after_its_connection() {
        let mut outbox = outbox();
        outbox.push(1, vec![1]).unwrap();
        outbox.push(2, vec![2]).unwrap();
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
