//! Plays a log in the most obvious way.

use std::collections::{BTreeMap, BTreeSet};

use super::engine::Log;
use super::room::{Tally, play_as};
use super::world::{KEY, ROOMS};
use crate::client::shielded;
use crate::core::presence::GONE;
use crate::core::roster::Reason;
use crate::core::wire::{self, BROKEN, Entry, Input, Mark, PAUSED, Pass};
use crate::room::{Opening, Room, Turn};
use crate::store::Record;

/// After how many ticks each player has asked three times whether inputs are lost.
const UNTOLD: u64 = 144;

/// When the first keys of players expire.
pub(crate) const FIRST_EXPIRY: u64 = 500;

#[derive(Default)]
pub(crate) struct Reference {
    pub(crate) rooms: BTreeMap<String, Played>,
    /// Of each room, by the record that opened it, the checksum after each tick.
    pub(crate) sums: BTreeMap<(u64, u64, u32), u64>,
    pub(crate) closed: BTreeSet<String>,
    /// Of rooms that have ended themselves, by the record that opened them: the result.
    pub(crate) results: BTreeMap<u64, Vec<u8>>,
    /// Inputs that were played in ticks that are void: the record that opened the room, and the tick before which
    /// it was resumed.
    pub(crate) lost: BTreeMap<u64, (u64, u64)>,
    /// After which ticks rooms were closed, by the record that opened them.
    ends: BTreeMap<u64, u64>,
    /// Inputs that came again.
    pub(crate) repeated: u64,
    /// The inputs in the log.
    inputs: BTreeMap<u64, Logged>,
    /// Why inputs of a player of a room were rejected: those that are not in the log, too.
    of_players: BTreeMap<(String, u64), Vec<Reason>>,
    /// Of each room the last mark after which there was none, and the last record that opened one.
    absent: BTreeMap<String, u64>,
    opened: BTreeMap<String, u64>,
    /// Rooms that have panicked.
    broken: BTreeSet<String>,
    /// All inputs that were played, in order, with their ticks.
    pub(crate) played: Vec<(u64, u64)>,
    pub(crate) tick: u64,
    epoch: u64,
    owners: BTreeMap<u64, String>,
}

/// An input in the log.
struct Logged {
    player: u64,
    pass: Pass,
    connection: u64,
    /// Whether it waited for a tick.
    is_admitted: bool,
    /// Why it may be rejected.
    reasons: Vec<Reason>,
}

impl Logged {
    fn new(player: u64, pass: Pass, connection: u64) -> Self {
        Self {
            player,
            pass,
            connection,
            is_admitted: false,
            reasons: Vec::new(),
        }
    }
}

pub(crate) struct Played {
    pub(crate) opened: u64,
    /// Whether it has panicked.
    is_broken: bool,
    pub(crate) room: Tally,
    /// With the version of each.
    inputs: Vec<(u32, (u64, u64))>,
    /// Inputs that were not admitted.
    denied: Vec<u64>,
    /// Inputs of each tick.
    ticked: Vec<(u64, u64)>,
    /// What it was after each mark.
    past: BTreeMap<u64, Past>,
    /// Of each player the connection and the number of the last input.
    last: BTreeMap<u64, (u64, u64)>,
    /// The latest time of a mark, and the first good epoch of players whose keys were revoked.
    now: u64,
    revoked: BTreeMap<u64, u64>,
    /// Who is there: the latest connection, and when something was heard.
    there: BTreeMap<u64, (u64, u64)>,
    changes: Vec<(u64, bool)>,
    /// Who has left lately: the connection that has ended, and when.
    left: BTreeMap<u64, (u64, u64)>,
    /// What was heard, with the number of the record and the tick.
    heard: Vec<Heard>,
}

type Heard = (u64, u64, u64, (u64, bool));

/// What a room was after a mark.
#[derive(Clone)]
struct Past {
    room: Tally,
    tick: u64,
    there: BTreeMap<u64, (u64, u64)>,
    left: BTreeMap<u64, (u64, u64)>,
}

