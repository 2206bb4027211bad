//! What players do, and what must hold in the end.

use super::{END, Event, FAULTS_END, KEY, Player, Reply, SHARDS, TICK, World};
use crate::core::simulation::engine::Write;
use crate::core::simulation::reference::Reference;
use crate::core::wire::{self, Entry};
use crate::error::Error;
use crate::store::Record;

impl World {
    pub(super) fn send(&mut self, player: usize) {
        let Player {
            room,
            player: number_of,
            number,
            ..
        } = self.players[player];
        let shard = wire::shard_of(room, SHARDS);
        let input = wire::write(&number);
        let entry = Entry::Input {
            room: room.to_owned(),
            player: number_of,
            number,
            input,
        };
        let key = wire::player_key(&KEY, room, number_of);
        let bytes = wire::seal(&key, &wire::log_name(shard), &wire::write(&entry));
        self.write(Write::Append { shard, bytes }, Reply::Player(player));
    }

    /// A player sends the next input once the last one is acknowledged, else the same again.
    pub(super) fn answered(&mut self, player: usize, outcome: &Result<u64, Error>) {
        if let Ok(record) = outcome {
            self.counts.acknowledged += 1;
            // Before the room is open, inputs are nothing to it.
            let opened = self.opened(player);
            let it = &mut self.players[player];
            if opened.is_some_and(|opened| opened < *record) {
                it.acknowledged.push(it.number);
            }
            it.number += 1;
        }
        let delay = 10 + self.random(120);
        if self.now < END - 1_000 {
            self.at(delay, Event::Send(player));
        }
    }

    fn opened(&self, player: usize) -> Option<u64> {
        let room = self.players[player].room;
        let shard = wire::shard_of(room, SHARDS);
        let records = &self.engine.logs.get(&shard)?.records;
        let opens = |record: &&Record| {
            let entry = wire::read_entry(&KEY, &wire::log_name(shard), &record.bytes);
            matches!(entry, Some(Entry::Open { room: opened, .. }) if opened == room)
        };
        records.iter().find(opens).map(|record| record.number)
    }

    pub(super) fn check(&mut self) -> Result<(), String> {
        for shard in 0..SHARDS {
            let Some(log) = self.engine.logs.get(&shard) else {
                continue;
            };
            let reference = Reference::play(shard, log)?;
            self.counts.repeated += reference.repeated;
            for (&(_, opened, tick), sum) in self.sums.iter().filter(|(key, _)| key.0 == shard) {
                if reference.sums.get(&(opened, tick)) != Some(sum) {
                    return Err(format!(
                        "one history: a replica had another room {opened} after tick {tick}"
                    ));
                }
            }
            self.check_alive(shard, &reference)?;
            for player in &self.players {
                if let Some(played) = reference.rooms.get(player.room) {
                    let inputs = played
                        .room
                        .inputs
                        .iter()
                        .filter(|(by, _)| *by == player.player);
                    player.check(inputs.map(|(_, input)| *input).collect())?;
                }
            }
        }
        Ok(())
    }

    /// In the end one host has played each room for a while.
    fn check_alive(&self, shard: u32, reference: &Reference) -> Result<(), String> {
        let last = reference
            .sums
            .keys()
            .map(|(_, tick)| *tick)
            .max()
            .unwrap_or(0);
        let seats = self.hosts.iter().filter_map(|host| host.seats.get(&shard));
        let played = seats
            .filter(|seat| seat.tick + 5 > last && !reference.rooms.is_empty())
            .count();
        let is_played = played == 1 && last > (END - FAULTS_END) / TICK / 5;
        let rooms = || {
            self.hosts.iter().map(|host| {
                let seats = host
                    .seats
                    .iter()
                    .map(|(shard, seat)| (*shard, seat.epoch, seat.tick));
                (host.is_up, host.is_leaving, seats.collect::<Vec<_>>())
            })
        };
        match is_played || reference.rooms.is_empty() {
            true => Ok(()),
            false => Err(format!(
                "alive: shard {shard} at tick {last}: {:?} {:?}",
                rooms().collect::<Vec<_>>(),
                self.engine.cells(&wire::shard_name(shard))
            )),
        }
    }
}

impl Player {
    fn check(&self, played: Vec<u64>) -> Result<(), String> {
        let of = format!("player {} of `{}`", self.player, self.room);
        if let Some(pair) = played.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(format!(
                "none twice: input {} of {of} after {}",
                pair[1], pair[0]
            ));
        }
        let lost = self
            .acknowledged
            .iter()
            .find(|number| played.binary_search(number).is_err());
        lost.map_or(Ok(()), |number| {
            Err(format!("no input lost: {number} of {of}"))
        })
    }
}
