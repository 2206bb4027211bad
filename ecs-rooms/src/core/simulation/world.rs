//! Processes, players, and what happens to them.

mod hosts;
mod players;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::engine::{Engine, Write};
use super::room::Tally;
use crate::core::Common;
use crate::core::keeper::{Keeper, Report};
use crate::core::seat::{Seat, Written};
use crate::core::wire::{self, Claim, Entry, Key};
use crate::error::Error;
use crate::store::Cell;

pub(crate) const KEY: Key = [7; 32];
const SHARDS: u32 = 2;
const HOSTS: usize = 3;
const ROOMS: [&str; 4] = ["ada", "bob", "cyd", "dot"];
const PLAYERS: u64 = 2;
/// In milliseconds.
const TICK: u64 = 50;
const BEAT: u64 = 100;
const PATIENCE: u64 = 700;
const FAULTS_END: u64 = 6_000;
/// Then players stop, and all hosts leave.
const END: u64 = 11_000;
const OVER: u64 = 14_000;

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
    pub(crate) acknowledged: u64,
    pub(crate) reopened: u64,
    pub(crate) deaf: u64,
    pub(crate) silent: u64,
}

/// Who learns the outcome of a write.
#[derive(Clone)]
enum Reply {
    None,
    Player(usize),
    Written {
        host: usize,
        life: u64,
        shard: u32,
        what: Written,
    },
    Claim {
        host: usize,
        life: u64,
        shard: u32,
        epoch: u64,
    },
    /// The write is repeated until it succeeds.
    Again(Write),
}

