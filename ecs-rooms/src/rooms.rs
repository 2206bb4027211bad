//! Opens, closes and lists rooms, without playing any.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::client::{
    Inbox, Look, MOST_WAITING, locate, lock, look_after, shards_of, shielded, wait,
};
use crate::core::wire::{self, Ask, Entry};
use crate::error::Error;
use crate::later::Later;
use crate::room::Opening;
use crate::store::{Cell, Done, Store};

/// How often hosts are asked again that have not answered.
const AGAIN: Duration = Duration::from_millis(100);

/// A room, as its host describes it.
///
/// # Examples
///
/// See [`Rooms`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RoomInfo {
    /// The name of the room.
    pub room: String,
    /// The number that [`Rooms::open`] has returned to the program that opened it.
    pub number: u64,
    /// The last tick.
    pub tick: u64,
    /// How many players are there.
    pub players: u64,
    /// What the game says: see [`Room::describe`](crate::Room::describe).
    pub description: String,
    /// The version of the game.
    pub version: u32,
    /// The name of the host.
    pub host: String,
}

/// The result of a room that has ended itself.
///
/// # Examples
///
/// See [`Rooms::on_result`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RoomResult {
    /// The name of the room.
    pub room: String,
    /// The number of the room: see [`RoomInfo::number`]. No two rooms of a name have the same.
    pub number: u64,
    /// What [`Room::result`](crate::Room::result) has returned.
    pub result: Vec<u8>,
}

/// Passes results on.
struct Results {
    store: Arc<dyn Store>,
    key: [u8; 32],
    call: Mutex<Box<dyn FnMut(RoomResult) + Send>>,
    /// Keys of those that were passed on last.
    known: Mutex<VecDeque<String>>,
    /// Whether there may be more. The store sets it.
    is_awake: Arc<AtomicBool>,
}

impl Look for Results {
    fn look(self: Arc<Self>) {
        if !self.is_awake.swap(false, Ordering::Relaxed) {
            return;
        }
        let Ok(cells) = self.store.cells("result/") else {
            return self.is_awake.store(true, Ordering::Relaxed);
        };
        for Cell {
            key,
            revision,
            value,
        } in cells
        {
            let result = wire::unseal(&self.key, &key, &value);
            if let Some(result) = result.filter(|_| self.is_new(&key)) {
                let mut call = lock(&self.call);
                let _ = shielded(|| call(result));
            }
            let done = Box::new(|_| ());
            self.store.put(&key, Some(revision), Vec::new(), done);
        }
    }
}

impl Results {
    fn is_new(&self, key: &String) -> bool {
        let mut known = lock(&self.known);
        let is_new = !known.contains(key);
        if is_new {
            known.push_back(key.clone());
        }
        if known.len() > MOST_WAITING {
            known.pop_front();
        }
        is_new
    }
}

/// The rooms of a deployment, for programs that play none, such as gateways and lobbies. A [`Host`](crate::Host) has one,
/// too.
///
/// # Examples
///
/// ```
/// # struct Sum(u64);
/// # impl ecs_rooms::Room for Sum {
/// #     type Input = u64;
/// #     fn new(opening: &ecs_rooms::Opening) -> Self { Self(opening.seed) }
/// #     fn load(bytes: &[u8]) -> Result<Self, Box<dyn std::error::Error>> { Ok(Self(u64::from_le_bytes(bytes.try_into()?))) }
/// #     fn save(&mut self) -> Result<Vec<u8>, Box<dyn std::error::Error>> { Ok(self.0.to_le_bytes().into()) }
/// #     fn tick(&mut self, _: ecs_rooms::Turn<u64>) { self.0 += 1; }
/// #     fn checksum(&mut self) -> u64 { self.0 }
/// #     fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> { self.save() }
/// # }
/// use std::time::Duration;
/// use ecs_rooms::{Host, MemoryStore, Options, Rooms};
///
/// # fn main() -> Result<(), ecs_rooms::Error> {
/// let store = MemoryStore::new();
/// let _host = Host::run::<Sum>(store.clone(), Options::new([7; 32]))?; // in another process
/// let rooms = Rooms::new(store, [7; 32]);
/// let number = rooms.open("arena", 1)?;
/// let again = rooms.open("arena", 2)?;
/// let list = rooms.list(Duration::from_secs(5))?;
/// assert_eq!((&list[0].room[..], list[0].number), ("arena", number));
/// assert_ne!(list[0].number, again); // this has found the room
/// # Ok(()) }
/// ```
pub struct Rooms {
    store: Arc<dyn Store>,
    key: [u8; 32],
    results: Mutex<Option<Arc<Results>>>,
}

