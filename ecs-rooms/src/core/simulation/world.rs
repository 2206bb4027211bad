//! Processes, players, time, and the network between them and the engine.

mod faults;
mod hosts;
mod players;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::engine::{Engine, Write};
use super::room::Tally;
use crate::core::Common;
use crate::core::keeper::Keeper;
use crate::core::outbox::Outbox;
use crate::core::roster::Outcome;
use crate::core::seat::Seat;
use crate::core::wire::{self, Build, Entry, Key};
use crate::error::Error;
use crate::host::Options;
use crate::rooms::RoomResult;
use crate::store::Cell;

pub(crate) const KEY: Key = [7; 32];
const SHARDS: u32 = 2;
const HOSTS: usize = 3;
pub(crate) const ROOMS: [&str; 4] = ["ada", "bob", "cyd", "dot"];
/// In milliseconds.
const TICK: u64 = 50;
const BEAT: u64 = 100;
const PATIENCE: u64 = 700;
const FAULTS_END: u64 = 6_000;
/// Then messages arrive: each player asks once more before the end.
const LOST_UNTIL: u64 = 9_000;
/// Then players stop, and all hosts leave.
const END: u64 = 12_000;
const OVER: u64 = 15_000;

/// What has happened in all seeds.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) taken_over: u64,
    pub(crate) rejected: u64,
    /// Of these, marks of owners that another one had followed.
    pub(crate) late: u64,
    pub(crate) replayed: u64,
    pub(crate) played: u64,
    pub(crate) unknown: u64,
    pub(crate) damaged: u64,
    pub(crate) repeated: u64,
    pub(crate) drained: u64,
    pub(crate) lost: u64,
    pub(crate) unfit: u64,
    pub(crate) waiting: u64,
    pub(crate) expired: u64,
    pub(crate) revoked: u64,
    pub(crate) ended: u64,
    /// Outcomes that arrived.
    pub(crate) played_inputs: u64,
    pub(crate) rejected_inputs: u64,
    pub(crate) connections_taken: u64,
    pub(crate) moved: u64,
    pub(crate) asked: u64,
    pub(crate) panicked: u64,
    pub(crate) lost_inputs: u64,
    pub(crate) newer: u64,
    pub(crate) reopened: u64,
    pub(crate) deaf: u64,
    pub(crate) silent: u64,
}

/// What happens at a time.
type Event = Box<dyn FnOnce(&mut World)>;

struct Host {
    life: u64,
    version: u32,
    is_up: bool,
    is_leaving: bool,
    paused_until: u64,
    /// A shard whose log it cannot read any more.
    deaf: Option<u32>,
    skew: u64,
    common: Common,
    keeper: Keeper,
    seats: BTreeMap<u32, Seat<Tally>>,
    /// Shards whose saves are being listed.
    starting: BTreeSet<u32>,
    /// What it has seen of the cells of shards.
    shards: Vec<Cell>,
}

impl Host {
    /// One that is not up yet.
    fn new(number: usize, is_standby: bool, version: u32) -> Self {
        let options = Options {
            name: format!("h{number}"),
            shards: SHARDS,
            save_every: 12,
            keep_log: number == 0,
            beat: Duration::from_millis(BEAT),
            patience: Duration::from_millis(PATIENCE),
            standby: is_standby.then_some(Duration::from_millis(3 * TICK)),
            ..Options::new(KEY)
        };
        let common = Common {
            waits: 20,
            ..Common::new(options, build(version))
        };
        Self {
            life: 0,
            version,
            is_up: false,
            is_leaving: false,
            paused_until: 0,
            deaf: None,
            skew: 0,
            keeper: Keeper::new(common.clone()),
            common,
            seats: BTreeMap::new(),
            starting: BTreeSet::new(),
            shards: Vec::new(),
        }
    }
}

/// A player at one of its devices.
struct Device {
    room: &'static str,
    player: u64,
    outbox: Outbox,
    /// How many times it has connected, and the number of its gateway, if it has one.
    life: u64,
    gateway: Option<u64>,
    /// How many inputs it has sent.
    sent: u64,
    /// Inputs of this connection by number, and when they were sent.
    open: BTreeMap<u64, (u64, u64)>,
    /// All inputs of this connection by number.
    names: BTreeMap<u64, u64>,
    outcomes: BTreeMap<u64, Outcome>,
}

