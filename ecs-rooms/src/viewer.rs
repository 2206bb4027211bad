//! A viewer: keeps a context in step with a room.

use std::collections::BTreeMap;
use std::fmt;
use std::future::poll_fn;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, Weak};
use std::task::Poll;
use std::time::{Duration, Instant};

use ecs::{ApplyError, Context, Delta, Mirror};

use crate::client::{Inbox, Look, MOST_WAITING, locate, lock, look_after};
use crate::core::roster::Reason;
use crate::core::wire::{self, Ask, Shown, Sight};
use crate::error::Error;
use crate::store::Store;

/// How often a viewer says that it is there, and how often it asks when it sees nothing.
const STILL_THERE: Duration = Duration::from_secs(1);
const NOTHING_SEEN: Duration = Duration::from_millis(150);

/// How many parts of sights are kept that are not complete.
const MOST_PARTS: usize = 4_096;

/// What a [`Viewer`] shows.
///
/// # Examples
///
/// See [`Viewer::state`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// Nothing yet.
    Waiting,
    /// The room, tick by tick.
    Live,
    /// The room as it was a second ago or earlier: no host plays it, or the store cannot be reached.
    Silent,
    /// Nothing, or the room as it was at last: there is no such room, or it has panicked.
    Ended(Reason),
    /// The room as it was at last: what the host shows cannot be applied, because it has another version of the
    /// game.
    Unreadable(String),
}

/// Keeps a context equal to what a room of a [`Game`](crate::Game) shows, whichever host plays it.
///
/// When the room has moved to another host, entities keep their ids in the context, and observers are
/// notified of what has changed meanwhile. Entities and components of your own stay. But if one of them has a
/// unique component or a primary key that the room needs for another entity, the context is
/// [reset](Context::reset) and filled again.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use serde::{Deserialize, Serialize};
/// # #[ecs::context] pub struct Duel;
/// # #[derive(Component, Clone, Hash, Serialize, Deserialize)]
/// # #[component(context = Duel, unique)] pub struct Score(pub u64);
/// # impl ecs_rooms::Game for Duel {
/// #     type Input = u64; type View = Score;
/// #     fn begin(&mut self, opening: &ecs_rooms::Opening) { self.set_score(opening.seed); }
/// #     fn systems(&mut self) -> Systems<Self> { Systems::new() }
/// #     fn input(&mut self, _: u64, points: u64) { self.update_score(|score| score.0 += points); }
/// # }
/// use ecs_rooms::{Host, MemoryStore, Options, Session, Viewer};
///
/// # fn main() -> Result<(), ecs_rooms::Error> {
/// let store = MemoryStore::new();
/// let host = Host::run::<Session<Duel>>(store.clone(), Options::new([7; 32]))?;
/// host.open("duel", 21)?;
///
/// let key = Viewer::<Duel>::key(&[7; 32], "duel");
/// let (mut viewer, mut copy) = (Viewer::new(store, "duel", key)?, Duel::new());
/// while viewer.tick() == 0 {
///     viewer.update(&mut copy); // once per frame
///     std::thread::sleep(std::time::Duration::from_millis(5));
/// }
/// assert_eq!(copy.score().0, 21);
/// # Ok(()) }
/// ```
pub struct Viewer<C: Context> {
    link: Arc<Link>,
    parts: BTreeMap<(u64, u64, bool), BTreeMap<u32, Vec<u8>>>,
    /// Why nothing is shown.
    ended: Option<State>,
    /// Changes that may follow everything that has been asked for.
    early: Vec<Sight>,
    mirror: Mirror<C>,
    /// The epoch and tick of what is shown.
    shown: (u64, u64),
    is_lost: bool,
}

/// What does not depend on the context.
struct Link {
    store: Arc<dyn Store>,
    room: String,
    key: wire::Key,
    ask: String,
    /// Distinguishes it from other viewers.
    number: u64,
    inbox: Inbox<Shown>,
    asking: Mutex<Asking>,
}

struct Asking {
    /// Whether it needs everything.
    is_lost: bool,
    asked: Option<Instant>,
    seen: Instant,
    /// Whether nothing was seen for long, at the last update.
    was_silent: bool,
}

impl Asking {
    fn is_silent(&self) -> bool {
        self.seen.elapsed() > STILL_THERE
    }
}

