//! The thread that sees to it which shards this process plays.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use super::HostState;
use super::worker::Message;
use crate::core::keeper::{Duty, Keeper, Order, Report};
use crate::core::wire;
use crate::memory::lock;

/// The least time between two looks at the cells.
const LOOK: Duration = Duration::from_millis(10);

/// What happens to the keeper.
pub(super) enum Up {
    Report(u32, Report),
    /// How many seats of a worker own their shards, and how many follow.
    Seats {
        seats: [u64; 2],
        worker: ThreadId,
    },
    /// A cell of a shard has changed.
    Look,
}

pub(super) struct Keeping {
    shared: Arc<HostState>,
    keeper: Keeper,
    workers: Vec<Sender<Message>>,
    messages: Sender<Up>,
    seats: HashMap<ThreadId, [u64; 2]>,
    started: Instant,
}

impl Keeping {
    pub(super) fn new(
        shared: Arc<HostState>,
        workers: Vec<Sender<Message>>,
        messages: Sender<Up>,
    ) -> Self {
        let options = &shared.options;
        let keeper = Keeper::new(
            &options.name,
            options.shards,
            (options.beat, options.patience),
            options.standby.is_some(),
        );
        let (sender, weak) = (Mutex::new(messages.clone()), Arc::downgrade(&shared));
        let wake = move || weak.strong_count() > 0 && lock(&sender).send(Up::Look).is_ok();
        shared.store.watch("shard/", Box::new(wake));
        Self {
            shared,
            keeper,
            workers,
            messages,
            seats: HashMap::new(),
            started: Instant::now(),
        }
    }

    pub(super) fn run(&mut self, messages: &Receiver<Up>) {
        let beat = self.shared.options.beat;
        let mut next = Instant::now();
        while !self.shared.is_stopping() {
            let wait = next.saturating_duration_since(Instant::now());
            if let Ok(message) = messages.recv_timeout(wait.min(beat)) {
                if self.take(message) {
                    next = next.min(Instant::now() + LOOK);
                }
                continue;
            }
            if Instant::now() >= next {
                next = Instant::now() + beat;
                if self.look() {
                    return;
                }
            }
        }
    }

    /// Returns whether the cells are to be looked at soon.
    fn take(&mut self, message: Up) -> bool {
        match message {
            Up::Report(shard, report) => {
                self.keeper.hear(self.started.elapsed(), shard, report);
                if let Report::Claimed(Some(epoch)) = report {
                    self.tell(shard, Duty::Own(epoch));
                }
                !matches!(report, Report::Claimed(_))
            }
            Up::Seats { seats, worker } => {
                self.seats.insert(worker, seats);
                let sum = |at: usize| self.seats.values().map(|seats| seats[at]).sum();
                self.shared.seats.store(sum(0), Ordering::Relaxed);
                self.shared.followed.store(sum(1), Ordering::Relaxed);
                false
            }
            Up::Look => true,
        }
    }

    fn tell(&self, shard: u32, duty: Duty) {
        let worker = &self.workers[shard as usize % self.workers.len()];
        let _ = worker.send(Message::Seat(shard, duty));
    }

    /// Looks at the cells of hosts and shards. Returns whether this process is done.
    fn look(&mut self) -> bool {
        let store = &self.shared.store;
        let (Ok(hosts), Ok(shards)) = (store.cells("host/"), store.cells("shard/")) else {
            return false; // a gap, after which the others are not taken for dead
        };
        if self.shared.drain.load(Ordering::Relaxed) {
            self.keeper.leave(self.started.elapsed());
        }
        if self.keeper.has_left(&shards) {
            let key = wire::host_name(&self.shared.options.name);
            let _ = super::wait(|done| store.put(&key, None, Vec::new(), done));
            return true;
        }
        for order in self.keeper.look(self.started.elapsed(), &hosts, &shards) {
            self.obey(order);
        }
        false
    }

    fn obey(&self, order: Order) {
        match order {
            Order::Put {
                key,
                revision,
                value,
                claim,
            } => {
                let messages = self.messages.clone();
                let done = move |outcome: Result<u64, _>| {
                    if let Some((shard, epoch)) = claim {
                        let report = Report::Claimed(outcome.is_ok().then_some(epoch));
                        let _ = messages.send(Up::Report(shard, report));
                    }
                };
                let store = &self.shared.store;
                store.put(&key, revision, value, Box::new(done));
            }
            Order::Seat(shard, duty) => self.tell(shard, duty),
        }
    }
}

impl Drop for Keeping {
    fn drop(&mut self) {
        self.workers
            .iter()
            .for_each(|worker| _ = worker.send(Message::Quit));
    }
}
