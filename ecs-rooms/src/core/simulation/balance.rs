//! Keepers of hosts that see each other late: shards move to where there is room, and not in circles.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::engine::{Engine, Write};
use crate::core::Common;
use crate::core::keeper::{Duty, Keeper, Order, Report};
use crate::core::seat::{End, Follows};
use crate::core::wire::{self, Claim};
use crate::host::Options;

const SHARDS: u32 = 16;
/// A look comes after so many milliseconds, or sooner.
const BEAT: u64 = 100;

/// What happens to a keeper after a while.
enum Event {
    Look,
    Write(Write, Option<(u32, u64)>),
    Hear(u32, Report),
}

struct Host {
    keeper: Keeper,
    is_up: bool,
    /// Shards that it plays.
    plays: BTreeMap<u32, u64>,
}

struct Deployment {
    random: u64,
    now: u64,
    order: u64,
    events: BTreeMap<(u64, u64), (usize, Event)>,
    engine: Engine,
    hosts: Vec<Host>,
    /// Of each shard.
    rooms: [u64; SHARDS as usize],
    /// Shards that were given away.
    moves: u64,
    /// When the owner of each shard has stopped, if no other one plays it.
    silent: BTreeMap<u32, u64>,
    /// The longest time without an owner, since hosts know each other.
    silence: u64,
    /// The lists of cells of some looks before.
    past: VecDeque<(Vec<crate::store::Cell>, Vec<crate::store::Cell>)>,
}

impl Deployment {
    fn new(seed: u64) -> Self {
        Self {
            random: seed,
            now: 0,
            order: 0,
            events: BTreeMap::new(),
            engine: Engine::default(),
            hosts: Vec::new(),
            rooms: [0; SHARDS as usize],
            moves: 0,
            silent: BTreeMap::new(),
            silence: 0,
            past: VecDeque::new(),
        }
    }

    fn random(&mut self, below: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        wire::hash(&self.random.to_string()) % below
    }

    fn at(&mut self, host: usize, most: u64, event: Event) {
        self.order += 1;
        let at = self.now + 1 + self.random(most);
        self.events.insert((at, self.order), (host, event));
    }

    fn start(&mut self, standby: u32) {
        let host = self.hosts.len();
        let options = Options {
            name: format!("h{host}"),
            shards: SHARDS,
            beat: Duration::from_millis(BEAT),
            patience: Duration::from_millis(10 * BEAT),
            ..Options::new([7; 32])
        };
        let (game, version) = (1, 1);
        let common = Common {
            silent_after: standby,
            ..Common::new(options, wire::Build { game, version })
        };
        let (keeper, is_up, plays) = (Keeper::new(common), true, BTreeMap::new());
        self.hosts.push(Host {
            keeper,
            is_up,
            plays,
        });
        self.at(host, BEAT, Event::Look);
    }

    fn kill(&mut self, host: usize) {
        self.hosts[host].is_up = false;
        self.hosts[host].plays.clear();
    }

    fn run(&mut self, until: u64) {
        while let Some(entry) = self.events.first_entry().filter(|it| it.key().0 <= until) {
            let ((now, _), (host, event)) = entry.remove_entry();
            self.now = now;
            if self.hosts[host].is_up {
                self.happen(host, event);
            }
        }
        self.now = until;
    }

    fn happen(&mut self, host: usize, event: Event) {
        match event {
            Event::Look => {
                self.look(host);
                self.at(host, BEAT, Event::Look);
            }
            Event::Write(write, claim) => {
                let outcome = self.engine.write(write);
                if let Some((shard, epoch)) = claim {
                    let epoch = outcome.ok().map(|_| epoch);
                    self.at(host, 5, Event::Hear(shard, Report::Claimed(epoch)));
                }
                // Others see it soon.
                for other in 0..self.hosts.len() {
                    if self.hosts[other].is_up && claim.is_some() {
                        self.look(other);
                    }
                }
            }
            Event::Hear(shard, report) => self.hear(host, shard, report),
        }
    }

