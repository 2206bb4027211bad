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
use crate::core::keeper::{Keeper, Order};
use crate::core::wire;
use crate::memory::lock;

/// The least time between two looks at the cells.
const LOOK: Duration = Duration::from_millis(10);

/// What happens to the keeper.
pub(super) enum Up {
    Claimed {
        shard: u32,
        epoch: Option<u64>,
    },
    Ended {
        shard: u32,
        epoch: u64,
        is_unfit: bool,
    },
    /// A seat that follows has caught up.
    Follow {
        shard: u32,
        is_silent: bool,
    },
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
            Up::Claimed { shard, epoch } => {
                self.keeper.claimed(shard, epoch);
                if let Some(epoch) = epoch {
                    self.tell(shard, Message::Own { shard, epoch });
                }
                false
            }
            Up::Ended {
                shard,
                epoch,
                is_unfit,
            } => {
                self.keeper
                    .ended(self.started.elapsed(), shard, epoch, is_unfit);
                true
            }
            Up::Seats { seats, worker } => {
                self.seats.insert(worker, seats);
                let sum = |at: usize| self.seats.values().map(|seats| seats[at]).sum();
                self.shared.seats.store(sum(0), Ordering::Relaxed);
                self.shared.followed.store(sum(1), Ordering::Relaxed);
                false
            }
            Up::Follow { shard, is_silent } => {
                self.keeper.caught_up(shard, is_silent);
                true
            }
            Up::Look => true,
        }
    }

    fn tell(&self, shard: u32, message: Message) {
        let _ = self.workers[shard as usize % self.workers.len()].send(message);
    }

    /// Looks at the cells of hosts and shards. Returns whether this process is done.
    fn look(&mut self) -> bool {
        let store = &self.shared.store;
        let (Ok(hosts), Ok(shards)) = (store.cells("host/"), store.cells("shard/")) else {
            return false; // a gap, after which the others are not taken for dead
        };
        if self.shared.drain.load(Ordering::Relaxed) {
            self.keeper.leave();
        }
        if self.keeper.has_left(&shards) {
            let key = format!("host/{}", self.shared.options.name);
            let _ = super::wait(|done| store.put(&key, None, Vec::new(), done));
            return true;
        }
        for order in self.keeper.look(self.started.elapsed(), &hosts, &shards) {
            self.obey(order);
        }
        false
    }

    fn obey(&self, order: Order) {
        let store = &self.shared.store;
        match order {
            Order::Beat(beat) => {
                let key = format!("host/{}", self.shared.options.name);
                store.put(&key, None, wire::write(&beat), Box::new(|_| ()));
            }
            Order::Claim {
                shard,
                revision,
                claim,
            } => {
                let (messages, epoch) = (self.messages.clone(), claim.epoch);
                let done = move |outcome: Result<u64, _>| {
                    let epoch = outcome.is_ok().then_some(epoch);
                    let _ = messages.send(Up::Claimed { shard, epoch });
                };
                store.put(
                    &wire::shard_name(shard),
                    Some(revision),
                    wire::write(&claim),
                    Box::new(done),
                );
            }
            Order::Release {
                shard,
                revision,
                claim,
            } => {
                let value = wire::write(&claim);
                store.put(
                    &wire::shard_name(shard),
                    Some(revision),
                    value,
                    Box::new(|_| ()),
                );
            }
            Order::Follow { shard } => self.tell(shard, Message::Follow { shard }),
            Order::Drain { shard } => self.tell(shard, Message::Drain { shard }),
            Order::Stop { shard } => self.tell(shard, Message::Stop { shard }),
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
