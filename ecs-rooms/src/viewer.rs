//! A viewer: keeps a context in step with a room.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ecs::{ApplyError, Context, Delta, Mirror};

use crate::client::{Inbox, MOST_WAITING, locate};
use crate::core::wire::{self, Ask, Sight};
use crate::error::Error;
use crate::store::Store;

/// How often a viewer says that it is there, and how often it asks when it sees nothing.
const STILL_THERE: Duration = Duration::from_secs(1);
const NOTHING_SEEN: Duration = Duration::from_millis(150);

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
/// #     fn begin(&mut self, seed: u64) { self.set_score(seed); }
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
/// let (mut viewer, mut copy) = (Viewer::new(store, "duel")?, Duel::new());
/// while viewer.tick() == 0 {
///     viewer.update(&mut copy); // once per frame
///     std::thread::sleep(std::time::Duration::from_millis(5));
/// }
/// assert_eq!(copy.score().0, 21);
/// # Ok(()) }
/// ```
pub struct Viewer<C: Context> {
    store: Arc<dyn Store>,
    room: String,
    ask: String,
    /// Distinguishes it from other viewers.
    number: u64,
    waiting: Inbox<Sight>,
    /// Changes that may follow everything that has been asked for.
    early: Vec<Sight>,
    mirror: Mirror<C>,
    /// The epoch and tick of what is shown.
    shown: (u64, u64),
    is_lost: bool,
    asked: Option<Instant>,
    seen: Instant,
}

impl<C: Context> Viewer<C> {
    /// Returns a viewer of a room.
    ///
    /// # Errors
    ///
    /// As [`Player::new`](crate::Player::new).
    pub fn new(store: impl Store, room: &str) -> Result<Self, Error> {
        let (shard, _) = locate(&store, room)?;
        let number = RandomState::new().hash_one(room);
        let waiting = Inbox::new();
        for viewer in [None, Some(number)] {
            waiting.listen(&store, &wire::view_name(room, viewer));
        }
        Ok(Self {
            store: Arc::new(store),
            room: room.to_owned(),
            ask: wire::ask_name(shard),
            number,
            waiting,
            early: Vec::new(),
            mirror: Mirror::new(),
            shown: (0, 0),
            is_lost: true,
            asked: None,
            seen: Instant::now(),
        })
    }

    /// Applies what has come in. Returns how many ticks.
    pub fn update(&mut self, context: &mut C) -> usize {
        let mut sights = std::mem::take(&mut self.early);
        sights.extend(self.waiting.take());
        // What comes to all viewers and what comes to this one may overtake each other.
        sights.sort_by_key(|sight| (sight.epoch, sight.tick));
        let mut applied = 0;
        for sight in sights {
            applied += usize::from(self.apply(context, sight));
        }
        let too_many = self.early.len().saturating_sub(MOST_WAITING);
        self.early.drain(..too_many);
        if applied > 0 {
            self.seen = Instant::now();
        }
        self.ask();
        applied
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
        let delta = wire::read::<Delta<C>>(&sight.delta);
        let applied = match &delta {
            Some(delta) if is_following => self.mirror.apply(context, delta).is_ok(),
            Some(delta) => self.rebase(context, delta).is_ok(),
            None => false,
        };
        self.is_lost = !applied;
        if applied {
            self.shown = at;
        }
        applied
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

    /// Tells the host from time to time that there is a viewer, and asks for everything if a delta is missing.
    fn ask(&mut self) {
        let is_silent = self.seen.elapsed() > NOTHING_SEEN;
        let pause = if self.is_lost || is_silent {
            NOTHING_SEEN
        } else {
            STILL_THERE
        };
        if self.asked.is_none_or(|asked| asked.elapsed() > pause) {
            self.asked = Some(Instant::now());
            let ask = Ask::Show {
                room: self.room.clone(),
                joins: self.is_lost.then_some(self.number),
            };
            self.store.tell(&self.ask, &wire::write(&ask));
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
        write!(f, "Viewer({:?}, tick {})", self.room, self.shown.1)
    }
}