    fn hear(&mut self, host: usize, shard: u32, report: Report) {
        if matches!(report, Report::Ended(_)) {
            self.hosts[host].plays.remove(&shard);
            self.silent.insert(shard, self.now);
        }
        let order = self.hosts[host].keeper.hear(shard, report);
        order.into_iter().for_each(|order| self.obey(host, order));
        self.look(host);
    }

    fn look(&mut self, host: usize) {
        let cells = &self.engine.cells;
        self.past
            .push_back((cells.list("host/"), cells.list("shard/")));
        while self.past.len() > 6 {
            self.past.pop_front();
        }
        // What it sees is some looks old; its own shards it knows.
        let at = self.random(3).min(self.past.len() as u64 - 1) as usize;
        let (hosts, _) = self.past[self.past.len() - 1 - at].clone();
        let (_, shards) = self.past[self.past.len() - 1].clone();
        let rooms = self.rooms;
        let it = &mut self.hosts[host];
        for (shard, of) in &mut it.plays {
            *of = rooms[*shard as usize];
        }
        let now = Duration::from_millis(self.now);
        let orders = it.keeper.look(now, (&hosts, &shards), &it.plays);
        for order in orders {
            self.obey(host, order);
        }
    }

    fn obey(&mut self, host: usize, order: Order) {
        match order {
            Order::Put {
                key,
                revision,
                value,
                claim,
            } => {
                let write = Write::Put {
                    key,
                    revision,
                    value,
                };
                self.at(host, 5, Event::Write(write, claim));
            }
            Order::Seat(shard, Duty::Follow) => {
                let follows = Report::Follows(Follows::Ready);
                self.at(host, 60, Event::Hear(shard, follows));
            }
            Order::Seat(shard, Duty::Drain) => {
                self.moves += 1;
                self.at(host, 60, Event::Hear(shard, Report::Ended(End::Drained)));
            }
            Order::Seat(shard, Duty::Stop) => _ = self.hosts[host].plays.remove(&shard),
            Order::Seat(shard, Duty::Own(_)) => {
                self.hosts[host].plays.insert(shard, 0);
                let since = self.silent.remove(&shard);
                let silence = since.map_or(0, |since| self.now - since);
                self.silence = self.silence.max(silence);
            }
            Order::Fail(_) => {}
            Order::Quit => self.kill(host),
        }
    }

    /// The rooms and the shards of each host that is up, by the cells of the shards.
    fn loads(&self) -> Vec<(u64, u64)> {
        let claims = self.engine.cells.list("shard/");
        let claims = claims.iter().filter_map(|cell| {
            let shard: usize = cell.key.rsplit('/').next()?.parse().ok()?;
            Some((shard, wire::read::<Claim>(&cell.value)?.owner))
        });
        let mut loads = BTreeMap::new();
        for (host, _) in self.hosts.iter().enumerate().filter(|(_, host)| host.is_up) {
            loads.insert(format!("h{host}"), (0, 0));
        }
        for (shard, owner) in claims {
            let load: &mut (u64, u64) = loads.entry(owner).or_default();
            *load = (load.0 + self.rooms[shard], load.1 + 1);
        }
        loads.into_values().collect()
    }

    fn check(&self, at: &str) {
        let loads = self.loads();
        let difference = |of: fn(&(u64, u64)) -> u64| {
            let most = loads.iter().map(of).max().unwrap_or(0);
            most - loads.iter().map(of).min().unwrap_or(0)
        };
        let shards: u64 = loads.iter().map(|load| load.1).sum();
        assert_eq!(shards, SHARDS.into(), "{at}: {loads:?}");
        assert!(
            difference(|load| load.0) <= 1,
            "{at}: rooms, shards {loads:?}"
        );
    }
}

