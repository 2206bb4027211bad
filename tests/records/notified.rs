//! What is notified when a restore, rewind or load replaces a context's state: each cell of the
//! table in the guide's page `undo_and_rollback`.

use std::collections::{BTreeMap, BTreeSet};

use ecs::prelude::*;
use ecs::{Feed, Mirror};
use serde::{Deserialize, Serialize};
use support::Notes;

/// Has components that can be saved, cloned and sent by feeds.
#[ecs::context]
pub(crate) struct Game;

type Id = EntityId<Game>;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Health(u32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Team(#[component(index, into)] String);

/// The component of the entity that plain collectors hold before a rewind.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Marker(u32);

/// The page with the table.
const GUIDE: &str = include_str!("../../ecs/src/guide/undo_and_rollback.md");

/// All subscribers of a game.
struct Subscribers {
    observed: Notes<Id>,
    listened: Notes<Id>,
    plain: Collector<Game>,
    view: Collector<Game>,
    feed: Feed<Game>,
    mirror: Mirror<Game>,
    mirrored: Game,
    before: BTreeMap<Id, (u32, String)>,
}

impl Subscribers {
    fn new(game: &mut Game) -> Self {
        let (observed, listened) = (Notes::default(), Notes::default());
        let health = game.group(Game::all_of::<Health>());
        let observe = |notes: &Notes<Id>| {
            let notes = notes.clone();
            move |_: &mut Game, change: &Change<'_, Game>| notes.push(change.entity())
        };
        health.on_entered(game, observe(&observed));
        health.on_left(game, observe(&observed));
        health.on_updated(game, observe(&observed));
        let notes = listened.clone();
        game.events()
            .on_set::<Health>(move |entity| notes.push(entity.id()));
        let notes = listened.clone();
        game.events()
            .on_removed::<Health>(move |entity| notes.push(entity.id()));
        let plain = Game::all_of::<Health>().any_change();
        let plain = plain.or(Game::all_of::<Marker>().updated());
        let mut subscribers = Self {
            observed,
            listened,
            plain: game.collector(plain),
            view: game.collector(Game::all_of::<Health>().any_change().with_rewinds()),
            feed: game.feed::<(Health, Team)>(),
            mirror: Mirror::new(),
            mirrored: Game::new(),
            before: BTreeMap::new(),
        };
        subscribers.read_all(game);
        subscribers
    }

    /// Reads all subscribers, and records the current state.
    fn read_all(&mut self, game: &mut Game) {
        self.feeds(game);
        game.events().deliver();
        drop((self.observed.take(), self.listened.take()));
        self.plain.clear(game);
        self.view.clear(game);
        self.before = values(game);
    }

    /// A row of the table: what each subscriber receives of the changes since.
    fn hear(&mut self, game: &mut Game) -> [&'static str; 6] {
        let now = values(game);
        let all = self.before.keys().chain(now.keys());
        let changed = all.filter(|id| self.before.get(id) != now.get(id));
        let changed: BTreeSet<Id> = changed.copied().collect();
        let heard = [
            notified(&self.observed.take(), &changed),
            self.plain(game, &changed),
            notified(self.view.ids(game), &changed).replacing("notified", "collect"),
            index(game, &now),
            self.feeds(game),
            self.listeners(game, &changed),
        ];
        self.read_all(game);
        heard
    }

    fn plain(&self, game: &Game, changed: &BTreeSet<Id>) -> &'static str {
        let held: BTreeSet<_> = self.plain.ids(game).iter().copied().collect();
        let is_marker = |id: &Id| game.get_entity(*id).is_some_and(|it| it.has_marker());
        if held.is_empty() {
            return "emptied";
        }
        match held.iter().all(is_marker) {
            true => "restored",
            false => notified(self.plain.ids(game), changed).replacing("notified", "collect"),
        }
    }

    /// Whether the next delta contains everything; its mirror must equal the game.
    fn feeds(&mut self, game: &mut Game) -> &'static str {
        let delta = self.feed.take(game);
        self.mirror.apply(&mut self.mirrored, &delta).unwrap();
        let shown = values(&self.mirrored);
        let origin = |(id, value)| (self.mirror.origin(id).unwrap(), value);
        let shown: BTreeMap<_, _> = shown.into_iter().map(origin).collect();
        assert_eq!(shown, values(game));
        match delta.is_everything() {
            true => "everything",
            false if delta.is_empty() => "nothing",
            false => "changes",
        }
    }

    fn listeners(&self, game: &mut Game, changed: &BTreeSet<Id>) -> &'static str {
        game.events().deliver();
        notified(&self.listened.take(), changed)
    }
}

