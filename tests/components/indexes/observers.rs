//! Indexes are up to date whenever an observer runs, and after changes of observers.

use std::sync::Arc;

use ecs::prelude::*;

use support::game::{Game, GameEntity, GameEntityMut, Seat};

#[derive(Component, Debug, Clone)]
#[component(context = Game, extension)]
struct Band(#[component(index)] u8);

fn bands(game: &Game) -> [usize; 4] {
    [0, 1, 2, 3].map(|band| game.entities_with_band(&band).len())
}

#[test]
fn an_observer_sees_the_final_state() {
    let mut game = Game::new();
    let group = game.group(Game::all_of::<Band>());
    let by_twice = game.entity_index(Game::all_of::<Band>(), |e| e.band().0 * 2);
    let check = move |game: &mut Game, change: &Change<'_, Game>| {
        let id = change.entity();
        let present = game
            .get_entity(id)
            .and_then(|entity| Some(entity.get_band()?.0));
        for band in 0..4 {
            let expected = (present == Some(band)).then_some(id);
            assert!(game.entities_with_band(&band).map(|e| e.id()).eq(expected));
            assert!(by_twice.get(game, &(band * 2)).map(|e| e.id()).eq(expected));
        }
    };
    group.on_entered(&mut game, check.clone());
    group.on_updated(&mut game, check.clone());
    group.on_left(&mut game, check);
    game.observers()
        .on_created(|game, _| assert_eq!(game.entities_with_band(&3).len(), game.len()));
    game.observers()
        .on_will_be_destroyed(|game, _| assert_eq!(bands(game), [0, 0, 1, 0]));
    game.observers()
        .on_destroyed(|game, _| assert_eq!(bands(game), [0; 4]));
    let mut entity = game.create_with(Band(3));
    entity.update_band(|band| band.0 = 1);
    entity.remove_band().add_band(0).replace_band(2);
    entity.destroy();
}

#[test]
fn changes_of_observers_update_indexes_at_once() {
    let mut game = Game::new();
    let group = game.group(Game::all_of::<Band>());
    group.on_entered(&mut game, |game: &mut Game, change: &Change<'_, Game>| {
        let band = game.entity(change.entity()).band().0;
        if band < 3 {
            game.entity_mut(change.entity()).replace_band(band + 1);
            game.create_with(Band(band + 1));
        }
    });
    game.create_with(Band(0));
    assert_eq!(bands(&game), [0, 1, 1, 2]);
}

#[test]
fn members_of_a_key_may_end_one_another() {
    let mut game = Game::new();
    let ids = game.create_many([Band(1), Band(1), Band(2), Band(1)]);
    game.observers().on_destroyed(|game, _| {
        for id in game.entities_with_band(&1).ids() {
            let _ = game.try_destroy(id);
        }
    });
    game.destroy(ids[1]);
    assert_eq!((bands(&game), game.len()), ([0, 0, 1, 0], 1));
}

#[test]
fn freed_keys_can_be_taken_by_an_observer() {
    let mut game = Game::new();
    let heir = game.create_entity().id();
    let owner = game.create_with(Seat(1)).id();
    let seats = game.group(Game::all_of::<Seat>());
    seats.on_left(
        &mut game,
        move |game: &mut Game, change: &Change<'_, Game>| {
            let seat = change.previous::<Seat>().unwrap().0;
            game.entity_mut(heir).add_seat(seat);
        },
    );
    game.destroy(owner);
    assert_eq!(game.entity_with_seat(&1).unwrap().id(), heir);
}

#[test]
fn a_key_of_a_bulk_change_is_taken_before_the_first_observer_runs() {
    let mut game = Game::new();
    let ids = game.create_many((0..3).map(|_| ()));
    let seats = game.group(Game::all_of::<Seat>());
    seats.on_entered(&mut game, |game: &mut Game, change: &Change<'_, Game>| {
        if game.entity(change.entity()).seat().0 == 0 {
            let error = game.try_create_with(Seat(1)).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::DuplicateKey), "{error}");
        }
    });
    game.many(&ids).add_with(|id| Seat(id.index()));
    assert_eq!(game.entity_with_seat(&1).unwrap().id(), ids[1]);
}

