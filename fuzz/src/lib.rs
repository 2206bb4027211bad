//! The bodies of the fuzz targets, and a game with every kind of component for them. Arbitrary bytes
//! are loaded, merged or applied, and the game must stay valid. Or the bytes are a program of the
//! model, which the library must run as the oracle does.
//!
//! The tests of the workspace also include this file, and replay `seeds/` with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

use ecs::prelude::*;
use ecs::{ApplyError, Delta, Feed, Loader, Mirror};
use serde::{Deserialize, Serialize};

/// The context.
#[ecs::context]
pub struct Game;

/// Floating-point numbers.
#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Position {
    /// From left to right.
    pub x: f32,
    /// From top to bottom.
    pub y: f32,
}

/// Text with pooled values.
#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(context = Game, pooled)]
pub struct Name(pub String);

/// A flag.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Frozen;

/// A unique component.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, unique)]
pub struct Score(pub u32);

/// A primary key.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Seat(#[component(primary_index)] pub u32);

/// A key that several entities can share.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Tag(#[component(index)] pub String);

/// A hierarchy.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub struct ChildOf {
    #[component(relation(reverse = children, acyclic, ordered))]
    /// The parent.
    pub parent: EntityId<Game>,
}

/// Ids inside other types.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Mind {
    /// A list.
    pub targets: Vec<EntityId<Game>>,
    /// An option.
    pub home: Option<EntityId<Game>>,
}

/// Loads and merges saves in JSON.
pub fn load_text(bytes: &[u8]) {
    let from = || serde_json::Deserializer::from_slice(bytes);
    if let Ok(game) = Game::load(&mut from()) {
        check(game);
    }
    check_merge(|game| loader().merge(game, &mut from()));
}

/// Returns a loader for partial saves, which maps absent ids to the existing entity.
fn loader() -> Loader<Game> {
    Loader::new().map_absent(|_| EntityId::from_bits(1 << 32))
}

/// Loads and merges saves in a binary format.
pub fn load_bytes(bytes: &[u8]) {
    let from = || postcard::Deserializer::from_bytes(bytes);
    if let Ok(game) = Game::load(&mut from()) {
        check(game);
    }
    check_merge(|game| loader().merge(game, &mut from()));
}

/// Applies deltas of feeds, one after the other. One that is rejected before it is applied changes
/// nothing; one that turns out to be contradictory leaves a valid game. Those with only changes become
/// the next one, because else nearly all would be rejected by their tag.
pub fn apply(bytes: &[u8]) {
    let (mut game, mut mirror) = (Game::new(), Mirror::new());
    let subscribers = Subscribers::of(&mut game);
    let mut from = postcard::Deserializer::from_bytes(bytes);
    while let Ok(mut delta) = Delta::<Game>::deserialize(&mut from) {
        mirror.forge(&mut delta);
        let before = saved(&game);
        match mirror.apply(&mut game, &delta) {
            Ok(()) | Err(ApplyError::Incomplete) => {}
            Err(_) => assert_eq!(saved(&game), before),
        }
    }
    subscribers.check(&mut game);
    check(game);
}

/// Runs a program with the library and with the oracle.
pub fn program(bytes: &[u8]) {
    let program = model::bytes::program(bytes);
    model::compare(&program).unwrap_or_else(|difference| panic!("{difference}"));
}

fn saved(game: &Game) -> Vec<u8> {
    postcard::to_stdvec(&game.save()).expect("a game can be saved")
}

/// Checks that a game is valid: it can be saved, loaded again, and changed.
fn check(mut game: Game) {
    game.storage().check_invariants();
    let bytes = saved(&game);
    let again = Game::load(&mut postcard::Deserializer::from_bytes(&bytes));
    assert_eq!(saved(&again.expect("what was saved can be loaded")), bytes);
    check_text(&game);
    let parents = game.query::<&ChildOf>();
    assert!(parents.iter().all(|child| game.contains(child.parent)));
    let ids: Vec<_> = game.entities().map(|entity| entity.id()).collect();
    assert_eq!(game.group(Game::all_of::<()>()).len(&game), ids.len());
    let new = game.create_with((Position { x: 0.0, y: 0.0 }, Frozen)).id();
    assert!(!ids.contains(&new));
    game.destroy_all();
    assert!(game.is_empty());
    game.storage().check_invariants();
}

