//! What a seat does when a tick is due, and as the owner of its shard: marks, saves, and what viewers see.

use super::{Action, End, Note, Phase, SHOWN, Seat, Written};
use crate::core::place::Place;
use crate::core::wire::{self, Entry, Mark, Saved};
use crate::error::Error;
use crate::room::Room;
use crate::store::Cell;

/// How many times `save_every` ticks a room stays that has panicked.
const KEPT: u64 = 10;

impl<R: Room> Seat<R> {
    /// A tick is due.
    pub(crate) fn due(&mut self) {
        let is_idle = self.rooms.is_empty() && self.read_to == self.mark;
        if self.is_behind() && self.waits < self.common.waits {
            self.waits += 1;
        } else if let Some(error) = self.unfit() {
            self.end(End::Unfit(error));
        } else if self.epoch == 0 {
            self.follow(is_idle);
        } else if !is_idle {
            self.write_mark();
        } else if self.phase != Phase::Playing {
            self.end(End::Drained);
        }
    }

    /// Whether there are records that it has to read before it goes on.
    pub(crate) fn is_behind(&self) -> bool {
        let is_save_later = |place: &Place<R>| place.progress.at > self.read_to;
        !self.is_at_end || self.is_in_flight || self.rooms.values().any(is_save_later)
    }

    /// Why this replica cannot go on.
    fn unfit(&self) -> Option<Error> {
        let error_of = |(name, place): (&String, &Place<R>)| match &place.room {
            Err(error) if !matches!(error, Error::Panicked { .. }) => Some(error.clone()),
            _ if place.progress.at > self.read_to => Some(Error::LogGone { room: name.clone() }),
            _ => None,
        };
        let unread = || Error::Unknown(format!("`{}` cannot be read", wire::log_name(self.shard)));
        let error = self.rooms.iter().find_map(error_of);
        error.or_else(|| self.is_behind().then(unread))
    }

    /// Says when it has caught up, and when the owner ought to have marked.
    fn follow(&mut self, is_idle: bool) {
        let is_first = self.silence.is_none();
        let before = self.silence.filter(|_| !is_idle);
        let silence = before.map_or(0, |silence| silence + 1);
        self.silence = Some(silence);
        let is_silent = silence > 0 && silence.is_multiple_of(self.common.standby);
        if is_first || is_silent {
            self.out.push(Action::Follow { is_silent });
        }
    }

    fn write_mark(&mut self) {
        let kept = self.common.save_every.saturating_mul(KEPT);
        let rooms = self.rooms.values();
        let mark = Mark {
            epoch: self.epoch,
            tick: self.tick + 1,
            owner: self.common.me.clone(),
            sums: rooms.map(|place| place.marked(kept)).collect(),
        };
        self.is_in_flight = true;
        let log = wire::log_name(self.shard);
        let bytes = wire::seal(&self.common.key, &log, &Entry::Mark(mark));
        let after = self.mark;
        self.out.push(Action::Mark { after, bytes });
    }

    /// What the owner does after a tick: updates viewers, saves some rooms, and forgets old records. If it
    /// drains, it ends after a tick of its own, so that no input that was acknowledged before stays unplayed
    /// if there is no other host.
    pub(super) fn follow_up(&mut self) {
        let is_writing = |place: &Place<R>| place.saves.writing.is_some();
        if self.phase == Phase::Saving && !self.rooms.values().any(is_writing) {
            return self.end(End::Drained);
        }
        let pins = self.rooms.values().map(Place::pin);
        let floor = pins.fold(self.mark, u64::min);
        self.floor = self.floor.max(floor);
        for (name, place) in &mut self.rooms {
            for (viewers, sight) in place.show((self.epoch, self.tick)) {
                let bytes = wire::write(&sight);
                let topics = viewers
                    .into_iter()
                    .map(|viewer| wire::view_name(name, viewer));
                self.out.extend(topics.map(|topic| Action::Tell {
                    topic,
                    bytes: bytes.clone(),
                }));
            }
        }
        self.save();
        if self.tick.is_multiple_of(self.common.save_every) && !self.common.keep_log {
            let before = self.floor;
            self.out.push(Action::Forget { before });
        }
    }

