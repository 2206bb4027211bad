//! A replica of a shard: the rooms that share a log. Records come in, actions go out; there is no clock
//! and no I/O in here.
//!
//! A tick ends with a *mark*, which only the owner writes, after the last mark that it has read: the
//! engine rejects it otherwise. A replica plays a tick when it reads its mark, the owner too. So live play,
//! replay, take-over and standby are one code path, and there is one history even if two hosts consider
//! themselves the owner.

mod owner;

use std::collections::BTreeMap;

use super::place::{Place, State};
use super::wire::{self, CLOSED, Entry, Key, Mark};
use crate::error::Error;
use crate::room::Room;
use crate::store::{Cell, Record};

/// The most rooms of a shard.
const MOST_ROOMS: usize = 1_024;
/// For how many ticks a room is shown after a viewer has asked.
const SHOWN: u64 = 100;

/// What all seats of a process have in common.
#[derive(Clone)]
pub(crate) struct Common {
    pub(crate) me: String,
    pub(crate) key: Key,
    pub(crate) shards: u32,
    /// Ticks between two saves of a room.
    pub(crate) save_every: u64,
    /// For how many ticks a seat waits for records that ought to be there.
    pub(crate) waits: u32,
    /// The ticks without a mark after which a follower says that the owner is silent; 0 for never.
    pub(crate) standby: u32,
    /// Whether records stay that no room needs.
    pub(crate) keep_log: bool,
}

/// What a seat wants to be done.
#[derive(Debug, PartialEq)]
pub(crate) enum Action {
    /// The mark of a tick, to be written if the last mark is record `after`.
    Mark {
        tick: u64,
        after: u64,
        bytes: Vec<u8>,
    },
    /// A save, to be put into an empty cell.
    Save {
        room: String,
        tick: u64,
        key: String,
        bytes: Vec<u8>,
    },
    /// A save that is not needed any more.
    Drop {
        key: String,
    },
    /// The records before this one are not needed any more.
    Forget {
        before: u64,
    },
    /// What all viewers of a room get, or one of them.
    Show {
        room: String,
        viewer: Option<u64>,
        bytes: Vec<u8>,
    },
    /// Records are missing: read on from `read_to`.
    Read,
    /// A follower has caught up; whether the owner marks no more.
    Follow {
        is_silent: bool,
    },
    /// The new owner needs to know which saves there are.
    List,
    Note(Note),
    /// The seat does nothing any more.
    End(End),
}

/// What has happened, to be counted and logged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Note {
    /// The first tick as the owner.
    TakenOver {
        tick: u64,
    },
    /// A tick: how many of the rooms were played, and whether it was another owner's.
    Played {
        rooms: u64,
        played: u64,
        is_replayed: bool,
    },
    /// A record that means nothing.
    Skipped,
    /// A mark that came too late.
    Rejected,
    Failed(Error),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum End {
    /// A later epoch has written a mark.
    Lost,
    Drained,
    /// This replica cannot play a room.
    Unfit(Error),
}

pub(crate) struct Seat<R: Room> {
    common: Common,
    pub(crate) shard: u32,
    /// 0 for one that only follows the log.
    pub(crate) epoch: u64,
    log: String,
    pub(crate) rooms: BTreeMap<String, Place<R>>,
    /// If only one of them is to be played.
    pub(crate) only: Option<String>,
    /// Rooms none of whose saves could be loaded; their log may start with their first tick.
    unloaded: BTreeMap<String, String>,
    /// The number of the last record read.
    pub(crate) read_to: u64,
    /// The number of the last mark.
    mark: u64,
    pub(crate) tick: u64,
    marked_epoch: u64,
    /// The mark on its way.
    in_flight: Option<u64>,
    is_at_end: bool,
    waits: u32,
    /// For how many ticks a follower has seen no mark, and whether it has said that the owner is silent.
    silence: u32,
    said_silent: Option<bool>,
    is_owner_proved: bool,
    pub(crate) is_draining: bool,
    has_saved_all: bool,
    pub(crate) is_ended: bool,
    /// No room needs records before this one.
    floor: u64,
}