pub(crate) struct World {
    random: u64,
    now: u64,
    order: u64,
    events: BTreeMap<(u64, u64), Event>,
    engine: Engine,
    hosts: Vec<Host>,
    devices: Vec<Device>,
    /// Of each room of a shard, by the record that opened it, the checksum after each tick.
    sums: BTreeMap<(u32, u64, u64, u32), u64>,
    /// What rooms have ended with, by the record that opened them.
    results: BTreeMap<(u32, u64), Vec<u8>>,
    damaged: Option<&'static str>,
    broken: Option<String>,
    counts: Counts,
    /// Whether hosts follow the shards of others, to take them over.
    is_standby: bool,
    /// Whether some inputs make rooms panic.
    has_bombs: bool,
    /// Whether hosts that leave come back in a newer version.
    is_rolling: bool,
    drops_ticks: bool,
    /// Whether nothing goes wrong.
    is_calm: bool,
    /// Whether messages to players get lost.
    loses_messages: bool,
    /// Whether hosts may say that they wait for one of an older version.
    may_wait: bool,
    /// When the marks of each shard were written.
    marks: BTreeMap<u32, Vec<u64>>,
}

impl World {
    pub(crate) fn new(seed: u64, counts: Counts) -> Self {
        // The first player of each room has two devices.
        let devices = ROOMS.map(|room| [(room, 0), (room, 0), (room, 1)]);
        let devices = devices.as_flattened().iter();
        let devices = (0..).zip(devices);
        let devices = devices.map(|(number, (room, player))| Device::new(number, room, *player));
        Self {
            random: seed,
            now: 0,
            order: 0,
            events: BTreeMap::new(),
            engine: Engine::default(),
            hosts: (0..HOSTS).map(|host| Host::new(host, false, 1)).collect(),
            devices: devices.collect(),
            sums: BTreeMap::new(),
            results: BTreeMap::new(),
            damaged: None,
            broken: None,
            counts,
            is_standby: seed.is_multiple_of(2),
            has_bombs: seed % 5 == 3,
            is_rolling: seed % 3 == 1,
            drops_ticks: seed % 6 == 1,
            is_calm: false,
            loses_messages: true,
            may_wait: seed % 3 == 1,
            marks: BTreeMap::new(),
        }
    }

    pub(crate) fn run(mut self) -> Result<Counts, String> {
        for host in 0..HOSTS {
            let delay = self.random(300);
            self.at(delay, move |world| world.start(host));
        }
        self.at(500, Self::fault);
        let rolling = if self.is_rolling { HOSTS } else { 0 };
        for host in 0..rolling {
            let delay = 1_500 + 1_200 * host as u64;
            self.at(delay, move |world| world.leave(host));
        }
        self.at(FAULTS_END + 200, Self::complete);
        self.at(FAULTS_END + 1_800, Self::complete);
        self.play()?;
        Ok(self.counts)
    }

    /// Nothing goes wrong, but a host joins, one dies, and one leaves. Returns for how long a shard was
    /// silent in each case.
    pub(crate) fn run_calm(mut self, is_standby: bool) -> Result<[u64; 3], String> {
        self.be_calm(is_standby, false);
        let times = [2_000, 4_000, 7_000, END];
        for host in 0..HOSTS {
            let delay = if host == 1 { 0 } else { times[0] };
            self.at(delay, move |world| world.start(host));
        }
        self.at(times[1], |world| world.kill_for_good(world.owner()));
        self.at(times[2], |world| world.leave(world.owner()));
        self.play()?;
        let silence = |from: u64, to: u64| {
            let gaps = self.marks.values().flat_map(|marks| marks.windows(2));
            let gaps = gaps.filter(|gap| (from..to).contains(&gap[1]));
            gaps.map(|gap| gap[1] - gap[0]).max().unwrap_or(0)
        };
        Ok([0, 1, 2].map(|at| silence(times[at], times[at + 1])))
    }

    fn be_calm(&mut self, is_standby: bool, is_rolling: bool) {
        (self.is_calm, self.has_bombs) = (true, false);
        (self.is_standby, self.is_rolling, self.drops_ticks) = (is_standby, is_rolling, false);
        (self.may_wait, self.loses_messages) = (false, false);
    }

