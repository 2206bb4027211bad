//! Which process plays which shard.
//!
//! Each process beats by writing a cell; one whose cell has not changed for a while, by the clock of the
//! one who looks, is taken for dead. All of this is a hint: if two processes play a shard, the marks of one
//! of them are rejected.
//!
//! ```text
//! Loading ──► Follows ──► Claiming ──► Playing ──► Draining     the seat follows the log first, and becomes
//!                                                               the owner when there is no other one
//! ```
//!
//! A process follows the shards that it should have. An owner gives a shard away when the next one has caught
//! up, so a shard that moves is not silent. A standby follows the shards that it would get if their
//! owners died, too, and need not wait for that to be noticed: it sees that no marks come.

mod assign;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::Common;
use super::seat::{End, Follows};
use super::wire::{self, Claim};
use crate::error::Error;
use crate::store::Cell;

/// What a keeper wants to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Put a value into a cell. A claim has a shard and an epoch, and its outcome is reported.
    Put {
        key: String,
        revision: Option<u64>,
        value: Vec<u8>,
        claim: Option<(u32, u64)>,
    },
    /// Tell the seat of a shard.
    Seat(u32, Duty),
    /// Say that something has failed.
    Fail(Error),
    /// It has left: its cell is not needed any more.
    Quit,
}

/// What a seat is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duty {
    /// Play the shard along with its owner.
    Follow,
    /// Play it as the owner, with this epoch.
    Own(u64),
    /// Save the rooms and stop.
    Drain,
    /// Stop: another process plays the shard.
    Stop,
}

/// What a keeper needs to know of a shard.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Report {
    /// The seat has caught up.
    Follows(Follows),
    /// A claim was written with this epoch, or not.
    Claimed(Option<u64>),
    /// The seat has written its first mark as the owner.
    Plays,
    /// The seat has ended.
    Ended(End),
}

/// What the cell of a host says.
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Beat {
    /// The version of the game.
    version: u32,
    /// It wants no more shards.
    is_leaving: bool,
    /// Shards that it cannot play at present.
    declined: Vec<u32>,
    /// Shards that it could play at once, and whether it should have them.
    ready: BTreeMap<u32, bool>,
    /// Shards that it plays and does not give away, and how many rooms each has.
    plays: BTreeMap<u32, u64>,
}

struct Seen {
    revision: u64,
    changed: Duration,
    /// Whether its cell has changed since it was seen first: else it may be long dead.
    has_beaten: bool,
    beat: Beat,
}

/// The seat of this process in a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mine {
    /// It follows, and has not caught up.
    Loading,
    /// It has caught up.
    Follows(Follows),
    Claiming,
    /// It is the owner, with this epoch, and has marked or not.
    Playing(u64, bool),
    Draining(u64),
}

pub(crate) struct Keeper {
    common: Common,
    hosts: BTreeMap<String, Seen>,
    mine: BTreeMap<u32, Mine>,
    /// Since when it follows shards that it should not have.
    spare: BTreeMap<u32, Duration>,
    /// Shards that could not be played: how many times in a row, and until when they are left to others.
    unfit: BTreeMap<u32, (u32, Duration)>,
    /// Which hosts should have which shards, at the last look.
    wanted: BTreeMap<u32, String>,
    /// How many rooms each shard had at last.
    rooms: BTreeMap<u32, u64>,
    /// What is to be said to have failed.
    failures: Vec<Error>,
    /// Whether ticks of older versions may be dropped, at the last look.
    drops_ticks: bool,
    /// When it has looked last.
    now: Duration,
    /// If it leaves: when it gives its shards away whether others are ready or not.
    leaves_at: Option<Duration>,
}

type Claims = BTreeMap<u32, (Claim, u64)>;

/// What cells say of shards, and their revisions.
fn read_claims(shards: &[Cell]) -> Claims {
    let claim = |cell: &Cell| {
        let number = cell.key.rsplit('/').next()?.parse().ok()?;
        Some((number, (wire::read(&cell.value)?, cell.revision)))
    };
    shards.iter().filter_map(claim).collect()
}

/// Writes to the cell of a shard who plays it, if the cell has this revision.
fn write(shard: u32, revision: u64, claim: Claim, is_claim: bool) -> Order {
    Order::Put {
        key: wire::shard_name(shard),
        revision: Some(revision),
        claim: is_claim.then_some((shard, claim.epoch)),
        value: wire::write(&claim),
    }
}

