//! The keys of entities that a query changes are computed together: entities with unchanged keys
//! keep their place, and a panic in between makes no lookup wrong.

use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ecs::prelude::*;

use support::game::{Game, GameEntity, GameEntityMut, Position};
use support::{panic_of, time_of};

#[derive(Component, Clone, Copy)]
#[component(context = Game, extension)]
struct Height(i32);

#[derive(Component, Clone, Copy)]
#[component(context = Game, extension)]
struct Piece {
    #[component(index)]
    color: u8,
    moves: u32,
}

fn fields(game: &mut Game) -> EntityIndex<Game, i32> {
    game.entity_index(Game::all_of::<Position>(), |e| e.position().0 / 10)
}

fn all(game: &Game, index: &EntityIndex<Game, i32>, key: i32) -> Vec<EntityId<Game>> {
    index.get(game, &key).ids()
}

/// Adds to all positions.
fn shift(game: &mut Game, by: i32) {
    let query = game.query_mut::<&mut Position>();
    query.for_each(|place| place.0 += by);
}

/// As [`fields`], with the number of keys that were computed.
fn counted(game: &mut Game) -> (EntityIndex<Game, i32>, Arc<AtomicU32>) {
    let asked = Arc::new(AtomicU32::new(0));
    let counter = asked.clone();
    let index = game.entity_index(Game::all_of::<Position>(), move |e| {
        counter.fetch_add(1, Relaxed);
        e.position().0 / 10
    });
    (index, asked)
}

#[test]
fn each_key_is_computed_once() {
    let mut game = Game::new();
    let (index, asked) = counted(&mut game);
    let ids = game.create_many([Position(8), Position(1), Position(2), Position(13)]);
    asked.store(0, Relaxed);
    shift(&mut game, 2);
    assert_eq!(all(&game, &index, 0), [ids[1], ids[2]]);
    assert_eq!(all(&game, &index, 1), [ids[0], ids[3]]);
    assert_eq!(asked.load(Relaxed), 4);
}

#[test]
fn keys_of_many_entities_of_several_archetypes_are_computed_once() {
    let mut game = Game::new();
    let (index, asked) = counted(&mut game);
    let ids = game.create_many((0..40).map(Position));
    game.many(&ids[10..30]).add(Height(1));
    asked.store(0, Relaxed);
    game.many(&ids)
        .replace_with(|id| Position(70 + id.index() as i32 % 2));
    assert_eq!(asked.load(Relaxed), 40);
    assert_eq!((all(&game, &index, 7), index.len(&game)), (ids, 1));
}

#[test]
fn entities_without_a_key_get_one_and_lose_it_again() {
    let mut game = Game::new();
    let places = Game::all_of::<Position>();
    let index = EntityIndex::with_keys(&mut game, places, |e| 0..e.position().0);
    let ids = game.create_many([Position(0), Position(2)]);
    shift(&mut game, 1);
    assert_eq!(all(&game, &index, 0), [ids[0], ids[1]]);
    assert_eq!(all(&game, &index, 2), [ids[1]]);
    shift(&mut game, -1);
    assert_eq!(all(&game, &index, 0), [ids[1]]);
    assert_eq!(index.len(&game), 2);
}

#[test]
fn a_change_of_either_of_two_components_counts() {
    let mut game = Game::new();
    let both = Game::all_of::<(Position, Height)>();
    let index = game.entity_index(both, |e| e.position().0 + e.height().0);
    let ids = game.create_many([(Position(1), Height(0)), (Position(1), Height(1))]);
    let query = game.query_mut::<(Mut<'_, Position>, Mut<'_, Height>)>();
    query.for_each(|(mut place, mut height)| match height.0 {
        0 => place.0 = 7,
        _ => height.0 = 7,
    });
    assert_eq!(all(&game, &index, 7), [ids[0]]);
    assert_eq!(all(&game, &index, 8), [ids[1]]);
    assert_eq!(index.len(&game), 2);
}

/// An index whose key function panics for positions above a shared limit.
fn up_to(game: &mut Game) -> (EntityIndex<Game, i32>, Arc<AtomicI32>) {
    let limit = Arc::new(AtomicI32::new(i32::MAX));
    let shared = limit.clone();
    let index = game.entity_index(Game::all_of::<Position>(), move |e| {
        assert!(e.position().0 <= shared.load(Relaxed), "on purpose");
        e.position().0 / 10
    });
    (index, limit)
}

