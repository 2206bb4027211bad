//! What a seat does as the owner of its shard: marks, saves, and what viewers see.

use super::{Action, End, Note, SHOWN, Seat};
use crate::core::place::{Place, State};
use crate::core::wire::{self, Mark};
use crate::error::Error;
use crate::room::Room;
use crate::store::Cell;

/// How many times `save_every` ticks a room stays that has panicked.
const KEPT: u64 = 10;

impl<R: Room> Seat<R> {
    /// What the owner does after a tick: updates viewers, saves some rooms, and forgets old records.
    pub(super) fn follow_up(&mut self, out: &mut Vec<Action>) {
        if self.is_draining && self.is_drained() {
            return self.end(End::Drained, out);
        }
        let (tick, epoch, every) = (self.tick, self.epoch, self.common.save_every.max(1));
        let pins = self.rooms.values().map(Place::pin);
        self.floor = pins
            .min()
            .unwrap_or(self.mark)
            .min(self.mark)
            .max(self.floor);
        for (name, place) in &mut self.rooms {
            for (viewer, sight) in place.show((epoch, tick)) {
                out.push(Action::Show {
                    room: name.clone(),
                    viewer,
                    bytes: wire::write(&sight),
                });
            }
            // Not all in the same tick.
            place.is_overdue |= (tick + place.opened.wrapping_mul(7)).is_multiple_of(every);
        }
        self.save_overdue(out);
        if tick.is_multiple_of(every) && !self.common.keep_log {
            out.push(Action::Forget { before: self.floor });
        }
    }

    fn save_overdue(&mut self, out: &mut Vec<Action>) {
        for (name, place) in &mut self.rooms {
            if !place.is_overdue || place.saving.is_some() || !matches!(place.state, State::Live(_))
            {
                continue;
            }
            let (room, tick) = (name.clone(), place.tick);
            let key = wire::save_key(self.shard, name, place.opened, tick);
            let saved = place.save(&self.common.key, &key, self.floor);
            if let Err(reason) = &saved {
                let ticks = tick - *place.unsaved.get_or_insert(tick);
                if ticks > 0 && ticks.is_multiple_of(self.common.save_every.max(1)) {
                    let (room, reason) = (room.clone(), reason.clone());
                    out.push(Action::Note(Note::Failed(Error::Unsaved { room, reason })));
                }
            }
            if let Ok(bytes) = saved {
                (place.is_overdue, place.unsaved) = (false, None);
                place.saving = Some((tick, place.at));
                out.push(Action::Save {
                    room,
                    tick,
                    key,
                    bytes,
                });
            }
        }
    }

    /// Takes the list of saves, to remove those that are not needed.
    pub(crate) fn list(&mut self, saves: &[Cell], out: &mut Vec<Action>) {
        for cell in saves {
            let Some((name, opened, tick)) = wire::of_save_key(&cell.key) else {
                continue;
            };
            let at = Place::<R>::mark_of(&self.common.key, &cell.key, &cell.value);
            let place = self
                .rooms
                .get_mut(name)
                .filter(|place| place.opened == opened);
            match (place, at) {
                (Some(place), Some(at)) if place.saves.last() < Some(&(tick, at)) => {
                    place.saves.push((tick, at));
                }
                (Some(_), Some(_)) => {}
                // Broken, or of a room that was closed: else its opening would still be to be read.
                _ if opened <= self.read_to => out.push(Action::Drop {
                    key: cell.key.clone(),
                }),
                _ => {}
            }
        }
    }

    /// Takes the outcome of a save. A cell that is there already has the same room after the same tick.
    pub(crate) fn saved(
        &mut self,
        (room, key): (&str, String),
        outcome: &Result<u64, Error>,
        out: &mut Vec<Action>,
    ) {
        let tick = wire::of_save_key(&key).map(|(_, opened, tick)| (opened, tick));
        let place = self.rooms.get_mut(room);
        let place = place.filter(|place| tick.is_some_and(|(opened, _)| place.opened == opened));
        let Some(place) = place else {
            out.push(Action::Drop { key }); // it was closed meanwhile
            return;
        };
        let Some(save) = place
            .saving
            .take_if(|(at, _)| tick.is_some_and(|tick| tick.1 == *at))
        else {
            return;
        };
        if matches!(outcome, Ok(_) | Err(Error::Conflict)) {
            place.saves.push(save);
            while place.saves.len() > 2 {
                let (tick, _) = place.saves.remove(0);
                let key = wire::save_key(self.shard, room, place.opened, tick);
                out.push(Action::Drop { key });
            }
        } else {
            place.is_overdue = true;
        }
    }

