//! A thread that plays shards.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use super::keeping::Keeping;
use super::{HostState, Job};
use crate::client::{Inbox, lock, now, shielded};
use crate::core::keeper::{Duty, Report};
use crate::core::seat::{Action, End, Note, Seat};
use crate::core::wire::{self, Ask};
use crate::error::Error;
use crate::room::Room;
use crate::store::{Cell, Done, Store};
use crate::trace::{self, Part, Span};

/// How many records are read at once.
const BATCH: usize = 256;

/// What a worker and the seats that it plays have in common.
struct Links<R: Room> {
    shared: Arc<HostState>,
    worker: Sender<Job<Worker<R>>>,
    keeper: Sender<Job<Keeping<R>>>,
}

impl<R: Room> Links<R> {
    fn report(&self, shard: u32, report: Report) {
        let job = move |keeping: &mut Keeping<R>| keeping.hear(shard, report);
        let _ = self.keeper.send(Box::new(job));
    }

    /// Counts what has happened to a shard, and reports its end.
    fn note(&self, shard: u32, note: &Note) {
        lock(&self.shared.counters).count(shard, note);
        if let Note::Ended(end) = note {
            self.report(shard, Report::Ended(end.clone()));
        }
    }

    fn saves(&self, shard: u32) -> Result<Vec<Cell>, Error> {
        self.shared.store.cells(&wire::saves_of(shard))
    }
}

pub(super) struct Worker<R: Room> {
    links: Arc<Links<R>>,
    playing: BTreeMap<u32, Playing<R>>,
}

impl<R: Room> Worker<R> {
    pub(super) fn new(
        shared: Arc<HostState>,
        worker: Sender<Job<Self>>,
        keeper: Sender<Job<Keeping<R>>>,
    ) -> Self {
        let links = Links {
            shared,
            worker,
            keeper,
        };
        Self {
            links: Arc::new(links),
            playing: BTreeMap::new(),
        }
    }

    pub(super) fn run(mut self, jobs: &Receiver<Job<Self>>) {
        while !self.links.shared.is_stopping() {
            let idle = self.playing.values().map(Playing::idle).min();
            let idle = idle.unwrap_or(self.links.shared.common.tick);
            if let Ok(job) = jobs.recv_timeout(idle) {
                let _ = shielded(|| job(&mut self));
            }
            for playing in self.playing.values_mut() {
                let turned = shielded(|| playing.turn());
                if turned.is_err() {
                    playing.act(Action::Note(unfit(Error::Unknown(
                        "a store panicked".to_owned(),
                    ))));
                }
            }
            self.playing.retain(|_, playing| !playing.is_over);
        }
    }

    pub(super) fn take(&mut self, shard: u32, duty: Duty) {
        match (duty, self.playing.get_mut(&shard)) {
            (Duty::Follow, _) => match Playing::start(&self.links, shard) {
                Ok(playing) => _ = self.playing.insert(shard, playing),
                Err(error) => self.links.note(shard, &unfit(error)),
            },
            (Duty::Own(epoch), Some(playing)) => playing.own(epoch),
            (Duty::Drain, Some(playing)) => playing.with(Seat::drain),
            (Duty::Stop, Some(playing)) => playing.stop(),
            // The seat has ended meanwhile, and the keeper hears that soon.
            (_, None) => {}
        }
    }
}

/// A shard that is played or followed.
struct Playing<R: Room> {
    links: Arc<Links<R>>,
    shard: u32,
    seat: Seat<R>,
    is_over: bool,
    /// When its next tick is due.
    due: Instant,
    /// Whether there is more to be read. The store sets it, too.
    is_behind: Arc<AtomicBool>,
    asks: Inbox<Ask>,
    /// From the claim to the first tick.
    take_over: Option<Span>,
}

impl<R: Room> Playing<R> {
    /// Starts to follow a shard.
    fn start(links: &Arc<Links<R>>, shard: u32) -> Result<Self, Error> {
        let (span, shared) = (trace::span(Part::Load, shard), &links.shared);
        let saves = links.saves(shard)?;
        // Shards are spread over the time between two ticks.
        let shards = shared.common.shards;
        let part = f64::from(shard % shards) / f64::from(shards);
        let playing = Self {
            links: links.clone(),
            shard,
            seat: span.in_scope(|| Seat::new(shared.common.clone(), shard, &saves, 0)),
            is_over: false,
            due: Instant::now() + shared.common.tick.mul_f64(part),
            is_behind: Arc::new(AtomicBool::new(true)),
            asks: Inbox::new(),
            take_over: None,
        };
        playing.listen();
        lock(&shared.counters).shards.insert(shard, None);
        Ok(playing)
    }

    /// Has the store tell of new records, and of viewers.
    fn listen(&self) {
        let (shard, store) = (self.shard, &self.links.shared.store);
        let (weak, worker) = (Arc::downgrade(&self.is_behind), self.links.worker.clone());
        let wake = move || {
            weak.upgrade().is_some_and(|is_behind| {
                let was_behind = is_behind.swap(true, Ordering::Relaxed);
                was_behind || worker.send(Box::new(|_| ())).is_ok()
            })
        };
        store.watch(&wire::log_name(shard), Box::new(wake));
        let (key, topic) = (self.links.shared.common.key, wire::ask_name(shard));
        let about = topic.clone();
        let read = move |bytes: &[u8]| wire::read_ask(&key, &about, bytes);
        self.asks.listen(&**store, &topic, read);
    }

