//! What players do, and what must hold in the end.

use std::collections::BTreeMap;

use super::{END, FAULTS_END, KEY, Player, SHARDS, TICK, World};
use crate::core::seat::Seat;
use crate::core::simulation::engine::Write;
use crate::core::simulation::reference::Reference;
use crate::core::simulation::room::Tally;
use crate::core::wire::{self, Entry, Input};
use crate::error::Error;

impl World {
    pub(super) fn send(&mut self, player: usize) {
        let Player {
            room,
            player: number_of,
            number,
            ..
        } = self.players[player];
        let shard = wire::shard_of(room, SHARDS);
        let entry = Entry::Input(Input {
            room: room.to_owned(),
            player: number_of,
            number,
            bytes: wire::write(&number),
        });
        let key = wire::player_key(&KEY, room, number_of);
        let bytes = wire::seal(&key, &wire::log_name(shard), &entry);
        self.write(Write::Append { shard, bytes }, move |world, outcome| {
            world.answered(player, &outcome);
        });
    }

    /// A player sends the next input once the last one is acknowledged, else the same again.
    fn answered(&mut self, player: usize, outcome: &Result<u64, Error>) {
        if let Ok(record) = outcome {
            self.counts.acknowledged += 1;
            let it = &mut self.players[player];
            it.acknowledged.push((it.number, *record));
            it.number += 1;
        }
        let delay = 10 + self.random(120);
        if self.now + delay < END {
            self.at(delay, move |world| world.send(player));
        }
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
            for (&(_, opened, tick), sum) in self.sums.iter().filter(|(key, _)| key.0 == shard) {
                // A room that is opened twice, and closed before a replica lists saves, looks to it as if
                // it were opened by the second record, until the next mark.
                let played = |tick| self.sums.contains_key(&(shard, opened, tick));
                let expected = reference.sums.get(&(opened, tick));
                let is_short = !played(tick - 1) && !played(tick + 1);
                if expected != Some(sum) && (expected.is_some() || !is_short) {
                    return Err(format!(
                        "one history: a replica had another room {opened} after tick {tick}"
                    ));
                }
            }
            for player in &self.players {
                if let Some(played) = reference.rooms.get(player.room) {
                    let inputs = played
                        .room
                        .inputs
                        .iter()
                        .filter(|(by, _)| *by == player.player);
                    player.check(played.opened, inputs.map(|(_, input)| *input).collect())?;
                }
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
                let hosts = hosts.map(|host| (host.is_up, host.is_leaving, seats(&host.seats)));
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

impl Player {
    /// Each input that was acknowledged after the room was opened has been played.
    fn check(&self, opened: u64, played: Vec<u64>) -> Result<(), String> {
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
            .find(|(number, record)| *record > opened && played.binary_search(number).is_err());
        lost.map_or(Ok(()), |(number, _)| {
            Err(format!("no input lost: {number} of {of}"))
        })
    }
}
