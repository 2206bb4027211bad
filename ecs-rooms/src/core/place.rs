//! A room in its shard: its state, its inputs, its saves, its viewers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use super::roster::{Outcome, Reason};
use super::wire::{self, BROKEN, Build, Input, Key, Mark, PAUSED, Progress, Saved, Sight};
use crate::bounded;
use crate::client::{Guarded, shielded};
use crate::error::Error;
use crate::room::{Opening, Room, Turn};
use crate::store::Cell;

/// The most inputs of one tick. What is beyond is rejected by all replicas alike.
const MOST_INPUTS: usize = 16_384;
/// How many ticks are measured.
const MOST_TIMES: usize = 100;
/// The most viewers that join in one tick.
const MOST_JOINING: usize = 1_024;

pub(crate) struct Place<R: Room> {
    /// If it is not played, the reason: either it has panicked, on each replica alike, or only this
    /// replica cannot play it.
    pub(crate) room: Result<Guarded<R>, Error>,
    pub(crate) progress: Progress,
    /// The mark before the record that opened it; of a save, the first record that is needed.
    pub(crate) since: u64,
    /// A second room that plays the same ticks since the last save.
    copy: Option<Guarded<R>>,
    /// Inputs of the next tick. They are read by the version that plays it.
    inputs: Vec<Input>,
    /// Outcomes since the last mark, with their players.
    outcomes: Vec<(u64, (u64, u64, Outcome))>,
    pub(crate) saves: Saves,
    viewers: Viewers,
    has_panicked: bool,
    /// How long the last ticks took.
    pub(crate) times: VecDeque<Duration>,
    /// The room is that of a save, and the log has ticks after it that this replica cannot play: why, and the
    /// inputs of these ticks.
    pub(crate) stale: Option<Error>,
    pub(crate) tail: Vec<(u64, (u64, u64))>,
    /// The mark of the last tick that was played, here or not. Of a save that cannot be loaded, the one it was made after.
    pub(crate) played: u64,
    /// The result, if the owner knows that the room is over, and whether it is stored.
    pub(crate) result: Option<Vec<u8>>,
    pub(crate) is_stored: bool,
    /// The result or a save that is being written.
    pub(crate) writing: Writing,
    /// If it is not played any more, because the owner hands it over: its save, sealed.
    pub(crate) handed_over: Option<Vec<u8>>,
}

#[derive(Default)]
pub(crate) struct Saves {
    /// The marks of those that are known to be there, with the ticks from which on they count.
    pub(crate) known: BTreeMap<u64, u64>,
    /// The tick after which one was due that could not be made yet.
    pub(crate) overdue: Option<u64>,
}

/// A write of the owner, which is repeated until the store takes it.
#[derive(Default)]
pub(crate) struct Writing {
    pub(crate) is_on_its_way: bool,
    /// How many times in a row the store has rejected it, and the tick until which it waits.
    failed: u32,
    not_before: u64,
}

impl Writing {
    pub(crate) fn is_ready(&self, tick: u64) -> bool {
        !self.is_on_its_way && tick >= self.not_before
    }

    /// Takes the outcome after a tick. Each time it waits twice as long, but not longer than `most`.
    pub(crate) fn end(&mut self, is_written: bool, tick: u64, most: u64) {
        self.is_on_its_way = false;
        self.failed = if is_written { 0 } else { self.failed + 1 };
        let pause = 1 << self.failed.min(16);
        self.not_before = tick + most.min(pause) * u64::from(!is_written);
    }
}

impl Saves {
    /// The last but one of those that count.
    pub(crate) fn before_last(&self, tick: u64) -> Option<u64> {
        let count = self.known.iter().rev().filter(|(_, from)| **from <= tick);
        count.map(|(at, _)| *at).nth(1)
    }
}

#[derive(Default)]
struct Viewers {
    /// The tick until which they get deltas.
    until: u64,
    /// Whether there was a delta; the first is everything.
    are_shown: bool,
    /// Those that need everything.
    joining: BTreeSet<u64>,
}

/// Runs code of a room. The outer error is a panic.
fn run<T>(
    call: impl FnOnce() -> Result<T, Box<dyn std::error::Error>>,
) -> Result<Result<T, String>, ()> {
    shielded(|| call().map_err(|error| error.to_string()))
}

fn sum_of<R: Room>(room: &mut R) -> u64 {
    room.checksum().max(PAUSED + 1)
}

