//! A room in its shard: its state, its inputs, its saves.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::wire::{self, BROKEN, CLOSED, Key, Saved, Sight, VERSION};
use crate::error::Error;
use crate::room::Room;

/// The most players that a room listens to, and the most inputs of one tick. What is beyond is skipped
/// by all replicas alike.
pub(crate) const MOST_PLAYERS: usize = 4_096;
pub(crate) const MOST_INPUTS: usize = 16_384;
/// The most viewers that join in one tick.
const MOST_JOINING: usize = 1_024;

/// Whether a room can be played.
pub(crate) enum State<R> {
    Live(R),
    /// It has panicked: the same on each replica, and in the log.
    Broken,
    /// This replica cannot play it; another one may.
    Unfit(Error),
}

pub(crate) struct Place<R: Room> {
    pub(crate) state: State<R>,
    /// The number of the record that opened it.
    pub(crate) opened: u64,
    pub(crate) tick: u64,
    /// The number of the last record that it knows: the mark of `tick`, or the record that opened it.
    pub(crate) at: u64,
    pub(crate) sum: u64,
    /// The last number of each player at the last mark, and since.
    players: BTreeMap<u64, u64>,
    since: BTreeMap<u64, u64>,
    inputs: Vec<(u64, R::Input)>,
    /// What its save said of records that no room of the shard needs: those before this one.
    pub(crate) floor: u64,
    /// Tick and mark of the saves that are known to be there, oldest first.
    pub(crate) saves: Vec<(u64, u64)>,
    /// The save that is being written.
    pub(crate) saving: Option<(u64, u64)>,
    /// A save is due and could not be made yet.
    pub(crate) is_overdue: bool,
    /// The first tick of those in a row after which it could not be saved.
    pub(crate) unsaved: Option<u64>,
    /// For how many ticks it has been broken.
    broken: u64,
    /// The tick until which viewers get deltas.
    shown_until: u64,
    /// Whether they have got one, of which the first is everything.
    is_shown: bool,
    /// The viewers that need everything.
    joining: BTreeSet<u64>,
}

/// Runs code of the room; `None` if it panics.
fn run<T>(call: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(call)).ok()
}

fn sum_of<R: Room>(room: &mut R) -> u64 {
    room.checksum().max(CLOSED + 1)
}

impl<R: Room> Place<R> {
    /// A room that record `opened` opens.
    pub(crate) fn new(seed: u64, opened: u64) -> Self {
        let made = run(|| {
            let mut room = R::new(seed);
            let sum = sum_of(&mut room);
            (State::Live(room), sum)
        });
        let (state, sum) = made.unwrap_or((State::Broken, BROKEN));
        Self::around(state, sum, opened)
    }

    fn around(state: State<R>, sum: u64, opened: u64) -> Self {
        Self {
            state,
            opened,
            tick: 0,
            at: opened,
            sum,
            players: BTreeMap::new(),
            since: BTreeMap::new(),
            inputs: Vec::new(),
            floor: 0,
            saves: Vec::new(),
            saving: None,
            is_overdue: false,
            unsaved: None,
            broken: 0,
            shown_until: 0,
            is_shown: false,
            joining: BTreeSet::new(),
        }
    }

    /// The room of a sealed save, or why it cannot be loaded.
    pub(crate) fn load(key: &Key, name: &str, sealed: &[u8]) -> Result<Self, String> {
        let bytes = wire::unseal(key, name, sealed).ok_or("the seal is wrong")?;
        let saved: Saved = wire::read(bytes).ok_or("the bytes are no save")?;
        if saved.version != VERSION {
            return Err(format!("it has format {}, not {VERSION}", saved.version));
        }
        let loaded = run(|| -> Result<_, String> {
            let mut room = R::load(&saved.state).map_err(|error| error.to_string())?;
            let sum = sum_of(&mut room);
            Ok((room, sum))
        });
        let (room, sum) = loaded.ok_or("loading it panicked")??;
        if sum != saved.sum {
            return Err("it has another checksum once it is loaded".to_owned());
        }
        let mut place = Self::around(State::Live(room), sum, saved.opened);
        (place.tick, place.at, place.floor) = (saved.tick, saved.at, saved.floor);
        place.players = saved.players.into_iter().collect();
        Ok(place)
    }

    /// The number of the mark of a sealed save.
    pub(crate) fn mark_of(key: &Key, name: &str, sealed: &[u8]) -> Option<u64> {
        let saved: Saved = wire::read(wire::unseal(key, name, sealed)?)?;
        Some(saved.at)
    }

    /// The room as bytes, sealed, or why it cannot be saved at present.
    pub(crate) fn save(&mut self, key: &Key, name: &str, floor: u64) -> Result<Vec<u8>, String> {
        let State::Live(room) = &mut self.state else {
            return Err("it is not played".to_owned());
        };
        let saved = run(|| room.save().map_err(|error| error.to_string()));
        let state = saved.unwrap_or_else(|| Err("saving it panicked".to_owned()))?;
        let saved = Saved {
            version: VERSION,
            opened: self.opened,
            tick: self.tick,
            at: self.at,
            floor,
            sum: self.sum,
            players: self
                .players
                .iter()
                .map(|(&player, &last)| (player, last))
                .collect(),
            state,
        };
        Ok(wire::seal(key, name, &wire::write(&saved)))
    }

