//! A thread that plays shards.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use super::keeping::Keeping;
use super::{HostState, Job};
use crate::client::{Inbox, lock};
use crate::core::keeper::{Duty, Report};
use crate::core::seat::{Action, End, Note, Seat, Written};
use crate::core::wire::{self, Ask};
use crate::error::Error;
use crate::room::Room;
use crate::store::{Done, Store};
use crate::trace::{self, Part, Span};

/// How many records are read at once, and how many questions of viewers wait at most.
const BATCH: usize = 256;
const MOST_ASKS: usize = 1_024;

struct Playing<R: Room> {
    seat: Seat<R>,
    /// When its next tick is due.
    due: Instant,
    /// Whether there is more to be read. The store sets it, too.
    is_behind: Arc<AtomicBool>,
    asks: Inbox<Ask>,
    /// From the claim to the first tick.
    take_over: Option<Span>,
}

impl<R: Room> Playing<R> {
    fn set_behind(&self, is_behind: bool) {
        self.is_behind.store(is_behind, Ordering::Relaxed);
    }

    fn is_behind(&self) -> bool {
        self.is_behind.load(Ordering::Relaxed)
    }
}

pub(super) struct Worker<R: Room> {
    shared: Arc<HostState>,
    jobs: Sender<Job<Self>>,
    keeper: Sender<Job<Keeping<R>>>,
    playing: BTreeMap<u32, Playing<R>>,
}

impl<R: Room> Worker<R> {
    pub(super) fn new(
        shared: Arc<HostState>,
        jobs: Sender<Job<Self>>,
        keeper: Sender<Job<Keeping<R>>>,
    ) -> Self {
        Self {
            shared,
            jobs,
            keeper,
            playing: BTreeMap::new(),
        }
    }

    pub(super) fn run(mut self, jobs: &Receiver<Job<Self>>) {
        while !self.shared.is_stopping() {
            if let Ok(job) = jobs.recv_timeout(self.idle()) {
                job(&mut self);
            }
            for shard in self.which(Playing::is_behind) {
                self.read(shard);
            }
            let now = Instant::now();
            for shard in self.which(|playing| playing.due <= now) {
                self.play(shard, now);
            }
        }
    }

    /// How long nothing is to be done.
    fn idle(&self) -> Duration {
        let now = Instant::now();
        let idle = |playing: &Playing<R>| match playing.is_behind() {
            true => Duration::ZERO,
            false => playing.due.saturating_duration_since(now),
        };
        let idle = self.playing.values().map(idle).min();
        idle.unwrap_or(self.shared.options.tick)
    }

    /// The shards of which something is so.
    fn which(&self, is_so: impl Fn(&Playing<R>) -> bool) -> Vec<u32> {
        let playing = self.playing.iter().filter(|(_, playing)| is_so(playing));
        playing.map(|(shard, _)| *shard).collect()
    }

    pub(super) fn take(&mut self, shard: u32, duty: Duty) {
        match duty {
            Duty::Follow => self.start(shard),
            Duty::Own(epoch) => self.own(shard, epoch),
            Duty::Drain => self.with(shard, |seat, _| seat.drain()),
            Duty::Stop => self.stop(shard),
        }
    }

    /// Starts a seat with the saves of the shard.
    fn start(&mut self, shard: u32) {
        let span = trace::span(Part::Load, shard);
        let saves = match self.shared.store.cells(&wire::saves_of(shard)) {
            Ok(saves) => saves,
            Err(error) => return self.end((shard, 0), End::Unfit(error)),
        };
        let common = self.shared.common();
        let seat = span.in_scope(|| Seat::new(common, shard, &saves));
        // Shards are spread over the time between two ticks.
        let shards = self.shared.options.shards;
        let part = f64::from(shard % shards) / f64::from(shards);
        let playing = Playing {
            seat,
            due: Instant::now() + self.shared.options.tick.mul_f64(part),
            is_behind: Arc::new(AtomicBool::new(true)),
            asks: Inbox::new(MOST_ASKS),
            take_over: None,
        };
        self.listen(shard, &playing);
        self.playing.insert(shard, playing);
        lock(&self.shared.counters).shards.insert(shard, None);
    }

