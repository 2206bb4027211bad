//! Which process plays which shard.
//!
//! Each process beats by writing a cell; one whose cell has not changed for a while, by the clock of the
//! one who looks, is taken for dead. All of this is a hint: if two processes play a shard, the marks of one
//! of them are rejected.

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
}

/// What a keeper wants to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Beat(Beat),
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
    /// How many changes were seen.
    changes: u32,
}

fn release(shard: u32, revision: u64, epoch: u64) -> Order {
    Order::Release {
        shard,
        revision,
        claim: Claim { owner: None, epoch },
    }
}

/// The shard as this process sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mine {
    Claiming,
    Playing {
        epoch: u64,
        is_draining: bool,
    },
    /// Given up; the cell still says otherwise.
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
    hosts: BTreeMap<String, Seen>,
    mine: BTreeMap<u32, Mine>,
    count: u64,
    last: Option<Duration>,
    is_leaving: bool,
}

impl Keeper {
    pub(crate) fn new(me: &str, shards: u32, beat: Duration, patience: Duration) -> Self {
        Self {
            me: me.to_owned(),
            shards,
            beat,
            patience,
            hosts: BTreeMap::new(),
            mine: BTreeMap::new(),
            count: 0,
            last: None,
            is_leaving: false,
        }
    }

    /// Takes what the cells of hosts and shards say at present; `now` is a time since any start.
    pub(crate) fn look(&mut self, now: Duration, hosts: &[Cell], shards: &[Cell]) -> Vec<Order> {
        self.see(now, hosts);
        self.count += 1;
        let beat = Beat {
            count: self.count,
            is_leaving: self.is_leaving,
            declined: self.declined(now),
        };
        let mut orders = vec![Order::Beat(beat)];
        let mut claims: BTreeMap<u32, _> = BTreeMap::new();
        for cell in shards {
            let number = cell
                .key
                .rsplit('/')
                .next()
                .and_then(|number| number.parse().ok());
            if let (Some(number), Some(claim)) = (number, wire::read::<Claim>(&cell.value)) {
                claims.insert(number, (claim, cell.revision));
            }
        }
        let wanted = self.assign(now);
        for shard in 0..self.shards {
            let (claim, revision) = claims.remove(&shard).unwrap_or_default();
            let is_wanted = wanted.get(&shard) == Some(&self.me);
            orders.extend(self.decide(now, shard, (claim, revision), is_wanted));
        }
        self.rebalance(now, &wanted, &mut orders);
        orders
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
                changes: 0,
            };
            let seen = self.hosts.entry(name).or_insert(new);
            seen.beat = beat;
            if seen.revision != cell.revision {
                (seen.revision, seen.changed) = (cell.revision, now);
                seen.changes = seen.changes.saturating_add(1);
            }
        }
        // A process that did not run did not see the others beat either.
        if gap > self.beat * 3 {
            self.hosts.values_mut().for_each(|seen| seen.changed = now);
        }
    }

    /// The shards that this process cannot play at present.
    fn declined(&self, now: Duration) -> Vec<u32> {
        let left = |mine: &Mine| matches!(mine, Mine::Left { until, .. } if *until > now);
        self.mine
            .iter()
            .filter(|(_, mine)| left(mine))
            .map(|(shard, _)| *shard)
            .collect()
    }

    fn is_alive(&self, now: Duration, host: &str) -> bool {
        let seen = self.hosts.get(host);
        seen.is_some_and(|seen| now.saturating_sub(seen.changed) < self.patience)
    }

    /// Which host should play each shard: as many each, and as few moves as possible when hosts come and
    /// go. All hosts reach the same result once they see the same hosts.
    fn assign(&self, now: Duration) -> BTreeMap<u32, String> {
        let candidates = self.hosts.iter().filter(|(name, seen)| {
            !seen.beat.is_leaving && **name != self.me && self.is_alive(now, name)
        });
        let mut hosts: BTreeMap<&str, u32> = candidates.map(|(name, _)| (&name[..], 0)).collect();
        if !self.is_leaving {
            hosts.insert(&self.me, 0);
        }
        let share = self.shards.div_ceil((hosts.len() as u32).max(1));
        let own = self.declined(now);
        let declined = |host: &str, shard| match self.hosts.get(host) {
            _ if host == self.me => own.contains(&shard),
            seen => seen.is_some_and(|seen| seen.beat.declined.contains(&shard)),
        };
        let mut assigned = BTreeMap::new();
        for shard in 0..self.shards {
            let name = wire::shard_name(shard);
            let free = hosts
                .iter_mut()
                .filter(|(host, load)| **load < share && !declined(host, shard));
            if let Some((host, load)) = free.max_by_key(|(host, _)| wire::hash(&[&name, host])) {
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
        is_wanted: bool,
    ) -> Option<Order> {
        let is_mine = claim.owner.as_deref() == Some(&self.me);
        match self.mine.get(&shard) {
            Some(Mine::Claiming) => return None,
            Some(Mine::Playing { epoch, .. }) => {
                let is_lost = claim.epoch > *epoch;
                return is_lost.then(|| {
                    self.mine.remove(&shard);
                    Order::Stop { shard }
                });
            }
            Some(Mine::Left { epoch, until }) => {
                if is_mine && claim.epoch == *epoch {
                    return Some(release(shard, revision, claim.epoch));
                }
                if now < *until {
                    return None;
                }
                self.mine.remove(&shard);
            }
            None => {}
        }
        let owner = claim.owner.as_deref();
        let is_orphan = is_mine || owner.is_none_or(|owner| !self.is_alive(now, owner));
        if !is_wanted || self.is_leaving {
            return is_mine.then(|| release(shard, revision, claim.epoch));
        }
        if !is_orphan {
            return None;
        }
        self.mine.insert(shard, Mine::Claiming);
        let claim = Claim {
            owner: Some(self.me.clone()),
            epoch: claim.epoch + 1,
        };
        Some(Order::Claim {
            shard,
            revision,
            claim,
        })
    }

    /// Gives one shard at a time to a host that should have it, or all if this one leaves.
    fn rebalance(
        &mut self,
        now: Duration,
        wanted: &BTreeMap<u32, String>,
        orders: &mut Vec<Order>,
    ) {
        let is_draining = |mine: &Mine| {
            matches!(
                mine,
                Mine::Playing {
                    is_draining: true,
                    ..
                }
            )
        };
        let mut is_busy = self.mine.values().any(is_draining);
        let shards: Vec<_> = self.mine.keys().copied().collect();
        for shard in shards {
            let other = wanted.get(&shard).filter(|host| **host != self.me);
            let takes = other.and_then(|host| self.hosts.get(host));
            let is_ready = takes.is_some_and(|seen| {
                seen.changes > 3 && now.saturating_sub(seen.changed) < self.beat * 3
            });
            let Some(Mine::Playing { is_draining, .. }) = self.mine.get_mut(&shard) else {
                continue;
            };
            if !*is_draining && (self.is_leaving || is_ready && !is_busy) {
                *is_draining = true;
                is_busy = true;
                orders.push(Order::Drain { shard });
            }
        }
    }

    /// A claim was written, or not.
    pub(crate) fn claimed(&mut self, shard: u32, epoch: Option<u64>) {
        match epoch {
            Some(epoch) => {
                _ = self.mine.insert(
                    shard,
                    Mine::Playing {
                        epoch,
                        is_draining: false,
                    },
                )
            }
            None => _ = self.mine.remove(&shard),
        }
    }

    /// A seat has ended. It is not claimed again for `pause`.
    pub(crate) fn ended(&mut self, now: Duration, shard: u32, epoch: u64, pause: Duration) {
        let until = now + pause;
        match self.mine.get(&shard) {
            Some(Mine::Playing { epoch: playing, .. }) if *playing == epoch => {
                self.mine.insert(shard, Mine::Left { epoch, until });
            }
            _ => {}
        }
    }

    /// This process claims no more shards, and releases its own.
    pub(crate) fn leave(&mut self) {
        self.is_leaving = true;
    }

    /// Whether it has given all its shards away.
    pub(crate) fn has_left(&self, shards: &[Cell]) -> bool {
        let is_mine = |cell: &Cell| {
            wire::read::<Claim>(&cell.value)
                .is_some_and(|claim| claim.owner.as_deref() == Some(&self.me))
        };
        let is_playing = |mine: &Mine| !matches!(mine, Mine::Left { .. });
        self.is_leaving && !self.mine.values().any(is_playing) && !shards.iter().any(is_mine)
    }
}
