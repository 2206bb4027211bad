//! A player: sends inputs.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use crate::client::{Look, locate, lock, look_after, now, shielded};
use crate::core::outbox::Outbox;
use crate::core::roster::{Outcome, Reason};
use crate::core::wire::{self, Build, PlayerKey};
use crate::error::Error;
use crate::later::{Later, Promise};
use crate::room::Room;
use crate::store::Store;

/// After how many looks a player says that it is still there.
const STAY: u64 = 20;

/// Sends the inputs of one player to one room, numbered, so that each is played once, in order.
///
/// An input is *acknowledged* when its [`Outcome`] has arrived: if it was played, the end of its tick is in
/// the log, so whatever happens to the hosts, each later one plays it in the same tick. An input is sent
/// again, with the same number, until the store has it; then the host is asked until it tells the outcome.
///
/// A player has one connection: if it is created twice, such as in two windows, the one that was created
/// later takes over with its first input. The other one gets [`Reason::TakenOver`](crate::Reason). A gateway
/// [continues](Self::resume) the connection of another one instead.
///
/// A player joins the room with its first input, and leaves when this is dropped, or 1,200 ticks after its process has
/// died: see [`Turn::players`](crate::Turn).
///
/// # Examples
///
/// See [`Host`](crate::Host).
///
/// ```
/// # struct Sum(u64);
/// # impl ecs_rooms::Room for Sum {
/// #     type Input = u64;
/// #     fn new(opening: &ecs_rooms::Opening) -> Self { Self(opening.seed) }
/// #     fn load(bytes: &[u8]) -> Result<Self, Box<dyn std::error::Error>> { Ok(Self(u64::from_le_bytes(bytes.try_into()?))) }
/// #     fn save(&mut self) -> Result<Vec<u8>, Box<dyn std::error::Error>> { Ok(self.0.to_le_bytes().into()) }
/// #     fn tick(&mut self, turn: ecs_rooms::Turn<u64>) { turn.inputs.iter().for_each(|(_, input)| self.0 += input); }
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
    link: Arc<Link>,
    kind: PhantomData<fn(R)>,
}

/// What is called with the number of an input and its outcome.
type Call = Box<dyn FnMut(u64, Outcome) + Send>;

struct Link {
    store: Arc<dyn Store>,
    ask: String,
    state: Mutex<State>,
    changed: Condvar,
    call: Mutex<Option<Call>>,
}

struct State {
    outbox: Outbox,
    /// Why the last record could not be appended, or the first input that was rejected.
    failed: Option<Error>,
    rejected: Option<Error>,
    /// The player was dropped.
    is_over: bool,
    /// Who waits until the connection has begun.
    begun: Vec<Promise<u64>>,
    /// Inputs whose outcomes are expected by futures.
    promises: BTreeMap<u64, Promise<Outcome>>,
    /// How many outcomes are being passed on.
    calling: usize,
    /// Whether something was heard since it was looked last.
    is_active: bool,
    /// How many times was looked.
    looks: u64,
}

impl<R: Room> Player<R> {
    /// Returns the key of one player of one room, made from the secret of the deployment, without an end. See
    /// [`PlayerKey::session`] for one that expires.
    #[must_use]
    pub fn key(secret: &[u8; 32], room: &str, player: u64) -> PlayerKey {
        PlayerKey::new(secret, room, player)
    }