impl Reference {
    pub(crate) fn play(shard: u32, log: &Log) -> Result<Self, String> {
        let (mut reference, mut entries) = (Self::default(), Vec::new());
        for record in &log.records {
            match record.is_mark {
                true => reference.mark(shard, record, std::mem::take(&mut entries))?,
                false => entries.push(record),
            }
        }
        Ok(reference)
    }

    fn entry(&mut self, shard: u32, record: &Record) {
        match wire::read_entry(&KEY, &wire::log_name(shard), &record.bytes) {
            None | Some(Entry::Mark(_)) => {}
            Some(Entry::Open { room, opening }) => {
                let number = record.number;
                if !self.rooms.contains_key(&room) {
                    self.absent.insert(room.clone(), number);
                    self.opened.insert(room.clone(), number);
                    self.rooms.insert(room, Played::new(number, &opening));
                }
            }
            Some(Entry::Close { room }) => {
                self.close(&room);
                self.absent.insert(room.clone(), record.number);
                self.closed.insert(room);
            }
            Some(Entry::Presence {
                room,
                player,
                pass,
                connection,
                is_there,
            }) => {
                let known = (connection > 0).then_some(connection);
                let connection = known.unwrap_or(record.number);
                self.presence(record.number, &room, (player, pass), (connection, is_there));
            }
            Some(Entry::Input(input)) => {
                let (room, connection) = (input.room.clone(), input.connection);
                let of = (input.player, input.pass);
                if self.input(input) {
                    self.presence(record.number, &room, of, (connection, true));
                }
            }
            Some(Entry::Revoke {
                room,
                player,
                epoch,
            }) => self.revoke(record.number, &room, (player, epoch)),
        }
    }

    fn close(&mut self, room: &str) -> Option<Played> {
        let played = self.rooms.remove(room)?;
        for (_, (_, input)) in &played.inputs {
            self.reject(room, *input, Reason::Closed);
        }
        self.ends.insert(played.opened, self.tick);
        Some(played)
    }

    /// Whether the room of a lost input was closed before its player had asked.
    pub(crate) fn is_untold(&self, input: u64) -> bool {
        let (opened, resumed) = self.lost[&input];
        let end = self.ends.get(&opened);
        end.is_some_and(|end| *end < resumed + UNTOLD)
    }

    fn revoke(&mut self, at: u64, room: &str, (player, epoch): (u64, u64)) {
        let heard = (at, self.tick, player, (at, false));
        if let Some(played) = self.rooms.get_mut(room) {
            played.hear(heard);
            played.heard.push(heard);
            let first = played.revoked.entry(player).or_default();
            *first = (epoch + 1).max(*first);
        }
    }

    /// A player is there, or has left.
    fn presence(&mut self, at: u64, room: &str, (player, pass): (u64, Pass), of: (u64, bool)) {
        let heard = (at, self.tick, player, of);
        if let Some(played) = self.rooms.get_mut(room)
            && played.accepts(player, pass)
        {
            played.hear(heard);
            played.heard.push(heard);
        }
    }

    /// Returns whether it waits for a tick.
    fn input(&mut self, input: Input) -> bool {
        let read: Option<u64> = wire::read(&input.bytes);
        let (of, version) = ((input.connection, input.number), input.build.version);
        let (name, player) = (input.room, input.player);
        let (pass, connection) = (input.pass, input.connection);
        let input = read.expect("players send inputs of the game");
        let logged = Logged::new(player, pass, connection);
        self.inputs.entry(input).or_insert(logged);
        let Some(played) = self.rooms.get_mut(&name) else {
            self.reject(&name, input, Reason::NoRoom);
            return false;
        };
        let denied = played.denies(player, pass);
        let first = (played.opened, u64::MAX);
        let last = played.last.entry(player).or_insert(first);
        let before = *last;
        if of <= before {
            self.repeated += 1;
            if connection <= played.opened {
                self.reject(&name, input, Reason::Forgotten);
            } else if connection < before.0 {
                let reasons = denied.into_iter().chain([Reason::TakenOver]);
                reasons.for_each(|reason| self.reject(&name, input, reason));
            }
            return false;
        }
        if let Some(reason) = denied {
            played.denied.push(input);
            self.reject(&name, input, reason);
            return false;
        }
        *last = of;
        played.inputs.push((version, (player, input)));
        let logged = self.inputs.entry(input);
        logged.and_modify(|logged| logged.is_admitted = true);
        if before != first && connection > before.0 {
            let reasons = self.of_players.entry((name, player)).or_default();
            reasons.push(Reason::TakenOver);
        }
        true
    }

