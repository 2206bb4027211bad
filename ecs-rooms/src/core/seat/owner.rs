//! What a seat does when a tick is due, and as the owner of its shard: marks, saves, and what viewers see.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use super::{Action, End, Follows, Note, Phase, SHOWN, Seat, is_void};
use crate::core::Common;
use crate::core::place::Place;
use crate::core::roster::{Outcome, Reason};
use crate::core::wire::{self, Ask, Entry, Mark, OutcomesOf, Progress, Saved, Shown, Sight};
use crate::error::Error;
use crate::host::RoomTime;
use crate::room::Room;
use crate::rooms::{RoomInfo, RoomResult};
use crate::store::Cell;

/// How many times `save_every` ticks a room stays that has panicked.
const KEPT: u64 = 10;
/// After how many ticks a save counts. The second mark after it was written when the save was known to be there. So a
/// later owner, whose mark follows, has listed the saves since, and does not go on from one that is removed now.
const COUNTS_AFTER: u64 = 2;
/// What a message needs beside the part of a sight.
const HEAD: usize = 128;

/// Divides what viewers get.
fn parts(sight: &Sight, most: usize) -> impl Iterator<Item = Sight> {
    let size = most.saturating_sub(HEAD).max(HEAD);
    let count = sight.delta.len().div_ceil(size).max(1) as u32;
    (0..count).map(move |part| {
        let start = part as usize * size;
        let end = start.saturating_add(size).min(sight.delta.len());
        Sight {
            part: (part, count),
            delta: sight.delta[start..end].to_vec(),
            ..*sight
        }
    })
}

fn tell(common: &Common, room: &str, viewer: Option<u64>, shown: &Shown) -> Action {
    let topic = wire::view_name(room, viewer);
    let key = wire::view_key(&common.key, room);
    let bytes = wire::seal(&key, &topic, shown);
    Action::Tell(topic, bytes)
}

/// A save that is larger than the store takes.
fn fits(bytes: Vec<u8>, most: usize) -> Result<Vec<u8>, String> {
    let size = bytes.len();
    match size <= most {
        true => Ok(bytes),
        false => Err(format!(
            "its save has {size} bytes, the store takes at most {most}"
        )),
    }
}

impl<R: Room> Seat<R> {
    /// A tick is due, at a time in seconds since 1970.
    pub(crate) fn due(&mut self, now: u64) {
        let is_idle = self.rooms.is_empty() && self.read_to == self.mark;
        if self.is_behind() && self.waits < self.common.waits {
            self.waits += 1;
        } else if let Some(error) = self.unfit() {
            self.end(End::Unfit(error));
        } else if self.epoch == 0 {
            self.follow(is_idle);
        } else if self.epoch < self.marked_epoch {
            self.end(End::Lost); // before its claim was known here, another one was
        } else if is_idle && self.phase != Phase::Playing {
            self.end(End::Drained);
        } else if !is_idle && self.recover() {
            self.write_mark(now);
        }
    }

    /// Decides what becomes of rooms with ticks in the log that this replica cannot play. Returns whether there
    /// can be a mark.
    fn recover(&mut self) -> bool {
        let is_stale = |place: &Place<R>| place.stale.is_some() && place.room.is_ok();
        if !self.rooms.values().any(is_stale) {
            return true;
        }
        if self.fresh != self.mark {
            self.start_again();
            return false;
        }
        let drops_ticks = self.common.drops_ticks.load(Ordering::Relaxed);
        for (name, place) in &mut self.rooms {
            match &place.stale {
                Some(_) if place.played == place.progress.at => place.stale = None,
                Some(Error::OtherVersion { version, .. }) if !drops_ticks => {
                    let version = *version;
                    self.end(End::Other(version));
                    return false;
                }
                Some(Error::Differs { .. })
                    if !self.common.resume_differing && place.room.is_ok() =>
                {
                    place.break_off(name);
                    place.stale = None;
                }
                _ => place.saves.overdue = Some(self.tick), // the mark says that it is resumed
            }
        }
        true
    }