/// Reads an input, of this version or an earlier one.
pub(crate) fn read_input<R: Room>(input: &Input) -> Result<R::Input, Reason> {
    let (build, Build { game, version }) = (Build::of::<R>(), input.build);
    if game != build.game {
        return Err(Reason::OtherGame);
    }
    if version > build.version {
        return Err(Reason::OtherVersion);
    }
    let (read, reason) = match version == build.version {
        true => (shielded(|| bounded::read(&input.bytes)), Reason::Unreadable),
        false => (
            shielded(|| R::upgrade(version, &input.bytes)),
            Reason::OtherVersion,
        ),
    };
    read.ok().flatten().ok_or(reason)
}

/// Loads what this version or an earlier one has saved.
pub(crate) fn load<R: Room>(version: u32, state: &[u8]) -> Result<R, Box<dyn std::error::Error>> {
    match Build::of::<R>().version {
        present if version == present => R::load(state),
        present if version < present => R::migrate(version, state),
        present => Err(format!("it is of version {version}, this is version {present}").into()),
    }
}

impl<R: Room> Place<R> {
    /// A room that record `opened` opens.
    pub(crate) fn new(name: &str, opening: &Opening, opened: u64) -> Self {
        let made = shielded(|| {
            let mut room = Guarded::new(R::new(opening));
            (sum_of(&mut *room), room)
        });
        let (room, tick) = (name.to_owned(), 0);
        let panicked = |()| (BROKEN, Err(Error::Panicked { room, tick }));
        let (sum, room) = made.map_or_else(panicked, |(sum, room)| (sum, Ok(room)));
        Self::around(room, Progress::new(opened, sum))
    }

    /// A room whose save is not there any more.
    pub(crate) fn lost(name: &str, opened: u64) -> Self {
        let room = name.to_owned();
        let lost = Err(Error::LogGone { room });
        Self::around(lost, Progress::new(opened, BROKEN))
    }

    /// The room of a save that record `opened` opened, and the floor of its log.
    pub(crate) fn load(key: &Key, name: &str, opened: u64, cell: &Cell) -> (Self, u64) {
        match Self::try_load(key, name, cell) {
            Ok((room, saved)) => {
                let mut place = Self::around(Ok(room), saved.progress);
                place.since = saved.floor;
                (place, saved.floor)
            }
            Err(lost) => {
                let mut place = Self::around(Err(lost), Progress::new(opened, BROKEN));
                // The marks since the saved one know the room, or it was closed.
                place.played = wire::of_save_key(&cell.key).map_or(opened, |(.., at)| at);
                (place, 0)
            }
        }
    }

    fn around(room: Result<Guarded<R>, Error>, progress: Progress) -> Self {
        Self {
            stale: None,
            tail: Vec::new(),
            played: progress.at,
            since: progress.opened,
            result: None,
            is_stored: false,
            writing: Writing::default(),
            handed_over: None,
            room,
            progress,
            copy: None,
            inputs: Vec::new(),
            outcomes: Vec::new(),
            saves: Saves::default(),
            viewers: Viewers::default(),
            has_panicked: false,
            times: VecDeque::new(),
        }
    }

    fn try_load(key: &Key, name: &str, cell: &Cell) -> Result<(Guarded<R>, Saved), Error> {
        let room = || name.to_owned();
        let no_save = |reason: &str| Error::NoSave {
            room: room(),
            reason: reason.to_owned(),
        };
        let saved: Option<Saved> = wire::unseal(key, &cell.key, &cell.value);
        let mut saved = saved.ok_or_else(|| no_save("it is damaged, or its seal is wrong"))?;
        let (version, present) = (saved.build.version, Build::of::<R>().version);
        if version > present {
            let room = room();
            return Err(Error::OtherVersion { room, version });
        }
        let loaded = run(|| {
            let mut room = Guarded::new(load::<R>(version, &saved.state)?);
            Ok((sum_of(&mut *room), room))
        });
        let loaded = loaded.unwrap_or_else(|()| Err("loading it panicked".to_owned()));
        let (sum, loaded) = loaded.map_err(|reason| match version == present {
            true => no_save(&reason),
            false => Error::NoMigration {
                room: room(),
                version,
                reason,
            },
        })?;
        // A newer version begins checksums of its own.
        if version == present && sum != saved.progress.sum {
            return Err(no_save("it has another checksum once it is loaded"));
        }
        saved.progress.sum = sum;
        Ok((loaded, saved))
    }

