//! Primary indexes: every way to add a taken key is rejected, and changes nothing.

use ecs::prelude::*;

use support::game::{Game, GameEntity, GameEntityMut};
use support::panic_of;

#[derive(Component, Clone, PartialEq)]
#[component(context = Game, extension)]
struct Place {
    #[component(primary_index)]
    row: u32,
    #[component(primary_index)]
    code: Code,
    taken: bool,
}

/// A key that cannot be printed.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Code(&'static str);

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Place {}", self.row)
    }
}

#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Slots(#[component(primary_index(each))] Vec<u32>);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, extension)]
struct Desk {
    #[component(primary_index)]
    number: u32,
    #[component(index)]
    room: u32,
    #[component(relation(reverse = desks))]
    owner: EntityId<Game>,
}

fn codes(row: u32) -> Code {
    Code(["a", "b", "c", "d", "e", "f"][row as usize])
}

fn place(row: u32) -> Place {
    Place {
        row,
        code: codes(row),
        taken: false,
    }
}

/// A context with an entity in each of rows 0, 1 and 2, whose observers must never be called.
fn world() -> (Game, Vec<EntityId<Game>>) {
    let mut game = Game::new();
    let ids = game.create_many((0..3).map(place));
    (game, ids)
}

fn rows(game: &Game) -> Vec<Option<EntityId<Game>>> {
    (0..6)
        .map(|row| Some(game.entity_with_place_row(&row)?.id()))
        .collect()
}

/// Runs a change that must be rejected, and checks that nothing has changed and no observer was
/// called.
#[track_caller]
fn rejected(game: &mut Game, change: impl FnOnce(&mut Game) -> Error) {
    let places = game.group(Game::all_of::<Place>());
    let collector = game.collector(Game::all_of::<Place>().any_change());
    let before = (
        rows(game),
        places.ids(game),
        format!("{:?}", places.iter(game).collect::<Vec<_>>()),
    );
    let error = change(game);
    assert!(matches!(error.kind(), ErrorKind::DuplicateKey), "{error}");
    let after = (
        rows(game),
        places.ids(game),
        format!("{:?}", places.iter(game).collect::<Vec<_>>()),
    );
    assert_eq!(before, after);
    assert!(collector.is_empty(game));
    collector.release(game);
}

#[test]
fn no_way_in_takes_a_second_owner() {
    let (mut game, ids) = world();
    let bare = game.create_entity().id();
    rejected(&mut game, |game| {
        game.entity_mut(bare).try_add(place(1)).unwrap_err()
    });
    rejected(&mut game, |game| {
        game.entity_mut(bare).try_replace(place(1)).unwrap_err()
    });
    rejected(&mut game, |game| {
        game.entity_mut(ids[0]).try_replace(place(1)).unwrap_err()
    });
    rejected(&mut game, |game| {
        let mut entity = game.entity_mut(ids[0]);
        entity
            .try_update(|place: &mut Place| place.row = 2)
            .unwrap_err()
    });
    rejected(&mut game, |game| {
        game.many(&[bare]).try_add_with(|_| place(1)).unwrap_err()
    });
    assert_eq!(game.len(), 4);
}

#[test]
fn the_second_primary_field_is_checked_too() {
    let (mut game, ids) = world();
    let wrong = Place {
        row: 5,
        code: codes(1),
        taken: true,
    };
    let error = game.create_entity().try_add(wrong).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot add component `Place` to entity 3v1 of context `Game`: entity 1v1 has the same \
         `code` already, and a primary index allows one; check `entity_with_place_code` first, or \
         use `swap` to exchange two"
    );
    assert_eq!(error.kind(), ErrorKind::DuplicateKey);
    assert_eq!(error.entity().unwrap().index(), 3);
    assert_eq!(error.owner(), Some(ids[1].raw()));
    let key = error.key().unwrap();
    assert_eq!(
        (key.field(), key.lookup(), key.text()),
        ("code", "entity_with_place_code", None)
    );
    assert_eq!(
        (error.component().unwrap().component, error.context()),
        ("Place", "Game")
    );
}