impl Link {
    /// Tells the host from time to time that there is a viewer, and asks for everything if a delta is missing.
    fn ask(&self) {
        let mut asking = lock(&self.asking);
        let is_lost = asking.is_lost;
        let is_silent = asking.seen.elapsed() > NOTHING_SEEN;
        let pause = if is_lost || is_silent {
            NOTHING_SEEN
        } else {
            STILL_THERE
        };
        if asking.asked.is_none_or(|asked| asked.elapsed() > pause) {
            asking.asked = Some(Instant::now());
            drop(asking);
            let ask = Ask::Show {
                room: self.room.clone(),
                viewer: self.number,
                joins: is_lost,
            };
            let bytes = wire::seal(&self.key, &self.ask, &ask);
            self.store.tell(&self.ask, &bytes);
        }
    }

    /// Whether there is something that an update has not shown yet.
    fn has_changed(&self) -> bool {
        let asking = lock(&self.asking);
        asking.is_silent() != asking.was_silent
    }
}

impl Look for Link {
    fn look(self: Arc<Self>) {
        self.ask();
        if self.has_changed() {
            self.inbox.wake();
        }
    }
}

impl<C: Context> Viewer<C> {
    /// Returns the key of the viewers of a room, made from the secret of the deployment. With it, what the host
    /// sends cannot be forged by others that reach the store.
    #[must_use]
    pub fn key(secret: &[u8; 32], room: &str) -> [u8; 32] {
        wire::view_key(secret, room)
    }

    /// Returns a viewer of a room, with the [`key`](Self::key) of its viewers.
    ///
    /// # Errors
    ///
    /// As [`Player::new`](crate::Player::new).
    pub fn new(store: impl Store, room: &str, key: [u8; 32]) -> Result<Self, Error> {
        let (shard, _) = locate(&store, room)?;
        let number = RandomState::new().hash_one(room);
        let inbox = Inbox::new();
        for viewer in [None, Some(number)] {
            let topic = wire::view_name(room, viewer);
            let about = topic.clone();
            let read = move |bytes: &[u8]| wire::unseal(&key, &about, bytes);
            inbox.listen(&store, &topic, read);
        }
        let asking = Asking {
            is_lost: true,
            asked: None,
            seen: Instant::now(),
            was_silent: false,
        };
        let link = Arc::new(Link {
            store: Arc::new(store),
            room: room.to_owned(),
            key,
            ask: wire::ask_name(shard),
            number,
            inbox,
            asking: Mutex::new(asking),
        });
        look_after(Arc::downgrade(&link) as Weak<dyn Look>)?;
        link.ask();
        Ok(Self {
            link,
            parts: BTreeMap::new(),
            ended: None,
            early: Vec::new(),
            mirror: Mirror::new(),
            shown: (0, 0),
            is_lost: true,
        })
    }