    /// The room as bytes, sealed for this cell, or why it cannot be saved at present. `is_verified` says whether a copy
    /// of it plays the next ticks, too.
    pub(crate) fn save(
        &mut self,
        (key, cell): (&Key, &str),
        floor: u64,
        is_verified: bool,
    ) -> Result<Vec<u8>, String> {
        if let Some(bytes) = &self.handed_over {
            return Ok(bytes.clone()); // later inputs are known by now, but not in this save
        }
        let saved = Saved {
            build: Build::of::<R>(),
            progress: self.progress.clone(),
            floor,
            state: self.call(R::save)?,
        };
        let load = || run(|| Ok(Guarded::new(R::load(&saved.state)?))).ok()?.ok();
        self.copy = is_verified.then(load).flatten();
        Ok(wire::seal(key, cell, &saved))
    }

    /// Calls the owner's room outside of a tick. If that panics, the next mark says that it is broken.
    pub(crate) fn call<T>(
        &mut self,
        call: impl FnOnce(&mut R) -> Result<T, Box<dyn std::error::Error>>,
    ) -> Result<T, String> {
        let room = self.room.as_mut().map_err(|error| error.to_string())?;
        run(|| call(room)).unwrap_or_else(|()| {
            self.has_panicked = true;
            Err("it panicked".to_owned())
        })
    }

    /// Breaks a room of the owner that has panicked outside of a tick.
    pub(crate) fn broken(&mut self, name: &str) -> Option<Error> {
        let is_broken = std::mem::take(&mut self.has_panicked) && self.room.is_ok();
        is_broken.then(|| self.break_off(name))
    }

    pub(crate) fn break_off(&mut self, name: &str) -> Error {
        let (room, tick) = (name.to_owned(), self.progress.tick);
        let error = Error::Panicked { room, tick };
        (self.room, self.progress.sum) = (Err(error.clone()), BROKEN);
        error
    }

    /// Ends the room. Returns whether that did not panic.
    pub(crate) fn release(self) -> bool {
        self.room.map_or(true, Guarded::release)
    }

    /// Keeps an input for the next tick, or rejects it. Returns whether it means anything: not if it is
    /// repeated.
    pub(crate) fn input(&mut self, input: Input) -> bool {
        let of = (input.connection, input.number);
        let tick = self.progress.tick;
        let rejected = match self.progress.roster.admit(&input, tick) {
            Err(None) => {
                // The player may not know its outcome.
                let outcomes = self.progress.roster.repeat(input.player, of).into_iter();
                let outcomes = outcomes.map(|outcome| (input.player, outcome));
                self.outcomes.extend(outcomes);
                return false;
            }
            Err(reason) => reason,
            Ok(()) => {
                self.progress.presence.hear(input.player, of.0, tick);
                (self.inputs.len() >= MOST_INPUTS).then_some(Reason::TooMany)
            }
        };
        match rejected {
            Some(reason) => self.settle(input.player, of, Outcome::Rejected(reason)),
            None => self.inputs.push(input),
        }
        true
    }

    fn settle(&mut self, player: u64, of: (u64, u64), outcome: Outcome) {
        self.progress.roster.settle(player, of, outcome);
        self.outcomes.push((player, (of.0, of.1, outcome)));
    }

