//! Shared code of the failure-class tests: a context, a ledger of drops, a log, and the check that
//! a context is usable.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ecs::ComponentSet;
use ecs::prelude::*;

/// Has values counted by a [`Ledger`], and components that panic on request.
#[ecs::context]
pub(crate) struct Game;

/// The component with the lowest index.
#[derive(Component, Clone)]
#[component(context = Game)]
pub(crate) struct Alpha(pub(crate) Token);

#[derive(Component)]
#[component(context = Game)]
pub(crate) struct Beta(pub(crate) Token);

#[derive(Component)]
#[component(context = Game)]
pub(crate) struct Gamma(pub(crate) Token);

#[derive(Component, Default)]
#[component(context = Game, pooled)]
pub(crate) struct Kept(pub(crate) Option<Token>);

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game)]
pub(crate) struct Value(pub(crate) u32);

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game)]
pub(crate) struct Other(pub(crate) u32);

#[derive(Component)]
#[component(context = Game)]
pub(crate) struct Flag;

/// A value whose clones panic in their drop if the flag is set.
#[derive(Component)]
#[component(context = Game)]
pub(crate) struct Fused(pub(crate) Token, pub(crate) bool);

impl Clone for Fused {
    fn clone(&self) -> Self {
        Self(self.0.copy(self.1), self.1)
    }
}

/// A component made of one token, for tests of all such components.
pub(crate) trait Wrap: Component<Game> {
    fn wrap(token: Token) -> Self;
}

macro_rules! wrap {
    ($($name:ident)*) => { $(
        impl Wrap for $name {
            fn wrap(token: Token) -> Self {
                Self(token)
            }
        }
    )* };
}

wrap!(Alpha Beta Gamma);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts the drops of each token it has issued.
#[derive(Clone, Default)]
pub(crate) struct Ledger(Arc<Mutex<Vec<u32>>>);

impl Ledger {
    /// A value whose drop is counted.
    pub(crate) fn token(&self) -> Token {
        self.issue(false)
    }

    /// A value whose drop is counted and then panics, unless the thread is already panicking.
    pub(crate) fn bomb(&self) -> Token {
        self.issue(true)
    }

    fn issue(&self, armed: bool) -> Token {
        let mut drops = lock(&self.0);
        drops.push(0);
        Token {
            ledger: self.clone(),
            number: drops.len() - 1,
            armed,
        }
    }

    /// The number of tokens not dropped yet.
    pub(crate) fn alive(&self) -> usize {
        lock(&self.0).iter().filter(|drops| **drops == 0).count()
    }

    /// How often each token was dropped, in the order of their issue.
    pub(crate) fn drops(&self) -> Vec<u32> {
        lock(&self.0).clone()
    }

    #[track_caller]
    pub(crate) fn assert_all_dropped_once(&self) {
        let drops = lock(&self.0);
        assert!(drops.iter().all(|count| *count == 1), "{drops:?}");
    }

    #[track_caller]
    pub(crate) fn assert_none_dropped_twice(&self) {
        let drops = lock(&self.0);
        assert!(drops.iter().all(|count| *count <= 1), "{drops:?}");
    }
}

/// A value counted by a [`Ledger`].
pub(crate) struct Token {
    ledger: Ledger,
    number: usize,
    armed: bool,
}

impl Token {
    /// Another value of the same ledger, which panics in its drop if it is `armed`.
    pub(crate) fn copy(&self, armed: bool) -> Self {
        self.ledger.issue(armed)
    }
}

/// A clone is a new token, never armed.
impl Clone for Token {
    fn clone(&self) -> Self {
        self.ledger.token()
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        lock(&self.ledger.0)[self.number] += 1;
        if self.armed && !std::thread::panicking() {
            panic!("token {} panics in its drop", self.number);
        }
    }
}

/// The log of the observers.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn note(&self, line: impl Into<String>) {
        lock(&self.0).push(line.into());
    }

    /// Returns the lines logged since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.0))
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.0).len()
    }
}

/// Checks that every group has exactly the entities that match its matcher.
#[track_caller]
pub(crate) fn assert_groups_agree<C: Context>(game: &C)
where
    for<'a> C::Entity<'a>: Signature<C>,
{
    for group in Group::all(game) {
        let matcher = group.matcher(game);
        let matching = game
            .entities()
            .map(|entity| entity.signature())
            .filter(|(_, components)| matcher.matches(components))
            .map(|(id, _)| id);
        assert!(
            matching.eq(group.ids(game)),
            "{} disagrees with its matcher",
            group.display(game)
        );
    }
}

/// The part of an entity handle of any context that these tests use.
pub(crate) trait Signature<C> {
    fn signature(&self) -> (EntityId<C>, ComponentSet<C>);
}

impl Signature<Game> for GameEntity<'_> {
    fn signature(&self) -> (EntityId<Game>, ComponentSet<Game>) {
        (self.id(), self.component_indices().into_iter().collect())
    }
}

/// Checks that the signature of every entity equals the components that it has values of.
#[track_caller]
pub(crate) fn assert_values_agree(game: &Game) {
    for entity in game.entities() {
        let has = [
            entity.has::<Alpha>(),
            entity.has::<Beta>(),
            entity.has::<Gamma>(),
            entity.has::<Kept>(),
            entity.has::<Value>(),
            entity.has::<Other>(),
            entity.has::<Flag>(),
            entity.has::<Fused>(),
        ];
        let values = has.into_iter().filter(|has| *has).count();
        assert_eq!(entity.component_indices().len(), values, "{entity:?}");
    }
}

/// Checks that the context creates, adds, groups, collects, notifies and destroys as usual.
#[track_caller]
pub(crate) fn assert_usable(game: &mut Game) {
    game.storage().check_invariants();
    assert_groups_agree(game);
    assert_values_agree(game);
    let alive = game.len();
    let group = game.group(Game::all_of::<(Value, Flag)>());
    let collector = game.collector(Game::all_of::<(Value, Flag)>().entered());
    let log = Log::default();
    let heard = log.clone();
    let subscription = group.on_entered(game, move |_, _| heard.note("entered"));
    let id = game.create_entity().add_value(7).add_flag().id();
    assert_eq!(log.take(), ["entered"]);
    assert!(group.contains(game, id));
    assert_eq!(collector.drain(game), [id]);
    assert_eq!(game.entity(id).value(), &Value(7));
    game.destroy(id);
    assert!(!game.contains(id) && !group.contains(game, id));
    assert_eq!(game.len(), alive);
    assert!(game.unsubscribe(subscription));
    collector.release(game);
    game.storage().check_invariants();
    assert_groups_agree(game);
}

/// The end of a test: the context is usable, and all values are dropped with it, once.
#[track_caller]
pub(crate) fn assert_sound(mut game: Game, ledger: &Ledger) {
    assert_usable(&mut game);
    drop(game);
    ledger.assert_all_dropped_once();
}
