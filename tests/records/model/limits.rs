//! What is only reached with small limits (`tests/small-limits`): a context that is full, slots that are
//! retired, collectors of several banks.

use ecs::__private::limits::{COLLECTORS_A_BANK, LAST_GENERATION, MOST_ENTITIES};
use ecs::prelude::*;
use support::panic_of;

use ::model::check::check_invariants;
use ::model::faults::Val;
use ::model::game::{A, Game};

fn a() -> A {
    A(Val::new(3))
}

fn full() -> Game {
    let mut game = Game::new();
    game.create_many((0..MOST_ENTITIES).map(|_| a()));
    game
}

#[test]
fn a_full_context_refuses_more_and_has_not_changed() {
    let mut game = full();
    let group = game.group(Game::all_of::<A>());
    let came = game.collector(Game::all_of::<A>().entered());
    let more: [fn(&mut Game); 4] = [
        |game| _ = game.create_entity(),
        |game| _ = game.create_with(a()),
        |game| _ = game.create_many([a()]),
        |game| _ = game.create_columns(vec![a()]),
    ];
    for create in more {
        let text = panic_of(|| create(&mut game));
        assert!(text.contains("as many as there can be"), "{text}");
        let all = MOST_ENTITIES as usize;
        assert_eq!(
            (game.len(), group.len(&game), came.len(&game)),
            (all, all, 0)
        );
    }
    let last = game.entities().last().unwrap().id();
    game.destroy(last);
    let next = game.create_with(a()).id();
    assert_eq!((next.index(), next.generation()), (last.index(), 2));
    assert_eq!(came.drain(&mut game), [next]);
    assert_eq!(game.query::<&A>().iter().count(), MOST_ENTITIES as usize);
}

#[test]
fn slots_are_retired_one_after_the_other_until_none_is_left() {
    let mut game = Game::new();
    let mut lives = 0;
    let text = panic_of(|| {
        loop {
            let id = game.create_with(a()).id();
            lives += 1;
            game.destroy(id);
            assert!(!game.contains(id));
        }
    });
    assert!(text.contains("as many as there can be"), "{text}");
    assert_eq!(lives, MOST_ENTITIES * u64::from(LAST_GENERATION));
    assert_eq!((game.len(), game.storage().reusable_entities()), (0, 0));
    check_invariants(&game);
}

#[test]
fn collectors_of_many_banks_hold_what_one_would() {
    let mut game = Game::new();
    let trigger = || Game::all_of::<A>().entered_or_updated();
    let all: Vec<_> = (0..5 * COLLECTORS_A_BANK + 1)
        .map(|_| game.collector(trigger()))
        .collect();
    let ids = game.create_many((0..100).map(|_| a()));
    game.query_mut::<&mut A>().for_each(|a| a.0 = Val::new(1));
    for (at, collector) in all.iter().enumerate() {
        if at % 3 == 0 {
            assert_eq!(collector.drain(&mut game), ids);
        }
    }
    game.entity_mut(ids[7]).replace_a(Val::new(2));
    for (at, collector) in all.iter().enumerate() {
        let held = if at % 3 == 0 { &ids[7..8] } else { &ids[..] };
        assert_eq!(collector.ids(&game), held, "collector {at}");
    }
}