impl<R: Room> Seat<R> {
    /// A seat of an epoch, with the saves of its shard. Reading begins with the first record
    /// that a room needs. If that was forgotten, the list of saves is older than others that were made
    /// meanwhile, and may lack whole rooms: so a new seat must be made, of a list that is read from then on.
    pub(crate) fn new(common: Common, shard: u32, epoch: u64, saves: &[Cell]) -> Self {
        let mut seat = Self {
            common,
            shard,
            epoch,
            log: wire::log_name(shard),
            rooms: BTreeMap::new(),
            only: None,
            unloaded: BTreeMap::new(),
            read_to: 0,
            mark: 0,
            tick: 0,
            marked_epoch: 0,
            in_flight: None,
            is_at_end: false,
            waits: 0,
            silence: 0,
            said_silent: None,
            is_owner_proved: false,
            is_draining: false,
            has_saved_all: false,
            is_ended: false,
            floor: 0,
        };
        for cell in saves.iter().rev() {
            seat.load(cell);
        }
        seat.begin_at(seat.floor);
        seat
    }

    /// Loads a save unless there is a newer one of its room.
    fn load(&mut self, cell: &Cell) {
        let Some((name, ..)) = wire::of_save_key(&cell.key) else {
            return;
        };
        if self.rooms.contains_key(name) {
            return;
        }
        match Place::load(&self.common.key, &cell.key, &cell.value) {
            Ok(place) => {
                self.floor = self.floor.max(place.floor);
                self.unloaded.remove(name);
                self.rooms.insert(name.to_owned(), place);
            }
            Err(reason) => _ = self.unloaded.entry(name.to_owned()).or_insert(reason),
        }
    }

    /// The log starts with record `first`: rooms that need earlier ones cannot be played.
    pub(crate) fn begin_at(&mut self, first: u64) {
        self.read_to = self.read_to.max(first.saturating_sub(1));
        for (name, place) in &mut self.rooms {
            if place.at < self.read_to {
                place.state = State::Unfit(Error::LogGone { room: name.clone() });
            }
        }
    }

    /// Takes records from the log; `is_end` says that there were no more when it was read.
    pub(crate) fn records(&mut self, records: Vec<Record>, is_end: bool, out: &mut Vec<Action>) {
        for record in records {
            if self.is_ended || record.number <= self.read_to {
                continue; // it came twice
            }
            if record.number > self.read_to + 1 {
                self.is_at_end = false;
                out.push(Action::Read);
                return;
            }
            self.read_to = record.number;
            if self.in_flight.is_none() {
                self.waits = 0;
            }
            let is_known = match record.is_mark {
                true => self.mark(&record, out),
                false => self.entry(&record, out),
            };
            if !is_known {
                out.push(Action::Note(Note::Skipped));
            }
        }
        self.is_at_end = is_end;
    }

    /// Takes an input, or a room that is opened or closed. Returns whether it means anything.
    fn entry(&mut self, record: &Record, out: &mut Vec<Action>) -> bool {
        let Some(entry) = wire::read_entry(&self.common.key, &self.log, &record.bytes) else {
            return false;
        };
        let number = record.number;
        let is_past = |place: &Place<R>| place.at >= number;
        match entry {
            Entry::Open { room, seed } => self.open(room, seed, number, out),
            Entry::Close { room } => {
                self.unloaded.remove(&room);
                let is_open = self.rooms.get(&room).is_some_and(|place| !is_past(place));
                if is_open && let Some(place) = self.rooms.remove(&room) {
                    self.drop_saves(&room, &place, out);
                }
                is_open
            }
            Entry::Input {
                room,
                player,
                number,
                input,
            } => match self.rooms.get_mut(&room) {
                Some(place) if is_past(place) => true,
                Some(place) => place.input(player, number, &input),
                None => false,
            },
        }
    }