    /// Whether there are records that it has to read before it goes on.
    pub(crate) fn is_behind(&self) -> bool {
        let is_save_later = |place: &Place<R>| place.progress.at > self.read_to;
        !self.is_at_end || self.is_in_flight || self.rooms.values().any(is_save_later)
    }

    /// Whether a record that is not taken yet opens a room.
    pub(crate) fn opens(&self, name: &str) -> bool {
        let opens = |entry: &Entry| matches!(entry, Entry::Open { room, .. } if room == name);
        self.pending.iter().any(|(_, entry)| opens(entry))
    }

    /// Why this replica cannot go on.
    fn unfit(&self) -> Option<Error> {
        let error_of = |(name, place): (&String, &Place<R>)| match &place.room {
            Err(error) if !matches!(error, Error::Panicked { .. }) => Some(error.clone()),
            _ if place.progress.at > self.read_to => Some(Error::LogGone { room: name.clone() }),
            _ => None,
        };
        let unread = || Error::Unknown(format!("`{}` cannot be read", wire::log_name(self.shard)));
        // What is not taken yet may close a room.
        let rooms = self.rooms.iter().filter(|_| self.is_at_end);
        let closes =
            |entry: &Entry, name: &str| matches!(entry, Entry::Close { room } if room == name);
        let is_closing = |name: &str| self.pending.iter().any(|(_, entry)| closes(entry, name));
        let rooms = rooms.filter(|(name, place)| place.room.is_ok() || !is_closing(name));
        let error = rooms.filter_map(error_of).next();
        error.or_else(|| self.is_behind().then(unread))
    }

    /// Says what it has found when it has caught up, when that changes, and again while the owner is silent.
    fn follow(&mut self, is_idle: bool) {
        let counts = self.said.is_some() && !is_idle;
        self.silence = if counts { self.silence + 1 } else { 0 };
        let rooms = self.rooms.values_mut();
        rooms.for_each(|place| place.tail = Vec::new());
        // Only the owner can hand over ticks of another version.
        let follows = self.rooms.values().find_map(|place| match place.stale {
            Some(Error::OtherVersion { version, .. }) => Some(Follows::Other(version)),
            _ => None,
        });
        let (silence, standby) = (self.silence, self.common.silent_after);
        let follows = follows.unwrap_or(match standby > 0 && silence >= standby {
            true => Follows::Silent,
            false => Follows::Ready,
        });
        let is_again = follows == Follows::Silent && silence.is_multiple_of(standby);
        if self.said.replace(follows) != Some(follows) || is_again {
            self.out.push(Action::Follow(follows));
        }
    }

    fn write_mark(&mut self, now: u64) {
        let kept = self.common.save_every.saturating_mul(KEPT);
        let rooms = self.rooms.values_mut();
        let sums = rooms.filter_map(|place| place.marked(kept)).collect();
        let mark = Mark {
            epoch: self.epoch,
            tick: self.tick + 1,
            now,
            owner: self.common.name.clone(),
            build: self.common.build,
            sums,
            resumed: self.rooms.values().filter_map(Place::resumed).collect(),
        };
        self.is_in_flight = true;
        let log = wire::log_name(self.shard);
        let bytes = wire::seal(&self.common.key, &log, &Entry::Mark(mark));
        let after = self.mark;
        self.out.push(Action::Mark(after, bytes));
    }

