//! The thread that sees to it which shards this process plays.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use super::worker::Worker;
use super::{HostState, Job};
use crate::client::{lock, shielded, wait};
use crate::core::keeper::{Duty, Keeper, Order, Report};
use crate::core::wire;
use crate::room::Room;

/// The least time between two looks at the cells.
const LOOK: Duration = Duration::from_millis(10);

pub(super) struct Keeping<R: Room> {
    shared: Arc<HostState>,
    keeper: Keeper,
    workers: Vec<Sender<Job<Worker<R>>>>,
    jobs: Sender<Job<Self>>,
    started: Instant,
    /// When it looks at the cells.
    next: Instant,
}

impl<R: Room> Keeping<R> {
    pub(super) fn new(
        shared: Arc<HostState>,
        workers: Vec<Sender<Job<Worker<R>>>>,
        jobs: Sender<Job<Self>>,
    ) -> Self {
        let keeper = Keeper::new(shared.common.clone());
        let (to, weak) = (jobs.clone(), Arc::downgrade(&shared));
        let wake = move || weak.strong_count() > 0 && to.send(Box::new(Self::look_soon)).is_ok();
        shared.store.watch("shard/", Box::new(wake));
        let now = Instant::now();
        Self {
            shared,
            keeper,
            workers,
            jobs,
            started: now,
            next: now,
        }
    }

    pub(super) fn run(mut self, jobs: &Receiver<Job<Self>>) {
        while !self.shared.is_stopping() {
            let wait = self.next.saturating_duration_since(Instant::now());
            match jobs.recv_timeout(wait) {
                Ok(job) => _ = shielded(|| job(&mut self)),
                Err(_) => _ = shielded(|| self.look()),
            }
        }
    }

    fn look_soon(&mut self) {
        self.next = self.next.min(Instant::now() + LOOK);
    }

    pub(super) fn hear(&mut self, shard: u32, report: Report) {
        if matches!(report, Report::Follows(_) | Report::Ended(_)) {
            self.look_soon();
        }
        let order = self.keeper.hear(shard, report);
        order.into_iter().for_each(|order| self.obey(order));
    }

    fn tell(&self, shard: u32, duty: Duty) {
        let worker = &self.workers[shard as usize % self.workers.len()];
        let _ = worker.send(Box::new(move |worker| worker.take(shard, duty)));
    }

    /// Looks at the cells of hosts and shards.
    fn look(&mut self) {
        self.next = Instant::now() + self.shared.common.beat;
        let store = &self.shared.store;
        let (Ok(hosts), Ok(shards)) = (store.cells("host/"), store.cells("shard/")) else {
            return; // a gap, after which the others are not taken for dead
        };
        if self.shared.drain.load(Ordering::Relaxed) {
            self.keeper.leave();
        }
        let rooms = lock(&self.shared.counters).rooms();
        let now = self.started.elapsed();
        let orders = self.keeper.look(now, (&hosts, &shards), &rooms);
        orders.into_iter().for_each(|order| self.obey(order));
    }

    fn obey(&self, order: Order) {
        let store = &self.shared.store;
        match order {
            Order::Put {
                key,
                revision,
                value,
                claim,
            } => {
                let jobs = self.jobs.clone();
                let done = move |outcome: Result<u64, _>| {
                    if let Some((shard, epoch)) = claim {
                        let report = Report::Claimed(outcome.is_ok().then_some(epoch));
                        let _ = jobs.send(Box::new(move |it| it.hear(shard, report)));
                    }
                };
                store.put(&key, revision, value, Box::new(done));
            }
            Order::Seat(shard, duty) => self.tell(shard, duty),
            Order::Fail(error) => lock(&self.shared.counters).fail(error),
            Order::Quit => {
                let key = wire::host_name(&self.shared.common.name);
                let _ = wait(|done| store.put(&key, None, Vec::new(), done));
                self.shared.stop();
            }
        }
    }
}

impl<R: Room> Drop for Keeping<R> {
    /// Stops the workers.
    fn drop(&mut self) {
        self.shared.stop();
        let workers = self.workers.iter();
        workers.for_each(|worker| _ = worker.send(Box::new(|_| ())));
    }
}