impl Keeper {
    pub(crate) fn new(common: Common) -> Self {
        Self {
            common,
            hosts: BTreeMap::new(),
            mine: BTreeMap::new(),
            spare: BTreeMap::new(),
            unfit: BTreeMap::new(),
            wanted: BTreeMap::new(),
            rooms: BTreeMap::new(),
            failures: Vec::new(),
            drops_ticks: false,
            now: Duration::ZERO,
            leaves_at: None,
        }
    }

    /// Takes what the cells of hosts and shards say at present, and how many rooms its shards have; `now` is a time
    /// since any start.
    pub(crate) fn look(
        &mut self,
        now: Duration,
        (hosts, shards): (&[Cell], &[Cell]),
        rooms: &BTreeMap<u32, u64>,
    ) -> Vec<Order> {
        self.see(now, hosts);
        self.rooms.extend(rooms);
        let drops_ticks = self.common.drops_ticks.load(Ordering::Relaxed);
        if drops_ticks && !std::mem::replace(&mut self.drops_ticks, true) {
            self.unfit.clear(); // now it can play what it could not
        }
        let claims = read_claims(shards);
        let is_mine = |(claim, _): &(Claim, u64)| claim.owner == self.common.name;
        if self.leaves_at.is_some() && self.mine.is_empty() && !claims.values().any(is_mine) {
            return vec![Order::Quit];
        }
        let mut orders = vec![self.beat()];
        self.wanted = self.assign(&claims, "", assign::MOVES);
        // If an owner dies, all agree on who gets its shards.
        let others = self.hosts.keys().filter(|_| self.common.silent_after > 0);
        let heirs = others.map(|host| (host.clone(), self.assign(&claims, host, 0)));
        let heirs: BTreeMap<_, _> = heirs.collect();
        for shard in 0..self.common.shards {
            let (claim, revision) = claims.get(&shard).cloned().unwrap_or_default();
            let wanted = self.wanted.get(&shard).cloned();
            // A shard that was given away is as good as played by the host that should have it.
            let owner = Some(&claim.owner).filter(|owner| !owner.is_empty());
            let heirs = owner.or(wanted.as_ref()).and_then(|owner| heirs.get(owner));
            let is_heir = heirs.is_some_and(|of| of.get(&shard) == Some(&self.common.name));
            orders.extend(self.decide(shard, (claim, revision), (wanted.as_ref(), is_heir)));
        }
        orders.extend(self.failures.drain(..).map(Order::Fail));
        orders
    }

    /// Notes which hosts have beaten.
    fn see(&mut self, now: Duration, cells: &[Cell]) {
        // A process that did not run did not see the others beat either.
        let is_awake = now.saturating_sub(self.now) <= self.common.beat * 3;
        self.now = now;
        let mut before = std::mem::take(&mut self.hosts);
        for cell in cells {
            let name = cell.key.rsplit('/').next().unwrap_or_default();
            let before = before.remove(name).filter(|_| is_awake);
            let has_beaten = before.is_some();
            let seen = before.filter(|seen| seen.revision == cell.revision);
            let seen = seen.unwrap_or_else(|| {
                let beat: Beat = wire::read(&cell.value).unwrap_or_default();
                self.rooms.extend(&beat.plays);
                Seen {
                    revision: cell.revision,
                    changed: now,
                    has_beaten,
                    beat,
                }
            });
            self.hosts.insert(name.to_owned(), seen);
        }
    }