    /// Nothing goes wrong, but all hosts change to another version, while one of them is killed and one is paused.
    pub(crate) fn run_upgrade(mut self, is_standby: bool) -> Result<(), String> {
        self.be_calm(is_standby, true);
        for host in 0..HOSTS {
            self.at(0, move |world| world.start(host));
        }
        let delay = 2_000 + self.random(500);
        self.at(delay, |world| world.leave(0));
        let delay = delay + self.random(300);
        self.at(delay, |world| world.kill_for_good(1));
        let delay = 5_000 + self.random(500);
        self.at(delay, |world| world.hosts[2].paused_until = world.now + 900);
        self.at(8_000, |world| world.leave(2));
        self.play()
    }

    /// The only host is killed as soon as it has marked, at a time that a seed decides; the next one is of a newer
    /// version, and waits until one of the older version hands its rooms over. Returns how many failures said so.
    pub(crate) fn run_crash(mut self) -> Result<u64, String> {
        self.be_calm(false, true);
        self.may_wait = true;
        self.at(0, |world| world.start(0));
        self.at(0, Self::kill_first_owner);
        self.hosts[1].version = 2;
        self.at(1_000, |world| world.start(1));
        self.at(6_000, |world| world.start(2));
        self.at(8_000, |world| world.leave(2));
        self.play()?;
        Ok(self.counts.waiting)
    }

    /// The only host of the older version dies, and one of a newer version drops its last ticks. Many messages to
    /// players get lost. Returns how many inputs their players know to be lost.
    pub(crate) fn run_loss(mut self) -> Result<u64, String> {
        self.be_calm(false, true);
        (self.may_wait, self.loses_messages, self.drops_ticks) = (true, true, true);
        self.at(0, |world| world.start(0));
        self.hosts[1].version = 2;
        self.at(1_000, |world| world.start(1));
        let delay = 2_500 + self.random(1_000);
        self.at(delay, |world| world.kill_for_good(0));
        self.play()?;
        Ok(self.counts.lost_inputs)
    }

    fn kill_first_owner(&mut self) {
        // The first mark opens rooms, the second one plays them.
        let played = self.marks.values().filter(|marks| marks.len() > 1);
        let has_played = played.count() as u64 == u64::from(SHARDS);
        let delay = if has_played { self.random(30) } else { 1 };
        match has_played {
            true => self.at(delay, |world| world.kill_for_good(0)),
            false => self.at(delay, Self::kill_first_owner),
        }
    }

    fn play(&mut self) -> Result<(), String> {
        for room in ROOMS {
            // Two rooms are opened later.
            let delay = if room < "c" { 0 } else { self.random(1_500) };
            self.open(room, delay);
        }
        for device in 0..self.devices.len() {
            self.at(20, move |world| world.send(device));
            self.at(20, move |world| world.ask(device));
        }
        self.at(END, |world| world.end(3));
        while let Some(((now, _), event)) = self.events.pop_first() {
            if now >= OVER || self.broken.is_some() {
                break;
            }
            self.now = now;
            event(self);
        }
        self.broken.take().map_or(Ok(()), Err)?;
        self.check()
    }

    /// All rooms are played; then all hosts leave. A shard may be on its way from host to host: so it looks
    /// a few times.
    fn end(&mut self, tries: u32) {
        let alive = self.check_alive().and_then(|()| self.check_outcomes());
        if alive.is_err() && tries > 1 {
            return self.at(150, move |world| world.end(tries - 1));
        }
        self.broken = alive.err();
        for host in 0..HOSTS {
            let delay = 50 + self.random(400);
            self.at(delay, move |world| world.leave(host));
        }
    }

    /// splitmix64
    fn random(&mut self, below: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    }

    /// Whether a fault happens that happens so many times in a hundred.
    fn has_fault(&mut self, percent: u64) -> bool {
        let happens = self.random(100) < percent;
        happens && self.now < FAULTS_END && !self.is_calm
    }

    fn at(&mut self, delay: u64, event: impl FnOnce(&mut Self) + 'static) {
        self.order += 1;
        let at = (self.now + delay, self.order);
        self.events.insert(at, Box::new(event));
    }

    /// What a host does later, unless it is killed before.
    fn at_host(&mut self, host: usize, delay: u64, event: impl FnOnce(&mut Self) + 'static) {
        let life = self.hosts[host].life;
        self.at(delay, move |world| world.wake(host, life, Box::new(event)));
    }