    /// Returns a player of a room, with this [`key`](Self::key).
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] if the name cannot be that of a room, or if no host has opened the store yet;
    /// [`Error::Rejected`] if the key has expired by the clock of this process; [`Error::Unknown`] if the store cannot be
    /// reached.
    pub fn new(store: impl Store, room: &str, player: u64, key: PlayerKey) -> Result<Self, Error> {
        if key.pass.is_expired(now().as_secs()) {
            let (number, reason) = (1, Reason::Expired);
            return Err(Error::Rejected { number, reason });
        }
        let (shard, _) = locate(&store, room)?;
        let log = wire::log_name(shard);
        let state = State {
            outbox: Outbox::new(room, player, key, Build::of::<R>(), log),
            failed: None,
            rejected: None,
            is_over: false,
            begun: Vec::new(),
            promises: BTreeMap::new(),
            calling: 0,
            is_active: true,
            looks: 0,
        };
        let link = Arc::new(Link {
            store: Arc::new(store),
            ask: wire::ask_name(shard),
            state: Mutex::new(state),
            changed: Condvar::new(),
            call: Mutex::default(),
        });
        link.listen(wire::outcomes_name(room, player));
        look_after(Arc::downgrade(&link) as Weak<dyn Look>)?;
        Ok(Self {
            link,
            kind: PhantomData,
        })
    }

    /// Calls a closure with the number and the outcome of each input, on any thread. After the loss of a host,
    /// an input that was played can be [lost](crate::Reason::Lost): then it is called again, unless the room is closed
    /// before. It may send, but not wait.
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
    /// #     fn tick(&mut self, turn: ecs_rooms::Turn<u64>) { turn.inputs.iter().for_each(|(_, input)| self.0 += input); }
    /// #     fn checksum(&mut self) -> u64 { self.0 }
    /// #     fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> { self.save() }
    /// # }
    /// use ecs_rooms::{Host, MemoryStore, Options, Outcome, Player, Reason};
    ///
    /// # fn main() -> Result<(), ecs_rooms::Error> {
    /// let store = MemoryStore::new();
    /// let _host = Host::run::<Sum>(store.clone(), Options::new([7; 32]))?;
    /// let player = Player::<Sum>::new(store, "nowhere", 3, Player::<Sum>::key(&[7; 32], "nowhere", 3))?;
    /// let (sender, outcomes) = std::sync::mpsc::channel();
    /// player.on_outcome(move |number, outcome| _ = sender.send((number, outcome)));
    /// let number = player.send(&5)?;
    /// assert_eq!(outcomes.recv().unwrap(), (number, Outcome::Rejected(Reason::NoRoom)));
    /// # Ok(()) }
    /// ```
    pub fn on_outcome(&self, call: impl FnMut(u64, Outcome) + Send + 'static) {
        *lock(&self.link.call) = Some(Box::new(call));
    }

    /// Sends an input, without waiting for anything. Returns its number: 1, 2, 3, …
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] if 1,024 inputs wait, or if the input has more than 65,536 bytes; [`Error::Rejected`] if
    /// another connection has taken over, or the key has expired or is revoked.
    pub fn send(&self, input: &R::Input) -> Result<u64, Error> {
        let mut state = self.link.state();
        let number = state.outbox.following();
        state.outbox.push(number, wire::write(input))?;
        drop(state);
        self.link.append();
        Ok(number)
    }

    /// Sends an input with a number of yours, such as the one of a player's program whose inputs you pass on. Numbers
    /// must rise.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send); [`Error::Limit`] also if an input with this number or a greater one was sent.
    ///
    /// # Examples
    ///
    /// See [`resume`](Self::resume).
    pub fn send_as(&self, number: u64, input: &R::Input) -> Result<(), Error> {
        self.link.state().outbox.push(number, wire::write(input))?;
        self.link.append();
        Ok(())
    }

    /// Begins the connection: the player joins the room without an input, or again if it was elsewhere meanwhile.
    ///
    /// Returns the future of the number of the connection, with which another program can [continue](Self::resume) it. It
    /// ends when the store has taken the record; errors of the store do not end it, because that is tried again.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] if the player is dropped before.
    ///
    /// # Examples
    ///
    /// See [`resume`](Self::resume).
    pub fn connect(&self) -> Later<u64> {
        let (promise, later) = Later::new();
        let mut state = self.link.state();
        state.begun.push(promise);
        state.outbox.begin();
        drop(state);
        self.link.append();
        self.link.begun();
        later
    }

    /// Continues a connection of the same player, for a gateway in front of players' programs: if a gateway dies, the
    /// program goes to another one, which continues its connection (0 for a new one). Inputs that have no outcome are
    /// sent again with the same numbers, and each is played once, even if the first gateway is still alive.
    ///
    /// The program knows the outcomes of all inputs up to `known` ([`know`](Self::know) says so from then on), and has sent
    /// those up to `sent` before. Call this before the first input, and again if the program comes back. Such a connection does not become another one: after
    /// [`Reason::Forgotten`], [`Full`](Reason::Full), [`NoRoom`](Reason::NoRoom) or [`Closed`](Reason::Closed), nothing is
    /// sent any more.
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
    /// #     fn tick(&mut self, turn: ecs_rooms::Turn<u64>) { turn.inputs.iter().for_each(|(_, input)| self.0 += input); }
    /// #     fn checksum(&mut self) -> u64 { self.0 }
    /// #     fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> { self.save() }
    /// # }
    /// use ecs_rooms::{Error, Player};
    ///
    /// // `first` is dropped before the program hears the outcome, so it sends the input again, by `second`.
    /// async fn play(first: Player<Sum>, second: Player<Sum>) -> Result<(), Error> {
    ///     first.resume(0, 0, 0);
    ///     let connection = first.connect().await?;
    ///     first.send_as(1, &5)?;
    ///     drop(first);
    ///
    ///     second.resume(connection, 0, 1);
    ///     second.send_as(1, &5) // it is played once
    /// }
    /// ```
    pub fn resume(&self, connection: u64, known: u64, sent: u64) {
        self.link.state().outbox.resume(connection, known, sent);
    }

    /// The program that [continues](Self::resume) the connection knows all outcomes up to this number, so the room need not
    /// keep them any longer. It keeps 128.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs_rooms::{Player, Room};
    /// /// The player's program says that it has received outcomes.
    /// fn received<R: Room>(player: &Player<R>, up_to: u64) {
    ///     player.know(up_to);
    /// }
    /// ```
    pub fn know(&self, number: u64) {
        self.link.state().outbox.know(number);
    }

    /// Sends an input, as [`send`](Self::send), and returns the future of its outcome. Errors are those of `send`, and
    /// [`Error::Unknown`] if the player is dropped before there is one.
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
    /// #     fn tick(&mut self, turn: ecs_rooms::Turn<u64>) { turn.inputs.iter().for_each(|(_, input)| self.0 += input); }
    /// #     fn checksum(&mut self) -> u64 { self.0 }
    /// #     fn delta(&mut self, _: bool) -> Result<Vec<u8>, Box<dyn std::error::Error>> { self.save() }
    /// # }
    /// use ecs_rooms::{Error, MemoryStore, Outcome, Player, Rooms};
    ///
    /// async fn connection(store: MemoryStore, secret: [u8; 32]) -> Result<(), Error> {
    ///     Rooms::new(store.clone(), secret).open_async("room", 1).await?;
    ///     let player = Player::<Sum>::new(store, "room", 3, Player::<Sum>::key(&secret, "room", 3))?;
    ///     match player.play(&5).await? {
    ///         Outcome::Played { tick } => println!("played in tick {tick}"),
    ///         Outcome::Rejected(reason) => println!("{reason}"),
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn play(&self, input: &R::Input) -> Later<Outcome> {
        let mut state = self.link.state();
        let number = state.outbox.following();
        if let Err(error) = state.outbox.push(number, wire::write(input)) {
            return Later::failed(error);
        }
        let (promise, later) = Later::new();
        state.promises.insert(number, promise);
        drop(state);
        self.link.append();
        later
    }

    /// Waits until the outcomes of all inputs are known.
    ///
    /// # Errors
    ///
    /// [`Error::Rejected`] for the first input since the last call that is not played; [`Error::Unknown`] if
    /// there is one without an outcome in time.
    pub fn wait(&self, timeout: Duration) -> Result<(), Error> {
        self.link.append();
        let goes_on = |state: &mut State| state.open() > 0;
        let waited = (self.link.changed).wait_timeout_while(self.link.state(), timeout, goes_on);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
        match (state.rejected.take(), state.open()) {
            (Some(error), _) => Err(error),
            (None, 0) => Ok(()),
            (None, open) => {
                let without = || Error::Unknown(format!("{open} inputs have no outcome"));
                Err(state.failed.take().unwrap_or_else(without))
            }
        }
    }
}