enum Event {
    Beat {
        host: usize,
        life: u64,
    },
    /// A cell of a shard has changed, or a seat has caught up.
    Look {
        host: usize,
        life: u64,
    },
    Tick {
        host: usize,
        life: u64,
    },
    Read {
        host: usize,
        life: u64,
    },
    Apply {
        write: Write,
        reply: Reply,
    },
    Reply {
        reply: Reply,
        outcome: Result<u64, Error>,
    },
    /// A list of saves arrives, which may be old by now.
    Saves {
        host: usize,
        life: u64,
        shard: u32,
        saves: Vec<Cell>,
    },
    Send(usize),
    Open(&'static str),
    Fault,
    /// How many times to look whether all rooms are played: a shard may be on its way from host to host.
    End(u32),
    Leave(usize),
    /// The owner of the first shard leaves, or dies and does not come back.
    LeaveOwner,
    Kill,
    Start(usize),
}

struct Host {
    life: u64,
    is_up: bool,
    is_leaving: bool,
    paused_until: u64,
    /// A shard whose log it cannot read any more.
    deaf: Option<u32>,
    skew: u64,
    keeper: Keeper,
    seats: BTreeMap<u32, Seat<Tally>>,
    /// Shards whose saves are being listed.
    starting: BTreeSet<u32>,
    /// What it has seen of the cells of shards.
    shards: Vec<Cell>,
}

struct Player {
    room: &'static str,
    player: u64,
    number: u64,
    /// Their numbers, and those of their records.
    acknowledged: Vec<(u64, u64)>,
}

pub(crate) struct World {
    random: u64,
    now: u64,
    order: u64,
    events: BTreeMap<(u64, u64), Event>,
    engine: Engine,
    hosts: Vec<Host>,
    players: Vec<Player>,
    /// Of each room of a shard, by the record that opened it, the checksum after each tick.
    sums: BTreeMap<(u32, u64, u64), u64>,
    damaged: Option<&'static str>,
    broken: Option<String>,
    counts: Counts,
    /// Whether hosts follow the shards of others, to take them over.
    is_standby: bool,
    /// Whether nothing goes wrong.
    is_calm: bool,
    /// When the marks of each shard were written.
    pub(crate) marks: BTreeMap<u32, Vec<u64>>,
}

fn host_name(host: usize) -> String {
    format!("h{host}")
}

fn epoch_of(shard: u32, mark: &[u8]) -> u64 {
    match wire::read_entry(&KEY, &wire::log_name(shard), mark) {
        Some(Entry::Mark(mark)) => mark.epoch,
        _ => 0,
    }
}

fn common(host: usize, is_standby: bool) -> Common {
    Common {
        me: host_name(host),
        key: KEY,
        shards: SHARDS,
        save_every: 12,
        waits: 20,
        standby: if is_standby { 3 } else { 0 },
        keep_log: host == 0,
        beat: Duration::from_millis(BEAT),
        patience: Duration::from_millis(PATIENCE),
    }
}

impl World {
    pub(crate) fn new(seed: u64, counts: Counts) -> Self {
        let host = |host| Host {
            life: 0,
            is_up: false,
            is_leaving: false,
            paused_until: 0,
            deaf: None,
            skew: host as u64 * 12_345,
            keeper: Keeper::new(common(host, false)),
            seats: BTreeMap::new(),
            starting: BTreeSet::new(),
            shards: Vec::new(),
        };
        let numbers = ROOMS
            .into_iter()
            .flat_map(|room| (0..PLAYERS).map(move |player| (room, player)));
        let player = |(room, player)| Player {
            room,
            player,
            number: 1,
            acknowledged: Vec::new(),
        };
        Self {
            random: seed,
            now: 0,
            order: 0,
            events: BTreeMap::new(),
            engine: Engine::default(),
            hosts: (0..HOSTS).map(host).collect(),
            players: numbers.map(player).collect(),
            sums: BTreeMap::new(),
            damaged: None,
            broken: None,
            counts,
            is_standby: seed.is_multiple_of(2),
            is_calm: false,
            marks: BTreeMap::new(),
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

    fn at(&mut self, delay: u64, event: Event) {
        self.order += 1;
        self.events.insert((self.now + delay, self.order), event);
    }

    pub(crate) fn run(mut self) -> Result<Counts, String> {
        for host in 0..HOSTS {
            let delay = self.random(300);
            self.at(delay, Event::Start(host));
        }
        self.at(500, Event::Fault);
        self.play()?;
        Ok(self.counts)
    }

    /// Nothing goes wrong, but a host joins, one dies, and one leaves. Returns for how long a shard was
    /// silent in each case.
    pub(crate) fn run_calm(mut self, is_standby: bool) -> Result<[u64; 3], String> {
        (self.is_calm, self.is_standby) = (true, is_standby);
        let times = [2_000, 4_000, 7_000, END];
        for host in 0..HOSTS {
            let delay = if host == 1 { 0 } else { times[0] };
            self.at(delay, Event::Start(host));
        }
        self.at(times[1], Event::Kill);
        self.at(times[2], Event::LeaveOwner);
        self.play()?;
        let silence = |from: u64, to: u64| {
            let gaps = self.marks.values().flat_map(|marks| marks.windows(2));
            let gaps = gaps.filter(|gap| (from..to).contains(&gap[1]));
            gaps.map(|gap| gap[1] - gap[0]).max().unwrap_or(0)
        };
        Ok([0, 1, 2].map(|at| silence(times[at], times[at + 1])))
    }

    fn play(&mut self) -> Result<(), String> {
        for room in ROOMS {
            // Two rooms are opened later.
            let delay = if room < "c" { 0 } else { self.random(1_500) };
            self.open(room, delay);
        }
        for player in 0..self.players.len() {
            self.at(20, Event::Send(player));
        }
        self.at(END, Event::End(3));
        while let Some(((now, _), event)) = self.events.pop_first() {
            if now >= OVER || self.broken.is_some() {
                break;
            }
            self.now = now;
            self.happen(event);
        }
        self.broken.take().map_or(Ok(()), Err)?;
        self.check()
    }

    fn open(&mut self, room: &str, delay: u64) {
        let entry = Entry::Open {
            room: room.to_owned(),
            seed: wire::hash(room),
        };
        self.administer(room, &entry, delay);
    }

    fn administer(&mut self, room: &str, entry: &Entry, delay: u64) {
        let shard = wire::shard_of(room, SHARDS);
        let bytes = wire::seal(&KEY, &wire::log_name(shard), entry);
        let write = Write::Append { shard, bytes };
        let reply = Reply::Again(write.clone());
        self.at(delay, Event::Apply { write, reply });
    }

    /// Sends a write on its way: it may be late, lost, doubled, and its outcome unknown.
    fn write(&mut self, write: Write, reply: Reply) {
        let mut delay = self.random(8);
        if self.has_fault(4) {
            delay += self.random(2_500);
        }
        if self.has_fault(4) {
            let copy = delay + self.random(1_500);
            self.at(
                copy,
                Event::Apply {
                    write: write.clone(),
                    reply: Reply::None,
                },
            );
        }
        let (is_lost, is_unknown) = (self.has_fault(3), self.has_fault(5));
        if is_lost || is_unknown || delay > 1_000 {
            let outcome = Err(Error::Unknown("timeout".to_owned()));
            self.counts.unknown += 1;
            self.at(1_000, Event::Reply { reply, outcome });
            if !is_lost {
                self.at(
                    delay,
                    Event::Apply {
                        write,
                        reply: Reply::None,
                    },
                );
            }
        } else {
            self.at(delay, Event::Apply { write, reply });
        }
    }

    /// Postpones what concerns a paused host; `None` for one that was killed.
    fn awake(&mut self, host: usize, life: u64) -> Option<u64> {
        let it = &self.hosts[host];
        (it.is_up && it.life == life).then(|| it.paused_until.saturating_sub(self.now))
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Beat { host, life }
            | Event::Look { host, life }
            | Event::Tick { host, life }
            | Event::Read { host, life }
            | Event::Saves { host, life, .. }
            | Event::Reply {
                reply: Reply::Written { host, life, .. } | Reply::Claim { host, life, .. },
                ..
            } => match self.awake(host, life) {
                Some(0) => self.of_host(event),
                Some(delay) => self.at(delay + 1, event),
                None => {}
            },
            Event::Apply { write, reply } => {
                let outcome = self.engine.write(write.clone());
                if let (Write::Mark { shard, .. }, Ok(_)) = (&write, &outcome) {
                    self.marks.entry(*shard).or_default().push(self.now);
                }
                if let (Write::Mark { shard, bytes, .. }, Err(_)) = (&write, &outcome) {
                    self.counts.rejected += 1;
                    let last = self.engine.last_mark(*shard);
                    self.counts.late += u64::from(epoch_of(*shard, bytes) < epoch_of(*shard, last));
                }
                let is_claim =
                    matches!(&write, Write::Put { key, .. } if key.starts_with("shard/"));
                for host in (0..HOSTS).filter(|_| is_claim) {
                    let (life, delay) = (self.hosts[host].life, 10 + self.random(6));
                    self.at(delay, Event::Look { host, life });
                }
                let delay = self.random(6);
                self.at(delay, Event::Reply { reply, outcome });
            }
            Event::Reply {
                reply: Reply::Player(player),
                outcome,
            } => self.answered(player, &outcome),
            Event::Reply {
                reply: Reply::Again(write),
                outcome: Err(_),
            } => {
                self.write(write.clone(), Reply::Again(write));
            }
            Event::Reply { .. } => {}
            Event::Send(player) => self.send(player),
            Event::Open(room) => self.open(room, 0),
            Event::Fault => self.fault(),
            Event::End(tries) => self.end(tries),
            Event::Leave(host) => self.leave(host),
            Event::LeaveOwner => self.leave(self.owner()),
            Event::Kill => self.kill_for_good(self.owner()),
            Event::Start(host) => self.start(host),
        }
    }

    fn start(&mut self, host: usize) {
        let skew = self.random(1_000_000);
        let it = &mut self.hosts[host];
        if it.is_up {
            return;
        }
        it.life += 1;
        (it.is_up, it.is_leaving, it.paused_until, it.skew) = (true, false, 0, skew);
        it.deaf = None;
        it.keeper = Keeper::new(common(host, self.is_standby));
        it.seats.clear();
        it.starting.clear();
        let life = it.life;
        self.at(0, Event::Beat { host, life });
        self.at(5, Event::Tick { host, life });
        self.at(9, Event::Read { host, life });
    }

    fn kill(&mut self, host: usize) {
        self.hosts[host].is_up = false;
        self.hosts[host].seats.clear();
        let delay = 200 + self.random(1_500);
        if self.now < END {
            self.at(delay, Event::Start(host));
        }
    }

    fn leave(&mut self, host: usize) {
        let now = self.clock(host);
        self.hosts[host].is_leaving = true;
        self.hosts[host].keeper.leave(now);
    }

    /// What a host takes for the time.
    fn clock(&self, host: usize) -> Duration {
        Duration::from_millis(self.now + self.hosts[host].skew)
    }

    /// All rooms are played; then all hosts leave.
    fn end(&mut self, tries: u32) {
        let alive = self.check_alive();
        if alive.is_err() && tries > 1 {
            return self.at(150, Event::End(tries - 1));
        }
        self.broken = alive.err();
        for host in 0..HOSTS {
            let delay = 50 + self.random(400);
            self.at(delay, Event::Leave(host));
        }
    }

    /// The host that plays the first shard.
    fn owner(&self) -> usize {
        let owns = |host: &Host| host.seats.get(&0).is_some_and(|seat| seat.epoch > 0);
        self.hosts.iter().position(owns).unwrap_or(0)
    }

    /// Kills a host that never comes back.
    fn kill_for_good(&mut self, host: usize) {
        self.hosts[host].is_up &= self.hosts[host].is_leaving;
        if !self.hosts[host].is_up {
            self.hosts[host].seats.clear();
        }
    }

    fn fault(&mut self) {
        let host = self.random(HOSTS as u64) as usize;
        if self.now >= FAULTS_END {
            return self.kill_for_good(host);
        }
        let shard = self.random(u64::from(SHARDS)) as u32;
        match self.random(11) {
            0 => self.kill(host),
            1 => self.hosts[host].paused_until = self.now + 300 + self.random(2_000),
            2 => self.hosts[host].skew += self.random(3_600_000),
            3 => self.leave(host),
            4 => self.reopen(),
            5 if self.hosts.iter().all(|host| host.deaf.is_none()) => {
                self.hosts[host].deaf = Some(shard);
                self.counts.deaf += 1;
            }
            6..10 => self.make_owner(host, shard),
            _ => self.damage(),
        }
        let delay = 100 + self.random(900);
        self.at(delay, Event::Fault);
    }

    /// Makes a host the owner of a shard, even if there is another one.
    fn make_owner(&mut self, host: usize, shard: u32) {
        if !self.hosts[host].is_up {
            return;
        }
        let seat = self.hosts[host].seats.get(&shard);
        if seat.is_none_or(|seat| seat.epoch > 0) {
            let saves = self.engine.cells(&wire::saves_of(shard));
            self.seat(host, shard, &saves);
        }
        let cell = self.engine.cells.get(&wire::shard_name(shard));
        let claim: Claim = cell
            .and_then(|cell| wire::read(&cell.value))
            .unwrap_or_default();
        let claim = Claim {
            owner: Some(host_name(host)),
            epoch: claim.epoch + 1,
        };
        let (key, value) = (wire::shard_name(shard), wire::write(&claim));
        let _ = self.engine.write(Write::Put {
            key,
            revision: None,
            value,
        });
        self.report(host, shard, Report::Claimed(Some(claim.epoch)));
        self.own(host, shard, claim.epoch);
    }

    /// Closes a room, and opens one of the same name soon after.
    fn reopen(&mut self) {
        let room = ROOMS[self.random(4) as usize];
        let close = Entry::Close {
            room: room.to_owned(),
        };
        let delay = self.random(50);
        self.administer(room, &close, delay);
        let delay = delay + self.random(800);
        self.at(delay, Event::Open(room));
        self.counts.reopened += 1;
    }

    /// Damages the newest save of one room, once.
    fn damage(&mut self) {
        let room = ROOMS[self.random(4) as usize];
        let prefix = format!("save/{}/{room}/", wire::shard_of(room, SHARDS));
        let saves = self.engine.cells(&prefix);
        if let (None, [_, .., newest]) = (self.damaged, &saves[..]) {
            self.damaged = Some(room);
            self.counts.damaged += 1;
            let place = self.random(newest.value.len() as u64) as usize;
            if let Some(cell) = self.engine.cells.get_mut(&newest.key) {
                cell.value[place] ^= 1;
            }
        }
    }
}
