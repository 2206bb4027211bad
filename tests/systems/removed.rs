//! Removed values.

use std::sync::Arc;

use ecs::RemovedValues;
use ecs::prelude::*;

use super::world::{Counted, Frozen, Game, Health, Log, Name};
use support::panic_of;

fn losing() -> (Game, RemovedValues<Game, Health>) {
    let mut game = Game::new();
    let lost = game.removed_values::<Health>();
    (game, lost)
}

#[test]
fn every_way_of_losing_a_component_is_collected_in_order() {
    let (mut game, lost) = losing();
    let ids = game.create_many((0..6).map(Health));
    game.entity_mut(ids[5]).add_name("five").remove_health();
    assert_eq!(game.entity_mut(ids[1]).take_health(), Some(Health(1)));
    game.destroy(ids[3]);
    game.entity_mut(ids[0]).add_frozen().remove_all();
    game.many(&[ids[4], ids[2]]).remove::<Health>();
    let order = [5, 1, 3, 0, 4, 2];
    let expected = order.map(|at| (ids[at], Health(at as u32)));
    assert_eq!(lost.values(&game), expected);
    assert_eq!(lost.drain(&mut game), expected);
    assert_eq!(lost.drain(&mut game), []);
}

#[test]
fn bulk_changes_are_collected_entity_by_entity() {
    let (mut game, lost) = losing();
    let ids = game.create_many((0..6).map(Health));
    game.many(&ids[4..]).add_with(|_| Frozen);
    game.many(&[ids[2], ids[0]]).destroy();
    let frozen = game.group(Game::all_of::<Frozen>());
    assert_eq!(frozen.remove_from_all::<Health>(&mut game), 2);
    let healthy = game.group(Game::all_of::<Health>());
    assert_eq!(healthy.destroy_all(&mut game), 2);
    let order = [2, 0, 4, 5, 1, 3];
    let expected = order.map(|at| (ids[at], Health(at as u32)));
    assert_eq!(lost.drain(&mut game), expected);
}

#[test]
fn every_removal_is_collected_with_the_last_value() {
    let (mut game, lost) = losing();
    let id = game.create_with(Health(1)).id();
    let mut entity = game.entity_mut(id);
    entity
        .replace_health(2)
        .update_health(|health| health.0 = 3);
    entity.remove_health().add_health(4).remove_health();
    assert_eq!(lost.drain(&mut game), [(id, Health(3)), (id, Health(4))]);
}

#[test]
fn only_later_removals_of_the_component_are_collected() {
    let mut game = Game::new();
    game.create_with(Health(1)).remove_health();
    let lost = game.removed_values::<Health>();
    game.create_with((Frozen, Health(1))).remove_frozen();
    assert!(lost.is_empty(&game));
}

#[test]
fn several_collect_independently() {
    let (mut game, lost) = losing();
    let names = game.removed_values::<Name>();
    let again = game.removed_values::<Health>();
    let id = game.create_entity().add_health(1).add_name("x").id();
    game.destroy(id);
    assert_eq!(lost.drain(&mut game).len(), 1);
    assert_eq!((names.len(&game), again.len(&game)), (1, 1));
    again.clear(&mut game);
    assert_eq!(names.drain(&mut game)[0].1.0, "x");
    assert!(again.is_empty(&game));
}

#[test]
fn removals_inside_observers_are_collected_except_taken_values() {
    let (mut game, lost) = losing();
    let frozen = game.group(Game::all_of::<Frozen>());
    frozen.on_entered(&mut game, |game, change| {
        game.entity_mut(change.entity()).remove_health();
    });
    frozen.on_left(&mut game, |game, change| {
        game.entity_mut(change.entity()).take_health();
    });
    let id = game.create_with(Health(1)).add_frozen().id();
    game.entity_mut(id).add_health(2).remove_frozen();
    assert!(!game.entity(id).has_health());
    assert_eq!(lost.drain(&mut game), [(id, Health(1))]);
}