    fn reject(&mut self, room: &str, input: u64, reason: Reason) {
        if let Some(logged) = self.inputs.get_mut(&input)
            && !logged.reasons.contains(&reason)
        {
            logged.reasons.push(reason);
            let of_player = (room.to_owned(), logged.player);
            self.of_players.entry(of_player).or_default().push(reason);
        }
    }

    /// What was not admitted gets an answer later, with the reason of that time.
    fn deny_again(&mut self, name: &str) {
        let Some(played) = self.rooms.get(name) else {
            return;
        };
        let mut rejected = Vec::new();
        for input in &played.denied {
            let Logged {
                player,
                pass,
                connection,
                ..
            } = self.inputs[input];
            let last = played.last.get(&player);
            let is_older = last.is_some_and(|last| last.0 > connection);
            let older = is_older.then_some(Reason::TakenOver);
            let reasons = played.denies(player, pass).into_iter().chain(older);
            rejected.extend(reasons.map(|reason| (*input, reason)));
        }
        for (input, reason) in rejected {
            self.reject(name, input, reason);
        }
    }

    /// Whether the log says why an input of a player may be rejected.
    pub(crate) fn justifies(&self, room: &str, player: u64, input: u64, reason: Reason) -> bool {
        let logged = self.inputs.get(&input);
        if logged.is_some_and(|logged| logged.reasons.contains(&reason)) {
            return true;
        }
        // It may have been asked for before its record came, or may not have come at all.
        let connection = logged.map_or(0, |logged| logged.connection);
        let is_late = (self.rooms.get(room)).is_some_and(|played| played.now > FIRST_EXPIRY);
        let since = |of: &BTreeMap<String, u64>| of.get(room).is_some_and(|at| *at >= connection);
        match reason {
            Reason::NoRoom => since(&self.absent),
            Reason::Forgotten => since(&self.opened) || self.broken.contains(room),
            _ if logged.is_some_and(|logged| logged.is_admitted) => false,
            // The log does not say which key an input has that has not come.
            Reason::Expired if logged.is_none() && is_late => true,
            _ => {
                let reasons = self.of_players.get(&(room.to_owned(), player));
                reasons.is_some_and(|reasons| reasons.contains(&reason))
            }
        }
    }

    fn mark(&mut self, shard: u32, record: &Record, entries: Vec<&Record>) -> Result<(), String> {
        let mark = self.fence(shard, record)?;
        self.end_rooms(&mark)?;
        entries.iter().for_each(|entry| self.entry(shard, entry));
        (self.tick, self.epoch) = (mark.tick, mark.epoch);
        play_as(mark.build.version);
        for (name, input, reason) in self.step_rooms(&mark, record.number)? {
            self.reject(&name, input, reason);
        }
        for name in ROOMS {
            self.deny_again(name);
            if !self.rooms.contains_key(name) {
                self.absent.insert(name.to_owned(), record.number);
            }
        }
        Ok(())
    }

    /// Closes rooms that are over.
    fn end_rooms(&mut self, mark: &Mark) -> Result<(), String> {
        let is_closed = |(_, played): &(&String, &Played)| !mark.sums.contains_key(&played.opened);
        let closed = self.rooms.iter().filter(is_closed);
        let closed: Vec<_> = closed.map(|(name, _)| name.clone()).collect();
        for name in closed {
            if let Some(mut played) = self.close(&name)
                && !played.is_broken
            {
                let result = played.room.result();
                let result = result.ok_or("one result: a room ended without one")?;
                self.results.insert(played.opened, result);
            }
        }
        Ok(())
    }