impl State {
    /// The record that it is still there or ends, and the log that it belongs to.
    fn presence(&self, is_there: bool) -> Option<(String, Vec<u8>)> {
        let bytes = self.outbox.presence(is_there)?;
        Some((self.outbox.log.clone(), bytes))
    }

    /// How many inputs have no outcome that was passed on.
    fn open(&self) -> usize {
        self.outbox.open() + self.outbox.outcomes.len() + self.calling
    }
}

impl Link {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn listen(self: &Arc<Self>, topic: String) {
        let weak = Arc::downgrade(self);
        let of = topic.clone();
        let hear = move |bytes: &[u8]| {
            let link = weak.upgrade();
            link.as_ref().inspect(|link| {
                let mut state = link.state();
                state.is_active = true;
                state.outbox.hear(&of, bytes);
                drop(state);
                link.append();
                link.call();
            });
            link.is_some()
        };
        self.store.listen(&topic, Box::new(hear));
    }

    /// Appends the next record, unless one is on its way.
    fn append(self: &Arc<Self>) {
        let mut state = self.state();
        let (next, log) = (state.outbox.next(), state.outbox.log.clone());
        drop(state);
        if let Some(bytes) = next {
            let this = self.clone();
            let done = move |outcome| this.appended(&outcome);
            self.store.append(&log, bytes, Box::new(done));
        }
    }