    fn set_behind(&self, is_behind: bool) {
        self.is_behind.store(is_behind, Ordering::Relaxed);
    }

    fn is_behind(&self) -> bool {
        self.is_behind.load(Ordering::Relaxed)
    }

    /// How long nothing is to be done.
    fn idle(&self) -> Duration {
        match self.is_behind() {
            true => Duration::ZERO,
            false => self.due.saturating_duration_since(Instant::now()),
        }
    }

    fn turn(&mut self) {
        if self.is_behind() {
            self.read();
        }
        if Instant::now() >= self.due {
            self.play();
        }
    }

    /// Reads a batch of the log.
    fn read(&mut self) {
        self.set_behind(false);
        let log = wire::log_name(self.shard);
        match self.links.shared.store.read(&log, self.seat.read_to, BATCH) {
            Ok(records) => {
                let is_end = records.len() < BATCH;
                if !is_end {
                    self.set_behind(true);
                }
                let is_owner = self.seat.epoch > 0;
                let part = if is_owner { Part::Tick } else { Part::Replay };
                let span = trace::span(part, self.shard);
                span.in_scope(|| self.with(|seat| seat.records(records, is_end)));
            }
            Err(Error::Forgotten { first }) => self.reload(first),
            // It is read again when the next tick is due.
            Err(error) => self.with(|seat| seat.unread(&error)),
        }
    }

    /// Starts again from the saves: the log was forgotten before record `first`.
    fn reload(&mut self, first: u64) {
        let span = trace::span(Part::Load, self.shard);
        match self.links.saves(self.shard) {
            Ok(saves) => span.in_scope(|| self.seat.reload(&saves, first)),
            Err(error) => return self.act(Action::Note(unfit(error))),
        }
        self.set_behind(true);
    }

    /// A tick is due.
    fn play(&mut self) {
        let (at, tick) = (Instant::now(), self.links.shared.common.tick);
        self.due += tick;
        if self.due < at {
            self.due = at + tick;
            lock(&self.links.shared.counters).stats.late += 1;
        }
        let asks = self.asks.take();
        self.with(|seat| {
            asks.into_iter().for_each(|ask| seat.ask(ask));
            seat.due(now().as_secs());
        });
        if self.seat.is_behind() {
            self.set_behind(true);
        }
    }

    /// The shard was claimed.
    fn own(&mut self, epoch: u64) {
        self.seat.promote(epoch);
        self.due = Instant::now();
        self.take_over = Some(trace::span(Part::TakeOver, self.shard));
        self.set_behind(true);
        let mut counters = lock(&self.links.shared.counters);
        counters.shards.insert(self.shard, Some(0));
    }

    /// Calls the seat, and does what it wants.
    fn with(&mut self, call: impl FnOnce(&mut Seat<R>)) {
        if !self.is_over {
            call(&mut self.seat);
            let out = std::mem::take(&mut self.seat.out);
            out.into_iter().for_each(|action| self.act(action));
        }
    }

    fn act(&mut self, action: Action) {
        let (shard, store) = (self.shard, &self.links.shared.store);
        match action {
            Action::Mark(after, bytes) => {
                let done = self.outcome(move |seat, outcome| seat.marked(after, outcome));
                store.mark(&wire::log_name(shard), after, bytes, done);
            }
            Action::Put(key, bytes) => {
                let (cell, span) = (key.clone(), trace::span(Part::Save, shard));
                let done = self.outcome(move |seat, outcome| {
                    let _span = span; // ends here
                    seat.written(&key, outcome);
                });
                store.put(&cell, Some(0), bytes, done);
            }
            Action::Drop(key) => store.put(&key, None, Vec::new(), Box::new(|_| ())),
            Action::Forget(before) => store.forget(&wire::log_name(shard), before),
            Action::Tell(topic, bytes) => store.tell(&topic, &bytes),
            Action::List => {
                if let Ok(saves) = self.links.saves(shard) {
                    self.with(|seat| seat.list(&saves));
                }
            }
            Action::Reload => self.reload(0),
            Action::Follow(follows) => self.links.report(shard, Report::Follows(follows)),
            Action::Note(note) => self.note(&note),
        }
    }

    fn note(&mut self, note: &Note) {
        let is_first = matches!(note, Note::TakenOver(_));
        self.take_over.take_if(|_| is_first);
        if is_first {
            self.links.report(self.shard, Report::Plays);
        }
        self.is_over |= matches!(note, Note::Ended(_));
        self.links.note(self.shard, note);
    }

    /// Passes the outcome of a write to the seat.
    fn outcome(
        &self,
        take: impl FnOnce(&mut Seat<R>, &Result<u64, Error>) + Send + 'static,
    ) -> Done {
        let (shard, worker) = (self.shard, self.links.worker.clone());
        Box::new(move |outcome| {
            let job = move |worker: &mut Worker<R>| {
                if let Some(playing) = worker.playing.get_mut(&shard) {
                    playing
                        .is_behind
                        .fetch_or(outcome.is_err(), Ordering::Relaxed);
                    playing.with(|seat| take(seat, &outcome));
                }
            };
            let _ = worker.send(Box::new(job));
        })
    }

    /// Another process plays the shard.
    fn stop(&mut self) {
        self.is_over = true;
        let mut counters = lock(&self.links.shared.counters);
        match self.seat.epoch {
            0 => _ = counters.shards.remove(&self.shard),
            _ => counters.count(self.shard, &Note::Ended(End::Lost)),
        }
    }
}

fn unfit(error: Error) -> Note {
    Note::Ended(End::Unfit(error))
}
