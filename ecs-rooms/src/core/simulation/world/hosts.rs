//! What hosts do, as in `host/`, and how the network disturbs it.

use std::time::Duration;

use super::{BEAT, END, SHARDS, TICK, World};
use crate::core::keeper::{Duty, Order, Report};
use crate::core::place::Place;
use crate::core::seat::{Action, End, Follows, Note, Seat};
use crate::core::simulation::engine::Write;
use crate::core::simulation::room::Tally;
use crate::core::simulation::room::play_as;
use crate::core::wire::{self, Claim};
use crate::error::Error;
use crate::store::{Cell, Record};

/// How many records are read at once.
const BATCH: usize = 8;

impl World {
    pub(super) fn run_host(&mut self, host: usize) {
        self.at_host(host, 0, move |world| world.beat(host));
        self.at_host(host, 5, move |world| world.tick(host));
        self.at_host(host, 9, move |world| world.read_all(host));
    }

    fn beat(&mut self, host: usize) {
        self.look(host);
        self.at_host(host, BEAT, move |world| world.beat(host));
    }

    fn tick(&mut self, host: usize) {
        for shard in 0..SHARDS {
            let now = self.clock(host).as_secs();
            self.with_seat(host, shard, |seat| seat.due(now));
        }
        self.at_host(host, TICK, move |world| world.tick(host));
    }

    fn read_all(&mut self, host: usize) {
        for shard in 0..SHARDS {
            self.read(host, shard);
        }
        let is_slow = self.has_fault(4);
        let delay = 1 + self.random(if is_slow { 600 } else { 15 });
        self.at_host(host, delay, move |world| world.read_all(host));
    }

    /// What a host takes for the time.
    pub(super) fn clock(&self, host: usize) -> Duration {
        Duration::from_millis(self.now + self.hosts[host].skew)
    }

    /// Looks at the cells of hosts and shards.
    pub(super) fn look(&mut self, host: usize) {
        let (hosts, mut shards) = (
            self.engine.cells.list("host/"),
            self.engine.cells.list("shard/"),
        );
        if self.has_fault(80) {
            shards.clone_from(&self.hosts[host].shards); // those of before
        }
        let now = self.clock(host);
        let it = &mut self.hosts[host];
        it.shards.clone_from(&shards);
        let owned = it.seats.iter().filter(|(_, seat)| seat.epoch > 0);
        let rooms = owned.map(|(shard, seat)| (*shard, seat.rooms.len() as u64));
        let rooms = rooms.collect();
        let orders = it.keeper.look(now, (&hosts, &shards), &rooms);
        orders.into_iter().for_each(|order| self.obey(host, order));
    }

    fn obey(&mut self, host: usize, order: Order) {
        match order {
            Order::Put {
                key,
                revision,
                value,
                claim,
            } => {
                self.write_of(host, put(key, revision, value), move |world, outcome| {
                    if let Some((shard, epoch)) = claim {
                        world.claimed(host, shard, outcome.is_ok().then_some(epoch));
                    }
                });
            }
            Order::Quit => {
                if self.is_rolling && self.now < END {
                    self.counts.newer += 1;
                    self.hosts[host].version = 2;
                }
                self.kill(host);
            }
            Order::Fail(error) => self.fail(error),
            Order::Seat(shard, Duty::Follow) => {
                self.check_version(host, shard);
                self.follow(host, shard);
            }
            Order::Seat(shard, Duty::Own(epoch)) => self.own(host, shard, epoch),
            Order::Seat(shard, Duty::Drain) => self.with_seat(host, shard, Seat::drain),
            Order::Seat(shard, Duty::Stop) => {
                self.hosts[host].starting.remove(&shard);
                self.hosts[host].seats.remove(&shard);
            }
        }
    }

    /// No host follows a shard that a newer version has played.
    fn check_version(&mut self, host: usize, shard: u32) {
        let it = &self.hosts[host];
        let key = wire::shard_name(shard);
        let cell = it.shards.iter().find(|cell| cell.key == key);
        let claim: Option<Claim> = cell.and_then(|cell| wire::read(&cell.value));
        if claim.is_some_and(|claim| claim.version > it.version) {
            self.broken = Some(format!("versions: shard {shard} goes back to host {host}"));
        }
    }

