//! What hosts do, as in `host/`, and how the network disturbs it.

use super::{BEAT, Event, Reply, SHARDS, TICK, World, common};
use crate::core::keeper::{Duty, Order, Report};
use crate::core::place::Place;
use crate::core::seat::{Action, End, Note, Seat, Written};
use crate::core::simulation::engine::Write;
use crate::core::simulation::room::Tally;
use crate::core::wire;
use crate::error::Error;
use crate::store::{Cell, Record};

impl World {
    pub(super) fn of_host(&mut self, event: Event) {
        match event {
            Event::Beat { host, life } => {
                self.beat(host);
                self.at(BEAT, Event::Beat { host, life });
            }
            Event::Look { host, .. } => self.beat(host),
            Event::Tick { host, life } => {
                for shard in 0..SHARDS {
                    self.with_seat(host, shard, |seat, out| seat.due(out));
                }
                self.at(TICK, Event::Tick { host, life });
            }
            Event::Read { host, life } => {
                for shard in 0..SHARDS {
                    self.read(host, shard);
                }
                let is_slow = self.has_fault(4);
                let delay = 1 + self.random(if is_slow { 600 } else { 15 });
                self.at(delay, Event::Read { host, life });
            }
            Event::Saves {
                host, shard, saves, ..
            } if self.hosts[host].starting.contains(&shard) => self.seat(host, shard, &saves),
            Event::Reply { reply, outcome } => self.replied(reply, &outcome),
            _ => {}
        }
    }

    fn replied(&mut self, reply: Reply, outcome: &Result<u64, Error>) {
        match reply {
            Reply::Written {
                host, shard, what, ..
            } => self.with_seat(host, shard, |seat, out| {
                seat.written(what, outcome, out);
            }),
            Reply::Claim {
                host, shard, epoch, ..
            } => {
                let epoch = outcome.is_ok().then_some(epoch);
                self.report(host, shard, Report::Claimed(epoch));
                if let Some(epoch) = epoch {
                    self.own(host, shard, epoch);
                }
            }
            _ => {}
        }
    }

    /// Lists the saves of a shard; the list may be old when it arrives.
    fn follow(&mut self, host: usize, shard: u32) {
        let saves = self.engine.cells(&wire::saves_of(shard));
        let (life, is_late) = (self.hosts[host].life, self.has_fault(15));
        let delay = if is_late { self.random(2_500) } else { 0 };
        self.hosts[host].starting.insert(shard);
        let saves = Event::Saves {
            host,
            life,
            shard,
            saves,
        };
        self.at(delay, saves);
    }

    pub(super) fn own(&mut self, host: usize, shard: u32, epoch: u64) {
        match self.hosts[host].seats.get_mut(&shard) {
            Some(seat) => seat.promote(epoch),
            None => self.ended(host, shard, End::Unfit(Error::Unknown(String::new()))),
        }
    }

    pub(super) fn seat(&mut self, host: usize, shard: u32, saves: &[Cell]) {
        let common = common(host, self.is_standby);
        let it = &mut self.hosts[host];
        it.starting.remove(&shard);
        it.seats.insert(shard, Seat::new(common, shard, saves));
    }

    /// Reads on, through a network that loses, doubles and reorders.
    fn read(&mut self, host: usize, shard: u32) {
        let Some(seat) = self.hosts[host].seats.get(&shard) else {
            return;
        };
        let count = 8;
        let read = match self.hosts[host].deaf {
            Some(deaf) if deaf == shard => Err(Error::Unknown("deaf".to_owned())),
            _ => self.engine.read(shard, seat.read_to, count),
        };
        match read {
            Err(Error::Forgotten { first }) => {
                let saves = self.engine.cells(&wire::saves_of(shard));
                self.with_seat(host, shard, |seat, _| seat.reload(&saves, first));
            }
            Err(_) => {}
            Ok(mut records) => {
                let mut is_end = records.len() < count;
                if self.has_fault(10) {
                    is_end &= self.disturb(&mut records);
                }
                self.with_seat(host, shard, |seat, out| seat.records(records, is_end, out));
                self.compare(host, shard);
            }
        }
    }

    /// Returns whether the end is still there.
    fn disturb(&mut self, records: &mut Vec<Record>) -> bool {
        if records.is_empty() {
            return true;
        }
        let count = records.len() as u64;
        let place = self.random(count) as usize;
        match self.random(4) {
            0 => _ = records.remove(place),
            1 => records.insert(place, records[place].clone()),
            2 => records.swap(0, place),
            _ => {
                records.truncate(place);
                return false;
            }
        }
        true
    }

