//! A thread that plays shards.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use super::HostState;
use super::keeping::Up;
use crate::core::keeper::{Duty, Report};
use crate::core::seat::{Action, End, Note, Seat};
use crate::core::wire::{self, Ask};
use crate::error::Error;
use crate::memory::lock;
use crate::room::Room;
use crate::trace::{self, Part, Span};

/// How many records are read at once, and how many questions of viewers wait at most.
const BATCH: usize = 256;
const MOST_ASKS: usize = 1_024;

/// What happens to a worker.
pub(super) enum Message {
    Seat(u32, Duty),
    /// The log has changed.
    Woken {
        shard: u32,
    },
    Marked {
        shard: u32,
        epoch: u64,
        tick: u64,
        outcome: Result<u64, Error>,
    },
    Saved {
        shard: u32,
        epoch: u64,
        room: String,
        key: String,
        outcome: Result<u64, Error>,
    },
    Quit,
}

/// What others tell a seat, from other threads; gone when the seat is.
#[derive(Default)]
struct Bell {
    is_woken: AtomicBool,
    asks: Mutex<Vec<Ask>>,
}

struct Playing<R: Room> {
    seat: Seat<R>,
    log: String,
    due: Instant,
    /// When a mark was written that has not been read.
    bell: Arc<Bell>,
    /// There is more to be read.
    is_behind: bool,
    /// From the claim to the first tick.
    take_over: Option<Span>,
}

pub(super) struct Worker<R: Room> {
    shared: Arc<HostState>,
    messages: Sender<Message>,
    keeper: Sender<Up>,
    playing: BTreeMap<u32, Playing<R>>,
}

impl<R: Room> Worker<R> {
    pub(super) fn new(
        shared: Arc<HostState>,
        messages: Sender<Message>,
        keeper: Sender<Up>,
    ) -> Self {
        Self {
            shared,
            messages,
            keeper,
            playing: BTreeMap::new(),
        }
    }