    fn write_of(
        &mut self,
        host: usize,
        write: Write,
        reply: impl FnOnce(&mut Self, Result<u64, Error>) + 'static,
    ) {
        let life = self.hosts[host].life;
        self.write(write, move |world, outcome| {
            world.wake(
                host,
                life,
                Box::new(|world: &mut Self| reply(world, outcome)),
            );
        });
    }

    fn claimed(&mut self, host: usize, shard: u32, epoch: Option<u64>) {
        self.report(host, shard, Report::Claimed(epoch));
    }

    pub(super) fn report(&mut self, host: usize, shard: u32, report: Report) {
        let order = self.hosts[host].keeper.hear(shard, report);
        order.into_iter().for_each(|order| self.obey(host, order));
    }

    /// Lists the saves of a shard; the list may be old when it arrives.
    fn follow(&mut self, host: usize, shard: u32) {
        let saves = self.engine.cells.list(&wire::saves_of(shard));
        let is_late = self.has_fault(15);
        let delay = if is_late { self.random(2_500) } else { 0 };
        self.hosts[host].starting.insert(shard);
        self.at_host(host, delay, move |world| {
            if world.hosts[host].starting.contains(&shard) {
                world.seat(host, shard, &saves);
            }
        });
    }

    pub(super) fn seat(&mut self, host: usize, shard: u32, saves: &[Cell]) {
        let it = &mut self.hosts[host];
        it.starting.remove(&shard);
        play_as(it.version);
        let seat = Seat::new(it.common.clone(), shard, saves, 0);
        it.seats.insert(shard, seat);
    }

    pub(super) fn own(&mut self, host: usize, shard: u32, epoch: u64) {
        match self.hosts[host].seats.get_mut(&shard) {
            Some(seat) => seat.promote(epoch),
            None => self.broken = Some(format!("host {host} owns shard {shard} without a seat")),
        }
    }

    /// Reads on, through a network that loses, doubles and reorders.
    fn read(&mut self, host: usize, shard: u32) {
        let Some(seat) = self.hosts[host].seats.get(&shard) else {
            return;
        };
        let read = match self.hosts[host].deaf {
            Some(deaf) if deaf == shard => Err(Error::Unknown("deaf".to_owned())),
            _ => self.engine.read(shard, seat.read_to, BATCH),
        };
        match read {
            Err(Error::Forgotten { first }) => {
                let saves = self.engine.cells.list(&wire::saves_of(shard));
                self.with_seat(host, shard, |seat| seat.reload(&saves, first));
            }
            Err(error) => self.with_seat(host, shard, |seat| seat.unread(&error)),
            Ok(mut records) => {
                let mut is_end = records.len() < BATCH;
                if self.has_fault(10) {
                    is_end &= self.disturb(&mut records);
                }
                self.with_seat(host, shard, |seat| seat.records(records, is_end));
                self.compare(host, shard);
            }
        }
    }

    /// Returns whether the end is still there.
    fn disturb(&mut self, records: &mut Vec<Record>) -> bool {
        if records.is_empty() {
            return true;
        }
        let count = records.len() as u64;
        let place = self.random(count) as usize;
        match self.random(4) {
            0 => _ = records.remove(place),
            1 => records.insert(place, records[place].clone()),
            2 => records.swap(0, place),
            _ => {
                records.truncate(place);
                return false;
            }
        }
        true
    }

    /// All replicas have the same rooms.
    fn compare(&mut self, host: usize, shard: u32) {
        let Some(seat) = self.hosts[host].seats.get(&shard) else {
            return;
        };
        let is_played =
            |place: &Place<Tally>| place.room.is_ok() && place.stale.is_none() && !place.is_new();
        for (name, place) in seat.rooms.iter().filter(|(_, place)| is_played(place)) {
            let place = &place.progress;
            let version = self.hosts[host].version;
            let key = (shard, place.opened, place.tick, version);
            let sum = *self.sums.entry(key).or_insert(place.sum);
            if sum != place.sum {
                let (tick, other) = (place.tick, place.sum);
                self.broken = Some(format!(
                    "one history: `{name}` after tick {tick}: {sum} and {other}"
                ));
            }
        }
    }