#[test]
fn indexes_made_inside_an_observer_have_all() {
    let mut game = Game::new();
    game.observers().on_created(|game, _| {
        let index = game.entity_index(Game::all_of::<Band>(), |e| e.band().0);
        assert_eq!(index.get(game, &1).len(), game.len());
    });
    game.create_with(Band(1));
    game.create_with(Band(1));
    assert_eq!(bands(&game), [0, 2, 0, 0]);
}

/// A reference-counted key.
#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Owner(#[component(index)] Arc<str>);

/// Destroyed with its container.
#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Inside(#[component(relation(on_target_destroyed = destroy))] EntityId<Game>);

/// Removed with its wearer.
#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Worn {
    #[component(relation)]
    by: EntityId<Game>,
    part: u8,
}

#[test]
fn the_keys_of_destroyed_entities_are_dropped_at_once() {
    type Way = fn(&mut Game, &[EntityId<Game>]);
    let ways: [Way; 5] = [
        |game, ids| ids.iter().for_each(|&id| game.destroy(id)),
        |game, ids| game.many(ids).destroy(),
        |game, _| game.destroy_all(),
        |game, ids| {
            game.observers().on_destroyed(|_, _| {});
            game.many(ids).destroy();
        },
        |game, ids| {
            let ship = game.create_entity().id();
            game.many(ids).add_with(|_| Inside(ship));
            game.destroy(ship);
        },
    ];
    for (nth, way) in ways.into_iter().enumerate() {
        let mut game = Game::new();
        let by_name = game.entity_index(Game::all_of::<Owner>(), |e| e.owner().0.clone());
        let names: [Arc<str>; 2] = ["Ada".into(), "Bea".into()];
        let ids = game.create_many((0..10).map(|at| Owner(names[at % 2].clone())));
        assert_eq!(
            Arc::strong_count(&names[0]),
            1 + 5 + 2,
            "a key in each index"
        );
        way(&mut game, &ids);
        let left = names.map(|name| Arc::strong_count(&name));
        assert_eq!(left, [1, 1], "way {nth}");
        assert_eq!(by_name.len(&game), 0);
    }
}

#[test]
fn an_index_is_updated_for_a_lost_relation_before_observers() {
    for observed in [false, true] {
        let mut game = Game::new();
        let worn = game.entity_index(Game::all_of::<Worn>(), |e| e.worn().part);
        let by = game.create_entity().id();
        let hat = game.create_with(Worn { by, part: 1 }).id();
        assert!(worn.get(&game, &1).map(|e| e.id()).eq([hat]));
        if observed {
            let (worn, group) = (worn.clone(), game.group(Game::all_of::<Worn>()));
            group.on_left(&mut game, move |game: &mut Game, _: &Change<'_, Game>| {
                assert_eq!(worn.get(game, &1).len(), 0);
            });
        }
        game.destroy(by);
        assert!(game.contains(hat));
        assert_eq!(worn.get(&game, &1).len(), 0);
        assert_eq!(worn.len(&game), 0);
    }
}

#[test]
fn an_index_that_reuses_a_dropped_one_follows_changes() {
    let mut game = Game::new();
    let id = game.create_with(Band(1)).id();
    drop(game.entity_index(Game::all_of::<Band>(), |e| u64::from(e.band().0)));
    game.storage_mut().shrink_to_fit(); // ends what was made for the handle
    let by_name = game.entity_index(Game::all_of::<Band>(), |e| format!("band {}", e.band().0));
    game.entity_mut(id).replace_band(3);
    let names: Vec<_> = by_name.keys(&game).collect();
    assert_eq!(names, ["band 3"]);
}

#[test]
fn an_index_that_reuses_a_dropped_one_has_no_members_of_its_group() {
    let mut game = Game::new();
    drop(game.entity_index(Game::all_of::<Band>(), |e| u64::from(e.band().0)));
    game.storage_mut().shrink_to_fit(); // ends what was made for the handle
    let worn = Game::all_of::<(Band, Worn)>();
    let by_name = game.entity_index(worn, |e| format!("band {}", e.band().0));
    game.create_with(Band(3));
    assert_eq!(by_name.keys(&game).count(), 0);
    game.storage().check_invariants();
}
