//! What players do, and what must hold in the end.

use std::collections::BTreeMap;
use std::time::{Duration, UNIX_EPOCH};

use super::{Device, END, FAULTS_END, KEY, LOST_UNTIL, SHARDS, TICK, World, build};
use crate::core::outbox::Outbox;
use crate::core::roster::{Outcome, Reason};
use crate::core::seat::Seat;
use crate::core::simulation::engine::Write;
use crate::core::simulation::reference::{FIRST_EXPIRY, Reference};
use crate::core::simulation::room::{ENDS, PANICS, PANICS_IN_SAVE, Tally};
use crate::core::wire::{self, PlayerKey};

impl Device {
    pub(super) fn new(number: u64, room: &'static str, player: u64) -> Self {
        let mut device = Self {
            room,
            player,
            outbox: Self::connect(room, player, 0, 1),
            life: 0,
            gateway: (!number.is_multiple_of(3)).then_some(0),
            sent: 0,
            open: BTreeMap::new(),
            names: BTreeMap::new(),
            outcomes: BTreeMap::new(),
        };
        device.begin();
        device
    }

    /// A gateway says itself what its client knows.
    fn begin(&mut self) {
        if self.gateway.is_some() {
            self.outbox.resume(0, 0, 0);
        }
    }

    fn connect(room: &str, player: u64, life: u64, version: u32) -> Outbox {
        // By the clocks of hosts, which are wrong by up to some hours.
        let expires = UNIX_EPOCH + Duration::from_secs(FIRST_EXPIRY + 1_500 * life);
        let key = PlayerKey::session(&KEY, room, player, life, expires);
        let log = wire::log_name(wire::shard_of(room, SHARDS));
        Outbox::new(room, player, key, build(version), log)
    }

    fn reconnect(&mut self, version: u32) {
        self.life += 1;
        self.outbox = Self::connect(self.room, self.player, self.life, version);
        self.begin();
        self.open.clear();
        self.names.clear();
    }

    /// The gateway has died: another one continues the connection, with what the client has no outcome of.
    fn move_on(&mut self, version: u32) {
        let connection = self.outbox.connection().0;
        self.outbox = Self::connect(self.room, self.player, self.life, version);
        let sent = self.names.last_key_value().map_or(0, |(last, _)| *last);
        self.outbox.resume(connection, self.known(), sent);
        for (number, (input, _)) in &self.open {
            let _ = self.outbox.push(*number, wire::write(input));
        }
    }

    /// Up to which number the client knows all outcomes.
    fn known(&self) -> u64 {
        let last = || self.names.last_key_value().map_or(0, |(last, _)| *last);
        self.open
            .first_key_value()
            .map_or_else(last, |(first, _)| first - 1)
    }
}

impl World {
    /// A player sends an input now and then.
    pub(super) fn send(&mut self, device: usize) {
        let is_impatient = self.random(100) < 20;
        let is_restarted = self.has_fault(2);
        // Players get the new program sooner or later than the hosts.
        let version = 1 + u32::from(self.is_rolling && self.now > 3_000);
        let bomb = match self.random(3_000) {
            0 if self.has_bombs => PANICS,
            1 if self.has_bombs => PANICS_IN_SAVE,
            2..4 if !self.is_calm => ENDS,
            _ => 0,
        };
        let (now, it) = (self.now, &mut self.devices[device]);
        let input = bomb | (device as u64) << 32 | (it.sent + 1);
        if it.outbox.open() < 4 {
            let number = it.outbox.following();
            match it.outbox.push(number, wire::write(&input)) {
                Ok(()) => {
                    it.sent += 1;
                    it.open.insert(number, (input, now));
                    it.names.insert(number, input);
                }
                Err(_) if is_impatient => it.reconnect(version),
                Err(_) => {}
            }
        }
        if is_restarted {
            let leaves = it.outbox.presence(false);
            it.reconnect(version);
            leaves
                .into_iter()
                .for_each(|bytes| self.append_presence(device, bytes));
        }
        if self.has_fault(4) {
            self.move_on(device, version);
        }
        self.append(device);
        let delay = 10 + self.random(120);
        if self.now + delay < END {
            self.at(delay, move |world| world.send(device));
        }
    }

    /// The gateway of a player dies, if it has one.
    fn move_on(&mut self, device: usize, version: u32) {
        let it = &mut self.devices[device];
        if let Some(gateway) = &mut it.gateway {
            *gateway += 1;
            it.move_on(version);
            self.counts.moved += 1;
        }
    }

    fn append_presence(&mut self, device: usize, bytes: Vec<u8>) {
        let shard = wire::shard_of(self.devices[device].room, SHARDS);
        self.write(Write::Append { shard, bytes }, |_, _| ());
    }