    /// Opens a room, unless it is open. Returns whether the record means anything.
    fn open(&mut self, room: String, seed: u64, number: u64, out: &mut Vec<Action>) -> bool {
        let is_meant = self.only.as_ref().is_none_or(|only| *only == room);
        let is_here = is_meant && wire::shard_of(&room, self.common.shards) == self.shard;
        // A save that was written after its room had been closed is no room.
        let is_open = |place: &Place<R>| !place.is_stale(number);
        let is_new = !self.rooms.get(&room).is_some_and(is_open);
        let is_meant = is_here && is_new && self.rooms.len() < MOST_ROOMS && wire::is_name(&room);
        if is_meant {
            self.unloaded.remove(&room);
            let place = Place::new(seed, number);
            if !matches!(place.state, State::Live(_)) {
                let (room, tick) = (room.clone(), 0);
                out.push(Action::Note(Note::Failed(Error::Panicked { room, tick })));
            }
            if let Some(stale) = self.rooms.insert(room.clone(), place) {
                self.drop_saves(&room, &stale, out);
            }
        }
        is_meant
    }

    /// Plays the tick that a mark ends. Returns whether it is one.
    fn mark(&mut self, record: &Record, out: &mut Vec<Action>) -> bool {
        self.mark = record.number;
        let about = format!("mark/{}", self.log);
        let bytes = wire::unseal(&self.common.key, &about, &record.bytes);
        let Some(mark) = bytes.and_then(wire::read::<Mark>) else {
            return false;
        };
        if mark.epoch < self.marked_epoch {
            return false;
        }
        if mark.epoch > self.epoch && self.epoch > 0 {
            self.end(End::Lost, out);
            return true;
        }
        (self.tick, self.marked_epoch, self.silence) = (mark.tick, mark.epoch, 0);
        if self.in_flight.is_some_and(|tick| tick <= mark.tick) {
            (self.in_flight, self.waits) = (None, 0);
        }
        let played = self.step(&mark, record.number, out);
        let is_own = mark.epoch == self.epoch;
        let rooms = self.rooms.len() as u64;
        out.push(Action::Note(Note::Played {
            rooms,
            played,
            is_replayed: !is_own,
        }));
        if is_own {
            if !std::mem::replace(&mut self.is_owner_proved, true) {
                out.push(Action::Note(Note::TakenOver { tick: mark.tick }));
                out.push(Action::List);
            }
            self.follow_up(out);
        }
        true
    }

    /// Steps the rooms, and drops those that the mark does not know any more.
    fn step(&mut self, mark: &Mark, at: u64, out: &mut Vec<Action>) -> u64 {
        let mut played = 0;
        let sums: BTreeMap<u64, u64> = mark.sums.iter().copied().collect();
        let mut closed = Vec::new();
        for (name, place) in &mut self.rooms {
            let sum = sums.get(&place.opened).copied();
            if place.at >= at {
                continue; // its save is later
            }
            if sum == Some(CLOSED) || sum.is_none() && !place.is_new() {
                closed.push(name.clone());
                continue;
            }
            let was_live = matches!(place.state, State::Live(_));
            place.step(name, (mark.tick, at), sum);
            match &place.state {
                State::Live(_) => played += 1,
                _ if !was_live => {}
                State::Broken => {
                    let (room, tick) = (name.clone(), mark.tick);
                    out.push(Action::Note(Note::Failed(Error::Panicked { room, tick })));
                }
                State::Unfit(error) => out.push(Action::Note(Note::Failed(error.clone()))),
            }
        }
        for name in closed {
            if let Some(place) = self.rooms.remove(&name) {
                self.drop_saves(&name, &place, out);
            }
        }
        played
    }

    /// Removes the saves of a closed room.
    fn drop_saves(&self, name: &str, place: &Place<R>, out: &mut Vec<Action>) {
        for &(tick, _) in place.saves.iter().filter(|_| self.epoch > 0) {
            let key = wire::save_key(self.shard, name, place.opened, tick);
            out.push(Action::Drop { key });
        }
    }

    /// A follower becomes the owner, with an epoch of its own.
    pub(crate) fn promote(&mut self, epoch: u64) {
        (self.epoch, self.is_at_end, self.in_flight) = (epoch, false, None);
        for place in self.rooms.values_mut() {
            place.saving = None; // a save of an earlier epoch is on its own
        }
    }

    fn end(&mut self, end: End, out: &mut Vec<Action>) {
        self.is_ended = true;
        out.push(Action::End(end));
    }
}
