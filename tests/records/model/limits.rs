//! F10, F32: cases reached only with small limits (`tests/small-limits`): a full context, retired
//! slots, collectors of several banks.

use ecs::__private::limits::{LAST_GENERATION, MOST_ENTITIES};
use ecs::Error;
use ecs::prelude::*;
use support::panic_of;

use ::model::check::check_invariants;
use ::model::faults::Val;
use ::model::game::{A, B, E, Game, Id};

fn a() -> A {
    A(Val::new(3))
}

fn full() -> Game {
    let mut game = Game::new();
    game.create_many((0..MOST_ENTITIES).map(|_| a()));
    game
}

/// The error of a full context.
const FULL: &str = "cannot create an entity of context `Game`: there would be more than 4096 slots, the most that a context can have; destroy some entities first";

fn first(game: &Game) -> Id {
    game.entities().next().unwrap().id()
}

/// All calls that a full context rejects.
fn attempts() -> [fn(&mut Game) -> Result<(), Error>; 7] {
    [
        |game| game.try_create_with(a()).map(drop),
        |game| game.try_create_many([a()]).map(drop),
        |game| game.try_create_columns(vec![a()]).map(drop),
        |game| game.try_create_with(E(Val::new(1))).map(drop),
        |game| {
            let first = first(game);
            CloneOptions::all().try_clone_entity(game, first).map(drop)
        },
        |game| {
            let first = first(game);
            let bundle = (a(), B(Val::new(1)));
            game.entity_mut(first).try_insert(bundle).map(drop)
        },
        |game| {
            let first = first(game);
            let bundle = B(Val::new(1));
            game.entity_mut(first).try_add_all((bundle,)).map(drop)
        },
    ]
}

/// Checks that nothing has changed.
fn check_full(game: &Game, [members, held]: [usize; 2]) {
    let all = MOST_ENTITIES as usize;
    assert_eq!((game.len(), members, held), (all, all, 0));
    assert!(game.entities().all(|it| it.a().0 == Val::new(3)));
    assert_eq!(game.query::<&B>().iter().count(), 0);
    game.storage().check_invariants();
}

#[test]
fn many_that_cannot_all_be_there_are_all_rejected() {
    let mut game = full();
    let ids: Vec<Id> = game.entities().map(|it| it.id()).collect();
    game.many(&ids[..2]).destroy();
    let rejected = game.try_create_many([a(), a(), a()]).unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::TooManyEntities);
    let rejected = game.try_create_columns(vec![a(), a(), a()]).unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::TooManyEntities);
    assert!(panic_of(|| game.create_many([a(), a(), a()])).contains(FULL));
    assert!(panic_of(|| game.create_columns(vec![a(), a(), a()])).contains(FULL));
    assert_eq!(game.len(), ids.len() - 2);
    assert_eq!(game.try_create_many([a(), a()]).unwrap().len(), 2);
}

#[test]
fn a_full_context_rejects_more_and_has_not_changed() {
    let mut game = full();
    let group = game.group(Game::all_of::<A>());
    let came = game.collector(Game::all_of::<A>().entered());
    let more: [fn(&mut Game); 7] = [
        |game| _ = game.create_entity(),
        |game| _ = game.create_with(a()),
        |game| _ = game.create_many([a()]),
        |game| _ = game.create_columns(vec![a()]),
        |game| _ = game.set_e(Val::new(1)),
        |game| {
            let first = first(game);
            CloneOptions::all().clone_entity(game, first);
        },
        |game| {
            let first = first(game);
            game.entity_mut(first).insert((a(), B(Val::new(1))));
        },
    ];
    for create in more {
        let text = panic_of(|| create(&mut game));
        assert!(text.contains(FULL), "{text}");
        check_full(&game, [group.len(&game), came.len(&game)]);
    }
    for create in attempts() {
        let rejected = create(&mut game).unwrap_err();
        assert_eq!(rejected.kind(), ErrorKind::TooManyEntities);
        assert!(rejected.to_string().contains(FULL), "{rejected}");
        check_full(&game, [group.len(&game), came.len(&game)]);
    }
    let save = serde_json::to_string(&game.save()).unwrap();
    let merged = game.merge(&mut serde_json::Deserializer::from_str(&save));
    assert!(merged.unwrap_err().to_string().contains(FULL));
    check_full(&game, [group.len(&game), came.len(&game)]);
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
    assert!(text.contains("the most that a context can have"), "{text}");
    assert_eq!(lives, MOST_ENTITIES * u64::from(LAST_GENERATION));
    assert_eq!((game.len(), game.storage().reusable_entities()), (0, 0));
    check_invariants(&game);
}

/// F10: all ids of a slot that uses up its generations: none of them is ever alive again, and none
/// has the bits that stand for no entity.
#[test]
fn no_id_of_a_retired_slot_is_alive_again() {
    let mut game = Game::new();
    let mut olds = Vec::new();
    for _ in 0..LAST_GENERATION {
        let id = game.create_with(a()).id();
        game.destroy(id);
        olds.push(id);
        assert!(olds.iter().all(|old| !game.contains(*old)));
    }
    let numbers: Vec<_> = olds
        .iter()
        .map(|id| (id.index(), id.generation()))
        .collect();
    let expected: Vec<_> = (1..=LAST_GENERATION).map(|nth| (0, nth)).collect();
    assert_eq!(numbers, expected);
    let mut given = 0;
    while let Ok(entity) = game.try_create_with(a()) {
        let id = entity.id();
        given += 1;
        assert!(!olds.contains(&id) && id.index() != 0);
        assert!(![0, u64::MAX].contains(&id.to_bits()) && id.generation() <= LAST_GENERATION);
        assert_eq!(Id::from_bits(id.to_bits()), Some(id));
        if given % 3 == 0 {
            game.destroy(id);
        }
    }
    assert_eq!(game.len() as u64, MOST_ENTITIES - 1);
    assert!(
        olds.iter()
            .all(|old| !game.contains(*old) && game.get_entity(*old).is_none())
    );
    assert!(olds.iter().all(|old| game.try_destroy(*old).is_err()));
    for bits in [0, u64::MAX, u64::from(u32::MAX), u64::from(u32::MAX) << 32] {
        let forged = Id::from_bits(bits);
        assert!(forged.is_none_or(|id| !game.contains(id)), "{bits:x}");
    }
    check_invariants(&game);
}

#[test]
fn many_collectors_hold_the_same_as_one() {
    let mut game = Game::new();
    let trigger = || Game::all_of::<A>().entered_or_updated();
    let all: Vec<_> = (0..11).map(|_| game.collector(trigger())).collect();
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
