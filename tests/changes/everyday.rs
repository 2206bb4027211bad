//! Everyday code: above all, each test must compile.

use ecs::prelude::*;

use support::game::{Frozen, Game, GameEntity, GameEntityMut, Health, Position, Score, Seat};
use support::panic_of;

#[derive(Component, Debug, PartialEq)]
#[component(context = Game, extension)]
struct NotClone(u32);

/// A factory that creates an entity and returns its handle, in one expression.
fn bolt(game: &mut Game, x: i32) -> GameEntityMut<'_> {
    game.create_entity().with(|bolt| {
        bolt.add_position(x).add_health(3);
    })
}

/// Adds a component conditionally.
fn bolt_with(game: &mut Game, is_frozen: bool) -> GameEntityMut<'_> {
    game.create_with((Health(3), is_frozen.then_some(Frozen)))
}

#[test]
fn a_factory_returns_a_handle_by_value() {
    let mut game = Game::new();
    let id = bolt(&mut game, 2).add_frozen().id();
    assert_eq!(game.entity(id).position(), &Position(2));
    assert!(game.entity(id).is_frozen());
    assert!(bolt_with(&mut game, true).is_frozen());
    assert!(!bolt_with(&mut game, false).is_frozen());
}

#[test]
fn an_update_reads_everything_else() {
    let mut game = Game::new();
    let strong = bolt(&mut game, 1).id();
    let weak = game.create_with(Health(1)).id();
    let mut entity = game.entity_mut(weak);
    entity.update_health_with(|health, game| {
        assert_eq!(game.entity(weak).health().0, 1, "as it was");
        health.0 += game.entity(strong).health().0;
    });
    assert_eq!(entity.health().0, 4);
    let missing = entity.try_update_position_with(|_, _| unreachable!());
    let missing = missing.map(drop).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::DoesNotHaveComponent);
    let message = panic_of(|| {
        game.entity_mut(weak).update_position_with(|_, _| ());
    });
    assert!(
        message.contains("cannot update component `Position`"),
        "{message}"
    );
}

#[test]
fn an_update_that_reads_rejects_a_taken_key() {
    let mut game = Game::new();
    game.create_with(Seat(1));
    let mut second = game.create_with(Seat(2));
    let rejected = second.try_update_seat_with(|seat, game| {
        assert!(game.entity_with_seat(&1).is_some());
        seat.0 = 1;
    });
    assert_eq!(
        rejected.map(drop).unwrap_err().kind(),
        ErrorKind::DuplicateKey
    );
    assert_eq!(second.seat().0, 2);
}

#[test]
fn a_rejected_create_creates_nothing() {
    let mut game = Game::new();
    let created = game.collector(Game::all_of::<Health>().entered());
    game.create_with(Seat(1));
    let taken = game.try_create_with((Health(1), Seat(1)));
    let taken = taken.map(drop).unwrap_err();
    assert_eq!(taken.kind(), ErrorKind::DuplicateKey);
    assert_eq!(game.len(), 1);
    assert!(created.is_empty(&game));
    assert_eq!(game.storage().reusable_entities(), 0, "no slot has come");
    let id = game
        .try_create_with((Health(1), Seat(2)))
        .map(|entity| entity.id());
    assert_eq!(game.entity_with_seat(&2).map(|e| e.id()), id.ok());
    assert_eq!(created.len(&game), 1);
}

#[test]
fn a_second_owner_is_rejected_at_its_creation() {
    let mut game = Game::new();
    let owner = game.create_with(Score(1)).id();
    let rejected = game.try_create_with((Health(1), Score(2)));
    let rejected = rejected.map(drop).unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::UniqueAlreadySet);
    assert_eq!(rejected.owner(), Some(owner.raw()));
    assert_eq!(rejected.operation(), ecs::Operation::Add);
    game.destroy(owner);
    assert!(game.try_create_with(Score(3)).is_ok());
    assert_eq!(game.score(), &Score(3));
}

#[test]
fn entities_before_the_rejected_one_are_created() {
    let mut game = Game::new();
    let mut seats = [4, 5, 4, 6].map(Seat).into_iter();
    let rejected = game.try_create_many(seats.by_ref()).unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::DuplicateKey);
    assert_eq!(game.len(), 2);
    assert_eq!(seats.len(), 1, "what comes after it is not asked for");
    let more = game.try_create_many(seats).unwrap();
    assert_eq!(game.entity(more[0]).seat().0, 6);
}

#[test]
fn rows_before_the_rejected_one_of_columns_are_created() {
    for recycled in [false, true] {
        let mut game = Game::new();
        if recycled {
            game.create_with(Health(1)).destroy();
        }
        let entered = game.group(Game::all_of::<Seat>());
        let seats = || [4, 5, 4, 6].map(Seat);
        let healths = || (0..4).map(Health).collect::<Vec<_>>();
        let columns = (Vec::from(seats()), healths());
        let rejected = game.try_create_columns(columns).unwrap_err();
        assert_eq!(rejected.kind(), ErrorKind::DuplicateKey);
        assert_eq!((game.len(), entered.len(&game)), (2, 2));
        assert_eq!(game.entity_with_seat(&5).unwrap().health().0, 1);
        let more = game.try_create_columns((vec![Seat(6)],)).unwrap();
        assert_eq!(game.entity(more[0]).seat().0, 6);
    }
}

#[test]
fn two_entities_at_once() {
    let mut game = Game::new();
    let [a, b] = [1, 2].map(|n| game.create_with(Health(n)).id());
    let both = game
        .query_mut::<&mut Health>()
        .get_many([a, b], |[a, b]| std::mem::swap(a, b));
    assert!(both.is_ok());
    assert_eq!(game.entity(a).health().0, 2);
}

#[test]
fn a_component_without_clone_is_updated_without_the_context() {
    let mut game = Game::new();
    let mut entity = game.create_with(NotClone(1));
    entity.update_not_clone(|value| value.0 = 2);
    assert_eq!(entity.not_clone().0, 2);
}

#[test]
fn the_rest_of_an_entity_iterator_is_printed() {
    let mut game = Game::new();
    let ids = game.create_many([(), (), (), ()]);
    game.destroy(ids[1]);
    let mut entities = game.entities();
    let printed = |ids: &[EntityId<Game>]| format!("{ids:?}");
    assert_eq!(format!("{entities:?}"), printed(&[ids[0], ids[2], ids[3]]));
    entities.next();
    entities.next();
    assert_eq!(format!("{entities:?}"), printed(&[ids[3]]));
}