    fn append(&mut self, device: usize) {
        let it = &mut self.devices[device];
        let (life, shard) = ((it.life, it.gateway), wire::shard_of(it.room, SHARDS));
        if let Some(bytes) = it.outbox.next() {
            self.write(Write::Append { shard, bytes }, move |world, outcome| {
                let it = &mut world.devices[device];
                if (it.life, it.gateway) == life {
                    it.outbox.appended(&outcome);
                    world.append(device);
                }
            });
        }
    }

    /// Asks again for outcomes that have not come.
    pub(super) fn ask(&mut self, device: usize) {
        let (is_lost, it) = (self.has_fault(20), &mut self.devices[device]);
        let shard = wire::shard_of(it.room, SHARDS);
        let topic = wire::ask_name(shard);
        let is_late = |(_, sent): &(u64, u64)| *sent + 300 < self.now;
        let ask = it.outbox.ask(&topic, !it.open.values().any(is_late));
        if let Some(ask) = ask.filter(|_| !is_lost) {
            self.counts.asked += 1;
            for host in 0..self.hosts.len() {
                let (delay, ask, topic) = (self.random(20), ask.clone(), topic.clone());
                self.at_host(host, delay, move |world| {
                    let ask = wire::read_ask(&KEY, &topic, &ask).unwrap();
                    world.with_seat(host, shard, |seat| seat.ask(ask));
                });
            }
        }
        self.append(device);
        // Now and then it says that it is still there.
        if self.random(20) == 0
            && let Some(bytes) = self.devices[device].outbox.presence(true)
        {
            self.append_presence(device, bytes);
        }
        self.at(150, move |world| world.ask(device));
    }

    /// The message of an owner gets lost, is late, or comes twice.
    pub(super) fn tell(&mut self, topic: &str, bytes: &[u8]) {
        for device in 0..self.devices.len() {
            let it = &self.devices[device];
            if wire::outcomes_name(it.room, it.player) != topic {
                continue;
            }
            // Messages get lost for longer than anything else: each is repeated until its player knows it.
            let is_lost = self.random(100) < 40 && self.now < LOST_UNTIL && self.loses_messages;
            let count = u64::from(!is_lost) + u64::from(self.has_fault(5));
            for _ in 0..count {
                let is_late = self.has_fault(5);
                let delay = self.random(if is_late { 1_500 } else { 9 });
                let (topic, bytes) = (topic.to_owned(), bytes.to_vec());
                self.at(delay, move |world| world.hear(device, &topic, &bytes));
            }
        }
    }

    fn hear(&mut self, device: usize, topic: &str, bytes: &[u8]) {
        let it = &mut self.devices[device];
        it.outbox.hear(topic, bytes);
        let life = (it.life, it.gateway);
        for (number, outcome) in std::mem::take(&mut it.outbox.outcomes) {
            match life.1 {
                None => self.learn(device, number, outcome),
                // The client hears it a little later, and never if its gateway dies before.
                Some(_) => {
                    let delay = self.random(200);
                    self.at(delay, move |world| {
                        let it = &world.devices[device];
                        if (it.life, it.gateway) == life {
                            world.learn(device, number, outcome);
                        }
                    });
                }
            }
        }
        self.append(device);
    }

    /// The sender of an input learns its outcome.
    fn learn(&mut self, device: usize, number: u64, outcome: Outcome) {
        match outcome {
            Outcome::Played { .. } => self.counts.played_inputs += 1,
            Outcome::Rejected(reason) => {
                self.counts.rejected_inputs += 1;
                self.counts.connections_taken += u64::from(reason == Reason::TakenOver);
                self.counts.expired += u64::from(reason == Reason::Expired);
                self.counts.revoked += u64::from(reason == Reason::Revoked);
                self.counts.lost_inputs += u64::from(reason == Reason::Lost);
            }
        }
        let it = &mut self.devices[device];
        it.open.remove(&number);
        let known = it.outcomes.entry(it.names[&number]).or_insert(outcome);
        if *known != Outcome::Rejected(Reason::Lost) {
            *known = outcome; // unless it has overtaken that
        }
        if it.gateway.is_some() {
            it.outbox.know(it.known());
        }
    }

    /// Each input has an outcome after a while.
    pub(super) fn check_outcomes(&self) -> Result<(), String> {
        for (device, it) in self.devices.iter().enumerate() {
            let without = it
                .open
                .iter()
                .find(|(_, (_, sent))| sent + 3_000 < self.now);
            if let Some((number, (_, sent))) = without {
                return Err(format!(
                    "each has an outcome: input {number} of device {device} in `{}`, sent at {sent}",
                    it.room
                ));
            }
        }
        Ok(())
    }

