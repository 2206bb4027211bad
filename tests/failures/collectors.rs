//! Collectors and the life of slots over a long time (F22, F24, F25, F35).

use std::collections::{BTreeMap, BTreeSet};

use ecs::prelude::*;
use proptest::prelude::*;

use super::game::{Flag, Game, Other, Value, assert_usable};

/// What the text of a context says of its collectors.
fn collectors_of(game: &Game) -> String {
    let text = format!("{game:?}");
    let (_, rest) = text
        .split_once("collectors: ")
        .expect("a number of collectors");
    rest.chars().take_while(char::is_ascii_digit).collect()
}

/// F22: pending entries go with `deactivate`, what happens meanwhile is not gathered,
/// and doing either twice is the same as once.
#[test]
fn a_paused_collector_is_empty_and_deaf() {
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

/// F22: a released collector leaves nothing behind, whatever it held; the one that
/// takes its place starts empty and waits for its own trigger.
#[test]
fn a_released_collector_leaves_nothing_behind() {
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

/// F24: collectors that are drained every frame, every other one, or twice a frame, in
/// any order, get each change exactly once.
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

/// A step of a program for many collectors: change an entity, or drain a collector.
fn steps() -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec((0u8..6, 0u8..75), 1..300)
}

/// Collectors of three kinds in turn, as many as take several banks of marks.
fn many_collectors(game: &mut Game) -> Vec<Collector<Game>> {
    let trigger = |number: usize| match number % 3 {
        0 => Game::all_of::<Value>().updated(),
        1 => Game::all_of::<Flag>().entered(),
        _ => Game::all_of::<Flag>()
            .left()
            .or(Game::all_of::<Value>().updated()),
    };
    (0..75)
        .map(|number| game.collector(trigger(number)))
        .collect()
}

proptest! {
    /// F25: seventy-five collectors of the same groups, drained at different times, do
    /// not disturb each other: each holds what a list of its own would.
    #[test]
    fn collectors_are_independent(steps in steps()) {
        let mut game = Game::new();
        let ids = game.create_many((0..75).map(Value));
        let collectors = many_collectors(&mut game);
        let mut expected: BTreeMap<usize, Vec<EntityId<Game>>> = BTreeMap::new();
        for (what, at) in steps {
            let (at, id) = (usize::from(at), ids[usize::from(at)]);
            let mut entity = game.entity_mut(id);
            let kinds: &[usize] = match what {
                0 | 1 => {
                    entity.replace_value(9);
                    &[0, 2]
                }
                2 | 3 => {
                    let on = entity.is_flag();
                    entity.set_flag(!on);
                    if on { &[2] } else { &[1] }
                }
                _ => {
                    let held = expected.remove(&at).unwrap_or_default();
                    prop_assert_eq!(collectors[at].drain(&mut game), held);
                    &[]
                }
            };
            for number in (0..75).filter(|number| kinds.contains(&(number % 3))) {
                let held = expected.entry(number).or_default();
                if !held.contains(&id) {
                    held.push(id);
                }
            }
        }
        for (number, collector) in collectors.iter().enumerate() {
            let held = expected.remove(&number).unwrap_or_default();
            prop_assert_eq!(collector.ids(&game), &held);
        }
        assert_usable(&mut game);
    }
}

/// F35: a million entities one after the other, and a million changes of one that
/// nobody drains: slots, rows and lists stay as they were after the first.
#[test]
fn a_million_lives_take_no_more_room_than_one() {
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
