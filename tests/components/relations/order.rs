//! Changing the order of the sources of a target.

use std::sync::mpsc;

use ecs::{History, Mirror};

use super::*;

/// A parent with five children.
fn family(game: &mut Game) -> (Id, [Id; 5]) {
    let parent = named(game, "parent");
    let children = ["a", "b", "c", "d", "e"].map(|name| child(game, parent, name));
    (parent, children)
}

#[test]
fn sources_are_moved_to_places() {
    let mut game = Game::new();
    let (parent, [a, b, c, d, e]) = family(&mut game);
    let moved = game.collector(Game::all_of::<ChildOf>().updated());
    let check = |game: &mut Game, order: [Id; 5], reported: &[Id]| {
        assert_eq!(game.entity(parent).children(), order);
        assert_eq!(moved.drain(game), reported);
        game.storage().check_invariants();
    };
    game.sources_mut::<ChildOf>(parent).move_to(d, 1);
    check(&mut game, [a, d, b, c, e], &[d]);
    game.sources_mut::<ChildOf>(parent).move_to(a, 9);
    check(&mut game, [d, b, c, e, a], &[a]);
    game.sources_mut::<ChildOf>(parent).move_to(c, 0);
    check(&mut game, [c, d, b, e, a], &[c]);
    game.sources_mut::<ChildOf>(parent).move_before(e, d);
    check(&mut game, [c, e, d, b, a], &[e]);
    game.sources_mut::<ChildOf>(parent).move_before(a, c);
    check(&mut game, [a, c, e, d, b], &[a]);
    game.sources_mut::<ChildOf>(parent).move_after(a, b);
    check(&mut game, [c, e, d, b, a], &[a]);
    game.sources_mut::<ChildOf>(parent).set(&[a, e, c]);
    check(&mut game, [a, e, c, d, b], &[a, e]);
}

#[test]
fn what_moves_nothing_reports_nothing() {
    let mut game = Game::new();
    let (parent, [a, b, c, d, e]) = family(&mut game);
    let updated = game.collector(Game::all_of::<ChildOf>().updated());
    let mut sources = game.sources_mut::<ChildOf>(parent);
    sources.move_to(b, 1);
    sources.move_to(e, 7);
    sources.move_before(a, b);
    sources.move_before(a, a);
    sources.move_after(c, b);
    sources.move_after(c, c);
    sources.set(&[a, b]);
    sources.sort_by_key(|child| child.name().0.clone());
    assert!(updated.drain(&mut game).is_empty());
    assert_eq!(game.entity(parent).children(), [a, b, c, d, e]);
}

#[test]
fn a_sort_is_one_change_of_those_that_move() {
    let mut game = Game::new();
    let (parent, [a, b, c, d, e]) = family(&mut game);
    let (sender, reported) = mpsc::channel();
    let children = game.group(Game::all_of::<ChildOf>());
    children.on_updated(&mut game, move |game, change| {
        let previous = change.previous::<ChildOf>().cloned();
        let order = game.entity(parent).children().to_vec();
        sender.send((change.entity(), previous, order)).unwrap();
    });
    let names = |name: &str| "edbac".find(name);
    game.sources_mut::<ChildOf>(parent)
        .sort_by_key(|child| names(&child.name().0));
    let previous = || Some(ChildOf { parent });
    let after = || vec![e, d, b, a, c];
    let reported: Vec<_> = reported.try_iter().collect();
    assert_eq!(reported, [e, d, b].map(|id| (id, previous(), after())));
}

#[test]
fn a_source_is_inserted_at_a_place_in_one_change() {
    let mut game = Game::new();
    let (parent, [a, b, c, d, e]) = family(&mut game);
    let (sender, reported) = mpsc::channel();
    let children = game.group(Game::all_of::<ChildOf>());
    for updated in [false, true] {
        let sender = sender.clone();
        let observer = move |game: &mut Game, change: &ecs::Change<'_, Game>| {
            let order = game.entity(parent).children().to_vec();
            sender.send((updated, change.entity(), order)).unwrap();
        };
        match updated {
            true => children.on_updated(&mut game, observer),
            false => children.on_entered(&mut game, observer),
        };
    }
    let new = named(&mut game, "new");
    game.sources_mut::<ChildOf>(parent)
        .insert(1, new, ChildOf { parent });
    game.sources_mut::<ChildOf>(parent)
        .insert(0, e, ChildOf { parent: a }); // the handle's target counts
    game.sources_mut::<ChildOf>(a)
        .insert(3, b, ChildOf { parent });
    let first = vec![a, new, b, c, d, e];
    let second = vec![e, a, new, b, c, d];
    let third = vec![e, a, new, c, d];
    assert_eq!(
        reported.try_iter().collect::<Vec<_>>(),
        [(false, new, first), (true, e, second), (true, b, third)]
    );
    assert_eq!(game.entity(a).children(), [b]);
}

#[test]
fn a_rejected_insertion_leaves_no_place_behind() {
    let mut game = Game::new();
    let (parent, [a, b, c, d, e]) = family(&mut game);
    let error = game
        .sources_mut::<ChildOf>(a)
        .try_insert(0, parent, ChildOf { parent });
    assert_eq!(error.unwrap_err().kind(), ErrorKind::RelationCycle);
    let other = named(&mut game, "other");
    let last = child(&mut game, other, "last");
    game.entity_mut(parent).add_child_of(other);
    assert_eq!(game.entity(other).children(), [last, parent]);
    assert_eq!(game.entity(parent).children(), [a, b, c, d, e]);
}