/// Saves in JSON and loads again. JSON has no infinite numbers and no NaN.
fn check_text(game: &Game) {
    let is_finite = |position: &Position| position.x.is_finite() && position.y.is_finite();
    if !game.query::<&Position>().iter().all(is_finite) {
        return;
    }
    let text = serde_json::to_string(&game.save()).expect("a game can be saved");
    let again = Game::load(&mut serde_json::Deserializer::from_str(&text));
    let again = serde_json::to_string(&again.expect("what was saved can be loaded").save());
    assert_eq!(again.expect("a game can be saved"), text);
}

/// Merges into a game that is not empty; nothing may change if that is rejected.
fn check_merge<E>(merge: impl FnOnce(&mut Game) -> Result<Vec<EntityId<Game>>, E>) {
    let mut game = Game::new();
    game.create_with((Frozen, Seat(7), Tag("there".to_owned())));
    let (subscribers, before) = (Subscribers::of(&mut game), saved(&game));
    match merge(&mut game) {
        Ok(ids) => assert_eq!(game.len(), ids.len() + 1),
        Err(_) => assert_eq!(saved(&game), before),
    }
    subscribers.check(&mut game);
    check(game);
}

/// Observers of the tags of a game while something is merged into it or applied to it.
struct Subscribers {
    /// The entities that were tagged at first.
    first: Vec<EntityId<Game>>,
    collector: Collector<Game>,
    lengths: EntityIndex<Game, usize>,
    feed: Feed<Game>,
    /// The number of entered minus left notifications.
    reported: Arc<AtomicIsize>,
}

impl Subscribers {
    fn of(game: &mut Game) -> Self {
        let (tagged, reported) = (Game::all_of::<Tag>(), Arc::new(AtomicIsize::new(0)));
        let group = game.group(tagged.clone());
        let (came, went) = (reported.clone(), reported.clone());
        group.on_entered(game, move |_, _| _ = came.fetch_add(1, Ordering::Relaxed));
        group.on_left(game, move |_, _| _ = went.fetch_sub(1, Ordering::Relaxed));
        Self {
            first: group.ids(game),
            collector: game.collector(tagged.any_change()),
            lengths: game.entity_index(tagged, |entity| entity.tag().0.len()),
            feed: game.feed::<(Seat, Tag)>(),
            reported,
        }
    }

    /// Checks that each observer has seen all changes.
    fn check(self, game: &mut Game) {
        let tagged = game.group(Game::all_of::<Tag>()).ids(game);
        let reported = self.reported.load(Ordering::Relaxed);
        assert_eq!(tagged.len() as isize, self.first.len() as isize + reported);
        let collected = self.collector.drain(game);
        for id in tagged {
            assert!(self.first.contains(&id) || collected.contains(&id));
            let length = game.entity(id).tag().0.len();
            assert!(self.lengths.get(game, &length).ids().contains(&id));
        }
        let (mut other, mut mirror) = (Game::new(), Mirror::new());
        let applied = mirror.apply(&mut other, &self.feed.take(game));
        applied.expect("a delta of a whole game can be applied");
        assert_eq!(labels(&other), labels(game));
        other.storage().check_invariants();
    }
}

/// Returns the seats and tags of a game.
fn labels(game: &Game) -> Vec<(Option<u32>, Option<String>)> {
    let (seats, tags) = (game.view::<Seat>(), game.view::<Tag>());
    let ids = game.entities().map(|entity| entity.id());
    let of = |id| {
        (
            seats.get(id).map(|it| it.0),
            tags.get(id).map(|it| it.0.clone()),
        )
    };
    let mut labels: Vec<_> = ids.map(of).filter(|it| *it != (None, None)).collect();
    labels.sort();
    labels
}
