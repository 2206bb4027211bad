//! Which process plays which shard.
//!
//! Each process beats by writing a cell; one whose cell has not changed for a while, by the clock of the
//! one who looks, is taken for dead. All of this is a hint: if two processes play a shard, the marks of one
//! of them are rejected.
//!
//! ```text
//! Following ──► Claiming ──► Playing ──► Left      the seat follows the log first, and becomes the owner
//!     ▲                         │                  when there is no other one
//!     └──────── Left ◄──────────┘
//! ```
//!
//! A process follows the shards that it should have. An owner gives a shard away when the next one has caught
//! up, so a shard that moves is not silent. A standby follows the shards that it would get if their
//! owners died, too, and need not wait for that to be noticed: it sees that no marks come.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::wire::{self, Claim};
use crate::store::Cell;

/// What the cell of a host says: how many times it has beaten, and whether it wants no more shards.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Beat {
    pub(crate) count: u64,
    pub(crate) is_leaving: bool,
    /// Shards that it cannot play at present.
    pub(crate) declined: Vec<u32>,
    /// Shards that it could play at once.
    pub(crate) ready: Vec<u32>,
}

/// What a keeper wants to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Beat(Beat),
    /// Play a shard along with its owner.
    Follow {
        shard: u32,
    },
    /// Write this claim to the cell of a shard if it has this revision; if that succeeds, play the shard.
    Claim {
        shard: u32,
        revision: u64,
        claim: Claim,
    },
    /// Save the rooms of a shard and stop.
    Drain {
        shard: u32,
    },
    /// Another process plays the shard.
    Stop {
        shard: u32,
    },
    /// Write to the cell of a shard that it has no owner, if the cell has this revision.
    Release {
        shard: u32,
        revision: u64,
        claim: Claim,
    },
}

struct Seen {
    revision: u64,
    changed: Duration,
    beat: Beat,
}

fn release(shard: u32, revision: u64, epoch: u64) -> Order {
    Order::Release {
        shard,
        revision,
        claim: Claim { owner: None, epoch },
    }
}

/// What cells say of shards, and their revisions.
fn read_claims(shards: &[Cell]) -> BTreeMap<u32, (Claim, u64)> {
    let claim = |cell: &Cell| {
        let number = cell.key.rsplit('/').next()?.parse().ok()?;
        Some((number, (wire::read(&cell.value)?, cell.revision)))
    };
    shards.iter().filter_map(claim).collect()
}

/// The shard as this process sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mine {
    Following {
        /// It has caught up.
        is_ready: bool,
        /// The owner does not mark.
        is_silent: bool,
    },
    Claiming,
    Playing {
        epoch: u64,
        is_draining: bool,
    },
    /// Given up; the cell may still say otherwise.
    Left {
        epoch: u64,
        until: Duration,
    },
}

pub(crate) struct Keeper {
    me: String,
    shards: u32,
    beat: Duration,
    /// A host that has not beaten for so long is taken for dead.
    patience: Duration,
    is_standby: bool,
    hosts: BTreeMap<String, Seen>,
    mine: BTreeMap<u32, Mine>,
    /// How many times in a row each shard could not be played.
    unfit: BTreeMap<u32, u32>,
    count: u64,
    last: Option<Duration>,
    is_leaving: bool,
    /// When it gives shards away, whether others are ready or not.
    leaves_at: Option<Duration>,
}

impl Keeper {
    pub(crate) fn new(
        me: &str,
        shards: u32,
        (beat, patience): (Duration, Duration),
        is_standby: bool,
    ) -> Self {
        Self {
            me: me.to_owned(),
            shards,
            beat,
            patience,
            is_standby,
            hosts: BTreeMap::new(),
            mine: BTreeMap::new(),
            unfit: BTreeMap::new(),
            count: 0,
            last: None,
            is_leaving: false,
            leaves_at: None,
        }
    }

    /// Takes what the cells of hosts and shards say at present; `now` is a time since any start.
    pub(crate) fn look(&mut self, now: Duration, hosts: &[Cell], shards: &[Cell]) -> Vec<Order> {
        self.see(now, hosts);
        self.count += 1;
        let is_ready = |mine: &Mine| matches!(mine, Mine::Following { is_ready: true, .. });
        let beat = Beat {
            count: self.count,
            is_leaving: self.is_leaving,
            declined: self.which(|mine| matches!(mine, Mine::Left { until, .. } if *until > now)),
            ready: self.which(is_ready),
        };
        let mut orders = vec![Order::Beat(beat)];
        let claims = read_claims(shards);
        let wanted = self.assign(now, "");
        // If an owner dies, all agree on who gets its shards.
        let mut heirs = BTreeMap::new();
        for owner in claims
            .values()
            .filter_map(|(claim, _)| claim.owner.as_deref())
        {
            if self.is_standby && !heirs.contains_key(owner) {
                heirs.insert(owner, self.assign(now, owner));
            }
        }
        for shard in 0..self.shards {
            let (claim, revision) = claims.get(&shard).cloned().unwrap_or_default();
            let heirs = claim.owner.as_deref().and_then(|owner| heirs.get(owner));
            let is_meant = |hosts: &BTreeMap<u32, String>| hosts.get(&shard) == Some(&self.me);
            let (is_wanted, is_heir) = (is_meant(&wanted), heirs.is_some_and(is_meant));
            orders.extend(self.decide(now, shard, (claim, revision), (is_wanted, is_heir)));
        }
        self.give_away(now, &wanted, &mut orders);
        orders
    }