    /// A tick is due.
    pub(crate) fn due(&mut self, out: &mut Vec<Action>) {
        if self.is_ended {
            return;
        }
        let is_behind = !self.is_at_end || self.in_flight.is_some() || self.is_behind_saves();
        if is_behind && self.waits < self.common.waits {
            self.waits += 1;
            out.push(Action::Read);
        } else if let Some(error) = self.unfit() {
            self.end(End::Unfit(error), out);
        } else if is_behind {
            let error = Error::Unknown(format!("`{}` cannot be read", self.log));
            self.end(End::Unfit(error), out);
        } else if self.epoch == 0 {
            self.follow(out);
        } else if !self.rooms.is_empty() || self.read_to > self.mark {
            let kept = self.common.save_every.saturating_mul(KEPT);
            let mark = Mark {
                epoch: self.epoch,
                tick: self.tick + 1,
                owner: self.common.me.clone(),
                sums: self
                    .rooms
                    .values()
                    .map(|place| place.marked(kept))
                    .collect(),
            };
            self.in_flight = Some(mark.tick);
            let about = format!("mark/{}", self.log);
            let bytes = wire::seal(&self.common.key, &about, &wire::write(&mark));
            out.push(Action::Mark {
                tick: mark.tick,
                after: self.mark,
                bytes,
            });
        } else if self.is_draining {
            self.end(End::Drained, out);
        }
    }

    /// Says when it has caught up, and when the owner ought to have marked.
    fn follow(&mut self, out: &mut Vec<Action>) {
        let is_idle = self.rooms.is_empty() && self.read_to <= self.mark;
        self.silence = if is_idle { 0 } else { self.silence + 1 };
        let is_silent = self
            .silence
            .checked_div(self.common.standby)
            .is_some_and(|times| times > 0);
        let is_again = is_silent && self.silence.is_multiple_of(self.common.standby);
        if is_again || self.said_silent != Some(is_silent) {
            self.said_silent = Some(is_silent);
            out.push(Action::Follow { is_silent });
        }
    }

    /// Whether a save is of a later tick than the last record read.
    fn is_behind_saves(&self) -> bool {
        self.rooms.values().any(|place| place.at > self.read_to)
    }

    /// Why this replica cannot be the owner.
    fn unfit(&self) -> Option<Error> {
        if let Some((room, reason)) = self.unloaded.first_key_value() {
            let (room, reason) = (room.clone(), reason.clone());
            return Some(Error::NoSave { room, reason });
        }
        self.rooms
            .iter()
            .find_map(|(name, place)| match &place.state {
                State::Unfit(error) => Some(error.clone()),
                _ if place.at > self.read_to => Some(Error::LogGone { room: name.clone() }),
                _ => None,
            })
    }

    /// Takes the outcome of a mark. Only the log says whether one of unknown outcome was written.
    pub(crate) fn marked(
        &mut self,
        tick: u64,
        outcome: &Result<u64, Error>,
        out: &mut Vec<Action>,
    ) {
        if self.in_flight != Some(tick) || outcome.is_ok() {
            return; // it will be read
        }
        self.in_flight = None;
        self.is_at_end = false;
        if *outcome == Err(Error::Conflict) {
            out.push(Action::Note(Note::Rejected));
        }
        out.push(Action::Read);
    }

    /// A room has a viewer, which needs everything if it `joins`.
    pub(crate) fn ask(&mut self, room: &str, joins: Option<u64>) {
        if let Some(place) = self.rooms.get_mut(room) {
            place.ask(self.tick + SHOWN, joins);
        }
    }

    /// Saves all rooms, plays what was acknowledged meanwhile, and ends.
    pub(crate) fn drain(&mut self) {
        self.is_draining = true;
    }

    /// Whether all rooms were saved since it drains. It ends after a tick of its own, so that no input that
    /// was acknowledged before stays unplayed if there is no other host.
    fn is_drained(&mut self) -> bool {
        if std::mem::replace(&mut self.has_saved_all, true) {
            return self.rooms.values().all(|place| place.saving.is_none());
        }
        for place in self.rooms.values_mut() {
            let last = place.saves.last().map_or(0, |save| save.0);
            place.is_overdue |= place.tick > last;
        }
        false
    }
}