    /// Keeps an input for the next tick, unless it is repeated, broken, or too many.
    pub(crate) fn input(&mut self, player: u64, number: u64, bytes: &[u8]) -> bool {
        let last = self
            .since
            .get(&player)
            .or(self.players.get(&player))
            .copied();
        let is_room = last.is_some() || self.players.len() + self.since.len() < MOST_PLAYERS;
        if number <= last.unwrap_or(0) || !is_room || self.inputs.len() >= MOST_INPUTS {
            return false;
        }
        let Some(input) = run(|| wire::read(bytes)).flatten() else {
            return false;
        };
        self.since.insert(player, number);
        self.inputs.push((player, input));
        true
    }

    /// Whether no mark has been read since the record that opened it.
    pub(crate) fn is_new(&self) -> bool {
        self.at == self.opened
    }

    /// Whether it is only a save of a room that was closed: the log after it was forgotten, and record
    /// `number` opens a room of that name.
    pub(crate) fn is_stale(&self, number: u64) -> bool {
        self.at < number && matches!(self.state, State::Unfit(Error::LogGone { .. }))
    }

    /// Compares the room with a mark, and plays the tick that the mark ends.
    pub(crate) fn step(&mut self, name: &str, (tick, at): (u64, u64), sum: Option<u64>) {
        let room = || name.to_owned();
        let inputs = std::mem::take(&mut self.inputs);
        self.players.append(&mut self.since);
        let is_next = self.is_new() || self.tick + 1 == tick;
        match &mut self.state {
            State::Live(_) if !is_next => {
                self.state = State::Unfit(Error::LogGone { room: room() })
            }
            State::Live(_) if sum == Some(BROKEN) => self.state = State::Broken,
            State::Live(_) if sum.is_some_and(|sum| sum != self.sum) => {
                self.state = State::Unfit(Error::Differs { room: room(), tick });
            }
            State::Live(room) => {
                let played = run(|| {
                    room.tick(inputs);
                    sum_of(room)
                });
                match played {
                    Some(sum) => self.sum = sum,
                    None => self.state = State::Broken,
                }
            }
            State::Unfit(_) if sum == Some(BROKEN) => self.state = State::Broken,
            State::Broken | State::Unfit(_) => {}
        }
        if !matches!(self.state, State::Live(_)) {
            self.sum = BROKEN;
        }
        self.broken += u64::from(matches!(self.state, State::Broken));
        (self.tick, self.at) = (tick, at);
    }

    /// Returns the room's entry in the next mark. A broken room is closed after `kept` ticks: it is no longer
    /// saved, so the log since its last save could never be forgotten.
    pub(crate) fn marked(&self, kept: u64) -> (u64, u64) {
        let is_over = self.broken > kept;
        (self.opened, if is_over { CLOSED } else { self.sum })
    }

    /// Lets viewers get deltas until a tick, and one of them everything.
    pub(crate) fn ask(&mut self, until: u64, joins: Option<u64>) {
        self.shown_until = until;
        if self.joining.len() < MOST_JOINING {
            self.joining.extend(joins);
        }
    }

    /// Returns what all viewers get after a tick, and what each of those gets that join.
    pub(crate) fn show(&mut self, (epoch, tick): (u64, u64)) -> Vec<(Option<u64>, Sight)> {
        let joining = std::mem::take(&mut self.joining);
        let State::Live(room) = &mut self.state else {
            return Vec::new();
        };
        if tick > self.shown_until {
            return Vec::new();
        }
        let mut sight = |everything| {
            let delta = run(|| room.delta(everything).ok()).flatten()?;
            Some(Sight {
                epoch,
                tick,
                everything,
                delta,
            })
        };
        let mut changes = sight(false);
        let joined = match self.is_shown && !joining.is_empty() {
            true => sight(true),
            false => None, // the first is everything
        };
        if let Some(first) = changes.as_mut().filter(|_| !self.is_shown) {
            first.everything = true;
            self.is_shown = true;
        }
        let mut shown: Vec<_> = changes.into_iter().map(|sight| (None, sight)).collect();
        for viewer in joining {
            shown.extend(joined.clone().map(|sight| (Some(viewer), sight)));
        }
        shown
    }

    /// The first record that is still needed to load the room again, by the save before the last.
    pub(crate) fn pin(&self) -> u64 {
        let before_last = self.saves.len().checked_sub(2);
        before_last.map_or(self.opened, |place| self.saves[place].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::simulation::room::Tally;

    /// Who gets what after a tick, and whether the room made it of everything.
    fn shown(place: &mut Place<Tally>, tick: u64) -> Vec<(Option<u64>, bool, bool)> {
        let shown = place.show((1, tick)).into_iter();
        let lines = shown.map(|(viewer, sight)| (viewer, sight.everything, sight.delta == [1]));
        lines.collect()
    }

    #[test]
    fn only_a_viewer_that_joins_late_gets_everything() {
        let mut place = Place::<Tally>::new(1, 1);
        assert_eq!(shown(&mut place, 1), [], "there is no viewer");
        place.ask(3, Some(7));
        assert_eq!(
            shown(&mut place, 2),
            [(None, true, false)],
            "the first delta"
        );
        place.ask(4, None);
        place.ask(4, Some(9));
        place.ask(4, Some(8));
        let late = [(Some(8), true, true), (Some(9), true, true)];
        let all = [&[(None, false, false)][..], &late].concat();
        assert_eq!(shown(&mut place, 3), all);
        assert_eq!(shown(&mut place, 4), [(None, false, false)]);
        assert_eq!(shown(&mut place, 5), [], "the viewers are gone");
    }
}