#[test]
fn a_panic_of_one_key_leaves_all_keys_pending() {
    let mut game = Game::new();
    let (index, limit) = up_to(&mut game);
    let ids = game.create_many([Position(1), Position(9), Position(50), Position(2)]);
    limit.store(40, Relaxed);
    panic_of(|| shift(&mut game, 1));
    limit.store(i32::MAX, Relaxed);
    assert_eq!(all(&game, &index, 0), [ids[0], ids[3]]);
    assert_eq!(all(&game, &index, 1), [ids[1]]);
    assert_eq!(all(&game, &index, 5), [ids[2]]);

    game.destroy(ids[0]);
    game.entity_mut(ids[3]).remove_position();
    assert!(all(&game, &index, 0).is_empty());
    assert_eq!(all(&game, &index, 1), [ids[1]]);

    shift(&mut game, 10);
    assert_eq!(all(&game, &index, 2), [ids[1]]);
    assert_eq!(all(&game, &index, 6), [ids[2]]);
    assert_eq!(index.len(&game), 2);
}

#[test]
fn an_entity_left_by_a_panic_is_not_asked_with_many_others() {
    let mut game = Game::new();
    let (index, limit) = up_to(&mut game);
    let ids = game.create_many((0..30).map(Position));
    limit.store(40, Relaxed);
    panic_of(|| _ = game.entity_mut(ids[0]).replace_position(50));
    game.many(&ids[1..]).replace(Position(13));
    limit.store(i32::MAX, Relaxed);
    assert_eq!(all(&game, &index, 5), [ids[0]]);
    assert_eq!(all(&game, &index, 1), ids[1..]);
}

/// The shortest of three times of a lookup that must compute this many keys.
fn time_to_ask(entities: i32) -> Duration {
    let mut game = Game::new();
    let (index, limit) = up_to(&mut game);
    game.create_many((0..entities).map(|_| Position(1)));
    limit.store(0, Relaxed);
    panic_of(|| shift(&mut game, 1));
    limit.store(i32::MAX, Relaxed);
    let look_up = || assert_eq!(index.get(&game, &0).len(), entities as usize);
    (0..3).map(|_| time_of(look_up)).min().unwrap()
}

#[test]
fn a_lookup_after_a_panic_takes_linear_time() {
    // Other programs share the caches; a quadratic search takes 256 times as long each time.
    let is_linear = |_| time_to_ask(32_000) < 80 * time_to_ask(2_000);
    assert!(
        (0..20).any(is_linear),
        "16 times as many take more than 80 times as long"
    );
}

#[test]
fn a_panic_in_a_query_counts_visited_entities() {
    let mut game = Game::new();
    let index = fields(&mut game);
    let ids = game.create_many([Position(1), Position(2), Position(3)]);
    panic_of(|| {
        game.query_mut::<&mut Position>().for_each(|place| {
            assert_ne!(place.0, 3, "on purpose");
            place.0 += 10;
        });
    });
    assert_eq!(all(&game, &index, 1), [ids[0], ids[1]]);
    assert_eq!(all(&game, &index, 0), [ids[2]]);
    panic_of(|| {
        game.query_mut::<&mut Position>()
            .for_each(|_| panic!("again"))
    });
    assert_eq!(all(&game, &index, 1), [ids[0], ids[1]]);
}

#[test]
fn a_key_function_that_reads_another_index_sees_its_current_state() {
    let mut game = Game::new();
    // Created first, so its key function runs before the index of the fields is up to date.
    let crowds = Arc::new(Mutex::new(None::<EntityIndex<Game, i32>>));
    let fields_of = crowds.clone();
    let crowded = game.entity_index(Game::all_of::<Position>(), move |e| {
        let fields = fields_of.lock().unwrap();
        let fields = fields.as_ref().expect("it has been set");
        fields.get(e.context(), &(e.position().0 / 10)).count()
    });
    *crowds.lock().unwrap() = Some(fields(&mut game));
    let ids = game.create_many([Position(1), Position(11), Position(12)]);
    let query = game.query_mut::<&mut Position>();
    query.for_each(|place| place.0 = (place.0 + 9).max(12));
    // They are now at 12, 20 and 21.
    assert_eq!(crowded.get(&game, &1).ids(), [ids[0]]);
    let mut pair = crowded.get(&game, &2).ids();
    pair.sort();
    assert_eq!(pair, ids[1..]);
}

#[test]
fn a_reactivated_index_has_all_entities_in_order() {
    let mut game = Game::new();
    let index = fields(&mut game);
    let ids = game.create_many((0..200).map(|n| Position(n % 20)));
    index.deactivate(&mut game);
    shift(&mut game, 1);
    index.activate(&mut game);
    let expected = ids.iter().zip(0..200);
    let expected = expected.filter(|(_, n)| (n % 20 + 1) / 10 == 1);
    assert!(all(&game, &index, 1).iter().eq(expected.map(|(id, _)| id)));
    assert_eq!(index.len(&game), 3);
}

#[test]
fn entities_with_unchanged_fields_keep_their_order() {
    let mut game = Game::new();
    let ids = game.create_many([3, 0, 0].map(|moves| Piece { color: 1, moves }));
    let query = game.query_mut::<Mut<'_, Piece>>();
    query.for_each(|mut piece| {
        if piece.moves > 0 {
            piece.moves += 1;
        }
    });
    assert_eq!(game.entities_with_piece(&1).ids(), ids);
}