    /// The shards of which something is so.
    fn which(&self, is_so: impl Fn(&Mine) -> bool) -> Vec<u32> {
        let mine = self.mine.iter().filter(|(_, mine)| is_so(mine));
        mine.map(|(shard, _)| *shard).collect()
    }

    /// Notes which hosts have beaten.
    fn see(&mut self, now: Duration, cells: &[Cell]) {
        let gap = self
            .last
            .replace(now)
            .map_or(Duration::ZERO, |last| now.saturating_sub(last));
        let names: BTreeSet<_> = cells
            .iter()
            .filter_map(|cell| cell.key.rsplit('/').next())
            .collect();
        self.hosts.retain(|name, _| names.contains(&name[..]));
        for cell in cells {
            let name = cell.key.rsplit('/').next().unwrap_or_default().to_owned();
            let beat: Beat = wire::read(&cell.value).unwrap_or_default();
            let new = Seen {
                revision: 0,
                changed: now,
                beat: Beat::default(),
            };
            let seen = self.hosts.entry(name).or_insert(new);
            seen.beat = beat;
            if seen.revision != cell.revision {
                (seen.revision, seen.changed) = (cell.revision, now);
            }
        }
        // A process that did not run did not see the others beat either.
        if gap > self.beat * 3 {
            self.hosts.values_mut().for_each(|seen| seen.changed = now);
        }
    }

    fn is_alive(&self, now: Duration, host: &str) -> bool {
        let seen = self.hosts.get(host);
        seen.is_some_and(|seen| now.saturating_sub(seen.changed) < self.patience)
    }

    /// Which host should play each shard if there were no host `without`: as many each, and as few moves
    /// as possible when hosts come and go. All hosts reach the same result once they see the same hosts.
    fn assign(&self, now: Duration, without: &str) -> BTreeMap<u32, String> {
        let is_other = |name: &str, seen: &Seen| {
            !seen.beat.is_leaving && name != self.me && self.is_alive(now, name)
        };
        let declined = self.which(|mine| matches!(mine, Mine::Left { until, .. } if *until > now));
        let others = self
            .hosts
            .iter()
            .filter(|(name, seen)| is_other(name, seen));
        let others = others.map(|(name, seen)| (&name[..], (0, &seen.beat.declined)));
        let mut hosts: BTreeMap<&str, (u32, &Vec<u32>)> = others.collect();
        if !self.is_leaving {
            hosts.insert(&self.me, (0, &declined));
        }
        hosts.remove(without);
        let share = self.shards.div_ceil((hosts.len() as u32).max(1));
        let mut assigned = BTreeMap::new();
        for shard in 0..self.shards {
            let name = wire::shard_name(shard);
            let host = hosts.iter_mut().min_by_key(|(host, (load, declined))| {
                let rank = Reverse(wire::hash(&[&name, host]));
                (declined.contains(&shard), *load >= share, rank)
            });
            if let Some((host, (load, _))) = host {
                *load += 1;
                assigned.insert(shard, (*host).to_owned());
            }
        }
        assigned
    }

    fn decide(
        &mut self,
        now: Duration,
        shard: u32,
        (claim, revision): (Claim, u64),
        (is_wanted, is_heir): (bool, bool),
    ) -> Option<Order> {
        let owner = claim.owner.as_deref();
        let is_mine = owner == Some(&self.me);
        let is_orphan = is_mine || owner.is_none_or(|owner| !self.is_alive(now, owner));
        let follows = (is_wanted || is_heir) && !self.is_leaving;
        match self.mine.get(&shard).copied() {
            Some(Mine::Claiming) => None,
            Some(Mine::Playing { epoch, .. }) => (claim.epoch > epoch).then(|| self.stop(shard)),
            // Also if the claim is of a write whose outcome was unknown.
            Some(Mine::Left { .. }) if is_mine => Some(release(shard, revision, claim.epoch)),
            Some(Mine::Left { until, .. }) if now < until => None,
            Some(Mine::Following { .. }) if !follows => Some(self.stop(shard)),
            Some(Mine::Following {
                is_ready,
                is_silent,
            }) => {
                let claims = is_ready && (is_silent || is_orphan && is_wanted);
                claims.then(|| self.claim(shard, revision, claim.epoch + 1))
            }
            _ if follows => {
                let (is_ready, is_silent) = (false, false);
                self.mine.insert(
                    shard,
                    Mine::Following {
                        is_ready,
                        is_silent,
                    },
                );
                Some(Order::Follow { shard })
            }
            _ => {
                self.mine.remove(&shard);
                is_mine.then(|| release(shard, revision, claim.epoch))
            }
        }
    }