    /// Plays a tick of all rooms. Returns which inputs were rejected.
    fn step_rooms(
        &mut self,
        mark: &Mark,
        number: u64,
    ) -> Result<Vec<(String, u64, Reason)>, String> {
        let mut rejected = Vec::new();
        for (name, played) in &mut self.rooms {
            if let Some(from) = mark.resumed.get(&played.opened) {
                let void = played.resume(*from, &mut self.played)?;
                // Another owner may resume it from an earlier save.
                let lost = played.ticked.extract_if(.., |(at, _)| *at > *from);
                rejected.extend(lost.map(|(_, input)| (name.clone(), input, Reason::Lost)));
                let of = (played.opened, mark.tick);
                self.lost.extend(void.into_iter().map(|input| (input, of)));
            }
            let waiting = played.inputs.clone();
            let ticks = played.step(name, mark, number)?;
            self.played.extend(ticks);
            let is_over = |_: &_| played.inputs.is_empty(); // else they wait
            let decided: Vec<_> = waiting.into_iter().filter(is_over).collect();
            for (version, (_, input)) in decided {
                played.ticked.push((number, input));
                let is_newer = version > mark.build.version;
                let other = is_newer.then_some(Reason::OtherVersion);
                let panicked = played.is_broken.then_some(Reason::Panicked);
                let reasons = other.into_iter().chain(panicked);
                rejected.extend(reasons.map(|reason| (name.clone(), input, reason)));
            }
            if played.is_broken {
                self.broken.insert(name.clone());
                continue;
            }
            for version in [1, 2] {
                play_as(version);
                let key = (played.opened, mark.tick, version);
                self.sums.insert(key, played.room.checksum());
            }
            play_as(mark.build.version);
        }
        Ok(rejected)
    }

    /// Reads a mark, which follows the one before.
    fn fence(&mut self, shard: u32, record: &Record) -> Result<Mark, String> {
        let entry = wire::read_entry(&KEY, &wire::log_name(shard), &record.bytes);
        let Some(Entry::Mark(mark)) = entry else {
            return Err("marks fenced: a mark is broken".to_owned());
        };
        if mark.tick != self.tick + 1 || mark.epoch < self.epoch {
            let (tick, epoch) = (self.tick, self.epoch);
            return Err(format!(
                "marks fenced: {mark:?} after tick {tick} of epoch {epoch}"
            ));
        }
        let owner = self.owners.entry(mark.epoch);
        let owner = owner.or_insert_with(|| mark.owner.clone());
        if *owner != mark.owner {
            return Err(format!(
                "marks fenced: epoch {} of {owner} and {}",
                mark.epoch, mark.owner
            ));
        }
        Ok(mark)
    }
}

impl Past {
    fn new(opening: &Opening) -> Self {
        Self {
            room: Tally::new(opening),
            tick: 0,
            there: BTreeMap::new(),
            left: BTreeMap::new(),
        }
    }
}

impl Played {
    fn new(opened: u64, opening: &Opening) -> Self {
        Self {
            opened,
            is_broken: false,
            room: Tally::new(opening),
            inputs: Vec::new(),
            denied: Vec::new(),
            ticked: Vec::new(),
            past: [(opened, Past::new(opening))].into(),
            last: BTreeMap::new(),
            now: 0,
            revoked: BTreeMap::new(),
            there: BTreeMap::new(),
            left: BTreeMap::new(),
            changes: Vec::new(),
            heard: Vec::new(),
        }
    }

    fn hear(&mut self, (_, tick, player, (connection, is_there)): Heard) {
        let latest = self.there.get(&player).map(|(latest, _)| *latest);
        let ended = self.left.get(&player).map(|(ended, _)| *ended);
        if is_there && latest.is_none() && ended.is_some_and(|ended| connection <= ended) {
            // It has left this program.
        } else if is_there {
            self.left.remove(&player);
            let connection = connection.max(latest.unwrap_or(0));
            self.there.insert(player, (connection, tick));
        } else if latest.is_some_and(|latest| latest <= connection) {
            self.there.remove(&player);
            self.left.insert(player, (connection, tick));
        }
        if self.there.contains_key(&player) != latest.is_some() {
            self.changes.push((player, is_there));
        }
    }

