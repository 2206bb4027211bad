//! A context with its systems, as a room.

use std::error::Error;
use std::fmt;

use ecs::prelude::*;
use ecs::{Entity, EntityMut, Feed, Loader, SharedContext};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::room::{Opening, Room, Turn};

/// A context that is played as a room, as a [`Session`].
///
/// All state is in the context and its components can be saved and hashed, those of the view cloned. Systems must not depend
/// on anything else, such as the time or random numbers of their own.
///
/// # Examples
///
/// ```
/// use ecs::prelude::*;
/// use ecs_rooms::{Game, Room, Session};
/// use serde::{Deserialize, Serialize};
///
/// #[ecs::context]
/// pub struct Duel;
///
/// #[derive(Component, Clone, Hash, Serialize, Deserialize)]
/// #[component(context = Duel, unique)]
/// pub struct Score(pub u64);
///
/// impl Game for Duel {
///     type Input = u64;
///     type View = Score;
///     fn begin(&mut self, opening: &ecs_rooms::Opening) {
///         self.set_score(opening.seed);
///     }
///     fn systems(&mut self) -> Systems<Self> {
///         Systems::new().add(|game: &mut Duel| game.update_score(|score| score.0 += 1))
///     }
///     fn input(&mut self, _player: u64, points: u64) {
///         self.update_score(|score| score.0 += points);
///     }
/// }
///
/// let mut session = Session::<Duel>::new(&5.into());
/// session.tick(vec![(0, 10), (1, 20)].into());
/// assert_eq!(session.game.score().0, 36);
/// ```
///
/// Rooms move between threads, so the compiler rejects a
/// [local context](ecs::guide::systems_and_worlds#local-contexts):
///
/// ```compile_fail,E0277
/// use ecs::prelude::*;
/// # use ecs_rooms::Game;
/// # use serde::{Deserialize, Serialize};
/// #[ecs::context(local)]
/// pub struct Table;
/// # #[derive(Component, Clone, Hash, Serialize, Deserialize)]
/// # #[component(context = Table, unique)]
/// # pub struct Score(pub u64);
///
/// impl Game for Table {
///     // ..
/// #   type Input = u64;
/// #   type View = Score;
/// #   fn begin(&mut self, _: &ecs_rooms::Opening) {}
/// #   fn systems(&mut self) -> Systems<Self> { Systems::new() }
/// #   fn input(&mut self, _: u64, _: u64) {}
/// }
/// ```
pub trait Game: Context + SharedContext + Default + Send + Sync + 'static {
    /// The version of the game. Raise it with each change of its rules, components or inputs.
    const VERSION: u32 = 1;

    /// What players send. Not nested deeper than 64 levels.
    type Input: Serialize + DeserializeOwned + Send + 'static;

    /// The components that viewers see.
    type View: Components<Self>;

    /// Fills a new context. All that is random comes from the seed of the opening.
    fn begin(&mut self, opening: &Opening);

    /// Makes the systems, which run once per tick. Also called after a save was loaded, so it must not
    /// create or change entities.
    fn systems(&mut self) -> Systems<Self>;

    /// Makes an input of one that an earlier version has written, or rejects it, which is the default. See
    /// [`read_input`](crate::read_input).
    #[must_use]
    fn upgrade(version: u32, bytes: &[u8]) -> Option<Self::Input> {
        let _ = (version, bytes);
        None
    }

    /// Completes a context that an earlier version has saved, after the derives have migrated its components
    /// (`version`, `from`, `alias`): adds components that are new, for example. `removed` names the components of
    /// the save that this version does not have; their values are dropped.
    ///
    /// # Errors
    ///
    /// Returns an error if this version cannot continue; by default if components were removed.
    fn migrate(&mut self, version: u32, removed: &[String]) -> Result<(), Box<dyn Error>> {
        match removed.is_empty() {
            true => Ok(()),
            false => Err(format!("version {version} has other components: {removed:?}").into()),
        }
    }

    /// Describes the game in lists of rooms, for example by its map and mode.
    fn describe(&self) -> String {
        String::new()
    }

    /// Returns the result once the game is over, such as who has won: then the room ends. See [`Room::result`].
    fn result(&self) -> Option<Vec<u8>> {
        None
    }

    /// Begins a tick: called before everything else in it, with its number.
    fn tick(&mut self, tick: u64) {
        let _ = tick;
    }

    /// A player has joined, or left: see [`Turn::players`]. Called before the inputs of the tick.
    fn presence(&mut self, player: u64, is_there: bool) {
        let _ = (player, is_there);
    }

    /// Takes an input, before the systems run.
    fn input(&mut self, player: u64, input: Self::Input);
}

/// A [`Game`] with its systems: a [`Room`].
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
/// use ecs_rooms::{Room, Session};
///
/// let mut session = Session::<Duel>::new(&5.into());
/// let mut loaded = Session::<Duel>::load(&session.save().unwrap()).unwrap();
/// for session in [&mut session, &mut loaded] {
///     session.tick(vec![(0, 1)].into());
/// }
/// assert_eq!(session.checksum(), loaded.checksum());
/// ```
pub struct Session<G: Game> {
    /// The context.
    pub game: G,
    /// Its systems.
    pub systems: Systems<G>,
    feed: Feed<G>,
}

