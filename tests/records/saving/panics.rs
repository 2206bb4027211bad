//! F43, F03, F05: user code that panics while a save is merged. The change is all or nothing;
//! notifications follow it and see everything.

use std::cell::Cell;

use super::formats::Errors;
use super::*;

/// A game that can be merged any number of times.
fn crowd() -> Game {
    let mut game = Game::new();
    let root = game.create_with(Tag("root".into())).id();
    game.create_many((0..5).map(|n| (Tag(n.to_string()), ChildOf { parent: root })));
    game
}

/// Merges the crowd in both formats, each into a game prepared by `prepare`, which must panic with
/// this message; `check` checks the game afterwards.
#[track_caller]
fn merge_panics(prepare: fn(&mut Game), message: &str, check: impl Fn(&mut Game)) {
    let (text, columns) = (json(&crowd()), Errors::save(&crowd()).unwrap());
    for binary in [false, true] {
        let merge = |game: &mut Game| match binary {
            true => Errors::merge(game, &columns),
            false => merge_json(game, &text),
        };
        let mut game = Game::new();
        let here = game.create_with(Tag("here".into())).id();
        prepare(&mut game);
        assert_eq!(support::panic_of(|| merge(&mut game)), message);
        game.storage().check_invariants();
        assert_eq!(game.entity(here).tag(), &Tag("here".into()));
        check(&mut game);
        game.storage().check_invariants();
    }
}

/// Checks that the crowd was merged once.
fn assert_merged(game: &Game) {
    assert_eq!(game.len(), 1 + crowd().len());
    let root = game.entities_with_tag("root").ids()[0];
    let children = game.entity(root).children();
    let tags = children.iter().map(|id| game.entity(*id).tag().0.as_str());
    assert!(tags.eq(["0", "1", "2", "3", "4"]));
}

/// Everything is there, later changes are message, and another merge succeeds.
#[test]
fn an_observer_that_panics_sees_the_complete_merge() {
    let prepare = |game: &mut Game| {
        let children = game.group(Game::all_of::<ChildOf>());
        children.on_entered(game, |game, change| {
            let is_notified_of = &game.entity(change.entity()).tag().0;
            assert_ne!(is_notified_of, "2", "on purpose");
        });
    };
    let message = "assertion `left != right` failed: on purpose\n  left: \"2\"\n right: \"2\"";
    merge_panics(prepare, message, |game| {
        assert_merged(game);
        let children = game.group(Game::all_of::<ChildOf>());
        let entered = game.collector(Game::all_of::<ChildOf>().entered());
        assert_eq!(children.len(game), 5);
        game.observers().clear();
        let ids = merge_json(game, &json(&crowd())).unwrap();
        assert_eq!(entered.drain(game), ids[1..]);
    });
}

thread_local! {
    /// Whether the key function panics.
    static REJECTS: Cell<bool> = const { Cell::new(true) };
}

/// Afterwards the index contains exactly the entities of the game.
#[test]
fn a_key_function_that_panics_leaves_an_index_that_agrees() {
    let prepare = |game: &mut Game| {
        REJECTS.set(false);
        let by_tag = game.entity_index(Game::all_of::<Tag>(), |it| {
            let tag = &it.tag().0;
            assert!(!(REJECTS.get() && tag == "2"), "on purpose");
            tag.len()
        });
        KEPT.set(Some(by_tag));
        REJECTS.set(true);
    };
    merge_panics(prepare, "on purpose", |game| {
        REJECTS.set(false);
        assert!([1, 1 + crowd().len()].contains(&game.len()), "half of it");
        assert_merged(game);
        let by_tag = KEPT.take().unwrap();
        for length in 0..6 {
            let has_it =
                |it: &GameEntity<'_>| it.get_tag().is_some_and(|tag| tag.0.len() == length);
            let expected: Vec<Id> = game.entities().filter(has_it).map(|it| it.id()).collect();
            let mut known = by_tag.get(game, &length).ids().to_vec();
            known.sort();
            assert_eq!(known, expected);
        }
    });
}

thread_local! {
    static KEPT: Cell<Option<EntityIndex<Game, usize>>> = const { Cell::new(None) };
}

thread_local! {
    /// The number of drops until a bomb panics.
    static FUSE: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Panics in its drop, if the fuse is lit.
#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(context = Game, by_value)]
struct Bomb(u8);

impl Drop for Bomb {
    fn drop(&mut self) {
        if let Some(left) = FUSE.get().filter(|_| !std::thread::panicking()) {
            FUSE.set(left.checked_sub(1));
            assert!(left > 0, "on purpose");
        }
    }
}

/// Values read so far are dropped when the rest is rejected; one of the drops panics.
#[test]
fn a_drop_that_panics_while_a_save_is_rejected_leaves_no_trace() {
    let mut from = Game::new();
    from.create_many([1, 2, 3].map(Bomb));
    let text = json(&from).replace(r#"{"Bomb":3}"#, r#"{"Bomb":"no"}"#);
    for fuse in 0..2 {
        let mut game = crowd();
        let before = (picture(&game), json(&game));
        FUSE.set(Some(fuse));
        let message = support::panic_of(|| merge_json(&mut game, &text));
        assert_eq!((message.as_str(), FUSE.take()), ("on purpose", None));
        game.storage().check_invariants();
        assert_eq!((picture(&game), json(&game)), before);
        let ids = merge_json(&mut game, &json(&from)).unwrap();
        assert_eq!(ids.len(), 3);
    }
}
