//! Reads as of a mark, without a rewind. Random programs compare them with rewinds
//! ([`model::rewind`](crate::model)).

use ecs::{History, HistoryError, Mark};

use super::*;

type Recorded = (Game, History<Game>, Vec<EntityId<Game>>, Vec<Mark<Game>>);

/// A game with a mark at the start of each of 20 ticks; in each, all entities change.
fn twenty_ticks(count: u32) -> Recorded {
    let mut game = Game::new();
    let ids = game.create_many((0..count).map(|_| Health(0)));
    let history = game.record();
    let marks = (0..20).map(|tick| {
        let mark = history.mark(&mut game);
        game.many(&ids).replace_with(|_| Health(tick + 1));
        // The first read asks for the index.
        assert_eq!(health(&history, &game, mark, ids[0]), Some(tick));
        mark
    });
    let marks = marks.collect();
    (game, history, ids, marks)
}

fn health(
    history: &History<Game>,
    game: &Game,
    mark: Mark<Game>,
    id: EntityId<Game>,
) -> Option<u32> {
    history
        .at(game, mark)
        .get::<Health>(id)
        .map(|health| health.0)
}

#[test]
fn each_mark_is_read_as_it_was() {
    let (mut game, history, ids, marks) = twenty_ticks(5);
    for (tick, mark) in (0..).zip(&marks) {
        let past = history.at(&game, *mark);
        assert!(ids.iter().all(|id| past.get(*id) == Some(&Health(tick))));
    }
    history.rewind(&mut game, marks[9]);
    for (tick, mark) in (0..).zip(&marks[..=9]) {
        assert_eq!(health(&history, &game, *mark, ids[3]), Some(tick));
    }
    let ahead = history.try_at(&game, marks[10]).err();
    assert!(matches!(ahead, Some(HistoryError::MarkIsAhead { .. })));
    game.entity_mut(ids[3]).replace(Health(50));
    let now = history.mark(&mut game);
    assert_eq!(health(&history, &game, now, ids[3]), Some(50));
    assert_eq!(health(&history, &game, marks[9], ids[3]), Some(9));
    history.forget_before(&mut game, marks[4]);
    let forgotten = history.try_at(&game, marks[3]).err();
    assert!(matches!(forgotten, Some(HistoryError::UnknownMark { .. })));
    for (tick, mark) in (4..).zip(&marks[4..=9]) {
        assert_eq!(health(&history, &game, *mark, ids[1]), Some(tick));
    }
    game.reset();
    assert!(history.try_at(&game, now).is_err());
    let mark = history.mark(&mut game);
    let id = game.create_with(Health(1)).id();
    assert_eq!(health(&history, &game, mark, id), None);
}

#[test]
fn destroyed_and_created_entities_are_read_in_the_past() {
    let mut game = Game::new();
    let (here, gone) = (
        game.create_with(Health(1)).id(),
        game.create_with((Health(2), Frozen)).id(),
    );
    let history = game.record();
    let before = history.mark(&mut game);
    game.destroy(gone);
    let reused = game.create_with(Health(3)).id();
    game.entity_mut(here).remove::<Health>();
    for _ in 0..2 {
        let past = history.at(&game, before);
        assert!(past.contains(here) && past.contains(gone) && !past.contains(reused));
        assert_eq!(past.get(gone), Some(&Health(2)));
        assert!(past.get::<Frozen>(gone).is_some());
        assert_eq!(past.get(here), Some(&Health(1)));
        assert_eq!(past.get::<Health>(reused), None);
        history.mark(&mut game); // builds the index
    }
}

#[test]
fn excluded_components_have_present_values() {
    let mut game = Game::new();
    let old = game.create_with(Health(1)).id();
    let history = History::builder().without::<Health>().record(&mut game);
    let before = history.mark(&mut game);
    let new = game.create_with(Health(5)).id();
    game.entity_mut(old).replace(Health(2));
    let past = history.at(&game, before);
    assert_eq!(past.get(old), Some(&Health(2)));
    assert_eq!(past.get::<Health>(new), None);
}

/// The index is freed after many marks without a read, and a history that is only marked has none.
#[test]
fn an_index_costs_nothing_without_reads() {
    let memory = |game: &Game| game.storage().memory().total();
    let (mut game, history, ids, marks) = twenty_ticks(100);
    let mut plain = Game::new();
    let same = plain.create_many((0..100).map(|_| Health(0)));
    let unread = plain.record();
    let step = |game: &mut Game, history: &History<Game>, ids: &[_], tick: u32| {
        game.many(ids).replace_with(|_| Health(tick));
        let mark = history.mark(game);
        history.forget_before(game, mark);
        game.storage_mut().shrink_to_fit();
    };
    (0..20).for_each(|tick| step(&mut plain, &unread, &same, tick));
    step(&mut game, &history, &ids, 0);
    assert!(memory(&game) > memory(&plain));
    (0..300).for_each(|tick| step(&mut game, &history, &ids, tick));
    assert_eq!(memory(&game), memory(&plain));
    assert_eq!(marks.len(), 20);
}