    /// Starts a seat again whose log was forgotten before record `first`.
    fn reload(&mut self, shard: u32, first: u64) {
        let span = trace::span(Part::Load, shard);
        let saves = self.shared.store.cells(&wire::saves_of(shard));
        let Some(playing) = self.playing.get_mut(&shard) else {
            return;
        };
        match saves {
            Ok(saves) => span.in_scope(|| playing.seat.reload(&saves, first)),
            Err(error) => {
                let epoch = playing.seat.epoch;
                return self.end((shard, epoch), End::Unfit(error));
            }
        }
        playing.set_behind(true);
    }

    /// Has the store tell of new records, and of viewers.
    fn listen(&self, shard: u32, playing: &Playing<R>) {
        let (store, jobs) = (&self.shared.store, self.jobs.clone());
        let weak = Arc::downgrade(&playing.is_behind);
        let wake = move || {
            weak.upgrade().is_some_and(|is_behind| {
                let was_behind = is_behind.swap(true, Ordering::Relaxed);
                was_behind || jobs.send(Box::new(|_| ())).is_ok()
            })
        };
        store.watch(&wire::log_name(shard), Box::new(wake));
        playing.asks.listen(&**store, &format!("ask/{shard}"));
    }

    fn own(&mut self, shard: u32, epoch: u64) {
        let Some(playing) = self.playing.get_mut(&shard) else {
            let ended = Error::Unknown("the seat that followed has ended".to_owned());
            return self.end((shard, epoch), End::Unfit(ended));
        };
        playing.seat.promote(epoch);
        playing.due = Instant::now();
        playing.take_over = Some(trace::span(Part::TakeOver, shard));
        playing.set_behind(true);
        lock(&self.shared.counters).shards.insert(shard, Some(0));
    }

    fn stop(&mut self, shard: u32) {
        if let Some(playing) = self.playing.remove(&shard) {
            let mut counters = lock(&self.shared.counters);
            match playing.seat.epoch {
                0 => _ = counters.shards.remove(&shard),
                _ => counters.ended(shard, &End::Lost),
            }
        }
    }

    /// Reads a batch of a log.
    fn read(&mut self, shard: u32) {
        let Some(playing) = self.playing.get(&shard) else {
            return;
        };
        playing.set_behind(false);
        let (epoch, read_to) = (playing.seat.epoch, playing.seat.read_to);
        let log = wire::log_name(shard);
        match self.shared.store.read(&log, read_to, BATCH) {
            Ok(records) => {
                let is_end = records.len() < BATCH;
                if !is_end {
                    playing.set_behind(true);
                }
                let part = if epoch > 0 { Part::Tick } else { Part::Replay };
                trace::span(part, shard).in_scope(|| {
                    self.with(shard, |seat, out| seat.records(records, is_end, out));
                });
            }
            Err(Error::Forgotten { first }) => self.reload(shard, first),
            Err(_) => {} // it is read again when the next tick is due
        }
    }

    /// A tick is due.
    fn play(&mut self, shard: u32, now: Instant) {
        let Some(playing) = self.playing.get_mut(&shard) else {
            return;
        };
        playing.due += self.shared.options.tick;
        if playing.due < now {
            playing.due = now + self.shared.options.tick;
            lock(&self.shared.counters).stats.late += 1;
        }
        let asks = playing.asks.take();
        self.with(shard, |seat, out| {
            asks.iter().for_each(|ask| seat.ask(&ask.room, ask.joins));
            seat.due(out);
        });
        if self
            .playing
            .get(&shard)
            .is_some_and(|playing| playing.seat.is_behind())
        {
            self.read_soon(shard);
        }
    }

