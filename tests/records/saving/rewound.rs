//! After a rewind a game goes on like one that never made the undone changes: it has the same free
//! slots in the same order, however entities were created and destroyed.

use ecs::Mirror;
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// All of its components can be saved and cloned, so that a history records all of it.
#[ecs::context]
struct Game;

type Id = EntityId<Game>;

#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Game)]
struct Frozen;

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
struct Plan(Vec<Id>);

#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Game)]
struct ChildOf {
    #[component(relation(reverse = children, acyclic, ordered))]
    parent: Id,
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
struct PartOf(#[component(relation(reverse = parts, on_target_destroyed = destroy))] Id);

fn json(game: &Game) -> String {
    serde_json::to_string(&game.save()).unwrap()
}

fn from_json(text: &str) -> Game {
    Game::load(&mut serde_json::Deserializer::from_str(text)).unwrap()
}

fn merge_json(game: &mut Game, from: &Game) -> Vec<Id> {
    let text = json(from);
    game.merge(&mut serde_json::Deserializer::from_str(&text))
        .unwrap()
}

fn merge_bytes(game: &mut Game, from: &Game) -> Vec<Id> {
    let bytes = postcard::to_stdvec(&from.save()).unwrap();
    game.merge(&mut postcard::Deserializer::from_bytes(&bytes))
        .unwrap()
}

/// Something that creates or destroys entities of a game.
type Change = fn(&mut Game);

/// A game in which the next entities get the slots `free`, in this order.
fn game_with_free(free: &[usize]) -> Game {
    let mut game = Game::new();
    let ids = game.create_many((0..8).map(|_| Plan(Vec::new())));
    let whole = ids[0];
    for part in [7, 6] {
        game.entity_mut(ids[part]).add(PartOf(whole));
    }
    free.iter().rev().for_each(|&at| game.destroy(ids[at]));
    game
}

/// A game in which entities refer to later ones.
fn ahead() -> Game {
    let mut game = Game::new();
    let ids = game.create_many([(); 4].map(|()| Frozen));
    game.entity_mut(ids[0]).add(Plan(vec![ids[3], ids[2]]));
    game.entity_mut(ids[1]).add_child_of(ids[2]);
    game
}

fn tree() -> Template<Game> {
    let below = Template::new().with(Plan(Vec::new()));
    Template::new()
        .with(Frozen)
        .with_child(|parent| ChildOf { parent }, below.clone())
        .with_child(|parent| ChildOf { parent }, below)
}

fn first(game: &Game) -> Id {
    game.query::<(Id, &Plan)>().iter().next().unwrap().0
}

const CHANGES: [(&str, Change); 13] = [
    ("a merge of text", |game| {
        merge_json(game, &ahead());
    }),
    ("a merge of bytes", |game| _ = merge_bytes(game, &ahead())),
    ("two merges", |game| {
        for _ in 0..2 {
            merge_json(game, &ahead());
        }
    }),
    ("a template", |game| _ = tree().create(game)),
    ("a template in a file", |game| {
        let text = serde_json::to_string(&tree()).unwrap();
        let tree: Template<Game> = serde_json::from_str(&text).unwrap();
        tree.create(game);
    }),
    ("a copy of a tree", |game| {
        let top = tree().create(game).id();
        let copy = CloneOptions::all().with_descendants::<ChildOf>();
        copy.clone_entity(game, top);
    }),
    ("many entities", |game| {
        let ids = game.create_many((0..9).map(|_| Frozen));
        game.many(&[ids[3], ids[8], ids[0]]).destroy();
    }),
    ("one entity at a time", |game| {
        let ids = [(); 5].map(|()| game.create_with(Frozen).id());
        [3, 0, 4].iter().for_each(|&at| game.destroy(ids[at]));
    }),
    ("a whole with its parts", |game| game.destroy(first(game))),
    ("everything", |game| game.destroy_all()),
    ("a mirror", |game| {
        let mut origin = ahead();
        let feed = origin.feed::<(Frozen, ChildOf)>();
        let mut mirror = Mirror::new();
        mirror.apply(game, &feed.take(&mut origin)).unwrap();
        let next = origin.entities().next().unwrap().id();
        origin.destroy(next);
        merge_json(&mut origin, &ahead());
        mirror.apply(game, &feed.take(&mut origin)).unwrap();
    }),
    ("undo steps", |game| {
        let mut edits = UndoStack::all();
        edits.step(game, "Destroy", |game| {
            game.create_many((0..3).map(|_| Frozen));
            game.destroy(first(game));
        });
        assert!(edits.undo(game) && edits.redo(game) && edits.undo(game));
    }),
    ("commands", |game| {
        let mut commands = CommandBuffer::new();
        commands.destroy(first(game));
        (0..4).for_each(|_| commands.create(Frozen));
        commands.apply(game);
    }),
];

/// Observers that create and destroy entities during a change.
fn make_restless(game: &mut Game) {
    let frozen = game.group(Game::all_of::<Frozen>());
    frozen.on_entered(game, |game, change| {
        let id = game.create_with(Plan(Vec::new())).id();
        game.create_with(ChildOf { parent: id });
        if change.entity().index() % 2 == 0 {
            game.destroy(id);
        }
    });
}

fn next_ids(game: &mut Game) -> Vec<String> {
    let ids = (0..9).map(|_| game.create_entity().id().to_string());
    ids.collect()
}

/// Checks that rewinding a change, redoing it and rewinding it again leaves no trace.
fn check_rewinds(what: &str, change: Change, mut game: Game) {
    let before = json(&game);
    let mut expected = from_json(&before);
    let history = game.record();
    let start = history.mark(&mut game);
    change(&mut game);
    game.storage().check_invariants();
    let (end, after) = (history.mark(&mut game), json(&game));
    for _ in 0..2 {
        history.rewind(&mut game, start);
        game.storage().check_invariants();
        assert_eq!(json(&game), before, "{what}, undone");
        history.forward(&mut game, end);
        game.storage().check_invariants();
        assert_eq!(json(&game), after, "{what}, redone");
    }
    history.rewind(&mut game, start);
    assert_eq!(next_ids(&mut game), next_ids(&mut expected), "{what}");
    game.storage().check_invariants();
}

#[test]
fn later_ids_are_those_of_a_game_that_was_never_rewound() {
    for (what, change) in CHANGES {
        for free in [&[][..], &[2], &[3, 1, 5], &[1, 2, 3, 4, 5]] {
            check_rewinds(what, change, game_with_free(free));
            let mut restless = game_with_free(free);
            make_restless(&mut restless);
            check_rewinds(what, change, restless);
        }
    }
}

/// The slots are taken in the order in which ids occur in the text, and the entities arrive in the
/// order of their ids in the save.
#[test]
fn a_merge_is_recorded_in_the_order_of_its_slots() {
    let mut game = Game::new();
    let history = game.record();
    let ids = merge_json(&mut game, &ahead());
    let indices: Vec<_> = ids.iter().map(|id| id.index()).collect();
    assert_eq!(indices, [0, 3, 2, 1]);
    let changes = history.changes(&game);
    let created = changes.filter(|change| change.kind() == ecs::ChangeKind::Created);
    let created: Vec<_> = created.map(|change| change.entity().index()).collect();
    assert_eq!(created, [0, 1, 2, 3]);
}
