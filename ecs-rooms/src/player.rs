//! A player: sends inputs.

use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::core::wire::{self, Entry, Key};
use crate::error::Error;
use crate::host::{check_name, shards_of};
use crate::memory::lock;
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
    shared: Arc<SendState>,
    kind: PhantomData<fn(R)>,
}

struct SendState {
    store: Arc<dyn Store>,
    room: String,
    log: String,
    player: u64,
    key: Key,
    queue: Mutex<Queue>,
    changed: Condvar,
}

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
        check_name(room)?;
        let none = || Error::Limit("no host has opened the store yet".to_owned());
        let shards = shards_of(&store)?.ok_or_else(none)?;
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let queue = Queue {
            number: u64::try_from(now.as_micros()).unwrap_or(u64::MAX / 2),
            waiting: VecDeque::new(),
            is_in_flight: false,
            failed: None,
        };
        let shared = SendState {
            store: Arc::new(store),
            room: room.to_owned(),
            log: wire::log_name(wire::shard_of(room, shards)),
            player,
            key,
            queue: Mutex::new(queue),
            changed: Condvar::new(),
        };
        Ok(Self {
            shared: Arc::new(shared),
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
        let mut queue = lock(&self.shared.queue);
        if queue.waiting.len() >= MOST_WAITING || bytes.len() > MOST_BYTES {
            let (waiting, size) = (queue.waiting.len(), bytes.len());
            return Err(Error::Limit(format!(
                "an input of {size} bytes, while {waiting} wait"
            )));
        }
        queue.waiting.push_back(bytes);
        drop(queue);
        SendState::go_on(&self.shared, TRIES);
        Ok(())
    }

    /// Waits until all inputs are acknowledged.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] if that is not so in time; call it again, or `send`.
    pub fn wait(&self, timeout: Duration) -> Result<(), Error> {
        SendState::go_on(&self.shared, TRIES);
        let end = Instant::now() + timeout;
        let mut queue = lock(&self.shared.queue);
        while !queue.waiting.is_empty() {
            if let Some(error) = queue.failed.take() {
                return Err(error);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::Unknown(format!(
                    "{} inputs wait",
                    queue.waiting.len()
                )));
            }
            let waited = self.shared.changed.wait_timeout(queue, left);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(())
    }
}

impl SendState {
    /// Sends the first input that waits, unless one is on its way.
    fn go_on(shared: &Arc<Self>, tries: u32) {
        let mut queue = lock(&shared.queue);
        let number = queue.number;
        let Some(input) = queue
            .waiting
            .front()
            .filter(|_| !queue.is_in_flight)
            .cloned()
        else {
            return;
        };
        queue.is_in_flight = true;
        drop(queue);
        let (room, player) = (shared.room.clone(), shared.player);
        let entry = Entry::Input {
            room,
            player,
            number,
            input,
        };
        let bytes = wire::seal(&shared.key, &shared.log, &wire::write(&entry));
        let this = shared.clone();
        let done = move |outcome| Self::answered(&this, &outcome, tries);
        shared.store.append(&shared.log, bytes, Box::new(done));
    }

    fn answered(shared: &Arc<Self>, outcome: &Result<u64, Error>, tries: u32) {
        let mut queue = lock(&shared.queue);
        queue.is_in_flight = false;
        let tries = match outcome {
            Ok(_) => {
                queue.waiting.pop_front();
                queue.number += 1;
                queue.failed = None;
                TRIES
            }
            Err(error) if tries <= 1 => {
                queue.failed = Some(error.clone());
                0
            }
            Err(_) => tries - 1,
        };
        drop(queue);
        shared.changed.notify_all();
        if tries > 0 {
            Self::go_on(shared, tries);
        }
    }
}

impl<R> fmt::Debug for Player<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (room, player) = (&self.shared.room, self.shared.player);
        write!(f, "Player {{ room: {room:?}, player: {player} }}")
    }
}