    pub(super) fn check(&mut self) -> Result<(), String> {
        if self.hosts.iter().any(|host| host.is_up) {
            return Err("alive: a host has not left".to_owned());
        }
        for shard in 0..SHARDS {
            let Some(log) = self.engine.logs.get(&shard) else {
                continue;
            };
            let reference = Reference::play(shard, log)?;
            self.counts.repeated += reference.repeated;
            self.counts.ended += reference.results.len() as u64;
            self.check_results(shard, &reference)?;
            for (&(_, opened, tick, version), sum) in
                self.sums.iter().filter(|(key, _)| key.0 == shard)
            {
                // A room that is opened twice, and closed before a replica lists saves, looks to it as if
                // it were opened by the second record, until the next mark.
                let played = |tick| self.sums.contains_key(&(shard, opened, tick, version));
                let expected = reference.sums.get(&(opened, tick, version));
                let is_short = !played(tick - 1) && !played(tick + 1);
                if expected != Some(sum) && (expected.is_some() || !is_short) {
                    return Err(format!(
                        "one history: a replica of version {version} had another room {opened} after tick {tick}: {sum}, not {expected:?}"
                    ));
                }
            }
            for (device, it) in self.devices.iter().enumerate() {
                if wire::shard_of(it.room, SHARDS) == shard {
                    it.check(device as u64, &reference)?;
                }
            }
        }
        Ok(())
    }

    /// Each result is written, as it is in the log.
    fn check_results(&self, shard: u32, reference: &Reference) -> Result<(), String> {
        for (opened, result) in &reference.results {
            let written = self.results.get(&(shard, *opened));
            // The first one stands, if the ticks are void in which it was.
            if written != Some(result) && (written.is_none() || !self.drops_ticks) {
                return Err(format!(
                    "one result: of room {opened}: {written:?}, not {result:?}"
                ));
            }
        }
        Ok(())
    }

    /// One host has played each room for a while.
    pub(super) fn check_alive(&self) -> Result<(), String> {
        for shard in 0..SHARDS {
            let log = self.engine.logs.get(&shard);
            let reference =
                log.map_or(Ok(Reference::default()), |log| Reference::play(shard, log))?;
            let last = reference.tick;
            let owners = self.hosts.iter().filter_map(|host| host.seats.get(&shard));
            let owners = owners
                .filter(|seat| seat.epoch > 0 && seat.tick + 5 > last)
                .count();
            let is_played = owners == 1 && last > (END - FAULTS_END) / TICK / 5;
            if !is_played && !reference.rooms.is_empty() {
                let seats = |seats: &BTreeMap<u32, Seat<Tally>>| {
                    let seats = seats.iter();
                    let seats = seats.map(|(shard, seat)| (*shard, seat.epoch, seat.tick));
                    seats.collect::<Vec<_>>()
                };
                let hosts = self.hosts.iter();
                let hosts = hosts.map(|host| (host.is_up, host.version, seats(&host.seats)));
                let (hosts, cell) = (
                    hosts.collect::<Vec<_>>(),
                    self.engine.cells.list(&wire::shard_name(shard)),
                );
                return Err(format!(
                    "alive: shard {shard} at tick {last}: {hosts:?} {cell:?}"
                ));
            }
        }
        Ok(())
    }
}

impl Device {
    /// Outcomes are those of the log, and no input was played twice.
    fn check(&self, device: u64, reference: &Reference) -> Result<(), String> {
        let of = format!("device {device} in `{}`", self.room);
        let played = reference
            .played
            .iter()
            .filter(|(input, _)| input << 3 >> 35 == device);
        let ticks: BTreeMap<u64, u64> = played.clone().copied().collect();
        let played: Vec<_> = played
            .map(|(input, tick)| (input << 3 >> 3, tick))
            .collect();
        if let Some(pair) = played.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return Err(format!("none twice: inputs of {of}: {pair:x?}"));
        }
        let is_present = |input: &u64| self.names.values().any(|present| present == input);
        for (input, outcome) in &self.outcomes {
            let tick = ticks.get(input).copied();
            let is_right = match outcome {
                // A program that has ended cannot learn that a tick is void.
                Outcome::Played { .. } if reference.lost.contains_key(input) => {
                    !is_present(input) || reference.is_untold(*input)
                }
                Outcome::Played { tick: played } => tick == Some(*played),
                Outcome::Rejected(Reason::NoRoom | Reason::Forgotten) => true,
                Outcome::Rejected(_) => tick.is_none(),
            };
            if let Outcome::Rejected(reason) = outcome
                && !reference.justifies(self.room, self.player, *input, *reason)
            {
                return Err(format!("reasons are right: {input:x} of {of}: {reason:?}"));
            }
            if !is_right {
                let number = input & 0xffff_ffff;
                return Err(format!(
                    "outcomes are true: {number} of {of}: {outcome:?}, played in {tick:?}"
                ));
            }
        }
        Ok(())
    }
}