    fn read_soon(&self, shard: u32) {
        let playing = self.playing.get(&shard);
        playing
            .into_iter()
            .for_each(|playing| playing.set_behind(true));
    }

    /// Calls a seat, and does what it wants.
    fn with(&mut self, shard: u32, call: impl FnOnce(&mut Seat<R>, &mut Vec<Action>)) {
        if let Some(playing) = self.playing.get_mut(&shard) {
            let mut out = Vec::new();
            call(&mut playing.seat, &mut out);
            let at = (shard, playing.seat.epoch);
            out.into_iter().for_each(|action| self.act(at, action));
        }
    }

    /// Passes the outcome of a write to the seat that wanted it.
    fn outcome(&self, shard: u32, what: Written) -> Done {
        let is_save = matches!(what, Written::Save(_));
        let span = is_save.then(|| trace::span(Part::Save, shard));
        let jobs = self.jobs.clone();
        Box::new(move |outcome| {
            drop(span);
            let _ = jobs.send(Box::new(move |worker| {
                worker.written(shard, what, &outcome)
            }));
        })
    }

    fn written(&mut self, shard: u32, what: Written, outcome: &Result<u64, Error>) {
        let is_saved = outcome.is_ok() && matches!(what, Written::Save(_));
        lock(&self.shared.counters).stats.saves += u64::from(is_saved);
        if outcome.is_err() {
            self.read_soon(shard);
        }
        self.with(shard, |seat, out| seat.written(what, outcome, out));
    }

    fn act(&mut self, at: (u32, u64), action: Action) {
        let (store, shard) = (&self.shared.store, at.0);
        match action {
            Action::Mark { tick, after, bytes } => {
                let done = self.outcome(shard, Written::Mark(tick));
                store.mark(&wire::log_name(shard), after, bytes, done);
            }
            Action::Save { key, bytes } => {
                let done = self.outcome(shard, Written::Save(key.clone()));
                store.put(&key, Some(0), bytes, done);
            }
            Action::Drop { key } => remove(store, key, 3),
            Action::Forget { before } => store.forget(&wire::log_name(shard), before),
            Action::Tell { topic, bytes } => store.tell(&topic, &bytes),
            Action::List => {
                if let Ok(saves) = store.cells(&wire::saves_of(shard)) {
                    self.with(shard, |seat, out| seat.list(&saves, out));
                }
            }
            Action::Follow { is_silent } => {
                self.report(shard, Report::Follows { is_silent });
            }
            Action::Note(note) => self.note(shard, &note),
            Action::End(end) => self.end(at, end),
        }
    }

    fn note(&mut self, shard: u32, note: &Note) {
        if matches!(note, Note::TakenOver { .. }) {
            let playing = self.playing.get_mut(&shard);
            playing
                .into_iter()
                .for_each(|playing| playing.take_over = None);
        }
        lock(&self.shared.counters).count(shard, note);
    }

    fn end(&mut self, (shard, epoch): (u32, u64), end: End) {
        self.playing.remove(&shard);
        lock(&self.shared.counters).ended(shard, &end);
        let is_unfit = matches!(end, End::Unfit(_));
        self.report(shard, Report::Ended { epoch, is_unfit });
    }

    fn report(&self, shard: u32, report: Report) {
        let job = move |keeping: &mut Keeping<R>| keeping.hear(shard, report);
        let _ = self.keeper.send(Box::new(job));
    }
}

/// Removes a cell, a few times if it is not known whether that succeeded.
fn remove(store: &Arc<dyn Store>, key: String, tries: u32) {
    let (again, at) = (store.clone(), key.clone());
    let done = move |outcome| {
        if matches!(outcome, Err(Error::Unknown(_))) && tries > 1 {
            remove(&again, at, tries - 1);
        }
    };
    store.put(&key, None, Vec::new(), Box::new(done));
}
