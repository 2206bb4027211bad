//! What happens to hosts, rooms and saves.

use std::sync::atomic::Ordering;

use super::{END, FAULTS_END, HOSTS, Host, ROOMS, SHARDS, World};
use crate::core::keeper::Report;
use crate::core::simulation::engine::Write;
use crate::core::wire::{self, Claim, Entry};

impl World {
    pub(super) fn start(&mut self, host: usize) {
        let skew = self.random(1_000_000);
        let drops_ticks = self.drops_ticks;
        let it = &mut self.hosts[host];
        if !it.is_up {
            let (is_up, life) = (true, it.life + 1);
            *it = Host {
                is_up,
                life,
                skew,
                ..Host::new(host, self.is_standby, it.version)
            };
            // Every other time, nothing waits for the old version.
            let common = &it.common;
            common.drops_ticks.store(drops_ticks, Ordering::Relaxed);
            self.run_host(host);
        }
    }

    /// The operator completes the change to another version. The last host of the old one may have died with
    /// ticks that are not saved: these are dropped.
    pub(super) fn complete(&mut self) {
        self.drops_ticks = true;
        for host in 0..HOSTS {
            let common = &self.hosts[host].common;
            common.drops_ticks.store(true, Ordering::Relaxed);
            if self.is_rolling && self.hosts[host].version == 1 {
                self.leave(host);
            }
        }
    }

    pub(super) fn kill(&mut self, host: usize) {
        self.hosts[host].is_up = false;
        self.hosts[host].seats.clear();
        let delay = 200 + self.random(1_500);
        if self.now < END {
            self.at(delay, move |world| world.start(host));
        }
    }

    pub(super) fn leave(&mut self, host: usize) {
        self.hosts[host].is_leaving = true;
        self.hosts[host].keeper.leave();
    }

    /// The host that plays the first shard.
    pub(super) fn owner(&self) -> usize {
        let owns = |host: &Host| host.seats.get(&0).is_some_and(|seat| seat.epoch > 0);
        self.hosts.iter().position(owns).unwrap_or(0)
    }

    /// Kills a host that never comes back.
    pub(super) fn kill_for_good(&mut self, host: usize) {
        if self.is_rolling && !self.drops_ticks && !self.is_calm {
            return; // it might be the last one of its version
        }
        self.hosts[host].is_up &= self.hosts[host].is_leaving;
        if !self.hosts[host].is_up {
            self.hosts[host].seats.clear();
        }
    }

    pub(super) fn fault(&mut self) {
        let host = self.random(HOSTS as u64) as usize;
        if self.now >= FAULTS_END {
            return self.kill_for_good(host);
        }
        let shard = self.random(u64::from(SHARDS)) as u32;
        match self.random(12) {
            0 => self.kill(host),
            1 => self.hosts[host].paused_until = self.now + 300 + self.random(2_000),
            2 => self.hosts[host].skew += self.random(3_600_000),
            3 => self.leave(host),
            4 => self.reopen(),
            5 if self.hosts.iter().all(|host| host.deaf.is_none()) => {
                self.hosts[host].deaf = Some(shard);
                self.counts.deaf += 1;
            }
            10 => self.revoke(),
            6..10 => self.make_owner(host, shard),
            _ => self.damage(),
        }
        let delay = 100 + self.random(900);
        self.at(delay, Self::fault);
    }

    /// Makes a host the owner of a shard, even if there is another one.
    fn make_owner(&mut self, host: usize, shard: u32) {
        if !self.hosts[host].is_up {
            return;
        }
        let seat = self.hosts[host].seats.get(&shard);
        if seat.is_none_or(|seat| seat.epoch > 0) {
            let saves = self.engine.cells.list(&wire::saves_of(shard));
            self.seat(host, shard, &saves);
        }
        let key = wire::shard_name(shard);
        let cell = self.engine.cells.by_key.get(&key);
        let claim: Option<Claim> = cell.and_then(|cell| wire::read(&cell.value));
        let Claim { epoch, version, .. } = claim.unwrap_or_default();
        let epoch = epoch + 1;
        let owner = self.hosts[host].common.name.clone();
        let put = Write::Put {
            key,
            revision: None,
            value: wire::write(&Claim {
                owner,
                epoch,
                version,
            }),
        };
        let _ = self.engine.write(put);
        self.hosts[host].keeper.claim(shard);
        self.report(host, shard, Report::Claimed(Some(epoch)));
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
        self.at(delay, move |world| world.open(room, 0));
        self.counts.reopened += 1;
    }

    /// Revokes the keys that one player has at present.
    fn revoke(&mut self) {
        let device = self.random(self.devices.len() as u64) as usize;
        let it = &self.devices[device];
        let (name, epoch) = (it.room, it.life);
        let revoke = Entry::Revoke {
            room: name.to_owned(),
            player: it.player,
            epoch,
        };
        self.administer(name, &revoke, 0);
    }

    /// Damages the newest save of one room, once.
    fn damage(&mut self) {
        let room = ROOMS[self.random(4) as usize];
        let prefix = format!("save/{}/{room}/", wire::shard_of(room, SHARDS));
        let saves = self.engine.cells.list(&prefix);
        if let (None, [_, .., newest]) = (self.damaged, &saves[..]) {
            self.damaged = Some(room);
            self.counts.damaged += 1;
            let place = self.random(newest.value.len() as u64) as usize;
            if let Some(cell) = self.engine.cells.by_key.get_mut(&newest.key) {
                cell.value[place] ^= 1;
            }
        }
    }
}