    /// What the owner does after a tick: updates viewers, saves some rooms, and forgets old records. If it
    /// drains, it ends after a tick of its own, so that no input that was acknowledged before stays unplayed
    /// if there is no other host.
    pub(super) fn follow_up(&mut self) {
        if self.is_drained() {
            return self.end(End::Drained);
        }
        self.drop_saves();
        self.forget();
        for (name, place) in &mut self.rooms {
            for (viewers, sight) in place.show((self.epoch, self.tick)) {
                for viewer in viewers {
                    let parts = parts(&sight, self.common.most_bytes);
                    let outcomes =
                        parts.map(|part| tell(&self.common, name, viewer, &Shown::Sight(part)));
                    self.out.extend(outcomes);
                }
            }
        }
        self.save();
        self.write_results();
        for (name, place) in &mut self.rooms {
            let failed = place.broken(name);
            let failed = failed.map(|error| Action::Note(Note::Failed(error)));
            self.out.extend(failed);
        }
        if self.tick.is_multiple_of(16) && self.common.clock.is_some() {
            let rooms = self.rooms.iter();
            let times = rooms.filter_map(|(name, place)| RoomTime::new(name, &place.times));
            self.out.push(Action::Note(Note::Times(times.collect())));
        }
    }

    /// Removes all but the last two saves of each room.
    fn drop_saves(&mut self) {
        for (name, place) in &mut self.rooms {
            let saves = &mut place.saves;
            let Some(kept) = saves.before_last(self.tick) else {
                continue;
            };
            while let Some(first) = saves
                .known
                .first_entry()
                .filter(|first| *first.key() < kept)
            {
                let (opened, at) = (place.progress.opened, first.remove_entry().0);
                let key = wire::save_key(self.shard, name, opened, at);
                self.out.push(Action::Drop(key));
            }
        }
    }

    /// Forgets records that no room needs, if there are many.
    fn forget(&mut self) {
        let pins = self.rooms.values().map(|place| place.pin(self.tick));
        self.floor = pins.fold(self.taken.1, u64::min).max(self.floor);
        if !self.common.keep_log && self.floor >= self.forgotten + self.common.save_every {
            self.forgotten = self.floor;
            self.out.push(Action::Forget(self.floor));
        }
    }

    /// The owner tells the outcomes of the tick, which is in the log now.
    pub(super) fn tell(&mut self, is_own: bool) {
        let rooms = self.rooms.iter_mut();
        let of_rooms = rooms.flat_map(|(name, place)| place.take_outcomes(name));
        let outcomes = self.orphans.drain(..).chain(of_rooms);
        let mut of_players = BTreeMap::<_, OutcomesOf>::new();
        for (room, player, outcome) in outcomes.filter(|_| is_own) {
            of_players.entry((room, player)).or_default().push(outcome);
        }
        for ((room, player), outcomes) in of_players {
            self.tell_player(&room, player, &outcomes);
        }
    }

    fn tell_player(&mut self, room: &str, player: u64, outcomes: &OutcomesOf) {
        let topic = wire::outcomes_name(room, player);
        let key = wire::outcomes_key(&self.common.key, room, player);
        let bytes = wire::seal(&key, &topic, outcomes);
        self.out.push(Action::Tell(topic, bytes));
    }

    /// Whether all rooms are handed over: each is saved as it will go on.
    fn is_drained(&self) -> bool {
        let is_left = |place: &Place<R>| {
            let is_over = place.room.is_err() || place.stale.is_some();
            let is_saved = !place.writing.is_on_its_way && place.saves.overdue.is_none();
            is_over || place.handed_over.is_some() && is_saved
        };
        self.phase == Phase::Draining && self.rooms.values().all(is_left)
    }

