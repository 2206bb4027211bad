//! Which host should have which shard: those that have the least, with as few moves as possible.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Beat, Claims, Keeper};
use crate::core::wire::{self, Claim};

/// The most shards that hosts are to move at a time.
pub(super) const MOVES: usize = 8;

/// A host that takes shards, and those that it should have.
struct Taker<'a> {
    name: &'a String,
    beat: &'a Beat,
    rooms: i64,
    shards: Vec<u32>,
}

impl Taker<'_> {
    fn load(&self) -> (i64, usize) {
        (self.rooms, self.shards.len())
    }
}

impl Keeper {
    /// Which host should play each shard if there were no host `without`. Those that are played stay where they are,
    /// up to some moves; others go to hosts that are ready, or have the least. All hosts reach the same result once they
    /// see the same cells.
    ///
    /// Shards stay with hosts of the version that plays them. A host that leaves gives its shards to the newest
    /// version, and they never move back to an older one.
    pub(super) fn assign(
        &self,
        claims: &Claims,
        without: &str,
        moves: usize,
    ) -> BTreeMap<u32, String> {
        let mut hosts = self.takers(without);
        let none = Claim::default();
        let claim = |shard| claims.get(&shard).map_or(&none, |(claim, _)| claim);
        let keeps = |host: &Taker<'_>, shard| {
            *host.name == claim(shard).owner && host.beat.plays.contains_key(&shard)
        };
        let (kept, free): (Vec<_>, Vec<_>) =
            (0..self.common.shards).partition(|shard| hosts.iter().any(|host| keeps(host, *shard)));
        for shard in kept.into_iter().chain(free) {
            let owner = hosts.iter().position(|host| keeps(host, shard));
            let host = owner.or_else(|| self.taker(&hosts, shard, claim(shard)));
            if let Some(host) = host.and_then(|host| hosts.get_mut(host)) {
                host.shards.push(shard);
                host.rooms += self.rooms_of(shard);
            }
        }
        for _ in 0..moves {
            if !self.balance(&mut hosts) {
                break;
            }
        }
        let assigned = hosts.iter().flat_map(|host| {
            let shards = host.shards.iter();
            shards.map(|shard| (*shard, host.name.clone()))
        });
        assigned.collect()
    }

    fn takers(&self, without: &str) -> Vec<Taker<'_>> {
        let hosts = self.hosts.iter().filter(|(name, seen)| {
            *name != without && !seen.beat.is_leaving && self.is_alive(seen)
        });
        let hosts = hosts.map(|(name, seen)| Taker {
            name,
            beat: &seen.beat,
            rooms: 0,
            shards: Vec::new(),
        });
        hosts.collect()
    }

    fn rooms_of(&self, shard: u32) -> i64 {
        self.rooms.get(&shard).map_or(0, |rooms| *rooms as i64)
    }

    /// Which host should have a shard that no host keeps.
    fn taker(&self, hosts: &[Taker<'_>], shard: u32, claim: &Claim) -> Option<usize> {
        let owner = self.hosts.get(&claim.owner);
        let is_leaving = owner.is_some_and(|owner| owner.beat.is_leaving);
        let name = wire::shard_name(shard);
        let fitting = (0..hosts.len()).filter(|at| hosts[*at].beat.version >= claim.version);
        fitting.min_by_key(|at| {
            let Taker {
                name: host, beat, ..
            } = hosts[*at];
            let is_right = beat.version == claim.version && claim.version > 0 && !is_leaving;
            let kind = (!is_right, Reverse(beat.version));
            // What was given away is given to a host that is ready.
            let given = beat
                .ready
                .get(&shard)
                .map_or(2, |is_wanted| u8::from(!is_wanted));
            let first = owner.map(|_| kind);
            let rank = wire::hash(&format!("{name}/{host}"));
            (
                beat.declined.contains(&shard),
                first,
                given,
                kind,
                hosts[*at].load(),
                Reverse(rank),
            )
        })
    }

    /// Moves a shard between hosts of a version so that they have as many rooms, then as many shards, each. A move makes
    /// the sum of the squares of these smaller, so shards do not move in circles. Returns whether there is one.
    fn balance(&self, hosts: &mut [Taker<'_>]) -> bool {
        let mut best = None;
        for (from, left) in hosts.iter().enumerate() {
            for (to, right) in hosts.iter().enumerate() {
                let rooms = left.rooms - right.rooms;
                let shards = left.shards.len() as i64 - right.shards.len() as i64;
                let fits = |shard: &&u32| {
                    left.beat.version == right.beat.version
                        && left.beat.plays.contains_key(shard)
                        && !right.beat.declined.contains(shard)
                };
                for shard in left.shards.iter().filter(fits) {
                    let of = self.rooms_of(*shard);
                    let gain = if of > 0 {
                        (of * (rooms - of), 0)
                    } else {
                        (0, shards - 1)
                    };
                    let is_ready = right.beat.ready.contains_key(shard);
                    let rank = (gain, is_ready, Reverse((*shard, from, to)));
                    if gain > (0, 0) && best < Some(rank) {
                        best = Some(rank);
                    }
                }
            }
        }
        let Some((_, _, Reverse((shard, from, to)))) = best else {
            return false;
        };
        hosts[from].shards.retain(|of| *of != shard);
        hosts[from].rooms -= self.rooms_of(shard);
        hosts[to].shards.push(shard);
        hosts[to].rooms += self.rooms_of(shard);
        true
    }
}