    fn stop(&mut self, shard: u32) -> Order {
        self.mine.remove(&shard);
        Order::Stop { shard }
    }

    fn claim(&mut self, shard: u32, revision: u64, epoch: u64) -> Order {
        self.mine.insert(shard, Mine::Claiming);
        let owner = Some(self.me.clone());
        let claim = Claim { owner, epoch };
        Order::Claim {
            shard,
            revision,
            claim,
        }
    }

    /// Gives a shard to the host that should have it once that host is ready: one at a time, or all if this
    /// one leaves.
    fn give_away(
        &mut self,
        now: Duration,
        wanted: &BTreeMap<u32, String>,
        orders: &mut Vec<Order>,
    ) {
        if self.is_leaving && self.leaves_at.is_none() {
            self.leaves_at = Some(now + self.patience);
        }
        let is_late = self.leaves_at.is_some_and(|at| now >= at);
        let is_draining = |mine: &Mine| {
            matches!(
                mine,
                Mine::Playing {
                    is_draining: true,
                    ..
                }
            )
        };
        let mut is_busy = self.mine.values().any(is_draining) && !self.is_leaving;
        for (shard, mine) in &mut self.mine {
            let other = wanted.get(shard).filter(|host| **host != self.me);
            let seen = other.and_then(|host| self.hosts.get(host));
            let is_ready = seen.is_some_and(|seen| {
                let is_fresh = now.saturating_sub(seen.changed) < self.beat * 3;
                is_fresh && seen.beat.ready.contains(shard)
            });
            let is_last = self.is_leaving && (is_late || other.is_none());
            match mine {
                Mine::Playing { is_draining, .. }
                    if !*is_draining && (is_last || is_ready && !is_busy) =>
                {
                    *is_draining = true;
                    is_busy = !self.is_leaving;
                    orders.push(Order::Drain { shard: *shard });
                }
                _ => {}
            }
        }
    }

    /// A seat that follows has caught up; the owner marks, or not.
    pub(crate) fn caught_up(&mut self, shard: u32, is_silent: bool) {
        self.unfit.remove(&shard);
        if let Some(Mine::Following { .. }) = self.mine.get(&shard) {
            let is_ready = true;
            self.mine.insert(
                shard,
                Mine::Following {
                    is_ready,
                    is_silent,
                },
            );
        }
    }

    /// A claim was written, or not.
    pub(crate) fn claimed(&mut self, shard: u32, epoch: Option<u64>) {
        let following = Mine::Following {
            is_ready: true,
            is_silent: false,
        };
        let playing = |epoch| Mine::Playing {
            epoch,
            is_draining: false,
        };
        self.mine.insert(shard, epoch.map_or(following, playing));
    }

    /// A seat has ended; the epoch of one that followed is 0. A shard that this process could not play is
    /// left to others for a while, which doubles each time.
    pub(crate) fn ended(&mut self, now: Duration, shard: u32, epoch: u64, is_unfit: bool) {
        let present = match self.mine.get(&shard) {
            Some(Mine::Playing { epoch, .. }) => *epoch,
            Some(Mine::Following { .. } | Mine::Claiming) => 0,
            _ => return,
        };
        if present == epoch {
            let mut until = now;
            if is_unfit {
                let times = self.unfit.entry(shard).or_default();
                until += self.patience * 2_u32.pow(*times);
                *times = (*times + 1).min(5);
            }
            self.mine.insert(shard, Mine::Left { epoch, until });
        }
    }

    /// This process takes no more shards, and gives its own away.
    pub(crate) fn leave(&mut self) {
        self.is_leaving = true;
    }

    /// Whether it has given all its shards away.
    pub(crate) fn has_left(&self, shards: &[Cell]) -> bool {
        let is_mine = |(claim, _): &(Claim, u64)| claim.owner.as_deref() == Some(&self.me);
        let is_bound = |mine: &Mine| matches!(mine, Mine::Claiming | Mine::Playing { .. });
        let is_owner = read_claims(shards).values().any(is_mine);
        self.is_leaving && !self.mine.values().any(is_bound) && !is_owner
    }
}
