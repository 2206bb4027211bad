//! A replica of a shard: the rooms that share a log. Records come in, actions go out; there is no clock
//! and no I/O in here.
//!
//! A tick ends with a *mark*, which only the owner writes, after the last mark that it has read: the
//! engine rejects it otherwise. A replica plays a tick when it reads its mark, the owner too. So live play,
//! replay, take-over and standby are one code path, and there is one history even if two hosts consider
//! themselves the owner.

mod owner;

use std::collections::BTreeMap;

use super::Common;
use super::place::Place;
use super::roster::{Outcome, Reason};
use super::wire::{self, Entry, Input, Mark, Pass, Progress};
use crate::error::Error;
use crate::host::RoomTime;
use crate::room::{Opening, Room};
use crate::store::{Cell, Record};

/// The most rooms of a shard.
const MOST_ROOMS: usize = 1_024;
/// The most inputs of rooms that are not there which are rejected in one tick.
const MOST_ORPHANS: usize = 4_096;
/// For how many ticks a room is shown after a viewer has asked.
const SHOWN: u64 = 100;

/// What a seat wants to be done.
#[derive(Debug, PartialEq)]
pub(crate) enum Action {
    /// Append this mark if the last one is that record, and tell the outcome.
    Mark(u64, Vec<u8>),
    /// Put a save or a result into the empty cell with this key, and tell the outcome.
    Put(String, Vec<u8>),
    /// Remove the save with this key. If that fails, the next owner does it, with its list.
    Drop(String),
    /// The records before this one are not needed any more.
    Forget(u64),
    /// Tell the viewers that listen to this topic what they see.
    Tell(String, Vec<u8>),
    /// A follower has caught up.
    Follow(Follows),
    /// The new owner needs to know which saves there are.
    List,
    /// Start again from the saves that there are now.
    Reload,
    Note(Note),
}

/// What a follower has found at the end of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follows {
    /// It could be the owner.
    Ready,
    /// It could, and the owner marks no more.
    Silent,
    /// The last ticks are of this older version, which it cannot play.
    Other(u32),
}

