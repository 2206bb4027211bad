//! What a game decides: who connects, which rooms are opened, what each client sees.

use std::hash::{BuildHasher as _, RandomState};

use ecs::Feed;
use ecs_rooms::{Game, Opening, RoomInfo};
use serde_json::Value;

/// A user: the number that the rooms know its player by, and its epoch.
///
/// # Examples
///
/// ```
/// use ecs_gateway::User;
///
/// assert_eq!(User { number: 7, epoch: 0 }, User { number: 7, ..User::default() });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct User {
    /// Less than 2⁵³, because JavaScript has no greater integers.
    pub number: u64,
    /// Raise it to make keys and tokens void that were made before: see [`Rooms::revoke`](ecs_rooms::Rooms::revoke).
    pub epoch: u64,
}

/// What a client says about who it is.
///
/// # Examples
///
/// See [`Hooks::log_in`].
#[derive(Clone, Debug, PartialEq)]
pub enum Login {
    /// A new user, with what its greeting has as `login`; `null` if it has none.
    New(Value),
    /// A user with a token that is good: sealed by this deployment, and not expired.
    Returning(User),
}

/// What a game decides, for a [`Gateway`](crate::Gateway). All but the game and its index has a default.
///
/// Methods run while clients wait, so they must not block.
///
/// # Examples
///
/// See the [crate].
pub trait Hooks: Send + Sync + 'static {
    /// The game of the rooms.
    type Game: Game;

    /// The indexes that [`show`](Self::show) uses; `()` if it needs none.
    type Index: Send + 'static;

    /// Says who a client is, or why it is rejected. By default all are accepted, and new ones get a random number.
    ///
    /// # Errors
    ///
    /// Returns the text that the client gets.
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
    /// use ecs_gateway::{Hooks, Login, User};
    ///
    /// struct Accounts;
    ///
    /// impl Accounts {
    ///     async fn check(&self, ticket: &str) -> Option<User> { // asks a database
    ///         (ticket == "7f3a").then_some(User { number: 3, epoch: 0 })
    ///     }
    ///     async fn epoch(&self, _user: u64) -> u64 { 0 } // a ban raises it
    /// }
    ///
    /// impl Hooks for Accounts {
    ///     type Game = Duel;
    ///     type Index = ();
    ///     fn index(&self, _: &mut Duel) {}
    ///     async fn log_in(&self, login: Login) -> Result<User, String> {
    ///         match login {
    ///             Login::New(login) => {
    ///                 let user = self.check(login["ticket"].as_str().unwrap_or_default()).await;
    ///                 user.ok_or("log in again".to_owned())
    ///             }
    ///             Login::Returning(user) if user.epoch < self.epoch(user.number).await => Err("banned".to_owned()),
    ///             Login::Returning(user) => Ok(user),
    ///         }
    ///     }
    /// }
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    /// # let log_in = |ticket| Accounts.log_in(Login::New(serde_json::json!({ "ticket": ticket })));
    /// # assert_eq!(runtime.block_on(log_in("7f3a")), Ok(User { number: 3, epoch: 0 }));
    /// # assert!(runtime.block_on(log_in("7f3b")).is_err());
    /// ```
    fn log_in(&self, login: Login) -> impl Future<Output = Result<User, String>> + Send {
        let user = match login {
            Login::New(_) => User {
                number: random() >> 11,
                epoch: 0,
            },
            Login::Returning(user) => user,
        };
        async move { Ok(user) }
    }

    /// Makes the opening of a room from the options that a client has sent; by default a random seed without options.
    ///
    /// # Errors
    ///
    /// Returns the text that the client gets.
    fn opening(&self, options: &Value) -> Result<Opening, String> {
        let _ = options;
        Ok(Opening::new(random()))
    }

    /// Chooses a room for a quick match, or `None` to open one with these options. `rooms` has those with less than
    /// [`quick_players`](crate::Limits::quick_players) players, most players first; by default the first one.
    fn quick(&self, options: &Value, rooms: &[RoomInfo]) -> Option<usize> {
        let _ = options;
        (!rooms.is_empty()).then_some(0)
    }

    /// Creates the indexes that [`show`](Self::show) uses, in the copy of a room, before anything is in it.
    fn index(&self, game: &mut Self::Game) -> Self::Index;

    /// Limits what a client sees of a room: pass what an index finds near the `player` to [`Feed::set_visible`]. Called
    /// before each delta; `player` is `None` for spectators. By default all is visible.
    fn show(
        &self,
        game: &Self::Game,
        index: &Self::Index,
        player: Option<u64>,
        feed: &mut Feed<Self::Game>,
    ) {
        let _ = (game, index, player, feed);
    }
}

/// Different in each call, for names and seeds.
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one(std::time::SystemTime::now())
}