trait Replacing {
    fn replacing(self, word: &str, by: &'static str) -> &'static str;
}

impl Replacing for &'static str {
    fn replacing(self, word: &str, by: &'static str) -> &'static str {
        if self == word { by } else { self }
    }
}

/// Whether all changes were notified, or none; everything else is wrong.
#[track_caller]
fn notified(ids: &[Id], changed: &BTreeSet<Id>) -> &'static str {
    if ids.is_empty() {
        return "silent";
    }
    let ids: BTreeSet<_> = ids.iter().copied().collect();
    assert_eq!(&ids, changed);
    "notified"
}

/// Whether the index of a field finds exactly the entities with each key.
fn index(game: &Game, now: &BTreeMap<Id, (u32, String)>) -> &'static str {
    for team in ["red", "blue", "green"] {
        let expected = now.iter().filter(|(_, (_, of))| of == team);
        let found = game.entities_with_team(team).map(|entity| entity.id());
        let found: BTreeSet<_> = found.collect();
        assert_eq!(found, expected.map(|(id, _)| *id).collect());
    }
    "current"
}

fn values(game: &Game) -> BTreeMap<Id, (u32, String)> {
    let all = game.query::<(Id, &Health, &Team)>();
    let all = all
        .iter()
        .map(|(id, health, team)| (id, (health.0, team.0.clone())));
    all.collect()
}

fn create(game: &mut Game, health: u32, team: &str) -> Id {
    game.create_with((Health(health), Team(team.into()))).id()
}

/// A game with four entities: the marker, one that stays unchanged, one to change, one to destroy.
fn game() -> (Game, [Id; 4]) {
    let mut game = Game::new();
    let marker = game.create_with(Marker(0)).id();
    let others = [(1, "red"), (2, "red"), (3, "blue")];
    let [same, changed, gone] = others.map(|(health, team)| create(&mut game, health, team));
    (game, [marker, same, changed, gone])
}

/// Changes one entity, destroys one, creates one.
fn change(game: &mut Game, [_, _, changed, gone]: [Id; 4]) {
    let mut entity = game.entity_mut(changed);
    entity.replace_health(20).replace_team("green");
    game.destroy(gone);
    create(game, 4, "blue");
}

/// Makes plain collectors collect the marker.
fn mark(game: &mut Game, [marker, ..]: [Id; 4]) {
    game.entity_mut(marker).replace_marker(0);
}

fn load(from: &Game) -> Game {
    let text = serde_json::to_string(&from.save()).unwrap();
    Game::load(&mut serde_json::Deserializer::from_str(&text)).unwrap()
}