#[test]
fn the_order_is_rewound_copied_and_mirrored() {
    let mut game = Game::new();
    let (parent, [a, b, c, d, e]) = family(&mut game);
    let feed = game.feed::<(Name, ChildOf)>();
    let (mut other, mut mirror) = (Game::new(), Mirror::new());
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();

    let components = game.components().iter();
    let not_clone = components.filter(|it| !it.is_clone());
    let not_clone: Vec<_> = not_clone.map(|it| it.index()).collect();
    let history = History::builder()
        .without_indices(not_clone)
        .record(&mut game);
    let start = history.mark(&mut game);

    let names = |game: &Game, parent| {
        let children = game.entity(parent).children().iter();
        children
            .map(|&id| game.entity(id).name().0.clone())
            .collect::<String>()
    };
    game.sources_mut::<ChildOf>(parent).set(&[e, c, a]);
    game.sources_mut::<ChildOf>(parent).move_after(e, b);
    assert_eq!(game.entity(parent).children(), [c, a, b, e, d]);
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    let there = mirror.local(parent).unwrap();
    assert_eq!(names(&other, there), "cabed");

    let end = history.mark(&mut game);
    history.rewind(&mut game, start);
    assert_eq!(names(&game, parent), "abcde");
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    assert_eq!(names(&other, there), "abcde");
    history.forward(&mut game, end);
    assert_eq!(names(&game, parent), "cabed");
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    assert_eq!(names(&other, there), "cabed");
    history.release(&mut game);

    let twin = game.clone_tree::<ChildOf>(parent).id();
    assert_eq!(names(&game, twin), "cabed");
    game.storage().check_invariants();
}

#[test]
fn an_undone_move_is_notified_and_mirrored() {
    let mut game = Game::new();
    let (parent, [a, b, c, d, e]) = family(&mut game);
    let feed = game.feed::<(Name, ChildOf)>();
    let (mut other, mut mirror) = (Game::new(), Mirror::new());
    let mut edits = UndoStack::<Game>::only::<ChildOf>();
    edits.step(&mut game, "Move", |game| {
        game.sources_mut::<ChildOf>(parent).move_to(b, 4);
        game.sources_mut::<ChildOf>(parent).move_after(a, b);
        game.sources_mut::<ChildOf>(parent).move_before(b, d);
    });
    let moved = [c, b, d, e, a];
    assert_eq!(game.entity(parent).children(), moved);
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    for _ in 0..2 {
        for (undo, order) in [(true, [a, b, c, d, e]), (false, moved)] {
            match undo {
                true => edits.undo(&mut game),
                false => edits.redo(&mut game),
            };
            assert_eq!(game.entity(parent).children(), order);
            mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
            let there = other.entity(mirror.local(parent).unwrap());
            let order = order.map(|id| mirror.local(id).unwrap());
            assert_eq!(there.children(), order);
        }
    }
}

/// Sources that died outside of the steps, whose slots others have now.
#[test]
fn undo_and_redo_place_living_sources_only() {
    for victim in 0..5 {
        let mut game = Game::new();
        let mut edits = UndoStack::<Game>::only::<ChildOf>();
        let (parent, children) = family(&mut game);
        let apart = named(&mut game, "apart");
        edits.step(&mut game, "Attach", |game| {
            game.entity_mut(apart).add_child_of(parent);
        });
        edits.step(&mut game, "Reverse", |game| {
            let all: Vec<_> = game
                .entity(parent)
                .children()
                .iter()
                .rev()
                .copied()
                .collect();
            game.sources_mut::<ChildOf>(parent).set(&all);
        });
        game.destroy(children[victim]);
        child(&mut game, parent, "new"); // in its slot
        game.destroy(apart);
        child(&mut game, parent, "newer");
        for undone in [true, true, false, false, true] {
            let done = match undone {
                true => edits.try_undo(&mut game),
                false => edits.try_redo(&mut game),
            };
            done.unwrap();
            game.storage().check_invariants();
            let mut listed = game.entity(parent).children().to_vec();
            listed.sort_unstable();
            let all = game.query::<(Id, &ChildOf)>();
            let mut all: Vec<_> = all.iter().map(|(id, _)| id).collect();
            all.sort_unstable();
            assert_eq!(listed, all, "victim {victim}");
        }
    }
}

#[test]
#[should_panic(expected = "it is not one of them")]
fn only_sources_of_the_target_are_moved() {
    let mut game = Game::new();
    let (parent, [a, ..]) = family(&mut game);
    let other = named(&mut game, "other");
    game.sources_mut::<ChildOf>(parent).move_before(other, a);
}

#[test]
#[should_panic(expected = "an entity is listed twice or refers to another one")]
fn only_sources_of_the_target_are_ordered() {
    let mut game = Game::new();
    let (parent, [a, ..]) = family(&mut game);
    game.sources_mut::<ChildOf>(parent).set(&[a, a]);
}
