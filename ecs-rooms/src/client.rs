//! What hosts, players and viewers have in common: calls of a store.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::core::wire::{self, Config, VERSION};
use crate::error::Error;
use crate::store::{Done, Store};

/// For how long a call waits for the outcome of a write.
const WRITE: Duration = Duration::from_secs(10);

/// How much waits in an inbox. If there is more, the oldest is dropped.
pub(crate) const MOST_WAITING: usize = 512;

/// Locks a mutex. No user code runs while these are locked, so a poisoned one is intact.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs code of users, which may panic, and so may the payload of the panic when it is dropped.
pub(crate) fn shielded<T>(call: impl FnOnce() -> T) -> Result<T, ()> {
    let shield = |call: Box<dyn FnOnce() + '_>| catch_unwind(AssertUnwindSafe(call));
    let mut returned = None;
    let called = shield(Box::new(|| returned = Some(call())));
    if let Err(payload) = called
        && let Err(of_payload) = shield(Box::new(|| drop(payload)))
    {
        std::mem::forget(of_payload);
    }
    returned.ok_or(())
}

/// A value whose drop is code of users. It is there until it is taken out or dropped.
pub(crate) struct Guarded<T>(Option<T>);

impl<T> Guarded<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Some(value))
    }

    pub(crate) fn into_inner(mut self) -> T {
        self.0.take().unwrap_or_else(|| unreachable!())
    }

    /// Drops the value. Returns whether that did not panic.
    pub(crate) fn release(mut self) -> bool {
        let value = self.0.take();
        shielded(|| drop(value)).is_ok()
    }
}

impl<T> Deref for Guarded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().unwrap_or_else(|| unreachable!())
    }
}

impl<T> DerefMut for Guarded<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().unwrap_or_else(|| unreachable!())
    }
}

impl<T> Drop for Guarded<T> {
    fn drop(&mut self) {
        let value = self.0.take();
        let _ = shielded(|| drop(value));
    }
}

pub(crate) fn spawn(
    name: &str,
    run: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, Error> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(run);
    thread.map_err(|error| Error::Limit(format!("a thread cannot be started: {error}")))
}

/// The time since 1970.
pub(crate) fn now() -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap_or_default()
}

/// Waits for the outcome of a write.
pub(crate) fn wait(write: impl FnOnce(Done)) -> Result<u64, Error> {
    let (sender, outcome) = channel();
    write(Box::new(move |outcome| _ = sender.send(outcome)));
    let timeout = |_| Err(Error::Unknown(format!("no answer for {WRITE:?}")));
    outcome.recv_timeout(WRITE).unwrap_or_else(timeout)
}

/// The number of shards that a store is divided into, if a host has opened it.
pub(crate) fn shards_of(store: &dyn Store) -> Result<Option<u32>, Error> {
    let cells = store.cells("config")?;
    let config: Option<Config> = cells.first().and_then(|cell| wire::read(&cell.value));
    match config {
        Some(config) if config.version != VERSION => Err(Error::Limit(format!(
            "the store has format {}, this program format {VERSION}: use the version of `ecs-rooms` \
             that made the store, or another store",
            config.version
        ))),
        config => Ok(config.map(|config| config.shards)),
    }
}

/// The shard of a room, and the number of shards.
pub(crate) fn locate(store: &dyn Store, room: &str) -> Result<(u32, u32), Error> {
    if !wire::is_name(room) {
        return Err(Error::Limit(format!(
            "the name `{room:.80}` is not 1 to 64 of A-Z, a-z, 0-9, `_` and `-`"
        )));
    }
    let none = || Error::Limit("no host has opened the store yet".to_owned());
    let shards = shards_of(store)?.ok_or_else(none)?;
    Ok((wire::shard_of(room, shards), shards))
}

/// How often viewers and players that have heard nothing send and ask again.
const AGAIN: Duration = Duration::from_millis(250);

/// What the thread of all players and viewers of this process looks after from time to time.
pub(crate) trait Look: Send + Sync {
    fn look(self: Arc<Self>);
}

pub(crate) fn look_after(it: Weak<dyn Look>) -> Result<(), Error> {
    static ALL: Mutex<Vec<Weak<dyn Look>>> = Mutex::new(Vec::new());
    static START: Once = Once::new();
    let mut started = Ok(());
    START.call_once(|| {
        let run = || loop {
            thread::sleep(AGAIN);
            lock(&ALL).retain(|it| it.strong_count() > 0);
            let all: Vec<_> = lock(&ALL).iter().filter_map(Weak::upgrade).collect();
            all.into_iter().for_each(|it| _ = shielded(|| it.look()));
        };
        started = spawn("rooms-players", run).map(drop);
    });
    lock(&ALL).push(it);
    started
}

/// What has come in from topics.
pub(crate) struct Inbox<T>(Arc<(Mutex<Waiting<T>>, Condvar)>);

struct Waiting<T> {
    all: VecDeque<T>,
    /// Who is woken if something comes in.
    waker: Option<Waker>,
}

impl<T: Send + 'static> Inbox<T> {
    pub(crate) fn new() -> Self {
        let (all, waker) = (VecDeque::new(), None);
        let waiting = Mutex::new(Waiting { all, waker });
        Self(Arc::new((waiting, Condvar::new())))
    }

    /// Listens to a topic, for as long as the inbox is there.
    pub(crate) fn listen(
        &self,
        store: &dyn Store,
        topic: &str,
        read: impl Fn(&[u8]) -> Option<T> + Send + 'static,
    ) {
        let weak = Arc::downgrade(&self.0);
        let hear = move |bytes: &[u8]| {
            let Some(inbox) = weak.upgrade().map(Self) else {
                return false;
            };
            let mut waiting = lock(&inbox.0.0);
            waiting.all.extend(read(bytes));
            if waiting.all.len() > MOST_WAITING {
                waiting.all.pop_front();
            }
            drop(waiting);
            inbox.wake();
            true
        };
        store.listen(topic, Box::new(hear));
    }

    pub(crate) fn take(&self) -> VecDeque<T> {
        std::mem::take(&mut lock(&self.0.0).all)
    }

    /// Takes what is there, or waits for it for a while.
    pub(crate) fn take_within(&self, time: Duration) -> VecDeque<T> {
        let (waiting, arrived) = &*self.0;
        let is_empty = |waiting: &mut Waiting<T>| waiting.all.is_empty();
        let waited = arrived.wait_timeout_while(lock(waiting), time, is_empty);
        let mut waiting = waited.unwrap_or_else(PoisonError::into_inner).0;
        std::mem::take(&mut waiting.all)
    }

    /// Wakes who waits for something.
    pub(crate) fn wake(&self) {
        self.0.1.notify_all();
        let waker = lock(&self.0.0).waker.take();
        let _ = shielded(|| waker.map(Waker::wake));
    }

    /// Whether something is there; if not, the waker is called once there is.
    pub(crate) fn poll(&self, context: &Context<'_>) -> Poll<()> {
        let mut waiting = lock(&self.0.0);
        if !waiting.all.is_empty() {
            return Poll::Ready(());
        }
        waiting.waker = Some(context.waker().clone());
        Poll::Pending
    }
}