#[test]
fn three_hosts_with_six_rooms_have_two_each() {
    for seed in 0..super::number("ECS_ROOMS_SEEDS").unwrap_or(20) {
        let mut all = Deployment::new(seed);
        let standby = if seed.is_multiple_of(2) { 4 } else { 0 };
        (0..3).for_each(|_| all.start(standby));
        for _ in 0..6 {
            let free = (0..SHARDS as usize).filter(|it| all.rooms[*it] == 0);
            let free: Vec<_> = free.collect();
            let shard = free[all.random(free.len() as u64) as usize];
            all.rooms[shard] = 1;
        }
        all.run(6_000);
        all.check(&format!("seed {seed}"));
        assert!(all.loads().iter().all(|load| load.0 == 2));
        // After that, nothing moves any more.
        let moves = all.moves;
        all.run(12_000);
        assert_eq!(all.moves, moves, "seed {seed}");
    }
}

#[test]
fn hosts_differ_by_one_room_after_a_quiet_time() {
    let (mut most, mut silence) = (0, 0);
    for seed in 0..super::number("ECS_ROOMS_SEEDS").unwrap_or(20) {
        let mut all = Deployment::new(seed);
        let standby = if seed.is_multiple_of(2) { 4 } else { 0 };
        (0..1 + all.random(3)).for_each(|_| all.start(standby));
        for quiet in 1..6 {
            // Rooms are opened and closed, and a host joins, dies or leaves.
            for shard in 0..SHARDS as usize {
                all.rooms[shard] = all.random(2);
            }
            let host = all.random(all.hosts.len() as u64) as usize;
            let up = all.hosts.iter().filter(|host| host.is_up).count();
            match all.random(4) {
                0 if up > 1 => all.kill(host),
                1 if up > 1 && all.hosts[host].is_up => all.hosts[host].keeper.leave(),
                _ if up < 5 => all.start(standby),
                _ => {}
            }
            let moves = all.moves;
            all.run(quiet * 8_000);
            all.check(&format!("seed {seed}, after {quiet}"));
            most = most.max(all.moves - moves);
        }
        silence = silence.max(all.silence);
    }
    println!("at most {most} moves, {silence} ms without an owner");
    assert!(
        most < 2 * u64::from(SHARDS),
        "shards move in circles: {most}"
    );
    assert!(silence < 300, "a shard that is given away waits: {silence}");
}

#[test]
fn a_shard_given_to_a_host_that_dies_is_taken_by_the_heir_of_that_host() {
    let mut all = Deployment::new(1);
    (0..2).for_each(|_| all.start(4));
    all.rooms = [1; SHARDS as usize];
    all.run(6_000);
    let (&shard, _) = all.hosts[1].plays.first_key_value().unwrap();
    // The other one is a standby of this shard: so it is the one to get it.
    let key = wire::shard_name(shard);
    let mut cells = all.engine.cells.list(&key);
    cells.retain(|cell| cell.key == key);
    let claim: Claim = wire::read(&cells[0].value).unwrap();
    let owner = String::new();
    let (revision, value) = (
        Some(cells[0].revision),
        wire::write(&Claim { owner, ..claim }),
    );
    let given = Write::Put {
        key: key.clone(),
        revision,
        value,
    };
    all.engine.write(given).unwrap();
    all.kill(0);
    all.hear(1, shard, Report::Ended(End::Drained));
    all.run(6_100);
    all.hear(1, shard, Report::Follows(Follows::Silent));
    all.run(6_200);
    let cells = all.engine.cells.list(&key);
    let cell = cells.iter().find(|cell| cell.key == key).unwrap();
    assert_eq!(wire::read::<Claim>(&cell.value).unwrap().owner, "h1");
}

#[test]
fn a_claim_whose_seat_has_ended_meanwhile_is_given_away() {
    let mut all = Deployment::new(1);
    all.start(4);
    let owner = |all: &Deployment| {
        let cells = all.engine.cells.list("shard/0");
        let claim = cells
            .first()
            .and_then(|cell| wire::read::<Claim>(&cell.value));
        claim.map(|claim| claim.owner)
    };
    while owner(&all).is_none() {
        all.run(all.now + 1);
    }
    // The outcome of the claim comes later than the end.
    all.hear(0, 0, Report::Ended(End::Other(1)));
    all.run(all.now + 10);
    assert!(!all.hosts[0].plays.contains_key(&0));
    assert_eq!(owner(&all), Some(String::new()));
}
