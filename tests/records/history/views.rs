//! Recorded writes of views.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use ecs::prelude::*;

use support::game::{Game, Name, Touchy};

#[test]
fn a_history_and_observers_both_get_previous_values() {
    let mut game = Game::new();
    let ids = game.create_many((0..70).map(|n| Name(n.to_string())));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (group, log) = (game.group(Game::all_of::<Name>()), seen.clone());
    group.on_updated(&mut game, move |_: &mut Game, change: &Change<'_, Game>| {
        log.lock().unwrap().push(change.previous::<Name>().cloned());
    });
    let history = game.record();
    let mark = history.mark(&mut game);
    game.view_mut::<Name>(|names| {
        names.get_mut(ids[65]).unwrap().0.push('!');
        assert_eq!(
            names.replace(ids[1], Name("one".into())),
            Some(Name("1".into()))
        );
        names.get_mut(ids[65]).unwrap().0.push('?');
    });
    assert_eq!(game.entity(ids[65]).name().0, "65!?");
    let previous = |text: &str| Some(Name(text.into()));
    assert_eq!(*seen.lock().unwrap(), [previous("65"), previous("1")]);
    let later = history.mark(&mut game);
    history.rewind(&mut game, mark);
    assert_eq!(game.entity(ids[65]).name().0, "65");
    assert_eq!(game.entity(ids[1]).name().0, "1");
    history.forward(&mut game, later);
    assert_eq!(game.entity(ids[1]).name().0, "one");
}

#[test]
fn a_copy_that_panics_leaves_the_value_unwritten_and_the_view_usable() {
    let mut game = Game::new();
    let ids = game.create_many([Touchy(true), Touchy(false)]);
    let changed = game.collector(Game::all_of::<Touchy>().updated());
    let history = game.record();
    let mark = history.mark(&mut game);
    game.view_mut::<Touchy>(|all| {
        let caught = catch_unwind(AssertUnwindSafe(|| _ = all.get_mut(ids[0])));
        assert!(caught.is_err());
        all.get_mut(ids[1]).unwrap().0 = true;
    });
    assert_eq!(changed.drain(&mut game), [ids[1]]);
    history.rewind(&mut game, mark);
    assert_eq!(
        [ids[0], ids[1]].map(|id| game.entity(id).touchy().0),
        [true, false]
    );
}

#[test]
fn a_copy_that_panics_in_an_iterator_ends_it_before_the_block_of_that_value() {
    let mut game = Game::new();
    let ids = game.create_many((0..70).map(|n| Touchy(n == 68)));
    let changed = game.collector(Game::all_of::<Touchy>().updated());
    let group = game.group(Game::all_of::<Touchy>());
    let count = Arc::new(Mutex::new(0));
    let counted = count.clone();
    group.on_updated(&mut game, move |_: &mut Game, _: &Change<'_, Game>| {
        *counted.lock().unwrap() += 1;
    });
    let history = game.record();
    let mark = history.mark(&mut game);
    let mut query = game.query_mut::<&mut Touchy>();
    let (mut items, mut visited) = (query.iter_mut(), Vec::new());
    for _ in 0..3 {
        let rest = AssertUnwindSafe(|| visited.extend(&mut items));
        assert!(catch_unwind(rest).is_err());
    }
    visited.iter_mut().for_each(|item| item.0 = true);
    let visited = visited.len();
    drop(items);
    drop(query);
    assert_eq!((visited, *count.lock().unwrap()), (64, 64));
    assert_eq!(changed.drain(&mut game), ids[..64]);
    game.storage().check_invariants();
    history.rewind(&mut game, mark);
    let touchy = ids.iter().filter(|id| game.entity(**id).touchy().0);
    assert!(touchy.eq([&ids[68]]));
}