impl<G: Game> Session<G> {
    fn around(mut game: G) -> Self {
        let systems = game.systems();
        let feed = game.feed::<G::View>();
        Self {
            game,
            systems,
            feed,
        }
    }

    /// With a context that was saved.
    fn resume(game: G) -> Result<Self, Box<dyn Error>> {
        game.check_checksums()?; // now, not when an entity has it
        let mut session = Self::around(game);
        session.systems.resume(&mut session.game);
        Ok(session)
    }
}

impl<G: Game> Room for Session<G> {
    const NAME: &'static str = G::NAME;
    const VERSION: u32 = <G as Game>::VERSION;

    type Input = G::Input;

    fn upgrade(version: u32, bytes: &[u8]) -> Option<G::Input> {
        <G as Game>::upgrade(version, bytes)
    }

    fn new(opening: &Opening) -> Self {
        let mut game = G::default();
        game.check_checksums()
            .unwrap_or_else(|error| panic!("{error}")); // now, not when an entity has it
        game.begin(opening);
        let mut session = Self::around(game);
        session.systems.initialize(&mut session.game);
        session
    }

    fn load(bytes: &[u8]) -> Result<Self, Box<dyn Error>> {
        Self::resume(read(&mut Loader::new(), bytes)?)
    }

    fn migrate(version: u32, bytes: &[u8]) -> Result<Self, Box<dyn Error>> {
        let mut loader = Loader::<G>::new().skip_unknown();
        let mut game = read(&mut loader, bytes)?;
        game.migrate(version, loader.skipped())?;
        Self::resume(game)
    }

    fn save(&mut self) -> Result<Vec<u8>, Box<dyn Error>> {
        let save = self.game.save();
        let pending = save.pending();
        if let Some(first) = pending.first() {
            return Err(format!("what is pending would be lost: {first}").into());
        }
        Ok(postcard::to_allocvec(&save)?)
    }

    fn tick(&mut self, turn: Turn<G::Input>) {
        self.game.tick(turn.tick);
        for (player, is_there) in turn.players {
            self.game.presence(player, is_there);
        }
        for (player, input) in turn.inputs {
            self.game.input(player, input);
        }
        self.systems.execute(&mut self.game);
        self.systems.cleanup(&mut self.game);
    }

    fn checksum(&mut self) -> u64 {
        self.game.checksum()
    }

    fn describe(&mut self) -> String {
        self.game.describe()
    }

    fn result(&mut self) -> Option<Vec<u8>> {
        self.game.result()
    }

    fn difference(&mut self, other: &mut Self) -> Option<String> {
        let copy = |session: &Self| {
            let bytes = postcard::to_allocvec(&session.game.save()).ok()?;
            G::load(&mut postcard::Deserializer::from_bytes(&bytes)).ok()
        };
        let mut games = [copy(self)?, copy(other)?];
        let everything = Matcher::<G>::default().with_disabled();
        let ids = games.iter().flat_map(|game| everything.ids(game));
        let mut ids = ids.filter_map(|id| EntityId::from_bits(id.to_bits())); // an id of both
        let id = ids.find(|id| distance(&games, *id) != 0)?;
        let entities = games.iter().filter_map(|game| Entity::find(game, id));
        let components = entities.flat_map(|entity| entity.dynamic().iter());
        let components = components.map(|(info, _)| (info.index(), info.name()));
        // Without the component that differs, the distance is another one.
        for (component, name) in components.collect::<Vec<_>>() {
            let before = distance(&games, id);
            for mut entity in games
                .iter_mut()
                .filter_map(|game| EntityMut::find(game, id))
            {
                let _ = entity.dynamic().try_remove(component);
            }
            if distance(&games, id) != before {
                return Some(format!("component `{name}` of entity {id}"));
            }
        }
        Some(format!("entity {id}"))
    }

    fn delta(&mut self, everything: bool) -> Result<Vec<u8>, Box<dyn Error>> {
        let delta = match everything {
            true => self.feed.everything(&self.game),
            false => self.feed.take(&mut self.game),
        };
        Ok(postcard::to_allocvec(&delta)?)
    }
}

/// Loads a save; an error has the text that postcard drops.
fn read<G: Game>(loader: &mut Loader<G>, bytes: &[u8]) -> Result<G, Box<dyn Error>> {
    let loaded = loader.load(&mut postcard::Deserializer::from_bytes(bytes));
    loaded.map_err(|error| match loader.error() {
        Some(text) => text.into(),
        None => error.into(),
    })
}

/// The difference between the checksums of an entity.
fn distance<G: Game>([left, right]: &[G; 2], id: EntityId<G>) -> u64 {
    left.checksum_of(id).wrapping_sub(right.checksum_of(id))
}

impl<G: Game> fmt::Debug for Session<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Session {{ entities: {}, .. }}", self.game.len())
    }
}