    /// Saves rooms that are due: not all in the same tick, except if it drains.
    fn save(&mut self) {
        let (now, every) = (self.tick, self.common.save_every);
        for (name, place) in &mut self.rooms {
            let is_due = (now + place.progress.opened.wrapping_mul(7)).is_multiple_of(every);
            let saves = &mut place.saves;
            if is_due || self.phase == Phase::Draining {
                saves.overdue.get_or_insert(now);
            }
            let is_played = place.room.is_ok() && place.progress.at == self.mark;
            let is_free = is_played && saves.writing.is_none();
            let Some(since) = saves.overdue.filter(|_| is_free) else {
                continue;
            };
            let key = wire::save_key(self.shard, name, place.progress.opened, now);
            match place.save(&self.common.key, &key, self.floor) {
                Ok(bytes) => {
                    place.saves.overdue = None;
                    place.saves.writing = Some((now, self.mark));
                    self.out.push(Action::Save { key, bytes });
                }
                Err(reason) if now > since && (now - since).is_multiple_of(every) => {
                    let room = name.clone();
                    self.out
                        .push(Action::Note(Note::Failed(Error::Unsaved { room, reason })));
                }
                Err(_) => {}
            }
        }
        if self.phase == Phase::Draining {
            self.phase = Phase::Saving;
        }
    }

    /// Takes the list of saves, to remove those that are not needed.
    pub(crate) fn list(&mut self, saves: &[Cell]) {
        for cell in saves {
            let Some((name, opened, tick)) = wire::of_save_key(&cell.key) else {
                continue;
            };
            let saved: Option<Saved> = wire::unseal(&self.common.key, &cell.key, &cell.value);
            let place = self.rooms.get_mut(name);
            let place = place.filter(|place| place.progress.opened == opened);
            match (place, saved) {
                (Some(place), Some(saved)) => {
                    place.saves.known.insert((tick, saved.progress.at));
                }
                // Broken, or of a room that was closed: else its opening would still be to be read.
                _ if opened <= self.read_to => {
                    let key = cell.key.clone();
                    self.out.push(Action::Drop { key });
                }
                _ => {}
            }
        }
    }

    /// Takes the outcome of a write, also of one from an earlier epoch.
    pub(crate) fn written(&mut self, what: Written, outcome: &Result<u64, Error>) {
        match what {
            Written::Save(key) => self.saved(key, outcome),
            Written::Mark(after) if self.is_in_flight && after == self.mark && outcome.is_err() => {
                // Only the log says whether one of unknown outcome was written.
                (self.is_in_flight, self.is_at_end) = (false, false);
                if *outcome == Err(Error::Conflict) {
                    self.out.push(Action::Note(Note::Rejected));
                }
            }
            Written::Mark(_) => {} // it will be read
        }
    }

    /// Takes the outcome of a save. A cell that is there already has the same room after the same tick.
    fn saved(&mut self, key: String, outcome: &Result<u64, Error>) {
        let Some((room, opened, tick)) = wire::of_save_key(&key) else {
            return;
        };
        let place = self.rooms.get_mut(room);
        let Some(place) = place.filter(|place| place.progress.opened == opened) else {
            if self.epoch > 0 && opened <= self.read_to {
                self.out.push(Action::Drop { key }); // it was closed meanwhile
            }
            return;
        };
        let saves = &mut place.saves;
        let Some(save) = saves.writing.take_if(|save| save.0 == tick) else {
            return;
        };
        let is_saved = matches!(outcome, Ok(_) | Err(Error::Conflict));
        // One that was due meanwhile, or is to be repeated, could not be made before.
        let is_due = saves.overdue.is_some() || !is_saved;
        saves.overdue = is_due.then_some(self.tick);
        saves.known.extend(is_saved.then_some(save));
        while saves.known.len() > 2
            && let Some((tick, _)) = saves.known.pop_first()
        {
            let key = wire::save_key(self.shard, room, opened, tick);
            self.out.push(Action::Drop { key });
        }
    }

    /// A room has a viewer, which needs everything if it `joins`.
    pub(crate) fn ask(&mut self, room: &str, joins: Option<u64>) {
        if let Some(place) = self.rooms.get_mut(room) {
            place.ask(self.tick + SHOWN, joins);
        }
    }

    /// Saves all rooms, plays what was acknowledged meanwhile, and ends.
    pub(crate) fn drain(&mut self) {
        self.phase = self.phase.max(Phase::Draining);
    }
}