    /// Saves rooms that are due: not all in the same tick, except if it drains. Then each is handed over as it
    /// is saved, and its later inputs wait for the next owner, which may be of another version.
    fn save(&mut self) {
        let (now, every) = (self.tick, self.common.save_every);
        let is_draining = self.phase == Phase::Draining;
        for (name, place) in &mut self.rooms {
            let is_handed_over = place.handed_over.is_some();
            if place.room.is_err() || place.progress.at != self.mark && !is_handed_over {
                continue; // it is not played, or its save is later
            }
            let is_due = (now + place.progress.opened.wrapping_mul(7)).is_multiple_of(every);
            let saves = &mut place.saves;
            if (is_due || is_draining) && !is_handed_over {
                saves.overdue.get_or_insert(now);
            }
            let Some(since) = saves.overdue.filter(|_| place.writing.is_ready(now)) else {
                continue;
            };
            let Progress { opened, at, .. } = place.progress;
            let key = wire::save_key(self.shard, name, opened, at);
            let most = self.common.most_bytes;
            let is_verified = wire::hash(name) % 100 < self.common.verify.into();
            let saved = place.save((&self.common.key, &key), self.floor, is_verified);
            match saved.and_then(|bytes| fits(bytes, most)) {
                Ok(bytes) => {
                    (place.saves.overdue, place.writing.is_on_its_way) = (None, true);
                    if is_draining {
                        place.handed_over = Some(bytes.clone());
                    }
                    self.out.push(Action::Put(key, bytes));
                }
                Err(reason) if now > since && (now - since).is_multiple_of(every) => {
                    let room = name.clone();
                    self.out
                        .push(Action::Note(Note::Failed(Error::Unsaved { room, reason })));
                }
                Err(_) => {}
            }
        }
    }

    /// Writes the results of rooms that are over.
    fn write_results(&mut self) {
        for (name, place) in &mut self.rooms {
            let (number, is_stored) = (place.progress.opened, place.is_stored);
            let result = place.result.as_ref().filter(|_| !is_stored);
            if let Some(result) = result.filter(|_| place.writing.is_ready(self.tick)) {
                let result = RoomResult {
                    room: name.clone(),
                    number,
                    result: result.clone(),
                };
                place.writing.is_on_its_way = true;
                let key = wire::result_name(name, number);
                let bytes = wire::seal(&self.common.key, &key, &result);
                self.out.push(Action::Put(key, bytes));
            }
        }
    }

    /// Takes the list of saves, to remove those that are not needed.
    pub(crate) fn list(&mut self, saves: &[Cell]) {
        for Cell { key, value, .. } in saves {
            let saved: Option<Saved> = wire::unseal(&self.common.key, key, value);
            let is_older = |saved: &Saved| saved.build.version < self.common.build.version;
            // A replay of this version starts with what an older one has handed over.
            if !self.common.keep_log || !saved.as_ref().is_some_and(is_older) {
                self.keep(key, saved.is_some());
            }
        }
    }

    /// There is a save with this key: keeps it if it is whole and of a room that is here.
    fn keep(&mut self, key: &str, is_whole: bool) {
        let Some((name, opened, at)) = wire::of_save_key(key) else {
            return;
        };
        let is_void = is_void(&self.void, opened, at);
        let place = self.rooms.get_mut(name);
        let place = place.filter(|place| is_whole && !is_void && place.progress.opened == opened);
        if let Some(Place { saves, .. }) = place {
            saves.known.entry(at).or_insert(self.tick + COUNTS_AFTER);
        } else if opened <= self.read_to {
            // Broken, or of a room that was closed: else its opening would still be to be read.
            self.out.push(Action::Drop(key.to_owned()));
        }
    }

    /// Takes the outcome of the mark after mark `after`, which may be of an earlier epoch. Only the log says
    /// whether one of unknown outcome was written.
    pub(crate) fn marked(&mut self, after: u64, outcome: &Result<u64, Error>) {
        if self.is_in_flight && self.mark == after && outcome.is_err() {
            (self.is_in_flight, self.is_at_end) = (false, false);
            match outcome {
                Err(Error::Conflict) => self.out.push(Action::Note(Note::Rejected)),
                Err(error) => self.store_failed(wire::log_name(self.shard), error),
                Ok(_) => {}
            }
        }
    }