    fn beat(&mut self) -> Order {
        let declined = self.unfit.keys().filter(|shard| self.declines(**shard));
        let is_kept = |mine: &Mine| matches!(mine, Mine::Playing(..)) && self.leaves_at.is_none();
        let kept = self.mine.iter().filter(|(_, mine)| is_kept(mine));
        let rooms = |shard| self.rooms.get(shard).copied().unwrap_or(0);
        let is_ready = |mine: &Mine| matches!(mine, Mine::Follows(_));
        let ready = self.mine.iter().filter(|(_, mine)| is_ready(mine));
        // A host that has just started takes dead ones for alive, as the others do not.
        let mut others = self
            .hosts
            .iter()
            .filter(|(name, _)| **name != self.common.name);
        let knows = others.all(|(_, seen)| seen.has_beaten || !self.is_alive(seen));
        let is_wanted = |shard| knows && self.wanted.get(shard) == Some(&self.common.name);
        let beat = Beat {
            version: self.common.build.version,
            is_leaving: self.leaves_at.is_some(),
            declined: declined.copied().collect(),
            ready: ready.map(|(shard, _)| (*shard, is_wanted(shard))).collect(),
            plays: kept.map(|(shard, _)| (*shard, rooms(shard))).collect(),
        };
        let value = wire::write(&beat);
        let (revision, changed) = (0, self.now);
        let seen = Seen {
            revision,
            changed,
            has_beaten: true,
            beat,
        };
        self.hosts.insert(self.common.name.clone(), seen);
        let (key, revision, claim) = (wire::host_name(&self.common.name), None, None);
        Order::Put {
            key,
            revision,
            value,
            claim,
        }
    }

    fn declines(&self, shard: u32) -> bool {
        let until = self.unfit.get(&shard).map(|(_, until)| *until);
        until > Some(self.now)
    }

    fn is_alive(&self, seen: &Seen) -> bool {
        self.now.saturating_sub(seen.changed) < self.common.patience
    }

    /// What to do about a shard, which `host` should have.
    fn decide(
        &mut self,
        shard: u32,
        (claim, revision): (Claim, u64),
        (host, is_heir): (Option<&String>, bool),
    ) -> Option<Order> {
        let seat = |duty| Order::Seat(shard, duty);
        let (is_mine, version) = (claim.owner == self.common.name, self.common.build.version);
        let (next, order) = match self.mine.get(&shard).copied() {
            None if is_mine => {
                let owner = String::new();
                let claim = Claim { owner, ..claim };
                (None, write(shard, revision, claim, false))
            }
            Some(Mine::Playing(epoch, _) | Mine::Draining(epoch)) if claim.epoch > epoch => {
                (None, seat(Duty::Stop))
            }
            // It plays, so there is no way back to an older version.
            Some(mine @ Mine::Playing(_, true)) if is_mine && claim.version < version => {
                let claim = Claim { version, ..claim };
                (Some(mine), write(shard, revision, claim, false))
            }
            Some(Mine::Playing(epoch, _)) if self.gives_away(shard, host) => {
                (Some(Mine::Draining(epoch)), seat(Duty::Drain))
            }
            Some(Mine::Claiming | Mine::Playing(..) | Mine::Draining(_)) => return None,
            mine => {
                // A process that was started again under this name may have a newer version.
                let fits = claim.version <= version;
                let wishes = (fits && host == Some(&self.common.name), fits && is_heir);
                self.follow(mine, shard, (claim, revision), wishes)?
            }
        };
        self.mine.remove(&shard);
        self.mine.extend(next.map(|next| (shard, next)));
        Some(order)
    }

    /// What to do about a shard that this process follows, or could.
    fn follow(
        &mut self,
        mine: Option<Mine>,
        shard: u32,
        (claim, revision): (Claim, u64),
        (is_wanted, is_heir): (bool, bool),
    ) -> Option<(Option<Mine>, Order)> {
        let seat = |duty| Order::Seat(shard, duty);
        let owner = self.hosts.get(&claim.owner);
        let is_orphan =
            claim.owner == self.common.name || owner.is_none_or(|owner| !self.is_alive(owner));
        let (is_free, is_needed) = (is_orphan && is_wanted, is_wanted || is_heir);
        let is_spare = self.is_spare(shard, is_needed || mine.is_none());
        let Some(mine) = mine else {
            let fits = is_needed && !self.declines(shard);
            return fits.then(|| (Some(Mine::Loading), seat(Duty::Follow)));
        };
        if is_needed && self.claims(mine, &claim, is_free) {
            let (owner, epoch) = (self.common.name.clone(), claim.epoch + 1);
            let claim = Claim {
                owner,
                epoch,
                ..claim
            };
            return Some((Some(Mine::Claiming), write(shard, revision, claim, true)));
        }
        let is_stuck = match mine {
            // The owner may have died before its claim had this version.
            Mine::Follows(Follows::Other(version)) if is_free => {
                self.give_up(shard, Some(version));
                true
            }
            _ => false,
        };
        (is_stuck || is_spare).then(|| (None, seat(Duty::Stop)))
    }

