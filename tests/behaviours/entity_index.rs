//! Entity indexes: the entities of a key, and their updates.

use ecs::prelude::*;

use super::world::{Game, GameEntity, GameEntityMut, Plain, PlainEntity, PlainEntityMut};
use support::panic_of;

#[derive(Component, Debug)]
#[component(context = Game)]
struct Name(#[component(index, into)] String);

#[derive(Component, Debug)]
#[component(context = Game)]
struct Nicks(#[component(index(each))] Vec<&'static str>);

#[derive(Component, Debug, Clone)]
#[component(context = Game)]
struct Seat(#[component(primary_index)] u32);

#[derive(Component, Debug, Clone)]
#[component(context = Game)]
struct Cells(#[component(primary_index(each))] [i32; 2]);

#[derive(Component)]
#[component(context(Game, Plain))]
struct Age(u32);

#[derive(Component)]
#[component(context = Game)]
struct Hidden;

type Ids = Vec<EntityId<Game>>;

fn named(game: &Game, name: &str) -> Ids {
    game.entities_with_name(name).ids()
}

fn nicked(game: &Game, nick: &str) -> Ids {
    game.entities_with_nicks(nick).ids()
}

fn seat(game: &Game, number: u32) -> Option<EntityId<Game>> {
    game.entity_with_seat(&number).map(|entity| entity.id())
}

fn cell(game: &Game, cell: i32) -> Option<EntityId<Game>> {
    game.entity_with_cells(&cell).map(|entity| entity.id())
}

/// An index by age of all entities with an age.
fn by_age(game: &mut Game) -> EntityIndex<Game, u32> {
    game.entity_index(Game::all_of::<Age>(), |entity| entity.age().0)
}

/// The same with two keys for each entity.
fn by_both_ages(game: &mut Game) -> EntityIndex<Game, u32> {
    let keys = |entity: GameEntity<'_>| [entity.age().0, entity.age().0 + 100];
    EntityIndex::with_keys(game, Game::all_of::<Age>(), keys)
}

fn aged(game: &mut Game, age: u32) -> EntityId<Game> {
    game.create_entity().add_age(age).id()
}

/// IDX-001, PIX-001.
#[test]
fn an_unknown_key_has_no_entities() {
    let mut game = Game::new();
    game.create_entity().add_name("Ann").add_seat(1);
    assert_eq!(named(&game, "Ben"), []);
    assert_eq!((seat(&game, 2), seat(&game, 2)), (None, None));
    let ages = by_age(&mut game);
    assert_eq!(ages.get(&game, &3).len(), 0);
    assert_eq!(ages.len(&game), 0, "to ask for a key does not make it one");
}

/// IDX-002, GIX-003.
#[test]
fn a_key_has_all_entities_that_carry_it() {
    let mut game = Game::new();
    let ids = ["Ann", "Ben", "Ann"].map(|name| game.create_entity().add_name(name).id());
    assert_eq!(named(&game, "Ann"), [ids[0], ids[2]]);
    assert_eq!(named(&game, "Ben"), [ids[1]]);
}

/// IDX-003, IDX-007.
#[test]
fn an_entity_is_found_once_under_each_of_its_keys() {
    let mut game = Game::new();
    let late = game.create_entity().add_nicks(vec!["a", "b", "a"]).id();
    assert_eq!(
        (nicked(&game, "a"), nicked(&game, "b")),
        (vec![late], vec![late])
    );

    let early = aged(&mut game, 1);
    let ages = by_both_ages(&mut game);
    let late = aged(&mut game, 1);
    for key in [1, 101] {
        assert_eq!(ages.get(&game, &key).ids(), [early, late]);
    }
}

/// IDX-004, IDX-005, PIX-004, PIX-005.
#[test]
fn no_dead_entity_is_ever_found() {
    let mut game = Game::new();
    let ages = by_both_ages(&mut game);
    let id = game.create_entity().add_age(3).add_name("Ann").id();
    game.entity_mut(id)
        .add_seat(1)
        .add_cells([5, 6])
        .add_nicks(vec!["a", "b"]);
    game.destroy(id);
    assert_eq!((named(&game, "Ann"), nicked(&game, "b")), (vec![], vec![]));
    assert_eq!(
        (seat(&game, 1), cell(&game, 5), cell(&game, 6)),
        (None, None, None)
    );
    assert!(ages.is_empty(&game));

    let other = game.create_entity().add_seat(1).id();
    assert_eq!(other.index(), id.index(), "the slot is used again");
    assert_eq!(seat(&game, 1), Some(other));
    assert_eq!(named(&game, "Ann"), []);
}

/// IDX-006.
#[test]
fn a_late_index_has_existing_entities() {
    let mut game = Game::new();
    let ids = [aged(&mut game, 1), aged(&mut game, 2)];
    let ages = by_age(&mut game);
    for (id, age) in ids.into_iter().zip(1..) {
        assert_eq!(ages.single(&game, &age).unwrap().id(), id);
    }
}

/// IDX-008, IDX-009, PIX-007, PIX-008.
#[test]
fn an_entity_leaves_its_keys_with_the_component() {
    let mut game = Game::new();
    let ids = [1, 2].map(|_| {
        game.create_entity()
            .add_name("Ann")
            .add_nicks(vec!["a", "b"])
            .id()
    });
    game.entity_mut(ids[0]).add_seat(1).add_cells([3, 4]);
    game.entity_mut(ids[0])
        .remove_name()
        .remove_nicks()
        .remove_seat();
    assert!(game.entity_mut(ids[0]).take_cells().is_some());
    assert_eq!(
        (named(&game, "Ann"), nicked(&game, "a")),
        (vec![ids[1]], vec![ids[1]])
    );
    assert_eq!(
        (seat(&game, 1), cell(&game, 3), cell(&game, 4)),
        (None, None, None)
    );

    game.entity_mut(ids[1]).add_seat(1).add_cells([4, 3]);
    assert_eq!(
        (seat(&game, 1), cell(&game, 3)),
        (Some(ids[1]), Some(ids[1]))
    );
}

/// IDX-010.
#[test]
fn an_index_prints_its_kind_and_group() {
    let mut game = Game::new();
    let ages = by_age(&mut game);
    aged(&mut game, 7);
    assert_eq!(
        ages.display(&game).to_string(),
        "EntityIndex(AllOf(Age), keys: 1)"
    );
    assert!(format!("{ages:?}").starts_with("EntityIndex("));
    let found = ages.get(&game, &7);
    assert_eq!(format!("{found:?}"), "[0v1]");
}

/// IDX-011, IDX-012.
#[test]
fn a_deactivated_index_is_empty_and_takes_nothing_in() {
    let mut game = Game::new();
    let ages = by_age(&mut game);
    aged(&mut game, 1);
    ages.deactivate(&mut game);
    ages.deactivate(&mut game);
    assert!(ages.is_empty(&game) && !ages.is_active(&game));
    aged(&mut game, 2);
    aged(&mut game, 2);
    assert!(ages.is_empty(&game) && ages.single(&game, &2).is_none());
}

/// IDX-013, IDX-014, IDX-015.
#[test]
fn an_activated_index_files_present_and_later_members_once() {
    let mut game = Game::new();
    let (ages, both) = (by_age(&mut game), by_both_ages(&mut game));
    let first = aged(&mut game, 1);
    ages.deactivate(&mut game);
    both.deactivate(&mut game);
    let second = aged(&mut game, 1);
    let third = aged(&mut game, 3);
    for _ in 0..2 {
        ages.activate(&mut game);
        both.activate(&mut game);
    }
    assert_eq!(ages.get(&game, &1).ids(), [first, second]);
    assert_eq!(both.get(&game, &103).ids(), [third]);
    let several = panic_of(|| ages.single(&game, &1).is_some());
    assert!(
        several.contains("over AllOf(Age) has 2 entities under a key"),
        "{several}"
    );

    let later = aged(&mut game, 3);
    assert_eq!(both.get(&game, &3).ids(), [third, later]);
}

/// IDX-016.
#[test]
fn a_key_is_read_from_the_entity_for_any_last_component() {
    let mut game = Game::new();
    let matcher = Game::all_of::<(Age, Name)>();
    let index = game.entity_index(matcher, |e| (e.age().0, e.name().0.clone()));
    let ids = [
        game.create_entity().add_age(1).add_name("Ann").id(),
        game.create_entity().add_name("Ann").add_age(1).id(),
    ];
    assert_eq!(index.get(&game, &(1, "Ann".to_string())).ids(), ids);
    game.entity_mut(ids[0]).replace_name("Ben");
    assert_eq!(index.get(&game, &(1, "Ben".to_string())).ids(), [ids[0]]);
    assert_eq!(index.get(&game, &(1, "Ann".to_string())).ids(), [ids[1]]);
}

/// IDX-017.
#[test]
fn an_entity_leaves_the_key_it_is_filed_under_also_through_an_excluded_component() {
    let mut game = Game::new();
    let matcher = Game::all_of::<Age>().none_of::<Hidden>();
    let index = game.entity_index(matcher, |entity| entity.age().0);
    let id = aged(&mut game, 1);
    game.entity_mut(id).add_hidden();
    assert!(!index.contains(&game, &1));
    game.entity_mut(id).replace_age(2).remove_hidden();
    assert!(index.contains(&game, &2) && index.len(&game) == 1);
}

/// PIX-002, GIX-002.
#[test]
fn a_primary_key_has_its_entity() {
    let mut game = Game::new();
    let ids = [1, 2].map(|number| game.create_entity().add_seat(number).id());
    assert_eq!([seat(&game, 1), seat(&game, 2)], ids.map(Some));
}

/// PIX-003.
#[test]
fn an_entity_may_have_several_primary_keys() {
    let mut game = Game::new();
    let id = game.create_entity().add_cells([3, 4]).id();
    assert_eq!([cell(&game, 3), cell(&game, 4)], [Some(id); 2]);
    assert!(game.create_entity().try_add_cells([5, 4]).is_err());
    assert_eq!(cell(&game, 5), None);
}

/// PIX-009, ERR-017.
#[test]
fn a_second_entity_with_a_key_is_rejected_and_nothing_has_changed() {
    let mut game = Game::new();
    let owner = game.create_entity().add_seat(7).id();
    let seats = game.group(Game::all_of::<Seat>());
    let collector = game.collector(Game::all_of::<Seat>().entered_or_updated());
    seats.on_entered(&mut game, |_, _| panic!("nothing has changed"));
    let other = game.create_entity().id();
    let error = game.entity_mut(other).try_add_seat(7).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot add component `Seat` to entity 1v1 of context `Game`: entity 0v1 has the `value` 7 \
         already, and a primary index allows one; check `entity_with_seat` first, or use `swap` to \
         exchange two"
    );
    assert!(!game.entity(other).has_seat() && collector.is_empty(&game));
    game.destroy(other);
    assert_eq!((seat(&game, 7), seats.len(&game)), (Some(owner), 1));
}

/// GIX-001, GIY-001, GIY-002.
#[test]
fn the_indexes_of_fields_are_there_from_the_beginning_where_a_context_has_any() {
    let game = Game::new();
    assert_eq!(game.entities_with_name("Ann").len(), 0);
    assert!(game.entity_with_seat(&1).is_none());
    let all = Group::all(&game);
    let matchers: Vec<_> = all
        .iter()
        .map(|g| format!("{:?}", g.matcher(&game)))
        .collect();
    for indexed in ["Cells", "Name", "Nicks", "Seat"] {
        assert!(
            matchers.contains(&format!("AllOf({indexed})")),
            "{matchers:?}"
        );
    }
    assert!(!matchers.contains(&"AllOf(Age)".to_owned()));
    assert!(Group::all(&Plain::new()).is_empty());
}