impl Rooms {
    /// Returns the rooms of a store, with the secret of the deployment.
    #[must_use]
    pub fn new(store: impl Store, key: [u8; 32]) -> Self {
        Self {
            store: Arc::new(store),
            key,
            results: Mutex::default(),
        }
    }

    /// Opens a room with a seed or an [`Opening`], which the host that has its shard plays from the next tick on. If
    /// there is a room of that name, nothing happens. Returns a number, which the room has if this has opened it:
    /// [`RoomInfo::number`].
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] unless the name has 1 to 64 ASCII letters, digits, `_` and `-`, or if no host has opened the
    /// store yet; [`Error::Unknown`] if it is not known whether the room was opened: try again.
    pub fn open(&self, room: &str, opening: impl Into<Opening>) -> Result<u64, Error> {
        wait(|done| self.write_open(room, opening.into(), done))
    }

    /// Like [`open`](Self::open), but returns a future.
    pub fn open_async(&self, room: &str, opening: impl Into<Opening>) -> Later<u64> {
        Later::of(|done| self.write_open(room, opening.into(), done))
    }

    fn write_open(&self, name: &str, opening: Opening, done: Done) {
        let room = name.to_owned();
        self.append(name, &Entry::Open { room, opening }, done);
    }

    /// Closes a room and removes its saves.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn close(&self, room: &str) -> Result<(), Error> {
        let entry = Entry::Close {
            room: room.to_owned(),
        };
        wait(|done| self.append(room, &entry, done)).map(drop)
    }

    /// Revokes the keys of a player of a room of this epoch and of earlier ones, and those without an epoch: see
    /// [`PlayerKey::session`](crate::PlayerKey::session). The player leaves the room. What the log has already is played.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn revoke(&self, room: &str, player: u64, epoch: u64) -> Result<(), Error> {
        let (name, room) = (room, room.to_owned());
        let entry = Entry::Revoke {
            room,
            player,
            epoch,
        };
        wait(|done| self.append(name, &entry, done)).map(drop)
    }

    fn append(&self, room: &str, entry: &Entry, done: Done) {
        match locate(&*self.store, room) {
            Ok((shard, _)) => {
                let log = wire::log_name(shard);
                let bytes = wire::seal(&self.key, &log, entry);
                self.store.append(&log, bytes, done);
            }
            Err(error) => done(Err(error)),
        }
    }

    /// Calls a closure with the result of each room that has ended itself, on any thread, for as long as this is there:
    /// also with those that have waited in the store for a program that takes them.
    ///
    /// It is called *once* for each room, whatever happens to its hosts: the host writes the result before the log says
    /// that the room is closed, and the next host does it again if that is missing. Then, or if a program dies before
    /// the call returns, or if several programs take results, a call may come again, with the same number: so let what
    /// it does depend on that, as a unique key of a table does.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] if a thread cannot be started.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use serde::{Deserialize, Serialize};
    /// # #[ecs::context] pub struct Duel;
    /// # #[derive(Component, Clone, Hash, Serialize, Deserialize)]
    /// # #[component(context = Duel, unique)] pub struct Score(pub u8);
    /// impl ecs_rooms::Game for Duel {
    /// #   type Input = u8; type View = Score;
    /// #   fn begin(&mut self, _: &ecs_rooms::Opening) { self.set_score(0); }
    /// #   fn systems(&mut self) -> Systems<Self> { Systems::new().add(|game: &mut Duel| game.update_score(|score| score.0 += 1)) }
    /// #   fn input(&mut self, _: u64, points: u8) { self.update_score(|score| score.0 += points); }
    ///     fn result(&self) -> Option<Vec<u8>> {
    ///         (self.score().0 >= 5).then(|| vec![self.score().0])
    ///     }
    ///     // …
    /// }
    /// use ecs_rooms::{Host, MemoryStore, Options, Rooms, Session};
    ///
    /// # fn main() -> Result<(), ecs_rooms::Error> {
    /// let (store, secret) = (MemoryStore::new(), [7; 32]);
    /// let _host = Host::run::<Session<Duel>>(store.clone(), Options::new(secret))?; // in another process
    /// let rooms = Rooms::new(store, secret);
    /// let (sender, results) = std::sync::mpsc::channel();
    /// rooms.on_result(move |result| _ = sender.send(result))?;
    /// let number = rooms.open("duel", 1)?;
    /// let result = results.recv().unwrap();
    /// assert_eq!((&result.room[..], result.number, result.result), ("duel", number, vec![5]));
    /// # Ok(()) }
    /// ```
    pub fn on_result(&self, call: impl FnMut(RoomResult) + Send + 'static) -> Result<(), Error> {
        let is_awake = Arc::new(AtomicBool::new(true));
        let weak = Arc::downgrade(&is_awake);
        let wake = move || {
            let is_awake = weak.upgrade();
            is_awake.is_some_and(|is_awake| {
                is_awake.store(true, Ordering::Relaxed);
                true
            })
        };
        let results = Arc::new(Results {
            store: self.store.clone(),
            key: self.key,
            call: Mutex::new(Box::new(call)),
            known: Mutex::default(),
            is_awake,
        });
        self.store.watch("result/", Box::new(wake));
        *lock(&self.results) = Some(results.clone());
        look_after(Arc::downgrade(&results) as Weak<dyn Look>)
    }

    /// Asks all hosts for their rooms, and waits for their answers. They are sorted by name.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] if the hosts of some shards do not answer in time, or the store cannot be reached.
    pub fn list(&self, timeout: Duration) -> Result<Vec<RoomInfo>, Error> {
        let (start, mut asked) = (Instant::now(), None::<Instant>);
        let asker = RandomState::new().hash_one(0);
        let topic = wire::list_name(asker);
        let (inbox, key, about) = (Inbox::new(), self.key, topic.clone());
        let read = move |bytes: &[u8]| wire::unseal::<(u32, Vec<RoomInfo>)>(&key, &about, bytes);
        inbox.listen(&*self.store, &topic, read);
        let shards = shards_of(&*self.store)?.unwrap_or(0);
        let mut answers = BTreeMap::<u32, Vec<RoomInfo>>::new();
        loop {
            let missing: Vec<_> = (0..shards).filter(|it| !answers.contains_key(it)).collect();
            if missing.is_empty() {
                let mut list: Vec<_> = answers.into_values().flatten().collect();
                list.sort_by(|left, right| left.room.cmp(&right.room));
                return Ok(list);
            }
            if start.elapsed() > timeout {
                let missing = format!("no host answers for shards {missing:?}");
                return Err(Error::Unknown(missing));
            }
            if asked.is_none_or(|asked| asked.elapsed() > AGAIN) {
                asked = Some(Instant::now());
                for topic in missing.into_iter().map(wire::ask_name) {
                    let ask = wire::seal(&self.key, &topic, &Ask::List { asker });
                    self.store.tell(&topic, &ask);
                }
            }
            answers.extend(inbox.take_within(AGAIN));
        }
    }
}

impl fmt::Debug for Rooms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rooms { .. }") // the key is a secret
    }
}