    pub(super) fn with_seat(
        &mut self,
        host: usize,
        shard: u32,
        call: impl FnOnce(&mut Seat<Tally>),
    ) {
        play_as(self.hosts[host].version);
        if let Some(seat) = self.hosts[host].seats.get_mut(&shard) {
            call(seat);
            let out = std::mem::take(&mut seat.out);
            for action in out {
                self.act(host, shard, action);
            }
        }
    }

    fn act(&mut self, host: usize, shard: u32, action: Action) {
        match action {
            Action::Mark(after, bytes) => self.mark(host, shard, after, bytes),
            Action::Put(key, bytes) => {
                let write = put(key.clone(), Some(0), bytes);
                self.write_of_seat(host, shard, write, move |seat, outcome| {
                    seat.written(&key, outcome);
                });
            }
            Action::Drop(key) => self.write(put(key, None, Vec::new()), |_, _| ()),
            Action::Forget(before) => self.write(Write::Forget { shard, before }, |_, _| ()),
            Action::Tell(topic, bytes) => self.tell(&topic, &bytes),
            Action::Reload => {
                let saves = self.engine.cells.list(&wire::saves_of(shard));
                self.with_seat(host, shard, |seat| seat.reload(&saves, 0));
            }
            Action::Follow(follows) => {
                self.counts.silent += u64::from(follows == Follows::Silent);
                self.report(host, shard, Report::Follows(follows));
                self.at_host(host, 10, move |world| world.look(host));
            }
            Action::List => {
                let saves = self.engine.cells.list(&wire::saves_of(shard));
                self.with_seat(host, shard, |seat| seat.list(&saves));
            }
            Action::Note(note) => self.note_of(host, shard, note),
        }
    }

    fn note_of(&mut self, host: usize, shard: u32, note: Note) {
        match note {
            Note::Ended(end) => self.ended(host, shard, &end),
            Note::TakenOver(_) => {
                self.counts.taken_over += 1;
                self.report(host, shard, Report::Plays);
            }
            note => self.note(note),
        }
    }

    fn mark(&mut self, host: usize, shard: u32, after: u64, bytes: Vec<u8>) {
        let write = Write::Mark {
            shard,
            after,
            bytes,
        };
        self.write_of_seat(host, shard, write, move |seat, outcome| {
            seat.marked(after, outcome);
        });
    }

    fn write_of_seat(
        &mut self,
        host: usize,
        shard: u32,
        write: Write,
        take: impl FnOnce(&mut Seat<Tally>, &Result<u64, Error>) + 'static,
    ) {
        self.write_of(host, write, move |world, outcome| {
            world.with_seat(host, shard, |seat| take(seat, &outcome));
        });
    }

    fn note(&mut self, note: Note) {
        match note {
            Note::Replayed(_) => self.counts.replayed += 1,
            Note::Played { .. } => self.counts.played += 1,
            Note::TakenOver(_) | Note::Skipped | Note::Saved | Note::Ended(_) => {}
            Note::Rejected | Note::StoreFailed | Note::Times(_) => {}
            Note::Failed(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: Error) {
        match error {
            Error::OtherVersion { version: 1, .. } if self.may_wait => self.counts.waiting += 1,
            error if self.is_calm => self.broken = Some(format!("no failure: {error}")),
            Error::StoreFailed { .. } | Error::Unsaved { .. } => {}
            // Another owner has made later saves, and has forgotten the log before them.
            Error::LogGone { .. } => {}
            Error::Panicked { .. } if self.has_bombs => self.counts.panicked += 1,
            error => self.broken = Some(format!("checksums equal: {error}")),
        }
    }

    fn ended(&mut self, host: usize, shard: u32, end: &End) {
        match end {
            End::Unfit(error) if self.is_calm => self.fail(error.clone()),
            End::Unfit(Error::LogGone { .. } | Error::Unknown(_)) => self.counts.unfit += 1,
            End::Other(_) if self.is_rolling => {}
            End::Lost => self.counts.lost += 1,
            End::Drained => self.counts.drained += 1,
            End::Unfit(_) | End::Other(_) => self.broken = Some(format!("alive: {end:?}")),
        }
        self.hosts[host].seats.remove(&shard);
        self.report(host, shard, Report::Ended(end.clone()));
    }
}

fn put(key: String, revision: Option<u64>, value: Vec<u8>) -> Write {
    Write::Put {
        key,
        revision,
        value,
    }
}