    /// Takes outcomes since the last mark, with the name of the room.
    pub(crate) fn take_outcomes(
        &mut self,
        name: &str,
    ) -> impl Iterator<Item = (String, u64, (u64, u64, Outcome))> + use<'_, R> {
        let (name, outcomes) = (name.to_owned(), std::mem::take(&mut self.outcomes));
        let named = move |(player, outcome)| (name.clone(), player, outcome);
        outcomes.into_iter().map(named)
    }

    /// The room is closed before its next tick: no input that waits is played.
    pub(crate) fn reject_all(&mut self) {
        for input in std::mem::take(&mut self.inputs) {
            let of = (input.connection, input.number);
            self.settle(input.player, of, Outcome::Rejected(Reason::Closed));
        }
    }

    /// Whether no mark is known to have played it since the record that opened it.
    pub(crate) fn is_new(&self) -> bool {
        self.played == self.progress.opened
    }

    /// Whether record `number` opens this room, whose save cannot be loaded: so its log is whole.
    pub(crate) fn begins_at(&self, number: u64) -> bool {
        matches!(self.room, Err(Error::NoSave { .. })) && self.progress.opened == number
    }

    /// Compares the room with a mark, and plays the tick that the mark ends. Returns why it is not played
    /// any further.
    pub(crate) fn step(&mut self, name: &str, mark: &Mark, at: u64) -> Option<Error> {
        let is_next = self.is_new() || self.progress.tick + 1 == mark.tick;
        self.progress.tick = mark.tick;
        self.progress.roster.tell_time(mark.now);
        let sum = mark.sums.get(&self.progress.opened).copied();
        let Some(sum) = sum.filter(|sum| *sum != PAUSED) else {
            return None; // it has just been opened, or inputs wait
        };
        self.played = at;
        if let Some(from) = mark.resumed.get(&self.progress.opened) {
            self.resume(name, *from);
        }
        let failed = self.judge(name, mark, sum, is_next);
        match &failed {
            None => {}
            Some(error @ (Error::Differs { .. } | Error::OtherVersion { .. })) => {
                self.stale = Some(error.clone());
            }
            Some(error) => (self.room, self.progress.sum) = (Err(error.clone()), BROKEN),
        }
        if self.stale.is_some() && sum != BROKEN {
            let inputs = std::mem::take(&mut self.inputs).into_iter();
            let of = inputs.map(|input| (input.player, (input.connection, input.number)));
            self.tail.extend(of);
            return failed;
        }
        if self.stale.take().is_some() {
            // It has panicked after ticks that are not played here, in which these may have been played.
            for (player, of) in self.take_tail() {
                self.settle(player, of, Outcome::Rejected(Reason::Forgotten));
            }
        }
        self.progress.at = at;
        let panicked = self.play(name, mark.tick);
        failed.or(panicked)
    }

    /// Notes how long a tick took. Returns whether that is too long.
    pub(crate) fn took(&mut self, time: Duration, budget: Duration) -> bool {
        if self.times.len() == MOST_TIMES {
            self.times.pop_front();
        }
        self.times.push_back(time);
        time > budget
    }

    /// Why a tick cannot be played, before which the room should have this checksum.
    fn judge(&self, name: &str, mark: &Mark, sum: u64, is_next: bool) -> Option<Error> {
        let (room, tick, version) = (name.to_owned(), mark.tick, mark.build.version);
        match &self.room {
            Err(Error::Panicked { .. }) => None,
            _ if sum == BROKEN => Some(Error::Panicked { room, tick }),
            Err(_) => None,
            Ok(_) if self.stale.is_some() => None,
            Ok(_) if !is_next => Some(Error::LogGone { room }),
            Ok(_) if version != Build::of::<R>().version => {
                Some(Error::OtherVersion { room, version })
            }
            Ok(_) if sum != self.progress.sum => Some(Error::Differs { room, tick }),
            Ok(_) => None,
        }
    }

    /// Goes on from the save after a mark: the inputs that were played later are lost.
    fn resume(&mut self, name: &str, from: u64) {
        if self.progress.at < from && self.stale.is_some() {
            return; // that save is damaged, and this one is older: it is not played here either
        }
        if self.progress.at != from && self.room.is_ok() {
            let room = name.to_owned();
            self.room = Err(Error::LogGone { room });
        }
        self.stale = None;
        for (player, of) in self.take_tail() {
            self.settle(player, of, Outcome::Rejected(Reason::Lost));
            self.progress.roster.lose(player, of);
        }
    }

    /// Takes the inputs of ticks that were not played here, and with them all that has no outcome and waits for no tick: a
    /// replica that follows leaves the outcomes of ticks to their owner, which may have died before it sent them.
    fn take_tail(&mut self) -> BTreeSet<(u64, (u64, u64))> {
        let of = |input: &Input| (input.player, (input.connection, input.number));
        let waiting: BTreeSet<_> = self.inputs.iter().map(of).collect();
        let tail = std::mem::take(&mut self.tail).into_iter();
        let undecided = self.progress.roster.undecided();
        tail.chain(undecided.filter(|it| !waiting.contains(it)))
            .collect()
    }

    /// Plays a tick, and decides its inputs. Returns whether the room has panicked.
    fn play(&mut self, name: &str, tick: u64) -> Option<Error> {
        let (inputs, mut played) = (std::mem::take(&mut self.inputs), Vec::new());
        let (mut read, mut again) = (Guarded::new(Vec::new()), Guarded::new(Vec::new()));
        for input in inputs {
            let of = (input.player, (input.connection, input.number));
            let copied = self
                .copy
                .as_ref()
                .and_then(|_| self.read_input(&input).ok());
            again.extend(copied.map(|copied| (of.0, copied)));
            match self.read_input(&input) {
                Ok(input) => {
                    read.push((of.0, input));
                    played.push(of);
                }
                Err(reason) => self.settle(of.0, of.1, Outcome::Rejected(reason)),
            }
        }
        let players = self.progress.presence.take(tick);
        let turn = |inputs| Turn {
            tick,
            players: players.clone(),
            inputs,
        };
        let failed = self.run_tick(name, turn(read.into_inner()));
        let outcome = match failed.is_none() {
            true => Outcome::Played { tick },
            false => Outcome::Rejected(Reason::Panicked),
        };
        for (player, of) in played {
            self.settle(player, of, outcome);
        }
        failed.or_else(|| self.verify(name, turn(again.into_inner())))
    }

    fn run_tick(&mut self, name: &str, turn: Turn<R::Input>) -> Option<Error> {
        let (tick, turn) = (turn.tick, Guarded::new(turn));
        let room = self.room.as_mut().ok()?;
        let sum = shielded(|| {
            room.tick(turn.into_inner());
            sum_of(&mut **room)
        });
        self.progress.sum = sum.unwrap_or(BROKEN);
        let room = name.to_owned();
        let error = sum.err().map(|()| Error::Panicked { room, tick })?;
        self.room = Err(error.clone());
        Some(error)
    }

    /// Plays the tick with the copy. Returns how that differs from the room; then the copy is not played any further.
    fn verify(&mut self, name: &str, turn: Turn<R::Input>) -> Option<Error> {
        let (mut copy, turn) = (self.copy.take()?, Guarded::new(turn));
        let (room, tick) = (self.room.as_mut().ok()?, self.progress.tick);
        let part = shielded(|| {
            copy.tick(turn.into_inner());
            let is_equal = sum_of(&mut *copy) == self.progress.sum;
            (!is_equal).then(|| room.difference(&mut copy).unwrap_or_default())
        });
        let part = part.unwrap_or_else(|()| Some("the copy panicked".to_owned()));
        let Some(part) = part else {
            self.copy = Some(copy);
            return None;
        };
        let room = name.to_owned();
        Some(Error::Nondeterministic { room, tick, part })
    }

    fn read_input(&self, input: &Input) -> Result<R::Input, Reason> {
        match self.room {
            Err(Error::Panicked { .. }) => Err(Reason::Panicked),
            _ => read_input::<R>(input),
        }
    }

    /// Returns the room's entry in the next mark, unless it is closed. A broken room is closed after `kept` ticks: it is no longer
    /// saved, so the log since its last save could never be forgotten.
    pub(crate) fn marked(&mut self, kept: u64) -> Option<(u64, u64)> {
        let Progress { opened, tick, .. } = self.progress;
        if self.result.is_none() && self.stale.is_none() {
            self.result = self.call(|room| Ok(room.result())).ok().flatten();
        }
        let sum = match self.room {
            Err(Error::Panicked { tick: last, .. }) if tick - last > kept => return None,
            _ if self.handed_over.is_some() => PAUSED,
            Ok(_) if self.is_stored => return None,
            Ok(_) if self.result.is_some() => PAUSED,
            _ => self.progress.sum,
        };
        Some((opened, sum))
    }

    /// Returns the save that the room goes on from if the log has later ticks.
    pub(crate) fn resumed(&self) -> Option<(u64, u64)> {
        let is_resumed = self.stale.is_some() && self.room.is_ok();
        is_resumed.then_some((self.progress.opened, self.progress.at))
    }

    /// Lets viewers get deltas until a tick, and one of them everything.
    pub(crate) fn ask(&mut self, until: u64, joins: Option<u64>) {
        self.viewers.until = until;
        if self.viewers.joining.len() < MOST_JOINING {
            self.viewers.joining.extend(joins);
        }
    }

    /// Returns what viewers get after a tick: all of them (`None`), and those that join.
    pub(crate) fn show(&mut self, (epoch, tick): (u64, u64)) -> Vec<(Vec<Option<u64>>, Sight)> {
        let joining = std::mem::take(&mut self.viewers.joining).into_iter();
        if self.room.is_err() || tick > self.viewers.until {
            return Vec::new();
        }
        let is_first = !std::mem::replace(&mut self.viewers.are_shown, true);
        let late = joining.filter(|_| !is_first).map(Some).collect();
        let to_all = (false, vec![None]);
        let mut shown = Vec::new();
        for (everything, viewers) in [to_all, (true, late)] {
            if !viewers.is_empty()
                && let Ok(delta) = self.call(|room| room.delta(everything))
            {
                let everything = everything || is_first;
                let sight = Sight {
                    epoch,
                    tick,
                    everything,
                    part: (0, 1),
                    delta,
                };
                shown.push((viewers, sight));
            }
        }
        shown
    }

    /// The first record that is still needed to load the room again, by the save before the last.
    pub(crate) fn pin(&self, tick: u64) -> u64 {
        let before_last = self.saves.before_last(tick);
        before_last.unwrap_or(self.since)
    }
}