    fn accepts(&self, player: u64, pass: Pass) -> bool {
        self.denies(player, pass).is_none()
    }

    fn denies(&self, player: u64, pass: Pass) -> Option<Reason> {
        let first = self.revoked.get(&player);
        if first.is_some_and(|first| pass.epoch < *first) {
            return Some(Reason::Revoked);
        }
        pass.is_expired(self.now).then_some(Reason::Expired)
    }

    /// Plays the tick that a mark ends. Returns the inputs that were played, with the tick.
    fn step(&mut self, name: &str, mark: &Mark, at: u64) -> Result<Vec<(u64, u64)>, String> {
        self.now = self.now.max(mark.now);
        let Some(said) = mark.sums.get(&self.opened).copied() else {
            return Ok(Vec::new()); // this mark has opened it
        };
        // The owner may have broken it outside of a tick.
        self.is_broken |= said == BROKEN;
        if self.is_broken || said == PAUSED {
            let kept = if self.is_broken { 0 } else { self.inputs.len() };
            self.inputs.truncate(kept);
            return Ok(Vec::new());
        }
        let sum = self.room.checksum();
        if said != sum {
            return Err(format!(
                "checksums equal: `{name}` before tick {}: {said:?}, not {sum}",
                mark.tick
            ));
        }
        let inputs = std::mem::take(&mut self.inputs).into_iter();
        let inputs = inputs.filter(|(of, _)| *of <= mark.build.version);
        let inputs: Vec<_> = inputs.map(|(_, input)| input).collect();
        let ticks: Vec<_> = inputs
            .iter()
            .map(|(_, input)| (*input, mark.tick))
            .collect();
        let turn = self.turn(inputs, mark.tick);
        if shielded(|| self.room.tick(turn)).is_err() {
            self.is_broken = true;
            return Ok(Vec::new());
        }
        let past = Past {
            room: self.room.clone(),
            tick: mark.tick,
            there: self.there.clone(),
            left: self.left.clone(),
        };
        self.past.insert(at, past);
        Ok(ticks)
    }

    fn turn(&mut self, inputs: Vec<(u64, u64)>, tick: u64) -> Turn<u64> {
        for (player, _) in &self.changes {
            for of in [&mut self.there, &mut self.left] {
                of.entry(*player).and_modify(|of| of.1 = tick);
            }
        }
        let is_gone = |heard: u64| heard + GONE < tick;
        for (player, (_, heard)) in &self.there {
            self.changes
                .extend(is_gone(*heard).then_some((*player, false)));
        }
        self.there.retain(|_, (_, heard)| !is_gone(*heard));
        self.left.retain(|_, (_, tick)| !is_gone(*tick));
        let mut turn = Turn::from(inputs);
        turn.players = std::mem::take(&mut self.changes);
        turn
    }

    /// Goes on from the save after a mark.
    fn resume(&mut self, from: u64, played: &mut Vec<(u64, u64)>) -> Result<Vec<u64>, String> {
        let past = self.past.get(&from).cloned().ok_or("resumed at no mark")?;
        let (room, last) = (past.room, past.tick);
        (self.there, self.left, self.changes) = (past.there, past.left, Vec::new());
        for heard in self
            .heard
            .clone()
            .into_iter()
            .filter(|heard| heard.0 > from)
        {
            self.hear(heard);
        }
        let inputs: BTreeSet<_> = self.room.inputs.iter().map(|(_, input)| *input).collect();
        let is_void = |of: &(u64, u64)| of.1 > last && inputs.contains(&of.0);
        let void = played.iter().filter(|of| is_void(of));
        let void = void.map(|(input, _)| *input).collect();
        played.retain(|of| !is_void(of));
        (self.room, self.is_broken) = (room, false);
        Ok(void)
    }
}