    /// Postpones what a host does while it is paused.
    fn wake(&mut self, host: usize, life: u64, event: Event) {
        let it = &self.hosts[host];
        if it.is_up && it.life == life {
            match it.paused_until.saturating_sub(self.now) {
                0 => event(self),
                delay => self.at(delay + 1, move |world| world.wake(host, life, event)),
            }
        }
    }

    /// Sends a write on its way: it may be late, lost, doubled, and its outcome unknown.
    fn write(&mut self, write: Write, reply: impl FnOnce(&mut Self, Result<u64, Error>) + 'static) {
        let mut delay = self.random(8);
        if self.has_fault(4) {
            delay += self.random(2_500);
        }
        if self.has_fault(4) {
            let (copy, delay) = (write.clone(), delay + self.random(1_500));
            self.at(delay, move |world| _ = world.apply(&copy));
        }
        let (is_lost, is_unknown) = (self.has_fault(3), self.has_fault(5));
        if is_lost || is_unknown || delay > 1_000 {
            self.counts.unknown += 1;
            let unknown = Err(Error::Unknown("timeout".to_owned()));
            self.at(1_000, move |world| reply(world, unknown));
            if !is_lost {
                self.at(delay, move |world| _ = world.apply(&write));
            }
        } else {
            self.at(delay, move |world| {
                let outcome = world.apply(&write);
                let delay = world.random(6);
                world.at(delay, move |world| reply(world, outcome));
            });
        }
    }

    /// A write arrives.
    fn apply(&mut self, write: &Write) -> Result<u64, Error> {
        let outcome = self.engine.write(write.clone());
        match (write, &outcome) {
            (Write::Mark { shard, .. }, Ok(_)) => {
                self.marks.entry(*shard).or_default().push(self.now);
            }
            (Write::Mark { shard, bytes, .. }, Err(_)) => {
                self.counts.rejected += 1;
                let last = self.engine.last_mark(*shard);
                self.counts.late += u64::from(epoch_of(*shard, bytes) < epoch_of(*shard, last));
            }
            (Write::Put { key, value, .. }, Ok(_)) if key.starts_with("result/") => {
                self.end_room(key, value);
            }
            (Write::Put { key, .. }, _) if key.starts_with("shard/") => {
                for host in 0..HOSTS {
                    let delay = 10 + self.random(6);
                    self.at_host(host, delay, move |world| world.look(host));
                }
            }
            _ => {}
        }
        outcome
    }

    /// A room has a result, or a program has taken it. Another room of the name is opened soon.
    fn end_room(&mut self, key: &str, value: &[u8]) {
        let Some(RoomResult {
            room,
            number,
            result,
        }) = wire::unseal(&KEY, key, value)
        else {
            return;
        };
        let of = (wire::shard_of(&room, SHARDS), number);
        let first = self.results.entry(of).or_insert_with(|| result.clone());
        if *first != result && !self.drops_ticks {
            self.broken = Some(format!("one result: of `{room}`: {first:?} and {result:?}"));
        }
        for delay in [300, 1_000, 3_000] {
            self.open(&room, delay);
        }
        let (key, value) = (key.to_owned(), Vec::new());
        let delay = self.random(200);
        self.at(delay, move |world| {
            let revision = None;
            _ = world.apply(&Write::Put {
                key,
                revision,
                value,
            });
        });
    }

    fn open(&mut self, room: &str, delay: u64) {
        let entry = Entry::Open {
            room: room.to_owned(),
            opening: wire::hash(room).into(),
        };
        self.administer(room, &entry, delay);
    }

    fn administer(&mut self, room: &str, entry: &Entry, delay: u64) {
        let shard = wire::shard_of(room, SHARDS);
        let bytes = wire::seal(&KEY, &wire::log_name(shard), entry);
        let write = Write::Append { shard, bytes };
        self.at(delay, move |world| _ = world.apply(&write));
    }
}

fn build(version: u32) -> Build {
    Build {
        version,
        ..Build::of::<Tally>()
    }
}

fn epoch_of(shard: u32, mark: &[u8]) -> u64 {
    match wire::read_entry(&KEY, &wire::log_name(shard), mark) {
        Some(Entry::Mark(mark)) => mark.epoch,
        _ => 0,
    }
}