    /// All replicas have the same rooms.
    fn compare(&mut self, host: usize, shard: u32) {
        let Some(seat) = self.hosts[host].seats.get(&shard) else {
            return;
        };
        let is_played = |place: &Place<Tally>| place.room.is_ok() && !place.is_new();
        for (name, place) in seat.rooms.iter().filter(|(_, place)| is_played(place)) {
            let place = &place.progress;
            let key = (shard, place.opened, place.tick);
            let sum = *self.sums.entry(key).or_insert(place.sum);
            if sum != place.sum {
                let (tick, other) = (place.tick, place.sum);
                self.broken = Some(format!(
                    "one history: `{name}` after tick {tick}: {sum} and {other}"
                ));
            }
        }
    }

    fn with_seat(
        &mut self,
        host: usize,
        shard: u32,
        call: impl FnOnce(&mut Seat<Tally>, &mut Vec<Action>),
    ) {
        let Some(seat) = self.hosts[host].seats.get_mut(&shard) else {
            return;
        };
        let mut out = Vec::new();
        call(seat, &mut out);
        for action in out {
            self.act(host, shard, action);
        }
    }

    fn act(&mut self, host: usize, shard: u32, action: Action) {
        let life = self.hosts[host].life;
        let written = |what| Reply::Written {
            host,
            life,
            shard,
            what,
        };
        match action {
            Action::Mark { tick, after, bytes } => {
                let write = Write::Mark {
                    shard,
                    after,
                    bytes,
                };
                self.write(write, written(Written::Mark(tick)));
            }
            Action::Save { key, bytes } => {
                let what = Written::Save(key.clone());
                let write = Write::Put {
                    key,
                    revision: Some(0),
                    value: bytes,
                };
                self.write(write, written(what));
            }
            Action::Drop { key } => {
                self.write(
                    Write::Put {
                        key,
                        revision: None,
                        value: Vec::new(),
                    },
                    Reply::None,
                );
            }
            Action::Forget { before } => self.write(Write::Forget { shard, before }, Reply::None),
            Action::Tell { .. } => {}
            Action::Follow { is_silent } => {
                self.counts.silent += u64::from(is_silent);
                self.report(host, shard, Report::Follows { is_silent });
                self.at(10, Event::Look { host, life });
            }
            Action::List => {
                let saves = self.engine.cells(&wire::saves_of(shard));
                self.with_seat(host, shard, |seat, out| seat.list(&saves, out));
            }
            Action::Note(note) => self.note(note),
            Action::End(end) => self.ended(host, shard, end),
        }
    }

    fn note(&mut self, note: Note) {
        match note {
            Note::TakenOver { .. } => self.counts.taken_over += 1,
            Note::Played {
                is_replayed: true, ..
            } => self.counts.replayed += 1,
            Note::Played { .. } => self.counts.played += 1,
            Note::Skipped | Note::Rejected => {}
            // Another owner has made later saves, and has forgotten the log before them.
            Note::Failed(Error::LogGone { .. }) => {}
            Note::Failed(error) => self.broken = Some(format!("checksums equal: {error}")),
        }
    }

    fn ended(&mut self, host: usize, shard: u32, end: End) {
        let is_unfit = matches!(end, End::Unfit(_));
        match end {
            End::Unfit(Error::LogGone { .. } | Error::Unknown(_)) => self.counts.unfit += 1,
            End::Lost => self.counts.lost += 1,
            End::Drained => self.counts.drained += 1,
            End::Unfit(error) => self.broken = Some(format!("alive: {error}")),
        }
        self.hosts[host].seats.remove(&shard);
        self.report(host, shard, Report::Ended { is_unfit });
    }

    pub(super) fn report(&mut self, host: usize, shard: u32, report: Report) {
        let now = self.clock(host);
        self.hosts[host].keeper.hear(now, shard, report);
    }

    fn beat(&mut self, host: usize) {
        let (hosts, mut shards) = (self.engine.cells("host/"), self.engine.cells("shard/"));
        if self.has_fault(80) {
            shards.clone_from(&self.hosts[host].shards); // those of before
        }
        let now = self.clock(host);
        let it = &mut self.hosts[host];
        it.shards.clone_from(&shards);
        let (life, now) = (it.life, now);
        let orders = it.keeper.look(now, &hosts, &shards);
        if it.is_leaving && it.keeper.has_left(&shards) {
            self.kill(host);
            return;
        }
        for order in orders {
            match order {
                Order::Put {
                    key,
                    revision,
                    value,
                    claim,
                } => {
                    let claim = claim.map(|(shard, epoch)| Reply::Claim {
                        host,
                        life,
                        shard,
                        epoch,
                    });
                    let write = Write::Put {
                        key,
                        revision,
                        value,
                    };
                    self.write(write, claim.unwrap_or(Reply::None));
                }
                Order::Seat(shard, Duty::Follow) => self.follow(host, shard),
                Order::Seat(shard, Duty::Own(epoch)) => self.own(host, shard, epoch),
                Order::Seat(shard, Duty::Drain) => {
                    self.with_seat(host, shard, |seat, _| seat.drain());
                }
                Order::Seat(shard, Duty::Stop) => {
                    self.hosts[host].starting.remove(&shard);
                    self.hosts[host].seats.remove(&shard);
                }
            }
        }
    }
}