#[test]
fn while_deactivated_nothing_is_collected() {
    let (mut game, lost) = losing();
    game.create_with(Health(1)).remove_health();
    lost.deactivate(&mut game);
    assert!(!lost.is_active(&game));
    game.create_with(Health(2)).remove_health();
    lost.activate(&mut game);
    let id = game.create_with(Health(3)).remove_health().id();
    assert_eq!(lost.drain(&mut game), [(id, Health(3))]);
}

#[test]
fn clearing_observers_does_not_stop_collecting() {
    let (mut game, lost) = losing();
    let healthy = game.group(Game::all_of::<Health>());
    healthy.on_left(&mut game, |_, _| panic!("ended"));
    game.observers().clear();
    healthy.clear_observers(&mut game);
    game.create_with(Health(1)).remove_health();
    assert_eq!(lost.len(&game), 1);
}

#[test]
fn a_reset_clears_removed_values() {
    let (mut game, lost) = losing();
    game.create_with(Health(1));
    game.reset();
    assert!(lost.is_empty(&game));
    game.create_with(Health(2)).remove_health();
    assert_eq!(lost.len(&game), 1);
}

#[test]
fn a_released_slot_is_reused_by_another_component() {
    let (mut game, lost) = losing();
    lost.release(&mut game);
    let names = game.removed_values::<Name>();
    let id = game.create_entity().add_health(1).add_name("x").id();
    game.destroy(id);
    assert_eq!(names.len(&game), 1);
    assert!(game.group(Game::all_of::<Health>()).is_empty(&game));
}

#[test]
fn their_contents_are_counted_and_freed() {
    let (mut game, lost) = losing();
    game.create_many((0..1000).map(Health));
    game.destroy_all();
    game.storage_mut().shrink_to_fit();
    let held = game.storage().memory().total();
    assert_eq!(lost.drain(&mut game).len(), 1000);
    let value = size_of::<(EntityId<Game>, Health)>();
    assert!(game.storage().memory().total() + 1000 * value <= held);
}

#[test]
fn another_context_is_rejected() {
    let (_, lost) = losing();
    let mut other = Game::new();
    let _others = other.removed_values::<Health>();
    let text = panic_of(|| lost.drain(&mut other));
    assert!(text.starts_with("this list of removed values belongs to another `Game`"));
}

#[test]
fn a_system_receives_removed_values() {
    let (log, mut game) = (Log::default(), Game::new());
    let notified = log.clone();
    let mut systems = Systems::new().on_removed::<Game, Name, _>(&mut game, move |game, lost| {
        for (id, name) in lost {
            notified.push(format!("{} {}", name.0, game.contains(*id)));
        }
        game.create_entity().add_name("next").remove_name();
    });
    systems.execute(&mut game);
    log.notified(&[]);
    let id = game.create_entity().add_name("first").id();
    game.destroy(id);
    systems.execute(&mut game);
    log.notified(&["first false"]);
    systems.execute(&mut game);
    log.notified(&["next true"]);
    assert_eq!(systems.reactions().unwrap().calls, 2);
    systems.clear(&mut game);
    systems.execute(&mut game);
    systems.deactivate(&mut game);
    game.create_entity().add_name("unheard").remove_name();
    systems.execute(&mut game);
    log.notified(&[]);
    systems.activate(&mut game);
    game.create_entity().add_name("heard").remove_name();
    systems.execute(&mut game);
    log.notified(&["heard true"]);
}

#[test]
fn a_released_handle_frees_its_contents() {
    let mut game = Game::new();
    let lost = game.removed_values::<Counted>();
    let value = Arc::new(());
    let ids = game.create_many((0..3).map(|_| Counted(value.clone())));
    game.many(&ids).remove::<Counted>();
    assert_eq!(Arc::strong_count(&value), 4);
    lost.release(&mut game);
    assert_eq!(Arc::strong_count(&value), 1);
}