    /// Whether it has followed a shard for a while for which there is no need. Until then its owner may be giving it to
    /// this host.
    fn is_spare(&mut self, shard: u32, is_needed: bool) -> bool {
        if is_needed {
            self.spare.remove(&shard);
            return false;
        }
        let since = *self.spare.entry(shard).or_insert(self.now);
        self.now.saturating_sub(since) >= self.common.patience
    }

    /// Whether this process takes over a shard that it follows.
    fn claims(&self, mine: Mine, claim: &Claim, is_free: bool) -> bool {
        match mine {
            // What is handed over is saved as a whole; what a dead host has left, rarely.
            Mine::Follows(Follows::Other(_)) => {
                is_free && (claim.owner.is_empty() || self.drops_ticks)
            }
            Mine::Follows(Follows::Silent) => true,
            Mine::Follows(_) => is_free,
            _ => false,
        }
    }

    /// Whether a shard is given to the host that should have it, once that is ready: one at a time, or all
    /// if this one leaves.
    fn gives_away(&self, shard: u32, host: Option<&String>) -> bool {
        let other = host.filter(|host| **host != self.common.name);
        let other = other.and_then(|host| self.hosts.get(host));
        let is_ready = other.is_some_and(|seen| {
            let is_fresh = self.now.saturating_sub(seen.changed) < self.common.beat * 3;
            is_fresh && seen.beat.ready.get(&shard) == Some(&true)
        });
        let is_draining = |mine: &Mine| matches!(mine, Mine::Draining(_));
        match self.leaves_at {
            Some(at) => is_ready || other.is_none() || self.now >= at,
            None => is_ready && !self.mine.values().any(is_draining),
        }
    }

    /// Takes what has happened to a shard.
    pub(crate) fn hear(&mut self, shard: u32, report: Report) -> Option<Order> {
        match (report, self.mine.get(&shard)) {
            (Report::Plays, Some(Mine::Playing(epoch, _))) => {
                _ = self.mine.insert(shard, Mine::Playing(*epoch, true));
            }
            (Report::Follows(follows), Some(Mine::Loading | Mine::Follows(_))) => {
                if !matches!(follows, Follows::Other(_)) {
                    self.unfit.remove(&shard);
                }
                self.mine.insert(shard, Mine::Follows(follows));
            }
            // Unless its seat has ended meanwhile: then the shard is given away at the next look.
            (Report::Claimed(Some(epoch)), Some(Mine::Claiming)) => {
                self.mine.insert(shard, Mine::Playing(epoch, false));
                return Some(Order::Seat(shard, Duty::Own(epoch)));
            }
            (Report::Claimed(None), Some(Mine::Claiming)) => {
                _ = self.mine.insert(shard, Mine::Follows(Follows::Ready));
            }
            (Report::Ended(end), Some(_)) => {
                self.mine.remove(&shard);
                match end {
                    End::Lost | End::Drained => {}
                    End::Unfit(_) => self.give_up(shard, None),
                    End::Other(version) => self.give_up(shard, Some(version)),
                }
            }
            _ => {}
        }
        None
    }

    /// Leaves a shard that this process could not play to others for a while, which doubles each time. If that is
    /// because of ticks of an older version, a host of that version may still save them: so it fails the second time.
    fn give_up(&mut self, shard: u32, other: Option<u32>) {
        let (times, until) = self.unfit.entry(shard).or_default();
        // The last look was up to a beat ago.
        let patience = self.common.patience * 2_u32.pow(*times);
        *until = self.now + self.common.beat + patience;
        let older = other.filter(|version| *version < self.common.build.version && *times > 0);
        *times = (*times + 1).min(3);
        self.failures
            .extend(older.map(|version| Error::OtherVersion {
                room: wire::log_name(shard),
                version,
            }));
    }

    /// It claims a shard, whether there is a reason or not.
    #[cfg(test)]
    pub(crate) fn claim(&mut self, shard: u32) {
        self.mine.insert(shard, Mine::Claiming);
    }

    /// This process takes no more shards, and gives its own away.
    pub(crate) fn leave(&mut self) {
        self.leaves_at
            .get_or_insert(self.now + self.common.patience);
    }
}
