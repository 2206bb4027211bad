//! Collectors and the life of slots over a long time (F22, F24, F35).

use std::collections::BTreeSet;

use ecs::prelude::*;

use super::game::{Flag, Game, Other, Value, assert_usable};

/// The collectors in the debug output of a context.
fn collectors_of(game: &Game) -> String {
    let text = format!("{game:?}");
    let (_, rest) = text
        .split_once("collectors: ")
        .expect("a number of collectors");
    rest.chars().take_while(char::is_ascii_digit).collect()
}

/// F22: `deactivate` discards pending entities, an inactive collector collects nothing, and calling
/// either method twice has no further effect.
#[test]
fn a_deactivated_collector_is_empty_and_collects_nothing() {
    let mut game = Game::new();
    let collector = game.collector(Game::all_of::<Value>().entered_or_updated());
    let id = game.create_entity().add_value(1).id();
    for _ in 0..2 {
        collector.deactivate(&mut game);
        assert!(collector.is_empty(&game) && !collector.is_active(&game));
        game.entity_mut(id).replace_value(2);
        assert!(collector.is_empty(&game));
    }
    collector.activate(&mut game);
    game.entity_mut(id).replace_value(3);
    collector.activate(&mut game);
    assert_eq!(collector.ids(&game), [id]);
    collector.clear(&mut game);
    game.entity_mut(id).replace_value(4);
    assert_eq!(collector.drain(&mut game), [id]);
    assert_usable(&mut game);
}

/// F22: a released collector leaves nothing behind; the one that reuses its slot starts empty and
/// collects by its own trigger.
#[test]
fn a_released_collector_leaves_no_trace() {
    let mut game = Game::new();
    let ids = game.create_many((0..100).map(Value));
    for round in 0..70 {
        let paused = round % 3 == 0;
        let values = game.collector(Game::all_of::<Value>().updated());
        let flags = game.collector(Game::all_of::<Flag>().entered());
        ids.iter()
            .for_each(|id| _ = game.entity_mut(*id).replace_value(round));
        assert_eq!((values.len(&game), flags.len(&game)), (100, 0));
        if paused {
            values.deactivate(&mut game);
        }
        values.release(&mut game);
        let later = game.collector(Game::all_of::<Other>().entered());
        ids.iter()
            .for_each(|id| _ = game.entity_mut(*id).replace_value(round));
        assert!(later.is_empty(&game));
        later.release(&mut game);
        flags.release(&mut game);
        assert_eq!(collectors_of(&game), "0");
    }
    assert_usable(&mut game);
}

/// F24: collectors drained every frame, every other frame, or twice a frame, in any order, get each
/// change exactly once.
#[test]
fn changes_are_neither_lost_nor_doubled() {
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let mut game = Game::new();
        let ids = game.create_many((0..10).map(Value));
        let collectors = [(); 3].map(|()| game.collector(Game::all_of::<Value>().updated()));
        let mut got = [0; 3];
        for frame in 0..60 {
            let changed = ids[frame % 10];
            game.entity_mut(changed).replace_value(frame as u32);
            for which in order {
                let times = [1, usize::from(frame % 2 == 1), 2][which];
                for _ in 0..times {
                    got[which] += collectors[which].drain(&mut game).len();
                }
            }
        }
        assert_eq!(got, [60; 3]);
        assert_usable(&mut game);
    }
}

/// F35: a million entities one after the other, and a million changes of one without a drain:
/// slots, rows and lists stay as they were after the first.
#[test]
fn a_million_entities_in_turn_take_no_more_memory_than_one() {
    let mut game = Game::new();
    let toggled = game.collector(Game::all_of::<Flag>().entered());
    let kept = game.create_entity().id();
    let mut addresses = BTreeSet::new();
    for life in 0..1_000_000 {
        let id = game.create_with(Value(life)).id();
        assert_eq!(id.index(), 1);
        addresses.insert(std::ptr::from_ref(game.entity(id).value()).addr());
        game.destroy(id);
        game.entity_mut(kept).set_flag(life % 2 == 0);
    }
    assert_eq!((game.len(), game.storage().reusable_entities()), (1, 1));
    assert_eq!(toggled.ids(&game), [kept]);
    assert_eq!(addresses.len(), 1, "a value's memory is used again");
    assert_usable(&mut game);
}