/// The rows of a history.
fn history_lines() -> [[&'static str; 6]; 2] {
    let (mut game, ids) = game();
    let mut subscribers = Subscribers::new(&mut game);
    let history = game.record();
    mark(&mut game, ids);
    let start = history.mark(&mut game);
    change(&mut game, ids);
    subscribers.read_all(&mut game);
    mark(&mut game, ids);
    let end = history.mark(&mut game);
    subscribers.read_all(&mut game);
    history.rewind(&mut game, start);
    let rewind = subscribers.hear(&mut game);
    history.forward(&mut game, end);
    [rewind, subscribers.hear(&mut game)]
}

/// The row of a snapshot of the same context.
fn own_snapshot() -> [&'static str; 6] {
    let (mut game, ids) = game();
    let mut subscribers = Subscribers::new(&mut game);
    mark(&mut game, ids);
    let snapshot = game.snapshot();
    change(&mut game, ids);
    subscribers.read_all(&mut game);
    game.restore(&snapshot);
    subscribers.hear(&mut game)
}

/// The row of a snapshot of another context, here a loaded one.
fn foreign_snapshot() -> [&'static str; 6] {
    let (mut game, ids) = game();
    let mut loaded = load(&game);
    change(&mut loaded, ids);
    let mut subscribers = Subscribers::new(&mut game);
    mark(&mut game, ids);
    game.restore(&loaded.snapshot());
    subscribers.hear(&mut game)
}

/// The row of a save that is loaded in place.
fn reloaded() -> [&'static str; 6] {
    let (mut game, ids) = game();
    let mut saved = load(&game);
    change(&mut saved, ids);
    let text = serde_json::to_string(&saved.save()).unwrap();
    let mut subscribers = Subscribers::new(&mut game);
    mark(&mut game, ids);
    let reloaded = game.reload(&mut serde_json::Deserializer::from_str(&text));
    assert!(reloaded.is_ok());
    subscribers.hear(&mut game)
}

/// The row of operations that create a new context.
fn new_context(make: fn(&Game) -> Game) -> [&'static str; 6] {
    let (mut game, ids) = game();
    let mut subscribers = Subscribers::new(&mut game);
    let mut other = make(&game);
    assert_eq!(other.storage().collectors(), []); // including those of feeds and listeners
    assert_eq!(other.events().listeners(), 0);
    change(&mut other, ids);
    assert_eq!(other.events().deliver(), 0);
    let current = index(&other, &values(&other));
    let [observers, plain, view, _, feeds, listeners] = subscribers.hear(&mut game);
    let heard = [observers, plain, view, feeds, listeners];
    assert_eq!(heard, ["silent", "emptied", "silent", "nothing", "silent"]);
    ["none", "none", "none", current, "none", "none"]
}

fn merge() -> [&'static str; 6] {
    let (mut game, _) = game();
    let mut subscribers = Subscribers::new(&mut game);
    let mut piece = Game::new();
    create(&mut piece, 7, "green");
    let text = serde_json::to_string(&piece.save()).unwrap();
    let merged = game.merge(&mut serde_json::Deserializer::from_str(&text));
    assert_eq!(merged.unwrap().len(), 1);
    subscribers.hear(&mut game)
}

fn reset() -> [&'static str; 6] {
    let (mut game, ids) = game();
    let mut subscribers = Subscribers::new(&mut game);
    mark(&mut game, ids);
    game.reset();
    subscribers.hear(&mut game)
}

fn apply() -> [&'static str; 6] {
    let (mut origin, ids) = game();
    let feed = origin.feed::<(Health, Team)>();
    let (mut game, mut mirror) = (Game::new(), Mirror::new());
    mirror.apply(&mut game, &feed.take(&mut origin)).unwrap();
    let mut subscribers = Subscribers::new(&mut game);
    change(&mut origin, ids);
    mirror.apply(&mut game, &feed.take(&mut origin)).unwrap();
    subscribers.hear(&mut game)
}

/// The rows of the table in the guide: the text before the tested cells, and these cells.
fn table() -> Vec<(&'static str, Vec<&'static str>)> {
    let lines = GUIDE
        .lines()
        .skip_while(|line| !line.starts_with("| operation"));
    let lines = lines.skip(2).take_while(|line| line.starts_with('|'));
    let cells = |line: &'static str| -> Vec<_> { line.split('|').map(str::trim).collect() };
    let lines = lines.map(cells);
    lines
        .map(|cells| (cells[1], cells[2..cells.len() - 1].to_vec()))
        .collect()
}

/// F42.
#[test]
fn subscribers_receive_what_the_guide_documents() {
    let [rewind, forward] = history_lines();
    let expected = [
        ("[`rewind`]", rewind),
        ("[`forward`]", forward),
        (
            "restore`](crate::Context::restore) of a snapshot of its own",
            own_snapshot(),
        ),
        (
            "restore`](crate::Context::restore) of one of another context",
            foreign_snapshot(),
        ),
        ("[`reload`]", reloaded()),
        ("[`load`]", new_context(load)),
        ("[`fork`]", new_context(Game::fork)),
        ("[`merge`]", merge()),
        ("[`reset`]", reset()),
        ("[`apply`]", apply()),
    ];
    let table = table();
    assert_eq!(table.len(), expected.len());
    for ((operation, heard), (name, cells)) in expected.into_iter().zip(table) {
        assert!(name.contains(operation), "{operation} is listed as {name}");
        assert_eq!(cells, heard, "{operation}");
    }
}