    /// Waits until there is something to [update](Self::update): a tick, or another [state](Self::state).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use serde::{Deserialize, Serialize};
    /// # #[ecs::context] pub struct Duel;
    /// # #[derive(Component, Clone, Hash, Serialize, Deserialize)]
    /// # #[component(context = Duel, unique)] pub struct Score(pub u64);
    /// use ecs_rooms::{Error, MemoryStore, State, Viewer};
    ///
    /// async fn watch(store: MemoryStore, key: [u8; 32]) -> Result<(), Error> {
    ///     let (mut viewer, mut copy) = (Viewer::new(store, "duel", key)?, Duel::new());
    ///     while !matches!(viewer.state(), State::Ended(_)) {
    ///         viewer.changed().await;
    ///         viewer.update(&mut copy);
    ///         println!("tick {}", viewer.tick());
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn changed(&mut self) -> impl Future<Output = ()> + Send + use<'_, C> {
        let link = &*self.link;
        poll_fn(move |context| match link.has_changed() {
            true => Poll::Ready(()),
            false => link.inbox.poll(context),
        })
    }

    /// Applies what has come in. Returns how many ticks.
    pub fn update(&mut self, context: &mut C) -> usize {
        let mut sights = std::mem::take(&mut self.early);
        for shown in self.link.inbox.take() {
            match shown {
                Shown::Sight(sight) => sights.extend(self.complete(sight)),
                Shown::Nothing(reason) => self.ended = Some(State::Ended(reason)),
            }
        }
        // What comes to all viewers and what comes to this one may overtake each other.
        sights.sort_by_key(|sight| (sight.epoch, sight.tick));
        let mut applied = 0;
        for sight in sights {
            applied += usize::from(self.apply(context, sight));
        }
        let too_many = self.early.len().saturating_sub(MOST_WAITING);
        self.early.drain(..too_many);
        let mut asking = lock(&self.link.asking);
        if applied > 0 {
            asking.seen = Instant::now();
        }
        asking.is_lost = self.is_lost;
        asking.was_silent = asking.is_silent();
        drop(asking);
        self.link.ask();
        applied
    }

    /// Joins the parts of a sight.
    fn complete(&mut self, sight: Sight) -> Option<Sight> {
        let (part, count) = sight.part;
        if count <= 1 {
            return Some(sight);
        }
        let key = (sight.epoch, sight.tick, sight.everything);
        let parts = self.parts.entry(key).or_default();
        parts.insert(part, sight.delta);
        let is_complete = parts.len() == count as usize;
        let parts = is_complete.then(|| self.parts.remove(&key)).flatten();
        while self.parts.len() > MOST_PARTS {
            self.parts.pop_first();
        }
        let delta = parts?.into_values().flatten().collect();
        Some(Sight { delta, ..sight })
    }

    fn apply(&mut self, context: &mut C, sight: Sight) -> bool {
        let at = (sight.epoch, sight.tick);
        if at <= self.shown {
            return false; // of a host that has lost the room, or late
        }
        let is_following = sight.epoch == self.shown.0 && !self.is_lost;
        if !is_following && !sight.everything {
            self.is_lost = true;
            self.early.push(sight);
            return false;
        }
        let applied = match postcard::from_bytes::<Delta<C>>(&sight.delta) {
            Ok(delta) if is_following => {
                let applied = self.mirror.apply(context, &delta);
                applied.map_err(|error| error.to_string())
            }
            Ok(delta) => {
                let applied = self.rebase(context, &delta);
                applied.map_err(|error| error.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        self.is_lost = applied.is_err();
        match applied {
            Ok(_) => (self.shown, self.ended) = (at, None),
            Err(_) if is_following => {} // everything comes soon
            Err(reason) => self.ended = Some(State::Unreadable(reason)),
        }
        !self.is_lost
    }

    fn rebase(&mut self, context: &mut C, everything: &Delta<C>) -> Result<(), ApplyError> {
        let applied = self.mirror.rebase(context, everything);
        if !matches!(applied, Err(ApplyError::Rejected(_))) {
            return applied;
        }
        context.reset();
        self.mirror = Mirror::new();
        self.mirror.apply(context, everything)
    }

    /// Returns what it shows at present, as of the last [`update`](Self::update).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use serde::{Deserialize, Serialize};
    /// # #[ecs::context] pub struct Duel;
    /// # #[derive(Component, Clone, Hash, Serialize, Deserialize)]
    /// # #[component(context = Duel, unique)] pub struct Score(pub u64);
    /// # impl ecs_rooms::Game for Duel {
    /// #     type Input = u64; type View = Score;
    /// #     fn begin(&mut self, opening: &ecs_rooms::Opening) { self.set_score(opening.seed); }
    /// #     fn systems(&mut self) -> Systems<Self> { Systems::new() }
    /// #     fn input(&mut self, _: u64, points: u64) { self.update_score(|score| score.0 += points); }
    /// # }
    /// use ecs_rooms::{Host, MemoryStore, Options, Reason, Session, State, Viewer};
    ///
    /// # fn main() -> Result<(), ecs_rooms::Error> {
    /// let store = MemoryStore::new();
    /// let _host = Host::run::<Session<Duel>>(store.clone(), Options::new([7; 32]))?;
    /// let mut viewer = Viewer::<Duel>::new(store, "nowhere", Viewer::<Duel>::key(&[7; 32], "nowhere"))?;
    /// let mut copy = Duel::new();
    /// while viewer.state() == State::Waiting {
    ///     viewer.update(&mut copy);
    ///     std::thread::sleep(std::time::Duration::from_millis(5));
    /// }
    /// assert_eq!(viewer.state(), State::Ended(Reason::NoRoom));
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn state(&self) -> State {
        let is_silent = lock(&self.link.asking).is_silent();
        match &self.ended {
            Some(ended) => ended.clone(),
            None if self.shown == (0, 0) && !is_silent => State::Waiting,
            None if is_silent => State::Silent,
            None => State::Live,
        }
    }

    /// Returns the tick that the context shows; 0 if it shows none yet.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.shown.1
    }

    /// Returns the mirror, which leads from ids of the room to those of the context.
    #[must_use]
    pub fn mirror(&self) -> &Mirror<C> {
        &self.mirror
    }
}

impl<C: Context> fmt::Debug for Viewer<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Viewer({:?}, tick {})", self.link.room, self.shown.1)
    }
}
