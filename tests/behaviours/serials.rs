//! Numbers in order of creation, as the guide's page for users of Entitas makes them of components and an observer.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use support::game::{Game, GameEntity, GameEntityMut, Id};

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, extension)]
struct Serial(#[component(primary_index)] u64);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, unique, extension)]
struct NextSerial(u64);

/// Numbers the entities that are created from now on.
fn number_entities(game: &mut Game) {
    game.observers().on_created(|game, id| {
        let is_counter = game.entity(id).has_next_serial();
        if let Some(&NextSerial(next)) = game.get_next_serial().filter(|_| !is_counter) {
            game.set_next_serial(next + 1);
            game.entity_mut(id).add_serial(next);
        }
    });
}

fn numbered(first: u64) -> Game {
    let mut game = Game::new();
    number_entities(&mut game);
    game.set_next_serial(first);
    game
}

fn serials(game: &Game, ids: &[Id]) -> Vec<u64> {
    ids.iter().map(|id| game.entity(*id).serial().0).collect()
}

/// CTX-002, CTX-059.
#[test]
fn serial_numbers_count_from_a_chosen_one() {
    let mut game = numbered(42);
    let ids: Vec<_> = (0..3).map(|_| game.create_entity().id()).collect();
    assert_eq!(serials(&game, &ids), [42, 43, 44]);
    game.destroy(ids[2]);
    assert_eq!(game.create_entity().serial().0, 45, "in the slot of 44");
    assert_eq!(game.clone_entity(ids[0]).serial().0, 46);
    assert_eq!(game.entity_with_serial(&43).unwrap().id(), ids[1]);
    game.reset();
    game.set_next_serial(0);
    assert_eq!(game.create_entity().serial().0, 0);
}

#[test]
fn serial_numbers_are_kept_by_saves_snapshots_and_rewinds() {
    let mut game = numbered(7);
    let ids = [(); 3].map(|()| game.create_entity().id());
    let next = |game: &mut Game| game.create_entity().serial().0;

    let save = serde_json::to_string(&game.save()).unwrap();
    let mut loaded = Game::load(&mut serde_json::Deserializer::from_str(&save)).unwrap();
    number_entities(&mut loaded);
    assert_eq!(
        (serials(&loaded, &ids), next(&mut loaded)),
        (vec![7, 8, 9], 10)
    );

    let snapshot = game.snapshot();
    game.destroy(ids[0]);
    assert_eq!(next(&mut game), 10);
    game.restore(&snapshot);
    assert_eq!((serials(&game, &ids), next(&mut game)), (vec![7, 8, 9], 10));

    let history = game.record();
    let mark = history.mark(&mut game);
    game.destroy(ids[1]);
    assert_eq!((next(&mut game), next(&mut game)), (11, 12));
    history.rewind(&mut game, mark);
    assert_eq!((serials(&game, &ids), next(&mut game)), (vec![7, 8, 9], 11));
}
