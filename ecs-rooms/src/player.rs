//! A player: sends inputs.

use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::client::{locate, lock, now};
use crate::core::wire::{self, Entry, Input, Key};
use crate::error::Error;
use crate::room::Room;
use crate::store::Store;

/// The most inputs that wait, and the most bytes of one.
const MOST_WAITING: usize = 1_024;
const MOST_BYTES: usize = 65_536;
/// How often a write of unknown outcome is repeated before the caller learns of it.
const TRIES: u32 = 5;

/// Sends the inputs of one player to one room, numbered, so that each is played once, in order.
///
/// An input is sent again, with the same number, until the store acknowledges it; only then comes the next
/// one. What was acknowledged is played, whatever happens to the hosts. Numbers start with the time, so a
/// player that is created again continues; use only one at a time.
///
/// # Examples
///
/// See [`Host`](crate::Host).
///
/// ```
/// # struct Sum(u64);
/// # impl ecs_rooms::Room for Sum {
/// #     type Input = u64;
/// #     fn new(seed: u64) -> Self { Self(seed) }
/// #     fn load(bytes: &[u8]) -> Result<Self, Box<dyn std::error::Error>> { Ok(Self(u64::from_le_bytes(bytes.try_into()?))) }
/// #     fn save(&mut self) -> Result<Vec<u8>, Box<dyn std::error::Error>> { Ok(self.0.to_le_bytes().into()) }
/// #     fn tick(&mut self, inputs: Vec<(u64, u64)>) { inputs.iter().for_each(|(_, input)| self.0 += input); }
/// #     fn checksum(&mut self) -> u64 { self.0 }
/// #     fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> { self.save() }
/// # }
/// use ecs_rooms::{Error, MemoryStore, Player};
///
/// let key = Player::<Sum>::key(&[7; 32], "room", 3); // given to player 3 by the server that has the secret
/// let player = Player::<Sum>::new(MemoryStore::new(), "room", 3, key);
/// assert!(matches!(player, Err(Error::Limit(_)))); // no host has opened the store yet
/// ```
pub struct Player<R> {
    outbox: Arc<Outbox>,
    kind: PhantomData<fn(R)>,
}

struct Outbox {
    store: Arc<dyn Store>,
    room: String,
    log: String,
    player: u64,
    key: Key,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// The number of the first input that waits.
    number: u64,
    waiting: VecDeque<Vec<u8>>,
    is_in_flight: bool,
    /// Why the first one was not acknowledged.
    failed: Option<Error>,
}

impl<R: Room> Player<R> {
    /// Returns the key of one player of one room, made from the secret of the deployment.
    #[must_use]
    pub fn key(secret: &[u8; 32], room: &str, player: u64) -> [u8; 32] {
        wire::player_key(secret, room, player)
    }

    /// Returns a player of a room, with this [`key`](Self::key).
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] if the name cannot be that of a room, or if no host has opened the store yet;
    /// [`Error::Unknown`] if the store cannot be reached.
    pub fn new(store: impl Store, room: &str, player: u64, key: [u8; 32]) -> Result<Self, Error> {
        let (shard, _) = locate(&store, room)?;
        let queue = Queue {
            number: now().as_micros() as u64,
            ..Queue::default()
        };
        let outbox = Outbox {
            store: Arc::new(store),
            room: room.to_owned(),
            log: wire::log_name(shard),
            player,
            key,
            queue: Mutex::new(queue),
            changed: Condvar::new(),
        };
        Ok(Self {
            outbox: Arc::new(outbox),
            kind: PhantomData,
        })
    }

    /// Sends an input, without waiting for anything.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] if 1,024 inputs wait, or if the input has more than 65,536 bytes.
    pub fn send(&self, input: &R::Input) -> Result<(), Error> {
        let bytes = wire::write(input);
        let mut queue = lock(&self.outbox.queue);
        let (size, waiting) = (bytes.len(), queue.waiting.len());
        if waiting >= MOST_WAITING || size > MOST_BYTES {
            let limit = format!("an input of {size} bytes, while {waiting} wait");
            return Err(Error::Limit(limit));
        }
        queue.waiting.push_back(bytes);
        drop(queue);
        self.outbox.send(TRIES);
        Ok(())
    }

    /// Waits until all inputs are acknowledged.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] if that is not so in time; call it again, or `send`.
    pub fn wait(&self, timeout: Duration) -> Result<(), Error> {
        self.outbox.send(TRIES);
        let goes_on = |queue: &mut Queue| !queue.waiting.is_empty() && queue.failed.is_none();
        let (queue, changed) = (lock(&self.outbox.queue), &self.outbox.changed);
        let waited = changed.wait_timeout_while(queue, timeout, goes_on);
        let mut queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        let waiting = queue.waiting.len();
        match queue.failed.take() {
            Some(error) => Err(error),
            None if waiting > 0 => Err(Error::Unknown(format!("{waiting} inputs wait"))),
            None => Ok(()),
        }
    }
}

impl Outbox {
    /// Sends the first input that waits, unless one is on its way.
    fn send(self: &Arc<Self>, tries: u32) {
        let mut queue = lock(&self.queue);
        let bytes = match queue.waiting.front() {
            Some(bytes) if !queue.is_in_flight => bytes.clone(),
            _ => return,
        };
        queue.is_in_flight = true;
        let input = Input {
            room: self.room.clone(),
            player: self.player,
            number: queue.number,
            bytes,
        };
        drop(queue);
        let bytes = wire::seal(&self.key, &self.log, &Entry::Input(input));
        let this = self.clone();
        let done = move |outcome| this.answered(outcome, tries);
        self.store.append(&self.log, bytes, Box::new(done));
    }

    fn answered(self: &Arc<Self>, outcome: Result<u64, Error>, tries: u32) {
        let mut queue = lock(&self.queue);
        queue.is_in_flight = false;
        let tries = match outcome {
            Ok(_) => {
                queue.waiting.pop_front();
                (queue.number, queue.failed) = (queue.number + 1, None);
                TRIES
            }
            Err(error) if tries <= 1 => {
                queue.failed = Some(error);
                0
            }
            Err(_) => tries - 1,
        };
        drop(queue);
        self.changed.notify_all();
        if tries > 0 {
            self.send(tries);
        }
    }
}

impl<R> fmt::Debug for Player<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Player({:?}, {})", self.outbox.room, self.outbox.player)
    }
}