#[test]
fn an_error_shows_the_key_if_it_is_debug() {
    let (mut game, _) = world();
    let error = game.create_entity().try_add(place(1)).unwrap_err();
    let key = error.key().unwrap();
    assert_eq!((key.field(), key.text()), ("row", Some("1")));
}

#[test]
fn the_plain_methods_panic_with_the_error() {
    let (mut game, ids) = world();
    let id = ids[0];
    let text = panic_of(|| game.entity_mut(id).update_place(|place| place.row = 1));
    assert!(
        text.starts_with("cannot update component `Place` of entity 0v1"),
        "{text}"
    );
    let text = panic_of(|| game.entity_mut(id).replace(place(1)).id());
    assert!(
        text.starts_with("cannot replace component `Place` of entity 0v1"),
        "{text}"
    );
    let text = panic_of(|| game.create_with(place(1)).id());
    assert!(
        text.contains("entity 1v1 has the `row` 1 already"),
        "{text}"
    );
    assert_eq!((game.len(), game.storage().reusable_entities()), (3, 0));
    let text = panic_of(|| game.create_many([place(3), place(3), place(4)]));
    assert!(
        text.contains("entity 3v1 has the `row` 3 already"),
        "{text}"
    );
    assert!(game.entity_with_place_row(&3).is_some() && game.entity_with_place_row(&4).is_none());
}

#[test]
fn existing_errors_come_first() {
    let (mut game, ids) = world();
    let error = game.entity_mut(ids[0]).try_add(place(1)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::AlreadyHasComponent));
    let gone = game.create_entity().id();
    game.entity_mut(gone).destroy();
    assert!(matches!(
        game.many(&[gone]).try_add_with(|_| place(1)),
        Err(error) if error.kind() == ErrorKind::NotAlive
    ));
    let error = game.many(&ids[..1]).try_add_with(|_| place(1)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::AlreadyHasComponent));
}

#[test]
fn an_entity_keeps_its_own_key() {
    let (mut game, ids) = world();
    let mut entity = game.entity_mut(ids[1]);
    entity.update_place(|place| place.taken = true);
    entity.replace(place(1));
    assert_eq!(game.entity_with_place_row(&1).unwrap().id(), ids[1]);
    game.entity_mut(ids[1])
        .update_place(|place| (place.row, place.code) = (4, codes(4)));
    assert_eq!(
        rows(&game),
        [Some(ids[0]), None, Some(ids[2]), None, Some(ids[1]), None]
    );
}

#[test]
fn an_update_that_panics_has_changed_nothing() {
    let (mut game, ids) = world();
    panic_of(|| {
        game.entity_mut(ids[0]).update_place(|place| {
            place.row = 5;
            panic!("on purpose");
        });
    });
    assert_eq!(game.entity(ids[0]).place().row, 0);
    assert_eq!(rows(&game)[0], Some(ids[0]));
}

#[test]
fn an_update_passes_observers_the_previous_value() {
    let (mut game, ids) = world();
    let places = game.group(Game::all_of::<Place>());
    places.on_updated(&mut game, |game: &mut Game, change: &Change<'_, Game>| {
        assert_eq!(change.previous::<Place>(), Some(&place(0)));
        assert_eq!(
            game.entity_with_place_row(&5).unwrap().id(),
            change.entity()
        );
        game.entity_mut(change.entity()).add_slots(vec![1]);
    });
    game.entity_mut(ids[0])
        .update_place(|place| (place.row, place.code) = (5, codes(5)));
    assert!(game.entity(ids[0]).has_slots());
}