    pub(super) fn run(mut self, messages: &Receiver<Message>) {
        loop {
            let now = Instant::now();
            let is_behind = self.playing.values().any(|playing| playing.is_behind);
            let due = self.playing.values().map(|playing| playing.due).min();
            let time = match due {
                _ if is_behind => Duration::ZERO,
                due => due.map_or(self.shared.options.tick, |due| {
                    due.saturating_duration_since(now)
                }),
            };
            match messages.recv_timeout(time) {
                Ok(Message::Quit) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.read_behind();
            self.play_due();
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Seat(shard, Duty::Follow) => self.start(shard, 0, 0),
            Message::Seat(shard, Duty::Own(epoch)) => self.own(shard, epoch),
            Message::Seat(shard, Duty::Drain) => self.with(shard, |seat, _| seat.drain()),
            Message::Seat(shard, Duty::Stop) => {
                let stopped = self.playing.remove(&shard);
                if stopped.is_some_and(|playing| playing.seat.epoch > 0) {
                    self.shared.counters.ended(shard, &End::Lost);
                }
                self.count();
            }
            Message::Woken { shard } => {
                if let Some(playing) = self.playing.get_mut(&shard) {
                    playing.bell.is_woken.store(false, Ordering::Relaxed);
                    playing.is_behind = true;
                }
            }
            Message::Marked {
                shard,
                epoch,
                tick,
                outcome,
            } => self.with(shard, |seat, out| {
                if seat.epoch == epoch {
                    seat.marked(tick, &outcome, out);
                }
            }),
            Message::Saved {
                shard,
                epoch,
                room,
                key,
                outcome,
            } => {
                self.shared
                    .counters
                    .with(|stats| stats.saves += u64::from(outcome.is_ok()));
                self.with(shard, |seat, out| {
                    if seat.epoch == epoch {
                        seat.saved((&room, key), &outcome, out);
                    }
                });
            }
            Message::Quit => {}
        }
    }

    /// Starts a seat with the saves of the shard, whose log begins with record `first`.
    fn start(&mut self, shard: u32, epoch: u64, first: u64) {
        let span = trace::span(Part::Load, shard);
        let saves = match self.shared.store.cells(&wire::saves_of(shard)) {
            Ok(saves) => saves,
            Err(error) => return self.end((shard, epoch), End::Unfit(error)),
        };
        let common = self.shared.common();
        let mut seat = trace::within(&span, || Seat::new(common, shard, epoch, &saves));
        seat.begin_at(first);
        if self
            .playing
            .get(&shard)
            .is_some_and(|playing| playing.seat.is_draining)
        {
            seat.drain();
        }
        let (log, bell) = (wire::log_name(shard), Arc::new(Bell::default()));
        self.listen(shard, &log, &bell);
        let options = &self.shared.options;
        // Shards are spread over the time between two ticks.
        let offset = options
            .tick
            .mul_f64(f64::from(shard % options.shards) / f64::from(options.shards));
        let due = Instant::now() + offset;
        let playing = Playing {
            seat,
            log,
            due,
            bell,
            is_behind: true,
            take_over: None,
        };
        self.playing.insert(shard, playing);
        self.count();
    }

    fn own(&mut self, shard: u32, epoch: u64) {
        let Some(playing) = self.playing.get_mut(&shard) else {
            let ended = Error::Unknown("the seat that followed has ended".to_owned());
            return self.end((shard, epoch), End::Unfit(ended));
        };
        playing.seat.promote(epoch);
        (playing.is_behind, playing.due) = (true, Instant::now());
        playing.take_over = Some(trace::span(Part::TakeOver, shard));
        self.count();
    }

    /// Has the store tell of new records, and of viewers.
    fn listen(&self, shard: u32, log: &str, bell: &Arc<Bell>) {
        let (sender, weak) = (Mutex::new(self.messages.clone()), Arc::downgrade(bell));
        let wake = move || {
            let Some(bell) = Weak::upgrade(&weak) else {
                return false;
            };
            let is_first = !bell.is_woken.swap(true, Ordering::Relaxed);
            !is_first || lock(&sender).send(Message::Woken { shard }).is_ok()
        };
        self.shared.store.watch(log, Box::new(wake));
        let weak = Arc::downgrade(bell);
        let hear = move |bytes: &[u8]| {
            let Some(bell) = Weak::upgrade(&weak) else {
                return false;
            };
            let mut asks = lock(&bell.asks);
            if asks.len() < MOST_ASKS {
                asks.extend(wire::read::<Ask>(bytes));
            }
            true
        };
        self.shared
            .store
            .listen(&format!("ask/{shard}"), Box::new(hear));
    }

    /// Reads a batch of each log that has more.
    fn read_behind(&mut self) {
        let is_behind = |(shard, playing): (&u32, &Playing<R>)| playing.is_behind.then_some(*shard);
        let shards: Vec<_> = self.playing.iter().filter_map(is_behind).collect();
        for shard in shards {
            self.read(shard);
        }
    }

    fn read(&mut self, shard: u32) {
        let Some(playing) = self.playing.get_mut(&shard) else {
            return;
        };
        let read = self
            .shared
            .store
            .read(&playing.log, playing.seat.read_to, BATCH);
        playing.is_behind = false;
        match read {
            Ok(records) => {
                let is_end = records.len() < BATCH;
                playing.is_behind = !is_end;
                let is_owner = playing.seat.epoch > 0;
                let part = if is_owner { Part::Tick } else { Part::Replay };
                let read = |seat: &mut Seat<R>, out: &mut Vec<Action>| {
                    seat.records(records, is_end, out);
                    // What is missing is read when the next tick is due.
                    out.retain(|action| *action != Action::Read);
                };
                trace::within(&trace::span(part, shard), || self.with(shard, read));
            }
            Err(Error::Forgotten { first }) => {
                let epoch = playing.seat.epoch;
                self.start(shard, epoch, first);
            }
            Err(_) => {} // it is read again when the next tick is due
        }
    }

    fn play_due(&mut self) {
        let (now, tick) = (Instant::now(), self.shared.options.tick);
        let is_due = |(shard, playing): (&u32, &Playing<R>)| (playing.due <= now).then_some(*shard);
        let shards: Vec<_> = self.playing.iter().filter_map(is_due).collect();
        for shard in shards {
            let Some(playing) = self.playing.get_mut(&shard) else {
                continue;
            };
            playing.due += tick;
            if playing.due < now {
                playing.due = now + tick;
                self.shared.counters.with(|stats| stats.late += 1);
            }
            let asks = std::mem::take(&mut *lock(&playing.bell.asks));
            self.with(shard, |seat, out| {
                asks.iter().for_each(|ask| seat.ask(&ask.room, ask.joins));
                seat.due(out);
            });
        }
    }

    /// Calls a seat, and does what it wants.
    fn with(&mut self, shard: u32, call: impl FnOnce(&mut Seat<R>, &mut Vec<Action>)) {
        let Some(playing) = self.playing.get_mut(&shard) else {
            return;
        };
        let mut out = Vec::new();
        call(&mut playing.seat, &mut out);
        let epoch = playing.seat.epoch;
        for action in out {
            self.act((shard, epoch), action);
        }
    }

    fn act(&mut self, (shard, epoch): (u32, u64), action: Action) {
        let (store, log) = (&self.shared.store, wire::log_name(shard));
        let messages = self.messages.clone();
        match action {
            Action::Mark { tick, after, bytes } => {
                let done = move |outcome| {
                    _ = messages.send(Message::Marked {
                        shard,
                        epoch,
                        tick,
                        outcome,
                    })
                };
                store.mark(&log, after, bytes, Box::new(done));
            }
            Action::Save {
                room, key, bytes, ..
            } => {
                let (at, span) = (key.clone(), trace::span(Part::Save, shard));
                let done = move |outcome| {
                    let _span = span; // ends here
                    _ = messages.send(Message::Saved {
                        shard,
                        epoch,
                        room,
                        key: at,
                        outcome,
                    })
                };
                store.put(&key, Some(0), bytes, Box::new(done));
            }
            Action::Drop { key } => remove(store.clone(), key, 3),
            Action::Forget { before } => store.forget(&log, before),
            Action::Show {
                room,
                viewer,
                bytes,
            } => store.tell(&wire::view_name(&room, viewer), &bytes),
            Action::Read => {
                if let Some(playing) = self.playing.get_mut(&shard) {
                    playing.is_behind = true;
                }
            }
            Action::Follow { is_silent } => {
                let report = Report::Follows { is_silent };
                let _ = self.keeper.send(Up::Report(shard, report));
            }
            Action::List => {
                if let Ok(saves) = store.cells(&wire::saves_of(shard)) {
                    self.with(shard, |seat, out| seat.list(&saves, out));
                }
            }
            Action::Note(note) => {
                if let (Note::TakenOver { .. }, Some(playing)) =
                    (&note, self.playing.get_mut(&shard))
                {
                    playing.take_over = None;
                }
                self.shared.counters.count(shard, &note);
            }
            Action::End(end) => self.end((shard, epoch), end),
        }
    }

    fn end(&mut self, (shard, epoch): (u32, u64), end: End) {
        self.playing.remove(&shard);
        self.shared.counters.ended(shard, &end);
        self.count();
        let is_unfit = matches!(end, End::Unfit(_));
        let report = Report::Ended { epoch, is_unfit };
        let _ = self.keeper.send(Up::Report(shard, report));
    }

    /// Says how many seats there are.
    fn count(&self) {
        let owns = |playing: &&Playing<R>| playing.seat.epoch > 0;
        let owned = self.playing.values().filter(owns).count() as u64;
        let seats = [owned, self.playing.len() as u64 - owned];
        let _ = self.keeper.send(Up::Seats {
            seats,
            worker: std::thread::current().id(),
        });
    }
}

/// Removes a cell, a few times if it is not known whether that succeeded.
fn remove(store: Arc<dyn crate::store::Store>, key: String, tries: u32) {
    let (again, at) = (store.clone(), key.clone());
    let done = move |outcome| {
        if matches!(outcome, Err(Error::Unknown(_))) && tries > 1 {
            remove(again, at, tries - 1);
        }
    };
    store.put(&key, None, Vec::new(), Box::new(done));
}