/// What has happened, to be counted and logged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Note {
    /// The first tick as the owner.
    TakenOver(u64),
    /// A tick of the owner: how many rooms there are, and how many of them were played.
    Played {
        rooms: u64,
        played: u64,
    },
    /// A tick of another owner, and how many rooms were played.
    Replayed(u64),
    /// A record that means nothing.
    Skipped,
    /// A mark that came too late.
    Rejected,
    /// The store does not write or read.
    StoreFailed,
    Failed(Error),
    Saved,
    /// How long ticks of its rooms took.
    Times(Vec<RoomTime>),
    /// The seat does nothing any more.
    Ended(End),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum End {
    /// A later epoch has written a mark.
    Lost,
    Drained,
    /// This replica cannot play a room.
    Unfit(Error),
    /// Another version of the game has played on.
    Other(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Playing,
    /// Each room is saved after its last tick.
    Draining,
    Ended,
}

pub(crate) struct Seat<R: Room> {
    common: Common,
    pub(crate) shard: u32,
    /// 0 for one that only follows the log.
    pub(crate) epoch: u64,
    pub(crate) rooms: BTreeMap<String, Place<R>>,
    /// If only one of them is to be played.
    pub(crate) only: Option<String>,
    /// The number of the last record read.
    pub(crate) read_to: u64,
    /// The records since the last mark. They are taken with the next one, which closes rooms first: so it does not
    /// matter whether a replica knows of a room that was closed since.
    pending: Vec<(u64, Entry)>,
    /// The last mark that has ended a tick, and the one before. A replica reads from a mark on: so it knows the records
    /// that the next one takes.
    taken: (u64, u64),
    /// The number of the last mark, its tick and its epoch.
    mark: u64,
    pub(crate) tick: u64,
    marked_epoch: u64,
    /// Whether a mark is on its way that follows the last one.
    is_in_flight: bool,
    is_at_end: bool,
    /// For how many ticks records have been missing.
    waits: u32,
    /// What a follower has said since it has caught up, and for how many ticks it has seen no mark since.
    said: Option<Follows>,
    silence: u32,
    phase: Phase,
    /// No room needs records before this one.
    floor: u64,
    /// The records before this one are forgotten.
    forgotten: u64,
    /// By the record that opened a room: the saves between a save and a mark that has resumed it from there.
    void: BTreeMap<u64, (u64, u64)>,
    is_reloading: bool,
    /// The last mark that was known when it started again, as the owner, from the saves of that time; 0 if it has to.
    fresh: u64,
    /// How many writes and reads were rejected since the last mark.
    store_failures: u32,
    /// Outcomes of inputs since the last mark whose rooms are not there.
    orphans: Vec<(String, u64, (u64, u64, Outcome))>,
    /// What is to be done.
    pub(crate) out: Vec<Action>,
}

/// Whether a save, after a mark, is of ticks that are void.
fn is_void(void: &BTreeMap<u64, (u64, u64)>, opened: u64, at: u64) -> bool {
    void.get(&opened)
        .is_some_and(|(from, mark)| *from < at && at < *mark)
}

impl<R: Room> Seat<R> {
    /// A seat that follows, with the saves of its shard. Reading begins with the first record that a room
    /// needs; rooms that need records before `first`, with which the log starts, cannot be played.
    pub(crate) fn new(common: Common, shard: u32, saves: &[Cell], first: u64) -> Self {
        let mut seat = Self {
            common,
            shard,
            epoch: 0,
            rooms: BTreeMap::new(),
            only: None,
            read_to: 0,
            pending: Vec::new(),
            taken: (0, 0),
            mark: 0,
            tick: 0,
            marked_epoch: 0,
            is_in_flight: false,
            is_at_end: false,
            waits: 0,
            said: None,
            silence: 0,
            phase: Phase::Playing,
            floor: 0,
            void: BTreeMap::new(),
            is_reloading: false,
            fresh: 0,
            store_failures: 0,
            forgotten: 0,
            orphans: Vec::new(),
            out: Vec::new(),
        };
        saves.iter().rev().for_each(|cell| seat.load(cell));
        seat.read_to = seat.floor.max(first).saturating_sub(1);
        for (name, place) in &mut seat.rooms {
            if place.room.is_ok() && place.progress.at < seat.read_to {
                place.room = Err(Error::LogGone { room: name.clone() });
            }
        }
        seat
    }

    /// Begins again if the log that it has to read was forgotten, and starts with record `first`. Then the
    /// list of saves was older than others that were made meanwhile, and may have lacked whole rooms: so
    /// this takes a list that was made since. Of a room that has differed from the log after its last save, only the save
    /// is used; ticks that are void are not played again, whether or not they would differ here.
    pub(crate) fn reload(&mut self, saves: &[Cell], first: u64) {
        let (epoch, phase) = (self.epoch, self.phase.min(Phase::Draining));
        let fresh = if epoch > 0 {
            self.fresh.max(self.mark)
        } else {
            0
        };
        let (before, only) = (std::mem::take(&mut self.rooms), self.only.take());
        let void = std::mem::take(&mut self.void);
        let is_void = |cell: &&Cell| {
            let of = wire::of_save_key(&cell.key);
            of.is_some_and(|(_, opened, at)| is_void(&void, opened, at))
        };
        let (gone, saves): (Vec<_>, Vec<_>) =
            saves.iter().cloned().partition(|cell| is_void(&cell));
        *self = Self::new(self.common.clone(), self.shard, &saves, first);
        for (name, opened, _) in gone.iter().filter_map(|cell| wire::of_save_key(&cell.key)) {
            let lost = || Place::lost(name, opened);
            self.rooms.entry(name.to_owned()).or_insert_with(lost);
        }
        (self.void, self.fresh, self.only) = (void, fresh, only);
        for (name, place) in &mut self.rooms {
            let Progress { opened, at, .. } = place.progress;
            let is_earlier = |before: &&Place<R>| at <= before.progress.at;
            let before = before.get(name).filter(is_earlier);
            let before = before.and_then(|place| place.stale.clone());
            let before = before.filter(|error| matches!(error, Error::Differs { .. }));
            let void = self.void.get(&opened);
            let is_void = void.is_some_and(|(from, mark)| (*from..*mark).contains(&at));
            let room = name.clone();
            place.stale = before.or(is_void.then_some(Error::LogGone { room }));
        }
        (self.epoch, self.phase) = (epoch, phase);
    }

    /// Loads a save unless a newer one of its room was loaded, or there is one of a later opening.
    fn load(&mut self, cell: &Cell) {
        let Some((name, opened, _)) = wire::of_save_key(&cell.key) else {
            return;
        };
        let is_same = |place: &Place<R>| place.progress.opened == opened;
        let present = self.rooms.get(name);
        if present.is_none_or(|place| place.room.is_err() && is_same(place)) {
            let (place, floor) = Place::load(&self.common.key, name, opened, cell);
            self.floor = self.floor.max(floor);
            self.rooms.insert(name.to_owned(), place);
        }
    }

    /// Takes records from the log; `is_end` says that there were no more when it was read.
    pub(crate) fn records(&mut self, records: Vec<Record>, is_end: bool) {
        self.is_at_end = is_end;
        for record in records {
            if record.number <= self.read_to || self.phase == Phase::Ended || self.is_reloading {
                continue; // it came twice, or does not matter any more
            }
            if record.number > self.read_to + 1 {
                return self.is_at_end = false; // records are missing
            }
            self.read_to = record.number;
            if record.is_mark {
                self.store_failures = 0;
                // If the mark on its way is not this one, it is rejected.
                (self.mark, self.is_in_flight) = (record.number, false);
            }
            if !self.is_in_flight {
                self.waits = 0;
            }
            let log = wire::log_name(self.shard);
            let is_meant = match wire::read_entry(&self.common.key, &log, &record.bytes) {
                Some(Entry::Mark(mark)) => record.is_mark && self.mark(&mark),
                Some(entry) => {
                    self.pending.push((record.number, entry));
                    true
                }
                None => false,
            };
            self.skip_unless(is_meant);
        }
    }

    /// Counts a record that means nothing.
    fn skip_unless(&mut self, is_meant: bool) {
        self.out
            .extend((!is_meant).then_some(Action::Note(Note::Skipped)));
    }

    /// Takes a record that is no mark. Returns whether it means anything.
    fn entry(&mut self, number: u64, entry: Entry) -> bool {
        let is_past = |place: &Place<R>| place.progress.at >= number;
        match entry {
            Entry::Open { room, opening } => self.open(room, &opening, number),
            Entry::Close { room } => {
                !self.rooms.get(&room).is_some_and(is_past) && self.close(&room)
            }
            Entry::Presence {
                room,
                player,
                pass,
                connection,
                is_there,
            } => {
                let connection = if connection == 0 { number } else { connection };
                self.hear(number, (&room, player, pass), (connection, is_there))
            }
            Entry::Revoke {
                room,
                player,
                epoch,
            } => self.revoke(number, &room, (player, epoch)),
            Entry::Input(input) if input.connection < number => {
                match self.rooms.get_mut(&input.room) {
                    Some(place) => is_past(place) || place.input(input),
                    None => self.orphan(&input),
                }
            }
            Entry::Input(_) | Entry::Mark(_) => false,
        }
    }

    /// Revokes keys of a player, who leaves.
    fn revoke(&mut self, number: u64, room: &str, (player, epoch): (u64, u64)) -> bool {
        let place = self.rooms.get_mut(room);
        place.is_some_and(|Place { progress, .. }| {
            if progress.at < number {
                progress.presence.leave(player, number, progress.tick);
                progress.roster.revoke(player, epoch);
            }
            true
        })
    }

    /// Takes note that a player is there, or has left.
    fn hear(
        &mut self,
        number: u64,
        (room, player, pass): (&str, u64, Pass),
        (connection, is_there): (u64, bool),
    ) -> bool {
        let place = self.rooms.get_mut(room);
        let place = place.filter(|place| place.progress.at < number && connection <= number);
        let place = place.filter(|place| place.progress.roster.rejects(player, pass).is_none());
        if let Some(Place { progress, .. }) = place {
            match is_there {
                true => progress.presence.hear(player, connection, progress.tick),
                false => progress.presence.leave(player, connection, progress.tick),
            }
        }
        true
    }

    /// Rejects an input of a room that is not there.
    fn orphan(&mut self, input: &Input) -> bool {
        if self.only.is_none() && self.orphans.len() < MOST_ORPHANS {
            let no_room = Outcome::Rejected(Reason::NoRoom);
            let outcome = (input.connection, input.number, no_room);
            self.orphans
                .push((input.room.clone(), input.player, outcome));
        }
        false
    }

    /// Opens a room, unless it is open. Returns whether the record means anything.
    fn open(&mut self, room: String, opening: &Opening, number: u64) -> bool {
        let is_meant = self.only.as_ref().is_none_or(|only| *only == room);
        let is_here = is_meant && wire::shard_of(&room, self.common.shards) == self.shard;
        let present = self.rooms.get(&room);
        let is_new = present.is_none_or(|place| place.begins_at(number));
        if !is_here || !is_new || self.rooms.len() >= MOST_ROOMS || !wire::is_name(&room) {
            return false;
        }
        self.close(&room);
        let mut place = Place::new(&room, opening, number);
        place.since = self.taken.1;
        if let Err(error) = &place.room {
            self.fail(error.clone());
        }
        self.rooms.insert(room, place);
        true
    }

    /// Removes a room and its saves. Returns whether it was there.
    fn close(&mut self, name: &str) -> bool {
        let Some(mut place) = self.rooms.remove(name) else {
            return false;
        };
        place.reject_all();
        if self.epoch > 0 {
            self.tell_closed(name);
        }
        self.orphans.extend(place.take_outcomes(name));
        for at in place.saves.known.keys() {
            let key = wire::save_key(self.shard, name, place.progress.opened, *at);
            self.out.push(Action::Drop(key));
        }
        let (room, tick) = (name.to_owned(), place.progress.tick);
        if !place.release() {
            self.fail(Error::Panicked { room, tick });
        }
        true
    }

    /// Plays the tick that a mark ends. Returns whether it is one of the owner.
    fn mark(&mut self, mark: &Mark) -> bool {
        if mark.epoch < self.marked_epoch {
            return false;
        }
        let version = mark.build.version;
        if version > self.common.build.version {
            self.end(End::Other(version));
            return true;
        }
        if self.has_to_reload(mark) {
            self.start_again();
            return true;
        }
        if self.epoch > 0 && mark.epoch > self.epoch {
            self.end(End::Lost);
            return true;
        }
        self.end_tick(mark);
        true
    }

    /// Ends the tick of a mark: closes rooms, takes the records since the mark before, and plays.
    fn end_tick(&mut self, mark: &Mark) {
        let is_own = mark.epoch == self.epoch;
        let is_first = mark.epoch > self.marked_epoch;
        (self.tick, self.marked_epoch) = (mark.tick, mark.epoch);
        self.silence = 0;
        self.taken = (self.mark, self.taken.0);
        self.close_absent(mark);
        for (number, entry) in std::mem::take(&mut self.pending) {
            let is_meant = self.entry(number, entry);
            self.skip_unless(is_meant);
        }
        let played = self.step(mark);
        let rooms = self.rooms.len() as u64;
        let note = match is_own {
            true => Note::Played { rooms, played },
            false => Note::Replayed(played),
        };
        self.out.push(Action::Note(note));
        if is_own && is_first {
            self.out.push(Action::Note(Note::TakenOver(mark.tick)));
            self.out.push(Action::List);
        }
        self.tell(is_own);
        if is_own {
            self.follow_up();
        }
    }

    /// Starts again from the saves that there are now.
    fn start_again(&mut self) {
        self.is_reloading = true;
        self.out.push(Action::Reload);
    }

    /// Whether a mark resumes a room from a save that is not the one here, or inputs of void ticks are not known.
    fn has_to_reload(&mut self, mark: &Mark) -> bool {
        let mut has_to = false;
        for place in self.rooms.values().filter(|place| place.room.is_ok()) {
            let Progress { opened, at, .. } = place.progress;
            let Some(from) = mark.resumed.get(&opened) else {
                continue;
            };
            if at < self.mark {
                let before = self.void.insert(opened, (*from, self.mark));
                let is_other = at != *from && before != Some((*from, self.mark));
                // What follows for long does not record inputs of ticks that it cannot play.
                has_to |= is_other || place.stale.is_some() && self.said.is_some();
            }
        }
        has_to
    }

    /// Closes the rooms that a mark does not know any more.
    fn close_absent(&mut self, mark: &Mark) {
        let is_absent = |(_, place): &(&String, &Place<R>)| {
            place.played < self.mark && !mark.sums.contains_key(&place.progress.opened)
        };
        let absent = self.rooms.iter().filter(is_absent);
        let absent: Vec<_> = absent.map(|(name, _)| name.clone()).collect();
        absent.iter().for_each(|name| _ = self.close(name));
    }

    /// Steps the rooms. Returns how many were played.
    fn step(&mut self, mark: &Mark) -> u64 {
        let (at, mut played) = (self.mark, 0);
        for (name, place) in &mut self.rooms {
            if place.played >= at {
                continue; // its save is later
            }
            let start = self.common.clock.map(|clock| clock());
            let failed = place.step(name, mark, at);
            if let (Some(clock), Some(start)) = (self.common.clock, start)
                && place.took(clock() - start, self.common.budget)
            {
                let room = name.clone();
                self.out
                    .push(Action::Note(Note::Failed(Error::Slow { room })));
            }
            if matches!(failed, Some(Error::Differs { .. })) {
                self.fresh = 0; // it goes on from a save
            }
            // Following an older version is no failure.
            let failed = failed.filter(|error| !matches!(error, Error::OtherVersion { .. }));
            self.out
                .extend(failed.map(|error| Action::Note(Note::Failed(error))));
            let is_played = place.played == at && place.room.is_ok() && place.stale.is_none();
            played += u64::from(is_played);
        }
        played
    }

    /// A follower becomes the owner, with an epoch of its own.
    pub(crate) fn promote(&mut self, epoch: u64) {
        (self.epoch, self.is_at_end) = (epoch, false);
    }

    /// The log could not be read, so there may be more of it.
    pub(crate) fn unread(&mut self, error: &Error) {
        self.is_at_end = false;
        self.store_failed(wire::log_name(self.shard), error);
    }

    /// The store has rejected something: if it does so again, that is a failure.
    pub(crate) fn store_failed(&mut self, name: String, error: &Error) {
        self.store_failures += 1;
        self.out.push(Action::Note(Note::StoreFailed));
        if self.store_failures > 1 {
            let reason = error.to_string();
            self.fail(Error::StoreFailed { name, reason });
        }
    }

    fn fail(&mut self, error: Error) {
        self.out.push(Action::Note(Note::Failed(error)));
    }

    fn end(&mut self, end: End) {
        self.phase = Phase::Ended;
        self.out.push(Action::Note(Note::Ended(end)));
    }
}