#[test]
fn two_keys_can_be_swapped() {
    let (mut game, ids) = world();
    let group = game.group(Game::all_of::<Place>());
    group.on_updated(&mut game, {
        let ids = ids.clone();
        move |game: &mut Game, change: &Change<'_, Game>| {
            let other = if change.entity() == ids[0] { 2 } else { 0 };
            assert_eq!(change.previous::<Place>().unwrap().row, 2 - other);
            assert_eq!(rows(game)[..3], [Some(ids[2]), Some(ids[1]), Some(ids[0])]);
        }
    });
    let collector = game.collector(Game::all_of::<Place>().updated());
    game.entity_mut(ids[0]).swap::<Place>(ids[2]);
    assert_eq!(collector.drain(&mut game), [ids[0], ids[2]]);
    assert_eq!(game.entity(ids[0]).place(), &place(2));
    game.entity_mut(ids[1]).swap::<Place>(ids[1]);
    assert!(collector.is_empty(&game));

    let bare = game.create_entity().id();
    let error = game.entity_mut(ids[0]).try_swap::<Place>(bare).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot swap component `Place` of entity 3v1 of context `Game`: it has none; check \
         `has_place` first"
    );
    game.destroy(bare);
    let text = panic_of(|| _ = game.entity_mut(ids[0]).swap::<Place>(bare));
    assert!(
        text.starts_with("cannot swap component `Place` of entity 3v1"),
        "{text}"
    );
    assert_eq!(game.entity(ids[0]).place(), &place(2));
}

#[test]
fn many_keys_at_once_must_be_free_and_differ() {
    let mut game = Game::new();
    let ids = game.create_many((0..3).map(|_| ()));
    let error = game
        .many(&ids)
        .try_add_with(|id| Slots(vec![id.index(), 7]))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot add component `Slots` to entity 1v1 of context `Game`: entity 0v1 has the `value` 7 \
         already, and a primary index allows one; check `entity_with_slots` first, or use `swap` to \
         exchange two"
    );
    assert!(ids.iter().all(|id| !game.entity(*id).has_slots()));
    assert!(game.entity_with_slots(&0).is_none());
    game.many(&ids)
        .add_with(|id| Slots(vec![id.index(), 7 + id.index(), 7 + id.index()]));
    assert_eq!(game.entity_with_slots(&9).unwrap().id(), ids[2]);
    game.entity_mut(ids[0])
        .update_slots(|slots| slots.0 = vec![7]);
    assert!(game.entity_with_slots(&0).is_none());
}

#[test]
fn a_key_is_free_again_when_its_owner_ends() {
    let (mut game, ids) = world();
    game.destroy(ids[0]);
    let id = game.create_with(place(0)).id();
    assert_eq!(rows(&game)[0], Some(id));
    game.reset();
    assert_eq!(rows(&game), [None; 6]);
    game.create_many((0..6).map(place));
    assert!(rows(&game).iter().all(Option::is_some));
}

#[test]
fn a_copy_lacks_unique_components_and_keys() {
    let (mut game, ids) = world();
    game.entity_mut(ids[0]).add_slots(vec![1]);
    let copy = game.clone_entity(ids[0]).id();
    assert!(game.entity(copy).is_empty());
    let text = panic_of(|| game.create_columns((vec![place(5), place(5)],)));
    assert!(text.contains("has the `row` 5 already"), "{text}");
}

#[test]
fn a_key_freed_by_a_duplicate_entity_is_free_for_the_next() {
    let (mut game, ids) = world();
    let mut rows_to_come = [4, 5, 4].map(place).into_iter();
    let twice = [ids[0], ids[0], ids[1]];
    game.many(&twice)
        .replace_with(|_| rows_to_come.next().unwrap());
    let [free, other] = [None, Some(ids[2])];
    assert_eq!(
        rows(&game),
        [free, free, other, free, Some(ids[1]), Some(ids[0])]
    );
}

#[test]
fn a_shared_key_next_to_a_primary_one() {
    let mut game = Game::new();
    let owner = game.create_entity().id();
    let desk = |number| Desk {
        number,
        room: 1,
        owner,
    };
    let ids = game.create_many([1, 2].map(desk));
    game.entity_mut(ids[1]).replace(desk(3));
    assert_eq!(game.entities_with_desk_room(&1).len(), 2);
}

#[test]
fn keys_of_swapped_relation_components_are_swapped() {
    let mut game = Game::new();
    let owners = [(); 2].map(|()| game.create_entity().id());
    let desks = [1, 2].map(|number| Desk {
        number,
        room: number,
        owner: owners[0],
    });
    let ids = game.create_many(desks.clone());
    game.entity_mut(ids[0]).swap::<Desk>(ids[1]);
    assert_eq!(game.entity_with_desk_number(&1).unwrap().id(), ids[1]);
    assert_eq!(game.entity(ids[0]).desk(), &desks[1]);
}