    /// Takes the outcome of a save or a result. A cell that is there already has the same: of one room after one tick.
    pub(crate) fn written(&mut self, key: &str, outcome: &Result<u64, Error>) {
        let is_written = matches!(outcome, Ok(_) | Err(Error::Conflict));
        let save = wire::of_save_key(key);
        let is_it = |(name, place): &(&String, &mut Place<R>)| match save {
            Some((room, ..)) => *name == room,
            None => wire::result_name(name, place.progress.opened) == key,
        };
        if let Some((_, place)) = self.rooms.iter_mut().find(is_it)
            && place.writing.is_on_its_way
        {
            place
                .writing
                .end(is_written, self.tick, self.common.save_every);
            place.is_stored |= is_written && save.is_none();
            // One that was due meanwhile, or is to be repeated, could not be made before.
            let is_due = place.saves.overdue.is_some() || save.is_some() && !is_written;
            place.saves.overdue = is_due.then_some(self.tick);
        }
        match (outcome, save) {
            (Err(error), Some((room, ..))) if !is_written => {
                let (room, reason) = (room.to_owned(), error.to_string());
                self.out.push(Action::Note(Note::StoreFailed));
                self.fail(Error::Unsaved { room, reason });
            }
            (Err(error), None) if !is_written => self.store_failed(key.to_owned(), error),
            (_, Some(_)) if self.epoch > 0 => {
                self.out.push(Action::Note(Note::Saved));
                self.keep(key, true);
            }
            _ => {}
        }
        if is_written && self.is_drained() {
            self.end(End::Drained);
        }
    }

    pub(super) fn tell_closed(&mut self, room: &str) {
        let nothing = Shown::Nothing(Reason::NoRoom);
        self.out.push(tell(&self.common, room, None, &nothing));
    }

    /// Is asked something.
    pub(crate) fn ask(&mut self, ask: Ask) {
        match ask {
            Ask::Show {
                room,
                viewer,
                joins,
            } => self.show(&room, viewer, joins),
            // Only what it has read and marked is final.
            Ask::Outcomes {
                room,
                player,
                record,
                mut inputs,
                lost,
                pass,
            } if self.epoch > 0 && self.epoch == self.marked_epoch => {
                inputs.retain(|_| record <= self.mark);
                let no_room = Outcome::Rejected(Reason::NoRoom);
                let no_room = |(connection, number)| (connection, number, no_room);
                let outcomes = match self.rooms.get(&room) {
                    Some(place) => place.progress.roster.answer((player, pass), &inputs, lost),
                    None => inputs.into_iter().map(no_room).collect(),
                };
                if !outcomes.is_empty() {
                    self.tell_player(&room, player, &outcomes);
                }
            }
            Ask::List { asker } if self.epoch > 0 && !self.is_behind() => self.list_rooms(asker),
            Ask::Outcomes { .. } | Ask::List { .. } => {}
        }
    }

    /// Describes the rooms that are played.
    fn list_rooms(&mut self, asker: u64) {
        let rooms = self
            .rooms
            .iter_mut()
            .filter(|(_, place)| place.room.is_ok());
        let info = |(name, place): (&String, &mut Place<R>)| RoomInfo {
            room: name.clone(),
            number: place.progress.opened,
            tick: place.progress.tick,
            players: place.progress.presence.len(),
            description: place.call(|room| Ok(room.describe())).unwrap_or_default(),
            version: self.common.build.version,
            host: self.common.name.clone(),
        };
        let rooms: Vec<_> = rooms.map(info).collect();
        let topic = wire::list_name(asker);
        let bytes = wire::seal(&self.common.key, &topic, &(self.shard, rooms));
        self.out.push(Action::Tell(topic, bytes));
    }

    /// Shows a room for a while, or says why not.
    fn show(&mut self, room: &str, viewer: u64, joins: bool) {
        let nothing = match self.rooms.get_mut(room) {
            Some(place) if place.room.is_ok() => {
                return place.ask(self.tick + SHOWN, joins.then_some(viewer));
            }
            Some(_) => Reason::Panicked,
            None => Reason::NoRoom,
        };
        // A record that is not taken yet may open it.
        if self.epoch > 0 && !self.is_behind() && self.pending.is_empty() {
            let nothing = Shown::Nothing(nothing);
            let message = tell(&self.common, room, Some(viewer), &nothing);
            self.out.push(message);
        }
    }

    /// Hands all rooms over, and ends.
    pub(crate) fn drain(&mut self) {
        self.phase = self.phase.max(Phase::Draining);
    }
}
