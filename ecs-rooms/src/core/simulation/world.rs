//! Processes, players, and what happens to them.

mod hosts;
mod players;

use std::collections::BTreeMap;
use std::time::Duration;

use super::engine::{Engine, Write};
use super::room::Tally;
use crate::core::keeper::Keeper;
use crate::core::seat::Seat;
use crate::core::wire::{self, Claim, Entry, Key, Mark};
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
}

/// Who learns the outcome of a write.
#[derive(Clone)]
enum Reply {
    None,
    Player(usize),
    Mark {
        host: usize,
        life: u64,
        shard: u32,
        epoch: u64,
        tick: u64,
    },
    Save {
        host: usize,
        life: u64,
        shard: u32,
        epoch: u64,
        room: String,
        key: String,
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
        epoch: u64,
        saves: Vec<Cell>,
    },
    Send(usize),
    Open(&'static str),
    Fault,
    End,
    Leave(usize),
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
    /// The epochs of seats whose saves are being listed.
    starting: BTreeMap<u32, u64>,
    draining: Vec<u32>,
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
}

fn host_name(host: usize) -> String {
    format!("h{host}")
}

fn epoch_of(shard: u32, mark: &[u8]) -> u64 {
    let about = format!("mark/{}", wire::log_name(shard));
    let mark = wire::unseal(&KEY, &about, mark).and_then(wire::read::<Mark>);
    mark.map_or(0, |mark| mark.epoch)
}

fn keeper(host: usize) -> Keeper {
    let millis = Duration::from_millis;
    Keeper::new(&host_name(host), SHARDS, millis(BEAT), millis(PATIENCE))
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
            keeper: keeper(host),
            seats: BTreeMap::new(),
            starting: BTreeMap::new(),
            draining: Vec::new(),
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
        happens && self.now < FAULTS_END
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
        for room in ROOMS {
            // Two rooms are opened later.
            let delay = if room < "c" { 0 } else { self.random(3_000) };
            self.open(room, delay);
        }
        for player in 0..self.players.len() {
            self.at(20, Event::Send(player));
        }
        self.at(500, Event::Fault);
        self.at(END, Event::End);
        while let Some(((now, _), event)) = self.events.pop_first() {
            if now >= OVER || self.broken.is_some() {
                break;
            }
            self.now = now;
            self.happen(event);
        }
        self.broken.take().map_or(Ok(()), Err)?;
        self.check()?;
        Ok(self.counts)
    }

    fn open(&mut self, room: &str, delay: u64) {
        let entry = Entry::Open {
            room: room.to_owned(),
            seed: wire::hash(&[room]),
        };
        self.administer(room, &entry, delay);
    }

    fn administer(&mut self, room: &str, entry: &Entry, delay: u64) {
        let shard = wire::shard_of(room, SHARDS);
        let bytes = wire::seal(&KEY, &wire::log_name(shard), &wire::write(entry));
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
            | Event::Tick { host, life }
            | Event::Read { host, life }
            | Event::Saves { host, life, .. }
            | Event::Reply {
                reply:
                    Reply::Mark { host, life, .. }
                    | Reply::Save { host, life, .. }
                    | Reply::Claim { host, life, .. },
                ..
            } => match self.awake(host, life) {
                Some(0) => self.of_host(event),
                Some(delay) => self.at(delay + 1, event),
                None => {}
            },
            Event::Apply { write, reply } => {
                let outcome = self.engine.write(write.clone());
                if let (Write::Mark { shard, bytes, .. }, Err(_)) = (&write, &outcome) {
                    self.counts.rejected += 1;
                    let last = self.engine.last_mark(*shard);
                    self.counts.late += u64::from(epoch_of(*shard, bytes) < epoch_of(*shard, last));
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
            Event::End => self.end(),
            Event::Leave(host) => self.leave(host),
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
        it.keeper = keeper(host);
        it.seats.clear();
        it.starting.clear();
        it.draining.clear();
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
        self.hosts[host].is_leaving = true;
        self.hosts[host].keeper.leave();
    }

    /// All rooms are played; then all hosts leave.
    fn end(&mut self) {
        self.broken = self.check_alive().err();
        for host in 0..HOSTS {
            let delay = 50 + self.random(400);
            self.at(delay, Event::Leave(host));
        }
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
            99 if self.hosts.iter().all(|host| host.deaf.is_none()) => {
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
        self.hosts[host].keeper.claimed(shard, Some(claim.epoch));
        let saves = self.engine.cells(&wire::saves_of(shard));
        self.seat(host, shard, claim.epoch, &saves);
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