    fn appended(self: &Arc<Self>, outcome: &Result<u64, Error>) {
        let mut state = self.state();
        let is_stored = state.outbox.appended(outcome);
        state.failed = outcome.as_ref().err().cloned();
        let leave = match state.is_over && !state.outbox.is_waiting() {
            true => state.presence(false),
            false => None,
        };
        state.is_over &= leave.is_none();
        drop(state);
        if let Some((log, bytes)) = leave {
            return self.store.append(&log, bytes, Box::new(|_| ()));
        }
        self.begun();
        if is_stored {
            self.append(); // else at the next look
        }
    }

    /// Answers the futures of the connection, once it has begun.
    fn begun(&self) {
        let mut state = self.state();
        if let (connection, true) = state.outbox.connection() {
            let begun = std::mem::take(&mut state.begun);
            drop(state);
            begun
                .into_iter()
                .for_each(|promise| promise.answer(Ok(connection)));
        }
    }

    /// Passes outcomes on.
    fn call(&self) {
        let mut call = lock(&self.call); // one after the other
        let mut state = self.state();
        let outcomes = std::mem::take(&mut state.outbox.outcomes);
        for (number, outcome) in &outcomes {
            if let Outcome::Rejected(reason) = *outcome {
                let number = *number;
                state
                    .rejected
                    .get_or_insert(Error::Rejected { number, reason });
            }
        }
        state.calling = outcomes.len();
        let promised = outcomes
            .iter()
            .filter_map(|(number, outcome)| Some((state.promises.remove(number)?, *outcome)));
        let promised: Vec<_> = promised.collect();
        drop(state);
        for (promise, outcome) in promised {
            promise.answer(Ok(outcome));
        }
        if let Some(call) = &mut *call {
            for (number, outcome) in outcomes {
                let _ = shielded(|| call(number, outcome));
            }
        }
        self.state().calling = 0;
        self.changed.notify_all();
    }
}

impl Look for Link {
    /// Sends and asks again if nothing was heard since the last time.
    fn look(self: Arc<Self>) {
        let mut state = self.state();
        let is_active = std::mem::take(&mut state.is_active);
        let ask = state.outbox.ask(&self.ask, is_active);
        state.looks += 1;
        let still_there = match state.looks.is_multiple_of(STAY) {
            true => state.presence(true),
            false => None,
        };
        drop(state);
        if let Some(ask) = ask {
            self.store.tell(&self.ask, &ask);
        }
        if let Some((log, bytes)) = still_there {
            self.store.append(&log, bytes, Box::new(|_| ()));
        }
        self.append();
        self.call();
    }
}

impl<R> Drop for Player<R> {
    /// The player leaves the room.
    fn drop(&mut self) {
        let mut state = self.link.state();
        let leave = state.presence(false);
        state.is_over = !state.outbox.connection().1; // it leaves after what is being appended
        let promises = (
            std::mem::take(&mut state.promises),
            std::mem::take(&mut state.begun),
        );
        drop(state);
        drop(promises); // they are not kept
        if let Some((log, bytes)) = leave {
            self.link.store.append(&log, bytes, Box::new(|_| ()));
        }
    }
}

impl<R> fmt::Debug for Player<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&lock(&self.link.state).outbox.name())
    }
}
